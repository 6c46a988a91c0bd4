"""Runs a stranger's path: `python -m tests.stranger dist` installs what is there and tries it.

Nothing of the checkout is on the path; the directory is empty, and so is the environment. Each step
prints a line. `make check` runs it, `make test` does not: it installs packages.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
from scrubjay import Memory
memory = Memory.open("notes")
memory.retain("Mara's badge ID is 47821.")
answer = memory.recall("What number is on Mara's badge?")
assert answer[0].text == "Mara's badge ID is 47821.", answer
assert not answer.degraded, answer.degraded
"""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
PATIENCE_S = 300


class Stranger:
    """An empty environment in an empty directory."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.bin = home / "env" / "bin"
        self.work = home / "work"
        self.work.mkdir()
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        self.environment = {**kept, "HOME": str(home), "SCRUBJAY_STORE": str(home / "store")}

    def run(self, *command: str | Path, as_here: bool = False) -> str:
        """A command's output; its failure is the stranger's."""
        environment = None if as_here else self.environment
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.work, env=environment, capture_output=True, text=True,
            timeout=PATIENCE_S,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def scrubjay(self, *arguments: str) -> str:
        return self.run(self.bin / "scrubjay", *arguments)

    @contextmanager
    def started(self, *arguments: str) -> Iterator[subprocess.Popen[str]]:
        """A command that goes on while it is talked to, and not for ever."""
        process = subprocess.Popen(
            [str(self.bin / "scrubjay"), *arguments],
            cwd=self.work, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        alarm = threading.Timer(PATIENCE_S, process.kill)
        alarm.start()
        try:
            yield process
        finally:
            alarm.cancel()
            process.terminate()
            process.wait(PATIENCE_S)

    def install(self, wheels: Sequence[Path]) -> None:
        venv.create(self.home / "env", with_pip=True)
        folder = wheels[0].parent
        self.run(
            self.bin / "python", "-m", "pip", "install", "--quiet", "--find-links", folder,
            "--constraint", ROOT / "constraints.txt", "scrubjay[model,server,mcp]",
            as_here=True,  # pip asks the index that this machine is set up with
        )  # fmt: skip
        where = self.run(self.bin / "python", "-c", "import scrubjay; print(scrubjay.__file__)")
        assert str(self.home) in where, where
        shown = "from importlib.metadata import metadata; print(metadata('scrubjay'))"
        described = self.run(self.bin / "python", "-c", shown)
        relative = re.findall(r"\]\((?!https?://|#)[^)]+\)", described)
        assert "# scrubjay" in described and not relative, relative

    def python(self) -> None:
        self.run(self.bin / "python", "-c", PROGRAM)

    def command_line(self) -> None:
        self.scrubjay("retain", "The spare key is with the neighbours.")
        assert "neighbours" in self.scrubjay("recall", "Where is the spare key?")
        assert "# Recall" in self.scrubjay("docs", "recall")
        assert "came first" in self.scrubjay("demo")

    def imported(self) -> None:
        message = {
            "id": "m1", "author": {"role": "user"}, "create_time": 1767258000,
            "content": {"content_type": "text", "parts": ["The boiler is a Vento 300."]},
        }  # fmt: skip
        root = {"id": "a", "parent": None, "children": ["b"], "message": None}
        said = {"id": "b", "parent": "a", "children": [], "message": message}
        talk = {
            "title": "Boiler", "conversation_id": "c1", "create_time": 1767258000,
            "current_node": "b", "mapping": {"a": root, "b": said},
        }  # fmt: skip
        (self.work / "conversations.json").write_text(json.dumps([talk]), encoding="utf-8")
        self.scrubjay("import", "conversations.json", "--bank", "me")
        assert "Vento 300" in self.scrubjay("recall", "Which boiler do I have?", "--bank", "me")

    def mcp(self) -> None:
        about = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "stranger", "version": "1"},
        }
        calls: list[dict[str, object]] = [
            {"id": 1, "method": "initialize", "params": about},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/list"},
        ]
        told = "".join(json.dumps({"jsonrpc": "2.0", **call}) + "\n" for call in calls)
        with self.started("mcp") as speaking:
            assert speaking.stdin is not None
            assert speaking.stdout is not None
            # Who hangs up does not wait for answers any more, so the line stays open.
            speaking.stdin.write(told)
            speaking.stdin.flush()
            answers = map(json.loads, speaking.stdout)
            tools = next(answer for answer in answers if answer.get("id") == 2)["result"]["tools"]
            assert {"retain", "recall"} <= {tool["name"] for tool in tools}
            speaking.stdin.close()
            assert speaking.wait(PATIENCE_S) == 0

    def server(self) -> None:
        with self.started("console", "--no-open") as serving:
            assert serving.stdout is not None
            said = ""
            while not (found := ADDRESS.search(said)):
                line = serving.stdout.readline()
                assert line, said
                said += line
            self.asked(found[0])

    def asked(self, address: str) -> None:
        """The console's page, and a question over HTTP."""
        with urllib.request.urlopen(f"{address}/", timeout=PATIENCE_S) as page:
            assert b"<html" in page.read().lower()
        body = json.dumps({"question": "Where is the spare key?"}).encode()
        request = urllib.request.Request(
            f"{address}/v1/banks/default/recall", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            assert "neighbours" in json.load(answer)["items"][0]["text"]

    def integration(self) -> None:
        shown = self.scrubjay("install", "claude-code", "--project", "--dry-run")
        assert "scrubjay" in shown
        assert not (self.work / ".claude").exists()
        self.scrubjay("install", "claude-code", "--project")
        assert any(self.work.rglob("*.json"))


def main(arguments: Sequence[str]) -> int:
    """Every step in order; the first that fails ends it."""
    wheels = sorted(Path(arguments[0]).resolve().glob("*.whl"))
    assert wheels, "run `make build` first"
    with tempfile.TemporaryDirectory() as home:
        stranger = Stranger(Path(home))
        steps: list[tuple[str, Callable[[], None]]] = [
            ("install the wheels", lambda: stranger.install(wheels)),
            ("three lines of Python", stranger.python),
            ("the command line, its docs and the demo", stranger.command_line),
            ("import a chat export", stranger.imported),
            ("MCP", stranger.mcp),
            ("a server and its console", stranger.server),
            ("an integration", stranger.integration),
        ]
        for name, step in steps:
            step()
            sys.stdout.write(f"ok: {name}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
