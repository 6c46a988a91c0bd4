"""Makes exports of other programs: so many things to keep in each, and the noise around them."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path

from tests.importers.transcripts import BEGAN, claude_code, codex, said, stamp

# What one conversation of an export holds.
TURNS = 20


def lines(path: Path, made: Iterable[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in made), encoding="utf-8")
    return path


def zipped(path: Path, files: Mapping[str, object]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, shape in files.items():
            out.writestr(name, shape if isinstance(shape, str) else json.dumps(shape, indent=1))
    return path


def conversations(count: int) -> Iterable[range]:
    return (range(start, min(start + TURNS, count)) for start in range(0, count, TURNS))


def chatgpt_conversation(turns: range) -> dict[str, object]:
    root: dict[str, object] = {"id": "root", "message": None, "parent": None, "children": ["h"]}
    mapping = {"root": root}
    hidden = {"id": "h", "author": {"role": "system"}, "create_time": None,
              "content": {"content_type": "text", "parts": [""]}}  # fmt: skip
    mapping["h"] = {"id": "h", "message": hidden, "parent": "root", "children": []}
    before = "h"
    for turn in turns:
        name = f"n{turn}"
        message = {
            "id": f"m{turn}",
            "author": {"role": "user" if turn % 2 == 0 else "assistant"},
            # Every third has no time, as in real exports.
            "create_time": None if turn % 3 == 0 else (BEGAN + timedelta(seconds=turn)).timestamp(),
            "content": {"content_type": "text", "parts": [said(turn)]},
        }
        mapping[name] = {"id": name, "message": message, "parent": before, "children": []}
        before = name
    left = {"id": "left", "author": {"role": "user"}, "create_time": 1.0,
            "content": {"content_type": "text", "parts": ["Asked otherwise."]}}  # fmt: skip
    mapping["left"] = {"id": "left", "message": left, "parent": "h", "children": []}
    return {
        "title": f"Cranes {turns.start}", "create_time": BEGAN.timestamp(), "mapping": mapping,
        "current_node": before, "conversation_id": f"c{turns.start}",
    }  # fmt: skip


def chatgpt(folder: Path, count: int) -> Path:
    half = [chatgpt_conversation(turns) for turns in conversations(count)]
    middle = len(half) // 2
    files = {"conversations-000.json": half[:middle], "conversations-001.json": half[middle:],
             "chat.html": "<html></html>", "user.json": {"id": "u"}}  # fmt: skip
    return zipped(folder / "chatgpt.zip", files)


def claude(folder: Path, count: int) -> Path:
    made = [
        {
            "uuid": f"c{turns.start}", "name": "Cranes", "created_at": stamp(0),
            "chat_messages": [
                {
                    "uuid": f"m{turn}", "text": said(turn), "created_at": stamp(turn),
                    "sender": "human" if turn % 2 == 0 else "assistant",
                    "content": [{"type": "text", "text": said(turn)}],
                }
                for turn in turns
            ],
        }
        for turns in conversations(count - 2)
    ]  # fmt: skip
    project = {
        "uuid": "p", "name": "Quay", "description": "All about the quay.", "created_at": stamp(0),
        "docs": [{"uuid": "d", "filename": "quay.md", "content": "The quay is long."}],
    }  # fmt: skip
    files = {"conversations.json": made, "projects.json": [project], "users.json": [{"uuid": "u"}]}
    return zipped(folder / "claude.zip", files)


def mem0(folder: Path, count: int) -> Path:
    results = [
        {"id": f"i{turn}", "memory": said(turn), "created_at": stamp(turn), "user_id": "jo",
         "categories": ["cranes"], "metadata": {"n": turn}}
        for turn in range(count - 1)
    ]  # fmt: skip
    relations = [{"source": "Nadia", "relationship": "works_at", "destination": "the quay"}]
    path = folder / "mem0.json"
    path.write_text(json.dumps({"results": results, "relations": relations}), encoding="utf-8")
    return path


def mcp_memory(folder: Path, count: int) -> Path:
    # Two observations each, but one of the last; and one relation.
    made: list[object] = [
        {
            "type": "entity",
            "name": f"Crane {turn}",
            "entityType": "crane",
            "observations": [said(turn), f"Is painted in colour {turn}."][
                : 1 + (turn < count // 2 - 1)
            ],
        }
        for turn in range(count // 2)
    ]
    made.append({"type": "relation", "from": "Crane 0", "to": "Crane 1", "relationType": "near"})
    return lines(folder / "memory.jsonl", map(json.dumps, made))


def hindsight(folder: Path, count: int) -> Path:
    files: dict[str, object] = {
        "manifest.json": {"schema_version": 1, "source_bank_id": "quay", "document_count": 1}
    }
    for number, turns in enumerate(conversations(count)):
        facts = [
            {
                "text": said(turn), "fact_type": "world", "context": "checks",
                "occurred_start": stamp(turn), "occurred_end": stamp(turn + 1),
                "mentioned_at": stamp(turn), "tags": ["quay"], "entities": [f"Crane {turn}"],
                "causal_relations": [{"relation_type": "caused_by", "target_fact_index": 0}]
                if turn == turns.start + 1 else [],
            }
            for turn in turns
        ]  # fmt: skip
        files[f"documents/{number:06}.json"] = {"id": f"d{number}", "facts": facts}
    return zipped(folder / "hindsight.zip", files)


def markdown(folder: Path, count: int) -> Path:
    vault = folder / "vault"
    (vault / "cranes").mkdir(parents=True)
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "app.json").write_text("{}", encoding="utf-8")
    for number, turns in enumerate(conversations(count)):
        parts = "\n".join(f"## Check {turn}\n\n{said(turn)} See [[Nadia|her]]." for turn in turns)
        head = "---\ntitle: Cranes\ntags: [quay, checks]\ncreated: 2026-03-02\n---\n"
        note = vault / "cranes" / f"note {number}.md"
        note.write_text(f"{head}# Cranes\n\n{parts}\n", encoding="utf-8")
    return vault


def slack(folder: Path, count: int) -> Path:
    users = [{"id": "U1", "name": "nadia", "profile": {"real_name": "Nadia Brandt"}}]
    files: dict[str, object] = {"users.json": users, "channels.json": [{"name": "quay"}]}
    start = BEGAN.timestamp()
    for number, turns in enumerate(conversations(count)):
        messages: list[object] = [
            {"type": "message", "user": "U1", "text": f"{said(turn)} &amp; <@U1>",
             "ts": f"{start + turn:.6f}"}
            for turn in turns
        ]  # fmt: skip
        joined = {"type": "message", "subtype": "channel_join", "text": "joined", "ts": "1.0"}
        day = BEGAN + timedelta(days=number)
        files[f"quay/{day:%Y-%m-%d}.json"] = [joined, *messages]
    return zipped(folder / "slack.zip", files)


def table(folder: Path, count: int) -> Path:
    path = folder / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["text", "told_at", "speaker", "tags", "key", "colour"])
        for turn in range(count):
            out.writerow([f"{said(turn)}\nIt holds.", stamp(turn), "jo", "a, b", f"k{turn}", "red"])
    return path


def claude_code_folder(folder: Path, count: int) -> Path:
    # Of six lines two say something.
    return lines(folder / "transcript.jsonl", claude_code(count * 3))


def codex_folder(folder: Path, count: int) -> Path:
    return lines(folder / "rollout.jsonl", codex(count * 3 + 1))


KINDS: dict[str, Callable[[Path, int], Path]] = {
    "claude-code": claude_code_folder, "codex": codex_folder, "chatgpt": chatgpt,
    "claude": claude, "hindsight": hindsight, "slack": slack, "mcp-memory": mcp_memory,
    "mem0": mem0, "markdown": markdown, "csv": table,
}  # fmt: skip
