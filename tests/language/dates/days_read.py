"""The days that are read from a question and from a memory, at one moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from scrubjay.language.dates import TimeContext, question_window, told_times
from scrubjay.language.dates.semantics.model import TimeMention

Days = tuple[str | None, str | None]


def reading_at(
    context: TimeContext,
) -> tuple[Callable[[str], Days | None], Callable[[str], Days | None]]:
    """What gives the first and the last day a question asks about, and a memory tells of."""

    def asked(question: str) -> Days | None:
        return _days(question_window(question, context))

    def occurred(text: str) -> Days | None:
        return _days(told_times(text, context).occurred)

    return asked, occurred


def _days(mention: TimeMention | None) -> Days | None:
    return None if mention is None else (day(mention.window.start), day(mention.window.end))


def day(moment: datetime | None) -> str | None:
    """The date of a moment."""
    return None if moment is None else moment.date().isoformat()
