"""Compares every table and index with the rows, beside writers, and mends what is wrong.

One pass over a snapshot finds it, in time that grows with what is stored; each short transaction
of the mending looks again before it changes anything.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.settings import VOCABULARY_TERMS
from scrubjay.store.embedded.index.indexes import Indexes
from scrubjay.store.embedded.tables.dictionary import MANY_HOLDERS
from scrubjay.store.embedded.tables.entity_table import names_of
from scrubjay.store.embedded.tables.link_table import LinkTable
from scrubjay.store.embedded.tables.packing import pack_entities, unpack_entities, unpack_postings
from scrubjay.store.embedded.tables.sql import SQL, json_list
from scrubjay.store.embedded.tables.unit_rows import digest_of
from scrubjay.store.shared.bm25 import Corpus
from scrubjay.store.shared.doctor import (
    MENTIONS_DIFFER,
    miscounted,
    miscounted_bytes,
    of_no_unit,
    some,
    stray_links,
    vocabulary_drift,
    without_vector,
)
from scrubjay.store.shared.links import EdgeCheck, mend_edges
from scrubjay.types.arrays import RowArray
from scrubjay.types.reports import Finding

# Rows read at a time, and rows mended in one transaction: writers wait for the latter.
_READ_ROWS = 10_000
_MENDED_ROWS = 500

_Numbers = npt.NDArray[np.int64]
Transaction = Callable[[], AbstractContextManager[sqlite3.Connection]]


@dataclass(frozen=True, slots=True)
class Mirror:
    """What the indexes in memory say of a bank, at the moment of a snapshot of its rows."""

    rows: RowArray
    worded: RowArray
    corpus: Corpus
    frequencies: _Numbers
    vectors: RowArray | None

    @classmethod
    def of(cls, indexes: Indexes) -> Mirror:
        """A copy; the writer may go on."""
        return cls(
            np.flatnonzero(indexes.columns.present()),
            indexes.terms.rows(),
            indexes.terms.corpus,
            indexes.terms.frequencies().astype(np.int64),
            None if indexes.vectors is None else indexes.vectors.rows(),
        )


@dataclass(slots=True)
class Examined:
    """What disagrees with the rows, in words and as what is to be mended."""

    findings: list[Finding] = field(default_factory=list)
    last_row: int = 0  # of those that were seen
    strays: dict[str, list[int]] = field(default_factory=dict)  # by the statement that drops one
    linked: list[int] = field(default_factory=list)  # rows with an edge that is not whole
    unlisted: _Numbers = field(default_factory=lambda: np.empty(0, np.int64))  # mentions lacking
    unnamed: _Numbers = field(default_factory=lambda: np.empty(0, np.int64))  # mentions too many
    orphaned: _Numbers = field(default_factory=lambda: np.empty(0, np.int64))  # of no entity
    miscounted: list[int] = field(default_factory=list)  # entities
    unheld: list[int] = field(default_factory=list)  # words
    misheld: list[int] = field(default_factory=list)  # words
    miscounted_bytes: bool = False
    mirror_wrong: bool = False

    def find(self, check: str, detail: str) -> None:
        """Note one finding."""
        self.findings.append(Finding(check, detail, fixed=False))


@dataclass(frozen=True, slots=True)
class _Units:
    """What the rows of the units say, summed up."""

    live: RowArray
    length: int
    holders: _Numbers  # units by the number of the word
    unknown: int  # words with numbers beyond the dictionary
    named: _Numbers  # pairs, see `_pairs`


def examine(connection: sqlite3.Connection, mirror: Mirror) -> Examined:
    """Everything that disagrees with the rows of a snapshot; no findings are a clean bill."""
    seen = Examined()
    for result in connection.execute("PRAGMA integrity_check(10)"):
        if result[0] != "ok":
            seen.find("database", str(result[0]))
    _check_told(connection, seen)
    kept = connection.execute(SQL["get_meta"], ("told_bytes",)).fetchone()
    if kept is not None:
        ((counted,),) = connection.execute(SQL["told_bytes"])
        for detail in miscounted_bytes(int(kept[0]), counted):
            seen.miscounted_bytes = True
            seen.find("units", detail)
    units = _read_units(connection)
    seen.last_row = int(units.live.max(initial=0))
    _check_strays(connection, seen)
    _check_links(connection, units, seen)
    _check_mentions(connection, units, seen)
    _check_words(connection, units, seen)
    _check_mirror(connection, units, mirror, seen)
    kept = connection.execute(SQL["get_meta"], ("vocabulary",)).fetchone()
    if kept is not None:
        for detail in vocabulary_drift(kept[0], _frequent_words(connection, mirror)):
            seen.find("vocabulary", detail)
    return seen


def _check_told(connection: sqlite3.Connection, seen: Examined) -> None:
    spoiled = [
        row
        for found in _portions(connection.execute(SQL["units_to_verify"]))
        for row, digest, *told in found
        if digest_of(tuple(told)) != digest
    ]
    if spoiled:
        seen.find("units", f"{len(spoiled)} unit(s) are not what was told: {some(spoiled)}")


def _read_units(connection: sqlite3.Connection) -> _Units:
    last = int(connection.execute(SQL["last_term"]).fetchone()[0])
    live, named, holders = list[_Numbers](), list[_Numbers](), np.zeros(last + 1, np.int64)
    length = unknown = 0
    for found in _portions(connection.execute(SQL["units_to_check"])):
        rows, lengths, entities, postings = zip(*found, strict=True)
        live.append(np.array(rows, np.int64))
        length += sum(lengths)
        terms = unpack_postings(postings)[1]
        inside = terms[terms <= last]
        unknown += len(terms) - len(inside)
        holders += np.bincount(inside, minlength=last + 1)
        lists = [np.frombuffer(blob or b"", "<i4", len(blob or b"") // 4) for blob in entities]
        sources = np.repeat(live[-1], [len(each) for each in lists])
        named.append(_pairs(np.concatenate(lists), sources))
    none = np.empty(0, np.int64)
    return _Units(
        np.concatenate((none, *live)), length, holders, unknown, np.concatenate((none, *named))
    )


def _portions(cursor: sqlite3.Cursor) -> Iterator[list[Any]]:
    while found := cursor.fetchmany(_READ_ROWS):
        yield found


def _pairs(entities: npt.NDArray[np.integer], rows: RowArray) -> _Numbers:
    """Entities and the rows that mention them, each pair as one number."""
    return entities.astype(np.int64) << 32 | rows


def _check_strays(connection: sqlite3.Connection, seen: Examined) -> None:
    for check, statement, drop in (
        ("vectors", "vectors_without_unit", "delete_vectors"),
        ("links", "links_without_unit", "delete_links"),
    ):
        rows = [row for (row,) in connection.execute(SQL[statement])]
        if rows:
            seen.strays[drop] = rows
            seen.find(check, of_no_unit(rows))


def _check_links(connection: sqlite3.Connection, units: _Units, seen: Examined) -> None:
    check = EdgeCheck(units.live)
    for found in _portions(connection.execute(SQL["all_links"])):
        check.read(found)
    if check.uneven:
        for found in _portions(connection.execute(SQL["all_links"])):
            check.compare(found)
    for detail in stray_links(check.strays):
        seen.find("links", detail)
    one_sided = sorted(check.one_sided() - check.strays.keys())
    if one_sided:
        seen.find("links", f"{len(one_sided)} row(s) have edges at one end only: {some(one_sided)}")
    seen.linked = sorted({*check.strays, *one_sided})


def _check_mentions(connection: sqlite3.Connection, units: _Units, seen: Examined) -> None:
    listed = [np.empty(0, np.int64)]
    for found in _portions(connection.execute(SQL["all_mention_pairs"])):
        entities, rows = (np.array(each, np.int64) for each in zip(*found, strict=True))
        listed.append(_pairs(entities, rows))
    there = np.concatenate(listed)
    strays = np.unique(there[~np.isin(there & 0xFFFFFFFF, units.live)] & 0xFFFFFFFF).tolist()
    seen.unlisted = np.setdiff1d(units.named, there)
    seen.unnamed = np.setdiff1d(there, units.named)
    known = np.array([number for (number,) in connection.execute(SQL["entity_numbers"])], np.int64)
    every = np.union1d(units.named, there)
    seen.orphaned = every[~np.isin(every >> 32, known)]
    if len(seen.orphaned):
        seen.find("entities", f"{len(seen.orphaned)} mention(s) of entities that are gone")
    if strays:
        seen.find("mentions", of_no_unit(strays))
    if len(seen.unlisted) or len(seen.unnamed):
        seen.find("mentions", MENTIONS_DIFFER)
    for entity, stored, counted in connection.execute(SQL["mention_counts_wrong"]):
        seen.miscounted.append(entity)
        seen.find("entities", miscounted(entity, stored, counted))


def _check_words(connection: sqlite3.Connection, units: _Units, seen: Examined) -> None:
    numbers, told = list[int](), list[int]()
    for found in _portions(connection.execute(SQL["all_holders"])):
        for number, holders in found:
            numbers.append(number)
            told.append(holders)
    ids, stored = np.array(numbers, np.int64), np.array(told, np.int64)
    held = units.holders[ids]
    wrong = (stored < MANY_HOLDERS) & (stored != held)
    seen.unheld = ids[held == 0].tolist()
    seen.misheld = ids[wrong & (held > 0)].tolist()
    nameless = units.unknown + len(np.setdiff1d(np.flatnonzero(units.holders), ids))
    for count, what in (
        (len(seen.unheld), "of the dictionary are held by no unit"),
        (len(seen.misheld), "are held by other units than their rows count"),
        (nameless, "that units hold are not in the dictionary"),
    ):
        if count:
            seen.find("words", f"{count} word(s) {what}")


def _check_mirror(
    connection: sqlite3.Connection, units: _Units, mirror: Mirror, seen: Examined
) -> None:
    before, missing = len(seen.findings), list[int]()
    if not np.array_equal(mirror.rows, units.live):
        seen.find("columns", "the rows in memory are not the rows on disk")
    if not np.array_equal(mirror.worded, units.live):
        seen.find("words", "the word index holds other rows than the database")
    elif mirror.corpus != Corpus(len(units.live), units.length):
        seen.find("words", "the word index counts other lengths than the rows have")
    elif not np.array_equal(mirror.frequencies, np.trim_zeros(units.holders, "b")):
        seen.find("words", "the word index counts other words than the rows have")
    if mirror.vectors is not None:
        stored = np.array([row for (row,) in connection.execute(SQL["vector_rows"])], np.int64)
        stored = stored[np.isin(stored, units.live)]
        differ = np.setxor1d(mirror.vectors, stored).tolist()
        if differ:
            seen.find("vectors", f"the index and the rows differ on {some(differ)}")
        missing = np.setdiff1d(units.live, stored).tolist()
    seen.mirror_wrong = len(seen.findings) > before
    if missing:
        seen.find("vectors", without_vector(missing))


def keep_vocabulary(connection: sqlite3.Connection, mirror: Mirror) -> None:
    """Note which words are frequent, to be compared later."""
    words = json.dumps(_frequent_words(connection, mirror))
    connection.execute(SQL["set_meta"], ("vocabulary", words))


def _frequent_words(connection: sqlite3.Connection, mirror: Mirror) -> list[str]:
    order = np.argsort(-mirror.frequencies, kind="stable")[:VOCABULARY_TERMS]
    wanted = order[mirror.frequencies[order] > 0].tolist()
    found = connection.execute(SQL["frequent_terms"], (json_list(wanted),))
    # Digests, not words: a word must not outlive here the units that used it.
    return sorted(hashlib.blake2b(t.encode(), digest_size=8).hexdigest() for (t,) in found)


def mend(transaction: Transaction, seen: Examined) -> None:
    """Mend the tables, a few rows at a time."""
    for statement, rows in seen.strays.items():
        _each(transaction, rows, partial(_drop_strays, SQL[statement]))
    _each(transaction, seen.linked, _mend_edges)
    _each(transaction, seen.orphaned.tolist(), _drop_mentions)
    _each(transaction, seen.unlisted.tolist(), _list_mentions)
    _each(transaction, seen.unnamed.tolist(), _name_mentions)
    touched = np.unique(np.concatenate((seen.unlisted, seen.unnamed)) >> 32).tolist()
    _each(transaction, sorted({*seen.miscounted, *touched}), _recount)
    _each(transaction, seen.misheld, _count_as_many)
    _each(transaction, seen.unheld, partial(_drop_words, seen.last_row))
    if seen.miscounted_bytes:
        with transaction() as connection:
            ((counted,),) = connection.execute(SQL["told_bytes"])
            connection.execute(SQL["set_meta"], ("told_bytes", str(counted)))


def _each(
    transaction: Transaction,
    rows: Iterable[int],
    change: Callable[[sqlite3.Connection, Sequence[int]], None],
) -> None:
    left = iter(rows)
    while some := list(islice(left, _MENDED_ROWS)):
        with transaction() as connection:
            change(connection, some)


def _live(connection: sqlite3.Connection, rows: Iterable[int]) -> set[int]:
    found = connection.execute(SQL["ids_of_rows"], (json_list(set(rows)),))
    return {row for row, _ in found}


def _drop_strays(statement: str, connection: sqlite3.Connection, rows: Sequence[int]) -> None:
    gone = set(rows) - _live(connection, rows)
    connection.execute(statement, (json_list(sorted(gone)),))


def _mend_edges(connection: sqlite3.Connection, rows: Sequence[int]) -> None:
    mend_edges(LinkTable(connection), rows, partial(_live, connection))


def _named(connection: sqlite3.Connection, rows: Iterable[int]) -> dict[int, list[int]]:
    """The entities that units list, of those that are there."""
    live = _live(connection, rows)
    found = dict(connection.execute(SQL["entities_of_rows"], (json_list(live),)).fetchall())
    return {row: unpack_entities(found.get(row)) for row in live}


def _drop_mentions(connection: sqlite3.Connection, pairs: Sequence[int]) -> None:
    named = _named(connection, (pair & 0xFFFFFFFF for pair in pairs))
    there = names_of(connection, {pair >> 32 for pair in pairs})
    for entity, row in ((pair >> 32, pair & 0xFFFFFFFF) for pair in pairs):
        if entity not in there:
            connection.execute(SQL["delete_mention"], (entity, row))
            left = [other for other in named.get(row, ()) if other != entity]
            named[row] = left
            connection.execute(SQL["set_unit_entities"], (pack_entities(left), row))


def _list_mentions(connection: sqlite3.Connection, pairs: Sequence[int]) -> None:
    named = _named(connection, (pair & 0xFFFFFFFF for pair in pairs))
    for entity, row in ((pair >> 32, pair & 0xFFFFFFFF) for pair in pairs):
        if entity in named.get(row, ()):
            connection.execute(SQL["insert_mention"], (entity, row))


def _name_mentions(connection: sqlite3.Connection, pairs: Sequence[int]) -> None:
    named = _named(connection, (pair & 0xFFFFFFFF for pair in pairs))
    there = names_of(connection, {pair >> 32 for pair in pairs})
    for entity, row in ((pair >> 32, pair & 0xFFFFFFFF) for pair in pairs):
        if row not in named or entity not in there:
            connection.execute(SQL["delete_mention"], (entity, row))
        elif entity not in named[row]:
            named[row].append(entity)
            connection.execute(SQL["set_unit_entities"], (pack_entities(named[row]), row))


def _recount(connection: sqlite3.Connection, entities: Sequence[int]) -> None:
    connection.executemany(SQL["recount_mentions"], [(entity,) for entity in entities])


def _count_as_many(connection: sqlite3.Connection, words: Sequence[int]) -> None:
    """Many is always true enough: such a word goes only after all rows were asked."""
    counts = (json_list(words), MANY_HOLDERS, MANY_HOLDERS)
    connection.execute(SQL["count_holders"], counts).fetchall()


def _drop_words(last_row: int, connection: sqlite3.Connection, words: Sequence[int]) -> None:
    """Take words out of the dictionary that no unit held, unless one has come that does."""
    since = connection.execute(SQL["postings_after"], (last_row,)).fetchall()
    held = set(unpack_postings([blob for _, _, blob in since])[1].tolist())
    connection.executemany(SQL["delete_term"], [(word,) for word in words if word not in held])
