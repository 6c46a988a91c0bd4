"""Every store the contract holds for, opened empty; a new store is one more entry in STORES."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.contract.looking import Opening
from tests.store.postgres.fixtures import postgres_server, postgres_url

from scrubjay import Memory
from scrubjay.testing import FixedClock

__all__ = ["clock", "memory", "opened", "postgres_server", "postgres_url"]

STORES: dict[str, Callable[[Path], str]] = {
    "embedded": lambda folder: str(folder / "store"),
    "in-memory": lambda _: ":memory:",
}
POSTGRES = "postgres"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(params=[*STORES, POSTGRES])
def opened(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Opening:
    """Opens this test's store with an encoder, again if asked; ':memory:' is then a new one."""
    if request.param == POSTGRES:
        address = _emptied(request.getfixturevalue("postgres_url"))
    else:
        address = STORES[request.param](tmp_path)
    return lambda encoder: Memory.open(address, encoder=encoder, reranker=None, clock=clock)


def _emptied(url: str) -> str:
    """The module's database without the banks the test before left in it."""
    with Memory.open(url, encoder=None, reranker=None) as memory:
        for bank in memory.banks():
            memory.delete_bank(bank.name)
    return url


@pytest.fixture
def memory(opened: Opening) -> Iterator[Memory]:
    """An empty Memory on each store; what a test leaves behind must be sound."""
    with opened("hash") as fresh:
        yield fresh
        for bank in fresh.banks():
            assert fresh.doctor(bank=bank.name) == []
