"""What it costs the server to plan a question beside four thousand graphs of other banks."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.store.postgres.postgres_server import sql

from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.index.arms import Search
from scrubjay.store.postgres.store import PostgresStore

BANKS, TYPES, DIMENSION = 1_000, 4, 8
ASKED = 60
# All graphs on one table, instead of on a bank's own partition, took a hundred times as long.
TIMES_MAX = 10

VECTORS = f"""
INSERT INTO scrubjay.vectors
SELECT b, r, r % {TYPES}, array_fill(1.0 / r, ARRAY[{DIMENSION}])::halfvec
FROM generate_series(1, {BANKS}) b, generate_series(1, 8) r
"""
PARTITIONS = "SELECT DISTINCT bank_id, tableoid::regclass FROM scrubjay.vectors"
GRAPH = """
CREATE INDEX graph_{bank}_{type}_{dimension} ON {partition}
USING hnsw ((vector::halfvec({dimension})) halfvec_ip_ops)
WHERE bank_id = {bank} AND type = {type} AND vector_dims(vector) = {dimension};
"""


@pytest.mark.slow
def test_a_question_is_planned_at_little_more_cost_beside_the_graphs_of_a_thousand_banks(
    postgres_url: str,
) -> None:
    PostgresStore(postgres_url).close()  # makes the schema
    sql(postgres_url, VECTORS)
    sql(postgres_url, "ANALYZE scrubjay.vectors")
    alone_ms = planning_ms(postgres_url)
    partitions = dict(line.split("|") for line in sql(postgres_url, PARTITIONS).splitlines())
    graphs = [
        GRAPH.format(bank=bank, type=code, dimension=DIMENSION, partition=partition)
        for bank, partition in partitions.items()
        for code in range(TYPES)
    ]
    assert len(graphs) == BANKS * TYPES
    sql(postgres_url, "".join(graphs))
    sql(postgres_url, "ANALYZE scrubjay.vectors")
    beside_ms = planning_ms(postgres_url)
    assert beside_ms < alone_ms * TIMES_MAX, (alone_ms, beside_ms)


def planning_ms(url: str) -> float:
    """What planning a search takes, at its quickest over many banks."""
    search = Search(
        ("arm_graph", "arm_words"), vector=np.ones(DIMENSION, np.float32),
        graphs=tuple(range(TYPES)), graph_max=20, terms=("otter", "river"),
    )  # fmt: skip
    database = Database(read_address(url), read_only=True)
    try:
        statement = f"EXPLAIN (SUMMARY, COSTS OFF) {search.statement()}"
        plans = [
            "\n".join(line for (line,) in database.rows(bank, statement, bank, *search.values()))
            for bank in range(1, ASKED + 1)
        ]
    finally:
        database.close()
    spent = [float(re.findall(r"Planning Time: ([\d.]+) ms", plan)[0]) for plan in plans]
    # The quickest of many: what else the machine does can only add to it.
    return min(spent)
