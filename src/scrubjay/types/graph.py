"""What joins units and entities, as it is told and as it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, ClassVar, TypedDict

from scrubjay.marks import About, Called, Day, OneOf
from scrubjay.types.values import EntityId, Measure, Name, Share, UnitId, check_order


class LinkKind(StrEnum):
    """What joins two units; `entity` links are derived from mentions, the rest are stored."""

    ENTITY = "entity"
    SEMANTIC = "semantic"
    CAUSES = "causes"
    CAUSED_BY = "caused_by"
    ENABLES = "enables"
    PREVENTS = "prevents"
    UPDATES = "updates"  # found by rule: what it says is no longer what the other says
    UPDATED_BY = "updated_by"
    DISTINCT = "distinct"  # told by the caller: both hold, whatever a rule finds


CAUSAL_KINDS = (LinkKind.CAUSES, LinkKind.CAUSED_BY, LinkKind.ENABLES, LinkKind.PREVENTS)
# What an export says of two units.
JOINING_KINDS = (*CAUSAL_KINDS, LinkKind.UPDATES, LinkKind.DISTINCT)


class RelationClass(StrEnum):
    """How durable a relation between entities is; the entity walk weighs it."""

    STRUCTURAL = "structural"
    SEMANTIC = "semantic"
    LIFECYCLE = "lifecycle"


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, place, organisation, project or identifier that units mention."""

    id: EntityId
    name: str
    kind: str
    aliases: tuple[str, ...]
    mentions: int


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed edge from one entity to another; `confidence` is in (0, 1]."""

    subject: Annotated[Name, About("An entity's name.", "Nadia")]
    relation: Annotated[Name, About("How the first stands to the second.", "reports-to")]
    object: Annotated[Name, About("An entity's name.", "Ada Brandt")]
    relation_class: RelationClass = RelationClass.SEMANTIC
    confidence: Share = 1.0
    # None: since always, and that it still holds.
    valid_from: Annotated[datetime | None, Day("first")] = None
    valid_to: Annotated[datetime | None, Day("last")] = None

    def checked(self, _: str) -> None:
        """BadInput for one that ends before it begins."""
        check_order(self, "valid_from", "valid_to")


class RelationFields(TypedDict, total=False):
    """The optional parts of a relation."""

    relation_class: RelationClass
    confidence: float
    valid_from: date | str | None
    valid_to: date | str | None


@dataclass(frozen=True, slots=True)
class StoredRelation:
    """A relation as the store keeps it, with its entities resolved."""

    json_keys: ClassVar = {
        "id": "id",
        "subject": "subject.name",
        "relation": "relation",
        "object": "object.name",
        "relation_class": "relation_class",
        "confidence": "confidence",
        "valid_from": "valid_from",
        "valid_to": "valid_to",
        "unit": "unit",
        "told": "told",
        "subject_id": "subject.id",
        "object_id": "object.id",
        "subject_entity": "subject",
        "object_entity": "object",
    }

    id: int
    subject: Entity
    relation: str
    object: Entity
    relation_class: RelationClass
    confidence: Measure
    valid_from: datetime | None
    valid_to: datetime | None
    unit: UnitId | None = None  # that says it, and takes it along; None: it was told by itself
    told: bool = True  # False: it was read from the unit's text


@dataclass(frozen=True, slots=True)
class Cause:
    """A causal link from the unit that carries it to `other`, a unit id or a unit's key."""

    json_short: ClassVar = "other"

    other: Annotated[Name, Called("cause"), About("A memory's id or key.")]
    kind: Annotated[LinkKind, OneOf(CAUSAL_KINDS), Called("link kind")] = LinkKind.CAUSES
    weight: Annotated[Share, Called("link weight")] = 1.0


@dataclass(frozen=True, slots=True)
class Link:
    """One stored edge between two units, seen from `source`."""

    source: UnitId
    target: UnitId
    kind: LinkKind
    weight: Measure
