"""The frozen data that is written and read back: units, entities, sessions, reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, ClassVar, NewType, TypedDict

import numpy as np
import numpy.typing as npt

from scrubjay import limits
from scrubjay.errors import BadInput
from scrubjay.marks import (
    About,
    Between,
    Called,
    Count,
    Day,
    Metadata,
    NotSent,
    OneOf,
    Pattern,
    Rounded,
    Suggested,
    Text,
    Unsaid,
)

UnitId = NewType("UnitId", str)
EntityId = NewType("EntityId", int)
# The same as they are published. What has another form is not there, which the engine says.
Identifier = Annotated[
    UnitId,
    Pattern("[0-9a-hjkmnp-tv-z]{20}", 20),
    About("A memory's id.", "06cq3yv0n2m8r4t1kz5w"),
]
_LISTED = "Give the number that a listing shows."
# Which part of a listing is asked for.
PageSize = Annotated[int, Between(1, limits.PAGE_UNITS_MAX), About("At most this many.")]
Offset = Annotated[
    int, Between(0, 10**18 - 1, remedy="Give how many to pass over."), About("Pass over so many.")
]

# A unit's number inside its bank. Dense and increasing, so arrays can be indexed by it; never
# shown to callers, who see UnitIds.
RowArray = npt.NDArray[np.int64]
ScoreArray = npt.NDArray[np.float32]
FloatArray = npt.NDArray[np.float64]  # what scores become once they are added up
VectorArray = npt.NDArray[np.float32]
MaskArray = npt.NDArray[np.bool_]

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

# Values by their bounds and the form they have in JSON.
Name = Annotated[str, Text(limits.NAME_CHARACTERS_MAX)]
EntityNumber = Annotated[EntityId, Between(0, 10**18 - 1, remedy=_LISTED), Called("entity")]
# An entity as a caller names it.
EntityRef = Annotated[
    EntityNumber | Name, Called("entity"), About("The number that a listing shows, or a name.", 1)
]
ShortText = Annotated[str, Text(limits.SHORT_TEXT_CHARACTERS_MAX)]
Share = Annotated[float, Between(0, 1, above=True)]
Measure = Annotated[float, Rounded()]
JsonObject = Annotated[Mapping[str, Json], Metadata()]

# The tag of what tells the agent what to do from now on.
INSTRUCTION = "instruction"

DEFAULT_TYPES = ("fact", "preference", "event", "entity", "opinion", "experience", "message")


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
TypeName = Annotated[str, Suggested(DEFAULT_TYPES), About("One of the bank's types.", "fact")]
Tag = Annotated[str, Text(limits.TAG_CHARACTERS_MAX)]
Tags = Annotated[tuple[Tag, ...], Count(limits.TAGS_MAX), About("Labels to filter by.")]


class RelationClass(StrEnum):
    """How durable a relation between entities is; the entity walk weighs it."""

    STRUCTURAL = "structural"
    SEMANTIC = "semantic"
    LIFECYCLE = "lifecycle"


@dataclass(frozen=True, slots=True)
class Window:
    """A closed interval of time in UTC; `None` at an end means that end is open.

    A plain day stands for its first instant as the start, for its last as the end.
    """

    json_list: ClassVar = True

    start: Annotated[datetime | None, Day("first")]
    end: Annotated[datetime | None, Day("last")]

    def checked(self, name: str) -> None:
        """BadInput for one that is open at both ends, or ends before it starts."""
        if self.start is None and self.end is None:
            raise BadInput(name, self, "Give a Window with at least one end.")
        if self.start is not None and self.end is not None and self.end < self.start:
            shown = [self.start.isoformat(), self.end.isoformat()]
            raise BadInput(f"{name} ends before it starts", shown, "Swap the ends.")


def _check_order(owner: object, first: str, last: str) -> None:
    """BadInput for what ends before it begins."""
    begun, ended = getattr(owner, first), getattr(owner, last)
    if begun is not None and ended is not None and ended < begun:
        raise BadInput(f"{last} before {first}", ended.isoformat(), "Swap them.")


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
        _check_order(self, "valid_from", "valid_to")


class RelationFields(TypedDict, total=False):
    """The optional parts of a relation."""

    relation_class: RelationClass
    confidence: float
    valid_from: date | str | None
    valid_to: date | str | None


@dataclass(frozen=True, slots=True)
class Cause:
    """A causal link from the unit that carries it to `other`, a unit id or a unit's key."""

    json_short: ClassVar = "other"

    other: Annotated[Name, Called("cause"), About("A memory's id or key.")]
    kind: Annotated[LinkKind, OneOf(CAUSAL_KINDS), Called("link kind")] = LinkKind.CAUSES
    weight: Annotated[Share, Called("link weight")] = 1.0


@dataclass(frozen=True, slots=True)
class Source:
    """Where a unit was cut from: the document's id, and the span of its characters."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Unit:
    """One memory as a caller tells it; everything but `text` is optional."""

    json_needs: ClassVar = {"occurred_end": ["occurred_start"]}

    text: Annotated[
        str,
        Text(limits.TEXT_CHARACTERS_MAX),
        About("What to remember, in whole sentences.", "Nadia moved the ferry launch to May."),
    ]
    type: Annotated[TypeName | None, About("Decided by rule if left out.", "event")] = None
    predicate: Annotated[ShortText | None, About("What it says, in a few words.")] = None
    context: Annotated[ShortText | None, About("What it belongs to.")] = None
    occurred_start: Annotated[
        datetime | None, Day("first"), About("When it happened; read from the text if left out.")
    ] = None
    occurred_end: Annotated[datetime | None, Day("last")] = None
    told_at: Annotated[
        datetime | None, Day("noon"), About("When it was told; now, if left out.")
    ] = None
    valid_from: Annotated[datetime | None, Day("first"), About("Since when it is true.")] = None
    valid_to: Annotated[datetime | None, Day("last"), About("Until when it is true.")] = None
    entities: Annotated[
        tuple[Name, ...], Count(limits.ENTITIES_PER_UNIT_MAX), About("Who and what it names.")
    ] = ()
    relations: Annotated[tuple[Relation, ...], Count(limits.RELATIONS_PER_UNIT_MAX)] = ()
    causes: Annotated[tuple[Cause, ...], Count(limits.CAUSES_PER_UNIT_MAX)] = ()
    tags: Tags = ()
    metadata: JsonObject = field(default_factory=dict)
    session: Annotated[Name | None, About("The conversation it was said in.")] = None
    speaker: Annotated[Name | None, About("Who said it.")] = None
    key: Annotated[Name | None, About("Your own name for it; a known key updates it.")] = None
    author: Annotated[Name | None, About("Who told it: a person, an agent.")] = None
    origin: Annotated[Name | None, About("From where: an application, a file, an address.")] = None
    # None: assigned; given only when a bank is copied.
    id: Annotated[str | None, NotSent()] = None

    def checked(self, _: str) -> None:
        """BadInput for times that do not fit together."""
        if self.occurred_end is not None and self.occurred_start is None:
            raise BadInput("occurred_end without occurred_start", self.occurred_end, "Give both.")
        _check_order(self, "valid_from", "valid_to")
        _check_order(self, "occurred_start", "occurred_end")


When = date | str | tuple[date | str, date | str]


class UnitFields(TypedDict, total=False):
    """The keyword form of a Unit; `occurred` is a moment, a day or a (start, end) pair.

    None says nothing to `retain`, and takes the field away in `update`.
    """

    type: str | None
    predicate: str | None
    context: str | None
    occurred: When | None
    told_at: date | str | None
    valid_from: date | str | None
    valid_to: date | str | None
    tags: Sequence[str] | None
    metadata: Mapping[str, Json] | None
    entities: Sequence[str] | None
    relations: Sequence[Relation] | None
    causes: Sequence[Cause | str] | None
    session: str | None
    speaker: str | None
    key: str | None
    author: str | None
    origin: str | None


@dataclass(frozen=True, slots=True)
class StoredUnit:
    """One memory as the store keeps it."""

    # Read in the order of a Unit, whatever must come first in Python.
    json_keys: ClassVar = {
        name: name
        for name in ("id", "text", "type", "predicate", "context", "occurred_start", "occurred_end")
    }

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
    author: str | None = None  # who told it; None: nobody said
    origin: str | None = None  # from where
    pending: bool = False  # kept, and left out of everything until it is approved


@dataclass(frozen=True, slots=True)
class Feedback:
    """What was said of an answer: which units were of use in it, and which it lacked."""

    question: str
    asked_at: datetime
    used: tuple[UnitId, ...] = ()
    missed: tuple[UnitId, ...] = ()


@dataclass(frozen=True, slots=True)
class Derived:
    """What retaining added beside the text, counted."""

    entities: int = 0
    relations: int = 0
    semantic_links: int = 0
    causal_links: int = 0
    updates: int = 0  # links to units that these say are no longer so
    dated: int = 0
    typed: int = 0
    # Of those typed by rule, how many are facts because no rule was sure.
    unsure: int = 0


@dataclass(frozen=True, slots=True)
class Degraded:
    """A part that could not do its work, and why."""

    retriever: str
    reason: str


@dataclass(frozen=True, slots=True)
class Retained:
    """What `retain` did: an id per unit told, in order; new, a duplicate, an update, or pending."""

    ids: tuple[UnitId, ...]
    new: tuple[UnitId, ...]
    duplicates: tuple[UnitId, ...]
    updated: tuple[UnitId, ...]
    derived: Derived
    # Messages of tools that the bank does not keep; None: none.
    left_out: Annotated[int | None, Unsaid()] = None
    # Those that wait to be approved; None: none do.
    pending: Annotated[tuple[UnitId, ...] | None, Unsaid()] = None
    # Why new units wait for their vectors, in a bank with `embed_later`; None: all have theirs.
    degraded: Annotated[tuple[Degraded, ...] | None, Unsaid()] = None

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
    weight: Measure


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two units of which the newer seems to change what the older says; nothing was done yet."""

    old: StoredUnit
    new: StoredUnit
    confidence: Measure
    reason: str


_FILTERED = Count(limits.UNITS_PER_CALL_MAX)


@dataclass(frozen=True, slots=True)
class UnitFilter:
    """Which units a listing, an erasure or a recall is about; empty means all."""

    ids: Annotated[tuple[Name, ...], _FILTERED, About("With one of these ids.")] = ()
    types: Annotated[tuple[TypeName, ...], _FILTERED, About("Of one of these types.")] = ()
    tags: Annotated[tuple[Name, ...], _FILTERED, About("With all of these tags.")] = ()
    metadata: Annotated[JsonObject, About("Equal on every key given.")] = field(
        default_factory=dict
    )
    session: Annotated[Name | None, About("Of this conversation.")] = None
    speaker: Annotated[Name | None, About("Said by.")] = None
    key: Annotated[Name | None, About("With this key.")] = None
    entity: Annotated[EntityRef | None, About("That names it: a name, or a number.")] = None
    told: Annotated[Window | None, About("When it was told.")] = None
    occurred: Annotated[Window | None, About("When it happened.")] = None
    entity_id: Annotated[EntityNumber | None, About("That names the entity of this number.")] = None
    text: Annotated[
        Name | None,
        About("With all of these words; the last by its beginning, unless a space follows."),
    ] = None
    as_of: Annotated[datetime | None, About("True then.")] = None
    known_at: Annotated[datetime | None, About("Known then.")] = None
    author: Annotated[Name | None, About("Told by.")] = None
    origin: Annotated[Name | None, About("Told from there.")] = None


class FilterFields(TypedDict, total=False):
    """The keyword form of a UnitFilter; times may be ISO text, a window a (start, end) pair."""

    ids: Sequence[str]
    types: Sequence[str]
    tags: Sequence[str]
    metadata: Mapping[str, Json]
    session: str | None
    speaker: str | None
    key: str | None
    entity: int | str | None
    told: Window | tuple[datetime | str | None, datetime | str | None] | None
    occurred: Window | tuple[datetime | str | None, datetime | str | None] | None
    entity_id: int | None
    text: str | None
    as_of: datetime | str | None
    known_at: datetime | str | None
    author: str | None
    origin: str | None


# In which order units are listed, "-" for the latest first: as they were stored, or by time.
ORDERS = ("oldest", "newest", "told", "-told", "occurred", "-occurred")
ListOrder = Annotated[str, OneOf(ORDERS), Called("order"), About("Which come first.", "oldest")]


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


@dataclass(frozen=True, slots=True)
class EntityChange:
    """What a merge, a split or an alias would do; an entity that would be made has number 0.

    `mentions` and `relations` would move; `also` answer to a name that is given or taken, so
    that it stands for several.
    """

    before: tuple[Entity, ...]
    after: tuple[Entity, ...]
    mentions: int
    relations: int
    also: tuple[Entity, ...]


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
class Finding:
    """One thing `doctor` found wrong, and whether it was repaired."""

    check: str
    detail: str
    fixed: bool


@dataclass(frozen=True, slots=True)
class Look:
    """What was wrong with the few units of a bank that were compared with what finds them."""

    at: datetime
    findings: tuple[Finding, ...]


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
    pending: int = 0  # units that wait to be approved, counted nowhere else
    last_look: Look | None = None  # None: not yet, or `doctor` mended the bank since
    told_bytes: int = 0  # of the units' texts and fields as told, which `bytes_max` bounds


@dataclass(frozen=True, slots=True)
class Usage:
    """What the language model was asked; `cost` is None where no prices were given."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: Annotated[float | None, Rounded(8)] = None

    def plus(self, other: Usage) -> Usage:
        """Both together."""
        known = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            sum(known) if known else None,
        )


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a unit, or one fact of it, gave nothing."""

    unit: str
    reason: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """What `Memory.extract` did: the words, kept whatever happened, and the facts found in them."""

    retained: Retained
    facts: Retained
    troubles: tuple[Trouble, ...]
    usage: Usage
