"""A real disk of a few megabytes, for a program that runs in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from tests.needed import unobtainable

# What every program begins with: the store, what is left of the disk, and how to fill it.
_PREAMBLE = """
import os, sys
from contextlib import suppress
from pathlib import Path
from scrubjay import Memory, StoreFull

DISK = Path(sys.argv[1])

def opened():
    return Memory.open(DISK / "store", encoder="hash", reranker=None)

def tell(memory, told=(), bank="default", each=10):
    told = list(told)
    with suppress(StoreFull):
        while True:
            more = range(len(told), len(told) + each)
            batch = [f"The grey heron {n} stands by boat {n * 7}." for n in more]
            told += memory.retain(batch, bank=bank).new
    return told

def fill():
    with suppress(OSError), open(DISK / "other", "ab", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
"""


def run_on_a_small_disk(program: str, mount: Path, *, megabytes: int) -> str:
    """What a program prints that has a disk of so many megabytes to itself; or leave it out."""
    if not _mounts(mount):
        unobtainable("a disk of memory", "run as root, or where namespaces of users are allowed.")
    done = _run(_mounting(mount, megabytes), sys.executable, "-c", _PREAMBLE + program, str(mount))
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def _mounts(mount: Path) -> bool:
    return sys.platform == "linux" and not _run(_mounting(mount, 1), "true").returncode


def _mounting(mount: Path, megabytes: int) -> str:
    return f'mount -t tmpfs -o size={megabytes}m tmpfs {mount} && exec "$@"'


def _run(script: str, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command behind a script, in a namespace whose mounts nobody else sees."""
    own = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    whole = [*own, "sh", "-c", script, "sh", *command]
    try:
        return subprocess.run(whole, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return subprocess.CompletedProcess(whole, 127, "", "no unshare")
