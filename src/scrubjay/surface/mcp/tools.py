"""The tools an agent sees: what each takes, does and gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scrubjay.answers import Item
from scrubjay.errors import BadInput
from scrubjay.settings import DEFAULT_BANK
from scrubjay.shapes import iso, unit_from_json
from scrubjay.surface.http.contract.answer_schemas import RETAINED, listing, shape
from scrubjay.surface.http.contract.checking import check
from scrubjay.surface.http.contract.schemas import (
    ANY_OBJECT,
    FLAG,
    NUMBER,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    TIME,
    WHOLE,
    Schema,
    closed,
)
from scrubjay.surface.http.state.keys import EVERY_BANK
from scrubjay.surface.mcp.opening import LazyMemory
from scrubjay.surface.payloads import to_json
from scrubjay.types import Json

# What an agent's context can spare for one answer, unless it asks for more.
ANSWER_TOKENS = 2_048
_TITLE_CHARACTERS = 80

Arguments = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool gives: text for the model to read, and the same as data."""

    text: str
    data: dict[str, Json]


Run = Callable[[LazyMemory, str, Arguments], Answer]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; `takes` gains a `bank` where none is fixed."""

    name: str
    about: str
    takes: dict[str, Schema]
    required: tuple[str, ...]
    gives: Schema
    run: Run
    reads_only: bool = False
    destroys: bool = False
    repeatable: bool = True
    of_every_bank: bool = False  # it is about one bank only where that is fixed

    def schema(self, fixed_bank: str | None) -> Schema:
        """What it takes, as JSON schema."""
        properties = dict(self.takes)
        if fixed_bank is None:
            properties["bank"] = {
                **TEXT,
                "description": 'Which memory space; by default "default".',
            }
        return closed(properties, *self.required)


def call(tool: Tool, memory: LazyMemory, fixed_bank: str | None, arguments: Arguments) -> Answer:
    """Run a tool; BadInput for arguments that are not what it takes."""
    known = tool.schema(fixed_bank)
    names = known["properties"]
    assert isinstance(names, Mapping), "a tool takes an object"
    given = {n: value for n, value in arguments.items() if value is not None or n not in names}
    check(dict(given), known, "arguments")
    chosen = given.pop("bank", EVERY_BANK if tool.of_every_bank else DEFAULT_BANK)
    return tool.run(memory, fixed_bank or str(chosen), given)


def _retain(memory: LazyMemory, bank: str, given: Arguments) -> Answer:
    kept = memory.writing().retain([unit_from_json(given)], bank=bank)
    said = f"Kept as {', '.join(kept.ids)}."
    if kept.duplicates:
        said = f"Known already, as {', '.join(kept.duplicates)}."
    return Answer(said, _object(to_json(kept)))


def _recall(memory: LazyMemory, bank: str, given: Arguments) -> Answer:
    types, tags = given.get("types"), given.get("tags")
    found = memory.reading().recall(
        str(given["question"]),
        bank=bank,
        limit=_whole(given, "limit", 10),
        max_tokens=_whole(given, "max_tokens", ANSWER_TOKENS),
        types=[str(one) for one in types] if isinstance(types, list) else None,
        tags=[str(one) for one in tags] if isinstance(tags, list) else [],
    )
    data: dict[str, Json] = {
        "items": [_item(item) for item in found],
        "nothing_relevant": found.nothing_relevant,
        "degraded": [f"{part.retriever}: {part.reason}" for part in found.degraded],
    }
    return Answer(found.as_context(), data)


def _item(item: Item) -> dict[str, Json]:
    return {
        "id": item.id,
        "text": item.text,
        "type": item.type,
        "relevance": round(item.relevance, 4),
        "told_at": iso(item.told_at),
        "occurred_start": iso(item.occurred_start),
        "speaker": item.speaker,
    }


def _forget(memory: LazyMemory, bank: str, given: Arguments) -> Answer:
    ids = given["ids"]
    assert isinstance(ids, list), "the schema says so"
    gone = memory.writing().forget([str(unit) for unit in ids], bank=bank)
    said = f"Erased {gone.units} of {len(ids)}."
    return Answer(
        said if gone.pending is None else f"{said} {gone.pending}", _object(to_json(gone))
    )


def _supersede(memory: LazyMemory, bank: str, given: Arguments) -> Answer:
    at = given.get("at")
    unit = memory.writing().supersede(
        str(given["old"]), str(given["new"]), at=None if at is None else str(at), bank=bank
    )
    return Answer(f"{unit.id} now stands for {given['old']}.", _object(to_json(unit)))


def _list_banks(memory: LazyMemory, bank: str, __: Arguments) -> Answer:
    banks = [one for one in memory.reading().banks() if bank in (EVERY_BANK, one.name)]
    lines = [f"{one.name}: {one.units} memories" for one in banks]
    return Answer("\n".join(lines) or "None yet; one is made when something is kept.",
                  {"banks": to_json(banks)})  # fmt: skip


def _search(memory: LazyMemory, bank: str, given: Arguments) -> Answer:
    found = memory.reading().recall(str(given["query"]), bank=bank, max_tokens=ANSWER_TOKENS)
    results: list[Json] = [
        {"id": item.id, "title": _title(item.text), "url": _address(bank, item.id)}
        for item in found
    ]
    lines = [f"{item.id}: {_title(item.text)}" for item in found]
    return Answer("\n".join(lines) or "Nothing relevant is remembered.", {"results": results})


def _fetch(memory: LazyMemory, bank: str, given: Arguments) -> Answer:
    unit = memory.reading().get(str(given["id"]), bank=bank)
    whole = _object(to_json(unit))
    data: dict[str, Json] = {
        "id": unit.id,
        "title": _title(unit.text),
        "text": unit.text,
        "url": _address(bank, unit.id),
        "metadata": {name: whole[name] for name in ("type", "told_at", "speaker", "tags")},
    }
    return Answer(unit.text, data)


def _title(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TITLE_CHARACTERS else f"{line[: _TITLE_CHARACTERS - 1]}…"


def _address(bank: str, unit: str) -> str:
    return f"scrubjay://{bank}/{unit}"


def _whole(given: Arguments, name: str, otherwise: int) -> int:
    value = given.get(name, otherwise)
    assert isinstance(value, int), "the schema says so"
    return value


def _object(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return value


_FOUND = shape(id=TEXT, title=TEXT, url=TEXT)

TOOLS = (
    Tool(
        "retain",
        "Keep something worth remembering: one fact, preference, event or message, in whole "
        "sentences. Telling the same twice keeps it once.",
        {
            "text": {**TEXT, "description": "What to remember."},
            "type": {**TEXT, "description": "fact, preference, event, entity, opinion, "
                                            "experience or message; decided by rule if left out."},
            "occurred_start": {**TIME, "description": "When it happened, if not now."},
            "tags": TEXTS,
            "speaker": {**TEXT, "description": "Who said it."},
            "session": {**TEXT, "description": "The conversation it was said in."},
            "key": {**TEXT, "description": "Your own name for it; a known key updates it."},
            "metadata": ANY_OBJECT,
        },
        ("text",), RETAINED, _retain,
    ),
    Tool(
        "recall",
        "Ask the memory a question in your own words. Gives the memories that answer it, best "
        "first; understands times such as 'last week', names, and exact numbers.",
        {
            "question": TEXT,
            "limit": {**WHOLE, "minimum": 1, "maximum": 100},
            "max_tokens": {**WHOLE, "description": "How much of your context it may fill."},
            "types": {**TEXTS, "description": "Only these types."},
            "tags": {**TEXTS, "description": "Only with all of these tags."},
        },
        ("question",),
        shape(items={"type": "array", "items": shape(id=TEXT, text=TEXT, type=TEXT,
                                                     relevance=NUMBER, told_at=TEXT)},
              nothing_relevant=FLAG, degraded=TEXTS),
        _recall, reads_only=True,
    ),
    Tool(
        "forget",
        "Erase memories for good, by their ids. Use it only when asked to.",
        {"ids": {**TEXTS, "minItems": 1}}, ("ids",),
        shape(units=WHOLE, ids=TEXTS), _forget, destroys=True,
    ),
    Tool(
        "supersede",
        "Say that a memory is no longer true and what is true now; the old one stays as history.",
        {
            "old": {**TEXT, "description": "The id of what was true."},
            "new": {**TEXT, "description": "What is true now: a text, or a memory's id."},
            "at": {**TIME, "description": "Since when."},
        },
        ("old", "new"), shape(id=TEXT, text=TEXT, supersedes=TEXT_OR_NULL), _supersede,
    ),
    Tool(
        "list_banks", "List the memory spaces and how much each holds.", {}, (),
        listing("banks", shape(name=TEXT, units=WHOLE)), _list_banks, reads_only=True,
        of_every_bank=True,
    ),
    Tool(
        "search", "Search the memory; gives ids and titles to `fetch`.", {"query": TEXT},
        ("query",), listing("results", _FOUND), _search, reads_only=True,
    ),
    Tool(
        "fetch", "One memory in full, by its id.", {"id": TEXT}, ("id",),
        shape(id=TEXT, title=TEXT, text=TEXT, url=TEXT, metadata=ANY_OBJECT), _fetch,
        reads_only=True,
    ),
)  # fmt: skip


def find_tool(name: str) -> Tool:
    """A tool by its name."""
    for tool in TOOLS:
        if tool.name == name:
            return tool
    raise BadInput("no such tool", name, f"There are {', '.join(tool.name for tool in TOOLS)}.")
