"""The fixtures of the parity tests."""

from __future__ import annotations

from tests.store.postgres.fixtures import database_url, postgres_server, postgres_url

__all__ = ["database_url", "postgres_server", "postgres_url"]
