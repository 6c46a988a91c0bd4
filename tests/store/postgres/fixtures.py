"""What tests with a PostgreSQL need: one server for all, a database for each module."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from tests.store.postgres.citus_cluster import emptied, given_cluster
from tests.store.postgres.postgres_server import fresh_database, some_server

from scrubjay.store.postgres.store import PostgresStore


class _Shared:
    """The server and a database with the schema in it, while anybody uses them."""

    def __init__(self) -> None:
        self._users = 0
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._found: tuple[str, str] | None = None

    @contextmanager
    def server(self) -> Iterator[tuple[str, str]]:
        """The addresses of the server and of the database to copy."""
        with self._lock:
            if self._found is None:
                server = self._stack.enter_context(some_server())
                template = self._stack.enter_context(fresh_database(server))
                PostgresStore(template).close()
                self._found = server, template
            self._users += 1
        try:
            yield self._found
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._found = None
                    self._stack.close()


_SHARED = _Shared()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[tuple[str, str]]:
    """A running server, and the address of a database with our schema and nothing else."""
    with _SHARED.server() as found:
        yield found


@pytest.fixture(scope="module")
def database_url(postgres_server: tuple[str, str]) -> Iterator[str]:
    """A database of this module's own, with the schema in it."""
    server, template = postgres_server
    with fresh_database(server, template) as url:
        yield url


@pytest.fixture(scope="module")
def postgres_url(request: pytest.FixtureRequest) -> str:
    """Such a database; or the cluster, emptied, where one is given."""
    if (cluster := given_cluster()) is not None:
        return emptied(cluster)
    url: str = request.getfixturevalue("database_url")
    return url
