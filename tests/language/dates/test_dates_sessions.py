"""Expressions that only the session log can answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from scrubjay.language.dates import SessionSpan, TimeContext, TimeKind, question_window

NOW = datetime(2024, 6, 19, 14, 30, tzinfo=UTC)
SESSIONS = tuple(
    SessionSpan(datetime(2024, 6, day, 10, tzinfo=UTC), datetime(2024, 6, day, 11, tzinfo=UTC))
    for day in (1, 4, 8, 12, 15)
)
LOGGED = TimeContext(now=NOW, zone=UTC, sessions=SESSIONS)
UNLOGGED = TimeContext(now=NOW, zone=UTC)

SINCE = [
    "what changed since we last talked?",
    "What's new since our last session?",
    "anything since last time?",
    "what have I done since we spoke last",
]
ONE = [
    ("What did we discuss in our third conversation?", 2),
    ("What did we discuss in our first session?", 0),
    ("the very first conversation", 0),
    ("What did you tell me last time?", 4),
    ("what was said in the previous session", 4),
    ("What did we talk about last discussion?", 4),
    ("the session before last", 3),
    ("What did we talk about two conversations ago?", 3),
    ("5 sessions ago", 0),
    ("What did I mention in session 2?", 1),
    ("What did we cover in session number 4?", 3),
    ("What did we say the first time we talked?", 0),
    ("What did I tell you in my last conversation with you?", 4),
]
SEVERAL = [
    ("over the last 3 sessions", 2, 4),
    ("What did we discuss over sessions 2 through 4?", 1, 3),
    ("in our first two conversations", 0, 1),
]


@pytest.mark.parametrize("text", SINCE)
def test_since_we_last_talked_runs_from_the_last_session_s_end_to_now(text: str) -> None:
    mention = question_window(text, LOGGED)
    assert mention is not None and mention.kind is TimeKind.SESSION
    assert (mention.window.start, mention.window.end) == (SESSIONS[-1].ended_at, NOW)


@pytest.mark.parametrize(("text", "index"), ONE)
def test_one_session_is_its_own_window(text: str, index: int) -> None:
    mention = question_window(text, LOGGED)
    assert mention is not None and mention.kind is TimeKind.SESSION
    expected = (SESSIONS[index].started_at, SESSIONS[index].ended_at)
    assert (mention.window.start, mention.window.end) == expected


@pytest.mark.parametrize(("text", "first", "last"), SEVERAL)
def test_several_sessions_run_from_the_first_to_the_last(text: str, first: int, last: int) -> None:
    mention = question_window(text, LOGGED)
    assert mention is not None
    expected = (SESSIONS[first].started_at, SESSIONS[last].ended_at)
    assert (mention.window.start, mention.window.end) == expected


@pytest.mark.parametrize("text", [*SINCE, *(text for text, _ in ONE), *(t for t, _, _ in SEVERAL)])
def test_without_a_log_there_is_no_window(text: str) -> None:
    assert question_window(text, UNLOGGED) is None


def test_a_session_the_log_does_not_hold_gives_no_window() -> None:
    assert question_window("What did we discuss 9 sessions ago?", LOGGED) is None
    assert question_window("in our seventh conversation", LOGGED) is None


def test_the_conversation_that_is_going_on_is_not_the_last_one() -> None:
    current = SessionSpan(NOW - timedelta(minutes=10), None)
    context = TimeContext(now=NOW, zone=UTC, sessions=(*SESSIONS, current))
    last = question_window("What did we say last session?", context)
    this = question_window("What did I say earlier in this conversation?", context)
    assert last is not None and last.window.start == SESSIONS[-1].started_at
    assert this is not None and this.window.start == current.started_at
    assert this.window.end == NOW


def test_a_session_that_was_never_closed_ends_where_the_next_begins() -> None:
    unclosed = SessionSpan(SESSIONS[0].started_at, None)
    context = TimeContext(now=NOW, zone=UTC, sessions=(unclosed, *SESSIONS[1:]))
    mention = question_window("in our first session", context)
    assert mention is not None and mention.window.end == SESSIONS[1].started_at


@pytest.mark.parametrize(
    "text",
    [
        "What did I discuss in my last conversation with Sarah?",
        "How was the second session of the workshop?",
        "When is my session with the consultant?",
    ],
)
def test_conversations_with_others_are_not_in_our_log(text: str) -> None:
    assert question_window(text, LOGGED) is None
