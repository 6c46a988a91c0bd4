"""The frozen data that is written and read back: units, entities, sessions, reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType

import numpy as np
import numpy.typing as npt

UnitId = NewType("UnitId", str)
EntityId = NewType("EntityId", int)

# A unit's number inside its bank. Dense and increasing, so arrays can be indexed by it; never
# shown to callers, who see UnitIds.
RowArray = npt.NDArray[np.int64]
ScoreArray = npt.NDArray[np.float32]
VectorArray = npt.NDArray[np.float32]
MaskArray = npt.NDArray[np.bool_]

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

DEFAULT_TYPES = ("fact", "preference", "event", "entity", "opinion", "experience", "message")


class LinkKind(StrEnum):
    """What joins two units; `entity` links are derived from mentions, the rest are stored."""

    ENTITY = "entity"
    SEMANTIC = "semantic"
    CAUSES = "causes"
    CAUSED_BY = "caused_by"
    ENABLES = "enables"
    PREVENTS = "prevents"


class RelationClass(StrEnum):
    """How durable a relation between entities is; the entity walk weighs it."""

    STRUCTURAL = "structural"
    SEMANTIC = "semantic"
    LIFECYCLE = "lifecycle"


@dataclass(frozen=True, slots=True)
class Window:
    """A closed interval of time in UTC; `None` at an end means that end is open."""

    start: datetime | None
    end: datetime | None


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed edge from one entity to another; `confidence` is in (0, 1]."""

    subject: str
    relation: str
    object: str
    relation_class: RelationClass = RelationClass.SEMANTIC
    confidence: float = 1.0
    valid_from: datetime | None = None  # None: since always
    valid_to: datetime | None = None  # None: still holds


@dataclass(frozen=True, slots=True)
class Cause:
    """A causal link from the unit that carries it to `other`, a unit id or a unit's key."""

    other: str
    kind: LinkKind = LinkKind.CAUSES
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Source:
    """Where a unit was cut from: the document's id, and the span of its characters."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Unit:
    """One memory as a caller tells it; everything but `text` is optional."""

    text: str
    type: str | None = None  # None: decided by rule
    predicate: str | None = None
    context: str | None = None
    occurred_start: datetime | None = None  # None: read from the text, if it says
    occurred_end: datetime | None = None
    told_at: datetime | None = None  # None: now
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    entities: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    causes: tuple[Cause, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Json] = field(default_factory=dict)
    session: str | None = None
    speaker: str | None = None
    key: str | None = None
    id: str | None = None  # None: assigned; given only when a bank is copied


@dataclass(frozen=True, slots=True)
class StoredUnit:
    """One memory as the store keeps it."""

    id: UnitId
    text: str
    type: str
    told_at: datetime
    created_at: datetime
    predicate: str | None = None
    context: str | None = None
    occurred_start: datetime | None = None
    occurred_end: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    closed_at: datetime | None = None  # when `valid_to` was told; None: with the unit, or open
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Json] = field(default_factory=dict)
    session: str | None = None
    speaker: str | None = None
    key: str | None = None
    source: Source | None = None
    supersedes: UnitId | None = None
    superseded_by: UnitId | None = None
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Derived:
    """What retaining added beside the text, counted."""

    entities: int = 0
    relations: int = 0
    semantic_links: int = 0
    causal_links: int = 0
    dated: int = 0
    typed: int = 0


@dataclass(frozen=True, slots=True)
class Retained:
    """What `retain` did: one id per unit told, in order; each is new, a duplicate or an update."""

    ids: tuple[UnitId, ...]
    new: tuple[UnitId, ...]
    duplicates: tuple[UnitId, ...]
    updated: tuple[UnitId, ...]
    derived: Derived

    @property
    def id(self) -> UnitId:
        """The id of the first unit, for the common case of telling one thing."""
        return self.ids[0]


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, place, organisation, project or identifier that units mention."""

    id: EntityId
    name: str
    kind: str
    aliases: tuple[str, ...]
    mentions: int


@dataclass(frozen=True, slots=True)
class StoredRelation:
    """A relation as the store keeps it, with its entities resolved."""

    id: int
    subject: Entity
    relation: str
    object: Entity
    relation_class: RelationClass
    confidence: float
    valid_from: datetime | None
    valid_to: datetime | None


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation in the log; `ended_at` is None while nobody closed it."""

    name: str
    started_at: datetime
    last_at: datetime  # when its newest unit was told, or it was closed
    ended_at: datetime | None
    units: int


@dataclass(frozen=True, slots=True)
class Link:
    """One stored edge between two units, seen from `source`."""

    source: UnitId
    target: UnitId
    kind: LinkKind
    weight: float


@dataclass(frozen=True, slots=True)
class UnitFilter:
    """Which units a listing, an erasure or a recall is about; empty means all."""

    ids: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()  # a unit must carry all of them
    metadata: Mapping[str, Json] = field(default_factory=dict)  # equal on every key given
    session: str | None = None
    speaker: str | None = None
    key: str | None = None
    entity: str | None = None
    told: Window | None = None
    occurred: Window | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a listing; `cursor` continues it and is None at the end."""

    units: tuple[StoredUnit, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What `forget` removed, and from where; `compacted` says whether no byte is left on disk.

    `sessions` counts conversations taken out of the log, name and all, with their last unit.
    `left_closed` are units that stay ended though what replaced them is gone: that they ended was
    told, and `update(id, valid_to=None)` takes it back.
    `pending` says what is left on disk, why and until when; None: nothing that was to go.
    """

    units: int
    vectors: int
    words: int
    links: int
    mentions: int
    entities: int
    relations: int
    compacted: bool
    ids: tuple[UnitId, ...] = ()
    sessions: int = 0
    left_closed: tuple[UnitId, ...] = ()
    pending: str | None = None


@dataclass(frozen=True, slots=True)
class BankInfo:
    """A bank's identity card."""

    name: str
    created_at: datetime
    encoder: str | None  # None: no vectors yet
    units: int


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts and sizes of one bank."""

    bank: str
    units: int
    by_type: Mapping[str, int]
    entities: int
    relations: int
    sessions: int
    links: int
    vectors: int
    terms: int
    encoder: str | None
    disk_bytes: int
    oldest_told_at: datetime | None
    newest_told_at: datetime | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing `doctor` found wrong, and whether it was repaired."""

    check: str
    detail: str
    fixed: bool
