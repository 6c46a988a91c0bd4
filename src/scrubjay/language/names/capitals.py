"""Reads runs of capitalised words: which of them are names, and of what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from scrubjay.language.names.folding import fold
from scrubjay.language.names.lists import (
    CALENDAR_WORDS,
    COMMON_WORDS,
    DEMONYMS,
    FAMILY_NAMES_FIRST,
    FUNCTION_WORDS,
    GIVEN_NAMES,
    KIN,
    LEGAL_FORMS,
    ORGANISATION_WORDS,
    PLACE_WORDS,
    PLACES,
    PLAIN_ACRONYMS,
    PROJECT_WORDS,
    SUBJECT_VERBS,
    SYNONYMS,
    TITLES,
)

CONFIDENCE_MIN = 0.5  # a name less likely than this is left out


class CapitalisedName(NamedTuple):
    """A name read from its capitals; the span leaves out title and possessive."""

    start: int
    end: int
    folded: str
    kind: str
    confidence: float
    title: str  # folded; empty where none was written


# Tuples, because several are made for every name and a frozen dataclass takes thrice the time.
class _Word(NamedTuple):
    """One word of a run of capitalised words; `surface`, `folded`, `end` leave out a possessive."""

    surface: str
    folded: str
    start: int
    end: int
    owns: bool


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
_RUN = re.compile(
    rf"(?<![\w.@-])(?<!\w['’])(?:v[ao]n (?:de[rn]? )?)?{_CAPITALISED}"
    rf"(?:(?: (?:{_PARTICLE} ){{0,3}}| of (?:the )?| ?& ?){_CAPITALISED})*"
    r"(?: \d{1,3}(?:\.\d+)*[A-Za-z]?(?![\w%°:/-]|[.,]\d| [ap]m\b))?"
)
_POSSESSIVE = re.compile(r"['’](s|ll|d|ve|re|m)?$", re.IGNORECASE)
_NEXT_WORD = re.compile(r"(?:['’]s?)? ([a-z]+)")
_COUNTED = re.compile(r" (?:[a-z]+s|people|percent|per|more|of|year|day|week|month|hour|minute)\b")
_EVERYDAY_ENDING = re.compile(
    "(?:ing|ed|ly|tion|sion|ness|ment|able|ible|ful|less|ous|ive|ism|ity|ship|ance|ence|ical|ional"
    "|ize|ise|ify|ate)s?$"
)
_HEADING = re.compile(
    r"^[ \t]*#+ .*$|\*\*[^*\n]+\*\*|^[ \t]*(?:[-*•]|\d+[.)]) [^:\n]{1,60}:", re.MULTILINE
)
_GERMAN = re.compile(r"\b(?:und|nicht|ist|ich|das|der|die|mit|eine?|für|auf|wir|hat|sind)\b")
_BEFORE_SENTENCE = " \t\"'“”„‘’«»([{*_>#-–—•~"
_SENTENCE_ENDS = ".!?:;\n…。！？|)]"
_QUOTES = '"“”„«»'
# A foreign article before a capital is part of the name more often than not: Los Angeles, La Paz.
_FOREIGN_ARTICLES = frozenset(("la", "le", "les", "los", "las", "el", "il"))

_NEVER_ALONE = DEMONYMS | KIN | LEGAL_FORMS
# "Aunt Mary", "Lake Victoria": here the plain word before a given name is part of the name.
_BEFORE_GIVEN_NAME = KIN | PLACE_WORDS | ORGANISATION_WORDS | PROJECT_WORDS | GIVEN_NAMES


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
    for run in _RUN.finditer(text):
        spot = reader.spot(run.start(), run.end())
        for words in _split_at_owners(_words_of(run)):
            name = reader.read(words, spot)
            if name is not None:
                (found if name.confidence >= CONFIDENCE_MIN else doubtful).append(name)
            spot = "inside" if spot == "start" else spot
    if doubtful:
        seen = known.union(*(name.folded.split() for name in found))
        found += [name._replace(confidence=0.7) for name in doubtful if name.folded in seen]
    return found


def _words_of(run: re.Match[str]) -> list[_Word]:
    """The words of a run, possessives cut off."""
    words, start = [], run.start()
    for written in run.group().split(" "):
        surface = written
        owner = _POSSESSIVE.search(written) if not written.isalnum() else None
        if owner is not None:
            surface = written[: owner.start()]
        folded = surface.lower() if surface.isascii() and surface.isalpha() else fold(surface)
        owns = owner is not None and owner.group(1) in (None, "s", "S")
        words.append(_Word(surface, folded, start, start + len(surface), owns))
        start += len(written) + 1
    return words


def _split_at_owners(words: list[_Word]) -> Iterator[list[_Word]]:
    """The run cut behind every possessive: "Lisbon's Time Out Market" holds two names."""
    first = 0
    for index, word in enumerate(words):
        if word.owns:
            yield words[first : index + 1]
            first = index + 1
    if first < len(words):
        yield words[first:]


# Where a run stands: inside a sentence, at its start, in a heading, or set off by a sign.
_Spot = Literal["inside", "start", "heading", "aside"]


class _Reader:
    """Reads runs of capitalised words in the light of the text around them."""

    __slots__ = ("_german", "_headings", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._german: bool | None = None  # None: not looked at yet
        self._headings: tuple[tuple[int, int], ...] = ()
        if "#" in text or "*" in text or "\n" in text:
            self._headings = tuple(match.span() for match in _HEADING.finditer(text))

    def spot(self, start: int, end: int) -> _Spot:
        """Whether a capital is due here anyway."""
        text = self._text
        if self._headings and self._in_heading(start):
            return "heading"
        before = text[max(0, start - 24) : start].rstrip(_BEFORE_SENTENCE)
        if not before or before[-1] in _SENTENCE_ENDS:
            return "start"
        if text[start - 1] in _QUOTES:  # a sentence, or a title if the run is all of it
            return "aside" if text[end : end + 1] in _QUOTES else "start"
        if text[start - 1] in "([{【" or text[max(0, start - 2) : start] in ("- ", "– ", "— "):
            return "aside"
        return "inside"

    def read(self, words: list[_Word], spot: _Spot) -> CapitalisedName | None:
        """The name a run makes; a doubtful one has a confidence below the minimum."""
        title = ""
        for index in range(len(words) - 1, 0, -1):
            if words[index - 1].folded in TITLES:
                title, words = words[index - 1].folded, words[index:]
                break
        kept = words if title else _trimmed(words, initial=spot in ("start", "heading"))
        kept = self._without_count(kept)
        if not kept:
            return None
        first, last = kept[0], kept[-1]
        shifted = first.start != words[0].start
        if title:
            confidence = 0.95
        elif len(kept) == 1:
            confidence = self._single(first, spot, shifted)
        else:
            confidence = self._several(kept, "inside" if shifted and spot == "start" else spot)
        if confidence <= 0:
            return None
        surface = self._text[first.start : last.end]
        folded = first.folded if len(kept) == 1 else fold(surface)
        kind = "person" if title else _kind(surface, folded.split())
        return CapitalisedName(first.start, last.end, folded, kind, confidence, title)

    def _in_heading(self, start: int) -> bool:
        return any(first <= start < end for first, end in self._headings)

    def _without_count(self, words: list[_Word]) -> list[_Word]:
        """Drops a number that counts what follows ("Noor 3 times") or stands alone."""
        if words and words[-1].surface[0].isdigit():
            counts = _COUNTED.match(self._text, words[-1].end) is not None
            if counts or len(words) == 1 or words[-2].folded in GIVEN_NAMES:
                return _trimmed(words[:-1], initial=False)
        return words

    def _single(self, word: _Word, spot: _Spot, shifted: bool) -> float:
        """How sure one capitalised word is a name; 0: certainly not."""
        folded = word.folded
        if len(folded) < 2 or folded in _NEVER_ALONE:
            return 0.0
        if folded in PLACES:
            return 0.9
        if len(word.surface) > 1 and word.surface.isupper():
            return _acronym(folded)
        if spot in ("start", "heading") and not shifted:
            return self._at_sentence_start(word)
        if folded in GIVEN_NAMES:
            return 0.95
        if self._is_german():
            return 0.0
        if looks_everyday(folded):
            return 0.6 if spot == "inside" and not shifted else 0.1
        return 0.8

    def _at_sentence_start(self, word: _Word) -> float:
        """The same where a capital proves nothing; below the minimum: only if it recurs."""
        folded = word.folded
        everyday = looks_everyday(folded)
        if folded in GIVEN_NAMES and not everyday:
            return 0.9
        if not word.surface[1:].islower():  # GitHub, PS5
            return 0.85
        if word.owns or self._is_subject([word]):
            return 0.7 if not everyday else 0.6 if folded in GIVEN_NAMES else 0.1
        return 0.1

    def _several(self, words: list[_Word], spot: _Spot) -> float:
        """How sure a run of several capitalised words is one name."""
        if words[0].folded in GIVEN_NAMES:
            return 0.95
        if any(word.surface.islower() for word in words) and self._is_german():
            return 0.0
        everyday = sum(looks_everyday(word.folded) for word in words)
        if everyday and all(word.surface.isupper() for word in words):
            return 0.0  # shouting
        if everyday == len(words):
            titled = spot in ("inside", "aside") or (spot == "start" and self._is_subject(words))
            return 0.65 if titled else 0.3
        if spot == "heading" and everyday:
            return 0.4
        return 0.0 if all(word.folded in DEMONYMS for word in words) else 0.85

    def _is_subject(self, words: list[_Word]) -> bool:
        """Whether a verb that people and things are the subject of comes next."""
        follows = _NEXT_WORD.match(self._text, words[-1].end)
        if follows is None:
            return len(words) > 2
        verb = follows.group(1)
        return len(words) > 2 or verb in SUBJECT_VERBS or (len(verb) > 4 and verb.endswith("ed"))

    def _is_german(self) -> bool:
        """German writes every noun with a capital, so there a capital alone says nothing."""
        if self._german is None:
            words = _GERMAN.finditer(self._text)
            self._german = next(words, None) is not None and next(words, None) is not None
        return self._german


def _trimmed(words: list[_Word], initial: bool) -> list[_Word]:
    """A run without the words at its ends that are capitalised for other reasons."""
    first, last = 0, len(words)
    while first < last and _is_no_beginning(words, first, initial):
        first += 1
    while last > first and _is_no_end(words[last - 1]):
        last -= 1
    return words[first:last]


def _is_no_beginning(words: list[_Word], index: int, initial: bool) -> bool:
    word = words[index]
    more = index + 1 < len(words)
    upcoming = words[index + 1].folded if more else ""
    if word.surface.islower():
        return word.surface not in ("van", "von") or not more
    if _is_function_word(word):
        names_more = more and word.surface[0].isupper() and upcoming not in FUNCTION_WORDS
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
    return bool(_EVERYDAY_ENDING.search(word.folded)) and not looks_everyday(upcoming)


def _is_no_end(word: _Word) -> bool:
    return (
        word.folded in CALENDAR_WORDS or _is_function_word(word) or word.surface.islower()
    ) and not word.surface[0].isdigit()


def _is_function_word(word: _Word) -> bool:
    """Whether this word names nothing; "us" does not, "US" does."""
    return word.folded in FUNCTION_WORDS and not (
        word.surface.isupper() and word.folded in SYNONYMS
    )


def _may_open_a_name(word: str, upcoming: str) -> bool:
    """Whether a function word is the first of a name after all: "Los Angeles", "Will Smith"."""
    if word in _FOREIGN_ARTICLES:
        return True
    return word in GIVEN_NAMES and upcoming not in GIVEN_NAMES and upcoming not in PLACES


def _acronym(folded: str) -> float:
    """How sure a word in capitals is a name: not when it is an everyday word, shouted."""
    if folded in PLAIN_ACRONYMS or folded in CALENDAR_WORDS:
        return 0.0
    if folded in SYNONYMS:
        return 0.8
    return 0.0 if looks_everyday(folded) else 0.8


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
    return first in KIN or first in GIVEN_NAMES


def looks_everyday(word: str) -> bool:
    """Whether a folded word, or every word of a compound, is common English by list or ending."""
    if " " in word:
        return all(map(looks_everyday, word.split()))
    return (
        word in COMMON_WORDS
        or word in FUNCTION_WORDS
        or (word.endswith("s") and word[:-1] in COMMON_WORDS)
        or (len(word) > 5 and word not in GIVEN_NAMES and bool(_EVERYDAY_ENDING.search(word)))
    )
