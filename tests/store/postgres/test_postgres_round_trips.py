"""How often a recall goes to the server: all searches at once, what was fetched only once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from scrubjay import Memory, Unit
from scrubjay.answers import Recall
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.testing import HashingEncoder

NOW = datetime(2026, 4, 15, 12, tzinfo=UTC)
UNITS = 240


@dataclass(frozen=True, slots=True)
class Counted:
    """A bank, and how many statements it has read."""

    memory: Memory
    store: PostgresStore
    url: str

    def ask_anew(self, question: str, **given: object) -> tuple[int, Recall]:
        """Ask as a process that has seen no unit yet."""
        with _opened(self.url) as counted:
            counted.memory.stats()
            return counted.ask(question, **given)

    def ask(self, question: str, **given: object) -> tuple[int, Recall]:
        before = self.store.reads
        found = self.memory.recall(question, **given)  # type: ignore[arg-type]
        return self.store.reads - before, found


@pytest.fixture(scope="module")
def counted(postgres_url: str) -> Iterator[Counted]:
    """A bank with sessions, relations, namesakes, lineage and a type with a graph."""
    with _opened(f"{postgres_url}?scrubjay_graph_from=100") as counted:
        memory = counted.memory
        memory.retain(
            [
                Unit(
                    f"Odile Karr checked valve V-{n} of the north dyke and found {n} leaks.",
                    type="event" if n % 3 else "fact",
                    session=f"shift-{n // 8}",
                    speaker="Odile" if n % 2 else "user",
                    tags=("seen",) if n % 5 else (),
                    metadata={"ring": n % 4},
                    told_at=NOW - timedelta(days=UNITS - n),
                )
                for n in range(UNITS)
            ]
        )
        memory.retain(["Odile Brandt paints boats.", "Odile Brandt lives in Emden."])
        memory.relate("Odile Karr", "works-for", "Dyke Board")
        memory.relate("Dyke Board", "sits-in", "Emden")
        old = memory.retain("Pump P-1 is green.")
        memory.supersede(old.id, "Pump P-1 is red.")
        counted.store.settle()
        yield counted


@contextmanager
def _opened(url: str) -> Iterator[Counted]:
    store = PostgresStore(url, clock=lambda: NOW)
    with Memory(EngineBackend(store, Toolbox(HashingEncoder(), None, lambda: NOW))) as memory:
        yield Counted(memory, store, url)


# One of the trips is for what the first turns of a conversation say.
@pytest.mark.parametrize(
    ("question", "most"),
    [
        ("V-17", 5),
        # Nobody is named: what the first hits name, and who else has it, takes two trips.
        ("which valves in the north leak", 6),
        # One graph knows how like the question some of so few units are, and not all: one trip more
        # for those that a walk finds beside them, here and in the others with a name.
        ("what does Odile Karr do", 7),
        # The Dyke Board answers to its first word, hardly.
        ("which valves of the north dyke leak", 7),
        ("who works for the Dyke Board in Emden", 5),
        ("what happened at the north dyke last week", 6),
        # A first name is shared by all who bear it: to tell them apart takes a trip more.
        ("what did Odile find at the dyke in March 2026", 6),
        # A time, a type hint, namesakes, two hops, a cause: several of them at once.
        # Where a reason is asked for, the texts of the first are read for one: a trip more.
        ("when did Odile paint boats in March 2026, and why", 9),
        ("which events did Odile have with Odile Brandt in Emden last month", 6),
        ("why did Odile Karr check valve V-17 after the Dyke Board sat last year", 7),
        ("how many leaks did I find last week", 4),
    ],
)
def test_a_recall_goes_to_the_server_a_few_times(
    counted: Counted, question: str, most: int
) -> None:
    reads, found = counted.ask(question)
    assert found.items and not found.degraded
    assert reads <= most


@pytest.mark.parametrize("preset", ["default", "dense_fts", "hindsight"])
@pytest.mark.parametrize("given", [{"tags": ["seen"]}, {"metadata": {"ring": 1}}], ids=str)
@pytest.mark.parametrize(
    "question",
    [
        "which valves of the north dyke leak",
        "what does Odile Karr do",
        "what happened at the north dyke last week",
    ],
)
def test_a_filter_by_tags_or_metadata_needs_no_trip_more(
    counted: Counted, question: str, given: dict[str, object], preset: str
) -> None:
    reads, found = counted.ask_anew(question, preset=preset, **given)
    without, _ = counted.ask_anew(question, preset=preset)
    assert found.items and not found.degraded
    assert reads <= without


@pytest.mark.parametrize("preset", ["polyant", "tempr", "hindsight", "recall5"])
def test_other_presets_need_one_trip_a_hop(counted: Counted, preset: str) -> None:
    reads, found = counted.ask("which valves of the north dyke leak", preset=preset)
    assert found.items and not found.degraded
    assert reads <= 8


@pytest.mark.parametrize(
    ("question", "most"),
    [
        ("which valves of the north dyke leak", 3),
        ("what happened at the north dyke last week", 3),
        # A trip more, to tell the one Odile from the other.
        ("which events did Odile have with Odile Brandt in Emden last month", 4),
    ],
)
def test_a_search_type_by_type_is_one_trip_for_all_types(
    counted: Counted, question: str, most: int
) -> None:
    reads, found = counted.ask(question, preset="dense_fts")
    assert {item.type for item in found.items} >= {"event", "fact"} and not found.degraded
    assert reads <= most


@pytest.mark.parametrize("preset", ["", "dense_fts"])
@pytest.mark.parametrize(
    "question",
    [
        "which valves of the north dyke leak", "what does Odile do", "what happened last week",
        "Pump P-1", "why does valve V-3 leak", '"north dyke" V-20',
        "what did Odile find at the dyke in March 2026, and why",
    ],
)  # fmt: skip
def test_what_was_fetched_ahead_changes_no_answer(
    counted: Counted, question: str, preset: str
) -> None:
    given = {"preset": preset} if preset else {}
    _, together = counted.ask(question, limit=30, **given)
    # With a deadline every search is on its own, each in a thread.
    _, apart = counted.ask(question, limit=30, deadline_ms=60_000, **given)
    assert (together.plan.mode, apart.plan.mode) == ("inline", "threads")
    assert together.items
    assert [item.id for item in apart.items] == [item.id for item in together.items]


def test_one_bank_asked_many_questions_answers_each_for_itself(counted: Counted) -> None:
    questions = [f"valve V-{n}" for n in range(0, 40, 5)]
    batch = counted.memory.recall_batch(questions)
    for question, found in zip(questions, batch, strict=True):
        _, alone = counted.ask(question)
        assert [item.id for item in found.items] == [item.id for item in alone.items]


def test_what_is_written_is_seen_by_the_next_question(counted: Counted) -> None:
    memory = counted.memory
    assert not [item for item in memory.recall("zinc flange").items if "zinc" in item.text]
    kept = memory.retain("The zinc flange is on order.")
    assert memory.recall("zinc flange").items[0].id == kept.id
    memory.forget(kept.id)
