"""Makes transcripts of coding agents, with the noise that their clients put in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

SESSION = "5f0c0f5e-9f61-4c5e-8a37-0d5a3a3f9a10"
BEGAN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def stamp(turn: int) -> str:
    return (BEGAN + timedelta(seconds=turn)).isoformat().replace("+00:00", "Z")


def said(turn: int) -> str:
    return f"Turn {turn}: the harbour crane number {turn} is checked on weekday {turn % 7}."


def claude_line(turn: int, role: str, content: object, **more: object) -> str:
    line = {
        "parentUuid": None, "isSidechain": False, "userType": "external", "cwd": "/home/jo/quay",
        "sessionId": SESSION, "version": "2.1.37", "gitBranch": "main", "type": role,
        "message": {"role": role, "content": content}, "uuid": f"u-{turn}-{role}",
        "timestamp": stamp(turn), **more,
    }  # fmt: skip
    return json.dumps(line)


def claude_code(lines: int) -> Iterator[str]:
    """So many lines, of which every third and fourth of six say something."""
    made = 0
    turn = 0
    while True:
        for line in (
            json.dumps({"type": "file-history-snapshot", "messageId": f"m{turn}", "snapshot": {}}),
            claude_line(turn, "user", "Caveat: written by the client.", isMeta=True),
            claude_line(turn, "user", f"{said(turn)}<system-reminder>Tests.</system-reminder>"),
            claude_line(turn, "assistant", [{"type": "text", "text": f"Noted. {said(turn)}"}]),
            claude_line(
                turn, "assistant", [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}],
                uuid=f"u-{turn}-call",
            ),
            claude_line(
                turn, "user", [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}],
                uuid=f"u-{turn}-result",
            ),
        ):  # fmt: skip
            if made == lines:
                return
            made += 1
            yield line
        turn += 1


def codex_line(turn: int, kind: str, payload: object) -> str:
    return json.dumps({"timestamp": stamp(turn), "type": kind, "payload": payload})


def codex_message(turn: int, role: str, text: str) -> str:
    part = "output_text" if role == "assistant" else "input_text"
    content = [{"type": part, "text": text}]
    return codex_line(turn, "response_item", {"type": "message", "role": role, "content": content})


def codex(lines: int) -> Iterator[str]:
    """So many lines: the session's own, then six a turn of which two say something."""
    yield codex_line(0, "session_meta", {"id": SESSION, "cwd": "/home/jo/quay", "git": {}})
    made, turn = 1, 0
    while True:
        call = {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"}
        output = {"type": "function_call_output", "call_id": "c", "output": "ok"}
        for line in (
            codex_line(turn, "turn_context", {"cwd": "/home/jo/quay", "model": "m"}),
            codex_message(
                turn, "user", f"<environment_context>x</environment_context>{said(turn)}"
            ),
            codex_line(turn, "event_msg", {"type": "user_message", "message": said(turn)}),
            codex_line(turn, "response_item", call),
            codex_line(turn, "response_item", output),
            codex_message(turn, "assistant", f"Noted. {said(turn)}"),
        ):
            if made == lines:
                return
            made += 1
            yield line
        turn += 1
