"""What gives a newer answer to a question comes first, though nothing links it to the older."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from scrubjay.memory import Memory
from scrubjay.testing import FixedClock

NOW = datetime(2026, 4, 20, 12, tzinfo=UTC)
ORANGERY = "The wedding is at the Orangery in Felbrook."
BARN = "The Orangery flooded. Mill Barn can take the wedding on the same date."
NINETY = "The wedding has 90 guests."
MORE = "With Theo's colleagues the wedding is at 112 guests."
TOLD = (ORANGERY, NINETY, "Aunt Fenna likes trifle.", BARN, "Rings are being engraved.", MORE)


def _told(*texts: str, speaker: str | None = None) -> Memory:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    for day, text in enumerate(texts):
        memory.retain(text, told_at=NOW - timedelta(days=len(texts) - day), speaker=speaker)
    return memory


@pytest.fixture(scope="module")
def wedding() -> Iterator[Memory]:
    with _told(*TOLD) as memory:
        yield memory


def _first(memory: Memory, question: str) -> str:
    return memory.recall(question).items[0].text


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Where is the wedding?", BARN),
        ("Where was the wedding to be before?", ORANGERY),
        ("How many guests does the wedding have?", MORE),
        ("How many guests did the wedding have before?", NINETY),
    ],
)
def test_the_newer_answer_comes_first_and_the_older_where_that_is_asked_for(
    wedding: Memory, question: str, first: str
) -> None:
    assert all(not wedding.links(unit.id) for unit in wedding.list().units)
    assert _first(wedding, question) == first


def test_why_says_what_the_newer_answer_gained(wedding: Memory) -> None:
    first, second, *_ = wedding.recall("Where is the wedding?").items
    assert first.why.signs["newer"] > 0
    assert first.score == second.score
    assert first.relevance >= second.relevance
    assert second.why.updated_by is None


def test_what_was_not_told_yet_is_no_answer(wedding: Memory) -> None:
    then = NOW - timedelta(days=4)
    assert wedding.recall("Where is the wedding?", now=then).items[0].text == ORANGERY


def test_what_an_assistant_says_changes_nothing() -> None:
    with _told(ORANGERY, speaker="Lena") as memory:
        memory.retain(BARN, told_at=NOW, speaker="assistant")
        assert _first(memory, "Where is the wedding?") == ORANGERY


def test_what_the_caller_keeps_beside_the_other_is_left_where_it_was() -> None:
    with _told(*TOLD) as memory:
        ids = {unit.text: unit.id for unit in memory.list().units}
        memory.reject_conflict(ids[ORANGERY], ids[BARN])
        assert _first(memory, "Where is the wedding?") == ORANGERY


def test_a_preset_that_leaves_changes_alone_leaves_this_alone(wedding: Memory) -> None:
    answer = wedding.recall("Where is the wedding?", preset="tempr")
    assert all("newer" not in item.why.signs for item in answer)
