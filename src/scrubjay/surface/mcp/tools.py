"""The tools an agent sees: what each takes, does and gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

from scrubjay.answers import Item
from scrubjay.codec.compiled import check, decode, encode_object, schema
from scrubjay.codec.kinds import Schema
from scrubjay.errors import BadInput
from scrubjay.limits import RECALL_TOKENS_MAX
from scrubjay.marks import About, Between, Count, Rounded
from scrubjay.operations.declared import Done
from scrubjay.settings import DEFAULT_BANK
from scrubjay.surface.http.contract.bodies import Messages
from scrubjay.surface.http.contract.replies import Banks
from scrubjay.surface.http.state.keys import EVERY_BANK
from scrubjay.surface.mcp.opening import LazyMemory
from scrubjay.types import Conflict, Erasure, Json, Retained, StoredUnit, Tag, TypeName, Unit

# What an agent's context can spare for one answer, unless it asks for more.
ANSWER_TOKENS = 2_048
_TITLE_CHARACTERS = 80

Arguments = Mapping[str, Json]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asking:
    """A question, and how much may be answered."""

    question: str
    limit: Annotated[int, Between(1, 100)] = 10
    max_tokens: Annotated[
        int, Between(1, RECALL_TOKENS_MAX), About("How much of your context it may fill.")
    ] = ANSWER_TOKENS
    types: Annotated[tuple[TypeName, ...] | None, About("Only these types.")] = None
    tags: Annotated[tuple[Tag, ...], About("Only with all of these tags.")] = ()


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What to erase."""

    ids: Annotated[tuple[str, ...], Count(10_000, least=1)]


@dataclass(frozen=True, slots=True)
class Superseding:
    """What was true, and what is true now."""

    old: Annotated[str, About("The id of what was true.")]
    new: Annotated[str, About("What is true now: a text, or a memory's id.")]
    at: Annotated[datetime | None, About("Since when.")] = None


@dataclass(frozen=True, slots=True)
class Listing:
    """How many to list."""

    limit: Annotated[int, Between(1, 100)] = 10


@dataclass(frozen=True, slots=True)
class Settling:
    """Two memories, and whether the newer replaces the older."""

    old: Annotated[str, About("The id of the older memory.")]
    new: Annotated[str, About("The id of the newer memory.")]
    replaces: Annotated[bool, About("False: both hold, and the pair is not proposed again.")]


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Pairs of which one seems to change the other."""

    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """No arguments."""


@dataclass(frozen=True, slots=True)
class Searching:
    """What to look for."""

    query: str


@dataclass(frozen=True, slots=True)
class Fetching:
    """Which memory."""

    id: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """One memory of an answer."""

    id: str
    text: str
    type: str
    relevance: Annotated[float, Rounded(4)]
    told_at: datetime
    occurred_start: datetime | None
    speaker: str | None


@dataclass(frozen=True, slots=True)
class Answered:
    """The memories that answer a question, best first."""

    items: tuple[Remembered, ...]
    nothing_relevant: bool
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """One memory by its title."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Results:
    """What was found."""

    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Fetched:
    """One memory in full."""

    id: str
    title: str
    text: str
    url: str
    metadata: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool gives: text for the model to read, and the same as data."""

    text: str
    data: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Tool(Generic[T]):
    """One tool; what it `takes` gains a `bank` where none is fixed."""

    name: str
    about: str
    takes: type[T]
    gives: type
    run: Callable[[LazyMemory, str, T], Answer]
    only: tuple[str, ...] = ()  # of the fields it takes; none: all of them
    reads_only: bool = False
    destroys: bool = False
    repeatable: bool = True
    of_every_bank: bool = False  # it is about one bank only where that is fixed

    def schema(self, fixed_bank: str | None) -> Schema:
        """What it takes, as JSON schema."""
        whole = schema(self.takes)
        properties = whole["properties"]
        assert isinstance(properties, dict)
        known = {name: properties[name] for name in self.only or properties}
        if fixed_bank is None:
            about = 'Which memory space; by default "default".'
            known["bank"] = {"type": "string", "description": about}
        return {**whole, "properties": known}

    def answer_schema(self) -> Schema:
        """What it gives, as JSON schema."""
        return schema(self.gives, strict=False)

    def check_names(self, given: Arguments, fixed_bank: str | None) -> None:
        """BadInput for an argument that it does not take."""
        properties = self.schema(fixed_bank)["properties"]
        assert isinstance(properties, dict)
        for name in given:
            if name not in properties:
                known = f"Known: {', '.join(properties) or 'none'}."
                raise BadInput("unknown field in arguments", name, known)


def call(tool: Tool[T], memory: LazyMemory, fixed_bank: str | None, arguments: Arguments) -> Answer:
    """Run a tool; BadInput for arguments that are not what it takes."""
    tool.check_names(arguments, fixed_bank)
    # Agents send null for what they leave out.
    given = {name: value for name, value in arguments.items() if value is not None}
    chosen = given.pop("bank", EVERY_BANK if tool.of_every_bank else DEFAULT_BANK)
    if not isinstance(chosen, str):
        raise BadInput("arguments.bank", chosen, "Give text.")
    asked = check(decode(tool.takes, given, "arguments"), "arguments")
    return tool.run(memory, fixed_bank or chosen, asked)


def _retain(memory: LazyMemory, bank: str, told: Unit) -> Answer:
    kept = memory.writing().retain([told], bank=bank)
    said = f"Kept as {', '.join(kept.ids)}."
    if kept.duplicates:
        said = f"Known already, as {', '.join(kept.duplicates)}."
    return Answer(said, encode_object(kept))


def _retain_messages(memory: LazyMemory, bank: str, told: Messages) -> Answer:
    kept = memory.writing().retain(told.messages, bank=bank, **told.given())
    said = f"Kept {len(kept.new)}; {len(kept.duplicates)} known already."
    return Answer(said, encode_object(kept))


def _recall(memory: LazyMemory, bank: str, asked: Asking) -> Answer:
    found = memory.reading().recall(
        asked.question,
        bank=bank,
        limit=asked.limit,
        max_tokens=asked.max_tokens,
        types=asked.types,
        tags=asked.tags,
    )
    answered = Answered(
        tuple(map(_remembered, found)),
        found.nothing_relevant,
        tuple(f"{part.retriever}: {part.reason}" for part in found.degraded),
    )
    return Answer(found.as_context(), encode_object(answered))


def _remembered(item: Item) -> Remembered:
    shown = {one.name: getattr(item, one.name) for one in fields(Remembered)}
    return Remembered(**shown)


def _forget(memory: LazyMemory, bank: str, asked: Forgetting) -> Answer:
    gone = memory.writing().forget(asked.ids, bank=bank)
    said = f"Erased {gone.units} of {len(asked.ids)}."
    return Answer(said if gone.pending is None else f"{said} {gone.pending}", encode_object(gone))


def _supersede(memory: LazyMemory, bank: str, told: Superseding) -> Answer:
    unit = memory.writing().supersede(told.old, told.new, at=told.at, bank=bank)
    return Answer(f"{unit.id} now stands for {told.old}.", encode_object(unit))


def _conflicts(memory: LazyMemory, bank: str, asked: Listing) -> Answer:
    found = memory.reading().conflicts(limit=asked.limit, bank=bank)
    lines = [
        f"{pair.old.id} {_title(pair.old.text)!r} -> {pair.new.id} {_title(pair.new.text)!r}: "
        f"{pair.reason}"
        for pair in found
    ]
    said = "\n".join(lines) or "None."
    return Answer(said, encode_object(Conflicts(tuple(found))))


def _settle_conflict(memory: LazyMemory, bank: str, told: Settling) -> Answer:
    writing = memory.writing()
    if told.replaces:
        writing.accept_conflict(told.old, told.new, bank=bank)
        return Answer(f"{told.new} now stands for {told.old}.", encode_object(Done()))
    writing.reject_conflict(told.old, told.new, bank=bank)
    return Answer("Both are kept.", encode_object(Done()))


def _list_banks(memory: LazyMemory, bank: str, _: Nothing) -> Answer:
    banks = [one for one in memory.reading().banks() if bank in (EVERY_BANK, one.name)]
    lines = [f"{one.name}: {one.units} memories" for one in banks]
    said = "\n".join(lines) or "None yet; one is made when something is kept."
    return Answer(said, encode_object(Banks(tuple(banks))))


def _search(memory: LazyMemory, bank: str, asked: Searching) -> Answer:
    found = memory.reading().recall(asked.query, bank=bank, max_tokens=ANSWER_TOKENS)
    results = [
        Result(item.id, _title(item.text), _address(bank, item.id)) for item in found.relevant
    ]
    lines = [f"{result.id}: {result.title}" for result in results]
    said = "\n".join(lines) or "Nothing relevant is remembered."
    return Answer(said, encode_object(Results(tuple(results))))


def _fetch(memory: LazyMemory, bank: str, asked: Fetching) -> Answer:
    unit = memory.reading().get(asked.id, bank=bank)
    whole = encode_object(unit)
    shown = {name: whole[name] for name in ("type", "told_at", "speaker", "tags")}
    fetched = Fetched(unit.id, _title(unit.text), unit.text, _address(bank, unit.id), shown)
    return Answer(unit.text, encode_object(fetched))


def _title(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TITLE_CHARACTERS else f"{line[: _TITLE_CHARACTERS - 1]}…"


def _address(bank: str, unit: str) -> str:
    return f"scrubjay://{bank}/{unit}"


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "retain",
        "Keep something worth remembering: one fact, preference, event or message, in whole "
        "sentences. Telling the same twice keeps it once.",
        Unit, Retained, _retain,
        ("text", "type", "occurred_start", "tags", "speaker", "session", "key", "metadata"),
    ),
    Tool(
        "retain_messages",
        "Keep a conversation, or a part of it, as it is: a list of messages with role and content, "
        "in the form of the chat APIs. A message that is known is not kept again.",
        Messages, Retained, _retain_messages,
        ("messages", "session", "tags", "metadata"),
    ),
    Tool(
        "recall",
        "Ask the memory a question in your own words. Gives the memories that answer it, best "
        "first; understands times such as 'last week', names, and exact numbers.",
        Asking, Answered, _recall, reads_only=True,
    ),
    Tool(
        "forget", "Erase memories for good, by their ids. Use it only when asked to.",
        Forgetting, Erasure, _forget, destroys=True,
    ),
    Tool(
        "supersede",
        "Say that a memory is no longer true and what is true now; the old one stays as history.",
        Superseding, StoredUnit, _supersede,
    ),
    Tool(
        "conflicts",
        "List pairs of memories of which the newer seems to change the older; settle them with "
        "settle_conflict.",
        Listing, Conflicts, _conflicts, reads_only=True,
    ),
    Tool(
        "settle_conflict",
        "Decide whether a newer memory replaces an older one, or both hold. If unsure, ask.",
        Settling, Done, _settle_conflict,
    ),
    Tool(
        "list_banks", "List the memory spaces and how much each holds.",
        Nothing, Banks, _list_banks, reads_only=True, of_every_bank=True,
    ),
    Tool(
        "search", "Search the memory; gives ids and titles to `fetch`.",
        Searching, Results, _search, reads_only=True,
    ),
    Tool(
        "fetch", "One memory in full, by its id.",
        Fetching, Fetched, _fetch, reads_only=True,
    ),
)  # fmt: skip


def find_tool(name: str) -> Tool[Any]:
    """A tool by its name."""
    for tool in TOOLS:
        if tool.name == name:
            return tool
    raise BadInput("no such tool", name, f"There are {', '.join(tool.name for tool in TOOLS)}.")
