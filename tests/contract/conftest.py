"""Every backend the contract holds for, opened empty; a new store is one more entry in STORES."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path

import pytest
from tests.contract.looking import Opening
from tests.store.postgres.fixtures import database_url, postgres_server, postgres_url
from tests.surface.http.http_server import running

from scrubjay import Encoder, Memory
from scrubjay.client import HttpMemory, Patience
from scrubjay.testing import FixedClock

__all__ = [
    "clock",
    "database_url",
    "lasting",
    "memory",
    "opened",
    "postgres_server",
    "postgres_url",
]

STORES: dict[str, Callable[[Path], str]] = {
    "embedded": lambda folder: str(folder / "store"),
    "in-memory": lambda _: ":memory:",
}
POSTGRES = "postgres"
HTTP = "http"
BACKENDS = [*STORES, POSTGRES, HTTP]

# What a server's memory does otherwise by its nature, and why; docs/client.md says it to users.
_OBJECTS_STAY = "an encoder object does not travel; a server opens its own by name"
_MADE_WHEN_TOLD = "asking for a bank makes none: a key that may write may not make banks at once"
_NO_VALUES = "of a bad line the server tells the number and the reason, not the value"
NOT_OVER_HTTP = {
    "test_settings_stay_with_their_bank": _MADE_WHEN_TOLD,
    "test_a_handle_to_a_deleted_bank_says_that_it_is_gone": _MADE_WHEN_TOLD,
    "test_a_bank_without_vectors_works_by_words_and_takes_vectors_later": _OBJECTS_STAY,
    "test_reembedding_gives_every_unit_the_new_vectors": _OBJECTS_STAY,
    "test_a_unit_told_while_the_encoder_changes_never_gets_a_vector_of_the_wrong_one": (
        _OBJECTS_STAY
    ),
    "test_a_unit_told_while_the_encoder_changes_twice_is_kept": _OBJECTS_STAY,
    "test_a_second_reembedding_takes_over_from_the_first": _OBJECTS_STAY,
    "test_a_question_read_before_the_switch_is_not_compared_with_the_vectors_after_it": (
        _OBJECTS_STAY
    ),
    "test_a_bank_is_reembedded_while_many_tell_and_ask": _OBJECTS_STAY,
    "test_a_memory_goes_on_with_the_encoder_a_bank_was_given": _OBJECTS_STAY,
    "test_lines_of_a_log_that_are_near_to_everything_do_not_hide_an_answer": _OBJECTS_STAY,
    "test_in_a_small_bank_the_nearest_is_first": _OBJECTS_STAY,
    "test_the_published_designs_compare_as_they_say": _OBJECTS_STAY,
    "test_a_bad_line_is_named_by_number_and_nothing_is_kept": _NO_VALUES,
    "test_a_line_may_name_a_unit_before_it_but_not_behind_it": _NO_VALUES,
    "test_an_interrupted_import_goes_on_where_it_was": "the server goes on when its client stops",
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what a server does otherwise by its nature."""
    apart = [
        item
        for item in items
        if isinstance(item, pytest.Function)
        and item.originalname in NOT_OVER_HTTP
        and HTTP in item.callspec.params.values()
    ]
    config.hook.pytest_deselected(items=apart)
    items[:] = [item for item in items if item not in apart]


class Lasting:
    """The module's memory in PostgreSQL, which one test after the other gets empty.

    Its connections know their statements, and its clock is that of the test.
    """

    def __init__(self, url: str) -> None:
        self.clock = FixedClock()
        self.memory = Memory.open(url, encoder="hash", reranker=None, clock=lambda: self.clock.now)

    def emptied(self, clock: FixedClock) -> Memory:
        self.clock = clock
        empty(self.memory)
        return self.memory


@pytest.fixture(scope="module")
def lasting(postgres_url: str) -> Iterator[Lasting]:
    kept = Lasting(postgres_url)
    with kept.memory:
        yield kept


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(params=BACKENDS)
def opened(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Opening:
    """Opens this test's store with an encoder, again if asked; ':memory:' is then a new one."""
    return opening(request, tmp_path, clock)


def opening(request: pytest.FixtureRequest, folder: Path, clock: FixedClock) -> Opening:
    """Opens the backend a fixture asks for, empty at first, with its files in a folder."""
    if request.param == HTTP:
        return lambda encoder: Served(folder / "store", encoder, clock)
    if request.param == POSTGRES:
        address = partial(cache(_emptied), request.getfixturevalue("postgres_url"))
    else:
        address = partial(STORES[request.param], folder)
    return lambda encoder: Memory.open(address(), encoder=encoder, reranker=None, clock=clock)


class Served(HttpMemory):
    """A memory on a server of its own, which stops when it is closed."""

    def __init__(self, store: Path, encoder: str | Encoder | None, clock: FixedClock) -> None:
        self._server = ExitStack()
        kept = Memory.open(store, encoder=encoder, reranker=None, clock=clock)
        url = self._server.enter_context(running(memory=kept)).url
        super().__init__(
            url, patience=Patience(first_wait_s=0.01, longest_wait_s=0.01, deadline_s=60)
        )

    def close(self) -> None:
        super().close()
        self._server.close()


def _emptied(url: str) -> str:
    """The module's database without the banks the test before left in it."""
    with Memory.open(url, encoder=None, reranker=None) as memory:
        empty(memory)
    return url


def empty(memory: Memory) -> None:
    """Delete all banks."""
    for bank in memory.banks():
        memory.delete_bank(bank.name)


@pytest.fixture
def memory(request: pytest.FixtureRequest, opened: Opening, clock: FixedClock) -> Iterator[Memory]:
    """An empty Memory on each store; what a test leaves behind must be sound."""
    if isinstance(request.node, pytest.Function) and (
        request.node.callspec.params["opened"] == POSTGRES
    ):
        fresh = request.getfixturevalue("lasting").emptied(clock)
        yield fresh
        check_sound(fresh)
        return
    with opened("hash") as fresh:
        yield fresh
        check_sound(fresh)


def check_sound(memory: Memory) -> None:
    for bank in memory.banks():
        assert memory.doctor(bank=bank.name) == []
