"""What a declaration says of a value beside its type: bounds, forms in JSON, and words about it.

Plain classes: a dataclass each would cost every start of the program a third of a millisecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal


class Text:
    """Text with at least one word, and at most so many characters, none of them NUL."""

    def __init__(self, characters_max: int) -> None:
        self.characters_max = characters_max


class Asked:
    """Text with at least one word, of any length: what is too long is not read."""


class Pattern:
    """The form that everything has which is there; what has another is not found."""

    def __init__(self, pattern: str, characters_max: int) -> None:
        self.pattern, self.characters_max = pattern, characters_max


class Between:
    """A number from `low` to `high`; with `above`, more than `low`."""

    def __init__(self, low: float, high: float, *, above: bool = False, remedy: str = "") -> None:
        self.low, self.high, self.above = low, high, above
        bounds = f"in ({low:.15g}, {high:.15g}]" if above else f"from {low:.15g} to {high:.15g}"
        self.remedy = remedy or f"Give a number {bounds}."


class Count:
    """A list of `least` to `most`."""

    def __init__(self, most: int, least: int = 0) -> None:
        self.most, self.least = most, least


class StartsWith:
    """A list that has these first."""

    def __init__(self, first: Sequence[str]) -> None:
        self.first = tuple(first)


class OneOf:
    """One of some texts."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = tuple(choices)


class Suggested:
    """Any text, among which these are known everywhere."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = tuple(choices)


class Rounded:
    """A measure, shown with so many digits, so that equal answers are equal text."""

    def __init__(self, digits: int = 6) -> None:
        self.digits = digits


class Stamp:
    """A time as conversations write it: ISO text, seconds or milliseconds since 1970, or a day."""


class Day:
    """A time that may be said as a plain day; it stands for the day's first or last instant in UTC,
    or for its noon, which is the same day nearly everywhere."""

    def __init__(self, instant: Literal["first", "noon", "last"]) -> None:
        self.instant: Literal["first", "noon", "last"] = instant


class Called:
    """The name an error calls the value by, where that is not its field's."""

    def __init__(self, name: str) -> None:
        self.name = name


class KeyedBy:
    """A mapping whose values do not repeat the key: it is their field of this name."""

    def __init__(self, field: str) -> None:
        self.field = field


class About:
    """A sentence for the published schema, and a value that shows what is meant."""

    def __init__(self, words: str, example: object = None) -> None:
        self.words, self.example = words, example


class As:
    """In JSON the value is of this type, whatever else Python takes; others check it."""

    def __init__(self, hint: object) -> None:
        self.hint = hint


class Some:
    """Any of a shape's fields, as a dict; null clears one, or is no value of its own."""

    def __init__(self, *, null_clears: bool) -> None:
        self.null_clears = null_clears


class Flat:
    """The parts of this field stand in the shape itself."""


class Unsaid:
    """Left out of the JSON while it is None."""


class NotSent:
    """No part of the JSON."""


class NonEmpty:
    """A shape that says something: not every field is empty."""


class Metadata:
    """A JSON object, bounded in size and depth."""
