"""Gathers what is known of entities that share a name, so that one of them can be chosen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scrubjay.errors import BadInput, NotFound
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.names import AliasCandidate, fold
from scrubjay.language.relations import IS
from scrubjay.store.base import AliasMatch, BankReader, BankStore, Saying
from scrubjay.types.values import EntityId

_SIMPLE = Analyzer("simple")

# The bank's user, whom "I" and "my" mean in their turns.
USER = "user"
# What a relation names and no unit mentions: "payroll", "the billing service".
THING = "thing"

# Newest units of a candidate whose words and other entities are its context.
_CONTEXT_UNITS = 5
_NAMESAKES_MAX = 4
# Of a name that nobody answers to, the words by which others are offered.
_ALIKE_WORDS = 2


@dataclass(slots=True)
class Contexts:
    """The words and names beside entities, each read once; good until the bank changes."""

    bank: BankReader
    _known: dict[EntityId, frozenset[str]] = field(default_factory=dict)
    _words: dict[int, frozenset[str]] = field(default_factory=dict)  # by row

    def of(self, entities: Sequence[EntityId]) -> Mapping[EntityId, frozenset[str]]:
        """What stands beside each of some entities in its newest units; one read for all."""
        missing = [entity for entity in dict.fromkeys(entities) if entity not in self._known]
        if missing:
            mentions, said = self.bank.sayings_of(
                missing, limit=_CONTEXT_UNITS, besides=self._words
            )
            self._words |= {row: _words(saying) for row, saying in said.items()}
            self._known |= dict.fromkeys(missing, frozenset[str]())
            for entity, row in zip(mentions.entities.tolist(), mentions.rows.tolist(), strict=True):
                self._known[EntityId(entity)] |= self._words.get(row, frozenset())
        return self._known


def foremost(matches: Sequence[AliasMatch]) -> list[AliasMatch]:
    """Among many namesakes the ones spoken of most; the rest are hardly meant."""
    return sorted(matches, key=lambda m: (-m.confidence, -m.mentions, m.entity))[:_NAMESAKES_MAX]


def candidates_of(
    bank: BankReader,
    matches: Sequence[AliasMatch],
    beside: Collection[EntityId] = (),
    spoken_of: Collection[EntityId] = (),
    contexts: Contexts | None = None,
) -> list[AliasCandidate]:
    """The matches with the context each stands in; read only when there is a choice to make.

    `beside` are the other entities of the same text, relations to which speak for a candidate, as
    does being among those the session has `spoken_of`. `contexts` remembers what was read of the
    bank for others.
    """
    matches = foremost(matches)
    ambiguous = len(matches) > 1
    contexts = contexts or Contexts(bank)
    context = contexts.of([match.entity for match in matches]) if ambiguous else {}
    # Behind the context: from a server it comes with that.
    related = _related(bank, matches, beside) if ambiguous and beside else {}
    return [
        AliasCandidate(
            entity_id=match.entity,
            name=match.name,
            kind=match.kind,
            alias=match.alias,
            confidence=match.confidence,
            mentions=match.mentions,
            context=context.get(match.entity, frozenset()) - {match.alias, fold(match.name)},
            related=related.get(match.entity, 0) + (match.entity in spoken_of),
        )
        for match in matches
    ]


def the_entity(bank: BankStore, wanted: EntityId | str) -> EntityId:
    """The entity a caller means by its number, or by a name that it alone answers to."""
    if not isinstance(wanted, str):
        return wanted
    found = {match.entity: match for match in bank.lookup_aliases([fold(wanted)])}
    # Whose own name it is goes before who is called so as well.
    own = {entity: one for entity, one in found.items() if fold(one.name) == fold(wanted)}
    found = own or found
    if len(found) > 1:
        numbers = ", ".join(f"{entity} ({one.name})" for entity, one in sorted(found.items()))
        raise BadInput("several entities of that name", wanted, f"Give a number: {numbers}.")
    if not found:
        raise NotFound("no such entity", wanted, _alike(bank, wanted))
    return next(iter(found))


def _alike(bank: BankStore, wanted: str) -> str:
    """What to do about a name that nobody answers to: those that share a word with it, if any."""
    words = sorted(fold(wanted).split(), key=len, reverse=True)[:_ALIKE_WORDS]
    found = [
        one
        for word in words
        for one in bank.entities(limit=_NAMESAKES_MAX, offset=0, containing=word)
    ]
    near = {one.id: f"{one.id} ({one.name})" for one in found}
    if not near:
        return "List the entities for their names."
    return f"Is it one of these: {', '.join([*near.values()][:_NAMESAKES_MAX])}?"


class Bearer(NamedTuple):
    """Someone who is said to bear a role."""

    entity: EntityId
    name: str
    confidence: float


def bearers_of(bank: BankReader, roles: Sequence[EntityId]) -> list[Bearer]:
    """Who bears one of some roles, the surest first, each once."""
    best: dict[EntityId, Bearer] = {}
    for edge in bank.relations_of(roles):
        if edge.relation == IS and not edge.forward:
            known = best.get(edge.other)
            if known is None or known.confidence < edge.confidence:
                best[edge.other] = Bearer(edge.other, edge.other_name, edge.confidence)
    return sorted(best.values(), key=lambda bearer: (-bearer.confidence, bearer.entity))


def telling_words(text: str) -> frozenset[str]:
    """The words of a text that may tell namesakes apart: no stop words, stems beside surfaces."""
    return frozenset(Analyzer().query_terms(text).any_of)


def _words(said: Saying) -> frozenset[str]:
    # Stop words do no harm: the question they are compared with has none.
    return frozenset(_SIMPLE.document_terms(said.text)) | {fold(name) for name in said.entities}


def _related(
    bank: BankReader, matches: Sequence[AliasMatch], beside: Collection[EntityId]
) -> dict[int, int]:
    counts: dict[int, int] = {}
    for edge in bank.relations_of([match.entity for match in matches]):
        if edge.other in beside:
            counts[edge.origin] = counts.get(edge.origin, 0) + 1
    return counts
