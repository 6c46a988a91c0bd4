"""Measures what an installation takes, ours and a peer's: packages, bytes, seconds, imports.

Each is installed into an empty environment, nothing taken from pip's cache. A peer that brings
gigabytes is resolved instead: pip says which packages it would install.
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
import venv
from collections.abc import Sequence
from pathlib import Path

from bench import machine
from scrubjay.types.values import Json

_TRIES = 5
# Comes with every environment.
_FURNITURE = {"pip", "setuptools"}
_LISTED = (
    "import json, importlib.metadata as m; "
    "print(json.dumps({d.name: d.version for d in m.distributions()}))"
)
_FIRST_RECALL = """
from scrubjay import Memory
memory = Memory.open("notes")
answer = memory.recall("What number is on Mara's badge?")
assert answer[0].text == "Mara's badge ID is 47821." and not answer.degraded, answer
"""
_TOLD = """
from scrubjay import Memory
Memory.open("notes").retain(["Mara's badge ID is 47821.", "Ola prefers tea to coffee."])
"""


class Environment:
    """An empty environment, and what is in it."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self.python = home / "env" / "bin" / "python"
        venv.create(home / "env", with_pip=True)

    def install(self, *wanted: str) -> float:
        """Install something; the seconds it took."""
        began = time.perf_counter()
        command = [str(self.python), "-m", "pip", "install", "--quiet", "--no-cache-dir", *wanted]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        return time.perf_counter() - began

    def described(self) -> dict[str, Json]:
        """How many packages there are, of which versions, and what they take."""
        listed = subprocess.run([self.python, "-c", _LISTED], check=True, capture_output=True)
        versions = {n: v for n, v in json.loads(listed.stdout).items() if n not in _FURNITURE}
        (site,) = (self._home / "env" / "lib").glob("python3*/site-packages")
        own = {"pip", "setuptools", "pkg_resources", "_distutils_hack"}
        files = (
            file
            for top in site.iterdir()
            if top.name.split("-")[0] not in own
            for file in ([top] if top.is_file() else top.rglob("*"))
            if file.is_file()
        )
        size = sum(file.stat().st_size for file in files)
        return {
            "packages": len(versions),
            "megabytes": machine.rounded(size / 1e6),
            "versions": dict(sorted(versions.items())),
        }

    def costs(self, program: str) -> tuple[float, float]:
        """CPU and wall milliseconds of a whole process that runs a program, the least of some."""
        tries = [self._run(program) for _ in range(_TRIES)]
        return min(cpu for cpu, _ in tries), min(wall for _, wall in tries)

    def _run(self, program: str) -> tuple[float, float]:
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        environment = {**os.environ, "HOME": str(self._home)}
        subprocess.run([self.python, "-c", program], check=True, cwd=self._home, env=environment)
        wall = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return 1e3 * cpu, 1e3 * wall


def measured(wanted: str, program: str, *options: str, recalls: bool = False) -> dict[str, Json]:
    """What an installation takes, and what its import does beyond starting Python."""
    with tempfile.TemporaryDirectory() as home:
        place = Environment(Path(home))
        seconds = place.install(*options, wanted)
        found = place.described()
        bare, whole = place.costs("pass"), place.costs(program)
        found["install_s"] = machine.rounded(seconds)
        found["import_cpu_ms"], found["import_wall_ms"] = (
            machine.rounded(more - less) for more, less in zip(whole, bare, strict=True)
        )
        if recalls:
            place.costs(_TOLD)
            cpu, wall = place.costs(_FIRST_RECALL)
            found["first_recall_cpu_ms"] = machine.rounded(cpu)
            found["first_recall_wall_ms"] = machine.rounded(wall)
        return found


def resolved(wanted: str) -> dict[str, Json]:
    """The packages that pip would install, none of which is downloaded whole."""
    with tempfile.TemporaryDirectory() as home:
        place, report = Environment(Path(home)), Path(home) / "report.json"
        place.install("--dry-run", "--ignore-installed", "--report", str(report), wanted)
        listed = json.loads(report.read_text(encoding="utf-8"))["install"]
    versions = {one["metadata"]["name"]: one["metadata"]["version"] for one in listed}
    return {"packages": len(versions), "versions": dict(sorted(versions.items()))}


def main(arguments: Sequence[str]) -> None:
    """Measure the built wheels, and the peers that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheels", type=Path, required=True, help="what `make build` made")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=MODULE")
    parser.add_argument("--resolve", action="append", default=[], metavar="NAME")
    machine.add_json_option(parser)
    given = parser.parse_args(arguments)
    wheels = sorted(given.wheels.resolve().glob("*.whl"))
    found: dict[str, Json] = {
        "wheels": {wheel.name.split("-")[0]: wheel.stat().st_size for wheel in wheels}
    }
    ours = "from scrubjay import Memory"
    here = ("--find-links", str(given.wheels.resolve()))
    found["scrubjay"] = measured("scrubjay", ours, *here)
    found["scrubjay[model]"] = measured("scrubjay[model]", ours, *here, recalls=True)
    for peer in given.peer:
        name, _, module = peer.partition("=")
        found[name] = measured(name, f"import {module}")
    for name in given.resolve:
        found[name] = resolved(name)
    machine.report(machine.Result("footprint", arguments, {"tries": _TRIES}, found), given.json)


if __name__ == "__main__":
    main(sys.argv[1:])
