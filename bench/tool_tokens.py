"""Counts what the MCP tools cost an agent: the tokens of their schemas, and of ten typical answers.

A bank is told the demo's story, and a client asks it as agents do. What is counted is what a client
may show its model: the text of an answer, and its structured data where it has any. Tokens are the
engine's own estimate (`scrubjay.language.tokens`). `--source` measures another commit's sources:

    git archive COMMIT src | tar -x -C DIR
    python -m bench.tool_tokens --source DIR/src
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bench import machine
from bench.machine import ROOT, Result
from scrubjay.language.tokens import estimate_tokens
from scrubjay.types.values import Json

_STORY = ROOT / "src/scrubjay/surface/demo/story.jsonl"
_CLIENT = {"name": "bench", "version": "0"}
# What is asked, by a name that says what for. Every commit has these tools and arguments.
ASKED: dict[str, tuple[str, dict[str, Json]]] = {
    "recall, by meaning": ("recall", {"question": "Where is the nicest place for a meal?"}),
    "recall, a number": ("recall", {"question": "Whose is 60418?"}),
    "recall, an effect": ("recall", {"question": "What happened after the price went up?"}),
    "recall, a visit": ("recall", {"question": "Who inspects the ticket gate?"}),
    "recall, a habit": ("recall", {"question": "How does Marta like her reports?"}),
    "recall, three at most": ("recall", {"question": "What is Heron?", "limit": 3}),
    "recall, nothing known": ("recall", {"question": "Which spacecraft orbits Neptune now?"}),
    "retain": ("retain", {"text": "The ferry to Skerry leaves from pier four on Sundays."}),
    "retain, known": ("retain", {"text": "The ferry to Skerry leaves from pier four on Sundays."}),
    "search": ("search", {"query": "ferry timetable"}),
}


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m bench.tool_tokens", description=__doc__)
    parser.add_argument("--source", type=Path, default=ROOT / "src", help="whose tools")
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as store, Talking(options.source, Path(store)) as client:
        tools = client.ask("tools/list", {})["tools"]
        for line in _STORY.read_text(encoding="utf-8").splitlines():
            _shown(client.ask("tools/call", _call("retain", _told(json.loads(line)))))
        answers = {
            name: _shown(client.ask("tools/call", _call(tool, given)))
            for name, (tool, given) in ASKED.items()
        }
    numbers: dict[str, Json] = {
        "tools": len(tools),
        "schema": _size(json.dumps(tools, ensure_ascii=False, separators=(",", ":"))),
        "answers": {name: _size(text) for name, text in answers.items()},
        "answers_tokens": sum(map(estimate_tokens, answers.values())),
    }
    machine.report(Result("tool_tokens", arguments, {}, numbers), options.json)
    return 0


def _told(unit: dict[str, Any]) -> dict[str, Json]:
    """What every commit's `retain` takes of a unit."""
    return {name: unit[name] for name in ("text", "type", "speaker") if name in unit}


def _call(tool: str, given: dict[str, Json]) -> dict[str, Json]:
    return {"name": tool, "arguments": given}


def _shown(result: dict[str, Any]) -> str:
    if result.get("isError"):
        raise SystemExit(f"not answered: {result['content']}")
    parts = [part["text"] for part in result["content"]]
    if "structuredContent" in result:
        parts.append(json.dumps(result["structuredContent"], ensure_ascii=False))
    return "\n".join(parts)


def _size(text: str) -> dict[str, Json]:
    return {"bytes": len(text.encode()), "tokens": estimate_tokens(text)}


class Talking:
    """A client of an MCP server that runs from some sources."""

    def __init__(self, source: Path, store: Path) -> None:
        command = [sys.executable, "-m", "scrubjay.surface.cli", "mcp", "--store", str(store)]
        self._server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(source.resolve())},
        )  # fmt: skip
        self._asked = 0

    def __enter__(self) -> Self:
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": _CLIENT}
        self.ask("initialize", hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._server.communicate()

    def ask(self, method: str, given: dict[str, Any]) -> dict[str, Any]:
        """What the server answers."""
        self._asked += 1
        self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": given})
        assert self._server.stdout is not None
        answer = json.loads(self._server.stdout.readline())
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _send(self, message: dict[str, Any]) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(message) + "\n")
        self._server.stdin.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
