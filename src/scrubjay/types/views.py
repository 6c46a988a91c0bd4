"""What is shown to who looks at a bank instead of asking it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from scrubjay.types.graph import Entity
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import EntityId, Measure, UnitId


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a listing; `cursor` continues it and is None at the end.

    `total` counts all that pass the filter.
    """

    units: tuple[StoredUnit, ...]
    cursor: str | None
    total: int = 0


@dataclass(frozen=True, slots=True)
class PendingUnits:
    """Units that wait to be approved, oldest first; `total` counts them all."""

    units: tuple[StoredUnit, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two units of which the newer seems to change what the older says; nothing was done yet."""

    old: StoredUnit
    new: StoredUnit
    confidence: Measure
    reason: str


@dataclass(frozen=True, slots=True)
class Bucket:
    """Units of one span of time, from `start` until before `end`, also by type."""

    start: datetime
    end: datetime
    units: int
    types: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many units were told, or happened, when; spans follow each other, empty ones too.

    `undated` of the `total` say no time when they happened, and are in no span.
    """

    by: str
    grain: str
    timezone: str  # in which a day is a day
    total: int
    undated: int
    buckets: tuple[Bucket, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A unit or an entity, and how many steps it is from the centre."""

    id: str  # "u:" and a unit's id, or "e:" and an entity's number
    kind: str  # "unit" or "entity"
    ref: str
    label: str
    type: str  # a unit's type, or an entity's kind
    told_at: datetime | None  # None: an entity
    distance: int


@dataclass(frozen=True, slots=True)
class Edge:
    """What joins two nodes, how strongly, in (0, 1]; a relation says which in `label`."""

    source: str
    target: str
    kind: str
    strength: Measure
    label: str | None = None  # None: its kind says it all


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What stands next to one unit or entity: the centre first, then the strongest.

    `more`: something that stands next to it was left out.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class EntityRelation:
    """A relation as one of its entities sees it; `forward`: it goes out from that one."""

    id: int
    relation: str
    forward: bool
    other: EntityId
    other_name: str
    relation_class: str
    confidence: Measure
    valid_from: datetime | None
    valid_to: datetime | None
    told: bool  # False: read from a unit's text
    unit: UnitId | None  # that says it; None: it was told by itself


@dataclass(frozen=True, slots=True)
class MentionedTogether:
    """Another entity, and how many units mention both."""

    entity: EntityId
    name: str
    units: int


@dataclass(frozen=True, slots=True)
class EntityCard:
    """An entity, how it stands to others, and who else answers to one of its names.

    `together` are those most often mentioned with it, by its newest mentions.
    """

    entity: Entity
    relations: tuple[EntityRelation, ...]
    same_name: tuple[Entity, ...]
    together: tuple[MentionedTogether, ...] = ()
