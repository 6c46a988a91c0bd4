"""Takes units out of every table, inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from scrubjay.store.embedded.dictionary import MANY_HOLDERS
from scrubjay.store.embedded.entity_table import json_list
from scrubjay.store.embedded.packing import (
    INCOMING,
    LINK,
    staying,
    unpack_entities,
    unpack_links,
    unpack_postings,
    without_rows,
)
from scrubjay.store.embedded.saving import Carried
from scrubjay.store.lineage import Move
from scrubjay.store.statements import statements
from scrubjay.types import UnitId

SQL = statements("scrubjay.store.embedded", "queries.sql")

# Rows read at a time when all must be asked whether they hold a word.
_SCANNED_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class Erased:
    """How much went, by table; `links` counts edges, each once."""

    vectors: int
    words: int
    links: int
    mentions: int
    entities: int
    relations: int
    sessions: int
    left_closed: tuple[UnitId, ...] = ()  # what was superseded by units that went, and by no other


@dataclass(frozen=True, slots=True)
class Replaced:
    """What updated units keep, and the entities and sessions that their old rows held up."""

    kept: dict[UnitId, Carried]
    touched: set[int]
    sessions: list[int]


class Eraser:
    """Removes rows and everything that only they held up."""

    def __init__(
        self, connection: sqlite3.Connection, document_frequency: Callable[[int], int]
    ) -> None:
        self._connection = connection
        self._document_frequency = document_frequency

    def erase(
        self,
        rows: Sequence[int],
        ids: Sequence[UnitId],
        *,
        names: bool = False,
        session: str | None = None,
        entity: str | None = None,
    ) -> Erased:
        """Remove units for good; counts of what went with them.

        With `names`, sessions and entities the caller named go too when nothing holds them up:
        those of these units, and `session` and `entity`.
        """
        run = self._connection.execute
        spoken = [number for (number,) in run(SQL["sessions_of_rows"], (json_list(rows),))]
        gone = (json_list(spoken if names else ()), session)
        links = self._unlink(rows)
        mentioned = self._unmention(rows)
        relations = self._unrelate(rows)
        words = self._drop_words(rows)
        bridged = self._bridge(ids)
        vectors = self._drop_rows(rows)
        named = self._unname(entity)
        touched = set(mentioned) | relations.touched | named.touched
        entities = self.drop_orphans(touched, explicit=names)
        sessions = run(SQL["delete_empty_sessions"], gone).rowcount
        mentions, related = sum(mentioned.values()), relations.removed + named.removed
        found = run(SQL["without_successor"], (json_list(bridged),)).fetchall()
        left_closed = tuple(UnitId(unit) for (unit,) in found)
        return Erased(vectors, words, links, mentions, entities, related, sessions, left_closed)

    def _bridge(self, ids: Sequence[UnitId]) -> set[str]:
        """Join what units that go superseded with what superseded them; the former."""
        run, before = self._connection.execute, set[str]()
        for (unit,) in run(SQL["in_lineage"], (json_list(ids),)).fetchall():
            before.update(old for (old,) in run(SQL["bridge_superseded"], (unit,)).fetchall())
            run(SQL["bridge_superseding"], (unit,))
        return before

    def replace_all(self, moves: Mapping[int, Move]) -> Replaced:
        """Clear the way for units' new rows; `moves` gives each old row its new one."""
        carried: dict[UnitId, Carried] = {}
        touched: set[int] = set()
        if not moves:
            return Replaced(carried, touched, [])
        spoken = self._connection.execute(SQL["sessions_of_rows"], (json_list(moves),))
        sessions = [number for (number,) in spoken]
        # All at once: a word that two of them shared is known to be unused only together.
        self._drop_words(list(moves))
        for row, move in moves.items():
            kept, entities = self._replace(row, move)
            # The far end of a causal edge may be moving too.
            causal = tuple(
                (moves[other].row if other in moves else other, kind, weight)
                for other, kind, weight in kept.causal
            )
            carried[move.unit] = replace(kept, causal=causal)
            touched |= entities
        return Replaced(carried, touched, sessions)

    def drop_unheld(self, replaced: Replaced) -> None:
        """Remove the entities and sessions that only the old rows held up."""
        self.drop_orphans(replaced.touched)
        if replaced.sessions:
            gone = (json_list(replaced.sessions), None)
            self._connection.execute(SQL["delete_empty_sessions"], gone)

    def _replace(self, row: int, move: Move) -> tuple[Carried, set[int]]:
        run = self._connection.execute
        supersedes, superseded_by, created_at = run(SQL["lineage"], (row,)).fetchone()
        causal = self._move_causal(row, move)
        self._unlink([row])
        touched = set(self._unmention([row]))
        if "relations" in move.anew:
            touched |= self._unrelate([row]).touched
        else:
            run(SQL["move_relation_rows"], (move.row, row))
        self._drop_rows([row])
        return Carried(move.unit, supersedes, superseded_by, created_at, causal), touched

    def _drop_rows(self, rows: Sequence[int]) -> int:
        vectors = 0
        for row in rows:
            parameters = (row,)
            vectors += self._connection.execute(SQL["delete_vector"], parameters).rowcount
            for name in ("delete_next_vector", "delete_tags", "delete_unit", "log_erased"):
                self._connection.execute(SQL[name], parameters)
        return vectors

    def _unlink(self, rows: Sequence[int]) -> int:
        stored = self._connection.execute(SQL["links_of_rows"], (json_list(rows),)).fetchall()
        edges = np.concatenate([unpack_links(blob) for _, blob in stored] or [np.empty(0, LINK)])
        gone = np.array(rows, np.int64)
        others = np.setdiff1d(edges["row"], gone)
        kept = self._connection.execute(
            SQL["links_of_rows"], (json_list(others.tolist()),)
        ).fetchall()
        for row, blob in kept:
            self._connection.execute(SQL["put_links"], (row, without_rows(blob, gone)))
        for row in rows:
            self._connection.execute(SQL["delete_links"], (row,))
        # An edge between two erased units stands in both blobs.
        inner = int(np.isin(edges["row"], gone).sum())
        return len(edges) - inner // 2

    def _move_causal(self, row: int, move: Move) -> tuple[tuple[int, int, float], ...]:
        stored = self._connection.execute(SQL["links_of_rows"], (json_list([row]),)).fetchall()
        edges = unpack_links(stored[0][1]) if stored else np.empty(0, LINK)
        causal = edges[staying(edges["kind"], move.anew, theirs=INCOMING)]
        others = np.unique(causal["row"]).tolist()
        for other, blob in self._connection.execute(
            SQL["links_of_rows"], (json_list(others),)
        ).fetchall():
            moved = unpack_links(blob).copy()
            to_move = (moved["row"] == row) & staying(moved["kind"], move.anew, theirs=0)
            moved["row"][to_move] = move.row
            self._connection.execute(SQL["put_links"], (other, moved.tobytes()))
        return tuple((int(e["row"]), int(e["kind"]), float(e["weight"])) for e in causal)

    def _unmention(self, rows: Sequence[int]) -> Counter[int]:
        found = self._connection.execute(SQL["entities_of_rows"], (json_list(rows),)).fetchall()
        counted: Counter[int] = Counter()
        for row, blob in found:
            entities = unpack_entities(blob)
            counted.update(entities)
            for entity in entities:
                self._connection.execute(SQL["delete_mention"], (entity, row))
        for entity, count in counted.items():
            self._connection.execute(SQL["count_mentions"], (-count, entity))
        return counted

    def _unrelate(self, rows: Sequence[int]) -> _Unrelated:
        removed, touched = 0, set[int]()
        for row in rows:
            for number, subject, target in self._connection.execute(
                SQL["relations_of_row"], (row,)
            ).fetchall():
                self._connection.execute(SQL["delete_relation"], (number,))
                removed += 1
                touched |= {subject, target}
        return _Unrelated(removed, touched)

    def _unname(self, alias: str | None) -> _Unrelated:
        """Let go of what was said of entities that answer to a name, and that nobody mentions."""
        removed, touched = 0, set[int]()
        for (entity,) in self._connection.execute(SQL["unmentioned_by_alias"], (alias,)).fetchall():
            ends = self._connection.execute(SQL["delete_relations_of_entity"], (entity,)).fetchall()
            removed += len(ends)
            touched |= {entity, *(end for pair in ends for end in pair)}
        return _Unrelated(removed, touched)

    def _drop_words(self, rows: Sequence[int]) -> int:
        """Take rows' words out of the counts, and words nobody holds then out of the dictionary."""
        if not rows:
            return 0
        run = self._connection.execute
        found = run(SQL["postings_of_rows"], (json_list(rows),)).fetchall()
        _, terms, _ = unpack_postings([blob for _, _, blob in found])
        numbers, counts = (each.tolist() for each in np.unique(terms, return_counts=True))
        fewer = dict(zip(numbers, counts, strict=True))
        doomed, doubtful, left = list[int](), set[int](), dict[int, list[int]]()
        for term, holders in run(SQL["holders_of_terms"], (json_list(numbers),)):
            if holders < MANY_HOLDERS:
                if holders <= fewer[term]:
                    doomed.append(term)
                else:
                    left.setdefault(fewer[term], []).append(term)
            elif self._document_frequency(term) <= fewer[term]:
                doubtful.add(term)
        for less, group in left.items():
            run(SQL["count_holders"], (json_list(group), -less, MANY_HOLDERS)).fetchall()
        # A word only these units used would otherwise stay readable in the dictionary.
        if doubtful:
            doomed += self._unheld(doubtful, set(rows))
        self._connection.executemany(SQL["delete_term"], [(term,) for term in doomed])
        return len(terms)

    def _unheld(self, terms: set[int], rows: Set[int]) -> set[int]:
        """Which words no other unit holds, as all the rows say; memory is not asked for that."""
        left = set(terms)
        cursor = self._connection.execute(SQL["postings_after"], (-1,))
        while left and (found := cursor.fetchmany(_SCANNED_ROWS)):
            _, held, _ = unpack_postings([blob for row, _, blob in found if row not in rows])
            left -= set(held[np.isin(held, np.array([*left], np.uint32))].tolist())
        return left

    def drop_orphans(self, entities: set[int], *, explicit: bool = False) -> int:
        """Remove entities that nothing mentions or relates any more; how many.

        Those the caller named outright only if `explicit`.
        """
        orphans = self._connection.execute(
            SQL["orphan_entities"], (json_list(entities), explicit)
        ).fetchall()
        for (entity,) in orphans:
            self._connection.execute(SQL["delete_aliases"], (entity,))
            self._connection.execute(SQL["delete_entity"], (entity,))
        return len(orphans)


@dataclass(frozen=True, slots=True)
class _Unrelated:
    removed: int
    touched: set[int]
