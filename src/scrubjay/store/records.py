"""What copying a bank takes beyond reading it: units, entities and relations as they are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scrubjay.types.arrays import RowArray
from scrubjay.types.graph import LinkKind, Relation
from scrubjay.types.units import Unit
from scrubjay.types.values import EntityId, UnitId


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """What a unit was stored with that no reader is shown, for who copies it.

    `links` are (the other row, kind, weight, whether it leads here); `vector` and `late`, those
    of its tokens, are None where the unit has none.
    """

    identity: int
    vector: npt.NDArray[np.float16] | None
    links: tuple[tuple[int, LinkKind, float, bool], ...]
    late: bytes | None = None


@dataclass(frozen=True, slots=True)
class StoredWords:
    """The words a unit is found by, with their counts up to 255, and how many words it has."""

    counts: Mapping[str, int]
    length: int


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """An entity as it is stored, but for its mentions."""

    id: EntityId
    name: str
    kind: str
    explicit: bool
    aliases: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class RelationRecord:
    """A relation as it is stored; `unit` told it and takes it along when it goes."""

    id: int
    ends: tuple[EntityId, EntityId]
    relation: Relation
    unit: UnitId | None  # None: it was told by itself
    told: bool = True  # False: read from the unit's text


@dataclass(frozen=True, slots=True)
class PendingUnit:
    """A unit that waits to be approved, as it was told, and the identity it will have."""

    id: UnitId
    identity: int
    created_at: datetime
    unit: Unit


class BankPending(Protocol):
    """What waits to be approved, apart from everything that is searched and counted."""

    def put_pending(self, units: Sequence[PendingUnit]) -> None: ...
    def pending(self, *, limit: int, offset: int) -> list[PendingUnit]: ...
    def find_pending(
        self, *, ids: Sequence[str] = (), identities: Sequence[int] = ()
    ) -> list[PendingUnit]: ...
    def count_pending(self) -> int: ...
    def drop_pending(self, ids: Sequence[UnitId]) -> str | None: ...
    def new_id(self) -> UnitId: ...


class BankCopying(Protocol):
    """Takes a bank over into another: what the readers do not show, and its way in."""

    def unit_records(self, rows: RowArray) -> dict[int, UnitRecord]: ...
    def words_of(self, rows: RowArray) -> dict[int, StoredWords]: ...
    def entity_records(self, *, after: int, limit: int) -> list[EntityRecord]: ...
    def relation_records(self, *, after: int, limit: int) -> list[RelationRecord]: ...
    def put_entities(self, entities: Sequence[EntityRecord]) -> None: ...
    def put_relations(self, relations: Sequence[RelationRecord]) -> None: ...
