"""Entities, their names, who mentions them and how they relate."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from scrubjay.limits import RELATIONS_PER_ENTITY_MAX
from scrubjay.store.base import (
    AliasMatch,
    EntityMentions,
    NewMention,
    RelationEdge,
)
from scrubjay.store.embedded.tables.packing import pack_entities, unpack_entities
from scrubjay.store.embedded.tables.sql import SQL, int_list, json_list
from scrubjay.store.records import EntityRecord, RelationRecord
from scrubjay.store.shared.other_rows import (
    relation_edge,
    relation_record,
    relation_values,
    stored_relation,
)
from scrubjay.store.shared.ranked_rows import distinct
from scrubjay.types.graph import Entity, Relation, StoredRelation
from scrubjay.types.values import EntityId

_NONE = np.empty(0, np.int64)

# Of those who share a name, so many are read.
_SHARING_MAX = 64


def ensure_entity(
    connection: sqlite3.Connection, mention: NewMention, made: dict[str, EntityId]
) -> EntityId:
    """The entity a mention names, made if it is new; `made` shares new ones within a batch."""
    entity = mention.entity if mention.entity is not None else made.get(mention.folded)
    if entity is None:
        entity = made[mention.folded] = insert_entity(connection, mention)
        put_aliases(connection, aliases_of(entity, mention))
    elif mention.explicit:
        connection.execute(SQL["mark_entity_explicit"], (entity,))
    return entity


def insert_entity(connection: sqlite3.Connection, mention: NewMention) -> EntityId:
    """A new entity, without the names it answers to."""
    cursor = connection.execute(
        SQL["insert_entity"], (mention.name, mention.kind, int(mention.explicit))
    )
    return EntityId(int(cursor.lastrowid or 0))


def aliases_of(entity: EntityId, mention: NewMention) -> list[tuple[str, EntityId, float]]:
    """The names a new entity answers to, for `put_aliases`."""
    return [(alias, entity, confidence) for alias, confidence in mention.aliases]


def put_aliases(
    connection: sqlite3.Connection, aliases: Sequence[tuple[str, EntityId, float]]
) -> None:
    """Let entities answer to names; the better confidence stays."""
    connection.executemany(SQL["insert_alias"], aliases)


def put_relation(
    connection: sqlite3.Connection,
    relation: Relation,
    ends: tuple[EntityId, EntityId],
    row: int | None,
    *,
    told: bool = True,
) -> int:
    """Store or refresh a relation; its number."""
    values = relation_values(relation, ends, told, row)
    ((number,),) = connection.execute(SQL["put_relation"], values).fetchall()
    return int(number)


def find_aliases(connection: sqlite3.Connection, folded: Sequence[str]) -> list[AliasMatch]:
    """Who answers to these folded names; best alias first within a name, then the most used.

    Bounded for each name: a given name that thousands share is read no further than the first
    few, which is more than anyone can tell apart.
    """
    names, most = json_list(folded), max(_SHARING_MAX, len(folded))
    # Mostly no name has more, and to bound each takes as long as to find them.
    found = connection.execute(SQL["few_aliases"], (names, most)).fetchall()
    if len(found) == most or _is_shared_by_many(found):
        found = connection.execute(SQL["lookup_aliases"], (names, _SHARING_MAX)).fetchall()
    places = {name: place for place, name in enumerate(folded)}
    matches = list(map(AliasMatch._make, found))
    matches.sort(key=lambda m: (places[m.alias], -m.confidence, -m.mentions, m.entity))
    return matches


def whole_names(connection: sqlite3.Connection, folded: Sequence[str]) -> list[str]:
    """Those of these folded names that are all of somebody's."""
    found = connection.execute(SQL["whole_names"], (json_list(folded),)).fetchall()
    return [name for (name,) in found]


def _is_shared_by_many(found: Sequence[tuple[str, ...]]) -> bool:
    """Whether one of the names that were found, each in its first column, is that of too many."""
    if len(found) <= _SHARING_MAX:
        return False
    return max(Counter(alias for alias, *_ in found).values()) > _SHARING_MAX


def entity_mentions_of_rows(connection: sqlite3.Connection, rows: Sequence[int]) -> EntityMentions:
    """The entities named by each row."""
    found = connection.execute(SQL["entities_of_rows"], (int_list(rows),)).fetchall()
    blobs = [(row, np.frombuffer(blob, "<i4").astype(np.int64)) for row, blob in sorted(found)]
    if not blobs:
        return EntityMentions(np.empty(0, np.int64), np.empty(0, np.int64), {})
    entities = np.concatenate([ids for _, ids in blobs])
    sources = np.repeat([row for row, _ in blobs], [len(ids) for _, ids in blobs])
    return EntityMentions(entities, sources, totals(connection, distinct(entities).tolist()))


def newest_mentions(
    connection: sqlite3.Connection, entities: Sequence[int], limit: int
) -> EntityMentions:
    """For each entity, the newest rows that mention it."""
    found = connection.execute(SQL["newest_mentions"], (int_list(entities), limit)).fetchall()
    # Read natively: of someone with many mentions, to make numbers of them one by one takes longer
    # than to find them.
    lists = [np.fromstring(rows, np.int64, sep=",") if rows else _NONE for _, rows, _ in found]
    sources = np.array([entity for entity, _, _ in found], np.int64)
    return EntityMentions(
        np.repeat(sources, [len(rows) for rows in lists]),
        np.concatenate([_NONE, *lists]),
        {entity: total for entity, _, total in found if total is not None},
    )


def totals(connection: sqlite3.Connection, entities: Sequence[int]) -> dict[int, int]:
    """How many units mention each entity."""
    return dict(connection.execute(SQL["entity_totals"], (int_list(entities),)).fetchall())


def names_of(connection: sqlite3.Connection, entities: Iterable[int]) -> dict[int, str]:
    """The names of entities by id."""
    return dict(connection.execute(SQL["entity_names"], (int_list(entities),)).fetchall())


def relation_edges(connection: sqlite3.Connection, entities: Sequence[int]) -> list[RelationEdge]:
    """Relations touching these entities, seen from them, outgoing first."""
    asked = (int_list(entities), RELATIONS_PER_ENTITY_MAX)
    found = connection.execute(SQL["relations_touching"], asked).fetchall()
    return [relation_edge(said, forward=bool(forward)) for forward, *said in found]


def read_entity(connection: sqlite3.Connection, entity: int) -> Entity | None:
    """One entity with its names."""
    found = connection.execute(SQL["get_entity"], (entity,)).fetchone()
    return None if found is None else _with_aliases(connection, found)


def list_entities(
    connection: sqlite3.Connection, *, limit: int, offset: int, containing: str | None
) -> list[Entity]:
    """Entities by use, most used first."""
    found = connection.execute(SQL["list_entities"], (containing, limit, offset)).fetchall()
    return [_with_aliases(connection, row) for row in found]


def _with_aliases(connection: sqlite3.Connection, row: tuple[int, str, str, int]) -> Entity:
    number, name, kind, mentions = row
    aliases = connection.execute(SQL["aliases_of_entity"], (number,))
    return Entity(EntityId(number), name, kind, tuple(alias for (alias,) in aliases), mentions)


def list_relations(
    connection: sqlite3.Connection, *, limit: int, offset: int
) -> list[StoredRelation]:
    """Relations in the order they were told."""
    listed = []
    for one, other, *said in connection.execute(SQL["list_relations"], (limit, offset)).fetchall():
        subject, target = read_entity(connection, one), read_entity(connection, other)
        assert subject is not None and target is not None, f"relation {said[0]} lost an entity"
        listed.append(stored_relation(said, subject, target))
    return listed


def entity_records(connection: sqlite3.Connection, *, after: int, limit: int) -> list[EntityRecord]:
    """Up to `limit` entities after a number, as they are stored."""
    found = connection.execute(SQL["entities_after"], (after, limit)).fetchall()
    return [
        EntityRecord(
            EntityId(number), name, kind, bool(explicit),
            tuple(connection.execute(SQL["alias_confidences"], (number,)).fetchall()),
        )
        for number, name, kind, explicit in found
    ]  # fmt: skip


def put_entities(connection: sqlite3.Connection, entities: Iterable[EntityRecord]) -> None:
    """Store entities under their own numbers; those that are there stay as they are."""
    for entity in entities:
        values = (entity.id, entity.name, entity.kind, int(entity.explicit))
        connection.execute(SQL["put_entity"], values)
        connection.executemany(
            SQL["insert_alias"],
            [(alias, entity.id, confidence) for alias, confidence in entity.aliases],
        )


def relation_records(
    connection: sqlite3.Connection, *, after: int, limit: int
) -> list[RelationRecord]:
    """Up to `limit` relations after a number, as they are stored."""
    found = connection.execute(SQL["relations_after"], (after, limit))
    return [relation_record(row) for row in found]


def merge(connection: sqlite3.Connection, keep: int, drop: int) -> None:
    """Make `drop` another name of `keep`; every mention and relation moves over."""
    rows = [row for (row,) in connection.execute(SQL["all_mentions"], (drop,))]
    _renumber(connection, rows, {drop: keep})
    gone = (json_list([drop]),)
    # What could not move was already there.
    connection.execute(SQL["move_aliases"], (keep, drop))
    connection.execute(SQL["delete_aliases"], gone)
    connection.execute(SQL["move_relation_subjects"], (keep, drop))
    connection.execute(SQL["move_relation_objects"], (keep, drop))
    connection.execute(SQL["delete_relations_of_entity"], (drop,))
    connection.execute(SQL["mark_entity_explicit"], (keep,))
    connection.execute(SQL["delete_entities"], gone)
    connection.execute(SQL["recount_mentions"], (keep,))


def split(
    connection: sqlite3.Connection, entity: int, new: NewMention, rows: Sequence[int]
) -> EntityId:
    """Give the mentions in `rows` to a new entity."""
    made = ensure_entity(connection, new, {})
    mentioned = {row for (row,) in connection.execute(SQL["all_mentions"], (entity,))}
    _renumber(connection, [row for row in rows if row in mentioned], {entity: made})
    for changed in (entity, made):
        connection.execute(SQL["recount_mentions"], (changed,))
    return made


def _renumber(connection: sqlite3.Connection, rows: Sequence[int], change: dict[int, int]) -> None:
    blobs = dict(connection.execute(SQL["entities_of_rows"], (int_list(rows),)).fetchall())
    for row in rows:
        before = unpack_entities(blobs.get(row))
        after = list(dict.fromkeys(change.get(entity, entity) for entity in before))
        connection.execute(SQL["set_unit_entities"], (pack_entities(after), row))
        for old, new in change.items():
            connection.execute(SQL["delete_mention"], (old, row))
            connection.execute(SQL["insert_mention"], (new, row))
