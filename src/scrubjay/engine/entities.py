"""Gathers what is known of entities that share a name, so that one of them can be chosen."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from scrubjay.language.analyzer import Analyzer
from scrubjay.language.names import AliasCandidate, fold
from scrubjay.store.base import AliasMatch, BankReader
from scrubjay.types import EntityId

# Newest units of a candidate whose other entities are its context.
_CONTEXT_UNITS = 10
_NAMESAKES_MAX = 8


def candidates_of(
    bank: BankReader, matches: Sequence[AliasMatch], beside: Collection[EntityId] = ()
) -> list[AliasCandidate]:
    """The matches with the company each keeps; read only when there is a choice to make.

    `beside` are the other entities of the same text, relations to which speak for a candidate.
    """
    # Among many namesakes the ones spoken of most; the rest are hardly meant.
    matches = sorted(matches, key=lambda m: (-m.confidence, -m.mentions, m.entity))[:_NAMESAKES_MAX]
    ambiguous = len(matches) > 1
    related = _related(bank, matches, beside) if ambiguous and beside else {}
    return [
        AliasCandidate(
            entity_id=match.entity,
            name=match.name,
            kind=match.kind,
            alias=match.alias,
            confidence=match.confidence,
            mentions=match.mentions,
            context=_company(bank, match) if ambiguous else frozenset(),
            related=related.get(match.entity, 0),
        )
        for match in matches
    ]


def telling_words(text: str) -> frozenset[str]:
    """The words of a text that may tell namesakes apart: no stop words, stems beside surfaces."""
    return frozenset(Analyzer().query_terms(text).any_of)


def _company(bank: BankReader, match: AliasMatch) -> frozenset[str]:
    mentions = bank.mentions_of([match.entity], limit=_CONTEXT_UNITS)
    units = bank.hydrate(np.unique(mentions.rows))
    names = {fold(name) for unit in units for name in unit.entities}
    words = frozenset[str]().union(*(telling_words(unit.text) for unit in units))
    return frozenset((names | words) - {match.alias, fold(match.name)})


def _related(
    bank: BankReader, matches: Sequence[AliasMatch], beside: Collection[EntityId]
) -> dict[int, int]:
    counts: dict[int, int] = {}
    for edge in bank.relations_of([match.entity for match in matches]):
        if edge.other in beside:
            counts[edge.origin] = counts.get(edge.origin, 0) + 1
    return counts
