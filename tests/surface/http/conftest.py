"""Servers that tests of a module share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.surface.http.http_server import Running, running


@pytest.fixture(scope="module")
def open_server() -> Iterator[Running]:
    """A server without keys, with its store in memory."""
    with running() as server:
        yield server


@pytest.fixture(scope="module")
def keyed_server() -> Iterator[Running]:
    """A server that wants keys."""
    with running(auth=True) as server:
        yield server
