"""Reads the messages of a conversation into units."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from scrubjay.codec.compiled import decode
from scrubjay.codec.values import check_text
from scrubjay.errors import BadInput
from scrubjay.limits import TEXT_CHARACTERS_MAX
from scrubjay.messages import ContentPart, FunctionCall, Message, ResultPart
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

# In the metadata of a unit: the tool that was called or answers, and the call's own id; other
# parts of the message, by their names.
TOOL, CALL, PARTS = "tool", "call", "parts"

# Kinds of item that are messages, and whose.
_SPEAKERS = {
    "message": None, "chat": None, "human": "user", "ai": "assistant", "system": "system",
    "developer": "developer", "tool": "tool", "function": "tool", "user": "user",
    "assistant": "assistant", "HumanMessageChunk": "user", "AIMessageChunk": "assistant",
}  # fmt: skip
_TEXTS = frozenset({None, "text", "input_text", "output_text"})
# What a model says to itself is nobody's memory.
_SILENT = frozenset(
    {"reasoning", "thinking", "redacted_thinking", "summary_text", "reasoningContent", "step-start"}
)
# The fields of a part without a type that hold what is no text.
_HOLDERS = ("image", "document", "video", "inlineData", "inline_data", "fileData", "file_data")
# Names of roles that another word stands for elsewhere.
_ROLES = {"model": "assistant"}
# How parts of Vercel's kind are called that use a tool: by its name.
_TOOL_PART = "tool-"


@dataclass(slots=True)
class Conversation:
    """Reads messages one after the other; an answer of a tool has the name of who was called."""

    _called: dict[str, str]

    def __init__(self) -> None:
        self._called = {}

    def units_of(self, told: object, at: str) -> list[Unit]:
        """The units of one message; BadInput names what is wrong by its path from `at`."""
        message = told if isinstance(told, Message) else decode(Message, _plain(told), at)
        inside = message.data or message.kwargs
        if message.parts is not None and message.content is None:
            message = replace(message, content=message.parts)
        if inside is not None and message.content is None:
            kind: dict[str, Json] = {} if message.kwargs else {"type": message.type}
            return self.units_of({**kind, **inside}, f"{at}.{'data' if message.data else 'kwargs'}")
        calls = [*self._calls(message)]
        results, said = [*self._results(message)], [*self._said(message, at)]
        # Who calls a tool and has its answer in one message says the rest behind it.
        units = [*calls, *results, *said] if calls and results else [*results, *said, *calls]
        if not units and not _is_silent(message):
            raise BadInput(f"{at} without text", _shown(told), "Give it 'content' or 'text'.")
        for unit in units:
            check_text(unit.text, f"{at}.content", TEXT_CHARACTERS_MAX)
        # A key names one unit.
        return [unit if n == 0 else replace(unit, key=None) for n, unit in enumerate(units)]

    def _said(self, message: Message, at: str) -> Iterator[Unit]:
        if _is_result(message) or _is_call(message):
            return
        texts, others = _read_parts(message, at)
        # A turn that is a picture is a turn.
        said = "\n".join(texts) if texts else " ".join(f"[{name}]" for name in others)
        if said or (not texts and isinstance(message.content, str) and not message.tool_calls):
            extra = {PARTS: [*dict.fromkeys(others)]} if others else {}
            yield _unit(message, said, _speaker(message), extra)

    def _calls(self, message: Message) -> Iterator[Unit]:
        # The name in an item that is a call is the tool's.
        caller = None if _is_call(message) else _speaker(message)
        for name, arguments, call in _calls_of(message):
            if call is not None:
                self._called[call] = name
            said = _shown_call(name, arguments)
            yield _unit(message, said, caller or "assistant", _tool(name, call))

    def _results(self, message: Message) -> Iterator[Unit]:
        for answer, given, call in _answers(message):
            said = answer if isinstance(answer, str) else "\n".join(_texts_of(answer))
            name = given or self._called.get(call or "", "tool")
            # Many tools answer nothing when all went well.
            if said.strip():
                yield _unit(message, said, name, _tool(name, call))


def is_of_a_tool(unit: Unit) -> bool:
    """Whether a unit is the call of a tool, or its answer."""
    return unit.type == "message" and isinstance(unit.metadata.get(TOOL), str)


def said_of_message(unit: Unit) -> dict[str, Json]:
    """What the metadata of a unit says of the message it was."""
    return {key: unit.metadata[key] for key in (TOOL, CALL, PARTS) if key in unit.metadata}


def is_message(told: object) -> bool:
    """Whether something is a message as read here, or an object of an API's own library."""
    return isinstance(told, Message) or callable(getattr(type(told), "model_dump", None))


def _plain(told: object) -> Json:
    """A message as JSON has it; the objects of the APIs' own libraries show themselves so."""
    shown = told.model_dump() if hasattr(type(told), "model_dump") else told  # type: ignore[attr-defined]
    return dict(shown) if isinstance(shown, Mapping) else shown  # type: ignore[return-value]


def _shown(told: object) -> object:
    return dict(told) if isinstance(told, Mapping) else told


def _unit(message: Message, text: str, speaker: str | None, extra: Mapping[str, Json]) -> Unit:
    # Beside a text of its own, a type that no API has is the memory's.
    own = message.type if message.text is not None and message.type not in _SPEAKERS else None
    return Unit(
        text,
        type=own or "message",
        speaker=speaker,
        told_at=_first(
            message.told_at, message.at, message.timestamp, message.created_at, message.createdAt,
            message.date,
        ),
        session=message.session,
        tags=message.tags,
        metadata={**(message.metadata or {}), **extra},
        key=message.key,
    )  # fmt: skip


def _first(*moments: datetime | None) -> datetime | None:
    return next((moment for moment in moments if moment is not None), None)


def _speaker(message: Message) -> str | None:
    kind = _SPEAKERS.get(message.type or "message")
    # What says nothing is as good as left out.
    role = _ROLES.get(message.role or "", message.role)
    return message.name or message.speaker or role or kind or None


def _tool(name: str, call: str | None) -> dict[str, Json]:
    return {TOOL: name} if call is None else {TOOL: name, CALL: call}


def _is_call(message: Message) -> bool:
    return message.role is None and message.name is not None and message.arguments is not None


def _is_result(message: Message) -> bool:
    if message.role in ("tool", "function") or message.type in ("tool", "function"):
        return True
    return message.role is None and message.output is not None


def _is_silent(message: Message) -> bool:
    """Whether a message may have no words: parts that nobody said, or an empty answer."""
    if _is_result(message):
        return message.content is not None or message.output is not None
    if isinstance(message.content, tuple) and message.content:
        return True
    # Items of other kinds, such as a search that the API itself did.
    kind = message.type
    return kind is not None and kind not in _SPEAKERS and message.role is None


def _read_parts(message: Message, at: str) -> tuple[list[str], list[str]]:
    """The texts of a message, and the names of the parts that are none."""
    whole = message.text if message.content is None else message.content
    if not isinstance(whole, tuple):
        return [text for text in (whole, message.refusal) if text], []
    texts, others = [], []
    for place, part in enumerate(whole):
        if _is_used(part) or _is_answer(part):
            continue
        if part.type is None and part.text is None and (held := _held_in(part)):
            others.append(held)
        elif part.type in _TEXTS:
            if part.text is None:
                raise BadInput(f"{at}.content[{place}] without text", part.type,
                               "Give it 'text', or the 'type' of what it is.")  # fmt: skip
            texts.append(part.text)
        elif part.refusal is not None:
            texts.append(part.refusal)
        elif part.type not in _SILENT:
            others.append(str(part.type).removeprefix("input_").removesuffix("_url"))
    return [text for text in texts if text], others


def _held_in(part: ContentPart) -> str | None:
    """What a part without a type holds that is no text."""
    return next((name for name in _HOLDERS if getattr(part, name) is not None), None)


def _is_used(part: ContentPart) -> bool:
    return _called_in(part) is not None


def _is_answer(part: ContentPart) -> bool:
    return _answered_in(part) is not None


def _called_in(part: ContentPart) -> tuple[str, Json, str | None] | None:
    """The tool that a part calls, with what, and the call's id."""
    call = part.functionCall or part.function_call or part.toolUse
    if call is not None:
        given = call.args if call.input is None else call.input
        return call.name or "tool", given, call.id or call.toolUseId
    if part.toolCallId is not None:
        return _tool_of(part), part.input, part.toolCallId
    if part.name is not None and part.input is not None:
        return part.name, part.input, part.id
    return None


def _answered_in(part: ContentPart) -> tuple[_Answer, str | None, str | None] | None:
    """What a tool answered in a part, which tool if that is said, and to which call."""
    answer = part.functionResponse or part.function_response or part.toolResult
    if answer is not None:
        given = answer.response if answer.content is None else answer.content
        return _written(given), answer.name, answer.id or answer.toolUseId
    if part.toolCallId is not None and part.output is not None:
        return _written(part.output), _tool_of(part), part.toolCallId
    if part.tool_use_id is not None:
        return part.content or "", None, part.tool_use_id
    return None


def _tool_of(part: ContentPart) -> str:
    return part.toolName or (part.type or "").removeprefix(_TOOL_PART) or "tool"


def _written(answer: Json) -> str:
    """An answer as text: its texts, or the JSON it is."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, list) and answer and all(isinstance(one, dict) for one in answer):
        texts = [one["text"] for one in answer if isinstance(one, dict) and "text" in one]
        if texts and all(isinstance(text, str) for text in texts):
            return "\n".join(str(text) for text in texts)
    return "" if answer is None else _json(answer, "answer of a tool")


def _json(value: Json, what: str) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise BadInput(what, value, "Give JSON.") from None


def _calls_of(message: Message) -> Iterator[tuple[str, Json, str | None]]:
    """What is called, with what, and the call's id."""
    if _is_call(message):
        yield message.name or "tool", message.arguments, message.call_id
    if message.function_call is not None:
        yield message.function_call.name or "tool", message.function_call.arguments, None
    for call in message.tool_calls or ():
        function = call.function or FunctionCall(call.name, call.args)
        yield function.name or "tool", function.arguments, call.id
    if isinstance(message.content, tuple):
        yield from filter(None, map(_called_in, message.content))


_Answer = str | tuple[ResultPart, ...]


def _answers(message: Message) -> Iterator[tuple[_Answer, str | None, str | None]]:
    """What was answered, by which tool if that is said, and to which call."""
    if _is_result(message):
        answer = message.output if message.content is None else message.content
        given = answer if isinstance(answer, str) else _as_results(answer or ())
        yield given, message.name, message.tool_call_id or message.call_id
    elif isinstance(message.content, tuple):
        yield from filter(None, map(_answered_in, message.content))


def _as_results(parts: Iterable[ContentPart | ResultPart]) -> tuple[ResultPart, ...]:
    return tuple(ResultPart(part.type, part.text) for part in parts)


def _texts_of(parts: Iterable[ResultPart]) -> list[str]:
    return [part.text for part in parts if part.text]


def _shown_call(name: str, arguments: Json) -> str:
    if isinstance(arguments, str) or arguments is None:
        return f"{name}({arguments or ''})"
    return f"{name}({_json(arguments, f'arguments of {name}')})"
