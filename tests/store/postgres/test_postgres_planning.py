"""What it costs the server to plan a question beside four thousand graphs of other banks."""

from __future__ import annotations

import re
from statistics import median

import numpy as np
import pytest
from tests.store.postgres.postgres_server import sql

from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.store.postgres.tables.arms import Search

BANKS, TYPES, DIMENSION = 1_000, 4, 8
ASKED = 60
PLANNING_MS_MAX = 5.0

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
def test_a_question_is_planned_in_under_five_milliseconds_among_a_thousand_banks(
    postgres_url: str,
) -> None:
    PostgresStore(postgres_url).close()  # makes the schema
    sql(postgres_url, VECTORS)
    partitions = dict(line.split("|") for line in sql(postgres_url, PARTITIONS).splitlines())
    graphs = [
        GRAPH.format(bank=bank, type=code, dimension=DIMENSION, partition=partition)
        for bank, partition in partitions.items()
        for code in range(TYPES)
    ]
    assert len(graphs) == BANKS * TYPES
    sql(postgres_url, "".join(graphs))
    sql(postgres_url, "ANALYZE scrubjay.vectors")
    search = Search(
        ("arm_graph", "arm_words"), vector=np.ones(DIMENSION, np.float32),
        graphs=tuple(range(TYPES)), graph_max=20, terms=("otter", "river"),
    )  # fmt: skip
    database = Database(read_address(postgres_url), read_only=True)
    try:
        statement = f"EXPLAIN (SUMMARY, COSTS OFF) {search.statement()}"
        plans = [
            "\n".join(line for (line,) in database.rows(bank, statement, bank, *search.values()))
            for bank in range(1, ASKED + 1)
        ]
    finally:
        database.close()
    spent = [float(re.findall(r"Planning Time: ([\d.]+) ms", plan)[0]) for plan in plans]
    # The first question of a connection also reads the catalogue; the median leaves it out.
    assert median(spent) < PLANNING_MS_MAX
