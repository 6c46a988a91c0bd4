"""English questions and the window each one asks about, in days."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scrubjay.language.dates import TimeContext, question_window

# A Wednesday afternoon.
NOW = datetime(2024, 6, 19, 14, 30, tzinfo=UTC)
CONTEXT = TimeContext(now=NOW, zone=UTC)

QUESTIONS = [
    ("What did I cook a week ago Tuesday?", "2024-06-11", "2024-06-11"),
    ("the third Thursday of November", "2023-11-16", "2023-11-16"),
    ("the day after Christmas", "2023-12-26", "2023-12-26"),
    ("What did we do the weekend after next?", "2024-06-29", "2024-06-30"),
    ("who came in the nineteenth century", "1800-01-01", "1899-12-31"),
    ("What happened around noon on Friday?", "2024-06-14", "2024-06-14"),
    ("5pm yesterday", "2024-06-18", "2024-06-18"),
    ("What did we do between 3 and 5 March?", "2024-03-03", "2024-03-05"),
    ("from Monday to Wednesday", "2024-06-17", "2024-06-19"),
    ("back in '09", "2009-01-01", "2009-12-31"),
    ("What did I do on the 3rd?", "2024-06-03", "2024-06-03"),
    ("What did we discuss on the Friday before last?", "2024-06-07", "2024-06-07"),
    ("What did I do the Friday before last?", "2024-06-07", "2024-06-07"),
    ("What did I buy in the last couple of weeks?", "2024-06-05", "2024-06-19"),
    ("What did I read over the past year?", "2023-06-19", "2024-06-19"),
    ("What did I do in the first two weeks of March 2023?", "2023-03-01", "2023-03-14"),
    ("the last three days of 2023", "2023-12-29", "2023-12-31"),
    ("What did we ship in the second half of 2022?", "2022-07-01", "2022-12-31"),
    ("in the latter half of May", "2024-05-16", "2024-05-31"),
    ("What happened at the end of Q2 2023?", "2023-06-01", "2023-06-30"),
    ("Where did I go two Christmases ago?", "2022-12-25", "2022-12-25"),
    ("What did I do the night before last?", "2024-06-17", "2024-06-18"),
    ("What did I do the day before yesterday?", "2024-06-17", "2024-06-17"),
    ("Three weeks ago on Thursday, who called?", "2024-05-30", "2024-05-30"),
    ("What did I do on Thursday three weeks ago?", "2024-05-30", "2024-05-30"),
    ("What did I do this time last year?", "2023-06-01", "2023-06-30"),
    ("a year and a half ago", "2022-12-01", "2022-12-31"),
    ("18 months ago", "2022-12-01", "2022-12-31"),
    ("What was I doing one and a half years ago?", "2022-12-01", "2022-12-31"),
    ("How was my mood in the week of May 6?", "2024-05-06", "2024-05-12"),
    ("What did I do during the week before Christmas?", "2023-12-18", "2023-12-24"),
    ("Who visited us in the week after Easter?", "2024-04-01", "2024-04-07"),
    ("What did I work on from mid-April through the end of May?", "2024-04-11", "2024-05-31"),
    ("between early March and late April", "2024-03-01", "2024-04-30"),
    ("What did I write on Nov. 5th, 2021?", "2021-11-05", "2021-11-05"),
    ("5th of November 2021", "2021-11-05", "2021-11-05"),
    ("Nov 5 2021", "2021-11-05", "2021-11-05"),
    ("11/5/2021", "2021-11-05", "2021-11-05"),
    ("2021/11/05", "2021-11-05", "2021-11-05"),
    ("20211105", "2021-11-05", "2021-11-05"),
    ("5 Nov '21", "2021-11-05", "2021-11-05"),
    ("Which trips did I take in '21?", "2021-01-01", "2021-12-31"),
    ("What happened in March of last year?", "2023-03-01", "2023-03-31"),
    ("last March", "2024-03-01", "2024-03-31"),
    ("What did I do last December?", "2023-12-01", "2023-12-31"),
    ("What did I do in December last year?", "2023-12-01", "2023-12-31"),
    ("How did this past month go?", "2024-05-19", "2024-06-19"),
    ("What have I done since the beginning of the month?", "2024-06-01", "2024-06-19"),
    ("since the start of the year", "2024-01-01", "2024-06-19"),
    ("What have I eaten since yesterday morning?", "2024-06-18", "2024-06-19"),
    ("Anything new since Easter?", "2024-03-31", "2024-06-19"),
    ("What broke over Easter?", "2024-03-29", "2024-04-01"),
    ("Who came on Easter Sunday?", "2024-03-31", "2024-03-31"),
    ("What happened around the tenth of May?", "2024-05-08", "2024-05-12"),
    ("Who called in the last third of March?", "2024-03-21", "2024-03-31"),
    ("What was planned in the first third of May?", "2024-05-01", "2024-05-10"),
    ("What did I do before last summer?", "", "2023-05-31"),
    ("jobs I held before 2015", "", "2014-12-31"),
    ("emails after May 20th", "2024-05-21", "2024-06-19"),
    ("everything up to April", "", "2024-04-30"),
    ("until last Friday", "", "2024-06-14"),
    ("What did I do up until 2020?", "", "2020-12-31"),
    ("from 2018 onwards", "2018-01-01", "2024-06-19"),
    ("What did I say earlier this afternoon?", "2024-06-19", "2024-06-19"),
    ("what did I do this afternoon", "2024-06-19", "2024-06-19"),
    ("What did I dream last night?", "2024-06-18", "2024-06-19"),
    ("what were we talking about tonight?", "2024-06-19", "2024-06-20"),
    ("What did I say on Sunday evening?", "2024-06-16", "2024-06-16"),
    ("the Saturday after Thanksgiving", "2023-11-25", "2023-11-25"),
    ("Labor Day weekend", "2023-09-02", "2023-09-03"),
    ("What did we do for New Year's?", "2024-01-01", "2024-01-01"),
    ("What did we do over the holidays?", "2023-12-24", "2024-01-01"),
    ("on Good Friday", "2024-03-29", "2024-03-29"),
    ("Mother's Day", "2024-05-12", "2024-05-12"),
    ("What did I get on Father's Day?", "2024-06-16", "2024-06-16"),
    ("Memorial Day", "2024-05-27", "2024-05-27"),
    ("Chinese New Year", "2024-02-10", "2024-02-10"),
    ("during Ramadan", "2024-03-11", "2024-04-09"),
    ("three days before Christmas", "2023-12-22", "2023-12-22"),
    ("two weeks after Easter", "2024-04-14", "2024-04-14"),
    ("What did I do for three days starting March 2nd?", "2024-03-02", "2024-03-04"),
    ("for two weeks from May 1", "2024-05-01", "2024-05-14"),
    ("What was popular in the early 90s?", "1990-01-01", "1993-12-31"),
    ("in the mid-1980s", "1983-01-01", "1986-12-31"),
    ("the late sixties", "1966-01-01", "1969-12-31"),
    ("in the 2010s", "2010-01-01", "2019-12-31"),
    ("What happened in the 1800s?", "1800-01-01", "1899-12-31"),
    ("Q3 FY23", "2023-07-01", "2023-09-30"),
    ("FY2023", "2023-01-01", "2023-12-31"),
    ("H1 2023", "2023-01-01", "2023-06-30"),
    ("the first quarter of 2022", "2022-01-01", "2022-03-31"),
    ("in the fourth quarter of last year", "2023-10-01", "2023-12-31"),
    ("in Q1 of this year", "2024-01-01", "2024-03-31"),
    ("last quarter", "2024-01-01", "2024-03-31"),
    ("two quarters ago", "2023-10-01", "2023-12-31"),
    ("What did I do in summer?", "2024-06-01", "2024-08-31"),
    ("summer 2019", "2019-06-01", "2019-08-31"),
    ("the winter of 2021", "2021-12-01", "2022-02-28"),
    ("in the winter", "2023-12-01", "2024-02-29"),
    ("What did I do the summer before last?", "2022-06-01", "2022-08-31"),
    ("two winters ago", "2022-12-01", "2023-02-28"),
    ("What happened on my trip in May and June?", "2024-05-01", "2024-06-30"),
    ("Did I visit Rome in 2018 or 2019?", "2018-01-01", "2019-12-31"),
    ("What did I do in March 2024, on a Friday?", "2024-03-01", "2024-03-31"),
    ("What did I eat on Friday, June 7?", "2024-06-07", "2024-06-07"),
    ("on Friday the 7th", "2024-06-07", "2024-06-07"),
    ("Monday the 3rd of June", "2024-06-03", "2024-06-03"),
    ("What did I do half an hour ago?", "2024-06-19", "2024-06-19"),
    ("10 minutes ago", "2024-06-19", "2024-06-19"),
    ("in the past 30 minutes", "2024-06-19", "2024-06-19"),
    ("within the last 48 hours", "2024-06-17", "2024-06-19"),
    ("What's due in a week?", "2024-06-24", "2024-06-30"),
    ("in two days", "2024-06-21", "2024-06-21"),
    ("What is due this Friday?", "2024-06-21", "2024-06-21"),
    ("next Monday", "2024-06-24", "2024-06-24"),
    ("the day after tomorrow", "2024-06-21", "2024-06-21"),
    ("What's planned for the next three days?", "2024-06-19", "2024-06-22"),
    ("over the next week", "2024-06-19", "2024-06-26"),
    ("later this week", "2024-06-19", "2024-06-23"),
    ("next year", "2025-01-01", "2025-12-31"),
    ("What is scheduled for 3pm tomorrow?", "2024-06-20", "2024-06-20"),
    ("What's happening on July 10th?", "2024-07-10", "2024-07-10"),
    ("What will I do on July 10th?", "2024-07-10", "2024-07-10"),
    ("How did I feel a decade ago?", "2014-01-01", "2014-12-31"),
    ("20 years ago", "2004-01-01", "2004-12-31"),
    ("twenty-one days ago", "2024-05-29", "2024-05-29"),
    ("one hundred days ago", "2024-03-11", "2024-03-11"),
    ("about a month ago", "2024-05-01", "2024-05-31"),
    ("around two weeks ago", "2024-06-03", "2024-06-09"),
    ("over a year ago", "", "2023-06-19"),
    ("more than three months ago", "", "2024-03-19"),
    ("some weeks ago", "2024-05-15", "2024-06-05"),
    ("a few years ago", "2019-01-01", "2022-12-31"),
    ("several days ago", "2024-06-14", "2024-06-17"),
    ("What did I do last Sunday?", "2024-06-16", "2024-06-16"),
    ("this past Saturday", "2024-06-15", "2024-06-15"),
    ("on Wednesday of last week", "2024-06-12", "2024-06-12"),
    ("last week Thursday", "2024-06-13", "2024-06-13"),
    ("Tuesday last week", "2024-06-11", "2024-06-11"),
    ("What did I do on Tuesday?", "2024-06-18", "2024-06-18"),
    ("Wednesday", "2024-06-19", "2024-06-19"),
    ("What did I do first thing yesterday morning?", "2024-06-18", "2024-06-18"),
    ("late Friday afternoon", "2024-06-14", "2024-06-14"),
    ("what did i do in feb", "2024-02-01", "2024-02-29"),
    ("Feb 29", "2024-02-29", "2024-02-29"),
    ("29 February 2020", "2020-02-29", "2020-02-29"),
    ("How much did I spend month to date?", "2024-06-01", "2024-06-19"),
    ("YTD revenue", "2024-01-01", "2024-06-19"),
    ("so far this quarter", "2024-04-01", "2024-06-19"),
    ("What did I learn in the last quarter of 2023?", "2023-10-01", "2023-12-31"),
    ("the last Friday of May", "2024-05-31", "2024-05-31"),
    ("first Monday in May", "2024-05-06", "2024-05-06"),
    ("the second weekend of June", "2024-06-08", "2024-06-09"),
    ("At the beginning of last year", "2023-01-01", "2023-03-31"),
    ("the start of this week", "2024-06-17", "2024-06-19"),
    ("the middle of last month", "2024-05-11", "2024-05-20"),
    ("by the end of the month", "2024-06-19", "2024-06-30"),
    ("between Christmas and New Year's", "2023-12-25", "2024-01-01"),
    ("from Dec 20 to Jan 5", "2023-12-20", "2024-01-05"),
    ("2023-12-20/2024-01-05", "2023-12-20", "2024-01-05"),
    ("May 3rd through May 9th", "2024-05-03", "2024-05-09"),
    ("May 3 - 9, 2022", "2022-05-03", "2022-05-09"),
    ("3rd to 9th of May", "2024-05-03", "2024-05-09"),
    ("May 28 to June 3", "2024-05-28", "2024-06-03"),
    ("What did we agree on at yesterday's meeting?", "2024-06-18", "2024-06-18"),
    ("What was in last week's report?", "2024-06-12", "2024-06-19"),
    ("today's notes", "2024-06-19", "2024-06-19"),
    ("What did Monday's standup cover?", "2024-06-17", "2024-06-17"),
    ("In 2019, where did I live?", "2019-01-01", "2019-12-31"),
    ("Which 2021 conferences did I attend?", "2021-01-01", "2021-12-31"),
    ("What is my 2024 goal?", "2024-01-01", "2024-12-31"),
    ("When was I in Lisbon, was it spring 2022?", "2022-03-01", "2022-05-31"),
    ("Did I work out at all last week?", "2024-06-12", "2024-06-19"),
    ("What did the doctor say at my March appointment?", "2024-03-01", "2024-03-31"),
    ("Who did I have lunch with on the 12th of last month?", "2024-05-12", "2024-05-12"),
    ("What was I listening to back in May?", "2024-05-01", "2024-05-31"),
    ("What did we decide at Thursday's meeting?", "2024-06-13", "2024-06-13"),
    ("What was my weight on New Year's Day 2022?", "2022-01-01", "2022-01-01"),
    ("What books did I finish in the first half of this year?", "2024-01-01", "2024-06-30"),
    ("What did we do three weekends ago?", "2024-06-01", "2024-06-02"),
    ("Which movies did I watch over Easter weekend?", "2024-03-30", "2024-03-31"),
    ("How much did I spend in the four weeks before Christmas?", "2023-11-27", "2023-12-24"),
    ("What did I promise Anna for next Thursday?", "2024-06-27", "2024-06-27"),
    ("Do I have anything on the 30th?", "2024-06-30", "2024-06-30"),
    ("What happened yesterday at 9 in the morning?", "2024-06-18", "2024-06-18"),
    ("What was decided in the meeting on Tuesday afternoon?", "2024-06-18", "2024-06-18"),
    ("show me everything from the last 6 months", "2023-12-19", "2024-06-19"),
    ("notes from last Wednesday", "2024-06-12", "2024-06-12"),
    ("what did i do on sat", "2024-06-15", "2024-06-15"),
    ("Anything logged between 9am and noon yesterday?", "2024-06-18", "2024-06-18"),
    ("What did we discuss between last Monday and yesterday?", "2024-06-17", "2024-06-18"),
    ("What was I doing from late 2021 to early 2022?", "2021-09-01", "2022-03-31"),
    ("Where did I go at the start of the summer?", "2024-06-01", "2024-06-30"),
    ("What happened on the last day of February?", "2024-02-29", "2024-02-29"),
    ("How many runs did I do in the month of May?", "2024-05-01", "2024-05-31"),
    ("emails older than two weeks", "", "2024-06-05"),
    ("everything before yesterday", "", "2024-06-17"),
    ("what did I say up to last Tuesday", "", "2024-06-18"),
    ("photos taken prior to March 2020", "", "2020-02-29"),
    ("what has happened since last summer", "2023-06-01", "2024-06-19"),
    ("since 5pm yesterday", "2024-06-18", "2024-06-19"),
    ("since the 10th", "2024-06-10", "2024-06-19"),
    ("since about March", "2024-03-01", "2024-06-19"),
    ("not since 2016", "2016-01-01", "2024-06-19"),
    ("Which flights did I take between 12/20/2023 and 1/5/2024?", "2023-12-20", "2024-01-05"),
    ("from 1st to 15th April", "2024-04-01", "2024-04-15"),
    ("April 1-15", "2024-04-01", "2024-04-15"),
    ("Jan through March 2022", "2022-01-01", "2022-03-31"),
    ("spring and summer of 2021", "2021-03-01", "2021-08-31"),
    ("2020 to 2022", "2020-01-01", "2022-12-31"),
    ("What did I do in the years 2015-2017?", "2015-01-01", "2017-12-31"),
    ("Q1-Q2 2023", "2023-01-01", "2023-06-30"),
    ("the 2022/23 season", "2022-01-01", "2023-12-31"),
    ("What am I doing tomorrow night?", "2024-06-20", "2024-06-21"),
    ("next weekend", "2024-06-29", "2024-06-30"),
    ("this coming Friday", "2024-06-21", "2024-06-21"),
    ("What's on the agenda a week from today?", "2024-06-26", "2024-06-26"),
    ("two weeks from Monday", "2024-07-08", "2024-07-08"),
    ("within the next month", "2024-06-19", "2024-07-19"),
    ("by next Friday", "2024-06-19", "2024-06-28"),
    ("in 2026", "2026-01-01", "2026-12-31"),
    ("later today", "2024-06-19", "2024-06-19"),
    ("What did I write on 7 Sept?", "2023-09-07", "2023-09-07"),
    ("the 21st of March, 2022", "2022-03-21", "2022-03-21"),
    ("March the 3rd", "2024-03-03", "2024-03-03"),
    ("12-Jan-2023", "2023-01-12", "2023-01-12"),
    ("2023.01.12", "2023-01-12", "2023-01-12"),
    ("12.1.2023", "2023-01-12", "2023-01-12"),
    ("on 1/12/23", "2023-01-12", "2023-01-12"),
    ("2023-01-12 15:30", "2023-01-12", "2023-01-12"),
    ("2023-01-12T23:30:00-08:00", "2023-01-13", "2023-01-13"),
    ("this year's model of car", "2024-01-01", "2024-12-31"),
    ("today is a good day", "2024-06-19", "2024-06-19"),
]


def days(text: str) -> tuple[str, str] | None:
    mention = question_window(text, CONTEXT)
    if mention is None:
        return None
    window = mention.window
    return (
        "" if window.start is None else window.start.date().isoformat(),
        "" if window.end is None else window.end.date().isoformat(),
    )


@pytest.mark.parametrize(("text", "start", "end"), QUESTIONS)
def test_a_question_in_english_gives_the_days_it_names(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


def test_a_weekend_that_is_going_on_is_this_weekend() -> None:
    sunday = TimeContext(now=datetime(2024, 11, 3, 20, 0, tzinfo=UTC), zone=UTC)
    mention = question_window("What did I do this weekend?", sunday)
    assert mention is not None and mention.window.start == datetime(2024, 11, 2, tzinfo=UTC)


def test_a_question_about_plans_looks_ahead_and_a_question_about_deeds_looks_back() -> None:
    assert days("What will we do in August?") == ("2024-08-01", "2024-08-31")
    assert days("What did we do in August?") == ("2023-08-01", "2023-08-31")


def test_looking_can_be_fixed_by_the_caller() -> None:
    ahead = TimeContext(now=NOW, zone=UTC, looking="forward")
    mention = question_window("What did we do on Friday?", ahead)
    assert mention is not None and mention.window.start == datetime(2024, 6, 21, tzinfo=UTC)


def test_last_week_is_the_seven_days_up_to_now() -> None:
    mention = question_window("What did I say last week?", CONTEXT)
    assert mention is not None
    assert mention.window.start == datetime(2024, 6, 12, 14, 30, tzinfo=UTC)
    assert mention.window.end == NOW


def test_recently_reaches_back_as_far_as_the_bank_says() -> None:
    context = TimeContext(now=NOW, zone=UTC, recent_days=7)
    mention = question_window("What have I been up to lately?", context)
    assert mention is not None
    assert mention.window.start == datetime(2024, 6, 12, 14, 30, tzinfo=UTC)


def test_being_up_to_something_is_not_a_limit() -> None:
    assert days("What have I been up to this week?") == ("2024-06-17", "2024-06-23")
    assert days("everything up to yesterday") == ("", "2024-06-18")


def test_to_look_after_somebody_is_not_to_come_after() -> None:
    assert days("Who looked after the cat in May?") == ("2024-05-01", "2024-05-31")
    assert days("Who is looking after our two dogs on Friday?") == ("2024-06-21", "2024-06-21")
    assert days("What did we do after the wedding in May?") == ("2024-06-01", "2024-06-19")
    assert days("How did the roof look after the storm in May?") == ("2024-06-01", "2024-06-19")


def test_an_article_does_not_cut_a_date_short() -> None:
    assert days("What was said during the February 20 meeting?") == ("2024-02-20", "2024-02-20")
    assert days("the last weekend before April 10, 2023") == ("2023-04-08", "2023-04-09")


def test_working_days_leave_weekends_out() -> None:
    assert days("What came in over the last 4 business days?") == ("2024-06-13", "2024-06-19")
    assert days("three working days ago") == ("2024-06-14", "2024-06-14")
