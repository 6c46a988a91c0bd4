"""kill -9 at any moment: what was acknowledged is there, whole, and the store opens clean."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.crash.forked import doomed
from tests.crash.maker import make
from tests.crash.teller import tell

from scrubjay import Memory


@dataclass
class Story:
    """What the teller acknowledged, by id, and the change it was at when it was killed."""

    texts: dict[str, str] = field(default_factory=dict)
    links: set[tuple[str, str]] = field(default_factory=set)
    pending: dict[str, object] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)  # acknowledged in this round

    def hear(self, event: dict[str, object]) -> None:
        if "op" in event:
            self.pending = event
            return
        ids = [str(unit) for unit in _list(event["ids"])]
        apply = {"retain": self._kept, "update": self._changed, "forget": self._gone}
        apply.get(str(self.pending["op"]), self._linked)(ids)
        self.told.extend(unit for unit in ids if unit in self.texts)
        self.pending = {}

    def _kept(self, ids: list[str]) -> None:
        self.texts |= zip(ids, (str(t) for t in _list(self.pending["texts"])), strict=True)

    def _changed(self, ids: list[str]) -> None:
        self.texts[ids[0]] = str(self.pending["text"])

    def _gone(self, ids: list[str]) -> None:
        for unit in ids:
            del self.texts[unit]
        self.links = {ends for ends in self.links if not set(ends) & set(ids)}

    def _linked(self, ids: list[str]) -> None:
        self.links.add((ids[0], ids[1]))

    def check(self, stored: dict[str, str]) -> None:
        """The store holds the story, or the story and the whole of the pending change."""
        if stored == self.texts:
            return
        extra = sorted(text for unit, text in stored.items() if unit not in self.texts)
        missing = sorted(self.texts.keys() - stored.keys())
        changed = {u: t for u, t in stored.items() if u in self.texts and self.texts[u] != t}
        assert extra == (
            sorted(map(str, _list(self.pending["texts"]))) if "texts" in self.pending else []
        )
        assert missing == sorted(map(str, _list(self.pending.get("gone", []))))
        assert changed == (
            {self.pending["id"]: self.pending["text"]} if "id" in self.pending else {}
        )

    def settle(self, stored: dict[str, str]) -> None:
        """Go on from what is there."""
        self.links = {ends for ends in self.links if set(ends) <= stored.keys()}
        self.texts, self.pending, self.told = stored, {}, []


def _list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def run_and_kill(story: Story, store: Path, seed: int, kinds: list[str]) -> None:
    """Let a teller work for a while, and kill it at a moment the seed chooses."""
    chance = random.Random(seed)
    with doomed(tell, store, seed, kinds) as teller:
        for _ in range(chance.randint(2, 40)):
            story.hear(teller.hear())
        # Into the middle of whatever it is doing: encoding, writing, or the log of the database.
        time.sleep(chance.random() * 0.03)
        for event in teller.kill():
            story.hear(event)


def check_found(memory: Memory, unit: str, text: str) -> None:
    """A unit is reached by its words, its vector and its links."""
    word = text.split()[3]
    by_word = memory.recall(word, limit=3).items
    assert next(i.id for i in by_word if "lexical" in i.why.retrievers) == unit
    by_meaning = memory.recall(text, limit=3).items
    assert next(i.id for i in by_meaning if "semantic" in i.why.retrievers) == unit
    links = memory.links(unit)
    assert links or memory.stats().units < 3
    for link in links:
        assert unit in {back.target for back in memory.links(link.target)}


def stored_texts(memory: Memory) -> dict[str, str]:
    texts: dict[str, str] = {}
    cursor: str | None = None
    while True:
        page = memory.list(limit=1000, cursor=cursor)
        texts |= {unit.id: unit.text for unit in page.units}
        if page.cursor is None:
            return texts
        cursor = page.cursor


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "kills"),
    [
        (["retain", "retain", "batch"], 20),
        (["retain", "batch", "update", "update", "forget", "link"], 10),
    ],
    ids=["telling", "telling, changing and forgetting"],
)
def test_a_store_killed_again_and_again_keeps_all_it_acknowledged(
    tmp_path: Path, kinds: list[str], kills: int
) -> None:
    story, store = Story(), tmp_path / "store"
    for seed in range(1, kills + 1):
        run_and_kill(story, store, seed, kinds)
        with Memory.open(store, encoder="hash", reranker=None) as memory:
            stored = stored_texts(memory)
            story.check(stored)
            assert memory.doctor() == []
            assert memory.stats().vectors == len(stored)
            for unit in story.told[-8:]:
                if unit in stored:
                    check_found(memory, unit, stored[unit])
            for cause, effect in story.links:
                if {cause, effect} <= stored.keys():
                    assert effect in {x.target for x in memory.links(cause) if x.kind == "causes"}
            story.settle(stored)
    assert len(story.texts) > 50


def make_and_kill(told: dict[str, int], store: Path, seed: int) -> str:
    """Let a maker work, kill it, and say what it was at; `told` counts the units of each bank."""
    chance = random.Random(seed)
    with doomed(make, store, seed) as maker:
        lines = [maker.hear() for _ in range(chance.randint(1, 30))]
        time.sleep(chance.random() * 0.01)
        lines += maker.kill()
    pending = ""
    for line in lines:
        if line != "done":
            pending = line
            continue
        verb, name = pending.split()
        told[name] = {"make": 0, "tell": 1, "delete": -1}[verb]
        pending = ""
    return pending


@pytest.mark.slow
def test_banks_killed_while_they_are_made_and_deleted_are_there_or_not(tmp_path: Path) -> None:
    told: dict[str, int] = {}
    for seed in range(1, 13):
        pending = make_and_kill(told, tmp_path / "store", seed)
        with Memory.open(tmp_path / "store", encoder="hash", reranker=None) as memory:
            found = {bank.name: bank.units for bank in memory.banks()}
            assert {path.suffix for path in (tmp_path / "store" / "banks").iterdir()} <= {""}
        if pending:
            name = pending.split()[1]
            assert found.get(name, -1) - told.get(name, -1) in (0, 1, -2)
            told[name] = found.get(name, -1)
        assert found == {name: units for name, units in told.items() if units >= 0}
    assert sum(units == 1 for units in told.values()) > 12
