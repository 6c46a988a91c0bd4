"""Compares every table and index with the rows, and repairs what is wrong."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from scrubjay.settings import VOCABULARY_JACCARD_MIN, VOCABULARY_TERMS
from scrubjay.store.embedded.entity_table import json_list
from scrubjay.store.embedded.index.indexes import Indexes
from scrubjay.store.embedded.packing import (
    pack_entities,
    unpack_entities,
    unpack_links,
    without_rows,
)
from scrubjay.store.statements import statements
from scrubjay.types import Finding

SQL = statements("scrubjay.store.embedded", "queries.sql")

_Problem = tuple[str, str]


def examine(connection: sqlite3.Connection, indexes: Indexes) -> list[Finding]:
    """Everything that disagrees with the rows; an empty list is a clean bill."""
    problems = [*_table_problems(connection), *_index_problems(connection, indexes)]
    problems += [("vocabulary", detail) for detail in _vocabulary_drift(connection, indexes)]
    return [Finding(check, detail, fixed=False) for check, detail in problems]


def repair(connection: sqlite3.Connection, indexes: Indexes) -> tuple[list[Finding], Indexes]:
    """Mend the tables and make the indexes anew; what was wrong, and whether it still is."""
    before = examine(connection, indexes)
    _mend_tables(connection)
    fresh = rebuilt(connection, indexes)
    snapshot = json.dumps(_frequent_words(connection, fresh))
    connection.execute(SQL["set_meta"], ("vocabulary", snapshot))
    left = examine(connection, fresh)
    return [replace(finding, fixed=finding not in left) for finding in before], fresh


def _mend_tables(connection: sqlite3.Connection) -> None:
    live = [row for (row,) in connection.execute(SQL["all_rows"])]
    for (row,) in connection.execute(SQL["vectors_without_unit"]).fetchall():
        connection.execute(SQL["delete_vector"], (row,))
    for (row,) in connection.execute(SQL["links_without_unit"]).fetchall():
        connection.execute(SQL["delete_links"], (row,))
    for (row,) in connection.execute(SQL["mentions_without_unit"]).fetchall():
        connection.execute(SQL["delete_mentions_of_row"], (row,))
    for row, blob in connection.execute(SQL["all_links"]).fetchall():
        stray = np.setdiff1d(unpack_links(blob)["row"], live)
        if len(stray):
            connection.execute(SQL["put_links"], (row, without_rows(blob, stray)))
    _mend_mentions(connection)


def rebuilt(connection: sqlite3.Connection, indexes: Indexes) -> Indexes:
    """Indexes like these, made anew from the rows."""
    fresh = Indexes(indexes.pin, graphs_above=indexes.graphs_above)
    fresh.catch_up(connection)
    return fresh


def _table_problems(connection: sqlite3.Connection) -> Iterator[_Problem]:
    for result in connection.execute("PRAGMA integrity_check(10)"):
        if result[0] != "ok":
            yield "database", str(result[0])
    for check, statement in (
        ("vectors", "vectors_without_unit"),
        ("links", "links_without_unit"),
        ("mentions", "mentions_without_unit"),
    ):
        rows = [row for (row,) in connection.execute(SQL[statement])]
        if rows:
            yield check, f"{len(rows)} row(s) of no unit: {_some(rows)}"
    for entity, stored, counted in connection.execute(SQL["mention_counts_wrong"]):
        yield "entities", f"entity {entity} says {stored} mentions, {counted} are there"
    live = [row for (row,) in connection.execute(SQL["all_rows"])]
    for row, blob in connection.execute(SQL["all_links"]):
        stray = np.setdiff1d(unpack_links(blob)["row"], live)
        if len(stray):
            yield "links", f"row {row} points to {_some(stray.tolist())}, which are gone"
    if _mention_pairs(connection) != _packed_pairs(connection):
        yield "mentions", "the mention table and the units' own lists differ"


def _index_problems(connection: sqlite3.Connection, indexes: Indexes) -> Iterator[_Problem]:
    live = np.array([row for (row,) in connection.execute(SQL["all_rows"])], np.int64)
    fresh = rebuilt(connection, indexes)
    if not np.array_equal(np.flatnonzero(indexes.columns.present()), live):
        yield "columns", "the rows in memory are not the rows on disk"
    for problem in _word_problems(indexes, fresh, live):
        yield "words", problem
    if indexes.vectors is not None and fresh.vectors is not None:
        missing = [row for row in live.tolist() if row not in fresh.vectors]
        if missing:
            yield "vectors", f"{len(missing)} unit(s) without a vector: {_some(missing)}"
        differ = [r for r in live.tolist() if (r in indexes.vectors) != (r in fresh.vectors)]
        if differ:
            yield "vectors", f"the index and the rows differ on {_some(differ)}"


def _word_problems(indexes: Indexes, fresh: Indexes, live: np.ndarray) -> Iterator[str]:
    if not np.array_equal(indexes.terms.rows(), live):
        yield "the word index holds other rows than the database"
    elif abs(indexes.terms.average_length - fresh.terms.average_length) > 1e-6:
        yield "the word index counts other lengths than the rows have"
    elif not np.array_equal(indexes.terms.frequencies(), fresh.terms.frequencies()):
        yield "the word index counts other words than the rows have"


def _vocabulary_drift(connection: sqlite3.Connection, indexes: Indexes) -> Iterator[str]:
    found = connection.execute(SQL["get_meta"], ("vocabulary",)).fetchone()
    if found is None:
        return
    before, today = set(json.loads(found[0])), set(_frequent_words(connection, indexes))
    if before and today:
        jaccard = len(before & today) / len(before | today)
        if jaccard < VOCABULARY_JACCARD_MIN:
            yield f"{jaccard:.2f} of the frequent words are those of the last snapshot"


def _frequent_words(connection: sqlite3.Connection, indexes: Indexes) -> list[str]:
    frequencies = indexes.terms.frequencies()
    order = np.argsort(-frequencies, kind="stable")[:VOCABULARY_TERMS]
    wanted = order[frequencies[order] > 0].tolist()
    found = connection.execute(SQL["frequent_terms"], (json_list(wanted),))
    # Digests, not words: a word must not outlive here the units that used it.
    return sorted(hashlib.blake2b(t.encode(), digest_size=8).hexdigest() for (t,) in found)


def _mention_pairs(connection: sqlite3.Connection) -> set[tuple[int, int]]:
    return set(connection.execute(SQL["all_mention_pairs"]).fetchall())


def _packed_pairs(connection: sqlite3.Connection) -> set[tuple[int, int]]:
    return {
        (entity, row)
        for row, blob in connection.execute(SQL["all_entity_blobs"])
        for entity in unpack_entities(blob)
    }


def _mend_mentions(connection: sqlite3.Connection) -> None:
    listed, packed = _mention_pairs(connection), _packed_pairs(connection)
    for entity, row in sorted(packed - listed):
        connection.execute(SQL["insert_mention"], (entity, row))
    by_row: dict[int, list[int]] = {}
    for entity, row in sorted(listed | packed):
        by_row.setdefault(row, []).append(entity)
    for _, row in sorted(listed - packed):
        connection.execute(SQL["set_unit_entities"], (pack_entities(by_row[row]), row))
    for entity, _, _ in connection.execute(SQL["mention_counts_wrong"]).fetchall():
        connection.execute(SQL["recount_mentions"], (entity,))


def _some(rows: Sequence[int]) -> str:
    shown = ", ".join(str(row) for row in rows[:5])
    return shown if len(rows) <= 5 else f"{shown}, ..."
