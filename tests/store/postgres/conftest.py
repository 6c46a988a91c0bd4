"""The fixtures of the PostgreSQL tests."""

from __future__ import annotations

from tests.store.postgres.fixtures import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]
