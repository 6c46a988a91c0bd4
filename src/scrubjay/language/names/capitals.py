"""Reads runs of capitalised words: which of them are names, and of what."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scrubjay.language.names.everyday import looks_everyday, names_nothing
from scrubjay.language.names.lists import (
    CALENDAR_WORDS,
    DEMONYMS,
    FOREIGN_FUNCTION_WORDS,
    GIVEN_NAMES,
    KIN,
    LEGAL_FORMS,
    PLACES,
    PLAIN_ACRONYMS,
    SUBJECT_VERBS,
    SYNONYMS,
)
from scrubjay.language.names.runs import CACHED_RUNS_MAX, RUN, RunPart, RunWord, Spot, parts_of
from scrubjay.limits import NAME_CHARACTERS_MAX

CONFIDENCE_MIN = 0.5  # a name less likely than this is left out


class CapitalisedName(NamedTuple):
    """A name read from its capitals; the span leaves out title and possessive.

    A tuple, because several are made for every text and a frozen dataclass takes thrice the time.
    """

    start: int
    end: int
    folded: str
    kind: str
    confidence: float
    title: str  # folded; empty where none was written


_NEXT_WORD = re.compile(r"(?:['’]s?)? ([a-z]+)")
_COUNTED = re.compile(r" (?:[a-z]+s|people|percent|per|more|of|year|day|week|month|hour|minute)\b")
_HEADING = re.compile(
    r"^[ \t]*#+ .*$|\*\*[^*\n]+\*\*|^[ \t]*(?:[-*•]|\d+[.)]) [^:\n]{1,60}:", re.MULTILINE
)
_GERMAN = re.compile(r"\b(?:und|nicht|ist|ich|das|der|die|mit|eine?|für|auf|wir|hat|sind)\b")
_BEFORE_SENTENCE = " \t\"'“”„‘’«»([{*_>#-–—•~"
_SENTENCE_ENDS = ".!?:;\n…。！？|)]"
_QUOTES = '"“”„«»'
_NEVER_ALONE = DEMONYMS | KIN | LEGAL_FORMS
_OWNER = re.compile(r"['’]s?\b")
_NONE: frozenset[str] = frozenset()


def read_capitals(text: str, known: frozenset[str]) -> list[CapitalisedName]:
    """The names shown by their capitals, in no order; `known` words are believed to be names.

    A doubtful one, such as a plain word at the start of a sentence, counts only if it recurs
    where nobody doubts it.
    """
    if text.isupper():
        return []
    reader = _Reader(text)
    found: list[CapitalisedName] = []
    doubtful: list[CapitalisedName] = []
    for run in RUN.finditer(text):
        start, end = run.span()
        if end - start > NAME_CHARACTERS_MAX:  # a headline, or junk
            continue
        counts = run.lastindex is not None and _COUNTED.match(text, end) is not None
        written = run.group()
        named = _named_here(written, text)
        for part in parts_of(written, reader.spot(start, end), counts, named):
            name = reader.read(part, start)
            if name is not None:
                (found if name.confidence >= CONFIDENCE_MIN else doubtful).append(name)
    if doubtful:
        seen = known.union(*(name.folded.split() for name in found))
        found += [name._replace(confidence=0.7) for name in doubtful if name.folded in seen]
    return found


def _named_here(run: str, text: str) -> frozenset[str]:
    """The words of a run that are function words only in other languages than the text's."""
    foreign = _foreign_in(run)
    if not foreign:
        return _NONE
    return frozenset(word for word in foreign if not names_nothing(word, text))


@lru_cache(CACHED_RUNS_MAX)
def _foreign_in(run: str) -> frozenset[str]:
    return FOREIGN_FUNCTION_WORDS.intersection(_OWNER.sub("", run.lower()).split())


class _Reader:
    """Reads runs of capitalised words in the light of the text around them."""

    __slots__ = ("_german", "_heading_ends", "_heading_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._german: bool | None = None  # None: not looked at yet
        self._heading_starts: list[int] = []
        self._heading_ends: list[int] = []
        if "#" in text or "*" in text or "\n" in text:
            for heading in _HEADING.finditer(text):
                self._heading_starts.append(heading.start())
                self._heading_ends.append(heading.end())

    def spot(self, start: int, end: int) -> Spot:
        """Whether a capital is due here anyway."""
        text = self._text
        if self._heading_starts and self._in_heading(start):
            return "heading"
        before = text[max(0, start - 24) : start].rstrip(_BEFORE_SENTENCE)
        if not before or before[-1] in _SENTENCE_ENDS:
            return "start"
        if text[start - 1] in _QUOTES:  # a sentence, or a title if the run is all of it
            return "aside" if text[end : end + 1] in _QUOTES else "start"
        if text[start - 1] in "([{【" or text[max(0, start - 2) : start] in ("- ", "– ", "— "):
            return "aside"
        return "inside"

    def read(self, part: RunPart, start: int) -> CapitalisedName | None:
        """The name a part of the run at `start` makes; a doubtful one is below the minimum."""
        words, spot = part.words, part.spot
        end = start + words[-1].end
        if part.title:
            confidence = 0.95
        elif len(words) == 1:
            confidence = self._single(words[0], part, end)
        else:
            inside = part.shifted and spot == "start"
            confidence = self._several(words, "inside" if inside else spot, end)
        if confidence <= 0:
            return None
        first = start + words[0].start
        return CapitalisedName(first, end, part.folded, part.kind, confidence, part.title)

    def _in_heading(self, start: int) -> bool:
        before = bisect_right(self._heading_starts, start)
        return before > 0 and start < self._heading_ends[before - 1]

    def _single(self, word: RunWord, part: RunPart, end: int) -> float:
        """How sure one capitalised word, up to `end`, is a name; 0: certainly not."""
        folded, spot, shifted = word.folded, part.spot, part.shifted
        if len(folded) < 2 or folded in _NEVER_ALONE:
            return 0.0
        if folded in PLACES:
            return 0.9
        if len(word.surface) > 1 and word.surface.isupper():
            return _acronym(folded)
        if spot in ("start", "heading") and not shifted:
            return self._at_sentence_start(word, end)
        if folded in GIVEN_NAMES:
            return 0.95
        if self._is_german():
            return 0.0
        if looks_everyday(folded):
            return 0.6 if spot == "inside" and not shifted else 0.1
        return 0.8

    def _at_sentence_start(self, word: RunWord, end: int) -> float:
        """The same where a capital proves nothing; below the minimum: only if it recurs."""
        folded = word.folded
        everyday = looks_everyday(folded)
        if folded in GIVEN_NAMES and not everyday:
            return 0.9
        if not word.surface[1:].islower():  # GitHub, PS5
            return 0.85
        if word.owns or self._is_subject(1, end):
            return 0.7 if not everyday else 0.6 if folded in GIVEN_NAMES else 0.1
        return 0.1

    def _several(self, words: Sequence[RunWord], spot: Spot, end: int) -> float:
        """How sure a run of several capitalised words is one name."""
        if words[0].folded in GIVEN_NAMES:
            return 0.95
        if any(word.surface.islower() for word in words) and self._is_german():
            return 0.0
        everyday = sum(looks_everyday(word.folded) for word in words)
        if everyday and all(word.surface.isupper() for word in words):
            return 0.0  # shouting
        if everyday == len(words):
            titled = spot in ("inside", "aside") or (
                spot == "start" and self._is_subject(len(words), end)
            )
            return 0.65 if titled else 0.3
        if spot == "heading" and everyday:
            return 0.4
        return 0.0 if all(word.folded in DEMONYMS for word in words) else 0.85

    def _is_subject(self, words: int, end: int) -> bool:
        """Whether a verb that people and things are the subject of comes next."""
        if words > 2:
            return True
        follows = _NEXT_WORD.match(self._text, end)
        if follows is None:
            return False
        verb = follows.group(1)
        return verb in SUBJECT_VERBS or (len(verb) > 4 and verb.endswith("ed"))

    def _is_german(self) -> bool:
        """German writes every noun with a capital, so there a capital alone says nothing."""
        if self._german is None:
            words = _GERMAN.finditer(self._text)
            self._german = next(words, None) is not None and next(words, None) is not None
        return self._german


def _acronym(folded: str) -> float:
    """How sure a word in capitals is a name: not when it is an everyday word, shouted."""
    if folded in PLAIN_ACRONYMS or folded in CALENDAR_WORDS:
        return 0.0
    if folded in SYNONYMS:
        return 0.8
    return 0.0 if looks_everyday(folded) else 0.8
