"""A client's connections belong to the process that opened them."""

from __future__ import annotations

import subprocess
import sys

from tests.surface.http.http_server import running

SCRIPT = """
import asyncio, os, sys
from scrubjay import AsyncMemory, Memory, ScrubjayError

memory = Memory.open(sys.argv[1])
memory.retain("Told by the parent.")
others = asyncio.run(AsyncMemory.open(sys.argv[1]))
child = os.fork()
if not child:
    for call in (
        lambda: memory.recall("parent"),
        lambda: memory.export(os.devnull),
        lambda: asyncio.run(others.recall("parent")),
    ):
        try:
            call()
            print("no error")
        except ScrubjayError as error:
            print(type(error).__name__, error)
    memory.close()
    with Memory.open(sys.argv[1]) as mine:
        print(mine.recall("parent").items[0].text, flush=True)
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
print(memory.recall("parent").items[0].text)
"""


def test_a_forked_process_is_refused_and_opens_its_own() -> None:
    with running() as server:
        command = [sys.executable, "-c", SCRIPT, server.url]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    assert done.returncode == 0, done.stderr
    *refused, child, parent = done.stdout.splitlines()
    assert len(refused) == 3
    for line in refused:
        assert line.startswith("StoreForked ") and "after the fork" in line
    assert child == parent == "Told by the parent."
