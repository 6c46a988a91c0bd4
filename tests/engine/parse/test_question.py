"""Reading a question: its names, its own words, and what its time expression takes from both."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from scrubjay import Memory
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
