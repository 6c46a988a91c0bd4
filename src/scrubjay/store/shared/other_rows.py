"""The rows of sessions, relations, judgements and looks as values, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from scrubjay.codec.compiled import decode, encode
from scrubjay.store.base import RelationEdge
from scrubjay.store.records import RelationRecord
from scrubjay.store.shared.times import from_micros, maybe_micros, maybe_moment, to_micros
from scrubjay.types.graph import Entity, Relation, RelationClass, StoredRelation
from scrubjay.types.reports import Look
from scrubjay.types.units import Feedback, Session
from scrubjay.types.values import EntityId, UnitId


def session_of(row: tuple[str, int, int, int | None, int]) -> Session:
    """A session from its name, its times and how many units it has."""
    name, started_at, last_at, ended_at, units = row
    return Session(
        name, from_micros(started_at), from_micros(last_at), maybe_moment(ended_at), units
    )


def relation_values(
    relation: Relation, ends: tuple[EntityId, EntityId], told: bool, told_by: object
) -> tuple[object, ...]:
    """A relation as the statements that store it take it; `told_by` names the unit's row or id."""
    return (
        ends[0], relation.relation, ends[1], str(relation.relation_class), relation.confidence,
        maybe_micros(relation.valid_from), maybe_micros(relation.valid_to), told, told_by,
    )  # fmt: skip


def copied_values(stored: RelationRecord) -> tuple[object, ...]:
    """A relation as the statement that copies it takes it, its number first."""
    return stored.id, *relation_values(stored.relation, stored.ends, stored.told, stored.unit)


def relation_record(row: Sequence[Any]) -> RelationRecord:
    """A relation from its number, ends, names, what it says, and the unit that told it."""
    number, subject, target, name, relation, other, kind, confidence, start, end, said, unit = row
    told = Relation(
        name, relation, other, RelationClass(kind), confidence,
        maybe_moment(start), maybe_moment(end),
    )  # fmt: skip
    return RelationRecord(number, (EntityId(subject), EntityId(target)), told, unit, bool(said))


def relation_edge(row: Sequence[Any], *, forward: bool) -> RelationEdge:
    """A relation seen from one of its ends: that end, the other, its name, and what is said."""
    origin, other, other_name, relation, kind, confidence, start, end, told, unit, number = row
    return RelationEdge(
        EntityId(origin), EntityId(other), other_name, relation, forward, kind, confidence,
        maybe_moment(start), maybe_moment(end), bool(told), unit, number,
    )  # fmt: skip


def stored_relation(row: Sequence[Any], subject: Entity, target: Entity) -> StoredRelation:
    """A relation from its number, its name and what is said of it, and from its ends."""
    number, relation, kind, confidence, start, end, told, unit = row
    return StoredRelation(
        number, subject, relation, target, RelationClass(kind), confidence,
        maybe_moment(start), maybe_moment(end), unit, bool(told),
    )  # fmt: skip


def judgement_values(feedback: Feedback) -> list[tuple[object, ...]]:
    """What was said of an answer, as the statement that stores it takes it, unit by unit."""
    said = {**dict.fromkeys(feedback.used, False), **dict.fromkeys(feedback.missed, True)}
    asked_at = to_micros(feedback.asked_at)
    return [(asked_at, feedback.question, unit, missed) for unit, missed in said.items()]


def feedback_of(rows: Iterable[tuple[int, str, str, bool]]) -> list[Feedback]:
    """What was said of answers from its rows, which are in order of time and question."""
    found: dict[tuple[int, str], tuple[list[UnitId], list[UnitId]]] = {}
    for asked_at, question, unit, missed in rows:
        found.setdefault((asked_at, question), ([], []))[bool(missed)].append(UnitId(unit))
    return [
        Feedback(question, from_micros(asked_at), tuple(used), tuple(missed))
        for (asked_at, question), (used, missed) in found.items()
    ]


def look_text(look: Look) -> str:
    """What a look at a bank found, as it is stored."""
    return json.dumps(encode(look))


def look_of(row: Sequence[str | None] | None) -> Look | None:
    """What a look found, from its row; None where there is none."""
    text = None if row is None else row[0]
    return None if text is None else decode(Look, json.loads(text), "look", strict=False)
