"""Which names of relations mean the same, and which the same seen from the other end."""

from __future__ import annotations

import re
from functools import lru_cache

from scrubjay.language.relations.lexicon import LANGUAGES, lexicon

# Seen from the other end: who is managed by someone reports to them.
_INVERSE = {
    "parent of": "child of",
    "child of": "parent of",
    "manages": "reports to",
    "reports to": "manages",
    "owns": "owned by",
    "owned by": "owns",
}
_MUTUAL = frozenset(
    ("sibling of", "married to", "partner of", "relative of", "works with", "friend of")
)
# A couple is asked for in either way.
_ALIKE = {"partner of": "married to", "works at": "works for"}

_SEPARATORS = re.compile(r"[\s_-]+")
_CACHED_NAMES_MAX = 4_096


def is_same_relation(told: str, *, forward: bool, asked: str, asked_forward: bool) -> bool:
    """Whether a relation, seen from one of its ends, is the one asked for from that end."""
    kind, wanted = kind_of(told), kind_of(asked)
    kind, wanted = _ALIKE.get(kind, kind), _ALIKE.get(wanted, wanted)
    if kind == wanted:
        return forward == asked_forward or wanted in _MUTUAL
    return _INVERSE.get(kind) == wanted and forward != asked_forward


@lru_cache(_CACHED_NAMES_MAX)
def kind_of(relation: str) -> str:
    """The relation as the rules call it, whatever a caller called it; its own words if unknown."""
    said = _SEPARATORS.sub(" ", relation.casefold()).strip()
    for language in LANGUAGES:
        words = lexicon(language)
        if any(said == verb.relation for verb in words.verbs):
            return said
        meant = words.relation_said(said)
        if meant is not None:
            return meant
        relative = said.removeprefix("is ").removesuffix(" of").removeprefix("the ")
        if relative in words.kin:
            return words.kin[relative]
    return said
