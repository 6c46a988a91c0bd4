"""The kinds of file that can be brought along, and which of them a file is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from scrubjay.errors import BadInput
from scrubjay.importers import chats, notes, slack, stores, tables
from scrubjay.importers.bundle import Bundle
from scrubjay.importers.found import Found, Wrong
from scrubjay.importers.listing import Named
from scrubjay.importers.transcripts import read_claude_code, read_codex

# What `export` writes and `import` has always read; it goes its own way, through the engine.
OWN = "scrubjay"


class ReadLines(Protocol):
    """Reads the lines of a transcript."""

    def __call__(self, lines: Iterator[bytes]) -> Iterator[Found]: ...


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: what it is, whether a bundle is of it, and what is found there."""

    name: str
    about: str
    recognises: Callable[[Bundle], bool]
    read: Callable[[Bundle, tables.Columns], Iterator[Named]]


def _plain(read: Callable[[Bundle], Iterator[Named]]) -> Callable[..., Iterator[Named]]:
    return lambda bundle, _: read(bundle)


def _transcripts(read: ReadLines) -> Callable[..., Iterator[Named]]:
    """A transcript, or a folder of them, each read by itself."""

    def read_all(bundle: Bundle, _: tables.Columns) -> Iterator[Named]:
        for name in bundle.named(".jsonl") if len(bundle.names) > 1 else bundle.names:
            broken: list[Wrong] = []
            yield from ((name, one) for one in read(_until_wrong(bundle.lines(name), broken)))
            yield from ((name, one) for one in broken)

    return read_all


def _until_wrong(lines: Iterator[bytes | Wrong], broken: list[Wrong]) -> Iterator[bytes]:
    for line in lines:
        if isinstance(line, Wrong):
            broken.append(line)
            return
        yield line


def _lines_of(bundle: Bundle) -> str:
    names = bundle.named(".jsonl")
    return bundle.head(names[0], 1 << 20) if names else ""


def _is_claude_code(bundle: Bundle) -> bool:
    # The first lines may say anything; one of them was said by somebody.
    begins = list(islice(_lines_of(bundle).splitlines(), 200))
    return any('"sessionId"' in line and '"uuid"' in line for line in begins)


def _is_codex(bundle: Bundle) -> bool:
    return '"session_meta"' in next(iter(_lines_of(bundle).splitlines()), "")


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "claude-code", "transcripts of Claude Code: a .jsonl file, or a folder of them",
            _is_claude_code, _transcripts(read_claude_code),
        ),
        Kind(
            "codex", "transcripts of Codex: a rollout-*.jsonl file, or a folder of them",
            _is_codex, _transcripts(read_codex),
        ),
        Kind(
            "chatgpt", "the export of ChatGPT: the zip, or its conversations.json",
            chats.is_chatgpt, _plain(chats.read_chatgpt),
        ),
        Kind(
            "claude", "the export of Claude: the zip, or its conversations.json",
            chats.is_claude, _plain(chats.read_claude),
        ),
        Kind(
            "hindsight", "a transfer archive of Hindsight: the zip",
            stores.is_hindsight, _plain(stores.read_hindsight),
        ),
        Kind(
            "slack", "the export of a Slack workspace: the zip, or its folder",
            slack.is_slack, _plain(slack.read_slack),
        ),
        Kind(
            "mcp-memory", "the JSON lines of the MCP memory server",
            stores.is_mcp_memory, _plain(stores.read_mcp_memory),
        ),
        Kind("mem0", "memories of mem0 as JSON", stores.is_mem0, _plain(stores.read_mem0)),
        Kind(
            "markdown", "notes with or without front matter: a .md file, a folder, a zip",
            notes.is_markdown, _plain(notes.read_markdown),
        ),
        Kind("csv", "a table with a header", tables.is_csv, tables.read_csv),
        # Any JSON lines could be meant, so this is never guessed.
        Kind(
            "jsonl", "JSON lines whose fields are mapped", lambda _: False, tables.read_jsonl
        ),
    )
}  # fmt: skip


def kind_of(name: str) -> Kind:
    """A kind by its name."""
    if name not in KINDS:
        raise BadInput("kind of file", name, f"There are {OWN}, {', '.join(KINDS)}.")
    return KINDS[name]


def guess(bundle: Bundle) -> Kind | None:
    """The kind that a bundle is; None for our own lines, BadInput for what is unknown."""
    found = next((kind for kind in KINDS.values() if kind.recognises(bundle)), None)
    if found is not None:
        return found
    first = stores.first_object(bundle)
    if (
        "text" in first
        or "kind" in first
        or not bundle.head(bundle.names[0] if bundle.names else "")
    ):
        return None
    raise BadInput(
        "file of an unknown layout",
        str(bundle.path),
        f"Say what it is: {OWN}, {', '.join(KINDS)}. Nothing was read.",
    )
