"""The short forms a name goes by, and where a question may be using one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scrubjay.language.names.everyday import looks_everyday, names_nothing
from scrubjay.language.names.folding import APPENDED, fold, fold_transliterated
from scrubjay.language.names.lists import (
    CALENDAR_WORDS,
    DEMONYMS,
    EPITHETS,
    FAMILY_NAMES_FIRST,
    GIVEN_NAMES,
    LEGAL_FORMS,
    NICKNAMES,
    ORGANISATION_WORDS,
    PARTICLES,
    PLACE_WORDS,
    PLACES,
    PROJECT_WORDS,
    SYNONYMS,
    TITLES,
)
from scrubjay.language.names.people import PersonName, nicknames_of, person_name

ALIAS_CANDIDATES_MAX = 200  # parameters of one lookup; more would only slow it down
_TOKENS_MAX = 1_000  # words of a question that are looked at
_CJK_LENGTHS = range(2, 7)  # characters of a name written without spaces

_NAME_WORDS_MAX = 5
_NOT_A_PERSON = (
    PLACES
    | PLACE_WORDS
    | ORGANISATION_WORDS
    | PROJECT_WORDS
    | LEGAL_FORMS
    | DEMONYMS
    | CALENDAR_WORDS
)

ARTICLES = frozenset(("the", "a", "an"))
_SMALL_WORDS = frozenset(("of", "the", "and", "for", "in", "de", "du", "des", "la"))


def derived_aliases(name: str, kind: str) -> tuple[tuple[str, float], ...]:
    """The folded forms a name may be called by, with confidence in (0, 1], best first.

    The first is the name itself with confidence 1. Each form is listed once, at its best.
    An identifier is only ever called by its whole self.
    """
    best: dict[str, float] = {}
    for alias, confidence in _forms(name, kind):
        if alias and confidence > best.get(alias, 0.0):
            best[alias] = confidence
    return tuple(sorted(best.items(), key=lambda item: (-item[1], item[0])))


def _forms(name: str, kind: str) -> Iterator[tuple[str, float]]:
    folded = fold(name)
    yield folded, 1.0
    yield fold_transliterated(name), 0.95
    if any(letter.isdigit() for letter in folded):
        yield folded.replace(" ", ""), 0.95
    if kind == "identifier":
        return
    words = folded.split()
    if words[:1] and words[0] in ARTICLES:
        yield " ".join(words[1:]), 0.95
    for synonym in SYNONYMS.get(folded, ()):
        yield synonym, 0.8
    if len(words) > 1 and words[0] in EPITHETS and kind in ("person", "name"):
        yield from _told_apart(words)
        return
    person = person_name(name, certain=kind == "person") if kind in ("person", "name") else None
    if person is not None:
        yield from _personal(person)
    elif kind in ("person", "name") and len(words) == 1:
        yield from ((short, 0.5) for short in nicknames_of(folded))
        yield from ((full, 0.4) for full in NICKNAMES.get(folded, ()))
    else:
        yield from _impersonal(words)
        yield from _perhaps_personal(name, kind)


def _perhaps_personal(name: str, kind: str) -> Iterator[tuple[str, float]]:
    """Either end of what is most likely a person's name though no list knows it."""
    person = person_name(name, certain=True) if kind == "name" else None
    if person is None or not 2 <= len(fold(name).split()) <= _NAME_WORDS_MAX:
        return
    words = [person.given, *person.middle, person.surname.rpartition(" ")[2]]
    if person.given in PARTICLES or not _may_be_called(person.given):
        return
    if all(map(_may_be_called, words)):
        yield person.given, 0.5
        yield person.surname, 0.4
        yield words[-1], 0.4
    # "Hollis Marsh", "Kestrel Riding Centre"; but "AWS Lambda" is one thing of many of AWS.
    elif name.partition(" ")[0][1:].islower() and _NOT_A_PERSON.isdisjoint(words):
        yield person.given, 0.4


def _told_apart(words: list[str]) -> Iterator[tuple[str, float]]:
    """The forms of "Old Tom Airey", who is no other Tom: "Old Tom" before "Tom"."""
    yield " ".join(words[:2]), 0.8
    yield " ".join(words[1:]), 0.5
    yield words[1], 0.4


def _may_be_called(word: str) -> bool:
    named = len(word) > 2 and word.replace(" ", "").isalpha()
    return named and word not in _NOT_A_PERSON and not looks_everyday(word)


def _personal(person: PersonName) -> Iterator[tuple[str, float]]:
    given, surname = person.given, person.surname
    yield person.short, 0.9
    yield f"{surname} {given}", 0.9
    called, family = given, surname
    if given in FAMILY_NAMES_FIRST and surname not in GIVEN_NAMES:
        called, family = surname, given
    # A name that is also an everyday word is met more often as the word.
    yield called, 0.5 if looks_everyday(called) else 0.8
    yield family, 0.4 if looks_everyday(family) else 0.6
    yield f"{given[0]} {surname}", 0.7
    yield f"{given} {surname[0]}", 0.5
    if " " in surname:
        yield surname.rpartition(" ")[2], 0.4
    for short in nicknames_of(given):
        yield f"{short} {surname}", 0.7
        yield short, 0.5
    for full in NICKNAMES.get(given, ()):
        yield f"{full} {surname}", 0.6
        yield full, 0.4


def _impersonal(words: list[str]) -> Iterator[tuple[str, float]]:
    core = without_legal_form(words)
    if core != words:
        yield " ".join(core), 0.9
    thing = without_project_word(words)
    if thing != words:
        yield " ".join(thing), 0.8
        yield " ".join([*thing, "project"]), 0.9
        yield " ".join(["project", *thing]), 0.9
    yield initials(core), 0.6


def without_legal_form(words: list[str]) -> list[str]:
    """A company's words without "Inc", "Ltd" and the like at the end."""
    end = len(words)
    while end > 1 and words[end - 1] in LEGAL_FORMS:
        end -= 1
    return words[:end]


def without_project_word(words: list[str]) -> list[str]:
    """ "project heron" and "heron project" as "heron"."""
    if len(words) > 1 and words[0] in PROJECT_WORDS:
        return words[1:]
    if len(words) > 1 and words[-1] in PROJECT_WORDS:
        return words[:-1]
    return words


def initials(words: list[str]) -> str:
    """The initials of three or more words, small words left out; empty for fewer."""
    letters = [word[0] for word in words if word not in _SMALL_WORDS]
    return "".join(letters) if len(letters) > 2 and all(map(str.isalpha, letters)) else ""


# --- where a question may use one --------------------------------------------------------------


class _Token(NamedTuple):
    folded: str
    start: int
    end: int
    marked: bool  # a capital or a digit: likely part of a name
    bare: bool  # may stand alone as a name
    edge: bool  # may begin or end a name of several words


_TOKEN = re.compile(r"[^\s,;:!?()\[\]{}<>\"“”„«»…|。，、！？；：（）「」《》【】]+")
_OUTER = ".'’‘`*~_-–—/\\@#"
_POSSESSIVE = re.compile(rf"(?:['’]s|['’]|{APPENDED})$", re.IGNORECASE)
_CJK_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_ONLY_SPACE = re.compile(r"[\s.]*")


def alias_candidates(text: str, *, words_max: int = 5) -> tuple[tuple[str, int, int], ...]:
    """Folded word sequences of a text that may be aliases, with their spans, in text order.

    Sequences of up to `words_max` words; of those that start together the longest comes first.
    At most `ALIAS_CANDIDATES_MAX`: when there are more, those with a capital or a digit stay.
    """
    tokens = list(_tokens(text))
    likely: dict[tuple[str, int, int], None] = {}
    others: dict[tuple[str, int, int], None] = {}
    for found, marked in _sequences(text, tokens, words_max):
        (likely if marked else others)[found] = None
        if len(likely) >= ALIAS_CANDIDATES_MAX:
            break
    chosen = [*likely, *others][:ALIAS_CANDIDATES_MAX]
    return tuple(sorted(chosen, key=lambda found: (found[1], -found[2], found[0])))


def _tokens(text: str) -> Iterator[_Token]:
    first = True
    for number, match in enumerate(_TOKEN.finditer(text)):
        if number == _TOKENS_MAX:
            return
        raw = match.group()
        token = _token(raw, match.start(), first, text)
        first = raw[-1] in ".!?"
        if token is not None:
            yield token


def _token(raw: str, start: int, first: bool, text: str) -> _Token | None:
    """One word as the alias table may know it; None for bare punctuation."""
    core = _POSSESSIVE.sub("", raw.rstrip(_OUTER)) if not raw.isalpha() else raw
    stripped = core.lstrip(_OUTER)
    start += len(core) - len(stripped)
    if not stripped:
        return None
    folded = stripped.lower() if stripped.isascii() and stripped.isalpha() else fold(stripped)
    function = folded in TITLES or names_nothing(folded, text)
    capital = stripped[0].isupper()
    shouted = capital and len(stripped) > 1 and stripped.isupper()
    numbered = not stripped.isalpha() and any(map(str.isdigit, stripped))
    marked = (capital and not (first and function)) or numbered
    bare = not function or shouted or (capital and not first and folded not in TITLES)
    edge = not function or (capital and (not first or folded in GIVEN_NAMES)) or folded in PARTICLES
    return _Token(folded, start, start + len(stripped), marked, bare, edge)


def _sequences(
    text: str, tokens: list[_Token], words_max: int
) -> Iterator[tuple[tuple[str, int, int], bool]]:
    for index, token in enumerate(tokens):
        if token.bare:
            for spelling in _spellings(text, token):
                yield (spelling, token.start, token.end), token.marked
        yield from (((part, start, end), True) for part, start, end in _cjk_parts(text, token))
        if not token.edge or token.folded in TITLES:
            continue
        words, marked = [token.folded], token.marked
        last = token
        for following in tokens[index + 1 : index + words_max]:
            if not _adjoin(text, last.end, following.start):
                break
            last = following
            words.append(following.folded)
            marked = marked or following.marked
            if following.edge:
                yield (_joined(words), token.start, following.end), marked


def _adjoin(text: str, end: int, start: int) -> bool:
    """Whether only space, or the stop of an initial, lies between two words."""
    between = text[end:start]
    return between == " " or _ONLY_SPACE.fullmatch(between) is not None


def _joined(words: Iterable[str]) -> str:
    phrase = " ".join(words)
    # Single letters next to each other are initials, which folding makes one word.
    return fold(phrase) if 1 in map(len, words) else phrase


def _spellings(text: str, token: _Token) -> Iterator[str]:
    yield token.folded
    surface = text[token.start : token.end]
    if not surface.isascii():
        other = fold_transliterated(surface)
        if other != token.folded:
            yield other


def _cjk_parts(text: str, token: _Token) -> Iterator[tuple[str, int, int]]:
    """Every short piece of a run that is written without spaces."""
    if token.folded.isascii():
        return
    for run in _CJK_RUN.finditer(text, token.start, token.end):
        for start in range(run.start(), run.end() - 1):
            for length in _CJK_LENGTHS:
                if start + length <= run.end():
                    yield fold(text[start : start + length]), start, start + length
