"""The same store, question and moment give the same answer, to the byte, in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.flow.conftest import NOW

from scrubjay.memory import Memory
from scrubjay.testing import FixedClock
from scrubjay.types.graph import RelationClass

ASK = """
import dataclasses, json, sys
from scrubjay.memory import Memory

QUESTIONS = (
    "what did Oda do with the ladder last week?",
    "who knows Brandur who also knows Ottilie?",
    "what happened after the ladder broke?",
    "what do I prefer for breakfast?",
    "which note is the latest?",
)
options = {"now": "2026-07-15T12:00:00+00:00", "limit": 50, "session": "s"}
with Memory.open(sys.argv[1], encoder="hash", reranker=None, read_only=True) as memory:
    for preset in ("dense_fts", "polyant", "tempr", "hindsight", "recall5", "default"):
        for question in QUESTIONS:
            answer = dataclasses.asdict(memory.recall(question, preset=preset, **options))
            del answer["timings"]
            print(json.dumps(answer, default=str, ensure_ascii=False))
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank with ties, links, relations, namesakes and validity: whatever could reshuffle."""
    path = tmp_path_factory.mktemp("store")
    with Memory.open(path, encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        broke = memory.retain("The ladder broke.", session="s").id
        memory.retain([f"Oda mended ladder {n}." for n in range(12)], entities=["Oda"], session="s")
        for name in ("Brandur Holt", "Brandur Lind", "Ottilie Amsel"):
            memory.retain(f"{name} came by.", entities=[name])
            memory.relate(name, "knows", "Oda", relation_class=RelationClass.STRUCTURAL)
        for drink in ("tea", "coffee", "cocoa"):
            memory.retain(f"I prefer {drink} for breakfast.", type="preference")
        memory.link(broke, memory.retain("Nobody climbs any more.").id)
        memory.retain("The ladder was new.", valid_to=NOW)
    return path


def answered(store: Path, seed: str) -> list[bytes]:
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(store)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.splitlines()


def test_two_processes_with_different_hash_seeds_answer_alike(store: Path) -> None:
    one, other = answered(store, "1"), answered(store, "4242")
    assert len(one) == 30
    assert min(map(len, one)) > 1_000
    assert one == other


def test_asking_twice_in_one_process_answers_alike(store: Path) -> None:
    with Memory.open(store, encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        first, second = (memory.recall("what did Oda do with the ladder?") for _ in range(2))
    assert first.items == second.items
    assert first.plan == second.plan


def test_equal_scores_come_in_the_order_they_were_told(memory: Memory) -> None:
    ids = memory.retain([f"Ladder {letter}" for letter in "fabced"]).ids
    found = memory.recall("ladder", preset="dense_fts")
    lexical = sorted(found, key=lambda item: item.why.retrievers["lexical"].rank)
    assert [item.id for item in lexical] == list(ids)
