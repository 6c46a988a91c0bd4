"""How the server runs the searches: graphs where a type is large, scans below, one bank's rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from tests.store.postgres.postgres_server import sql

from scrubjay import Memory, Unit
from scrubjay.settings import BankSettings
from scrubjay.store.base import Scope
from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.connection.own_statements import worded_for
from scrubjay.store.postgres.index.arms import Search
from scrubjay.store.postgres.index.graphs import WHOLE, Graphs, in_whole
from scrubjay.store.postgres.index.selection import scope_values
from scrubjay.store.postgres.index.vectors import VectorSearch
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.store.postgres.tables.asking import listed
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.postgres.tables.vector_bytes import halves_in
from scrubjay.testing import HashingEncoder
from scrubjay.types.arrays import VectorArray
from scrubjay.types.values import Window

GENERIC = """
SET search_path = scrubjay, public; SET scrubjay.bank_id = '{bank}'; SET ROLE scrubjay_app;
EXPLAIN (GENERIC_PLAN, COSTS OFF) {statement}
"""
GRAPH_FROM = 200
UNITS = 600
YEAR = Window(datetime(2019, 1, 1, tzinfo=UTC), datetime(2019, 12, 31, tzinfo=UTC))
SUBJECTS = ("otter", "heron", "badger", "lynx", "marten", "stoat", "vole")


def text(n: int) -> str:
    animal, mile = SUBJECTS[n % 7], n * 7919 % 1000
    return f"Keeper Brandt-{n % 83} saw the {animal} number {n} cross the river at mile {mile}."


@dataclass(frozen=True, slots=True)
class Grown:
    """A bank with one large type and one small, beside a bank that is nobody's business."""

    memory: Memory
    database: Database
    bank: int

    def plan(self, statement: str, *values: object) -> str:
        found: list[Any] = self.database.rows(
            self.bank, f"EXPLAIN (COSTS OFF) {statement}", self.bank, *values
        )
        return "\n".join(line for (line,) in found)


@pytest.fixture(scope="module")
def grown(postgres_url: str) -> Iterator[Grown]:
    url = f"{postgres_url}?scrubjay_graph_from={GRAPH_FROM}"
    # Told without upkeep, so that it is this test which has the graphs made.
    with Memory.open(f"{postgres_url}?scrubjay_graph_from=0", encoder="hash") as memory:
        for bank in ("large", "other"):
            for start in range(0, UNITS, 200):
                units = [Unit(text(n), type="fact") for n in range(start, start + 200)]
                memory.retain(units, bank=bank)
            memory.retain([Unit(f"Tea {n}.", type="preference") for n in range(40)], bank=bank)
    with Memory.open(url, encoder="hash", reranker=None) as memory:
        store = PostgresStore(url)
        number = int(sql(postgres_url, "SELECT bank_id FROM scrubjay.banks WHERE name = 'large'"))
        # The one type is most of the bank, and searched in the graph of all.
        assert store.upkeep.improve(number) == [WHOLE]
        sql(postgres_url, "ANALYZE")
        database = Database(read_address(url), read_only=True)
        try:
            yield Grown(memory, database, number)
        finally:
            database.close()
            store.close()


def vector(question: str) -> VectorArray:
    encoded: VectorArray = HashingEncoder().encode_queries([question])[0]
    return encoded


@pytest.mark.parametrize("of", [WHOLE, 0], ids=["any type", "the type that is most of it"])
def test_a_large_bank_is_searched_in_one_graph(grown: Grown, of: int) -> None:
    search = Search(("arm_graph",), vector=vector("the otter"), graphs=(of,), graph_max=20)
    plan = grown.plan(search.statement(), *search.values())
    assert plan.count(f"Index Scan using graph_{grown.bank}_all_384") == 1
    assert "Seq Scan" not in plan


def test_a_large_type_that_is_a_part_of_the_bank_is_searched_in_its_own_graph(
    postgres_url: str,
) -> None:
    url = f"{postgres_url}?scrubjay_graph_from=100"
    with Memory.open(url, encoder="hash", reranker=None) as memory:
        types = ("fact", "fact", "event")
        memory.retain([Unit(text(n), type=types[n % 3]) for n in range(450)], bank="mixed")
        store = PostgresStore(url)
        number = int(sql(postgres_url, "SELECT bank_id FROM scrubjay.banks WHERE name = 'mixed'"))
        try:
            store.upkeep.improve(number)
            sql(postgres_url, "ANALYZE")
            mixed = Grown(memory, Database(read_address(url), read_only=True), number)
            code = BankSettings().type_code("event")
            search = Search(("arm_graph",), vector=vector("otter"), graphs=(code,), graph_max=20)
            plan = mixed.plan(search.statement(), *search.values())
            assert f"graph_{number}_{code}_384" in plan and f"graph_{number}_all" not in plan
            mixed.database.close()
        finally:
            store.close()


def test_few_units_of_a_narrow_scope_are_compared_one_by_one_and_all_are_found(
    grown: Grown, postgres_url: str
) -> None:
    told = [
        Unit(
            f"Harbour log {n} of the lynx.",
            told_at=YEAR.start,
            type="fact" if n % 2 else "event",
        )
        for n in range(30)
    ]
    grown.memory.retain(told, bank="large")
    for preset in ("default", "dense_fts"):
        found = grown.memory.recall(
            "harbour log of the lynx", bank="large", window=YEAR, limit=30, preset=preset
        )
        ranks = [item.why.retrievers.get("semantic") for item in found.items]
        assert len(found.items) == 30 and all(ranks) and not found.degraded
    sql(postgres_url, "ANALYZE")
    values = scope_values(Scope(window=YEAR), BankSettings(), any_ends=False)
    search = VectorSearch(_nothing, 384, Graphs(frozenset({WHOLE})), 7).search(
        vector("the otter"), 20, values
    )
    plan = grown.plan(search.statement(), *search.values())
    assert "CTE chosen" in plan and plan.count("One-Time Filter") >= 2, plan
    reads_one_partition(plan)


def _nothing(statement: str, *values: object) -> list[tuple[int, bytes]]:
    raise AssertionError(f"only a statement was wanted: {statement}{values}")


def test_a_small_type_is_scanned_by_the_btree(grown: Grown) -> None:
    search = Search(("arm_scanned",), vector=vector("tea"), scanned=(1,), scanned_max=20)
    plan = grown.plan(search.statement(), *search.values())
    assert "_bank_id_type_idx" in plan
    assert "graph_" not in plan and "Seq Scan" not in plan


def test_all_searches_of_a_question_are_one_statement_over_indexes(grown: Grown) -> None:
    arms = (
        "arm_graph", "arm_scanned", "arm_words", "arm_relations", "arm_mention_vectors",
    )  # fmt: skip
    search = Search(
        arms, vector=vector("the otter"), graphs=(0,), graph_max=20, scanned=(1,), scanned_max=20,
        terms=("otter", "river"), entities=(1, 2), mentions_max=50,
    )  # fmt: skip
    plan = grown.plan(search.statement(), *search.values())
    assert f"graph_{grown.bank}_all_384" in plan and "_bank_id_type_idx" in plan
    reads_one_partition(plan)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rows_of_ids", (["x"],)),
        ("known", ([1, 2], ["k"])),
        ("links_of_rows", ([1, 2, 3],)),
        ("hydrate", ([1, 2, 3],)),
        ("facts_of_rows", ("{1,2,3}", None, None, None, "{1,2}", "{}", None)),
        ("facts_of_rows", ("{1,2,3}", ["deep"], '{"pier": 1}', "watch", "{}", "{}", None)),
    ],
)
def test_look_ups_read_an_index_of_one_partition(
    grown: Grown, name: str, values: tuple[object, ...]
) -> None:
    reads_one_partition(grown.plan(SQL[name], *values))


@pytest.mark.parametrize("types", [None, ("preference",)], ids=["of any type", "of a small type"])
def test_plans_made_once_read_the_same_indexes(
    grown: Grown, types: tuple[str, ...] | None, postgres_url: str
) -> None:
    values = scope_values(Scope(types=types), BankSettings(), any_ends=False)
    graphs = Graphs(frozenset({WHOLE, in_whole(BankSettings().type_code("fact"))}))
    near = VectorSearch(_nothing, 384, graphs, 7).search(vector("the otter"), 20, values)
    arms = (*near.arms, "arm_words", "arm_relations", "arm_mention_vectors", "arm_totals")
    search = replace(near, arms=arms, terms=("otter",), entities=(1, 2), mentions_max=50)
    asked = [
        (search.statement(), search.values()),
        (SQL["hydrate_linked"], ([1, 2, 3],)),
        (SQL["facts_of_rows"], ("{1,2,3}", None, None, None, "{}", "{}", None)),
    ]
    for statement, given in asked:
        text, _ = worded_for(grown.bank, statement, [grown.bank, *given])
        plan = sql(postgres_url, GENERIC.format(bank=grown.bank, statement=text))
        reads_one_partition(plan)
        # Joined, all entities or sessions of a bank would be read for the few that are wanted.
        assert "Hash" not in plan
        if statement == search.statement():
            wanted = f"graph_{grown.bank}_all_384" if types is None else "_bank_id_type_idx"
            assert wanted in plan


def reads_one_partition(plan: str) -> None:
    large = ("units_", "vectors_", "postings_", "links_", "mentions_")
    scans = [line for line in plan.splitlines() if " on " in line]
    assert scans
    for line in scans:
        relation = line.partition(" on ")[2].split()[0]
        if relation.startswith(large):
            assert "Seq Scan" not in line, plan
    parts = {line.partition(" on ")[2].split()[0].rpartition("_")[2] for line in scans
        if line.partition(" on ")[2].split()[0].startswith(large)}  # fmt: skip
    numbers = {part for part in parts if part.isdecimal()}
    assert len(numbers) <= 1, plan


def test_the_newest_come_from_the_index_on_time(grown: Grown) -> None:
    values = scope_values(Scope(), BankSettings(), any_ends=False)
    plan = grown.plan(SQL["newest_rows"], *values, 10)
    assert "_bank_id_told_at_row_idx" in plan and "Sort" not in plan


def test_a_graph_finds_what_a_scan_finds(grown: Grown, postgres_url: str) -> None:
    exact = f"{postgres_url}?scrubjay_graph_from=0"
    found = matched = 0
    sql(
        postgres_url, f"UPDATE scrubjay.bank_state SET graphs = '{{}}' WHERE bank_id = {grown.bank}"
    )
    with Memory.open(exact, encoder="hash", reranker=None) as scanned:
        truth = [_nearest(scanned, text(n)) for n in range(0, UNITS, 40)]
    sql(
        postgres_url,
        f"UPDATE scrubjay.bank_state SET graphs = '{{-2, -1}}' WHERE bank_id = {grown.bank}",
    )
    for n, wanted in zip(range(0, UNITS, 40), truth, strict=True):
        hits = _nearest(grown.memory, text(n))
        assert next(iter(hits)) == next(iter(wanted))
        found += len(wanted)
        matched += len(set(hits) & set(wanted))
    assert matched / found > 0.95


def test_a_graph_search_in_a_scope_still_fills_its_limit(grown: Grown) -> None:
    held = grown.memory.recall("the otter crossed", bank="large", types=["fact"], limit=50)
    assert len(held.items) == 50
    assert {item.type for item in held.items} == {"fact"}


def test_an_encoder_of_another_size_gets_graphs_of_its_own(postgres_url: str) -> None:
    url = f"{postgres_url}?scrubjay_graph_from={GRAPH_FROM}"
    exact = f"{postgres_url}?scrubjay_graph_from=0"
    with Memory.open(exact, encoder="hash", reranker=None) as memory:
        memory.retain([Unit(text(n), type="fact") for n in range(250)], bank="changing")
    store = PostgresStore(url)
    number = int(sql(postgres_url, "SELECT bank_id FROM scrubjay.banks WHERE name = 'changing'"))
    graphs = f"SELECT relname FROM pg_class WHERE relname ~ '^graph_{number}_' ORDER BY 1"
    try:
        store.upkeep.improve(number)
        assert sql(postgres_url, graphs) == f"graph_{number}_all_384"
        with Memory.open(exact, encoder=None, reranker=None) as memory:
            memory.reembed(HashingEncoder(64), bank="changing")
        store.upkeep.improve(number)
        assert sql(postgres_url, graphs) == f"graph_{number}_all_64"
        with Memory.open(url, encoder=HashingEncoder(64), reranker=None) as memory:
            found = memory.recall(text(9), bank="changing", limit=1)
            assert found.items[0].text == text(9) and not found.degraded
            memory.delete_bank("changing")
        assert sql(postgres_url, graphs) == ""
    finally:
        store.close()


def _nearest(memory: Memory, question: str) -> dict[str, float]:
    found = memory.recall(question, bank="large", preset="dense_fts", types=["fact"], limit=10)
    return {
        item.id: item.why.retrievers["semantic"].score
        for item in found.items
        if "semantic" in item.why.retrievers
    }


def test_vectors_go_and_come_unchanged(grown: Grown) -> None:
    rows = [1, 2, 3]
    stored = grown.database.rows(
        grown.bank,
        SQL["facts_of_rows"],
        grown.bank,
        "{}",
        None,
        None,
        None,
        listed(rows),
        "{}",
        None,
    )
    (packed,) = (packed for kind, _, packed, _ in stored if kind == 2)
    found, halves = halves_in(packed)
    assert sorted(found.tolist()) == rows
    told = HashingEncoder().encode_documents([text(row - 1) for row in found.tolist()])
    np.testing.assert_array_equal(halves, told.astype(np.float16))
