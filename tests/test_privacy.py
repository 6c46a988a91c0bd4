"""Nothing leaves this machine, and nothing is written outside the store: neither by us nor by what
we import.

Each program runs in a child process with directories of its own, without a network where the
system lets us take it away. An audit hook sees what Python opens and whom it calls; where strace
is there and allowed, native libraries are watched as well.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
IMPORTER = ROOT / "src" / "scrubjay" / "onnx_import.py"

WATCHED = """
import sys

CALLS = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto",
         "socket.sendmsg", "urllib.Request"}

def watch(event, given):
    if event in CALLS:
        print("CALLED", event, *map(repr, given), file=sys.stderr)

sys.addaudithook(watch)
"""

RECALL = """
from scrubjay import Memory
with Memory.open(STORE) as memory:
    memory.retain("Ana moved the office to Rotterdam in March.")
    # A traced process is slow.
    found = memory.recall("Where did Ana move the office?", rerank=True, deadline_ms=600_000)
    assert found.items and not found.degraded, found
    assert "onnxruntime" in sys.modules
"""

GROW = """
import numpy as np
from scrubjay.store.embedded.index.vectors.codings import OwnSteps
from scrubjay.store.embedded.index.vectors.hnsw import GraphGrowth
growth = GraphGrowth(16, OwnSteps())
growth.add(np.eye(16, dtype=np.float16))
assert growth.finish().count == 16 and "onnxruntime" in sys.modules
"""

IMPORT_ALL = """
import contextlib, importlib, pkgutil
import scrubjay, scrubjay.errors
for module in pkgutil.walk_packages(scrubjay.__path__, "scrubjay."):
    if not module.name.endswith("__main__"):
        # Frameworks of some integrations are not installed; `make integrations` watches them.
        with contextlib.suppress(scrubjay.errors.ExtraMissing):
            importlib.import_module(module.name)
from scrubjay.onnx_import import import_onnxruntime
import_onnxruntime()
import tokenizers, usearch.index, huggingface_hub
"""

# Asked by the C library for names of users and hosts, where the machine runs such a service.
NAME_SERVICE = "/var/run/nscd/socket"


def works(*command: str) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run([*command, "true"], capture_output=True).returncode == 0


def run_apart(program: str, home: Path, store: Path) -> tuple[str, list[str]]:
    """What the child said on stderr, and the system calls that were traced."""
    prefix: list[str] = []
    if works("unshare", "-rn"):
        prefix = ["unshare", "-rn"]
    trace = store.parent / "trace"
    traced = ("strace", "-f", "-qq", "-e", "trace=network,openat,creat,mkdir,mkdirat", "-o")
    if works(*traced, os.devnull):
        prefix += [*traced, str(trace)]
    surroundings = {
        "PATH": os.environ["PATH"],
        "SCRUBJAY_MODELS": str(
            Path(os.environ.get("SCRUBJAY_MODELS") or ROOT / ".models").resolve()
        ),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
    }
    (home / "tmp").mkdir(parents=True)
    code = f"{WATCHED}\nSTORE = {str(store)!r}\n{program}"
    done = subprocess.run(
        [*prefix, sys.executable, "-c", code],
        env=surroundings, cwd=home, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr, trace.read_text("utf-8").splitlines() if trace.exists() else []


def outside(call: str, store: Path) -> bool:
    """Whether a traced call makes or opens for writing something that is not ours."""
    if not re.search(r"O_CREAT|O_WRONLY|O_RDWR|\bcreat\(|\bmkdir(?:at)?\(", call):
        return False
    path = re.search(r'"([^"]*)"', call)
    return path is not None and not path[1].startswith((str(store), "/dev/", "/proc/self/"))


@pytest.mark.parametrize("program", [RECALL, GROW, IMPORT_ALL], ids=["recall", "grow", "import"])
def test_nothing_is_sent_and_no_file_appears_outside_the_store(
    program: str, tmp_path: Path
) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    said, calls = run_apart(program, home, store)
    assert not [line for line in said.splitlines() if line.startswith("CALLED")], said
    assert [path.name for path in home.rglob("*")] == ["tmp"]
    sent = [call for call in calls if re.search(r"\b(?:connect|sendto|sendmsg|sendmmsg)\(", call)]
    assert not [call for call in sent if NAME_SERVICE not in call]
    assert not [call for call in calls if outside(call, store)]


def test_a_choice_the_process_has_made_is_left_alone(tmp_path: Path) -> None:
    program = """
import os
os.environ["ORT_DISABLE_TELEMETRY"] = "true"
from scrubjay.onnx_import import import_onnxruntime
import_onnxruntime()
assert os.environ["ORT_DISABLE_TELEMETRY"] == "true"
"""
    said, _ = run_apart(program, tmp_path / "home", tmp_path / "store")
    assert not said


def imports_onnxruntime(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        elif isinstance(node, ast.Call) and "import" in ast.unparse(node.func):
            names = [str(given.value) for given in node.args if isinstance(given, ast.Constant)]
        if any(name.split(".")[0] == "onnxruntime" for name in names):
            return True
    return False


def test_onnxruntime_is_imported_in_one_place_only() -> None:
    found = [
        path
        for folder in ("src", "bench", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if imports_onnxruntime(ast.parse(path.read_text("utf-8")))
    ]
    assert found == [IMPORTER], "call scrubjay.onnx_import.import_onnxruntime instead"
