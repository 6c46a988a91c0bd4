"""Tells whether a text says of one thing what another said of it: the same again, or else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from scrubjay.language.changes import differing
from scrubjay.language.detection import detect_language
from scrubjay.language.stopwords import noise_words
from scrubjay.language.told_values import values_of


class Restated(StrEnum):
    """How a text stands to an earlier one about the same."""

    SAME = "same"  # in about the same words, with no value that differs
    OTHER = "other"  # of the same thing another value


# A longer text tells of many things, of which one may be the same.
_CHARACTERS_MAX = 220
_TOKENS_MAX = 40
# Of what both say at least this share of the words of the shorter is the same.
_SAME_SHARE = 0.8
_FRAME_SHARE = 0.5
_SAME_WORDS_MIN = 3
# A value is named in a few words; where more differ, something else is told.
_VALUE_TOKENS_MAX = 6
_PLACES_MAX = 2
_NAMING = ("number", "date")

_TOKEN = re.compile(r"[:=](?=\s)|[£$€¥]|\d[\d.,:]*\d|\d+|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ASIDE = re.compile(r"\([^()]*\)")
# What stands between a thing and what it is, in the languages that the words for a change are in.
_HINGES = frozenset(
    """
    : = is are isn't aren't at in to by with from uses costs ist sind heißt kostet bei in zu mit von
    est sont coûte à chez avec es son está están cuesta en con è sono costa é são custa em a
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_DENYING = frozenset(
    """
    not no never cannot nicht kein keine keinen nie niemals ne pas jamais non nunca ya jamás não mai
    """.split()  # noqa: SIM905
)
# Words for that it is so by now: they belong to neither frame nor value.
_BY_NOW = frozenset(
    """
    now currently nowadays jetzt nun neuerdings inzwischen mittlerweile désormais maintenant ahora
    adesso ora ormai agora remember note fyi
    """.split()  # noqa: SIM905
)


class _Token(NamedTuple):
    word: str
    named: bool  # with a capital, and not as the first word
    number: bool


def may_be_restated(text: str) -> bool:
    """Whether a text is short enough to be about one thing, and asks nothing."""
    return len(text) <= _CHARACTERS_MAX and not text.rstrip().endswith(("?", "？"))


def restated(new: str, old: str) -> Restated | None:
    """What a text says of the thing that an earlier one is about; None where it is about another.

    Only where both are short and most of their words are the same, in the same order but for
    what they say of it. What comes first is the thing, so two that differ there are two things.
    """
    ours, theirs = _tokens(new), _tokens(old)
    if not ours or not theirs:
        return None
    noise = noise_words(detect_language(new))
    mine, yours = _content(ours, noise), _content(theirs, noise)
    shared = mine & yours
    fewer = min(len(mine), len(yours))
    if not shared or (len(shared) < _FRAME_SHARE * fewer and not _have_one_key(new, old)):
        return None
    denied = _denials(ours) != _denials(theirs)
    alike = len(shared) >= max(_SAME_WORDS_MIN, _SAME_SHARE * max(len(mine), len(yours)))
    if alike and _holds(ours, _named(theirs)) and _holds(theirs, _named(ours)):
        return Restated.OTHER if denied else Restated.SAME
    # What is told of two days happened twice, unless the day is all that is another.
    happened = "date" in differing(values_of(new), values_of(old))
    places_max = 1 if happened else _PLACES_MAX
    other = not denied and _says_other(ours, theirs, noise, places_max)
    return Restated.OTHER if other else None


# A note under a heading of its own: "gym membership: ...", "dentist = ...". One word with a capital
# is rather who speaks.
_KEY = re.compile(r"\s*([^:=.,;]{1,40}?)\s*[:=]\s")


def _have_one_key(new: str, old: str) -> bool:
    ours, theirs = _KEY.match(new), _KEY.match(old)
    if ours is None or theirs is None or ours[1].lower() != theirs[1].lower():
        return False
    return " " in ours[1] or ours[1].islower()


@lru_cache(maxsize=256)
def _tokens(text: str) -> tuple[_Token, ...]:
    if not may_be_restated(text):
        return ()
    found = [
        _Token(word.lower(), place > 0 and word[0].isupper(), word[0].isdigit())
        for place, word in enumerate(_TOKEN.findall(_ASIDE.sub("", text)))
    ]
    kept = tuple(token for token in found if token.word not in _BY_NOW)
    return kept if len(kept) <= _TOKENS_MAX else ()


def _content(tokens: Sequence[_Token], noise: frozenset[str]) -> frozenset[str]:
    return frozenset(
        t.word for t in tokens if not t.number and len(t.word) > 1 and t.word not in noise
    )


def _named(tokens: Sequence[_Token]) -> frozenset[str]:
    return frozenset(t.word for t in tokens if t.number or t.named)


def _holds(tokens: Sequence[_Token], words: frozenset[str]) -> bool:
    return words <= {t.word for t in tokens}


def _denials(tokens: Sequence[_Token]) -> int:
    return sum(t.word in _DENYING or t.word.endswith("n't") for t in tokens)


def _says_other(
    ours: Sequence[_Token], theirs: Sequence[_Token], noise: frozenset[str], places_max: int
) -> bool:
    """Whether two texts with one frame name different values in it."""
    places = [*_differences(ours, theirs)]
    if not places:
        return False
    first = places[0]
    thing = _content(ours[: first.start], noise)
    hinge = ours[first.start - 1].word if first.start else ""
    if not thing:
        return False
    values = [(_kind(place.new), _kind(place.old)) for place in places]
    if all(new is not None and new == old for new, old in values):
        # "Flat 12" and "flat 14" are two flats: a number right behind a thing is its name.
        is_name = values[0][0] in _NAMING and hinge not in _HINGES and hinge not in noise
        return not is_name and len(places) <= places_max
    return len(places) == 1 and hinge in _HINGES and first.names_on_both_sides()


class _Difference(NamedTuple):
    start: int  # in the newer
    new: Sequence[_Token]
    old: Sequence[_Token]

    def names_on_both_sides(self) -> bool:
        sides = (self.new, self.old)
        return all(
            0 < len(side) <= _VALUE_TOKENS_MAX and any(t.named for t in side[:3]) for side in sides
        )


def _differences(ours: Sequence[_Token], theirs: Sequence[_Token]) -> Iterator[_Difference]:
    matcher = SequenceMatcher(
        None, [t.word for t in theirs], [t.word for t in ours], autojunk=False
    )
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            continue
        new, old = ours[new_from:new_to], theirs[old_from:old_to]
        if new and old and new_to == len(ours) and old_to == len(theirs):
            # What one of them adds behind the value, a reason or a remark, is no part of it.
            length = min(len(new), len(old))
            new, old = new[:length], old[:length]
        yield _Difference(new_from, new, old)


def _kind(tokens: Sequence[_Token]) -> str | None:
    """The kind of value that some words name; None if it is none, or more."""
    if not 0 < len(tokens) <= 2:
        return None
    if all(t.number for t in tokens):
        return "number"
    kinds = values_of(" ".join(t.word for t in tokens)).keys() - {"number"}
    return next(iter(kinds)) if len(kinds) == 1 else None
