"""Reads the times people name in questions and memories: "last spring", "two weeks ago"."""

from scrubjay.language.dates.find import find_times, question_window, told_times, told_window
from scrubjay.language.dates.semantics.model import (
    SessionSpan,
    TimeContext,
    TimeKind,
    TimeMention,
    ToldTimes,
)

__all__ = [
    "SessionSpan",
    "TimeContext",
    "TimeKind",
    "TimeMention",
    "ToldTimes",
    "find_times",
    "question_window",
    "told_times",
    "told_window",
]
