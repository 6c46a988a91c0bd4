"""Days are the bank's days: they begin at its midnight and may have 23 or 25 hours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from scrubjay.language.dates import TimeContext, TimeMention, question_window

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
KOLKATA = ZoneInfo("Asia/Kolkata")
AUCKLAND = ZoneInfo("Pacific/Auckland")
MICROSECOND = timedelta(microseconds=1)


def asked(text: str, now: datetime, zone: ZoneInfo) -> TimeMention:
    mention = question_window(text, TimeContext(now=now, zone=zone))
    assert mention is not None
    return mention


def hours(mention: TimeMention) -> float:
    assert mention.window.start is not None and mention.window.end is not None
    return (mention.window.end + MICROSECOND - mention.window.start) / timedelta(hours=1)


@pytest.mark.parametrize(
    ("zone", "now", "length"),
    [
        (BERLIN, datetime(2024, 4, 1, 12, tzinfo=UTC), 23),
        (BERLIN, datetime(2024, 10, 28, 12, tzinfo=UTC), 25),
        (NEW_YORK, datetime(2024, 3, 11, 16, tzinfo=UTC), 23),
        (NEW_YORK, datetime(2024, 11, 4, 16, tzinfo=UTC), 25),
        (AUCKLAND, datetime(2024, 9, 29, 20, tzinfo=UTC), 23),
        (AUCKLAND, datetime(2024, 4, 7, 20, tzinfo=UTC), 25),
        (KOLKATA, datetime(2024, 3, 31, 12, tzinfo=UTC), 24),
    ],
)
def test_yesterday_is_as_long_as_the_day_was(zone: ZoneInfo, now: datetime, length: int) -> None:
    mention = asked("What did I do yesterday?", now, zone)
    assert hours(mention) == length
    assert mention.window.start is not None
    local = mention.window.start.astimezone(zone)
    assert (local.hour, local.minute) == (0, 0)
    assert local.date() == (now.astimezone(zone) - timedelta(days=1)).date()


@pytest.mark.parametrize(
    ("zone", "day"),
    [(KOLKATA, "2024-06-19"), (AUCKLAND, "2024-06-19"), (NEW_YORK, "2024-06-18")],
)
def test_today_is_the_bank_s_day_and_not_the_server_s(zone: ZoneInfo, day: str) -> None:
    mention = asked("What did I do today?", datetime(2024, 6, 18, 20, tzinfo=UTC), zone)
    assert mention.window.start is not None
    assert mention.window.start.astimezone(zone).date().isoformat() == day


def test_windows_are_in_utc_and_end_with_their_last_microsecond() -> None:
    mention = asked("in May 2023", datetime(2024, 6, 19, tzinfo=UTC), KOLKATA)
    assert mention.window.start == datetime(2023, 4, 30, 18, 30, tzinfo=UTC)
    assert mention.window.end == datetime(2023, 5, 31, 18, 30, tzinfo=UTC) - MICROSECOND
    assert mention.window.start.tzinfo is UTC


def test_hours_run_on_the_real_clock_across_a_change() -> None:
    now = datetime(2024, 3, 31, 4, 0, tzinfo=UTC)
    mention = asked("errors in the past 24 hours", now, BERLIN)
    assert (mention.window.start, mention.window.end) == (now - timedelta(hours=24), now)


def test_an_hour_the_clock_shows_twice_belongs_to_the_window_as_a_whole() -> None:
    now = datetime(2024, 10, 28, 12, tzinfo=UTC)
    mention = asked("between 2am and 3am yesterday", now, BERLIN)
    assert hours(mention) == 2


def test_now_inside_the_repeated_hour_stays_the_end_of_the_window() -> None:
    second_half_past_two = datetime(2024, 10, 27, 1, 30, tzinfo=UTC)
    mention = asked("What happened in the last hour?", second_half_past_two, BERLIN)
    assert mention.window.end == second_half_past_two
    assert hours(mention) == pytest.approx(1)


def test_an_iso_stamp_keeps_its_own_zone() -> None:
    now = datetime(2024, 6, 19, tzinfo=UTC)
    mention = asked("What was logged at 2024-05-01T23:30:00-08:00?", now, BERLIN)
    assert mention.window.start == datetime(2024, 5, 2, 7, 30, tzinfo=UTC)


def test_a_zone_named_after_the_clock_counts() -> None:
    now = datetime(2024, 6, 19, tzinfo=UTC)
    mention = asked("The call at 9am EST on March 5, 2024", now, BERLIN)
    assert mention.window.start == datetime(2024, 3, 5, 14, 0, tzinfo=UTC)
