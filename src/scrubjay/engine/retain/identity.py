"""The identity of a telling: a number by which a bank knows that it was told the same before.

It is stored with every unit, so its form is fixed: version 1 is the JSON list of `_told`, times in
UTC as ISO text, objects sorted by key. A later form must put its version in front of the list, and
be looked up beside this one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime

from scrubjay.types.graph import Cause, Relation
from scrubjay.types.units import Source, Unit
from scrubjay.types.values import Json

_BYTES = 8


def identity_of(unit: Unit, source: Source | None = None) -> int:
    """A number that is equal for equal tellings: everything the caller gave, nothing derived."""
    relations: list[Json] = [_relation(relation) for relation in unit.relations]
    causes: list[Json] = [[cause.other, str(cause.kind), cause.weight] for cause in unit.causes]
    return _hashed(_told(unit, source, relations, causes))


def earlier_identity_of(unit: Unit, source: Source | None = None) -> int | None:
    """What a bank may have stored for the same telling before the form was fixed; None: no other.

    Relations and causes stood in it as Python showed them.
    """
    if not unit.relations and not unit.causes:
        return None
    relations = [_relation_as_shown(relation) for relation in unit.relations]
    causes = [_cause_as_shown(cause) for cause in unit.causes]
    return _hashed(_told(unit, source, relations, causes))


def _told(
    unit: Unit, source: Source | None, relations: Sequence[Json], causes: Sequence[Json]
) -> list[Json]:
    return [
        unit.text, unit.type, unit.predicate, unit.context, unit.session, unit.speaker, unit.key,
        _shown(unit.occurred_start), _shown(unit.occurred_end), _shown(unit.told_at),
        _shown(unit.valid_from), _shown(unit.valid_to),
        list(unit.entities), list(unit.tags),
        json.dumps(unit.metadata, sort_keys=True) if unit.metadata else None,
        relations, causes,
        None if source is None else [source.document, source.start],
    ]  # fmt: skip


def _shown(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


# As `json.dumps` writes it, which looks at its options first.
_encode = json.JSONEncoder().encode


def _hashed(told: Sequence[Json]) -> int:
    digest = hashlib.blake2b(_encode(told).encode(), digest_size=_BYTES).digest()
    return int.from_bytes(digest, "little", signed=True)


def _relation(told: Relation) -> list[Json]:
    return [
        told.subject, told.relation, told.object, str(told.relation_class), told.confidence,
        _iso(told.valid_from), _iso(told.valid_to),
    ]  # fmt: skip


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat()


def _relation_as_shown(told: Relation) -> str:
    return (
        f"Relation(subject={told.subject!r}, relation={told.relation!r}, object={told.object!r}, "
        f"relation_class={told.relation_class!r}, confidence={told.confidence!r}, "
        f"valid_from={told.valid_from!r}, valid_to={told.valid_to!r})"
    )


def _cause_as_shown(told: Cause) -> str:
    return f"Cause(other={told.other!r}, kind={told.kind!r}, weight={told.weight!r})"
