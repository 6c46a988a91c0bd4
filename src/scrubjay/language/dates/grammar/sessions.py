"""Builds windows from the session log: "since we last talked", "three sessions ago"."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.model import SessionSpan, TimeKind
from scrubjay.language.dates.semantics.scene import Scene, localize
from scrubjay.language.dates.semantics.values import Count, Grain, Interval, Value

_MICROSECOND = timedelta(microseconds=1)


def _past_sessions(scene: Scene) -> Sequence[SessionSpan]:
    """The log without the conversation that is going on."""
    sessions = scene.context.sessions
    return sessions[:-1] if sessions and sessions[-1].ended_at is None else sessions


def _span(scene: Scene, sessions: Sequence[SessionSpan], first: int, last: int) -> Interval | None:
    """From the start of one session to the end of another, or None if the log lacks either."""
    if not 0 <= first <= last < len(sessions):
        return None
    ended_at = sessions[last].ended_at
    if ended_at is None and last + 1 < len(sessions):
        ended_at = sessions[last + 1].started_at
    start = localize(sessions[first].started_at, scene.context)
    end = scene.now if ended_at is None else localize(ended_at, scene.context)
    return Interval(start, end + _MICROSECOND, Grain.HOUR, TimeKind.SESSION, confidence=0.95)


@action
def session_nth(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: the nth session, from the end of the log when negative."""
    match captured:
        case (int(nth),) if nth > 0:
            return _span(scene, scene.context.sessions, nth - 1, nth - 1)
        case (int(nth),) if nth < 0:
            return session_ago(scene, (-nth,))
    return None


@action
def session_ago(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: so many sessions ago; the last one is one ago."""
    sessions = _past_sessions(scene)
    match captured:
        case (int(back),) | (Count(number=back, few=False),) if back > 0:
            return _span(scene, sessions, len(sessions) - back, len(sessions) - back)
    return None


@action
def session_shift(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: the last session, or this one."""
    match captured:
        case (-1,):
            return session_ago(scene, (1,))
        case (0,):
            return this_session(scene, ())
    return None


@action
def last_session(scene: Scene, _captured: Captured) -> Value | None:
    """SPAN: the last session."""
    return session_ago(scene, (1,))


@action
def session_before_last(scene: Scene, _captured: Captured) -> Value | None:
    """SPAN: the session before last."""
    return session_ago(scene, (2,))


@action
def first_session(scene: Scene, _captured: Captured) -> Value | None:
    """SPAN: the first session."""
    return session_nth(scene, (1,))


@action
def this_session(scene: Scene, _captured: Captured) -> Value | None:
    """SPAN: the conversation that is going on."""
    sessions = scene.context.sessions
    if not sessions or sessions[-1].ended_at is not None:
        return None
    return _span(scene, sessions, len(sessions) - 1, len(sessions) - 1)


@action
def session_range(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: sessions from one number to another."""
    match captured:
        case (int(first), int(last)):
            return _span(scene, scene.context.sessions, first - 1, last - 1)
    return None


@action
def last_sessions(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: the last so many sessions, or as many as there are."""
    sessions = _past_sessions(scene)
    match captured:
        case (Count(number=number),):
            return _span(scene, sessions, max(0, len(sessions) - number), len(sessions) - 1)
    return None


@action
def first_sessions(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: the first so many sessions, or as many as there are."""
    sessions = scene.context.sessions
    match captured:
        case (Count(number=number),):
            return _span(scene, sessions, 0, min(number, len(sessions)) - 1)
    return None


@action
def since_last_session(scene: Scene, _captured: Captured) -> Value | None:
    """SPAN: from the end of the last session up to now."""
    return _since(scene, last_session(scene, ()))


@action
def since_session(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: from the end of a session up to now."""
    match captured:
        case (Interval() as session,):
            return _since(scene, session)
    return None


@action
def before_session(_scene: Scene, captured: Captured) -> Value | None:
    """SPAN: everything before a session."""
    match captured:
        case (Interval(start=start),) if start is not None:
            return Interval(None, start, Grain.HOUR, TimeKind.SESSION, confidence=0.9)
    return None


def _since(scene: Scene, session: Value | None) -> Interval | None:
    if not isinstance(session, Interval) or session.end is None:
        return None
    start = session.end - _MICROSECOND
    return Interval(start, scene.now_end, Grain.HOUR, TimeKind.SESSION, confidence=0.95)
