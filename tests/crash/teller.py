"""Tells a store things until it is killed, and says what it does.

First what is about to be done, then, when the call has returned, the ids.
"""

from __future__ import annotations

import random
from pathlib import Path

from tests.crash.forked import Say

from scrubjay import Memory


class Teller:
    """Makes one change after the other; every text has a word that no other text has."""

    def __init__(self, say: Say, memory: Memory, seed: int, kinds: list[str]) -> None:
        self._say = say
        self._memory = memory
        self._random = random.Random(seed)
        self._kinds = kinds
        self._prefix = f"r{seed}"
        self._count = 0
        self._alive = [unit.id for unit in memory.list(limit=1000).units]

    def say(self, **event: object) -> None:
        self._say(event)

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
        self.say(op="retain", texts=texts)
        kept = self._memory.retain(texts, session="crash", tags=["told"])
        self.say(ids=list(kept.ids))
        self._alive.extend(kept.ids)

    def update(self) -> None:
        unit, text = self._random.choice(self._alive), self.text()
        self.say(op="update", id=unit, text=text)
        self._memory.update(unit, text=text)
        self.say(ids=[unit])

    def forget(self) -> None:
        gone = self._random.sample(self._alive, self._random.randint(1, 3))
        self.say(op="forget", gone=gone)
        self._memory.forget(gone, compact=self._random.random() < 0.2)
        self.say(ids=gone)
        self._alive = [unit for unit in self._alive if unit not in gone]

    def link(self) -> None:
        cause, effect = self._random.sample(self._alive, 2)
        self.say(op="link", cause=cause, effect=effect)
        self._memory.link(cause, effect)
        self.say(ids=[cause, effect])


def tell(say: Say, store: Path, seed: int, kinds: list[str]) -> None:
    with Memory.open(store, encoder="hash", reranker=None) as memory:
        teller = Teller(say, memory, seed, kinds)
        while True:
            teller.step()
