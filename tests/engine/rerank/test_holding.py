"""What holds, or takes place, at the time that is asked about comes before what does not then."""

from datetime import UTC, datetime

import pytest

from scrubjay.memory import Memory

NOW = datetime(2026, 9, 15, tzinfo=UTC)
THEN = datetime(2027, 3, 1, tzinfo=UTC)
BOSE, ARENDT = "The lift inspector is Mr. Bose.", "The lift inspector is Ms. Arendt."
JONAS, MALTE = (
    "Jonas runs the Hamburg branch.",
    "Malte takes over the Hamburg branch on 1 November.",
)


def _told(*texts: str) -> Memory:
    memory = Memory.open(":memory:", encoder="hash", reranker=None)
    memory.retain("Ravi sold two stamps.", told_at=datetime(2026, 8, 1, tzinfo=UTC))
    for day, text in enumerate(texts, 1):
        memory.retain(text, told_at=datetime(2026, 9, day, tzinfo=UTC))
    return memory


@pytest.mark.parametrize(
    ("question", "now", "first"),
    [
        ("Who is the lift inspector?", NOW, BOSE),
        ("Who is the lift inspector today?", NOW, BOSE),
        ("Who will be the lift inspector?", NOW, ARENDT),
        ("Who is the lift inspector in April 2027?", NOW, ARENDT),
        ("Who is the lift inspector?", datetime(2027, 4, 1, tzinfo=UTC), ARENDT),
    ],
)
def test_what_a_caller_said_begins_later_stands_behind_what_holds_until_then(
    question: str, now: datetime, first: str
) -> None:
    with _told(BOSE) as memory:
        memory.retain(ARENDT, told_at=datetime(2026, 9, 3, tzinfo=UTC), valid_from=THEN)
        items = memory.recall(question, now=now).items
    assert [item.text for item in items][:2] == [first, BOSE if first == ARENDT else ARENDT]
    assert items[0].relevance >= items[1].relevance


@pytest.mark.parametrize(
    ("question", "now", "first"),
    [
        ("Who runs the Hamburg branch?", NOW, JONAS),
        ("Who will run the Hamburg branch?", NOW, MALTE),
        ("Who runs the Hamburg branch?", datetime(2026, 12, 1, tzinfo=UTC), MALTE),
    ],
)
def test_so_does_what_only_its_text_says_begins_later(
    question: str, now: datetime, first: str
) -> None:
    with _told(JONAS, MALTE) as memory:
        assert memory.recall(question, now=now).items[0].text == first


def test_a_plan_that_was_moved_holds_though_its_day_is_still_to_come() -> None:
    old, new = "The inspection is on 5 October.", "The inspection was moved to 19 October."
    with _told(old, new) as memory:
        assert memory.recall("When is the inspection?", now=NOW).items[0].text == new


def test_what_else_is_told_of_a_thing_of_another_kind_stays_where_it_was() -> None:
    old, new = "The north gate opens at 7.", "From October the south gate opens at 8."
    with _told(old, new) as memory:
        found = memory.recall("When does the south gate open?", now=NOW).items
    assert found[0].text == new


def test_what_has_begun_since_says_nothing_of_what_else_is_asked() -> None:
    old = "Pilates is at 18:00 in room B3 with Mara."
    new = "From 10 September pilates is at 19:15."
    with _told(old, new) as memory:
        assert memory.recall("When is pilates?", now=NOW).items[0].text == new
        for asked in ("Who teaches pilates?", "Which room is pilates in?"):
            assert memory.recall(asked, now=NOW).items[0].text == old


LUNCH = "Lunch with the Okafors on 20 September."
MOVED = "Lunch with the Okafors is postponed to 27 September."
MARKET = "Flea market on 20 September."


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What do I have on 20 September?", MARKET),
        ("What is planned for 20 September?", MARKET),
        ("When is lunch with the Okafors?", MOVED),
        ("What about lunch with the Okafors on 20 September?", MOVED),
    ],
)
def test_a_plan_moved_away_from_the_day_asked_about_follows_what_takes_place(
    question: str, first: str
) -> None:
    with _told(LUNCH, MOVED, MARKET) as memory:
        items = memory.recall(question, now=NOW).items
    assert items[0].text == first
    assert {item.text for item in items} >= {LUNCH, MOVED}
