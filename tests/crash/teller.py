"""A process that tells a store things until it is killed, saying what it does on standard output.

Each line is JSON: first what is about to be done, then, when the call has returned, the ids.
"""

from __future__ import annotations

import json
import random
import sys

from scrubjay import Memory


def say(**event: object) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


class Teller:
    """Makes one change after the other; every text has a word that no other text has."""

    def __init__(self, memory: Memory, seed: int, kinds: list[str]) -> None:
        self._memory = memory
        self._random = random.Random(seed)
        self._kinds = kinds
        self._prefix = f"r{seed}"
        self._count = 0
        self._alive = [unit.id for unit in memory.list(limit=1000).units]

    def text(self) -> str:
        self._count += 1
        word = f"{self._prefix}w{self._count}"
        return f"the grey heron {word} stood by the old mill pond with Agnes Vogel"

    def step(self) -> None:
        kind = self._random.choice(self._kinds if len(self._alive) > 8 else ["retain", "batch"])
        getattr(self, kind)()

    def retain(self) -> None:
        self._retain([self.text()])

    def batch(self) -> None:
        self._retain([self.text() for _ in range(self._random.randint(2, 12))])

    def _retain(self, texts: list[str]) -> None:
        say(op="retain", texts=texts)
        kept = self._memory.retain(texts, session="crash", tags=["told"])
        say(ids=kept.ids)
        self._alive.extend(kept.ids)

    def update(self) -> None:
        unit, text = self._random.choice(self._alive), self.text()
        say(op="update", id=unit, text=text)
        self._memory.update(unit, text=text)
        say(ids=[unit])

    def forget(self) -> None:
        gone = self._random.sample(self._alive, self._random.randint(1, 3))
        say(op="forget", gone=gone)
        self._memory.forget(gone, compact=self._random.random() < 0.2)
        say(ids=gone)
        self._alive = [unit for unit in self._alive if unit not in gone]

    def link(self) -> None:
        cause, effect = self._random.sample(self._alive, 2)
        say(op="link", cause=cause, effect=effect)
        self._memory.link(cause, effect)
        say(ids=[cause, effect])


def main() -> None:
    path, seed, *kinds = sys.argv[1:]
    with Memory.open(path, encoder="hash", reranker=None) as memory:
        teller = Teller(memory, int(seed), kinds)
        while True:
            teller.step()


main()
