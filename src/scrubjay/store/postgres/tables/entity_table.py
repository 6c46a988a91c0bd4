"""Entities, their names, who mentions them and how they relate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrubjay.store.base import AliasMatch, NewMention
from scrubjay.store.postgres.tables.asking import Ask, BankTransaction, storable
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.shared.other_rows import relation_values, stored_relation
from scrubjay.types.graph import Entity, Relation, StoredRelation
from scrubjay.types.values import EntityId


def ensure_entity(
    transaction: BankTransaction, mention: NewMention, made: dict[str, EntityId]
) -> EntityId:
    """The entity a mention names, made if it is new; `made` shares new ones within a batch."""
    entity = mention.entity if mention.entity is not None else made.get(mention.folded)
    if entity is None:
        entity = made[mention.folded] = insert_entity(transaction, mention)
    elif mention.explicit:
        transaction.run(SQL["mark_explicit"], [entity])
    return entity


def insert_entity(transaction: BankTransaction, mention: NewMention) -> EntityId:
    """A new entity with the names it answers to."""
    ((entity,),) = transaction.rows(SQL["take_entities"], 1)
    transaction.run(SQL["insert_entity"], entity, mention.name, mention.kind, mention.explicit)
    if mention.aliases:
        names, confidences = zip(*mention.aliases, strict=True)
        transaction.run(SQL["insert_aliases"], entity, list(names), list(confidences))
    return EntityId(entity)


def put_relation(
    transaction: BankTransaction,
    relation: Relation,
    ends: tuple[EntityId, EntityId],
    row: int | None,
    *,
    told: bool = True,
) -> int:
    """Store or refresh a relation; its number."""
    ((number,),) = transaction.rows(SQL["take_relation"])
    values = relation_values(relation, ends, told, row)
    ((stored,),) = transaction.rows(SQL["put_relation"], number, *values)
    return int(stored)


def find_aliases(ask: Ask, folded: Sequence[str]) -> list[AliasMatch]:
    """Who answers to these folded names; best alias first within a name."""
    found = ask(SQL["lookup_aliases"], storable(folded)) if folded else []
    return [AliasMatch(a, EntityId(e), n, k, c, m) for a, e, n, k, c, m in found]


def whole_names(ask: Ask, folded: Sequence[str]) -> list[str]:
    """Those of these folded names that are all of somebody's."""
    found = ask(SQL["whole_names"], storable(folded)) if folded else []
    return [name for (name,) in found]


def read_entities(ask: Ask, entities: Sequence[int]) -> dict[int, Entity]:
    """Entities with their names, by number."""
    found = ask(SQL["get_entities"], list(entities)) if entities else []
    return {
        number: Entity(EntityId(number), name, kind, tuple(aliases), mentions)
        for number, name, kind, aliases, mentions in found
    }


def list_entities(ask: Ask, *, limit: int, offset: int, containing: str | None) -> list[Entity]:
    """Entities by use, most used first."""
    if containing is not None and not storable([containing]):
        return []
    listed = [number for (number,) in ask(SQL["list_entities"], containing, limit, offset)]
    found = read_entities(ask, listed)
    return [found[number] for number in listed if number in found]


def list_relations(ask: Ask, *, limit: int, offset: int) -> list[StoredRelation]:
    """Relations in the order they were told."""
    found = ask(SQL["list_relations"], limit, offset)
    listed = [((subject, target), said) for subject, target, *said in found]
    ends = read_entities(ask, sorted({end for pair, _ in listed for end in pair}))
    return [stored_relation(said, ends[one], ends[other]) for (one, other), said in listed]


def merge(transaction: BankTransaction, keep: int, drop: int) -> None:
    """Make `drop` another name of `keep`; every mention and relation moves over."""
    rows = [row for (row,) in transaction.rows(SQL["all_mentions"], drop)]
    _renumber(transaction, rows, {drop: keep})
    # What could not move was already there.
    transaction.run(SQL["copy_aliases"], keep, drop)
    transaction.run(SQL["delete_aliases"], [drop])
    transaction.run(SQL["move_relation_subjects"], keep, drop)
    transaction.run(SQL["move_relation_objects"], keep, drop)
    transaction.run(SQL["delete_relations_of_entity"], drop)
    transaction.run(SQL["mark_explicit"], [keep])
    transaction.run(SQL["delete_entities"], [drop])
    transaction.run(SQL["recount_mentions"], [keep])


def split(
    transaction: BankTransaction, entity: int, new: NewMention, rows: Sequence[int]
) -> EntityId:
    """Give the mentions in `rows` to a new entity."""
    made = ensure_entity(transaction, new, {})
    mentioned = {row for (row,) in transaction.rows(SQL["all_mentions"], entity)}
    _renumber(transaction, [row for row in rows if row in mentioned], {entity: made})
    transaction.run(SQL["recount_mentions"], [entity, made])
    return made


def _renumber(transaction: BankTransaction, rows: Sequence[int], change: Mapping[int, int]) -> None:
    named = dict(transaction.rows(SQL["entities_of_rows"], list(rows)))
    for row in rows:
        after = list(dict.fromkeys(change.get(entity, entity) for entity in named[row]))
        transaction.run(SQL["set_unit_entities"], row, after)
    for old, new in change.items():
        transaction.run(SQL["delete_mentions"], [old] * len(rows), list(rows))
        transaction.run(SQL["insert_mentions"], [new] * len(rows), list(rows))
