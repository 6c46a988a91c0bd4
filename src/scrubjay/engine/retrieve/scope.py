"""Which units a recall may return at all: the caller's filters, what has ended, and minus words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrubjay.answers import Parsed, RecallOptions
from scrubjay.engine.retrieve.query import Exclusion
from scrubjay.language.endings import asks_for_endings
from scrubjay.preset import Preset
from scrubjay.store.base import Scope
from scrubjay.store.shared.ranked_rows import distinct


def scope_of(
    parsed: Parsed, preset: Preset, options: RecallOptions, unwanted: Sequence[Exclusion]
) -> Scope:
    """The scope of a question."""
    # A question about the past may well be about what is no longer true, and what was known
    # then had not ended for reasons told later.
    current = preset.hide_ended and options.as_of is None and parsed.window is None
    current = current and not asks_for_endings(parsed.question)
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


def _rows_of(unwanted: Sequence[Exclusion]) -> tuple[int, ...]:
    if not unwanted:
        return ()
    return tuple(distinct(np.concatenate([each.rows for each in unwanted])).tolist())
