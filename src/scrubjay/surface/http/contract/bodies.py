"""What the server takes: the bodies and query strings of its routes, declared."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Annotated, ClassVar

from scrubjay.answers import RecallOptions
from scrubjay.errors import BadInput
from scrubjay.limits import BANK_NAME_CHARACTERS_MAX, PAGE_UNITS_MAX, TEXT_CHARACTERS_MAX
from scrubjay.marks import (
    About,
    Asked,
    Between,
    Called,
    Count,
    Flat,
    NonEmpty,
    OneOf,
    Pattern,
    Some,
    Suggested,
    Text,
    Unsaid,
)
from scrubjay.settings import ZONES, BankSettings
from scrubjay.types import (
    CAUSAL_KINDS,
    JsonObject,
    LinkKind,
    Name,
    Share,
    TypeName,
    Unit,
    UnitFilter,
)

QUESTIONS_MAX = 100

# Names in paths. What has another form is not there, which the engine says.
BankName = Annotated[
    str,
    Pattern(r"\w[\w-]*(\.[\w-]+)*\.?", BANK_NAME_CHARACTERS_MAX),
    About("A bank's name.", "default"),
]
Identifier = Annotated[str, Pattern("[0-9a-hjkmnp-tv-z]{20}", 20), About("A memory's id.")]
EntityNumber = Annotated[int, Between(0, 10**18 - 1), About("The number that a listing shows.", 1)]
TaskName = Annotated[str, Pattern("[0-9a-f]{20}", 20), About("A task's id.")]
Question = Annotated[str, Asked(), About("What to look for, in your own words.", "Who likes tea?")]
Changes = Annotated[Unit, Some(null_clears=True)]
Settings = Annotated[BankSettings, Some(null_clears=False)]


@dataclass(frozen=True, slots=True)
class Units:
    """Several memories."""

    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class RecallBody:
    """A question, and how to recall; see docs/recall.md."""

    question: Question
    how: Annotated[RecallOptions, Flat()] = field(default_factory=RecallOptions)


@dataclass(frozen=True, slots=True)
class BatchBody:
    """Several questions, and how to recall."""

    questions: Annotated[tuple[Question, ...], Count(QUESTIONS_MAX)]
    how: Annotated[RecallOptions, Flat()] = field(default_factory=RecallOptions)


@dataclass(frozen=True, slots=True)
class ExplainBody:
    """A question, the memory that is asked about, and how to recall."""

    question: Question
    unit: Identifier
    how: Annotated[RecallOptions, Flat()] = field(default_factory=RecallOptions)


@dataclass(frozen=True, slots=True)
class ParseBody:
    """A question, and the zone of its days and months."""

    question: Question
    timezone: Annotated[
        str | None, Suggested(ZONES), About("An IANA name; the bank's, if left out.")
    ] = None
    how: Annotated[RecallOptions, Flat()] = field(default_factory=RecallOptions)


@dataclass(frozen=True, slots=True)
class SupersedeBody:
    """What was true, and what is true now: a memory's id, a text, or a memory."""

    old: Identifier
    new: Annotated[str, Text(TEXT_CHARACTERS_MAX)] | Unit
    at: Annotated[datetime | None, About("Since when; now, if left out.")] = None


@dataclass(frozen=True, slots=True)
class ForgetBody:
    """Which memories to erase: by ids or by a filter."""

    json_schema: ClassVar = {"oneOf": [{"required": ["ids"]}, {"required": ["filter"]}]}

    ids: Annotated[tuple[Identifier, ...] | None, Unsaid()] = None
    filter: Annotated[Annotated[UnitFilter, NonEmpty()] | None, Unsaid()] = None
    compact: Annotated[bool, About("Leave no byte of them on disk.")] = False

    def checked(self, _: str) -> None:
        """BadInput unless one of the two says which."""
        if (self.ids is None) == (self.filter is None):
            given = [one.name for one in fields(self) if getattr(self, one.name)]
            raise BadInput("forget", sorted(given), "Give either ids or a filter.")


@dataclass(frozen=True, slots=True)
class AliasBody:
    """Another name of an entity."""

    alias: Name


@dataclass(frozen=True, slots=True)
class MergeBody:
    """Two entities that are one."""

    keep: EntityNumber
    drop: EntityNumber


@dataclass(frozen=True, slots=True)
class SplitBody:
    """The name of a new entity, and the memories that mean it."""

    name: Name
    units: tuple[Identifier, ...]


@dataclass(frozen=True, slots=True)
class LinkBody:
    """A memory and another that it causes, enables or prevents."""

    cause: Identifier
    effect: Identifier
    kind: Annotated[LinkKind, OneOf(CAUSAL_KINDS), Called("link kind")] = LinkKind.CAUSES
    weight: Annotated[Share, Called("link weight")] = 1.0


@dataclass(frozen=True, slots=True)
class SessionBody:
    """A conversation, and when it began or ended."""

    name: Annotated[Name, Called("session")]
    at: Annotated[datetime | None, About("Now, if left out.")] = None


@dataclass(frozen=True, slots=True)
class ReembedBody:
    """The name of another encoder."""

    encoder: Annotated[str, About("A model's name.", "hash")]


@dataclass(frozen=True, slots=True)
class DoctorBody:
    """Whether to mend what is wrong."""

    fix: bool = False


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty object, or no body."""


@dataclass(frozen=True, slots=True)
class NoQuery:
    """No query string."""


@dataclass(frozen=True, slots=True)
class RetainQuery:
    """How to keep."""

    extract: Annotated[bool, About("Also keep what the language model finds.")] = False


@dataclass(frozen=True, slots=True)
class ImportQuery:
    """How to read a file."""

    keep_going: Annotated[bool, About("Keep the good lines when some are bad.")] = False


@dataclass(frozen=True, slots=True)
class PartQuery:
    """Which part of a listing."""

    limit: Annotated[int, Between(1, PAGE_UNITS_MAX), About("At most this many.")] = 100
    offset: Annotated[int, Between(0, 10**18 - 1), About("Pass over so many.")] = 0


@dataclass(frozen=True, slots=True)
class EntitiesQuery:
    """Which entities."""

    containing: Annotated[str | None, About("With a name that contains this.")] = None
    limit: Annotated[int, Between(1, PAGE_UNITS_MAX), About("At most this many.")] = 100
    offset: Annotated[int, Between(0, 10**18 - 1), About("Pass over so many.")] = 0


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which memories, and which page of them."""

    id: Annotated[tuple[Name, ...], About("With this id; repeat for more.")] = ()
    type: Annotated[tuple[TypeName, ...], About("Of this type; repeat for more.")] = ()
    tag: Annotated[tuple[Name, ...], About("With this tag; repeated: with all.")] = ()
    metadata: Annotated[JsonObject, About("With these values: a JSON object.")] = field(
        default_factory=dict
    )
    session: Annotated[Name | None, About("Of this conversation.")] = None
    speaker: Annotated[Name | None, About("Said by.")] = None
    key: Annotated[Name | None, About("With this key.")] = None
    entity: Annotated[Name | None, About("That names this entity.")] = None
    told_from: Annotated[datetime | None, About("Told from this time.")] = None
    told_to: Annotated[datetime | None, About("Told to this time.")] = None
    occurred_from: Annotated[datetime | None, About("Happened from this time.")] = None
    occurred_to: Annotated[datetime | None, About("Happened to this time.")] = None
    limit: Annotated[int, Between(1, PAGE_UNITS_MAX), About("At most this many.")] = 100
    cursor: Annotated[
        str | None,
        Pattern("[0-9]{1,10}", 10),
        About("Where the page before this one ended."),
    ] = None
