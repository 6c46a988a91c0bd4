"""A personal timeline from a chat export: what was said in which month, and what about it."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from scrubjay import Memory
from scrubjay.importers import import_file

SAID = {
    1767258000: "I signed up for the sailing course.",
    1769936400: "The first lesson on the water was cold.",
    1772355600: "I passed the sailing exam!",
}


def export_to(path: Path) -> Path:
    """A small export in the form that ChatGPT gives."""
    talks = []
    for number, (at, text) in enumerate(SAID.items()):
        message = {
            "id": f"m{number}",
            "author": {"role": "user"},
            "create_time": at,
            "content": {"content_type": "text", "parts": [text]},
        }
        nodes = {
            "root": {"id": "root", "parent": None, "children": ["said"], "message": None},
            "said": {"id": "said", "parent": "root", "children": [], "message": message},
        }
        talks.append(
            {
                "title": f"Talk {number}",
                "conversation_id": f"c{number}",
                "create_time": at,
                "current_node": "said",
                "mapping": nodes,
            }
        )
    path.write_text(json.dumps(talks), encoding="utf-8")
    return path


def main(export: Path | None = None) -> list[str]:
    """The months with what was told in them, and one question about the past."""
    with tempfile.TemporaryDirectory() as folder, Memory.open(":memory:") as memory:
        bank = memory.bank("me")
        import_file(bank, export or export_to(Path(folder) / "conversations.json"))
        lines = [
            f"{told.start:%Y-%m} {told.units}" for told in bank.histogram(grain="month").buckets
        ]
        asked = bank.recall("What did I do in March 2026?", now="2026-06-01T00:00:00+00:00")
        return [*lines, asked[0].text]


if __name__ == "__main__":
    print("\n".join(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)))
