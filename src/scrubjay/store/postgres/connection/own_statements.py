"""Statements worded for one bank, so that the server plans them once and not for every question.

A plan made for any bank reads no graph and looks at every partition, so statements that take the
bank as a value are planned each time they are run. Here what a plan depends on is written out: the
bank, what sets no limit, which types of units, and how many rows are wanted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

_PLACE = re.compile(r"\$(\d+)")
_ASKED_WHETHER_NULL = re.compile(r"\$(\d+)::[A-Z]+(?:\[\])? IS NULL")
_TYPED = re.compile(r"\$(\d+)::")
_LIMIT = re.compile(r"LIMIT \$(\d+)")
# Only types of units are such numbers.
_TYPES = re.compile(r"\$(\d+)(?=::SMALLINT)")

# Wordings kept by a process; a bank that is asked has about a dozen.
_KEPT = 1_024


def worded_for(bank: int, statement: str, values: Sequence[object]) -> tuple[str, Sequence[object]]:
    """The same statement with its bank, the first of the values, and the rest of the values."""
    if not values or values[0] != bank:
        return statement, values
    shape = tuple(value is None for value in values)
    numbers = tuple(_number(values[place - 1]) for place in _numbers_of(statement))
    text, taken = _worded(statement, bank, shape, numbers)
    return text, [values[place - 1] for place in taken]


@lru_cache(maxsize=_KEPT)
def _numbers_of(statement: str) -> tuple[int, ...]:
    """Where the numbers stand that are written out: limits and types."""
    found = (*_LIMIT.findall(statement), *_TYPES.findall(statement))
    return tuple(sorted({int(place) for place in found}))


@lru_cache(maxsize=_KEPT)
def _worded(
    statement: str, bank: int, shape: tuple[bool, ...], numbers: tuple[str, ...]
) -> tuple[str, tuple[int, ...]]:
    """The text, and which of the values it takes, in order."""
    written = dict(zip(_numbers_of(statement), numbers, strict=True))
    places = [int(place) for place in _PLACE.findall(statement)]
    typed = [int(place) for place in _TYPED.findall(statement)]
    # Without a type beside it the server could not tell what kind of nothing it is.
    nothing = {
        place
        for place in {*places}
        if shape[place - 1] and places.count(place) == typed.count(place)
    }
    text = _at(_ASKED_WHETHER_NULL, statement, lambda place: str(shape[place - 1]).lower())
    text = _at(_LIMIT, text, lambda place: f"LIMIT {written[place]}")
    text = _at(_TYPES, text, written.__getitem__)
    given = {place for place in map(int, _PLACE.findall(text)) if place not in nothing}
    taken = tuple(sorted(given - {1}))
    words = {1: f"{bank:d}::BIGINT"} | dict.fromkeys(nothing, "NULL")
    words |= {place: f"${number}" for number, place in enumerate(taken, 1)}
    return _at(_PLACE, text, words.__getitem__), taken


def _at(pattern: re.Pattern[str], text: str, wording: Callable[[int], str]) -> str:
    return pattern.sub(lambda found: wording(int(found[1])), text)


def _number(value: object) -> str:
    """A number, or a list of them, as it is written in a statement."""
    if isinstance(value, list | tuple):
        return "'{" + ",".join([f"{each:d}" for each in value]) + "}'"
    assert value is None or isinstance(value, int), value
    return "NULL" if value is None else f"{value:d}"
