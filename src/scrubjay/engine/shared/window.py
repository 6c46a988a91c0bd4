"""Which units a window of time holds, and how well; pure."""

from __future__ import annotations

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.engine.shared.entities import USER
from scrubjay.language.asked_times import asks_whats_on
from scrubjay.planning import STATED_WINDOWS
from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.shared.times import to_micros
from scrubjay.types.arrays import FloatArray, MaskArray
from scrubjay.types.values import Window

# So well does fit what covers a window and reaches far beyond it: a month one of its days.
_COVERING = 0.3

# A night is of the day on which it begins, and of that on which it ends.
_OVERNIGHT_MICROS = 12 * 3_600_000_000


def asks_for_window(parsed: Parsed) -> bool:
    """Whether a question asks for nothing but what there is in the window that it states."""
    if parsed.window_text is None or parsed.window_kind not in STATED_WINDOWS or parsed.phrases:
        return False
    # "On my calendar": to ask for oneself is to ask for everything.
    if any(entity.name != USER for entity in parsed.entities):
        return False
    return asks_whats_on(parsed.question.replace(parsed.window_text, " ", 1))


def told_and_happened(columns: Columns, window: Window) -> tuple[MaskArray, MaskArray]:
    """Which units were told inside a window, and of which what they tell happened inside it."""
    low, high = _bounds(window)
    told = (columns.told_at >= low) & (columns.told_at <= high)
    start, end = columns.occurred_start, columns.occurred_end
    return told, (start != NO_TIME) & (start <= high) & (np.maximum(start, end) >= low)


def shared_time(columns: Columns, window: Window) -> FloatArray:
    """How much what takes place and a window have of each other, from 0 to 1; 0 without a time.

    What lies wholly inside fits wholly. What reaches beyond fits by its share inside, and somewhat
    by how much of the window it covers: a month is on each of its days, and is not what one asks
    for with a day.
    """
    low, high = _bounds(window)
    start = columns.occurred_start.astype(np.float64)
    end = np.maximum(start, columns.occurred_end)
    # Both ends belong to it: a moment is a microsecond long.
    length = end - start + 1.0
    common = np.maximum(np.minimum(end, high) - np.maximum(start, low) + 1.0, 0.0)
    inside = np.where(common > 0.0, np.minimum((common + _OVERNIGHT_MICROS) / length, 1.0), 0.0)
    covers = common / (float(high) - low + 1.0)
    shared: FloatArray = inside + _COVERING * (1.0 - inside) * covers
    return np.where(columns.occurred_start == NO_TIME, 0.0, shared)


def _bounds(window: Window) -> tuple[int, int]:
    low = NO_TIME + 1 if window.start is None else to_micros(window.start)
    high = int(np.iinfo(np.int64).max) if window.end is None else to_micros(window.end)
    return low, high
