"""Measures what a prompt waits for its memories: the hook of a coding agent, as its client runs it.

A scratch home gets the plugin by `scrubjay install claude-code`, a repository's bank the generated
corpus and the user's bank a tenth of it. The hook starts the server as it would anywhere; once that
listens, each prompt is a process of its own: the very command of the plugin's configuration, by a
shell, with the event on standard input. Wall time is from its start to its end; CPU is that of the
shell and the hook, the server's is not in it.

    python -m bench.hook --units 2000 --prompts 200
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench import machine
from bench.corpus import generated
from bench.machine import Result, summary
from bench.workload import batches
from scrubjay.integrations.coding import hook
from scrubjay.integrations.coding.places import USER_BANK, bank_of
from scrubjay.integrations.coding.server import ask_status
from scrubjay.memory import Memory
from scrubjay.types.values import Json

_UNITS_PER_CALL = 1_000
_STARTING_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Computer:
    """A home with the plugin, and a repository in it."""

    home: Path

    @property
    def store(self) -> Path:
        """Where the memories are."""
        return self.home / "store"

    @property
    def repository(self) -> Path:
        """Where the agent works."""
        return self.home / "shop"

    @property
    def environment(self) -> dict[str, str]:
        """What its processes see."""
        return {**os.environ, "HOME": str(self.home)}

    def run(self, command: list[str], given: str = "") -> str:
        """What a process prints that is given something."""
        return subprocess.run(
            command, input=given, env=self.environment, cwd=self.repository, check=True,
            capture_output=True, text=True, timeout=_STARTING_SECONDS,
        ).stdout  # fmt: skip

    def prompt_command(self) -> list[str]:
        """What the client runs before a prompt."""
        (self.repository / ".git").mkdir(parents=True)
        scrubjay = [sys.executable, "-m", "scrubjay.surface.cli"]
        self.run([*scrubjay, "install", "claude-code", "--user", "--store", str(self.store)])
        configured = self.home / ".claude/skills/scrubjay/hooks/hooks.json"
        hooks = json.loads(configured.read_text(encoding="utf-8"))["hooks"]
        return ["/bin/sh", "-c", hooks["UserPromptSubmit"][0]["hooks"][0]["command"]]

    def wait_for_server(self) -> int:
        """Its process, once it listens: the tools' hook starts it, and waits."""
        command = [sys.executable, "-I", "-S", hook.__file__, "mcp", "claude-code"]
        self.run([*command, str(self.store / "agents")])
        found = ask_status(self.store / "agents")
        assert found is not None, "the server listens"
        return found[0]


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m bench.hook", description=__doc__)
    parser.add_argument("--units", type=int, default=2_000, help="in the repository's bank")
    parser.add_argument("--prompts", type=int, default=200)
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as home:
        numbers = measure(Computer(Path(home)), options.units, options.prompts)
    parameters = {"units": options.units, "prompts": options.prompts}
    machine.report(Result("hook", arguments, parameters, numbers), options.json)
    return 0


def measure(computer: Computer, units: int, prompts: int) -> dict[str, Json]:
    """Wall time and CPU of the hook, for prompts that memories may answer."""
    command = computer.prompt_command()
    with Memory.open(computer.store) as memory:
        for bank, count in ((bank_of(computer.repository), units), (USER_BANK, units // 10)):
            for batch in batches(generated.units(count), _UNITS_PER_CALL):
                memory.retain(batch, bank=bank)
    server = computer.wait_for_server()
    wall_ms, cpu_ms, told = list[float](), list[float](), 0
    try:
        asked = [question.text for question in generated.questions(prompts)]
        for number, prompt in enumerate([asked[0], *asked]):
            event = {"hook_event_name": "UserPromptSubmit", "cwd": str(computer.repository),
                     "session_id": "s1", "prompt": prompt}  # fmt: skip
            before, begun = _children_s(), time.perf_counter()
            said = computer.run(command, json.dumps(event))
            if number:  # the first one loads the model
                wall_ms.append(1e3 * (time.perf_counter() - begun))
                cpu_ms.append(1e3 * (_children_s() - before))
                told += bool(said)
    finally:
        os.kill(server, 15)
    # Others' work is in the wall time, and not in the CPU.
    load = machine.rounded(os.getloadavg()[0])
    return {
        "load": load,
        "wall_ms": summary(wall_ms),
        "hook_cpu_ms": summary(cpu_ms),
        "with_memories": told,
    }


def _children_s() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
