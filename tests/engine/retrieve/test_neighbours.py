import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.backend import EngineBackend
from scrubjay.engine.retrieve.neighbours import smooth, turns_before
from scrubjay.memory import Memory
from scrubjay.settings import BankSettings
from scrubjay.store.base import BankStore, Hits
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.types.units import Unit


def hits(scores: dict[int, float]) -> Hits:
    rows = sorted(scores, key=lambda row: (-scores[row], row))
    return Hits(np.array(rows, np.int64), np.array([scores[r] for r in rows], np.float32))


def smoothed(
    sessions: list[str | None], scores: dict[int, float], share: float
) -> dict[int, float]:
    """Rows are numbered from 1 in the order they are told."""
    memory = Memory.open(":memory:", encoder=None, reranker=None)
    memory.retain([Unit(f"turn {n}", session=name) for n, name in enumerate(sessions)])
    assert isinstance(memory.backend, EngineBackend)
    with memory.backend.store.using("default") as bank:
        assert bank is not None
        found = smooth(bank, hits(scores), share, 100)
    return dict(zip(found.rows.tolist(), found.scores.tolist(), strict=True))


def test_the_turns_around_a_hit_get_a_share_of_its_score() -> None:
    assert smoothed(["a"] * 4, {2: 1.0}, 0.5) == {2: 1.0, 1: 0.5, 3: 0.5}


def test_a_session_ends_where_the_next_begins() -> None:
    assert smoothed(["a", "b", "b"], {2: 1.0}, 0.5) == {2: 1.0, 3: 0.5}


def test_units_of_no_session_have_no_neighbours() -> None:
    assert smoothed([None, None, None], {2: 1.0}, 0.5) == {2: 1.0}


def test_two_hits_side_by_side_lend_to_each_other() -> None:
    assert smoothed(["a"] * 3, {1: 1.0, 2: 0.5}, 0.5) == {1: 1.25, 2: 1.0, 3: 0.25}


@given(st.dictionaries(st.integers(1, 8), st.floats(0.125, 1.0, width=32), min_size=1))
def test_without_a_share_nothing_changes(scores: dict[int, float]) -> None:
    store = EmbeddedStore(None)
    store.create_bank("b", BankSettings())
    with store.using("b") as opened:
        bank: BankStore | None = opened
        assert bank is not None
        found = smooth(bank, hits(scores), 0.0, 100)
    assert found.rows.tolist() == hits(scores).rows.tolist()


def test_the_turn_before_is_the_one_told_before_it_in_the_same_session() -> None:
    memory = Memory.open(":memory:", encoder=None, reranker=None)
    memory.retain([Unit("first", session="a"), Unit("second", session="a"), Unit("other")])
    assert isinstance(memory.backend, EngineBackend)
    with memory.backend.store.using("default") as bank:
        assert bank is not None
        before = turns_before(bank, np.array([1, 2, 3]))
    assert {row: unit.text for row, unit in before.items()} == {2: "first"}
