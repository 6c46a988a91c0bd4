"""One entity with what joins it to others, and what a change of entities would do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from scrubjay.errors import BadInput, NotFound
from scrubjay.language.names import fold
from scrubjay.store.base import BankStore
from scrubjay.types.graph import Entity
from scrubjay.types.outcomes import EntityChange
from scrubjay.types.values import EntityId, UnitId
from scrubjay.types.views import EntityCard, EntityRelation, MentionedTogether

_NEW = EntityId(0)
# Of an entity that a whole bank is about the newest mentions tell enough; so many others are shown.
_MENTIONS_READ_MAX = 5_000
_TOGETHER_MAX = 20


def card_of(bank: BankStore, number: EntityId) -> EntityCard:
    """An entity, its relations in the order they were told, and who shares a name with it."""
    entity = _existing(bank, number)
    edges = sorted(bank.relations_of([entity.id]), key=lambda edge: edge.number)
    rows = sorted({edge.row for edge in edges if edge.row is not None})
    said = bank.ids_of(np.array(rows, np.int64)) if rows else {}
    relations = (
        EntityRelation(
            edge.number, edge.relation, edge.forward, edge.other, edge.other_name,
            edge.relation_class, edge.confidence, edge.valid_from, edge.valid_to, edge.told,
            UnitId(said[edge.row]) if edge.row in said else None,
        )
        for edge in edges
    )  # fmt: skip
    return EntityCard(
        entity,
        tuple(relations),
        _also(bank, entity.aliases, {entity.id}),
        _together(bank, entity.id),
    )


def _together(bank: BankStore, number: EntityId) -> tuple[MentionedTogether, ...]:
    """Who is mentioned with an entity in one unit, most often first, then by number."""
    rows = bank.mentions_of([number], limit=_MENTIONS_READ_MAX).rows
    others, counts = np.unique(bank.entities_of(rows).entities, return_counts=True)
    most = [place for place in np.lexsort((others, -counts)).tolist() if others[place] != number]
    found = ((bank.entity(EntityId(int(others[place]))), counts[place]) for place in most)
    named = (
        MentionedTogether(other.id, other.name, int(units))
        for other, units in found
        if other is not None
    )
    return tuple(islice(named, _TOGETHER_MAX))


def merged(bank: BankStore, keep: EntityId, drop: EntityId) -> EntityChange:
    """What making two entities one would do."""
    if keep == drop:
        raise BadInput("an entity cannot be merged with itself", keep, "Give two entities.")
    first, second = _existing(bank, keep), _existing(bank, drop)
    most = max(first.mentions, second.mentions, 1)
    rows = np.unique(bank.mentions_of([keep, drop], limit=most).rows)
    aliases = tuple(sorted({*first.aliases, *second.aliases}))
    after = replace(first, aliases=aliases, mentions=len(rows))
    return EntityChange(
        (first, second),
        (after,),
        second.mentions,
        len({edge.number for edge in bank.relations_of([drop])}),
        _also(bank, second.aliases, {keep, drop}),
    )


def split(bank: BankStore, number: EntityId, name: str, units: Sequence[UnitId]) -> EntityChange:
    """What giving some mentions to a new entity would do."""
    entity = _existing(bank, number)
    rows = bank.rows_of(units)
    for unit in units:
        if unit not in rows:
            raise NotFound(
                "no such unit in this bank", unit, "List the bank's units for their ids."
            )
    mentions = bank.entities_of(np.array(sorted(rows.values()), np.int64))
    moved = len(set(mentions.rows[mentions.entities == number].tolist()))
    made = Entity(_NEW, name, entity.kind, (fold(name),), moved)
    left = replace(entity, mentions=entity.mentions - moved)
    return EntityChange((entity,), (left, made), moved, 0, _also(bank, made.aliases, {number}))


def aliased(bank: BankStore, number: EntityId, alias: str) -> EntityChange:
    """What giving an entity another name would do."""
    entity, folded = _existing(bank, number), fold(alias)
    after = replace(entity, aliases=tuple(sorted({*entity.aliases, folded})))
    return EntityChange((entity,), (after,), 0, 0, _also(bank, (folded,), {number}))


def _existing(bank: BankStore, number: EntityId) -> Entity:
    found = bank.entity(number)
    if found is None:
        raise NotFound("no such entity in this bank", number, "List what there is.")
    return found


def _also(bank: BankStore, names: Iterable[str], own: set[EntityId]) -> tuple[Entity, ...]:
    """Others that answer to one of some names, by number."""
    others = {match.entity for match in bank.lookup_aliases(list(names))} - own
    found = (bank.entity(number) for number in sorted(others))
    return tuple(entity for entity in found if entity is not None)
