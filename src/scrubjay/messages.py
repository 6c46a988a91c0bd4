"""The messages of a conversation, as the common chat APIs have them, declared in one shape.

It takes OpenAI's chat messages and response items, Anthropic's, Gemini's and Bedrock's messages,
those of Vercel's AI SDK, and LangChain's dicts.
They differ in where the same few things stand: who speaks, what is said, when, and which tool was
called or answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar

from scrubjay.marks import About, Stamp
from scrubjay.types.values import Json, JsonObject, Name, Tags

_TextOrNull = str | None
When = Annotated[datetime | None, Stamp()]


@dataclass(frozen=True, slots=True)
class ResultPart:
    """One part of what a tool answered."""

    json_short: ClassVar = "text"
    json_open: ClassVar = True

    type: _TextOrNull = None
    text: _TextOrNull = None


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """The function that a model calls."""

    json_open: ClassVar = True

    name: _TextOrNull = None
    arguments: Json = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that a model calls: OpenAI has name and arguments in `function`, LangChain here."""

    json_open: ClassVar = True

    id: _TextOrNull = None
    name: _TextOrNull = None
    args: Json = None
    function: FunctionCall | None = None


@dataclass(frozen=True, slots=True)
class PartCall:
    """A tool that a part calls, in Gemini and Bedrock."""

    json_open: ClassVar = True

    name: _TextOrNull = None
    args: Json = None
    input: Json = None
    id: _TextOrNull = None
    toolUseId: _TextOrNull = None  # noqa: N815


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What a tool answered, in Gemini and Bedrock."""

    json_open: ClassVar = True

    name: _TextOrNull = None
    response: Json = None
    content: Json = None
    id: _TextOrNull = None
    toolUseId: _TextOrNull = None  # noqa: N815


@dataclass(frozen=True, slots=True)
class ContentPart:
    """One part of a message: text, an image, a call of a tool, what a tool answered."""

    json_short: ClassVar = "text"
    json_open: ClassVar = True

    type: Annotated[_TextOrNull, About("What it is.", "text")] = None
    text: _TextOrNull = None
    refusal: _TextOrNull = None
    id: _TextOrNull = None
    name: Annotated[_TextOrNull, About("The tool that is called.")] = None
    input: Annotated[Json, About("What the tool is called with.")] = None
    tool_use_id: Annotated[_TextOrNull, About("The call that is answered.")] = None
    content: Annotated[str | tuple[ResultPart, ...] | None, About("What the tool answered.")] = None
    functionCall: PartCall | None = None  # noqa: N815
    function_call: PartCall | None = None
    toolUse: PartCall | None = None  # noqa: N815
    functionResponse: PartAnswer | None = None  # noqa: N815
    function_response: PartAnswer | None = None
    toolResult: PartAnswer | None = None  # noqa: N815
    toolName: _TextOrNull = None  # noqa: N815
    toolCallId: _TextOrNull = None  # noqa: N815
    output: Json = None
    inlineData: Json = None  # noqa: N815
    inline_data: Json = None
    fileData: Json = None  # noqa: N815
    file_data: Json = None
    image: Json = None
    document: Json = None
    video: Json = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation as chat APIs have it; what is not known here is passed over."""

    json_open: ClassVar = True

    role: Annotated[_TextOrNull, About("Who speaks.", "user")] = None
    content: Annotated[
        str | tuple[ContentPart, ...] | None, About("What is said.", "Please call me Jo.")
    ] = None
    parts: Annotated[tuple[ContentPart, ...] | None, About("The same in parts.")] = None
    text: Annotated[_TextOrNull, About("The same under another name.")] = None
    type: Annotated[
        _TextOrNull, About("The kind of item; or, beside `text`, the type of the memory.")
    ] = None
    name: Annotated[_TextOrNull, About("The name of who speaks, or of the tool.")] = None
    speaker: Annotated[_TextOrNull, About("The name of who speaks.")] = None
    timestamp: Annotated[When, About("When it was said.", 1767225600)] = None
    created_at: When = None
    createdAt: When = None  # noqa: N815
    date: When = None
    told_at: When = None
    at: When = None
    tool_calls: Annotated[tuple[ToolCall, ...] | None, About("Tools that are called.")] = None
    function_call: FunctionCall | None = None
    tool_call_id: Annotated[_TextOrNull, About("The call that is answered.")] = None
    call_id: Annotated[_TextOrNull, About("The same in response items.")] = None
    arguments: Annotated[Json, About("What the tool is called with, in response items.")] = None
    output: Annotated[
        str | tuple[ResultPart, ...] | None, About("What the tool answered, in response items.")
    ] = None
    refusal: _TextOrNull = None
    data: Annotated[Mapping[str, Json] | None, About("The message itself, in LangChain.")] = None
    kwargs: Annotated[Mapping[str, Json] | None, About("The same, serialised.")] = None
    session: Name | None = None
    tags: Tags = ()
    metadata: JsonObject | None = None
    key: Name | None = None
