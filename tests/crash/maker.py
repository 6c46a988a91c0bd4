"""A process that makes, fills and deletes banks until it is killed, saying what it does.

Each line is what is about to be done, or `done` when the call has returned.
"""

from __future__ import annotations

import sys

from scrubjay import Memory


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    path, seed = sys.argv[1:]
    with Memory.open(path, encoder="hash", reranker=None) as memory:
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


main()
