"""Reads the transcripts of coding agents: what was said, without what their clients added.

A client puts much into a transcript that nobody said: reminders, the output of hooks and commands,
descriptions of the machine, and memories that were recalled into the prompt. To retain those would
be to remember what was remembered, and to attribute to the user what a program wrote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from scrubjay.importers.found import (
    Found,
    NotRead,
    Object,
    Read,
    Skipped,
    Wrong,
    bounded,
    json_lines,
    moment_in,
    object_in,
)
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

# Tags that clients write, and recalled memories; what stands in them nobody said. Names are listed,
# because people paste markup of their own.
_ADDED = (
    r"system[-_]reminder|system-notification|local-command-[a-z]+|command-(?:name|message|contents)"
    r"|bash-(?:input|stdout|stderr)|[a-z-]*-hook|task-notification|teammate-message"
    r"|ide_[a-z_]+|environment_context|user_instructions|user_shell_command|turn_aborted"
    r"|permissions instructions|collaboration_mode|skills_instructions|skill|subagent_notification"
    r"|INSTRUCTIONS|memories"
)
# Up to the end where it is not closed: a client cuts what is too long.
_BLOCK = re.compile(rf"<({_ADDED})(?:\s[^>]*)?>.*?(?:</\1>|\Z)", re.DOTALL)
_LEFT_OVER = re.compile(rf"</(?:{_ADDED})>")
# What was typed behind a command is the user's.
_TYPED = re.compile(r"</?command-args>")
_INSTRUCTIONS_FILE = re.compile(r"^# AGENTS\.md instructions for .*$", re.MULTILINE)
_INTERRUPTED = re.compile(r"\[Request interrupted by user[^\]\n]*\]")
_BLANK_LINES = re.compile(r"\n{3,}")


def said_in(text: str) -> str:
    """What was said, of a text that a client has added to; "" if that is nothing."""
    for added in (_BLOCK, _LEFT_OVER, _TYPED, _INSTRUCTIONS_FILE, _INTERRUPTED):
        text = added.sub("", text)
    return _BLANK_LINES.sub("\n\n", text).strip()


def read_claude_code(lines: Iterable[str | bytes], *, first_line: int = 1) -> Iterator[Found]:
    """What was said in a transcript of Claude Code, or in a part of one.

    Calls of tools and their answers, the work of subagents, summaries and what the client wrote
    itself are passed over. A line's own id is the unit's key.
    """
    return _read(lines, first_line, _claude_code_line)


def read_codex(
    lines: Iterable[str | bytes], *, first_line: int = 1, session: str | None = None
) -> Iterator[Found]:
    """What was said in a transcript of Codex; `session` is the one of a part without its beginning.

    Calls of tools and their answers, reasoning, events (which repeat what was said) and what the
    client wrote itself are passed over. The session with the number of the line is the unit's key.
    """
    known = session

    def read(number: int, line: Object) -> Found:
        nonlocal known
        if line.get("type") == "session_meta":
            meta = object_in(line, "payload")
            # A fork repeats the beginning of another, whose description stands further below.
            known = known or _name(meta, "id")
            return Skipped(number, "describes the session")
        return _codex_line(number, line, known)

    return _read(lines, first_line, read)


def _read(
    lines: Iterable[str | bytes], first_line: int, read: Callable[[int, Object], Found]
) -> Iterator[Found]:
    for line in json_lines(lines, first_line):
        if isinstance(line, Wrong):
            yield line
            continue
        try:
            yield read(*line)
        except NotRead as error:
            yield Wrong(line[0], str(error))


def _claude_code_line(number: int, line: Object) -> Found:
    kind = line.get("type")
    if not isinstance(kind, str):
        raise NotRead("a line without 'type', which every line of a transcript has")
    if kind not in ("user", "assistant"):
        return Skipped(number, f"line of type {kind[:40]!r}, not said by anybody")
    for mark, reason in _MARKS.items():
        if line.get(mark):
            return Skipped(number, reason)
    session, message = _name(line, "sessionId"), object_in(line, "message")
    metadata = {
        ours: value
        for ours, theirs in (("cwd", "cwd"), ("branch", "gitBranch"))
        if isinstance(value := line.get(theirs), str) and value
    }
    said = said_in(_text_of(message.get("content")))
    if not said:
        return Skipped(number, _why_nothing(message.get("content")))
    return Read(
        number,
        Unit(
            said,
            type="message",
            speaker=kind,
            session=bounded(session),
            told_at=moment_in(line, "timestamp"),
            key=bounded(f"claude-code/{_name(line, 'uuid')}"),
            metadata=metadata,
        ),
    )


_MARKS = {
    "isMeta": "written by the client",
    "isSidechain": "work of a subagent",
    "isCompactSummary": "summary of what was said before",
    "isApiErrorMessage": "error of the API",
}


def _codex_line(number: int, line: Object, session: str | None) -> Found:
    kind = line.get("type")
    if kind in ("event_msg", "turn_context", "compacted", "world_state"):
        return Skipped(number, f"{kind}, not said by anybody")
    if kind != "response_item":
        raise NotRead(f"a line of type {kind!r}, which a transcript of Codex does not have")
    item = object_in(line, "payload")
    if item.get("type") != "message":
        return Skipped(number, _ITEMS.get(str(item.get("type")), "item that is no message"))
    speaker = item.get("role")
    if speaker not in ("user", "assistant"):
        return Skipped(number, "written by the client")
    if session is None:
        raise NotRead("something said before the session is named; give session=")
    said = said_in(_text_of(item.get("content")))
    if not said:
        return Skipped(number, _why_nothing(item.get("content")))
    return Read(
        number,
        Unit(
            said,
            type="message",
            speaker=str(speaker),
            session=bounded(session),
            told_at=moment_in(line, "timestamp"),
            key=bounded(f"codex/{session}/{number}"),
        ),
    )


_CALL, _THOUGHT = "call of a tool, or its answer", "reasoning"
_ITEMS = {
    "reasoning": _THOUGHT,
    "function_call": _CALL,
    "function_call_output": _CALL,
    "custom_tool_call": _CALL,
    "custom_tool_call_output": _CALL,
    "local_shell_call": _CALL,
    "web_search_call": _CALL,
}
_PARTS = {
    "tool_use": _CALL, "tool_result": _CALL, "server_tool_use": _CALL, "thinking": _THOUGHT,
    "redacted_thinking": _THOUGHT, "image": "picture", "input_image": "picture",
    "document": "attached document",
}  # fmt: skip


def _text_of(content: Json) -> str:
    """The text of a message: the whole of it, or its parts that are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise NotRead("'content' is neither text nor a list")
    texts = []
    for part in content:
        if not isinstance(part, Mapping):
            raise NotRead("a part of 'content' is not an object")
        if part.get("type") in ("text", "input_text", "output_text"):
            texts.append(str(part.get("text") or ""))
    return "\n".join(texts)


def _why_nothing(content: Json) -> str:
    """Why a message says nothing."""
    parts = content if isinstance(content, list) else []
    for part in parts:
        kind = part.get("type") if isinstance(part, Mapping) else None
        if isinstance(kind, str) and kind in _PARTS:
            return _PARTS[kind]
    return "written by the client"


def _name(shape: Object, name: str) -> str:
    value = shape.get(name)
    if not isinstance(value, str) or not value:
        raise NotRead(f"{name!r} is missing")
    return value
