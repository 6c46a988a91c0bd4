"""What the memory does for a coding agent: recall for a prompt, retain what was said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.answers import Item, Recall
from scrubjay.errors import NotFound
from scrubjay.importers.found import Found, Read
from scrubjay.importers.transcripts import read_claude_code, read_codex, said_in
from scrubjay.integrations.coding.lasting import is_lasting
from scrubjay.integrations.coding.offsets import Offsets
from scrubjay.integrations.coding.places import USER_BANK, bank_of
from scrubjay.integrations.context import ITEMS_MAX, TOKENS_MAX, is_filler, worth_telling
from scrubjay.limits import QUESTION_CHARACTERS_MAX, UNITS_PER_CALL_MAX
from scrubjay.memory import Memory
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

# What a client takes of a hook whole; more it cuts or puts into a file.
CONTEXT_CHARACTERS_MAX = 8_000


@dataclass(frozen=True, slots=True)
class Event:
    """What a client's hook says, read from its JSON."""

    client: str
    directory: Path
    session: str
    prompt: str = ""
    answer: str = ""  # what the agent said, where the client says it so
    turn: str = ""
    transcript: Path | None = None  # None: the client has none


def read_event(client: str, directory: str, told: bytes) -> Event:
    """An event; ValueError for what is none."""
    shape = json.loads(told)
    if not isinstance(shape, dict):
        raise ValueError("an event is a JSON object")
    roots = shape.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    transcript = _text(shape, "transcript_path")
    return Event(
        client,
        Path(_text(shape, "cwd") or str(first) or directory),
        _text(shape, "session_id") or _text(shape, "conversation_id"),
        _text(shape, "prompt"),
        _text(shape, "text"),
        _text(shape, "generation_id"),
        Path(transcript) if transcript else None,
    )


def _text(shape: Mapping[str, Json], name: str) -> str:
    value = shape.get(name)
    return value if isinstance(value, str) else ""


class Remembering:
    """A memory as coding agents use it; safe from many threads, as Memory is."""

    def __init__(self, memory: Memory, offsets: Offsets) -> None:
        self._memory = memory
        self._offsets = offsets

    def context_for(self, event: Event) -> str:
        """What a prompt needs of what was said before, as text for the agent; "" for nothing."""
        asked = said_in(event.prompt)[:QUESTION_CHARACTERS_MAX]
        # A command of the client ("/clear") asks the memory nothing; nor does "Thanks!".
        if asked.startswith("/") or is_filler(asked):
            return ""
        banks = dict.fromkeys((bank_of(event.directory), USER_BANK))
        found = [recall for bank in banks if (recall := self._recall(asked, bank, event.session))]
        items = sorted((item for one in found for item in one), key=lambda item: -item.relevance)
        # What was said in the repository and outside of all is told once.
        once: dict[str, Item] = {}
        for item in items:
            once.setdefault(item.text, item)
        return _fitting(found[0], [*once.values()]) if once else ""

    def _recall(self, asked: str, bank: str, session: str) -> Recall | None:
        try:
            found = worth_telling(
                self._memory.recall(asked, bank=bank, limit=ITEMS_MAX, max_tokens=TOKENS_MAX)
            )
        except NotFound:
            return None  # nothing was told here yet
        # What was said in this session the agent has before it.
        new = tuple(item for item in found if not session or item.session != session)
        return replace(found, items=new)

    def retain(self, event: Event) -> int:
        """Keep what was said since the last time; how many units were new."""
        if event.transcript is not None and event.client in _READERS:
            return self._retain_transcript(event, event.transcript)
        return self._keep(event, _turns(event))

    def _retain_transcript(self, event: Event, transcript: Path) -> int:
        kept = 0
        with self._offsets.reading(transcript) as part:
            # Part by part: a long session that was never read before is too much for one call.
            while lines := part.lines(UNITS_PER_CALL_MAX):
                found = _READERS[event.client](lines, part.line, event.session)
                units = [one.unit for one in found if isinstance(one, Read)]
                kept += self._keep(event, units)
                part.advance()
        return kept

    def _keep(self, event: Event, units: list[Unit]) -> int:
        if not units:
            return 0
        # By rule, so that a preference is known as one.
        typed = [replace(one, type=None) if one.speaker == "user" else one for one in units]
        # Each is kept once, in one bank: what is erased there, or replaced, is so everywhere.
        banks: dict[str, list[Unit]] = {}
        for unit in typed:
            banks.setdefault(_bank_for(unit, event.directory), []).append(unit)
        kept = [self._memory.retain(told, bank=bank) for bank, told in banks.items()]
        return sum(len(one.new) for one in kept)


def _bank_for(unit: Unit, directory: Path) -> str:
    """What the user wants in general holds in every repository; all else stays in its own."""
    if unit.speaker == "user" and is_lasting(unit.text):
        return USER_BANK
    return bank_of(directory)


def _claude_code(lines: list[bytes], first_line: int, _: str) -> Iterator[Found]:
    return read_claude_code(lines, first_line=first_line)


def _codex(lines: list[bytes], first_line: int, session: str) -> Iterator[Found]:
    return read_codex(lines, first_line=first_line, session=session)


_READERS = {"claude-code": _claude_code, "codex": _codex}


def _turns(event: Event) -> list[Unit]:
    """What a client says of a turn itself, where it keeps no transcript that we read."""
    said = (("user", said_in(event.prompt)), ("assistant", said_in(event.answer)))
    return [
        Unit(
            text,
            type="message",
            speaker=speaker,
            session=event.session or None,
            key=f"{event.client}/{event.turn}/{speaker}"[:200] if event.turn else None,
        )
        for speaker, text in said
        if text
    ]


def _fitting(recall: Recall, items: list[Item]) -> str:
    """The best items that fit into what a client takes; "" if the first is too long already."""
    for count in range(min(len(items), ITEMS_MAX), 0, -1):
        text = replace(recall, items=tuple(items[:count])).as_context()
        if len(text) <= CONTEXT_CHARACTERS_MAX:
            return text
    return ""


def answer_of(client: str, context: str) -> bytes:
    """What a prompt's hook prints; nothing where there is nothing to say."""
    if not context or client not in _READERS:
        return b""
    said = {"hookEventName": "UserPromptSubmit", "additionalContext": context}
    return json.dumps({"hookSpecificOutput": said}, ensure_ascii=False).encode()
