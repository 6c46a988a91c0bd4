"""From a chunk of text to its words, and from a compound to the parts it may be asked by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from scrubjay.language.spelling import casefolded, unaccented
from scrubjay.limits import TERM_CHARACTERS_MAX, VERSION_PARTS_MAX

# Scripts written without spaces, and Korean, whose particles cling to the noun.
_UNSEGMENTED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0f40-\u0fbc\u1000-\u1049\u1100-\u11ff\u1780-\u17d3"
    "\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# `\w` leaves out combining marks, which are the vowels of half the world's scripts.
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0"
    "\u0900-\u0963\u0966-\u0df3\u135d-\u135f\u1dc0-\u1dff"
)
_LETTERS = rf"(?![{_UNSEGMENTED}])\w(?:(?![{_UNSEGMENTED}])[\w{MARKS}])*"
_PIECE = re.compile(
    rf"(?P<run>[{_UNSEGMENTED}]+)"
    r"|(?P<symbol>(?<!\w)[A-Za-z](?:\+\+|\#)(?!\w))"  # C++, F#
    r"|(?P<number>(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!,?\w))"  # 1,450.50
    rf"|(?P<compound>{_LETTERS}(?:(?:://|[-.'@/\\:+&]){_LETTERS})*)"
)
_JOINTS = "_-.'@/\\:+&"
_STRONG_JOINT = re.compile(r"[@/\\:+&]+")
_WEAK_JOINT = re.compile(r"[-._']+")
_VERSION = re.compile(r"v?(\d+(?:[.:]\d+)+)")
_VERSION_PARTS = re.compile(r"[.:]?\d+")
_ABBREVIATION = re.compile(r"[^\W\d_æœþ](?:\.[^\W\d_æœþ])+")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_HUMPED = re.compile(r"[A-Za-z\d]*(?:[a-z][A-Z]|[A-Z]{2}[a-z])[A-Za-z\d]*")
_CONTRACTION = re.compile(r"[^\W\d_]+'(?:t|re|ve|ll|m|d)")
# The articles and pronouns that lose their vowel before another word: l'hôtel, dell'acqua.
_ELISIONS = re.compile(
    r"(?:(?:l|d|j|m|n|s|t|c|qu|jusqu|lorsqu|puisqu|un|dell|all|nell|sull|dall|quell|quest)"
    r"'(?=\w\w))+"
)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a normalised text, whole."""
    return tuple(whole for chunk in text.split() for whole in wholes(chunk))


def wholes(chunk: str) -> Iterator[str]:
    """The words of a chunk, whole."""
    return (group[0] for group in _groups(chunk))


def surfaces(chunk: str) -> Iterator[str]:
    """The words of a chunk and the parts they may be asked by."""
    return (surface for group in _groups(chunk) for surface in group)


def _groups(chunk: str) -> Iterator[tuple[str, ...]]:
    """The words of a chunk, each with its parts behind it; casefolded, never stemmed."""
    for piece in _PIECE.finditer(chunk):
        word = piece.group()
        if piece.lastgroup == "run":
            yield from ((pair,) for pair in _pairs(word))
        elif piece.lastgroup == "symbol":
            yield (word.casefold(),)
        elif word := word.replace(",", "").strip(_JOINTS):
            yield _compound(word) if len(word) <= TERM_CHARACTERS_MAX else _long_compound(word)


def _pairs(run: str) -> Iterator[str]:
    return (run[at : at + 2] for at in range(max(1, len(run) - 1)))


def _compound(word: str) -> tuple[str, ...]:
    """A word whole, and behind it the parts it may be asked by: JIRA-9921, JIRA, 9921."""
    whole = casefolded(word)
    if word.isalnum():
        return (whole, *_humps(word))
    if "'" in whole and (base := _owner(whole)) != (0, len(whole)):
        return _compound(word[slice(*base)])
    if _CONTRACTION.fullmatch(whole):
        return (whole,)
    if _ABBREVIATION.fullmatch(whole):
        return (whole, whole.replace(".", ""))
    if version := _VERSION.fullmatch(whole):
        return unique((whole, *_shorter_versions(version[1])))
    joint = _STRONG_JOINT if _STRONG_JOINT.search(word) else _WEAK_JOINT
    parts = [part.strip(_JOINTS) for part in joint.split(word) if part != word]
    parts = [part for part in parts if not _is_letter(part)]
    return unique((whole, *(surface for part in parts for surface in _compound(part))))


def _long_compound(word: str) -> tuple[str, ...]:
    """The same of a word longer than a term may be, which is found by its beginning."""
    return unique(surface[:TERM_CHARACTERS_MAX] for surface in _compound(word))


def _owner(whole: str) -> tuple[int, int]:
    """Where a word stands among its possessives and elided articles: hotel in l'hotel's."""
    end = len(whole)
    while end > 2 and whole.startswith("'s", end - 2):
        end -= 2
    elided = _ELISIONS.match(whole, 0, end)
    return 0 if elided is None else elided.end(), end


def _is_letter(part: str) -> bool:
    """Whether a part is a lone sign, which would find too much, in every spelling of it."""
    return len(part) < 2 and len(unaccented(casefolded(part))) < 2


def _humps(word: str) -> tuple[str, ...]:
    """The parts of camelCase; none for names such as iPhone, LeBron or OpenAI."""
    if not word.isascii() or not _HUMPED.fullmatch(word):
        return ()
    humps = _HUMP.findall(word)
    shortest = 2 if word[0].islower() else 3
    return tuple(hump.lower() for hump in humps) if min(map(len, humps)) >= shortest else ()


def _shorter_versions(version: str) -> Iterator[str]:
    """A version and what it is a part of: 16.2.1, 16.2, 16; a lone digit would find too much."""
    parts = islice(_VERSION_PARTS.finditer(version), VERSION_PARTS_MAX)
    shorter = [version[: part.end()] for part in parts]
    return (part for part in (version, *reversed(shorter)) if len(part) > 1)


def unique(terms: Iterable[str]) -> tuple[str, ...]:
    """Each once, in order."""
    return tuple(dict.fromkeys(terms))
