"""Finds whom a question means by kinship, by composing the relations that were told."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.answers import ResolvedEntity
from scrubjay.engine.shared.describing import asks_who
from scrubjay.engine.shared.entities import USER, bearers_of
from scrubjay.language.names import fold
from scrubjay.language.relations import IS, Kin, asked_relations, is_same_relation, kin_of
from scrubjay.store.base import BankReader
from scrubjay.types.values import EntityId

# Of one step, so many are followed further; and in the end so many may be meant.
_FOLLOWED_MAX = 8
_MEANT_MAX = 4
# What was composed of several told relations is surer than a guess, less than a name.
_CONFIDENCE = 0.8

_Reached = dict[EntityId, tuple[str, float]]  # by entity, its name and how sure


def kin_entities(question: str, bank: BankReader) -> list[ResolvedEntity]:
    """Whom "my sister's husband" or "my uncle" means, if the bank was told how they stand."""
    kin = kin_of(question)
    if kin is None or (kin.spelt_out and asks_who(question)):
        return []
    meant: _Reached = {}
    for way in kin.ways:
        meant = _at_the_end(way, kin, bank)
        if meant:
            break
    if kin.spelt_out and _leads_on(question, meant, bank):
        return []
    ranked = sorted(meant.items(), key=lambda one: (-one[1][1], one[0]))[:_MEANT_MAX]
    if not ranked:
        return []
    shares = tuple((entity, sure * _CONFIDENCE / len(ranked)) for entity, (_, sure) in ranked)
    entity, (name, _) = ranked[0]
    return [ResolvedEntity(question[kin.start : kin.end], entity, name, shares[0][1], shares)]


def _leads_on(question: str, meant: _Reached, bank: BankReader) -> bool:
    """Whether a question asks for one more relation that was told: a walk shows all of its way."""
    asked = [one.relation for one in asked_relations(question) if not one.noun]
    return bool(asked and meant) and any(
        is_same_relation(edge.relation, forward=edge.forward, asked=one, asked_forward=True)
        for edge in bank.relations_of(list(meant))
        for one in asked
    )


def _at_the_end(way: Sequence[str], kin: Kin, bank: BankReader) -> _Reached:
    """Who stands at the end of a way, each with how sure its steps are."""
    roles = kin.roles.get(way[0], ())
    starts = {USER, *map(fold, roles)} if kin.whose is None else {fold(kin.whose)}
    known = bank.lookup_aliases(sorted(starts))
    bearers = {match.entity for match in known if match.kind == "role" and kin.whose is None}
    reached: _Reached = {
        match.entity: (match.name, 1.0) for match in known if match.entity not in bearers
    }
    for step, relation in enumerate(way):
        reached = _step(bank, reached, relation) if reached else {}
        if step == 0 and bearers:
            # Who bears the role, and the role itself: more may be said of either. The relation
            # alone is also a brother's, where "my sister" is somebody.
            named = {one.entity: (one.name, 1.0) for one in bearers_of(bank, sorted(bearers))}
            reached = named or reached
            if len(way) > 1:
                reached |= dict.fromkeys(bearers, ("", 1.0))
        reached = dict([*reached.items()][:_FOLLOWED_MAX])
    # The user is nobody's relative but their own.
    return {entity: one for entity, one in reached.items() if one[0] not in ("", USER)}


def _step(bank: BankReader, reached: _Reached, relation: str) -> _Reached:
    """Those who are something to some others, each by its surest relation."""
    found: _Reached = {}
    for edge in bank.relations_of(list(reached)):
        if edge.relation != IS and is_same_relation(
            edge.relation, forward=edge.forward, asked=relation, asked_forward=False
        ):
            sure = reached[edge.origin][1] * min(edge.confidence / _SURE_RELATION, 1.0)
            if sure > found.get(edge.other, ("", 0.0))[1]:
                found[edge.other] = (edge.other_name, sure)
    return {entity: one for entity, one in found.items() if entity not in reached}


# The confidence of a relation that a text says outright.
_SURE_RELATION = 0.9
