"""Decides which known entity a name stands for, and how sure that is."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.language.names.aliases import (
    ARTICLES,
    initials,
    without_legal_form,
    without_project_word,
)
from scrubjay.language.names.folding import fold, fold_transliterated, title_of
from scrubjay.language.names.lists import (
    FEMININE_TITLES,
    FUNCTION_WORDS,
    GIVEN_NAMES,
    KIN,
    MASCULINE_TITLES,
    PLACES,
    SYNONYMS,
)
from scrubjay.language.names.people import PersonName, in_spoken_order, person_name, same_given_name
from scrubjay.types.values import EntityId


@dataclass(frozen=True, slots=True)
class AliasCandidate:
    """An entity whose alias was found in a text, with what speaks for it."""

    entity_id: EntityId
    name: str
    kind: str
    alias: str  # folded, as it was found
    confidence: float  # of the alias, in (0, 1]
    mentions: int = 0
    context: frozenset[str] = frozenset()  # folded words and names seen with the entity
    related: int = 0  # relations to other entities named in the same text


@dataclass(frozen=True, slots=True)
class Resolution:
    """Whom a mention most likely stands for, and everyone it may stand for."""

    mention: str
    start: int
    end: int
    entity_id: EntityId
    name: str
    confidence: float  # in (0, 1]
    candidates: tuple[tuple[EntityId, float], ...]  # best first; the sum is at most 1


# Weights of the evidence. Use alone never decides: the most used of two namesakes gets at most
# 1.75 / 2.75 = .64 of the belief. One shared word of context does: 6 / 7 = .86.
_USE_WEIGHT = 0.25  # per power of ten of earlier mentions
_USE_POWERS_MAX = 3.0
_CONTEXT_WEIGHT = 5.0  # per word that the text shares with this candidate and not with all
_RELATION_WEIGHT = 5.0  # per relation to someone else named in the text
_EVIDENCE_MAX = 4  # of each kind that counts

_DIGITS = re.compile(r"\d+")
_RELATIVE = re.compile(
    rf"(?:my|our|his|her|their|your)\s+(?:\w+\s+)?(?:{'|'.join(sorted(KIN))})\s+",
    re.IGNORECASE,
)
_INITIALS_MIN = 3


def resolve(
    mention: str,
    span: tuple[int, int],
    candidates: Sequence[AliasCandidate],
    context: frozenset[str],
) -> Resolution | None:
    """The entity a mention stands for, or None without candidates.

    Belief is shared among the candidates by use, context and relations, and scaled by how well
    the alias itself names its bearer. Equal candidates come in the order of their ids.
    """
    bearers = _one_per_entity(candidates)
    if not bearers:
        return None
    shared_by_all = frozenset.intersection(*(bearer.context for bearer in bearers))
    telling = context - shared_by_all if len(bearers) > 1 else context
    support = [_support(bearer, telling) for bearer in bearers]
    weights = [
        bearer.confidence * _use(bearer.mentions) * (1.0 + evidence)
        for bearer, evidence in zip(bearers, support, strict=True)
    ]
    total = sum(weights)
    beliefs = sorted(
        (
            (-(weight / total) * _trust(bearer.confidence, evidence), bearer.entity_id, bearer.name)
            for bearer, weight, evidence in zip(bearers, weights, support, strict=True)
        ),
    )
    best, entity_id, name = beliefs[0]
    ranked = tuple((entity, -belief) for belief, entity, _ in beliefs)
    return Resolution(mention, *span, entity_id, name, -best, ranked)


def _one_per_entity(candidates: Sequence[AliasCandidate]) -> list[AliasCandidate]:
    """Each entity once, by the alias that names it best."""
    best: dict[EntityId, AliasCandidate] = {}
    for candidate in candidates:
        known = best.get(candidate.entity_id)
        if known is None or candidate.confidence > known.confidence:
            best[candidate.entity_id] = candidate
    return list(best.values())


def _use(mentions: int) -> float:
    return 1.0 + _USE_WEIGHT * min(math.log10(1 + max(0, mentions)), _USE_POWERS_MAX)


def _support(bearer: AliasCandidate, context: frozenset[str]) -> float:
    shared = min(len(bearer.context & context), _EVIDENCE_MAX)
    related = min(max(0, bearer.related), _EVIDENCE_MAX)
    return _CONTEXT_WEIGHT * shared + _RELATION_WEIGHT * related


def _trust(confidence: float, evidence: float) -> float:
    """How far an alias can be trusted; each piece of evidence halves the doubt."""
    return 1.0 - (1.0 - confidence) * math.exp2(-evidence / _CONTEXT_WEIGHT)


# --- with nothing else known -------------------------------------------------------------------


def same_entity(mention: str, canonical: str) -> bool:
    """Whether a mention may be taken for this entity with nothing else known.

    True only by rule: equal after folding, a known spelling, a company without its legal form,
    a project with or without the word, initials, or a person by given name, by title and
    surname, or by initial and surname. Never because two names look alike, never when their
    digits differ, never when their titles contradict each other.
    """
    one, other = _stripped(mention), _stripped(canonical)
    if _titles_differ(one, other):
        return False
    left, right = _words(one), _words(other)
    if not left or not right:
        return False
    if left == right or " ".join(right) in SYNONYMS.get(" ".join(left), ()):
        return True
    if _DIGITS.findall(one) != _DIGITS.findall(other):
        return False
    return (
        fold_transliterated(one) == fold_transliterated(other)
        or "".join(left) == "".join(right)
        or _same_company(left, right)
        or without_project_word(left) == without_project_word(right)
        or _abbreviates(one, right)
        or _abbreviates(other, left)
        or _same_person(one, other)
    )


def _stripped(name: str) -> str:
    """The name without "my daughter" before it and with "Solberg, Ingrid" put in order."""
    spoken = in_spoken_order(name.strip())
    relative = _RELATIVE.match(spoken)
    return spoken[relative.end() :] if relative else spoken


def _words(name: str) -> list[str]:
    """Folded words without a leading article."""
    words = fold(name).split()
    return words[1:] if len(words) > 1 and words[0] in ARTICLES else words


def _titles_differ(one: str, other: str) -> bool:
    titles = {title_of(one), title_of(other)}
    return not titles.isdisjoint(FEMININE_TITLES) and not titles.isdisjoint(MASCULINE_TITLES)


def _same_company(left: list[str], right: list[str]) -> bool:
    """Equal but for a legal form that only one of them writes; Acme Inc is not Acme Ltd."""
    core, other = without_legal_form(left), without_legal_form(right)
    person = len(core) > 1 and core[0] in GIVEN_NAMES
    return core == other and (core == left or other == right) and not person


def _abbreviates(short: str, words: list[str]) -> bool:
    letters = short.replace(".", "").strip()
    return (
        len(letters) >= _INITIALS_MIN and letters.isupper() and letters.lower() == initials(words)
    )


def _same_person(one: str, other: str) -> bool:
    full = person_name(other)
    if full is None:
        words = _words(other)
        return len(words) == 1 and _calls_given_name(one, words[0])
    if _calls_given_name(one, full.given):
        return True
    named = person_name(one)
    if named is not None:
        return _same_full_name(named, full)
    # A surname of one word alone may be anyone's; with its particles it is rarely shared.
    return fold(one) == full.surname and (" " in full.surname or bool(title_of(one)))


def _calls_given_name(mention: str, given: str) -> bool:
    """Whether a mention is this given name, and not as well a place or an everyday word."""
    called = fold(mention)
    known = called.split()[0] in GIVEN_NAMES
    doubtful = called in PLACES or called in FUNCTION_WORDS
    return known and not doubtful and not title_of(mention) and same_given_name(called, given)


def _same_full_name(one: PersonName, other: PersonName) -> bool:
    if one.generation != other.generation or not _agree(one.surname, other.surname):
        return False
    if one.middle and other.middle and not _all_agree(one.middle, other.middle):
        return False
    return _agree(one.given, other.given) or same_given_name(one.given, other.given)


def _agree(one: str, other: str) -> bool:
    """Equal, or one is the other's initial."""
    return one == other or (1 in (len(one), len(other)) and one[0] == other[0])


def _all_agree(ones: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return len(ones) == len(others) and all(map(_agree, ones, others))
