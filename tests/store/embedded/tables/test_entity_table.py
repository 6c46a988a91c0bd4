"""What is known of an entity is read in steps that do not grow with how much there is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from scrubjay.limits import RELATIONS_PER_ENTITY_MAX
from scrubjay.store.embedded.tables.entity_table import find_aliases, relation_edges
from scrubjay.store.shared.statements import read_sql
from scrubjay.types.values import EntityId

_STEPS = 100  # of SQLite's machine, between two counts


@contextmanager
def bank_with(relations: int, *, outgoing: bool) -> Iterator[sqlite3.Connection]:
    """Someone with so many relations, all of them to others."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(read_sql("scrubjay.store.embedded", "schema.sql"))
    others = range(2, relations + 2)
    names = [(1, "Oda"), *((other, f"Skipper {other}") for other in others)]
    connection.executemany(
        "INSERT INTO entities (id, name, kind, explicit, mentions) VALUES (?, ?, 'person', 0, 1)",
        names,
    )
    ends = [(1, other) if outgoing else (other, 1) for other in others]
    connection.executemany(
        "INSERT INTO relations (subject, relation, object, class, confidence, told) "
        "VALUES (?, 'knows', ?, 'social', 1.0, 0)",
        ends,
    )
    yield connection
    connection.close()


def steps_of(connection: sqlite3.Connection) -> int:
    """How many hundreds of steps it takes to read the relations of the first entity."""
    counted = 0

    def count() -> int:
        nonlocal counted
        counted += 1
        return 0

    connection.set_progress_handler(count, _STEPS)
    assert len(relation_edges(connection, [EntityId(1)])) == RELATIONS_PER_ENTITY_MAX
    connection.set_progress_handler(None, 0)
    return counted


@pytest.mark.parametrize("outgoing", [True, False])
def test_relations_are_read_in_bounded_steps_however_many_there_are(outgoing: bool) -> None:
    with bank_with(RELATIONS_PER_ENTITY_MAX, outgoing=outgoing) as connection:
        few = steps_of(connection)
    with bank_with(10 * RELATIONS_PER_ENTITY_MAX, outgoing=outgoing) as connection:
        many = steps_of(connection)
    assert many <= 1.1 * few
    # Each is looked up once, not compared with each of the others.
    assert few * _STEPS <= 100 * RELATIONS_PER_ENTITY_MAX


@pytest.mark.parametrize("outgoing", [True, False])
def test_the_newest_relations_are_read(outgoing: bool) -> None:
    most = RELATIONS_PER_ENTITY_MAX
    with bank_with(2 * most, outgoing=outgoing) as connection:
        found = relation_edges(connection, [EntityId(1)])
    assert [int(edge.other) for edge in found] == list(range(most + 2, 2 * most + 2))


@pytest.mark.parametrize("asked", [1, 100])
def test_of_a_name_that_many_share_the_best_are_found_among_however_many_names(asked: int) -> None:
    with bank_with(0, outgoing=True) as connection:
        bearers = [(f"Oda {n}",) for n in range(90)]
        connection.executemany(
            "INSERT INTO entities (name, kind, explicit, mentions) VALUES (?, 'person', 0, 1)",
            bearers,
        )
        connection.execute(
            "INSERT INTO aliases SELECT 'oda', id, id / 100.0 FROM entities WHERE name LIKE 'Oda %'"
        )
        found = find_aliases(connection, ["oda", *(f"name {n}" for n in range(1, asked))])
    assert [int(match.entity) for match in found] == list(range(91, 91 - 64, -1))
