"""The story told and asked on the command line: what is printed, and the exit code."""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

from tests.goldens.over_http import NOW, QUESTIONS, UNITS
from tests.goldens.recording import ID, MOMENT, Names, steady_json

from scrubjay.surface.cli import run


def story(folder: Path) -> Iterator[list[str]]:
    """Every command that needs no server, model or network; `{key}` is the id told under it."""
    for unit in UNITS[:2]:
        yield ["retain", str(unit["text"]), "--told-at", str(unit["told_at"]),
               "--key", str(unit["key"]), "--json"]  # fmt: skip
    yield ["retain", "The crane broke.", "--tag", "quay", "--told-at", NOW, "--key", "crane"]
    for question in QUESTIONS:
        for how in (["--json"], ["--explain"], []):
            yield ["recall", question, "--now", NOW, *how]
    yield ["explain", "Who prefers tea?", "{launch}", "--now", NOW]
    yield ["explain", "Who prefers tea?", "{launch}", "--now", NOW, "--json"]
    yield ["parse", "What was told last week?", "--now", NOW]
    yield ["list"]
    yield ["list", "--json"]
    yield ["get", "{tea}"]
    yield ["update", "{tea}", "--tag", "galley", "--json"]
    yield ["supersede", "{launch}", "Nadia moved the launch to June.", "--json"]
    yield ["entities", "list"]
    yield ["relate", "Nadia", "reports-to", "Ada Brandt"]
    yield ["relations"]
    yield ["link", "{crane}", "{tea}"]
    yield ["sessions", "start", "friday", "--at", NOW]
    yield ["sessions", "log"]
    yield ["banks", "list"]
    yield ["stats", "--json"]
    yield ["doctor"]
    yield ["export", str(folder / "out.jsonl")]
    yield ["import", str(folder / "out.jsonl"), "--bank", "copy"]
    yield ["forget", "{tea}"]
    yield ["forget", "{tea}"]
    yield ["recall", "x", "--preset", "none"]
    yield ["recall", "x", "--limit", "0"]
    yield ["recall", "x", "--now", "never"]
    yield ["retain", ""]
    yield ["retain", "x", "--type", "beacon"]
    yield ["get", "00000000000000000000"]
    yield ["nothing"]
    yield ["--help"]
    yield ["recall", "--help"]


def record(folder: Path) -> list[object]:
    """Each command with its exit code and what it printed."""
    kept: dict[str, str] = {}
    names = Names()
    recorded: list[object] = []
    os.environ["SCRUBJAY_STORE"] = str(folder / "store")
    for arguments in story(folder):
        filled = [kept.get(part.strip("{}"), part) if part[:1] == "{" else part
                  for part in arguments]  # fmt: skip
        needs_encoder = arguments[0] in ("retain", "recall", "explain", "update", "supersede")
        encoder = ["--encoder", "hash"] if needs_encoder and "--help" not in arguments else []
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run([*filled, *encoder])
        if arguments[0] == "retain" and "--key" in arguments and code == 0:
            kept[arguments[arguments.index("--key") + 1]] = _told(out.getvalue())
        shown = [_shown(names, text, folder) for text in (out.getvalue(), err.getvalue())]
        recorded.append({"command": _shown(names, " ".join(arguments), folder), "code": code,
                         "out": shown[0], "err": shown[1]})  # fmt: skip
    return recorded


def _told(printed: str) -> str:
    found = ID.search(printed)
    assert found, f"no id in {printed!r}"
    return found.group()


def _shown(names: Names, text: str, folder: Path) -> object:
    text = names.named(text.replace(str(folder), "<folder>"))
    return steady_json(MOMENT.sub(_moment, text))


def _moment(found: re.Match[str]) -> str:
    text = found.group()
    return text if text.startswith("2026-03") else "<moment>"
