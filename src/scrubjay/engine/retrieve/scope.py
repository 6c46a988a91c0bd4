"""Which units a recall may return at all: the caller's filters, what has ended, and minus words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from scrubjay.answers import Parsed, RecallOptions
from scrubjay.engine.retrieve.query import Exclusion
from scrubjay.language.asked_change import OF_THE_PAST, Asked, asked_version
from scrubjay.language.endings import asks_for_endings
from scrubjay.preset import Preset
from scrubjay.store.base import Scope
from scrubjay.store.shared.ranked_rows import distinct
from scrubjay.types.values import Window

_DAY = timedelta(days=1)


def scope_of(
    parsed: Parsed, preset: Preset, options: RecallOptions, unwanted: Sequence[Exclusion]
) -> Scope:
    """The scope of a question."""
    current = preset.hide_ended and options.as_of is None and _is_of_now(parsed, options)
    moment = min(parsed.now, options.known_at or parsed.now)
    return Scope(
        types=options.types,
        tags=options.tags,
        metadata=options.metadata or None,
        as_of=options.as_of,
        not_ended_by=moment if current else None,
        known_at=options.known_at,
        # A window the caller gives is a filter; one read from the words is only a sign.
        window=options.window,
        except_rows=_rows_of(unwanted),
    )


def _is_of_now(parsed: Parsed, options: RecallOptions) -> bool:
    """Whether only what holds may answer.

    A question about the past may well be about what is no longer true, and what was known then had
    not ended for reasons told later. "Who is it today?" names a time, which is now.
    """
    asked, window = asked_version(parsed.question), parsed.window
    if asks_for_endings(parsed.question) or asked in OF_THE_PAST:
        return False
    if window is None or options.window is not None or asked is not Asked.NOW:
        return window is None
    return _is_today_or_ahead(window, parsed.now)


def _is_today_or_ahead(window: Window, now: datetime) -> bool:
    ends_ahead = window.end is None or window.end >= now
    return ends_ahead and window.start is not None and window.start > now - _DAY


def _rows_of(unwanted: Sequence[Exclusion]) -> tuple[int, ...]:
    if not unwanted:
        return ()
    return tuple(distinct(np.concatenate([each.rows for each in unwanted])).tolist())
