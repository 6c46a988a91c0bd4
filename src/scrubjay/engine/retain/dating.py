"""Says when each thing was told, and when it happened if the text says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from scrubjay.engine.retain.drafts import Draft, filling
from scrubjay.language.dates import TimeContext, ToldTimes, told_times
from scrubjay.settings import BankSettings
from scrubjay.types.units import StoredUnit, Unit
from scrubjay.types.values import Window

_dated = filling("told_at", "occurred", "was")

# A text's own date is stored as a fact, so a vague one ("some day") is not taken.
_CONFIDENCE_MIN = 0.5


def date_drafts(drafts: Sequence[Draft], settings: BankSettings, now: datetime) -> list[Draft]:
    """The drafts with `told_at` and, where given or said, the time they happened."""
    dated = []
    for draft in drafts:
        unit = draft.unit
        told_at = unit.told_at or now
        if unit.occurred_start is not None:
            window = Window(unit.occurred_start, unit.occurred_end or unit.occurred_start)
            dated.append(_dated(draft, told_at, window, None))
            continue
        if draft.as_stored:
            dated.append(draft._replace(told_at=told_at))
            continue
        said = told_times(unit.text, context_of(told_at, settings))
        dated.append(_as_told(draft, said, told_at))
    return dated


def without_said(unit: Unit, before: StoredUnit, settings: BankSettings) -> Unit:
    """A unit whose text is new, without the validity that only its text before had said."""
    if before.valid_from is None and before.valid_to is None:
        return unit
    said = told_times(before.text, context_of(before.told_at, settings))
    if (said.valid_from, said.valid_to) != (before.valid_from, before.valid_to):
        return unit
    return replace(unit, valid_from=None, valid_to=None)


def context_of(told_at: datetime, settings: BankSettings) -> TimeContext:
    """What the times of a text are read against."""
    return TimeContext(now=told_at, zone=settings.zone, recent_days=settings.recent_days)


def _as_told(draft: Draft, told: ToldTimes, told_at: datetime) -> Draft:
    """The draft with the times its text names; what the caller gave wins."""
    said, unit = told.occurred, draft.unit
    if said is not None and not (
        said.confidence >= _CONFIDENCE_MIN and said.window.start and said.window.end
    ):
        said = None
    if (told.valid_from or told.valid_to) and unit.valid_from is None and unit.valid_to is None:
        unit = replace(unit, valid_from=told.valid_from, valid_to=told.valid_to)
        draft = draft._replace(unit=unit)
    return _dated(draft, told_at, None if said is None else said.window, told.was)
