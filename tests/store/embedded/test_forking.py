"""A store belongs to the process that opened it; a forked one can neither use nor harm it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.thoroughness import tries

from scrubjay import Memory

# What every script begins with: `forked` runs something in a child and says how the child ended.
BEGIN = """
import asyncio, multiprocessing, os, sys, threading
from pathlib import Path
from scrubjay import AsyncMemory, Memory, ScrubjayError, UnitFilter
from scrubjay.backend import InThreads

def opened(store, read_only=False):
    return Memory.open(store, encoder="hash", reranker=None, read_only=read_only)

def forked(work):
    child = os.fork()
    if not child:
        work()
        sys.exit(0)  # the interpreter ends as it does for users, and lets go of what it has
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def told(call):
    try:
        return f"no error: {call()!r}"
    except ScrubjayError as error:
        return f"{type(error).__name__}: {error}"

store = sys.argv[1]
"""


def run(script: str, *arguments: Path | str) -> list[str]:
    """The lines a script printed; it ends by itself, without an error."""
    # Newer Pythons warn of every fork beside threads, which is what these scripts are about.
    python = (sys.executable, "-W", "ignore::DeprecationWarning")
    command = [*python, "-c", BEGIN + script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


EVERY_CALL = """
memory = opened(store)
unit = memory.retain("Told by the parent.").id
bank = memory.bank("b")
others = AsyncMemory(InThreads(memory.backend))
calls = [
    lambda: memory.retain("Told by the child."),
    lambda: memory.retain("Told by the child.", bank="new"),
    lambda: memory.recall("parent"),
    lambda: memory.recall_batch(["parent"]),
    lambda: memory.list(),
    lambda: memory.get(unit),
    lambda: memory.update(unit, text="Changed by the child."),
    lambda: memory.forget(unit),
    lambda: memory.forget(UnitFilter(types=("fact",)), compact=True),
    lambda: memory.compact(),
    lambda: memory.stats(),
    lambda: memory.banks(),
    lambda: memory.bank("another"),
    lambda: memory.delete_bank("b"),
    lambda: memory.doctor(fix=True),
    lambda: memory.backup(store + ".copy"),
    lambda: memory.export(os.devnull),
    lambda: memory.reembed("hash"),
    lambda: bank.retain("Told by the child."),
    lambda: bank.recall("parent"),
    lambda: bank.configure({"recent_days": 3}),
    lambda: asyncio.run(others.recall("parent")),
    lambda: asyncio.run(others.retain("Told by the child.")),
]

def use():
    for call in calls:
        print(told(call))
    memory.close()
    print(told(calls[2]), flush=True)

assert forked(use) == 0
assert memory.retain("Told afterwards.").new
assert sorted(u.text for u in memory.list().units) == ["Told afterwards.", "Told by the parent."]
assert memory.recall("Told afterwards.").items[0].text == "Told afterwards."
assert memory.doctor() == []
assert [b.name for b in memory.banks()] == ["b", "default"]
memory.close()
assert not os.path.exists(store + ".copy")
"""


def test_every_call_in_a_forked_process_says_so_and_the_parent_goes_on(tmp_path: Path) -> None:
    for store in (str(tmp_path / "store"), ":memory:"):
        lines = run(EVERY_CALL, store)
        assert len(lines) == 24
        for line in lines:
            assert line.startswith("StoreForked: ") and "after the fork" in line


def test_a_forked_process_that_closes_and_ends_leaves_the_parents_lock(tmp_path: Path) -> None:
    script = """
with opened(store) as memory:
    memory.retain("Told by the parent.")
    assert forked(memory.close) == 0
    assert forked(lambda: None) == 0
    child = multiprocessing.get_context("fork").Process(target=memory.close)
    child.start()
    child.join()
    assert child.exitcode == 0
    assert (Path(store) / "writer.json").exists()
    print(os.getpid())
    import subprocess
    other = 'import sys; from scrubjay import Memory; Memory.open(sys.argv[1])'
    print(subprocess.run([sys.executable, "-c", other, store], capture_output=True).stderr.decode())
"""
    parent, *others = run(script, tmp_path)
    assert f"process {parent} " in others[-2] and "StoreLocked" in others[-2]


def test_the_end_of_a_forked_process_leaves_a_later_writers_log(tmp_path: Path) -> None:
    script = """
memory = opened(store)
memory.retain("Told by the first.")
reader, writer = os.pipe()
child = os.fork()
if not child:
    os.read(reader, 1)
    sys.exit(0)
memory.close()
# Acknowledged by another process, which is then killed: what it told is in its log alone.
import subprocess
other = '''
import os, sys
from scrubjay import Memory
memory = Memory.open(sys.argv[1], encoder="hash", reranker=None)
memory.retain("Told by the second.")
os.kill(os.getpid(), 9)
'''
subprocess.run([sys.executable, "-c", other, store])
os.write(writer, b"x")
os.waitpid(child, 0)
"""
    run(script, tmp_path)
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        texts = {unit.text for unit in memory.list().units}
    assert texts == {"Told by the first.", "Told by the second."}


def test_what_was_open_at_the_fork_is_not_opened_again_in_the_child(tmp_path: Path) -> None:
    script = """
memory = opened(store)
memory.retain("Told by the parent.")
forked(lambda: print(told(lambda: opened(store, read_only=True)), flush=True))
forked(lambda: print(told(lambda: opened(store)), flush=True))
forked(lambda: print(told(lambda: opened(store + "2").retain("Mine.").duplicates), flush=True))
memory.close()
forked(lambda: print(told(lambda: opened(store).retain("Mine.").duplicates), flush=True))
"""
    reading, writing, elsewhere, closed = run(script, tmp_path / "store")
    assert reading.startswith("StoreForked: ") and "Close the store before the fork" in reading
    assert writing.startswith("StoreLocked: ")
    assert elsewhere == closed == "no error: ()"


@pytest.mark.slow
def test_a_fork_amid_the_work_of_other_threads_does_not_hang(tmp_path: Path) -> None:
    forks = tries(usual=6, soak=15)
    script = """
memory = opened(store)
memory.retain("The first.")
stop = threading.Event()

def work(number):
    count = 0
    while not stop.is_set():
        count += 1
        memory.retain(f"Thread {number} note {count}.")
        memory.recall(f"note {count}")

threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
for thread in threads:
    thread.start()

def use():
    for call in (lambda: memory.retain("x"), lambda: memory.recall("note"), memory.banks):
        assert told(call).startswith("StoreForked: "), told(call)
    memory.close()

ended = [forked(use) for _ in range(FORKS)]
stop.set()
for thread in threads:
    thread.join()
assert ended == [0] * FORKS
assert memory.doctor() == []
memory.close()
"""
    assert run(script.replace("FORKS", str(forks)), tmp_path) == []
