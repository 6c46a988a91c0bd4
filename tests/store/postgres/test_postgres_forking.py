"""A store in a database belongs to the process that opened it, too."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

SCRIPT = """
import os, sys
from scrubjay import Memory, ScrubjayError

memory = Memory.open(sys.argv[1], encoder="hash", reranker=None)
memory.retain("Told by the parent.", bank="forking")
calls = [
    lambda: memory.retain("Told by the child.", bank="forking"),
    lambda: memory.recall("parent", bank="forking"),
    lambda: memory.list(bank="forking"),
    lambda: memory.bank("another"),
    lambda: memory.banks(),
    lambda: memory.delete_bank("forking"),
]
for _ in range(2):
    child = os.fork()
    if not child:
        for call in calls:
            try:
                call()
                print("no error")
            except ScrubjayError as error:
                print(type(error).__name__, error)
        memory.close()
        with Memory.open(sys.argv[1], encoder="hash", reranker=None) as mine:
            print(*(unit.text for unit in mine.list(bank="forking").units), flush=True)
        del memory
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    memory.retain("Told afterwards.", bank="forking")
assert len(memory.list(bank="forking").units) == 2
memory.close()
"""


def test_a_forked_process_is_refused_and_opens_its_own(postgres_url: str) -> None:
    command = [sys.executable, "-c", SCRIPT, postgres_url]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for first in (0, 7):
        for line in lines[first : first + 6]:
            assert line.startswith("StoreForked ") and "after the fork" in line
    assert lines[6] == "Told by the parent."
    assert lines[13] == "Told by the parent. Told afterwards."
