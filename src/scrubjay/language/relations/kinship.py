"""Reads whom a question means by kinship over one or more steps: "my sister's husband"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scrubjay.language.relations.lexicon import Lexicon, lexicon_for

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_OWNER = re.compile(r"['’]s?$")
_STEPS_MAX = 3
_WAYS_MAX = 4
# Relations between people, over which one gets from one to another.
_BETWEEN_PEOPLE = frozenset(
    ("parent of", "child of", "sibling of", "married to", "partner of", "relative of", "manages",
     "works with", "friend of")
)  # fmt: skip


class Kin(NamedTuple):
    """Someone whom a question means by what they are to somebody."""

    start: int
    end: int
    whose: str | None  # a name, as written; None: the user's
    # The nearest first, what each is to the one before: "sibling of", then "married to".
    ways: tuple[tuple[str, ...], ...]
    # By the first step, the roles that say it of the user: "my mother", "my father".
    roles: Mapping[str, tuple[str, ...]]
    # Whether each step stands in the question as a relation asked for, over which a walk leads.
    spelt_out: bool


class _Said(NamedTuple):
    start: int
    end: int
    surface: str  # without a possessive
    word: str  # in lower case
    owns: bool


def kin_of(question: str) -> Kin | None:
    """The first whom a question means so, by two steps or more or by someone's name; else None."""
    words = lexicon_for(question)
    heard = [_surface(written).casefold() for written in _WORD.findall(question)]
    if words.kin.keys().isdisjoint(heard) and words.composed.keys().isdisjoint(heard):
        return None
    said = [_said(match) for match in _WORD.finditer(question)]
    for at in range(len(said)):
        found = _phrase(at, said, words)
        if found is None:
            continue
        whose, nouns, last = found
        ways = _ways(nouns, words)
        far = whose is not None or any(len(way) > 1 for way in ways)
        if ways and far:
            roles = _roles(nouns[0], ways, words) if whose is None else {}
            spelt = all(noun in words.kin and _in_law(noun, words) for noun in nouns)
            return Kin(said[at].start, said[last].end, whose, ways, roles, spelt)
    return None


def _in_law(noun: str, words: Lexicon) -> bool:
    return noun not in words.composed or noun.partition("-")[0] in words.in_law


def _roles(
    noun: str, ways: Sequence[Sequence[str]], words: Lexicon
) -> Mapping[str, tuple[str, ...]]:
    """What the user may call those who are one step away."""
    own = min(words.self_owner)
    if noun not in words.composed:
        return {words.kin[noun]: (f"{own} {words.same.get(noun, noun)}",)}
    return {
        first: tuple(
            f"{own} {word}"
            for word, relation in words.kin.items()
            if relation == first and word not in words.same and word not in words.plural
        )
        for first in dict.fromkeys(way[0] for way in ways)
    }


def _said(match: re.Match[str]) -> _Said:
    written = match.group()
    surface = _surface(written)
    owns = surface != written
    return _Said(match.start(), match.start() + len(surface), surface, surface.casefold(), owns)


def _surface(written: str) -> str:
    # Most words are letters alone, and have no possessive to look for.
    return written if written.isalpha() else _OWNER.sub("", written)


def _phrase(
    at: int, said: Sequence[_Said], words: Lexicon, steps: int = _STEPS_MAX
) -> tuple[str | None, list[str], int] | None:
    """Whose kin is named from a place on, by which nouns, the nearest first, and the last word."""
    if at >= len(said) or not steps:
        return None
    one = said[at]
    if one.word in words.self_owner:
        return _owned(None, [], at + 1, said, words)
    if one.surface in words.callings and one.owns:
        return _owned(None, [words.callings[one.surface].rpartition(" ")[2]], at + 1, said, words)
    if one.owns and one.surface[0].isupper():
        return _owned(one.surface, [], at + 1, said, words)
    if _is_kin(one, words) and not one.owns and at + 1 < len(said):
        behind = at + 1
        if said[behind].word in words.of or said[behind].word in words.genitive:
            behind += said[behind].word in words.of
        else:
            return None
        inner = _phrase(behind, said, words, steps - 1) or _named(behind, said)
        if inner is not None:
            whose, nouns, last = inner
            return whose, [*nouns, one.word], last
    return None


def _owned(
    whose: str | None, nouns: list[str], at: int, said: Sequence[_Said], words: Lexicon
) -> tuple[str | None, list[str], int] | None:
    """The nouns behind an owner: "sister's", "husband"; a word may stand before each."""
    last = at - 1
    while at < len(said) and len(nouns) < _STEPS_MAX:
        if not _is_kin(said[at], words) and at + 1 < len(said) and _is_kin(said[at + 1], words):
            at += 1
        if not _is_kin(said[at], words):
            break
        nouns, last = [*nouns, said[at].word], at
        if not said[at].owns:
            break
        at += 1
    return (whose, nouns, last) if nouns else None


def _named(at: int, said: Sequence[_Said]) -> tuple[str | None, list[str], int] | None:
    if at < len(said) and said[at].surface[0].isupper():
        return said[at].surface, [], at
    return None


def _is_kin(one: _Said, words: Lexicon) -> bool:
    return one.word in words.composed or words.kin.get(one.word) in _BETWEEN_PEOPLE


def _ways(nouns: Sequence[str], words: Lexicon) -> tuple[tuple[str, ...], ...]:
    """The steps that lead over some nouns, each the relation of the next to the one before."""
    ways: list[tuple[str, ...]] = [()]
    for noun in nouns:
        steps = words.composed.get(noun) or [[words.kin[noun]]]
        ways = [(*way, *step) for way in ways for step in steps]
    return tuple(way for way in ways if len(way) <= _STEPS_MAX)[:_WAYS_MAX]
