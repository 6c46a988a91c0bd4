"""A memory as it is told and as it is stored, its conversation, and what was said of its use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated, ClassVar, TypedDict

from scrubjay import limits
from scrubjay.errors import BadInput
from scrubjay.marks import About, Count, Day, NotSent, Text
from scrubjay.types.graph import Cause, Relation
from scrubjay.types.values import (
    Json,
    JsonObject,
    Name,
    ShortText,
    Tags,
    TypeName,
    UnitId,
    When,
    check_order,
)

# The tag of what tells the agent what to do from now on.
INSTRUCTION = "instruction"


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
        check_order(self, "valid_from", "valid_to")
        check_order(self, "occurred_start", "occurred_end")


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


class UnitChanges(UnitFields, total=False):
    """What `update` takes; a unit is its text, so that alone cannot be taken away."""

    text: str


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
class Session:
    """One conversation in the log; `ended_at` is None while nobody closed it."""

    name: str
    started_at: datetime
    last_at: datetime  # when its newest unit was told, or it was closed
    ended_at: datetime | None
    units: int


@dataclass(frozen=True, slots=True)
class Feedback:
    """What was said of an answer: which units were of use in it, and which it lacked."""

    question: str
    asked_at: datetime
    used: tuple[UnitId, ...] = ()
    missed: tuple[UnitId, ...] = ()
