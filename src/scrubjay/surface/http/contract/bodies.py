"""What the server takes: the bodies and query strings of its routes, declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Annotated, ClassVar

from scrubjay.answers import RecallOptions
from scrubjay.errors import BadInput
from scrubjay.importers.kinds import KINDS, OWN
from scrubjay.importers.tables import FIELDS
from scrubjay.limits import (
    BANK_NAME_CHARACTERS_MAX,
    BANKS_PER_RECALL_MAX,
    PAGE_UNITS_MAX,
    UNITS_PER_CALL_MAX,
)
from scrubjay.marks import (
    About,
    Between,
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
from scrubjay.messages import Message
from scrubjay.operations.operation import KeyScope
from scrubjay.operations.recalling import Question
from scrubjay.operations.views import Grain, TimeOf
from scrubjay.settings import ZONES, BankSettings
from scrubjay.surface.http.shared.server_settings import KEY_RATE_DEFAULT
from scrubjay.types.filters import ListOrder, Offset, UnitFilter
from scrubjay.types.units import Unit, UnitFields
from scrubjay.types.values import (
    EntityNumber,
    EntityRef,
    Identifier,
    Json,
    JsonObject,
    Name,
    ShortText,
    Tags,
    TypeName,
    Window,
)

QUESTIONS_MAX = 100

# Names in paths. What has another form is not there, which the engine says.
BankName = Annotated[
    str,
    Pattern(r"\w[\w-]*(\.[\w-]+)*\.?", BANK_NAME_CHARACTERS_MAX),
    About("A bank's name.", "default"),
]
KeyName = Annotated[str, Pattern("[0-9a-f]{12}", 12), About("A key's id.", "0c3a7e51f2b9")]
TaskName = Annotated[
    str, Pattern("[0-9a-f]{20}", 20), About("A task's id.", "0c3a7e51f2b94d8e6a01")
]
Changes = Annotated[Unit, Some(null_clears=True)]
Settings = Annotated[BankSettings, Some(null_clears=False)]


@dataclass(frozen=True, slots=True)
class Units:
    """Several memories."""

    units: tuple[Unit, ...]
    pending: Annotated[bool, About("Leave them out of everything until they are approved.")] = False


@dataclass(frozen=True, slots=True)
class Messages:
    """A conversation as chat APIs have it; the rest applies to every message."""

    messages: Annotated[tuple[Message, ...], Count(UNITS_PER_CALL_MAX)]
    session: Annotated[Name | None, About("The conversation it is.")] = None
    context: Annotated[ShortText | None, About("What it belongs to.")] = None
    tags: Annotated[Tags | None, About("Labels to filter by.")] = None
    metadata: JsonObject | None = None
    pending: Annotated[bool, About("Leave them out of everything until they are approved.")] = False

    def given(self) -> UnitFields:
        """What applies to every message, as `retain` takes it."""
        return UnitFields(
            session=self.session, context=self.context, tags=self.tags, metadata=self.metadata
        )


def wrapped(sent: Json) -> Json:
    """A bare list, or one message, as the body it stands for; anything else as it is.

    A list of objects with a `text` is one of memories, any other one of messages.
    """
    if isinstance(sent, list):
        if not sent:
            raise BadInput("body", "an empty list", "Give at least one memory or message in it.")
        units = all(isinstance(one, dict) and "text" in one for one in sent)
        return {"units" if units else "messages": sent}
    # A memory has neither; `units` and `messages` are bodies already.
    return {"messages": [sent]} if isinstance(sent, dict) and _is_message(sent) else sent


def _is_message(sent: Mapping[str, Json]) -> bool:
    return "role" in sent and not sent.keys() & {"text", "units", "messages"}


@dataclass(frozen=True, slots=True)
class RecallBody:
    """A question, and how to recall; see `scrubjay docs recall`."""

    question: Question
    how: Annotated[RecallOptions, Flat()] = field(default_factory=RecallOptions)


@dataclass(frozen=True, slots=True)
class AcrossBody:
    """A question to several banks, and how to recall."""

    question: Question
    banks: Annotated[
        tuple[BankName, ...],
        Count(BANKS_PER_RECALL_MAX, least=1),
        About(
            "Their names, each once; of equals, those named first go before others.",
            ["user", "project"],
        ),
    ]
    how: Annotated[RecallOptions, Flat()] = field(default_factory=RecallOptions)


@dataclass(frozen=True, slots=True)
class BatchBody:
    """Several questions, and how to recall."""

    questions: Annotated[tuple[Question, ...], Count(QUESTIONS_MAX)]
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
class ReembedBody:
    """The name of another encoder."""

    encoder: Annotated[str, About("A model's name.", "hash")]


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty object, or no body."""


@dataclass(frozen=True, slots=True)
class LoginBody:
    """A key, as it was shown when it was made."""

    key: Annotated[str, Text(200), About("A key.", "sj_0123456789ab_secret")]


@dataclass(frozen=True, slots=True)
class EventsQuery:
    """How long to listen."""

    limit: Annotated[
        Annotated[int, Between(1, 1_000)] | None, About("End after so many events.")
    ] = None
    seconds: Annotated[Annotated[int, Between(0, 86_400)] | None, About("End after so long.")] = (
        None
    )


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
class PreviewQuery:
    """What a file is."""

    name: Annotated[str, Text(200), About("Its name, by whose ending some kinds are known.")] = (
        "file.jsonl"
    )
    kind: Annotated[
        Annotated[str, OneOf([OWN, *KINDS])] | None,
        About("As `scrubjay import --from`; guessed, if left out."),
    ] = None
    map: Annotated[
        tuple[Annotated[str, Pattern(f"({'|'.join(FIELDS)})=.+", 200)], ...],
        About("For csv and jsonl: FIELD=COLUMN, such as text=note; repeat."),
    ] = ()


@dataclass(frozen=True, slots=True)
class FileQuery(PreviewQuery):
    """What a file is, and how to read it."""

    keep_going: Annotated[bool, About("Keep the rest when something cannot be read.")] = False


@dataclass(frozen=True, slots=True)
class KeyBody:
    """A key to be made."""

    name: Annotated[str, Text(100), About("Who will use it.", "a-laptop")]
    grants: Annotated[
        Mapping[str, Annotated[str, OneOf([scope.name.lower() for scope in KeyScope])]],
        About("Scopes by bank: read, write or admin; `*` is every bank.", {"notes": "write"}),
    ]
    rate: Annotated[float, Between(0, 1_000_000), About("Requests per second.")] = KEY_RATE_DEFAULT


@dataclass(frozen=True, slots=True)
class FilterQuery:
    """Which memories."""

    id: Annotated[tuple[Name, ...], About("With this id; repeat for more.")] = ()
    type: Annotated[tuple[TypeName, ...], About("Of this type; repeat for more.")] = ()
    tag: Annotated[tuple[Name, ...], About("With this tag; repeated: with all.")] = ()
    metadata: Annotated[JsonObject, About("With these values: a JSON object.")] = field(
        default_factory=dict
    )
    session: Annotated[Name | None, About("Of this conversation.")] = None
    speaker: Annotated[Name | None, About("Said by.")] = None
    key: Annotated[Name | None, About("With this key.")] = None
    entity: Annotated[EntityRef | None, About("That names it: a name, or a number.")] = None
    told_from: Annotated[datetime | None, About("Told from this time.")] = None
    told_to: Annotated[datetime | None, About("Told to this time.")] = None
    occurred_from: Annotated[datetime | None, About("Happened from this time.")] = None
    occurred_to: Annotated[datetime | None, About("Happened to this time.")] = None
    entity_id: Annotated[EntityNumber | None, About("That names the entity of this number.")] = None
    text: Annotated[
        Name | None,
        About("With all of these words; the last by its beginning, unless a space follows."),
    ] = None
    as_of: Annotated[datetime | None, About("True then.")] = None
    known_at: Annotated[datetime | None, About("Known then.")] = None
    author: Annotated[Name | None, About("Told by.")] = None
    origin: Annotated[Name | None, About("Told from there.")] = None

    def filter(self) -> UnitFilter:
        """What is asked, as a filter."""
        return UnitFilter(
            ids=self.id,
            types=self.type,
            tags=self.tag,
            metadata=self.metadata,
            session=self.session,
            speaker=self.speaker,
            key=self.key,
            entity=self.entity,
            told=_window(self.told_from, self.told_to),
            occurred=_window(self.occurred_from, self.occurred_to),
            entity_id=self.entity_id,
            text=self.text,
            as_of=self.as_of,
            known_at=self.known_at,
            author=self.author,
            origin=self.origin,
        )


def _window(start: datetime | None, end: datetime | None) -> Window | None:
    return None if start is None and end is None else Window(start, end)


@dataclass(frozen=True, slots=True)
class HistogramQuery(FilterQuery):
    """Which memories, by which time, in which spans."""

    by: TimeOf = "told"
    grain: Grain = "auto"


@dataclass(frozen=True, slots=True)
class ListQuery(FilterQuery):
    """Which memories, in which order, and which page of them."""

    order: ListOrder = "oldest"
    limit: Annotated[int, Between(1, PAGE_UNITS_MAX), About("At most this many.")] = 100
    cursor: Annotated[
        str | None,
        Pattern(r"(k-?[0-9]{1,19}\.)?[0-9]{1,10}", 32),
        About("Where the page before this one ended."),
    ] = None
    offset: Offset = 0
