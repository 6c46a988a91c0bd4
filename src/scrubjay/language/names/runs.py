"""Takes runs of capitalised words apart: which of their words may make a name, and of what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from scrubjay.language.names.everyday import has_everyday_ending, looks_everyday
from scrubjay.language.names.folding import APPENDED, fold
from scrubjay.language.names.lists import (
    CALENDAR_WORDS,
    EPITHETS,
    FAMILY_NAMES_FIRST,
    FOREIGN_FUNCTION_WORDS,
    FUNCTION_WORDS,
    GIVEN_NAMES,
    KIN,
    ORGANISATION_WORDS,
    PLACE_WORDS,
    PLACES,
    PROJECT_WORDS,
    SYNONYMS,
    TITLES,
)


# Tuples, because several are made for every name and a frozen dataclass takes thrice the time.
class RunWord(NamedTuple):
    """One word of a run of capitalised words; `surface`, `folded`, `end` leave out a possessive.

    Places count from the start of the run.
    """

    surface: str
    folded: str
    start: int
    end: int
    owns: bool
    small: bool  # a function word; "us" is, "US" is not


# Where a run stands: inside a sentence, at its start, in a heading, or set off by a sign.
Spot = Literal["inside", "start", "heading", "aside"]


class RunPart(NamedTuple):
    """What may be a name in a run, as far as the run itself can tell."""

    words: tuple[RunWord, ...]  # at least one
    spot: Spot
    shifted: bool  # words before it were taken off
    folded: str
    kind: str
    title: str


_CASED_BLOCKS = ((0x41, 0x250), (0x370, 0x590), (0x1E00, 0x2000))
_UPPER = "".join(
    chr(code) for first, end in _CASED_BLOCKS for code in range(first, end) if chr(code).isupper()
)
_LETTER = r"[\w\u0300-\u036f]"
_DOTTED = "|".join(sorted((word.capitalize() for word in {*TITLES, "st", "mt"}), reverse=True))
_CAPITALISED = (
    rf"(?:(?:[{_UPPER}]\.){{2,}}|[{_UPPER}]\.(?=[ ][{_UPPER}])|(?:{_DOTTED})\."
    rf"|[a-z]{{0,2}}[{_UPPER}]{_LETTER}*(?:['’-]{_LETTER}+)*(?:['’](?!\w)|\+\+|\#)?)"
)
_PARTICLE = r"(?:van|von|der|den|ter|ten|de|del|della|di|da|das|dos|du|la|le|bin|ibn|al|el)"
RUN = re.compile(
    # Most words have no capital, which is soon seen.
    rf"(?<![\w.@-])(?=[a-z]{{0,2}}[{_UPPER}]|v[ao]n )"
    rf"(?<!\w['’])(?:v[ao]n (?:de[rn]? )?)?{_CAPITALISED}"
    rf"(?:(?: (?:{_PARTICLE} ){{0,3}}| of (?:the )?| ?& ?){_CAPITALISED})*"
    r"( \d{1,3}(?:\.\d+)*[A-Za-z]?(?![\w%°:/-]|[.,]\d| [ap]m\b))?"  # the only group
)
_CAPITAL = re.compile(f"[{_UPPER}]")
# Characters of a run before its first capital: "von der ", and two small letters.
_BEFORE_CAPITAL_MAX = 10
_PARTICLES = ("van ", "von ", "de ", "der ", "den ")
_POSSESSIVE = re.compile(rf"(?:['’](s|ll|d|ve|re|m)?|({APPENDED}))$", re.IGNORECASE)
# What says "in" or "from" is appended to places: "Ayşe Bursa'da" names two.
_PLACED = re.compile(r"['’][dt][ae]n?$")
# A foreign article before a capital is part of the name more often than not: Los Angeles, La Paz.
_FOREIGN_ARTICLES = frozenset(("la", "le", "les", "los", "las", "el", "il"))

_DAYS = frozenset(("day", "days", "eve", "year", "years"))

# "Aunt Mary", "Lake Victoria": here the plain word before a given name is part of the name.
_BEFORE_GIVEN_NAME = EPITHETS | KIN | PLACE_WORDS | ORGANISATION_WORDS | PROJECT_WORDS | GIVEN_NAMES


def runs_in(text: str) -> Iterator[re.Match[str]]:
    """The runs of capitalised words in a text, in order; up to each capital nothing is tried."""
    at = 0
    while (capital := _CAPITAL.search(text, at)) is not None:
        start = capital.start()
        # Most begin with it; before others stand small letters, or a particle.
        led = "a" <= text[start - 1 : start] <= "z" or text.endswith(_PARTICLES, at, start)
        run = None if led else RUN.match(text, start)
        run = run or RUN.search(text, max(at, start - _BEFORE_CAPITAL_MAX))
        if run is None:
            return
        yield run
        at = run.end()


# The same names and first words of sentences come again and again; longer runs are headlines,
# or junk, and would only push names out of the cache. A kilobyte an entry: 8 MB at most.
CACHED_RUNS_MAX = 8_192
_CACHED_RUN_CHARACTERS_MAX = 40


_NONE: frozenset[str] = frozenset()


def parts_of(
    run: str, spot: Spot, counts: bool, named: frozenset[str] = _NONE
) -> tuple[RunPart, ...]:
    """What may be names in a run; `counts` says that its last number counts what follows it.

    `named` are words that would be function words in another language than the text's.
    """
    short = len(run) <= _CACHED_RUN_CHARACTERS_MAX
    return _cached_parts(run, spot, counts, named) if short else _parts(run, spot, counts, named)


def _parts(run: str, spot: Spot, counts: bool, named: frozenset[str]) -> tuple[RunPart, ...]:
    parts: list[RunPart] = []
    before = ""
    for words in _split_at_owners(_words_of(run, named)):
        part = None if _names_a_day(words, before) else _part(run, words, spot, counts)
        before = words[-1].folded
        if part is not None:
            parts.append(part)
        spot = "inside" if spot == "start" else spot
    return tuple(parts)


def _names_a_day(words: Sequence[RunWord], before: str) -> bool:
    """Whether words make the name of a day: "Boxing Day", "Christmas Eve", "New Year('s Eve)"."""
    last = next((word.folded for word in reversed(words) if not word.small), "")
    if last not in _DAYS:
        return False
    first = words[0].folded if words[0].folded != last else before
    return first in CALENDAR_WORDS or (words[0].folded != last and first not in GIVEN_NAMES)


_cached_parts = lru_cache(CACHED_RUNS_MAX)(_parts)


def _part(run: str, words: Sequence[RunWord], spot: Spot, counts: bool) -> RunPart | None:
    title = ""
    for index in range(len(words) - 1, 0, -1):
        if words[index - 1].folded in TITLES:
            title, words = words[index - 1].folded, words[index:]
            break
    kept = words if title else _trimmed(words, initial=spot in ("start", "heading"))
    kept = _without_count(kept, counts)
    if not kept:
        return None
    first, last = kept[0], kept[-1]
    surface = run[first.start : last.end]
    folded = first.folded if len(kept) == 1 else fold(surface)
    kind = "person" if title else _kind(surface, folded.split())
    return RunPart(tuple(kept), spot, first.start != words[0].start, folded, kind, title)


def _words_of(run: str, named: frozenset[str]) -> list[RunWord]:
    """The words of a run, possessives cut off."""
    words: list[RunWord] = []
    start = 0
    for written in run.split(" "):
        surface = written
        owner = _POSSESSIVE.search(written) if not written.isalnum() else None
        if owner is not None:
            surface = written[: owner.start()]
        folded = surface.lower() if surface.isascii() and surface.isalpha() else fold(surface)
        owns = owner is not None and owner.group(1) in (None, "s", "S")
        small = folded in FUNCTION_WORDS or (
            folded in FOREIGN_FUNCTION_WORDS and folded not in named
        )
        small = small and not (surface.isupper() and folded in SYNONYMS)
        if owns and words and _PLACED.search(written) and words[-1].folded in GIVEN_NAMES:
            words[-1] = words[-1]._replace(owns=True)
        words.append(RunWord(surface, folded, start, start + len(surface), owns, small))
        start += len(written) + 1
    return words


def _split_at_owners(words: list[RunWord]) -> Iterator[list[RunWord]]:
    """The run cut behind every possessive: "Lisbon's Time Out Market" holds two names."""
    first = 0
    for index, word in enumerate(words):
        if word.owns:
            yield words[first : index + 1]
            first = index + 1
    if first < len(words):
        yield words[first:]


def _without_count(words: Sequence[RunWord], counts: bool) -> Sequence[RunWord]:
    """Drops a number that counts what follows ("Noor 3 times") or stands alone."""
    if not words or not words[-1].surface[0].isdigit():
        return words
    if counts or len(words) == 1 or words[-2].folded in GIVEN_NAMES:
        return _trimmed(words[:-1], initial=False)
    return words


def _trimmed(words: Sequence[RunWord], initial: bool) -> Sequence[RunWord]:
    """A run without the words at its ends that are capitalised for other reasons."""
    first, last = 0, len(words)
    while first < last and _is_no_beginning(words, first, initial):
        first += 1
    while last > first and _is_no_end(words[last - 1]):
        last -= 1
    return words[first:last]


def _is_no_beginning(words: Sequence[RunWord], index: int, initial: bool) -> bool:
    word = words[index]
    more = index + 1 < len(words)
    upcoming = words[index + 1].folded if more else ""
    if word.surface.islower():
        return word.surface not in ("van", "von") or not more
    if word.small:
        names_more = more and word.surface[0].isupper() and not words[index + 1].small
        if names_more and _may_open_a_name(word.folded, upcoming):
            return False
        return not (names_more and not initial and word.folded == "the")
    if word.folded in CALENDAR_WORDS:
        return not (more and word.folded in GIVEN_NAMES and upcoming not in GIVEN_NAMES)
    # "Meeting Noor", "Photos of Felix": a plain word that only stands before the name.
    if not initial or not more or not looks_everyday(word.folded):
        return False
    if upcoming == "of":
        return not looks_everyday(words[-1].folded)
    if upcoming in GIVEN_NAMES:
        return word.folded not in _BEFORE_GIVEN_NAME
    return has_everyday_ending(word.folded) and not looks_everyday(upcoming)


def _is_no_end(word: RunWord) -> bool:
    return (
        word.folded in CALENDAR_WORDS or word.small or word.surface.islower()
    ) and not word.surface[0].isdigit()


def _may_open_a_name(word: str, upcoming: str) -> bool:
    """Whether a function word is the first of a name after all: "Los Angeles", "Will Smith"."""
    if word in _FOREIGN_ARTICLES:
        return True
    return word in GIVEN_NAMES and upcoming not in GIVEN_NAMES and upcoming not in PLACES


def _kind(surface: str, words: list[str]) -> str:
    """What a name is the name of, by its words."""
    first, last, several = words[0], words[-1], len(words) > 1
    if first in PROJECT_WORDS or last in PROJECT_WORDS:
        return "project"
    if last in ORGANISATION_WORDS or "&" in surface:
        return "organisation"
    if several and first in ORGANISATION_WORDS:
        return "organisation"
    if " ".join(words) in PLACES or (several and (last in PLACE_WORDS or first in PLACE_WORDS)):
        return "place"
    return "person" if _reads_like_a_person(words) else "name"


def _reads_like_a_person(words: list[str]) -> bool:
    first, last = words[0], words[-1]
    if any(word[0].isdigit() for word in words):
        return False
    if len(words) > 1 and looks_everyday(last):
        return len(words) == 2 and first in GIVEN_NAMES  # Grace Young, not Tom Sawyer Quiz
    if len(words) == 2 and first in FAMILY_NAMES_FIRST:
        return True
    if first in EPITHETS:
        return len(words) > 1 and words[1] in GIVEN_NAMES
    return first in KIN or first in GIVEN_NAMES
