"""Says when each thing was told, and when it happened if the text says so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from scrubjay.engine.retain.drafts import Draft
from scrubjay.language.dates import TimeContext, told_window
from scrubjay.settings import BankSettings
from scrubjay.types import Window

# A text's own date is stored as a fact, so a vague one ("some day") is not taken.
_CONFIDENCE_MIN = 0.5


def date_drafts(drafts: Sequence[Draft], settings: BankSettings, now: datetime) -> list[Draft]:
    """The drafts with `told_at` and, where given or said, the time they happened."""
    zone = settings.zone
    dated = []
    for draft in drafts:
        unit = draft.unit
        told_at = unit.told_at or now
        if unit.occurred_start is not None:
            window = Window(unit.occurred_start, unit.occurred_end or unit.occurred_start)
            dated.append(draft._replace(told_at=told_at, occurred=window))
            continue
        if draft.as_stored:
            dated.append(draft._replace(told_at=told_at))
            continue
        context = TimeContext(now=told_at, zone=zone, recent_days=settings.recent_days)
        said = told_window(unit.text, context)
        known = said is not None and said.confidence >= _CONFIDENCE_MIN
        closed = known and said is not None and said.window.start and said.window.end
        dated.append(
            draft._replace(
                told_at=told_at,
                occurred=said.window if closed and said is not None else None,
            )
        )
    return dated
