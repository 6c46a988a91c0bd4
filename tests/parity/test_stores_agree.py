"""The same corpus and the same questions give the same ranked answers on both stores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.store.postgres.postgres_server import saying

from scrubjay.answers import Recall
from scrubjay.backend import IN_MEMORY, EngineBackend, open_store
from scrubjay.engine.toolbox import Toolbox
from scrubjay.memory import Memory
from scrubjay.store.base import Store
from scrubjay.testing import FixedClock, HashingEncoder
from scrubjay.types.units import Unit

GATE = Path(__file__).parents[2] / "bench" / "corpus" / "gate"
PRESETS = ("dense_fts", "polyant", "tempr", "hindsight", "recall5", "default")
BANKS = ("friends", "greenhouse", "daybook", "coldchain")

# Sums of 32-bit numbers in another order differ in the last digits.
CLOSE = 1e-5


@dataclass(frozen=True, slots=True)
class Pair:
    """The two stores with the same in them."""

    embedded: Memory
    postgres: Memory

    def tell_both(self, bank: str, units: list[Unit]) -> None:
        for memory in (self.embedded, self.postgres):
            memory.retain(units, bank=bank)

    def ask_both(self, question: str, **given: object) -> tuple[Recall, Recall]:
        first, second = (
            memory.recall(question, **given)  # type: ignore[arg-type]
            for memory in (self.embedded, self.postgres)
        )
        return first, second


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@cache
def lines_of(name: str) -> list[dict[str, object]]:
    text = (GATE / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def gate_units(bank: str) -> list[Unit]:
    return [
        Unit(
            text=str(line["text"]),
            speaker=str(line["speaker"]),
            session=str(line["session_id"]),
            told_at=moment(str(line["date"])),
            key=str(line["unit_id"]),
        )
        for line in lines_of("units.jsonl")
        if line["bank_id"] == bank
    ]


def gate_questions(bank: str) -> list[tuple[str, datetime]]:
    return [
        (str(line["question"]), moment(str(line["question_date"])))
        for line in lines_of("queries.jsonl")
        if line["bank_id"] == bank
    ]


@pytest.fixture(scope="module")
def pair(postgres_url: str) -> Iterator[Pair]:
    """Both stores, told the gate corpus and some joined-up extras."""
    clock = FixedClock(datetime(2026, 4, 1, tzinfo=UTC))
    exact = saying(postgres_url, "scrubjay_graph_from=0")
    with (
        Memory.open(IN_MEMORY, encoder=HashingEncoder(), reranker=None, clock=clock) as embedded,
        Memory.open(exact, encoder=HashingEncoder(), reranker=None, clock=clock) as postgres,
    ):
        both = Pair(embedded, postgres)
        for bank in BANKS:
            units = gate_units(bank)
            # In one go, by twos and threes, and one by one: blocks and links grow in each way.
            both.tell_both(bank, units[:60])
            for start in range(60, len(units), 3):
                both.tell_both(bank, units[start : start + 3])
        for memory in (embedded, postgres):
            memory.relate("Mira", "teaches", "Jonas", bank="friends")
            page = memory.list(bank="friends", limit=40).units
            memory.link(page[3].id, page[9].id, bank="friends")
            memory.link(page[9].id, page[20].id, "enables", 0.4, bank="friends")
            memory.supersede(page[5].id, page[15].id, bank="friends")
            memory.forget([page[7].id, page[30].id], bank="friends")
        yield both


def ranking(recall: Recall) -> list[tuple[str | None, float]]:
    return [(item.key, item.score) for item in recall.items]


def assert_same(first: Recall, second: Recall) -> None:
    said, heard = ranking(first), ranking(second)
    assert [key for key, _ in heard] == [key for key, _ in said]
    assert [score for _, score in heard] == pytest.approx([s for _, s in said], abs=CLOSE)
    assert [item.why.retrievers.keys() for item in second.items] == [
        item.why.retrievers.keys() for item in first.items
    ]
    assert (second.widened, second.degraded) == (first.widened, first.degraded)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("bank", BANKS)
def test_every_preset_ranks_the_gate_corpus_alike(pair: Pair, bank: str, preset: str) -> None:
    questions = gate_questions(bank)
    assert questions
    for question, now in questions:
        first, second = pair.ask_both(question, bank=bank, preset=preset, now=now, limit=20)
        assert_same(first, second)


@pytest.mark.parametrize("bank", BANKS)
def test_the_counts_are_the_same(pair: Pair, bank: str) -> None:
    first, second = pair.embedded.stats(bank=bank), pair.postgres.stats(bank=bank)
    for name in (
        "units", "by_type", "entities", "relations", "sessions", "links", "vectors", "terms",
        "encoder", "oldest_told_at", "newest_told_at",
    ):  # fmt: skip
        assert getattr(second, name) == getattr(first, name), name
    assert pair.postgres.doctor(bank=bank) == []


@pytest.mark.parametrize("bank", BANKS)
def test_entities_links_and_sessions_are_the_same(pair: Pair, bank: str) -> None:
    embedded, postgres = pair.embedded, pair.postgres
    assert postgres.entities(bank=bank, limit=500) == embedded.entities(bank=bank, limit=500)
    assert postgres.sessions(bank=bank) == embedded.sessions(bank=bank)
    told, kept = (memory.list(bank=bank, limit=200).units for memory in (embedded, postgres))
    keys = [{unit.id: unit.key for unit in units} for units in (told, kept)]
    assert list(keys[0].values()) == list(keys[1].values())
    for one, other in zip(told, kept, strict=True):
        edges = [
            [(ids[x.source], ids[x.target], x.kind, x.weight) for x in memory.links(u, bank=bank)]
            for memory, ids, u in (
                (embedded, keys[0], one.id),
                (postgres, keys[1], other.id),
            )
        ]
        assert edges[1] == edges[0]


def test_who_bears_a_name_and_what_is_said_beside_is_the_same(
    tmp_path: Path, postgres_url: str
) -> None:
    texts = [f"Ada {('Brandt', 'Karr')[n % 2]} met Olga Fenn at pier {n}." for n in range(9)]
    names = ["ada", "ada karr", "nobody", "olga fenn", "no\0body"]
    seen = []
    for address in (str(tmp_path / "store"), f"{postgres_url}?scrubjay_graph_from=0"):
        store = open_store(address, read_only=False)
        with Memory(EngineBackend(store, Toolbox(HashingEncoder(), None, FixedClock()))) as memory:
            memory.retain(texts, bank="piers")
            found = []
            for ahead in ([], names):
                with store.using("piers", ahead) as bank:
                    assert bank is not None
                    matches = bank.lookup_aliases(names)
                    bearers = list(dict.fromkeys(match.entity for match in matches))
                    mentions, said = bank.sayings_of(bearers, limit=2)
                    newest = bank.mentions_of(bearers, limit=2)
                    rows, told = np.unique(newest.rows), bank.texts_of(newest.rows)
                    assert mentions.rows.tolist() == newest.rows.tolist()
                    assert {row: saying.text for row, saying in said.items()} == told
                    _, others = bank.sayings_of(bearers, limit=2, besides={int(rows[0])})
                    assert others.keys() == said.keys() - {int(rows[0])}
                    found.append((matches, mentions.totals, said))
                    memory.retain(f"Ada Karr left pier {len(found)}.", bank="piers")
                    bank.refresh()
                    after = {match.name: match.mentions for match in bank.lookup_aliases(names)}
                    before = {match.name: match.mentions for match in matches}
                    assert after["Ada Karr"] == before["Ada Karr"] + 1
            seen.append(found)
            memory.delete_bank("piers")
    embedded, postgres = seen
    assert len(embedded[0][0]) >= 4 and len(embedded[0][2]) >= 3
    assert embedded == postgres


def test_the_middle_of_a_bank_is_of_what_is_there_and_the_same(
    tmp_path: Path, postgres_url: str
) -> None:
    texts = [f"Boat {n} left for island {n % 7}." for n in range(60)]
    middles = dict[str, list[list[float]]]()
    for address in (str(tmp_path / "store"), saying(postgres_url, "scrubjay_graph_from=0")):
        store = open_store(address, read_only=False)
        toolbox = Toolbox(HashingEncoder(), None, FixedClock())
        with Memory(EngineBackend(store, toolbox)) as memory:
            told = memory.retain(texts[:50], bank="quay")
            seen = [middle(store, "quay")]
            memory.retain(texts[50:], bank="quay")
            seen.append(middle(store, "quay"))
            memory.forget(told.ids[:20], bank="quay")
            seen.append(middle(store, "quay"))
            memory.delete_bank("quay")
            memory.retain(texts[:10], bank="quay")
            assert middle(store, "quay") == []
        middles[address] = seen
    embedded, postgres = middles.values()
    assert embedded == postgres
    vectors = HashingEncoder().encode_documents(texts).astype(np.float16).astype(np.float64)
    # Told from 48 units before and after ten more came, and from what is left of them.
    assert embedded[0] == embedded[1] == pytest.approx(vectors[:47].mean(axis=0), abs=1e-3)
    assert embedded[2] == pytest.approx(vectors[20:47].mean(axis=0), abs=1e-3)


def middle(store: Store, bank: str) -> list[float]:
    """What a store says of a bank, empty if it says nothing."""
    with store.using(bank) as found:
        assert found is not None
        told = found.middle()
    return [] if told is None else told.tolist()
