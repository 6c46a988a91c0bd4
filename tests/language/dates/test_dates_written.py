"""Times as people write them: misspelt, abbreviated, in terms of school and business."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from scrubjay.language.dates import TimeContext, question_window
from scrubjay.language.dates.syntax.typos import misspellings

# A Wednesday.
NOW = datetime(2025, 6, 11, 9, tzinfo=UTC)
CONTEXT = TimeContext(now=NOW, zone=UTC, born=date(1985, 4, 2))


def days(text: str, context: TimeContext = CONTEXT) -> tuple[str, str] | None:
    mention = question_window(text, context)
    if mention is None:
        return None
    start, end = mention.window.start, mention.window.end
    return ("" if start is None else f"{start:%Y-%m-%d}", "" if end is None else f"{end:%Y-%m-%d}")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("wat happened yesturday", "2025-06-10", "2025-06-10"),
        ("meetings this thrusday", "2025-06-12", "2025-06-12"),
        ("bills of novembr", "2024-11-01", "2024-11-30"),
        ("what do I have tommorow morning", "2025-06-12", "2025-06-12"),
        ("what did we agree 10d ago", "2025-06-01", "2025-06-01"),
        ("fortnight ago lunch", "2025-05-26", "2025-06-01"),
        ("10.6. call", "2025-06-10", "2025-06-10"),
        ("which meetings r on thurs", "2025-06-12", "2025-06-12"),
        ("eod tomorrow", "2025-06-12", "2025-06-12"),
        ("what's due before the end of the year", "2025-06-11", "2025-12-31"),
        ("a week tomorrow", "2025-06-19", "2025-06-19"),
        ("this day last year", "2024-06-11", "2024-06-11"),
        ("the Saturday just gone", "2025-06-07", "2025-06-07"),
        ("mon & tue", "2025-06-09", "2025-06-10"),
        ("winter 2023/24", "2023-12-01", "2024-02-29"),
        ("last semester", "2025-01-01", "2025-05-31"),
        ("this academic year grades", "2024-09-01", "2025-08-31"),
        ("costs in FY 2024/25", "2024-04-01", "2025-03-31"),
        ("what did finance say in 3Q24", "2024-07-01", "2024-09-30"),
        ("June sales last year", "2024-06-01", "2024-06-30"),
        ("1st half of 2024", "2024-01-01", "2024-06-30"),
        ("w/c 2 June", "2025-06-02", "2025-06-08"),
        ("when I was thirty", "2015-04-02", "2016-04-01"),
        ("on my 30th birthday", "2015-04-02", "2015-04-02"),
        ("Freitagabend wer war da", "2025-06-06", "2025-06-06"),
        ("im Wintersemester 2024", "2024-10-01", "2025-03-31"),
        ("what is on Friday week", "2025-06-20", "2025-06-20"),
        ("which jobs are due wed", "2025-06-11", "2025-06-11"),
        ("costs in May vs April", "2025-04-01", "2025-05-31"),
        ("the 2nd, 3rd and 4th: who was off?", "2025-06-02", "2025-06-04"),
        ("between the 2nd and the 6th", "2025-06-02", "2025-06-06"),
        ("who joined during the last fiscal year", "2024-01-01", "2024-12-31"),
        ("what was bought since the turn of the year", "2025-01-01", "2025-06-11"),
        ("what did we sing Sunday last", "2025-06-08", "2025-06-08"),
        ("bills lst month", "2025-05-01", "2025-05-31"),
        ("what happened firday", "2025-06-06", "2025-06-06"),
        ("what must be done before the week is out", "2025-06-11", "2025-06-15"),
        ("am übernächsten Wochenende", "2025-06-21", "2025-06-22"),
        ("Mo und Di, wer war da?", "2025-06-09", "2025-06-10"),
        ("Freitag in einer Woche", "2025-06-20", "2025-06-20"),
        ("vendredi en huit", "2025-06-20", "2025-06-20"),
        ("下下周有什么安排", "2025-06-23", "2025-06-29"),
    ],
)
def test_what_people_write_gives_the_days_they_mean(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "Who sings Manic Monday?",
        "Who is Mr. Friday?",
        "Does the warranty last 2 years?",
        "3/4 cup of flour?",
        "¿Qué talla usa Domingo?",
        "小秋喜欢什么？",
    ],
)
def test_names_and_amounts_are_no_times(text: str) -> None:
    assert days(text) is None


def test_years_of_life_need_a_birthday() -> None:
    assert days("Where did I live when I was 30?", TimeContext(now=NOW, zone=UTC)) is None


def test_a_month_is_one_that_the_memories_reach() -> None:
    left = TimeContext(now=NOW, zone=UTC, newest=datetime(2024, 2, 1, tzinfo=UTC))
    assert days("What did we decide in November?", left) == ("2023-11-01", "2023-11-30")
    assert days("What did we decide in November 2024?", left) == ("2024-11-01", "2024-11-30")


def test_a_misspelling_stands_for_one_word_and_is_no_word_itself() -> None:
    typos = misspellings(["november", "december", "sunday"])
    assert typos["novmber"] == "november" and typos["decemebr"] == "december"
    assert "november" not in typos
    # Of six letters, none may be missing at the end or be another vowel; shorter words stay.
    assert typos["sundy"] == "sunday" and "sunda" not in typos and "sanday" not in typos
    assert not misspellings(["may"])
    assert "marsh" not in misspellings(["march"])
    assert "sturdy" not in misspellings(["saturday"])
