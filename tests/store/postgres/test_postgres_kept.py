"""What a process keeps of units between questions: how long it holds, and what it saves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from tests.store.postgres.postgres_server import sql

from scrubjay import Memory, Unit
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.base import EncoderPin, Prefetch, Scope, WordQuery
from scrubjay.store.postgres.index.columns import Along, Facts, with_more
from scrubjay.store.postgres.index.kept import FACT as FACT_TYPE
from scrubjay.store.postgres.index.kept import GONE_TYPE, FactArray, KeptBanks, KeptFacts
from scrubjay.store.postgres.index.kept_words import KeptWords
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.store.postgres.tables.postings import Holders
from scrubjay.testing import HashingEncoder
from scrubjay.types.values import UnitId

NOW = datetime(2026, 4, 15, 12, tzinfo=UTC)
QUESTION = "which gauge of the Jade dyke did the warden read"
CHANGES = "SELECT MAX(changes) FROM scrubjay.bank_state"
HERE = ("a server", 0, EncoderPin("an encoder", 4))


@dataclass(frozen=True, slots=True)
class Process:
    """A memory as a process has it, and how many statements it has read."""

    memory: Memory
    store: PostgresStore

    def reads_of(self, question: str = QUESTION) -> int:
        before = self.store.reads
        assert self.memory.recall(question).items
        return self.store.reads - before

    def least_reads(self) -> int:
        """What it always reads: upkeep in the background may read something meanwhile."""
        return min(self.reads_of() for _ in range(3))

    def found(self, question: str = QUESTION) -> list[str]:
        return [item.text for item in self.memory.recall(question, limit=30).items]


@pytest.fixture
def processes(postgres_url: str) -> Iterator[tuple[Process, Process]]:
    """Two that have one bank open, as two processes would."""
    made = [PostgresStore(postgres_url, clock=lambda: NOW) for _ in range(2)]
    memories = [
        Memory(EngineBackend(s, Toolbox(HashingEncoder(), None, lambda: NOW))) for s in made
    ]
    with memories[0], memories[1]:
        one, other = (Process(m, s) for m, s in zip(memories, made, strict=True))
        one.memory.retain([unit(n) for n in range(40)])
        yield one, other
        one.memory.delete_bank("default")


def unit(n: int) -> Unit:
    return Unit(
        f"Warden {n} read gauge {n} of the Jade dyke.",
        session=f"round-{n // 4}",
        speaker="warden" if n % 2 else None,
        told_at=NOW - timedelta(days=60 - n),
    )


def test_units_seen_before_are_not_looked_up_again(processes: tuple[Process, Process]) -> None:
    one, _ = processes
    assert one.reads_of() > one.reads_of()


def test_units_told_since_take_nothing_from_those_before(
    processes: tuple[Process, Process], postgres_url: str
) -> None:
    one, other = processes
    warm, changes = one.least_reads(), sql(postgres_url, CHANGES)
    other.memory.retain([Unit("A boat came to Emden.", told_at=NOW)])
    assert "A boat came to Emden." in one.found("which boat came to Emden")
    assert one.least_reads() == warm
    assert sql(postgres_url, CHANGES) == changes


@pytest.mark.parametrize("here", [True, False], ids=["by this process", "by another"])
def test_what_was_changed_is_as_it_is_now(processes: tuple[Process, Process], here: bool) -> None:
    one, other = processes
    old = one.memory.retain("The gate of the Jade dyke is green.")
    asked = "which colour is the gate of the Jade dyke"
    assert one.found(asked)[0] == "The gate of the Jade dyke is green."
    changed = (one if here else other).memory.supersede(
        old.id, "The gate of the Jade dyke is red.", at=NOW - timedelta(days=1)
    )
    assert changed.id
    assert one.found(asked)[0] == "The gate of the Jade dyke is red."
    assert one.found(asked) == other.found(asked)
    before = NOW - timedelta(days=2)
    asked_then = [p.memory.recall(asked, as_of=before).items[0].text for p in processes]
    assert asked_then == ["The gate of the Jade dyke is green."] * 2


@pytest.mark.parametrize("here", [True, False], ids=["by this process", "by another"])
def test_what_was_erased_is_gone(processes: tuple[Process, Process], here: bool) -> None:
    one, other = processes
    first = one.memory.recall(QUESTION).items[0]
    (one if here else other).memory.forget(first.id)
    assert first.text not in one.found()
    assert one.found() == other.found()


def test_a_unit_told_anew_under_its_key_is_found_by_its_new_time(
    processes: tuple[Process, Process],
) -> None:
    one, other = processes
    one.memory.retain([Unit("The tide gauge stands at two.", key="tide", occurred_start=NOW)])
    asked = "what did the tide gauge say in April 2026"
    assert "The tide gauge stands at two." in one.found(asked)
    earlier = NOW - timedelta(days=400)
    other.memory.retain(
        [Unit("The tide gauge stood at three.", key="tide", occurred_start=earlier)]
    )
    assert one.found(asked) == other.found(asked)


def test_a_bank_that_is_asked_on_and_on_answers_as_one_that_is_not(
    processes: tuple[Process, Process],
) -> None:
    one, other = processes
    other.memory.retain([Unit(f"Odile Karr closed lock {n} in Emden.") for n in range(30)])
    asked = ("what did Odile Karr close", "which lock in Emden did Odile Karr close", QUESTION)
    cold = [other.memory.recall(question, limit=30).items for question in asked]
    for _ in range(10):
        for question in asked:
            one.memory.recall(question)
    warm = [one.memory.recall(question, limit=30).items for question in asked]
    for here, there in zip(warm, cold, strict=True):
        assert [item.id for item in here] == [item.id for item in there]
        assert [item.score for item in here] == pytest.approx([item.score for item in there])


def test_vectors_are_kept_of_banks_that_fit_and_are_asked_on_and_on() -> None:
    kept = KeptBanks(vector_bytes_max=1 << 20)
    rows, halves = np.array([3, 9, 70_000], np.int64), np.eye(3, 4, dtype=np.float16)
    bank = kept.of(1, HERE, 70_000)
    assert not bank.of_vectors
    for _ in range(20):
        assert kept.of(1, HERE, 70_000) is bank
    assert bank.of_vectors
    bank.vectors.keep(rows[:2], halves[:2])
    known, found = bank.vectors.of(rows)
    assert known.tolist() == [3, 9]
    assert np.array_equal(found, halves[:2])
    assert kept.of(2, HERE, 1_000_000).vectors.room == 0
    assert kept.of(1, (*HERE[:2], EncoderPin("another", 8)), 70_000) is not bank


def test_another_server_at_the_same_address_is_believed_nothing_of_before() -> None:
    kept = KeptBanks()
    before = kept.of(1, HERE, 10)
    assert kept.of(1, HERE, 11) is before
    assert kept.of(2, HERE, 11) is not before
    assert kept.of(1, ("a promoted server", *HERE[1:]), 10) is not before
    assert kept.of(1, (HERE[0], 1, HERE[2]), 10) is not before


def test_nothing_is_kept_of_a_bank_that_was_deleted() -> None:
    kept = KeptBanks()
    before = kept.of(1, HERE, 10)
    kept.forget(1)
    kept.forget(1)
    assert kept.of(1, HERE, 10) is not before


def test_what_is_kept_of_all_banks_is_bounded() -> None:
    kept = KeptBanks(rows_max=4_096)
    first = kept.of(1, HERE, 10)
    assert kept.of(2, HERE, 3_000).facts.room == 4_096
    assert kept.of(1, HERE, 10) is not first
    assert kept.of(3, HERE, 1_000_000).facts.room == 4_096


def test_more_who_spoke_than_there_are_places_are_forgotten() -> None:
    banks = KeptBanks()
    kept = banks.of(1, HERE, 100)
    kept.facts.speakers([f"speaker {n}" for n in range(kept.facts.room)])
    assert banks.of(1, HERE, 100) is kept
    kept.facts.speakers(["one more"])
    assert banks.of(1, HERE, 100) is not kept


def test_a_row_takes_the_place_of_another() -> None:
    kept = KeptFacts(next_row=100, room=8)
    rows = np.array([1, 3, 9], np.int64)
    kept.keep(rows, facts(1, 9))
    assert kept.facts_of(rows)["row"].tolist() == [3, 9]
    assert kept.facts_of(rows)["type"].tolist() == [GONE_TYPE, 2]
    assert not len(kept.facts_of(np.array([0, 2, 4], np.int64))[1:])


def test_a_row_that_is_not_there_yet_is_not_taken_for_gone() -> None:
    kept = KeptFacts(next_row=5, room=8)
    asked = np.array([4, 5], np.int64)
    kept.keep(asked, facts())
    assert kept.facts_of(asked)["row"].tolist() == [4]


def facts(*rows: int) -> FactArray:
    return np.array([(row, 2, 7, -1, 3, -1, *([0] * 5)) for row in rows], FACT_TYPE)


def test_no_row_of_the_database_is_kept_while_it_is_being_changed(
    processes: tuple[Process, Process], postgres_url: str
) -> None:
    one, _ = processes
    one.reads_of()
    first = np.array([1])
    changes = sql(postgres_url, CHANGES)
    with pytest.raises(RuntimeError), one.store.using("default") as bank:
        assert bank is not None
        with bank.writing():
            bank.erase([UnitId(bank.ids_of(first)[1])])
            assert int(bank.columns(first).types[0]) == GONE_TYPE
            raise RuntimeError
    assert sql(postgres_url, CHANGES) == changes
    with one.store.using("default") as bank:
        assert bank is not None
        assert int(bank.columns(first).types[0]) != GONE_TYPE


def test_of_an_entity_that_is_asked_for_twice_each_mention_is_told_once(
    processes: tuple[Process, Process],
) -> None:
    one, _ = processes
    one.memory.retain([Unit(f"Boat {n} came to Emden.", entities=("Emden",)) for n in range(60)])
    entity = next(known.id for known in one.memory.entities() if known.name == "Emden")
    with one.store.using("default") as bank:
        assert bank is not None
        # As a walk asks that came there by two relations.
        bank.relations_of([entity, entity])
        newest = bank.mentions_of([entity], limit=50).rows.tolist()
    assert len(set(newest)) == len(newest) == 50


def test_units_of_the_same_words_are_equally_alike_whoever_adds_up(
    processes: tuple[Process, Process],
) -> None:
    one, _ = processes
    # The same words in another order make the same vector.
    groups = [[f"boat{n}", "came", "to", "the", f"pier{n % 7}"] for n in range(30)]
    texts = [[*words[at:], *words[:at]] for words in groups for at in range(5)]
    texts += [[*reversed(words)] for words in texts]
    named = [
        Unit(" ".join((*words, "x" * n)), entities=("Emden", "Jever"))
        for n in range(2)
        for words in texts
    ]
    one.memory.retain(named)
    one.memory.retain([Unit(" ".join(reversed(words))) for words in groups])
    vector = HashingEncoder().encode_queries(["Which boat came to the third pier of Emden?"])[0]
    with one.store.using("default") as bank:
        assert bank is not None
        entities = tuple(match.entity for match in bank.lookup_aliases(["emden", "jever"]))
        # Of more than 500 that mention them the server says how like the question they are.
        bank.prefetch(Prefetch(Scope(), vector, 60, entities=entities, mentions_max=500))
        rows = np.arange(1, bank.row_limit())
        scores = dict(zip(rows.tolist(), bank.similarity(vector, rows).tolist(), strict=True))
        said = {
            row: " ".join(sorted(unit.text.split()))
            for row, unit in bank.scan(after_row=0, limit=2_000)
        }
    alike: dict[str, set[float]] = {}
    for row, words in said.items():
        alike.setdefault(words, set()).add(scores[row])
    assert [words for words, found in alike.items() if len(found) > 1] == []


def test_the_middle_of_what_was_never_committed_is_not_kept(
    processes: tuple[Process, Process],
) -> None:
    one, other = processes
    ids = [unit.id for unit in one.memory.list(limit=40).units]
    with one.store.using("default") as bank, pytest.raises(ZeroDivisionError):
        assert bank is not None
        with bank.writing():
            bank.erase(ids[:9])
            assert bank.middle() is not None
            raise ZeroDivisionError
    # As often changed as it would have been.
    other.memory.forget(ids[30:])
    middles = []
    for process in processes:
        with process.store.using("default") as bank:
            assert bank is not None
            middles.append(bank.middle())
    np.testing.assert_array_equal(middles[0], middles[1])


def test_who_holds_a_word_is_the_same_asked_on_and_on_or_for_the_first_time(
    processes: tuple[Process, Process], postgres_url: str
) -> None:
    one, other = processes
    words = ("dyke", "gauge", "tide", "nowher")
    for n in range(6):
        # More than a block of 256 units in all; a unit is erased once, and then others come.
        told = [Unit(f"Tide {n} rose to mark {m} at the dyke.") for m in range(60)]
        ids = other.memory.retain(told).ids
        if n == 3:
            other.memory.forget(ids[7])
        with one.store.using("default") as bank, closing(PostgresStore(postgres_url)) as fresh:
            assert bank is not None
            found = bank.holders(words)
            scored = bank.match_words(WordQuery(words), limit=500, scope=Scope())
            with fresh.using("default") as anew:
                assert anew is not None
                assert found == anew.holders(words)
                again = anew.match_words(WordQuery(words), limit=500, scope=Scope())
        assert scored.rows.tolist() == again.rows.tolist()
        assert scored.scores.tolist() == again.scores.tolist()
    assert found["tide"] == 359


def test_what_is_known_of_a_word_is_not_sent_again(processes: tuple[Process, Process]) -> None:
    one, other = processes
    other.memory.retain([Unit(f"Tide {n} came.") for n in range(600)])

    def blocks_asked() -> list[object]:
        asked: list[object] = []
        with one.store.using("default") as bank:
            assert bank is not None
            ask = bank._ask

            def listen(statement: str, *values: object) -> list[object]:
                asked.append(values[-2])
                return ask(statement, *values)

            bank._fetched._ask = listen
            assert bank.holders(["tide"]) == {"tide": held}
        return asked

    held = 600
    assert blocks_asked() == [[0]]
    assert blocks_asked() == []
    other.memory.retain([Unit("Another tide came.")])
    held = 601
    assert blocks_asked() == [[2]]


def test_words_are_kept_as_long_as_there_is_room() -> None:
    kept = KeptWords(postings_max=300)
    for n, term in enumerate(("reed", "tide", "dyke")):
        kept.keep({term: holders(*range(1, 40 + n))}, before=100)
    assert list(kept.of(["reed", "tide", "dyke"])) == ["tide", "dyke"]
    assert kept.size <= 300
    kept.keep({"dyke": holders(*range(1, 30))}, before=50)
    assert len(kept.of(["dyke"])["dyke"].held.rows) == 41
    kept.keep({"dyke": holders(1, 2, 150)}, before=120)
    assert kept.of(["dyke"])["dyke"].held.rows.tolist() == [1, 2]
    assert KeptBanks(postings_max=1).of(1, HERE, 10).words.of(["dyke"]) == {}


def test_what_all_banks_keep_of_words_is_bounded() -> None:
    banks = KeptBanks(postings_max=1_000)
    first = banks.of(1, HERE, 1_000)
    for number in (1, 2):
        banks.of(number, HERE, 1_000).words.keep({"tide": holders(*range(1, 600))}, before=1_000)
    banks.of(3, HERE, 10)
    assert banks.of(1, HERE, 1_000) is not first


def holders(*rows: int) -> Holders:
    ones = np.ones(len(rows), np.uint8)
    return Holders(np.array(rows, np.int64), ones, ones.astype(np.uint16))


def test_facts_that_are_kept_are_added_to_those_of_rows_that_are_gone() -> None:
    kept = KeptFacts(next_row=100, room=8)
    kept.keep(np.array([3, 5], np.int64), facts(3, 5))

    def ask(statement: str, *values: object) -> list[object]:
        raise AssertionError(statement, values)

    gone = Facts(np.array([4], np.int64))
    more, *_ = with_more(gone, kept, ask, np.array([5, 3, 4], np.int64), Along())
    assert more.asked.tolist() == [3, 4, 5]
    assert not len(more.lacking(np.array([3, 4, 5], np.int64)))
    found = more.at(np.array([5, 4, 3, 9], np.int64))
    assert found["row"].tolist() == [5, 0, 3, 0]
    assert found["type"].tolist() == [2, GONE_TYPE, 2, GONE_TYPE]
    # Others' facts stay as they are.
    assert more.table["row"].tolist() == more.rows.tolist() == [3, 5]
