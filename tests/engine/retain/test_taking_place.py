"""What an encoder reads as a change is linked, whatever the words; what it may not read is not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from scrubjay import Memory
from scrubjay.encoder.changing import Pair
from scrubjay.engine.retain.taking_place import LIKELY, READ_MAX
from scrubjay.engine.shared.possible_changes import READ
from scrubjay.testing import FixedClock, HashingEncoder
from scrubjay.types.arrays import ScoreArray
from scrubjay.types.graph import LinkKind
from scrubjay.types.units import Unit
from scrubjay.types.values import UnitId


class Reading(HashingEncoder):
    """An encoder of somebody's own that takes what says "later" for a change of what does not."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[Pair]] = []
        self.meanwhile: Callable[[], None] = lambda: None

    def read_changes(self, pairs: Sequence[Pair]) -> ScoreArray:
        self.calls.append([*pairs])
        self.meanwhile()
        return np.array([LIKELY if "later" in new else 0.1 for _, new in pairs], np.float32)

    @property
    def read(self) -> list[Pair]:
        return [pair for call in self.calls for pair in call]


OLD, NEW = "The spare key lies under the blue pot.", "The spare key lies in the birdhouse later."


@pytest.fixture
def encoder() -> Reading:
    return Reading()


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def memory(encoder: Reading, clock: FixedClock) -> Iterator[Memory]:
    with Memory.open(":memory:", encoder=encoder, reranker=None, clock=clock) as memory:
        yield memory


def updates(memory: Memory, unit: str) -> dict[UnitId, float]:
    links = memory.links(unit)
    return {link.target: link.weight for link in links if link.kind is LinkKind.UPDATES}


def test_an_encoder_of_ones_own_is_asked_and_its_link_is_a_possible_one(
    memory: Memory, encoder: Reading
) -> None:
    old = memory.retain(OLD).id
    told = memory.retain(NEW)
    assert encoder.read == [(OLD, NEW)]
    assert updates(memory, told.id) == {old: pytest.approx(READ * 0.7, abs=1e-3)}
    assert told.derived.updates == 0
    assert memory.conflicts() == []
    found = memory.recall("Where does the spare key lie?").items
    assert [item.id for item in found] == [told.id, old]
    assert found[1].why.updated_by == told.id


def test_what_is_read_is_what_the_encoder_embeds(memory: Memory, encoder: Reading) -> None:
    memory.retain(Unit(OLD, speaker="Ines", predicate="spare key"))
    memory.retain(Unit(NEW, speaker="Ines"))
    assert encoder.read == [(f"spare key. Ines: {OLD}", f"Ines: {NEW}")]


def test_a_pair_is_read_once(memory: Memory, encoder: Reading) -> None:
    memory.retain([OLD, NEW])
    assert encoder.calls == [[(OLD, NEW)]]


def test_others_write_while_it_is_read_and_what_they_wrote_is_read_then(
    memory: Memory, encoder: Reading
) -> None:
    between = "The spare key lies under the doormat."
    memory.retain(OLD)

    def tell() -> None:
        encoder.meanwhile = lambda: None
        told = threading.Thread(target=memory.retain, args=(between,))
        told.start()
        told.join(timeout=10)
        assert not told.is_alive()

    encoder.meanwhile = tell
    new = memory.retain(NEW).id
    named = {memory.get(unit).text for unit in updates(memory, new)}
    assert named == {OLD, between}
    assert encoder.read.count((OLD, NEW)) == encoder.read.count((between, NEW)) == 1


def test_a_batch_and_one_after_the_other_give_the_same_links(clock: FixedClock) -> None:
    texts = [
        OLD, "The garden hose lies under the blue pot.", NEW, "The spare key lies on a nail later.",
        "The spare key lies with the neighbour later.", "Waffle is a dog.",
    ]  # fmt: skip
    found: list[list[set[str]]] = []
    for batches in ([texts], [[text] for text in texts]):
        with Memory.open(":memory:", encoder=Reading(), reranker=None, clock=clock) as memory:
            ids = [unit for batch in batches for unit in memory.retain(batch).ids]
            named = dict(zip(ids, texts, strict=True))
            found.append([{named[row] for row in updates(memory, unit)} for unit in ids])
    assert found[0] == found[1]
    assert OLD in found[0][2]
    assert max(len(linked) for linked in found[0]) == READ_MAX


@pytest.mark.parametrize(
    "told",
    [
        Unit(NEW, speaker="assistant"),
        Unit("Does the spare key lie in the birdhouse later?"),
        Unit("Waffle is a dog now and later."),
    ],
    ids=["an agent's", "a question", "nothing like it"],
)
def test_some_are_not_read(memory: Memory, encoder: Reading, told: Unit) -> None:
    memory.retain(OLD)
    memory.retain(told)
    assert encoder.read == []


def test_what_differs_in_numbers_alone_is_left_to_the_rules(
    memory: Memory, encoder: Reading
) -> None:
    memory.retain([f"Vik ordered {n} crates in week {n}, later {n + 1}." for n in (8, 9, 10)])
    assert encoder.read == []


def test_what_was_told_later_or_superseded_is_not_read(
    memory: Memory, encoder: Reading, clock: FixedClock
) -> None:
    memory.retain(Unit(OLD, told_at=clock.now))
    memory.retain(Unit(NEW, told_at=clock.now - timedelta(days=1)))
    assert encoder.read == []
    old = memory.retain("The dog eats at seven.").id
    memory.supersede(old, "The dog eats at eight.")
    encoder.calls.clear()
    memory.retain("The dog eats at nine later.")
    assert all(older != "The dog eats at seven." for older, _ in encoder.read)


def test_a_pair_that_was_kept_apart_stays_so(memory: Memory) -> None:
    old = memory.retain(OLD).id
    new = memory.retain(Unit(NEW, key="birdhouse")).id
    assert updates(memory, new)
    memory.reject_conflict(old, new)
    again = memory.retain(Unit(NEW.replace("lies", "is"), key="birdhouse")).id
    assert updates(memory, again) == {}


def test_what_it_was_itself_before_it_was_told_anew_is_not_read(
    memory: Memory, encoder: Reading
) -> None:
    memory.retain(Unit(OLD, key="key"))
    memory.retain(Unit(NEW, key="key"))
    assert encoder.read == []


def test_update_floor_1_switches_it_off(memory: Memory, encoder: Reading) -> None:
    memory.bank("default", update_floor=1)
    memory.retain(OLD)
    assert updates(memory, memory.retain(NEW).id) == {}
    assert encoder.read == []


def test_a_copy_asks_nothing_and_keeps_the_links(
    memory: Memory, encoder: Reading, tmp_path: Path
) -> None:
    old = memory.retain(OLD).id
    new = memory.retain(NEW).id
    memory.export(tmp_path / "kept.jsonl")
    encoder.calls.clear()
    with Memory.open(":memory:", encoder=encoder, reranker=None) as other:
        other.import_(tmp_path / "kept.jsonl")
        assert encoder.calls == []
        assert [*updates(other, new)] == [old]


def test_an_encoder_without_is_as_before(clock: FixedClock) -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=clock) as memory:
        memory.retain(OLD)
        assert updates(memory, memory.retain(NEW).id) == {}
