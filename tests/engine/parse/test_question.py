"""Reading a question: its names, its own words, and what its time expression takes from both."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from scrubjay import Memory
from scrubjay.backend import EngineBackend
from scrubjay.engine.parse.people import mentioned_entities
from scrubjay.testing import FixedClock

NOW = datetime(2026, 9, 7, 12, tzinfo=UTC)


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as opened:
        opened.retain("The lighthouse was sold.", entities=["June", "Chat", "March Fair"])
        yield opened


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did we discuss in June?", []),
        ("Which ladder did we buy in June?", []),
        ("Which ladder did June buy?", ["June"]),
        ("Which ladder did June buy last week?", ["June"]),
        ("What did we chat about yesterday?", []),
        ("What happened in Chat yesterday?", ["Chat"]),
        ("What did we see at the March Fair?", ["March Fair"]),
    ],
)
def test_a_time_and_the_asking_are_no_names(
    memory: Memory, question: str, names: list[str]
) -> None:
    assert [entity.name for entity in memory.parse(question).entities] == names


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What did we discuss three days ago?", 0),
        ("What happened in June?", 0),
        ("What did June say last week?", 0),
        ("Which ladder was there last week?", 1),
    ],
)
def test_words_of_the_time_the_names_and_the_asking_do_not_count(
    memory: Memory, question: str, words: int
) -> None:
    assert memory.parse(question).content_words == words


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Who does Ana work with who also knows Ben?", True),
        ("What is the name of the sister of Ben's boss of old?", True),
        ("Where is Ana's brother's boat?", True),
        ("Where does Ana's brother live?", False),
        ("What did we discuss?", False),
    ],
)
def test_a_second_step_is_read_from_the_words(memory: Memory, question: str, asked: bool) -> None:
    assert memory.parse(question).multi_hop is asked


def test_a_month_is_the_one_that_the_memories_reach() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        memory.retain("We chose the boat.", told_at=datetime(2024, 11, 20, tzinfo=UTC))
        memory.retain("We painted it.", told_at=datetime(2025, 6, 2, tzinfo=UTC))
        asked = memory.parse("What did we decide in November?").window
        named = memory.parse("What did we decide in November 2025?").window
    assert asked is not None and asked.start == datetime(2024, 11, 1, tzinfo=UTC)
    assert named is not None and named.start == datetime(2025, 11, 1, tzinfo=UTC)


def test_years_of_life_are_counted_from_the_birthday_in_the_bank() -> None:
    question = "Where did I live when I was 30?"
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        assert memory.parse(question).window is None
        memory.retain("I was born on 2 April 1985 in Ghent. My sister was born on 3 May 1990.")
        window = memory.parse(question).window
    assert window is not None and window.start == datetime(2015, 4, 2, tzinfo=UTC)
    assert window.end is not None and window.end.date().isoformat() == "2016-04-01"


class _Counting:
    """A bank that counts how often it is asked what is said beside names."""

    def __init__(self, bank: object) -> None:
        self._bank = bank
        self.reads = 0

    def __getattr__(self, name: str) -> object:
        self.reads += name == "sayings_of"
        return getattr(self._bank, name)


def test_what_stands_beside_several_shared_names_is_read_at_once(memory: Memory) -> None:
    for name in ("Oda Falk", "Oda Meier", "Piet Falk", "Piet Meier"):
        memory.retain(f"{name} painted the shed.", entities=[name])
    backend = memory.backend
    assert isinstance(backend, EngineBackend)
    with backend.store.using("default") as bank:
        counting = _Counting(bank)
        found = mentioned_entities("Did Oda paint it with Piet?", counting)  # type: ignore[arg-type]
    assert [len(one.candidates) for one in found] == [2, 2]
    assert counting.reads == 1
