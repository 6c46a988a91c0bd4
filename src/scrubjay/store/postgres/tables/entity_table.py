"""Entities, their names, who mentions them and how they relate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrubjay.store.base import AliasMatch, NewMention
from scrubjay.store.postgres.tables.asking import Ask, BankSession, storable
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.shared.other_rows import relation_values, stored_relation
from scrubjay.types import Entity, EntityId, Relation, StoredRelation


def ensure_entity(session: BankSession, mention: NewMention, made: dict[str, EntityId]) -> EntityId:
    """The entity a mention names, made if it is new; `made` shares new ones within a batch."""
    entity = mention.entity if mention.entity is not None else made.get(mention.folded)
    if entity is None:
        entity = made[mention.folded] = insert_entity(session, mention)
    elif mention.explicit:
        session.run(SQL["mark_explicit"], [entity])
    return entity


def insert_entity(session: BankSession, mention: NewMention) -> EntityId:
    """A new entity with the names it answers to."""
    ((entity,),) = session.rows(SQL["take_entities"], 1)
    session.run(SQL["insert_entity"], entity, mention.name, mention.kind, mention.explicit)
    if mention.aliases:
        names, confidences = zip(*mention.aliases, strict=True)
        session.run(SQL["insert_aliases"], entity, list(names), list(confidences))
    return EntityId(entity)


def put_relation(
    session: BankSession, relation: Relation, ends: tuple[EntityId, EntityId], row: int | None
) -> int:
    """Store or refresh a relation; its number."""
    ((number,),) = session.rows(SQL["take_relation"])
    values = relation_values(relation, ends, row)
    ((stored,),) = session.rows(SQL["put_relation"], number, *values)
    return int(stored)


def find_aliases(ask: Ask, folded: Sequence[str]) -> list[AliasMatch]:
    """Who answers to these folded names; best alias first within a name."""
    found = ask(SQL["lookup_aliases"], storable(folded)) if folded else []
    return [AliasMatch(a, EntityId(e), n, k, c, m) for a, e, n, k, c, m in found]


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


def merge(session: BankSession, keep: int, drop: int) -> None:
    """Make `drop` another name of `keep`; every mention and relation moves over."""
    rows = [row for (row,) in session.rows(SQL["all_mentions"], drop)]
    _renumber(session, rows, {drop: keep})
    # What could not move was already there.
    session.run(SQL["copy_aliases"], keep, drop)
    session.run(SQL["delete_aliases"], [drop])
    session.run(SQL["move_relation_subjects"], keep, drop)
    session.run(SQL["move_relation_objects"], keep, drop)
    session.run(SQL["delete_relations_of_entity"], drop)
    session.run(SQL["mark_explicit"], [keep])
    session.run(SQL["delete_entities"], [drop])
    session.run(SQL["recount_mentions"], [keep])


def split(session: BankSession, entity: int, new: NewMention, rows: Sequence[int]) -> EntityId:
    """Give the mentions in `rows` to a new entity."""
    made = ensure_entity(session, new, {})
    mentioned = {row for (row,) in session.rows(SQL["all_mentions"], entity)}
    _renumber(session, [row for row in rows if row in mentioned], {entity: made})
    session.run(SQL["recount_mentions"], [entity, made])
    return made


def _renumber(session: BankSession, rows: Sequence[int], change: Mapping[int, int]) -> None:
    named = dict(session.rows(SQL["entities_of_rows"], list(rows)))
    for row in rows:
        after = list(dict.fromkeys(change.get(entity, entity) for entity in named[row]))
        session.run(SQL["set_unit_entities"], row, after)
    for old, new in change.items():
        session.run(SQL["delete_mentions"], [old] * len(rows), list(rows))
        session.run(SQL["insert_mentions"], [new] * len(rows), list(rows))


def drop_orphans(session: BankSession, entities: set[int], *, explicit: bool = False) -> int:
    """Remove entities that nothing mentions or relates any more; how many.

    Those the caller named outright only if `explicit`.
    """
    if not entities:
        return 0
    found = session.rows(SQL["orphan_entities"], sorted(entities), explicit)
    orphans = [number for (number,) in found]
    if orphans:
        session.run(SQL["delete_aliases"], orphans)
        session.run(SQL["delete_entities"], orphans)
    return len(orphans)
