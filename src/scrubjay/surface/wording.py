"""Remedies in the words of who reads them: errors speak Python, a command line and tools do not."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remedy:
    """What an error advises, and the same for a command line and for an agent with tools."""

    python: str  # a regular expression
    command: str
    tool: str


REMEDIES = (
    Remedy(r"or pass keep_going to", "or give --keep-going to", "or pass keep_going to"),
    Remedy(
        r"Open it for writing once to make it\.",
        "The first command that writes makes it.",
        "It is made when something is retained.",
    ),
    Remedy(
        r"Create it with memory\.bank\(name\)\.",
        "Create it with `scrubjay banks create NAME`.",
        "It is made when something is retained in it; list_banks shows those there are.",
    ),
    Remedy(
        r", or declare it: bank\(name, types=\[\.\.\.\]\)\.",
        ", or declare it: `scrubjay banks create NAME --set types=...`.",
        ".",
    ),
    Remedy(
        r"List them with banks\(\)\.", "`scrubjay banks list` shows them.", "list_banks shows them."
    ),
    Remedy(
        r"List them with pending\(\)\.",
        "`scrubjay pending` lists them.",
        "They wait for a person to approve them.",
    ),
    Remedy(
        r"To erase all, use delete_bank\(name\)\.",
        "`scrubjay banks delete` erases a whole bank.",
        "Give ids.",
    ),
    Remedy(
        r"Close it there, or open it here with read_only=True\.",
        "Close it there; commands that only read work meanwhile.",
        "Tools that only read work meanwhile.",
    ),
    Remedy(
        r"was opened with read_only=True\.",
        "is open for reading only.",
        "is open for reading only.",
    ),
    Remedy(r", or open the store with read_only=True", "", ""),
    Remedy(
        r", an http:// address, or an Encoder\.",
        " or an http:// address.",
        " or an http:// address.",
    ),
    Remedy(
        r"Open it with encoder=('[^']*')",
        r"Give --encoder \1",
        r"Whoever started this server is to give --encoder \1",
    ),
    Remedy(
        r"opened with encoder=None; open with encoder='auto' to search by meaning",
        "--encoder none was given; leave it out to search by meaning",
        "this server was started with --encoder none",
    ),
    Remedy(r", or pass rerank=False", ", or give --no-rerank", ""),
    Remedy(
        r"Add one, such as \+00:00 or tzinfo=UTC\.", "Add one, such as Z.", "Add one, such as Z."
    ),
    Remedy(
        r"Give a dict of (?:JSON values|name and value|kind and number)\.",
        "Give a JSON object.",
        "Give a JSON object.",
    ),
    Remedy(
        r"pass Unit\(text=\.\.\.\), or retain it first",
        "retain it first",
        "retain it first",
    ),
    Remedy(
        r"Give a unit's id, text, or a Unit\.",
        "Give a unit's id, or a text.",
        "Give a memory's id, or a text.",
    ),
    Remedy(r"Give each Unit its own key\.", "Give each its own key.", "Give each its own key."),
)
_PATTERNS = tuple((re.compile(one.python), one) for one in REMEDIES)


def in_commands(message: str) -> str:
    """What an error says, for a command line."""
    for pattern, remedy in _PATTERNS:
        message = pattern.sub(remedy.command, message)
    return message


def in_tools(message: str) -> str:
    """What an error says, for an agent with tools."""
    for pattern, remedy in _PATTERNS:
        message = pattern.sub(remedy.tool, message)
    return message


def in_requests(message: str) -> str:
    """What an error says, for a client of HTTP."""
    return message.replace(
        "Create it with memory.bank(name).",
        "It is made when something is told in it; GET /v1/banks lists those there are.",
    )
