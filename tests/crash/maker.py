"""Makes, fills and deletes banks until it is killed, and says what it does.

First what is about to be done, then `done`, when the call has returned.
"""

from __future__ import annotations

from pathlib import Path

from tests.crash.forked import Say

from scrubjay import Memory


def make(say: Say, store: Path, seed: int) -> None:
    with Memory.open(store, encoder="hash", reranker=None) as memory:
        number = 0
        while True:
            number += 1
            name = f"r{seed}b{number}"
            say(f"make {name}")
            memory.bank(name)
            say("done")
            say(f"tell {name}")
            memory.retain(f"This is {name}.", bank=name)
            say("done")
            if number % 3 == 0:
                say(f"delete {name}")
                memory.delete_bank(name)
                say("done")
