"""The fixtures of the PostgreSQL tests."""

from __future__ import annotations

import pytest
from tests.store.postgres.fixtures import database_url, postgres_server

__all__ = ["database_url", "postgres_server", "postgres_url"]


@pytest.fixture(scope="module")
def postgres_url(database_url: str) -> str:
    """A database on a server by itself, which is what is asked about here, cluster or not."""
    return database_url
