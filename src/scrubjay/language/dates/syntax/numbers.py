"""Reads numbers, ordinals and years, written in digits or in words."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.language.dates.semantics.calendar import full_year
from scrubjay.language.dates.semantics.values import Value
from scrubjay.language.dates.syntax.lexicon import Language
from scrubjay.language.dates.syntax.tokens import Token

Found = tuple[int, Value]  # the position after it, and its value

_WORDS_MAX = 8
_SIGNS = frozenset("ºª°")
_SPOKEN_CENTURIES = frozenset((18, 19, 20))


def number(tokens: Sequence[Token], at: int, language: Language) -> list[Found]:
    """A whole number in digits or words."""
    digits = tokens[at].entries.get("INT")
    if digits is not None:
        return [(at + 1, digits[0][1])]
    spoken = _spoken(tokens, at, language)
    return [] if spoken is None else [spoken]


def _word_value(tokens: Sequence[Token], at: int) -> int | None:
    if at >= len(tokens):
        return None
    entry = tokens[at].entries.get("NUMBER")
    if entry is None:
        return None
    value = entry[0][1]
    return value if isinstance(value, int) else None


def _spoken(tokens: Sequence[Token], at: int, language: Language) -> tuple[int, int] | None:
    """A number in words: tens before units, hundreds and thousands multiply what stands before."""
    total, current, last, position, end = 0, 0, 0, at, at
    for _ in range(_WORDS_MAX):
        value = _word_value(tokens, position)
        if value is None:
            if end == at or not _may_link(tokens, position, last):
                break
            position += 1
            continue
        if value >= 100 or (language.cjk and value == 10):
            current = max(current, 1) * value if not language.cjk else _scale(current, value)
        elif last and not _fits(last, value, language.cjk):
            break
        else:
            current += value
        if value == 1000:
            total, current = total + current, 0
        last, position = value, position + 1
        end = position
    return None if end == at else (end, total + current)


def _scale(current: int, value: int) -> int:
    units = current % 10
    return current - units + (units or 1) * value


def _fits(last: int, value: int, cjk: bool) -> bool:
    if cjk:
        return last in (10, 100, 1000)
    if last >= 100:
        return True
    return 20 <= last < 100 and value < 10


def _may_link(tokens: Sequence[Token], at: int, last: int) -> bool:
    """Whether a hyphen or an "and" stands between two words of one number."""
    if at + 1 >= len(tokens) or _word_value(tokens, at + 1) is None:
        return False
    token = tokens[at]
    if token.word == "-":
        return 20 <= last < 100
    return "number_and" in token.entries and last >= 20


def numeral_ordinal(tokens: Sequence[Token], at: int, language: Language) -> list[Found]:
    """An ordinal in digits: 3rd."""
    token = tokens[at]
    digits = token.entries.get("INT")
    if digits is None or at + 1 >= len(tokens):
        return []
    following = tokens[at + 1]
    if following.start != token.end:
        return []
    if following.word in language.suffixes:
        return [(at + 2, digits[0][1])]
    # "40.º": a full stop before the sign.
    sign = tokens[at + 2] if following.word == "." and at + 2 < len(tokens) else None
    if sign is None or sign.start != following.end or sign.word not in _SIGNS:
        return []
    return [(at + 3, digits[0][1])] if sign.word in language.suffixes else []


def ordinal(tokens: Sequence[Token], at: int, language: Language) -> list[Found]:
    """An ordinal: 3rd, third, twenty-first."""
    token = tokens[at]
    if "INT" in token.entries:
        return numeral_ordinal(tokens, at, language)
    single = token.entries.get("ORDINAL")
    if single is not None:
        return [(at + length, value) for length, value in single]
    tens = _word_value(tokens, at)
    if tens is None or tens < 20:
        return []
    position = at + 2 if at + 1 < len(tokens) and tokens[at + 1].word == "-" else at + 1
    unit = tokens[position].entries.get("ORDINAL") if position < len(tokens) else None
    if unit is None or not isinstance(unit[0][1], int) or not 0 < unit[0][1] < 10:
        return []
    return [(position + 1, tens + unit[0][1])]


def year(tokens: Sequence[Token], at: int, language: Language) -> list[Found]:
    """A year: 2019, '09, nineteen eighty-six, two thousand and five."""
    token = tokens[at]
    written = token.entries.get("YEAR")
    if written is not None:
        return [(at + 1, written[0][1])]
    if token.word == "'":
        return _short_year(tokens, at)
    if "INT" in token.entries:
        return []
    spoken = _spoken(tokens, at, language)
    if spoken is None:
        return []
    end, value = spoken
    if value in _SPOKEN_CENTURIES and end < len(tokens):
        rest = _spoken(tokens, end, language)
        if rest is not None and 10 <= rest[1] <= 99:
            return [(rest[0], value * 100 + rest[1])]
    return [(end, value)] if 1900 <= value <= 2100 else []


def _short_year(tokens: Sequence[Token], at: int) -> list[Found]:
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None or following.start != tokens[at].end or len(following.word) != 2:
        return []
    digits = following.entries.get("INT")
    if digits is None or not isinstance(digits[0][1], int):
        return []
    return [(at + 2, full_year(digits[0][1]))]
