"""Puts what holds, or takes place, at the time that is asked about before what does not then."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.engine.shared.asking import asked_of, moment_of, time_meant
from scrubjay.language.asked_change import Asked
from scrubjay.language.beginnings import begins_then
from scrubjay.language.changed_part import says_of_asked
from scrubjay.language.changes import calls_off
from scrubjay.language.contrast import are_two_things, stems_of
from scrubjay.store.base import NO_TIME, BankReader, Columns
from scrubjay.store.shared.times import to_micros, window_bounds
from scrubjay.types.arrays import FloatArray, MaskArray, RowArray

# What begins only later is in few answers, and stands near what holds until then.
_LOOKED_AT_MAX = 12
# What holds comes before what does not if the question found it about as well.
_FOUND_TOO = 0.6
# Of two texts about the same so many of the words of the shorter are in the other.
_ALIKE_MIN = 0.5


def holding_first(
    parsed: Parsed,
    bank: BankReader,
    rows: RowArray,
    scores: FloatArray,
    newer: Mapping[int, int],
) -> dict[int, float]:
    """The scores of what changes its place, best first; none, for nearly every question.

    What has not begun by the time that is meant stays in the answer, for it is what comes: it is
    the order that says what holds. A plan that was moved away from the day that is asked about,
    and what moved it, follow what does take place then.
    """
    moment = moment_of(parsed)
    if moment is None or moment != parsed.now or asked_of(parsed) not in (Asked.NOW, Asked.WAS):
        return {}
    first = rows[:_LOOKED_AT_MAX]
    columns, held = bank.columns(first), scores[:_LOOKED_AT_MAX]
    return _taking_place(parsed, bank, columns, held, newer) or _begun_first(
        parsed, bank, columns, held, newer, (to_micros(moment), time_meant(parsed, moment))
    )


def _begun_first(
    parsed: Parsed,
    bank: BankReader,
    columns: Columns,
    scores: FloatArray,
    changed: Mapping[int, int],
    times: tuple[int, int],
) -> dict[int, float]:
    """What holds at a time before what begins only then; what has begun before what was so."""
    now, meant = times
    known = columns.told_at <= now
    stated = known & (columns.valid_from != NO_TIME)
    # Most that is to happen begins nothing; its text says whether it does.
    perhaps = known & ~stated & (columns.occurred_start != NO_TIME)
    perhaps &= columns.occurred_start > meant
    if not (stated | perhaps).any():
        return {}
    texts = bank.texts_of(columns.rows)
    rows: list[int] = columns.rows.tolist()
    told = [texts.get(row, "") for row in rows]
    ahead = stated & (columns.valid_from > meant)
    for place in np.flatnonzero(perhaps).tolist():
        ahead[place] = begins_then(told[place])
    asked = stems_of(parsed.question)
    for place in np.flatnonzero(stated | ahead).tolist():
        until = _until_then(columns, place, ahead)
        until &= _found_beside(scores, place, ahead[place])
        for other in np.flatnonzero(until).tolist():
            one, two = (other, place) if ahead[place] else (place, other)
            fits = changed.get(rows[other]) == rows[place]
            fits = fits or _may_pass(asked, told[one], told[two])
            # What has begun may be something else than what is asked.
            if fits and (ahead[place] or says_of_asked(parsed.question, told[one], told[two])):
                return dict.fromkeys((rows[one], rows[two]), float(max(scores[one], scores[two])))
    return {}


def _until_then(columns: Columns, place: int, ahead: MaskArray) -> MaskArray:
    """Which of some units were told before one, and may have held until that begins."""
    begins = max(int(columns.valid_from[place]), int(columns.told_at[place]))
    until: MaskArray = (columns.told_at < columns.told_at[place]) & ~ahead
    return until & (columns.valid_from < begins)


def _found_beside(scores: FloatArray, place: int, to_begin: bool) -> MaskArray:
    """Which of some units, best first, change places with one if they are about the same."""
    places = np.arange(len(scores))
    if to_begin:
        behind: MaskArray = (places > place) & (scores >= _FOUND_TOO * scores[place])
        return behind
    before: MaskArray = (places < place) & (scores[place] >= _FOUND_TOO * scores)
    return before


def _may_pass(asked: frozenset[str], text: str, other: str) -> bool:
    """Whether a text is of the same as another, and has all that has of the question's words."""
    ours, theirs = stems_of(text), stems_of(other)
    alike = len(ours & theirs) >= max(1.0, _ALIKE_MIN * min(len(ours), len(theirs)))
    return alike and asked & theirs <= ours and not are_two_things(text, other)


def _taking_place(
    parsed: Parsed,
    bank: BankReader,
    columns: Columns,
    scores: FloatArray,
    newer: Mapping[int, int],
) -> dict[int, float]:
    """What takes place in the time that is asked about before what was moved away from it."""
    window = parsed.window if parsed.window_kind != "fuzzy" else None
    if window is None or window.start is None or window.end is None or not newer:
        return {}
    low, high = window_bounds(window)
    dated = columns.occurred_start != NO_TIME
    ends = np.maximum(columns.occurred_start, columns.occurred_end)
    then = dated & (columns.occurred_start <= high) & (ends >= low)
    places = {row: place for place, row in enumerate(columns.rows.tolist())}
    planned = {old: new for old, new in newer.items() if old in places and then[places[old]]}
    if not planned:
        return {}
    texts = bank.texts_of(np.array(sorted({*places, *planned.values()}), np.int64))
    elsewhere = {row for row, place in places.items() if dated[place] and not then[place]}
    moved = {
        old: new
        for old, new in planned.items()
        if new in elsewhere or calls_off(texts.get(new, ""))
    }
    gone = [row for row in places if row in moved or row in moved.values()]
    if not gone:
        return {}
    best = max(float(scores[places[row]]) for row in gone)
    # Who names what was planned asks what became of it.
    named = stems_of(parsed.question)
    named &= frozenset[str]().union(*(stems_of(texts.get(old, "")) for old in moved))
    staying = [
        row
        for row, place in places.items()
        if then[place]
        and row not in gone
        and row not in newer
        and scores[place] >= _FOUND_TOO * best
        and named <= stems_of(texts.get(row, ""))
    ]
    order = [*staying, *gone]
    if not staying or sorted(order, key=places.__getitem__) == order:
        return {}
    dealt = sorted((float(scores[places[row]]) for row in order), reverse=True)
    return dict(zip(order, dealt, strict=True))
