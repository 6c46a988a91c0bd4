"""What holds now comes before what it changed, and what was where that is asked for."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from scrubjay.memory import Memory
from scrubjay.testing import FixedClock

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_whatever_of_a_much_changed_fact_is_found_comes_with_something_newer() -> None:
    words = [f"stall{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(40)]
    told = [f"The yoga class is {20 + n} euros now, says {word}." for n, word in enumerate(words)]
    with Memory.open(":memory:", encoder=None, reranker=None, clock=FixedClock(NOW)) as memory:
        for day, text in enumerate(told):
            memory.retain(text, told_at=NOW - timedelta(days=len(told) - day))
        places = {text: place for place, text in enumerate(told)}
        for place, word in enumerate(words[:-1]):
            found = [places[item.text] for item in memory.recall(word)]
            assert place in found
            assert found == sorted(found, reverse=True)


HALL = "The beekeeping course is in the village hall."
TENT = "This season the beekeeping course is in a tent behind the school instead."


@pytest.fixture(scope="module")
def moved() -> Iterator[Memory]:
    """A bank in which one memory may have changed another: no value or verb makes it sure."""
    texts = ("The dentist is in Elm Street.", HALL, "Ravi sold two stamps.", TENT)
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        for day, text in enumerate(texts):
            memory.retain(text, told_at=NOW - timedelta(days=9 - day))
        yield memory


def test_what_may_have_changed_is_no_conflict_to_decide(moved: Memory) -> None:
    (new,) = [unit for unit in moved.list().units if unit.text == TENT]
    (link,) = moved.links(new.id)
    assert link.kind == "updates"
    assert 0 < link.weight < moved.bank("default").settings.update_floor
    assert moved.conflicts() == []


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("where is the beekeeping course?", TENT),
        ("where is the beekeeping course in the end?", TENT),
        ("where did the beekeeping course in the hall end up?", TENT),
        ("how often is the beekeeping course?", TENT),
        ("what was our old place for the beekeeping course in the tent?", HALL),
        ("was it a tent where the beekeeping course was when we first came?", HALL),
        ("where was the beekeeping course before the tent?", HALL),
        ("where did the beekeeping course use to be, tent or hall?", HALL),
        ("which place held the beekeeping course in the tent before?", HALL),
        ("where was the tent of the beekeeping course originally?", HALL),
    ],
)
def test_what_may_have_changed_is_ordered_as_the_question_asks(
    moved: Memory, question: str, first: str
) -> None:
    assert next(item.text for item in moved.recall(question)) == first


def test_who_asks_what_was_gets_what_surely_changed_it_first() -> None:
    old, new = "The gate code is 4071.", "The gate code was changed to 9926."
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        for day, text in enumerate((old, "Ravi sold two stamps.", new)):
            memory.retain(text, told_at=NOW - timedelta(days=9 - day))
        for asked in ("what was the gate code?", "what was the gate code again?"):
            assert [item.text for item in memory.recall(asked)][:2] == [new, old]
        assert memory.recall("what was the old gate code?").items[0].text == old


def test_of_what_happened_once_the_latest_is_not_put_first(moved: Memory) -> None:
    found = moved.recall("why did they hold the beekeeping course in the village hall?")
    assert next(item.text for item in found) == HALL


def test_what_is_told_after_the_time_of_the_question_did_not_hold_yet(moved: Memory) -> None:
    early = NOW - timedelta(days=7)
    found = moved.recall("where is the beekeeping course?", now=early)
    assert next(item.text for item in found) == HALL


@pytest.mark.parametrize(
    ("asked_at", "question", "first"),
    [
        (datetime(2026, 9, 25, tzinfo=UTC), "What is the rent?", "1,150"),
        (datetime(2026, 9, 25, tzinfo=UTC), "What will the rent be?", "1,210"),
        (datetime(2026, 9, 25, tzinfo=UTC), "What is the rent in November?", "1,210"),
        (datetime(2026, 9, 25, tzinfo=UTC), "What is the rent from October on?", "1,210"),
        (datetime(2026, 11, 19, tzinfo=UTC), "What is the rent?", "1,210"),
        (datetime(2026, 11, 19, tzinfo=UTC), "What was the rent in September?", "1,150"),
        (datetime(2026, 11, 19, tzinfo=UTC), "What was the rent before October?", "1,150"),
        (datetime(2026, 11, 19, tzinfo=UTC), "What was the rent in October?", "1,210"),
    ],
)
def test_what_begins_to_hold_on_a_day_does_not_hold_before_it(
    asked_at: datetime, question: str, first: str
) -> None:
    told = {
        5: "The rent is 1,150 a month.",
        12: "Ravi bought a lamp.",
        20: "From October the rent is 1,210.",
    }
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        for day, text in told.items():
            memory.retain(text, told_at=datetime(2026, 9, day, tzinfo=UTC))
        found = memory.recall(question, now=asked_at).items
        assert first in found[0].text
        assert found[0].why.updated_by is None
        assert all(item.why.updated_by in (None, found[0].id) for item in found)


MARKET = "The plant market is on 21 May in the yard."
OFF = "The plant market on 21 May is cancelled."


def test_a_day_still_to_come_has_what_was_told_of_it_last() -> None:
    texts = ("The dentist is in Elm Street.", MARKET, "Ravi sold two stamps.", OFF)
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        for day, text in enumerate(texts):
            memory.retain(text, told_at=NOW - timedelta(days=9 - day))
        ahead = memory.recall("what about the plant market on 21 May?")
        then = memory.recall("what about the plant market on 21 May?", now=NOW + 200 * DAY)
    assert [item.text for item in ahead][:2] == [OFF, MARKET]
    assert {item.text for item in then} >= {OFF, MARKET}


@pytest.mark.parametrize(
    "question",
    [
        "where is the beekeeping course in the first week of the tent season?",
        "where is the beekeeping course, in the tent, as I said earlier this week?",
    ],
)
def test_the_first_of_something_else_does_not_ask_for_what_was(
    moved: Memory, question: str
) -> None:
    assert next(item.text for item in moved.recall(question)) == TENT


def test_who_asks_for_all_there_were_gets_them_as_the_question_finds_them(moved: Memory) -> None:
    found = moved.recall("all the places of the beekeeping course in the village hall")
    assert [item.text for item in found][:2] == [HALL, TENT]
    assert all(item.why.updated_by is None for item in found)


def test_what_was_best_stays_right_behind_what_takes_its_place() -> None:
    old = "The pottery class in the blue room with Ida costs 14 euros."
    new = "The pottery class goes up to 16 euros from today."
    others = [f"Ida sat in the blue room with {who} at the class." for who in ("Ravi", "Ana", "Jo")]
    with Memory.open(":memory:", encoder=None, reranker=None, clock=FixedClock(NOW)) as memory:
        for day, text in enumerate((old, *others, new)):
            memory.retain(text, told_at=NOW - timedelta(days=9 - day))
        asked = "what does the class with Ida in the blue room cost?"
        assert [item.text for item in memory.recall(asked)][:2] == [new, old]


def test_what_was_before_something_named_comes_before_what_names_it() -> None:
    old, new = "My bank is Savia, the branch by the river.", "I switched banks, it is Norda."
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        for day, text in enumerate((old, "Ravi sold two stamps.", new, "Norda sent a card.")):
            memory.retain(text, told_at=NOW - timedelta(days=9 - day))
        assert memory.recall("which bank was I with before Norda?").items[0].text == old
        assert memory.recall("who kept my bank card before Norda?").items[0].text == old
        assert memory.recall("which bank is Norda?").items[0].text != old


FLIGHT = "The Lisbon flight leaves on 3 May at 6:45, seat 14C, booking code QX7RTM."
LATER = "The Lisbon flight was moved to 11:20."


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When does the Lisbon flight leave?", LATER),
        ("What is the booking code of the Lisbon flight?", FLIGHT),
        ("Which seat do I have on the Lisbon flight?", FLIGHT),
    ],
)
def test_a_change_of_one_thing_leaves_what_else_is_asked_of_the_older(
    question: str, first: str
) -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        old = memory.retain(FLIGHT, told_at=NOW - 9 * DAY).id
        memory.retain("Ravi sold two stamps.", told_at=NOW - 5 * DAY)
        new = memory.retain(LATER, told_at=NOW - 2 * DAY).id
        assert [link.target for link in memory.links(new) if link.kind == "updates"] == [old]
        items = memory.recall(question).items
    assert items[0].text == first
    assert items[0].relevance >= items[1].relevance


def test_the_order_does_not_depend_on_how_many_are_asked_for() -> None:
    words = [f"stall{chr(97 + n)}" for n in range(12)]
    told = [f"The yoga class is {20 + n} euros now, says {word}." for n, word in enumerate(words)]
    with Memory.open(":memory:", encoder=None, reranker=None, clock=FixedClock(NOW)) as memory:
        for day, text in enumerate(told):
            memory.retain(text, told_at=NOW - timedelta(days=len(told) - day))
        many = [item.id for item in memory.recall(words[0], limit=12)]
        for limit in range(1, 12):
            assert [item.id for item in memory.recall(words[0], limit=limit)] == many[:limit]
