"""Transcripts of coding agents: what was said is read, what clients added is not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from tests.importers.transcripts import (
    SESSION,
    claude_code,
    claude_line,
    codex,
    codex_line,
    codex_message,
    said,
)

from scrubjay import Memory
from scrubjay.importers import Found, Read, Skipped, Wrong, read_claude_code, read_codex, units_in
from scrubjay.importers.transcripts import said_in

LINES = 10_000


@pytest.mark.parametrize(("read", "made"), [(read_claude_code, claude_code), (read_codex, codex)])
def test_every_line_is_read_or_skipped_with_its_reason(
    read: Callable[[Iterator[str]], Iterator[Found]], made: Callable[[int], Iterator[str]]
) -> None:
    found = list(read(made(LINES)))
    assert len(found) == LINES
    assert not [one for one in found if isinstance(one, Wrong)]
    assert [one.line for one in found] == list(range(1, LINES + 1))
    turns = [one.unit for one in found if isinstance(one, Read)]
    assert len(turns) == len({unit.key for unit in turns})
    told = {unit.text for unit in turns if unit.speaker == "user"}
    assert told == {said(turn) for turn in range(len(told))}
    reasons = Counter(one.reason for one in found if isinstance(one, Skipped))
    assert sum(reasons.values()) + len(turns) == LINES
    assert len(reasons) <= 6


def test_a_turn_keeps_who_said_it_when_and_where() -> None:
    (unit,) = units_in(read_claude_code([claude_line(3, "user", "I prefer tabs.")]))
    assert (unit.text, unit.type, unit.speaker, unit.session) == (
        "I prefer tabs.", "message", "user", SESSION,
    )  # fmt: skip
    assert unit.told_at == datetime(2026, 3, 2, 9, 0, 3, tzinfo=UTC)
    assert unit.key == "claude-code/u-3-user"
    assert unit.metadata == {"cwd": "/home/jo/quay", "branch": "main"}


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("<system-reminder>\nBe brief.\n</system-reminder>\nUse ruff.", "Use ruff."),
        ("Use <b>bold</b> here.", "Use <b>bold</b> here."),
        ("<local-command-stdout>out</local-command-stdout>", ""),
        ("<user-prompt-submit-hook>remembered: x</user-prompt-submit-hook>Go on.", "Go on."),
        ("<command-name>/fix</command-name>\n<command-args>the crane</command-args>", "the crane"),
        ("Hello.\n<memories>\nquoted\n<memory id=\"x\">\nold\n</memory>\n</memories>", "Hello."),
        ("Hello. <memories>\ncut off", "Hello."),
        ("[Request interrupted by user for tool use]", ""),
        ("# AGENTS.md instructions for /quay\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", ""),
        ("<environment_context>\n<cwd>/q</cwd>\n</environment_context>", ""),
        ("<ide_opened_file>a.py is open</ide_opened_file>Why?", "Why?"),
        ("One.\n\n\n\nTwo.", "One.\n\nTwo."),
    ],
)  # fmt: skip
def test_what_a_client_added_is_taken_away(written: str, left: str) -> None:
    assert said_in(written) == left


def test_memories_recalled_into_a_prompt_are_not_retained_again() -> None:
    with Memory.open(":memory:", encoder="hash") as memory:
        memory.retain("Nadia keeps the harbour keys.")
        context = memory.recall("who keeps the keys?").as_context()
        prompt = f"<system-reminder>hook says: {context}</system-reminder>\nFetch them."
        units = [*units_in(read_claude_code([claude_line(0, "user", prompt)]))]
        bare = [*units_in(read_claude_code([claude_line(1, "user", f"{context}\nFetch them.")]))]
    assert [unit.text for unit in units + bare] == ["Fetch them.", "Fetch them."]


@pytest.mark.parametrize(
    ("mark", "reason"),
    [
        ({"isMeta": True}, "written by the client"),
        ({"isSidechain": True}, "work of a subagent"),
        ({"isCompactSummary": True}, "summary of what was said before"),
    ],
)
def test_what_nobody_said_to_the_user_is_skipped(mark: dict[str, object], reason: str) -> None:
    assert [*read_claude_code([claude_line(0, "user", "Some text.", **mark)])] == [
        Skipped(1, reason)
    ]


def test_a_part_of_a_transcript_has_the_keys_of_the_whole() -> None:
    whole = [*codex(50)]
    every = [*units_in(read_codex(whole))]
    part = [*units_in(read_codex(whole[20:], first_line=21, session=SESSION))]
    assert part == every[-len(part) :]
    assert len(part) > 5


def test_codex_events_that_repeat_a_message_are_not_read_twice() -> None:
    lines = [
        codex_line(0, "session_meta", {"id": SESSION}),
        codex_message(1, "user", "Use the small crane."),
        codex_line(1, "event_msg", {"type": "user_message", "message": "Use the small crane."}),
        codex_message(2, "developer", "Sandbox rules."),
    ]
    assert [unit.text for unit in units_in(read_codex(lines))] == ["Use the small crane."]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"type": "user", "mess', "not JSON"),
        ("[1]", "not a JSON object"),
        ("{}", "without 'type'"),
        (json.dumps({"type": "user", "sessionId": "s", "uuid": "u"}), "'message'"),
        (claude_line(0, "user", 5), "'content'"),
        (claude_line(0, "user", "Hello.", timestamp="noon"), "'timestamp' is not a time"),
        (claude_line(0, "user", "Hello.", uuid=None), "'uuid' is missing"),
        (b'{"type": "\xff"}', "not UTF-8"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str | bytes, reason: str) -> None:
    found = [*read_claude_code([claude_line(0, "user", "Fine."), line])]
    assert isinstance(found[1], Wrong)
    assert found[1].line == 2
    assert reason in found[1].reason


def test_a_transcript_of_another_program_is_wrong_for_codex() -> None:
    found = [*read_codex([claude_line(0, "user", "Hello.")])]
    assert isinstance(found[0], Wrong)
    assert "'user'" in found[0].reason


def test_retaining_a_transcript_twice_keeps_it_once() -> None:
    with Memory.open(":memory:", encoder="hash") as memory:
        units = [*units_in(read_codex(codex(60)))]
        first = memory.retain(units)
        again = memory.retain(units)
    assert len(first.new) == len(units)
    assert (again.new, again.updated, len(again.duplicates)) == ((), (), len(units))
