"""Cuts a text into words, numbers and marks; numbers already say which readings they allow."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from itertools import islice
from typing import Final

from scrubjay.language.dates.semantics.values import Clock, Grain, NumberDate, Value

# Expressions are short and come early; what lies beyond this many tokens is not read.
TOKENS_MAX: Final = 1_500

# For one class of a token: how many tokens the entry spans, and its value.
Entries = Mapping[str, tuple[tuple[int, Value], ...]]
NO_ENTRIES: Final[Entries] = {}
FITS_NOTHING: Final[frozenset[str]] = frozenset()

_TOKEN = re.compile(
    r"\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:z\b|[+-]\d\d:?\d\d)?"
    r"|2(?:moro|morrow|mrw|nite|night)\b|\bb4\b"
    r"|\d+(?:([-/.:])\d+(?:\1\d+)*)?"
    r"|[^\W\d_]+"
    r"|[^\w\s]|_"
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_SAME_LENGTH = {
    ord(mark): plain
    for marks, plain in (
        ("’‘ʼ`´", "'"),
        ("–—−‐‑~～〜", "-"),
        ("：", ":"),
        ("，、", ","),
        ("／", "/"),
    )
    for mark in marks
} | {0xFF10 + digit: str(digit) for digit in range(10)}
_SAME_LENGTH |= {
    code: unicodedata.normalize("NFD", chr(code))[0]
    for code in range(0xC0, 0x250)
    if unicodedata.normalize("NFD", chr(code))[0].isascii()
}
_CURRENCIES = frozenset("$€£¥₹#")


class Token:
    """One word, number or mark, with what the lexicon or its shape says it may mean.

    `fits` holds every element of a pattern that it may be taken for: itself, its classes, and the
    rules it can open. What is not there is certain not to match here; what is there may.
    """

    __slots__ = ("capital", "end", "entries", "fits", "start", "word", "written")

    def __init__(
        self,
        word: str,
        span: tuple[int, int],
        capital: bool,
        entries: Entries,
        fits: frozenset[str],
        written: str,
    ) -> None:
        self.word = word
        self.written = written  # with its accents: "a" has, "à" at
        self.start, self.end = span
        self.capital = capital
        self.entries = entries
        self.fits = fits


def fold(text: str) -> str:
    """The text in lower case without accents, character for character as long as it was."""
    if text.isascii():
        return text.lower().replace("~", "-")
    folded = text.translate(_SAME_LENGTH)
    lowered = folded.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(character.lower()[0] for character in folded)


def pieces(folded: str) -> list[tuple[int, int]]:
    """The spans of a folded text's tokens; a run of CJK letters is cut into single letters."""
    found = islice(_TOKEN.finditer(folded), TOKENS_MAX)
    if folded.isascii() or _CJK.search(folded) is None:
        return [match.span() for match in found]
    spans: list[tuple[int, int]] = []
    for match in found:
        start, end = match.span()
        if _CJK.match(folded, start):
            spans.extend((at, at + 1) for at in range(start, end))
        elif folded[start].isalpha() and (inner := _CJK.search(folded, start, end)):
            spans.append((start, inner.start()))
            spans.extend((at, at + 1) for at in range(inner.start(), end))
        else:
            spans.append((start, end))
        if len(spans) >= TOKENS_MAX:
            break
    return spans[:TOKENS_MAX]


def number_entries(folded: str, start: int, end: int) -> Entries:
    """What a token that begins with a digit may mean, read from its shape and neighbours."""
    word = folded[start:end]
    before = folded[start - 1] if start else " "
    after = folded[end] if end < len(folded) else " "
    if before in _CURRENCIES or after == "%":
        return NO_ENTRIES
    if word.isdecimal():
        return _integer(word, before, after)
    if ":" in word:
        return _stamp(word) if "-" in word else _clock(word)
    # Q4/25, H2-2025, FY24/25.
    glued = before.isascii() and before.isalpha() and before not in "qhy"
    coded = before in "-_" and start > 1 and folded[start - 2].isalpha()  # RE-2026-10-03
    return NO_ENTRIES if glued or coded else _separated(word)


def _integer(word: str, before: str, after: str) -> Entries:
    if len(word) == 8 and word[:2] in ("19", "20"):
        return _one("DATE", NumberDate(int(word[:4]), int(word[4:6]), int(word[6:]), "-"))
    if len(word) > 6:
        return NO_ENTRIES
    value = int(word)
    entries: dict[str, tuple[tuple[int, Value], ...]] = {"INT": ((1, value),)}
    glued = before.isalpha() or before in "-_." or after == "_"
    if len(word) == 4 and 1000 <= value <= 2999 and (not glued or before == "-"):
        entries["YEAR"] = ((1, value),)
    if len(word) == 4 and value % 100 < 60 and value // 100 < 24:
        clock = Clock(value // 100, value % 100, 0, Grain.MINUTE)
        entries["HHMM"] = ((1, clock),)
    return entries


def _stamp(word: str) -> Entries:
    try:
        return _one("STAMP", datetime.fromisoformat(word.upper().replace(",", ".")))
    except ValueError:
        return NO_ENTRIES


def _clock(word: str) -> Entries:
    numbers = [int(part) for part in word.split(":") if len(part) <= 2]
    if not 2 <= len(numbers) <= 3 or numbers[0] > 24 or max(numbers[1:]) > 59 or len(word) < 4:
        return NO_ENTRIES
    hour, minute, second = (*numbers, 0)[:3]
    grain = Grain.MINUTE if len(numbers) == 2 else Grain.SECOND
    unsure = 0 < hour <= 12 and not word.startswith("0")
    return _one("HOURS", Clock(hour % 24, minute, second, grain, unsure))


def _separated(word: str) -> Entries:
    separator = next(mark for mark in word if not mark.isdecimal())
    parts = word.split(separator)
    if max(len(part) for part in parts) > 4:
        return NO_ENTRIES
    numbers = [int(part) for part in parts]
    if len(parts) == 3:
        if len(parts[2]) == 1 and len(parts[0]) < 4:
            return NO_ENTRIES  # no year has one digit: 12-7-2
        first, second, third = numbers
        return _one("DATE", NumberDate(first, second, third, separator))
    if len(parts) != 2:
        return NO_ENTRIES
    if separator == "." and len(parts[0]) == 4 and len(parts[1]) != 2:
        return NO_ENTRIES
    # "8.05" and "9.10" are written as hours are; "12.03" as days and months.
    clocked = len(parts[1]) == 2 and (numbers[1] > 9 or len(parts[0]) == 1)
    pair = NumberDate(numbers[0], numbers[1], 0, separator, clocked)
    if separator == "." and len(parts[0]) < 4:
        return {
            "DECIMAL": ((1, float(word)),),
            "PAIR": ((1, pair),),
            "HOURS.": ((1, Clock(numbers[0] % 24, numbers[1] % 60, 0, Grain.MINUTE, True)),),
        }
    return _one("PAIR" if separator == "/" else "DASHED", pair)


def _one(name: str, value: Value) -> Entries:
    return {name: ((1, value),)}
