"""Who of those that answer to a name may be meant by it, in the text that says it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from scrubjay.language.names import fold, same_entity
from scrubjay.language.names.lists import EPITHETS, FAMILY_NAMES_FIRST, KIN, PLACES
from scrubjay.store.base import AliasMatch

# A bank names the same few again and again; half a kilobyte an entry.
_CACHED_NAMES_MAX = 16_384
_may_be_same = lru_cache(_CACHED_NAMES_MAX)(same_entity)

# A name that a text said someone has, or a caller: it needs no likeness to their own.
TOLD = 0.9

# Up to this an end of a name is a guess that a sentence about a place outweighs.
_GUESSED = 0.4

# Kinds of entities that are called by one word of their name.
BEARERS = ("person", "name")

_GOING = (
    r"(?:go|goes|going|gone|went|fly|flies|flying|flew|flight|flights|driv\w+|drove|travel\w*|trip"
    r"|trips|train|trains|bus|ferry|mov(?:e|es|ed|ing)|relocat\w+|return\w*|back|ticket|tickets|way)"
)
_PLACED = r"\b(?:in|near|around|outside|via|across|throughout) {0}\b(?!['’]s)"
_GONE_TO = rf"\b{_GOING}\b[^.!?;]{{{{0,30}}}}\b(?:to|from|for|towards?) {{0}}\b(?!['’]s)"
_INTRODUCED = rf"\w['’]s? (?:[\w-]+ )?(?:{'|'.join(sorted(KIN))}) {{0}}\b"


def answering(name: str, matches: Iterable[AliasMatch], said: str) -> list[AliasMatch]:
    """The entities that may be meant by a name; one the caller gave outright needs no likeness.

    `said` is the text that names them, empty where there is none.
    """
    found = [
        m
        for m in matches
        if m.confidence >= TOLD or _may_be_same(name, m.name) or _is_called_so(name, m, said)
    ]
    if len(found) > 1 and found[0].alias in PLACES and not _is_placed(name, said, moving=True):
        # Someone called like a city is meant before the city is.
        return [m for m in found if m.kind == "person"] or found
    return found


def may_mean(alias: str, match: AliasMatch) -> bool:
    """Whether a word that proves to be no name by itself may mean who answers to it."""
    return match.confidence >= TOLD or is_an_end(alias, match.name, match.kind)


def is_an_end(alias: str, name: str, kind: str) -> bool:
    """Whether a short form is the first or last of a full name, whatever list it is on."""
    if kind not in BEARERS or alias in PLACES:
        return False
    ends = fold(name).split()
    if len(ends) > 1 and ends[0] in EPITHETS:
        return alias in (ends[1], ends[-1], " ".join(ends[:2]), " ".join(ends[1:]))
    return len(ends) > 1 and alias in (ends[0], ends[-1])


@lru_cache(_CACHED_NAMES_MAX)
def first_name(folded: str, kind: str) -> str:
    """The word that a person's full name opens with and is called by; empty for other names."""
    first, _, rest = folded.partition(" ")
    if kind != "person" or not rest or len(first) < 2:
        return ""
    other = first in EPITHETS or first in KIN or first in PLACES or first in FAMILY_NAMES_FIRST
    return "" if other else first


def is_introduced(name: str, said: str) -> bool:
    """Whether a text says whose friend or relative that is, as of somebody new."""
    if "'s " not in said and "’s " not in said:
        return False
    return re.search(_INTRODUCED.format(re.escape(name)), said) is not None


def _is_called_so(name: str, match: AliasMatch, said: str) -> bool:
    if match.alias in PLACES:
        own = match.kind == "person" and fold(match.name).split()[0] == match.alias
        return own and said != "" and not _is_placed(name, said, moving=True)
    if not is_an_end(match.alias, match.name, match.kind):
        return False
    guessed = match.kind == "name" and match.confidence <= _GUESSED
    return not (guessed and _is_placed(name, said, moving=False))


def _is_placed(name: str, said: str, *, moving: bool) -> bool:
    """Whether a text says that something is in what is called so, or goes there."""
    own = re.escape(name)
    if re.search(_PLACED.format(own), said, re.IGNORECASE):
        return True
    return moving and re.search(_GONE_TO.format(own), said, re.IGNORECASE) is not None
