"""The searches and look-ups of one PostgreSQL bank."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

import numpy as np

from scrubjay.errors import EncoderError
from scrubjay.settings import BankSettings
from scrubjay.store.base import (
    NO_TIME,
    AliasMatch,
    Columns,
    EncoderPin,
    EntityMentions,
    Hits,
    Known,
    Neighbours,
    RelationEdge,
    Scope,
    WordQuery,
)
from scrubjay.store.embedded.packing import neighbours_of
from scrubjay.store.postgres.bank_state import BankState, read_state
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.scoping import SQL, ScopeValues, limits, scope_values
from scrubjay.store.postgres.tables import entity_table, unit_table
from scrubjay.store.postgres.tables.asking import storable
from scrubjay.store.postgres.tables.postings import Holders, holders_of
from scrubjay.store.postgres.tables.vector_bytes import HalfArray, halves_of
from scrubjay.store.postgres.terms import ranked, rarity
from scrubjay.store.postgres.vectors import NOTHING, VectorSearch
from scrubjay.store.times import from_micros, maybe_moment
from scrubjay.types import (
    EntityId,
    MaskArray,
    RowArray,
    ScoreArray,
    Session,
    StoredUnit,
    VectorArray,
)

# The columns of a row that was erased meanwhile.
_GONE = (0, 255, NO_TIME, None, None, None, 0)

# Rows of a session looked at for the entities it is about.
_SESSION_ROWS = 20

# Of the units that hold the words, so many times the limit are first compared with the scope.
_FIRST_LOOK = 4


class BankReading:
    """Reads of one bank; every statement names the bank, and the server checks it again."""

    def __init__(self, name: str, number: int, database: Database, state: BankState) -> None:
        self._name = name
        self._number = number
        self._database = database
        self._state = state
        self._row_limit = state.next_row
        self._max_wait_ms = 0.0
        # How many units hold a word, as the last searches saw it.
        self._holding: dict[str, int] = {}
        self._facts: dict[int, Sequence[Any]] = {}

    def _ask(self, statement: str, *values: object) -> list[Any]:
        found, waited_ms = self._database.timed_rows(self._number, statement, self._number, *values)
        self._max_wait_ms = max(self._max_wait_ms, waited_ms)
        return found

    @property
    def name(self) -> str:
        """The bank's name."""
        return self._name

    @property
    def settings(self) -> BankSettings:
        """The bank's settings."""
        return self._state.settings

    @property
    def encoder(self) -> EncoderPin | None:
        """The encoder the bank is pinned to, None while it has no vectors."""
        return self._state.encoder

    def refresh(self) -> None:
        """Take in what others have changed since the bank was opened."""
        state = read_state(self._database, self._number)
        if state is not None:
            self._state = state
            self._row_limit = max(self._row_limit, state.next_row)
            self._holding.clear()
            self._facts.clear()

    def within(self, deadline_ms: float) -> AbstractContextManager[None]:
        """Cancel, on the server too, what this thread still reads when the deadline passes."""
        return self._database.within(deadline_ms)

    @property
    def max_wait_ms(self) -> float:
        """The longest a read waited for a connection since the bank was opened."""
        return self._max_wait_ms

    def unit_count(self) -> int:
        """How many units the bank holds."""
        return self._state.words.documents

    def row_limit(self) -> int:
        """One more than the highest row used, or seen by a search since."""
        return self._row_limit

    def _seen(self, rows: RowArray) -> RowArray:
        # Others write while we read: a search may return rows younger than our state.
        if len(rows):
            self._row_limit = max(self._row_limit, int(rows.max()) + 1)
        return rows

    def _rows(self, statement: str, *values: object) -> RowArray:
        found = self._ask(statement, *values)
        return self._seen(np.array([row for (row,) in found], np.int64))

    def _scope(self, scope: Scope) -> ScopeValues:
        return scope_values(scope, self.settings, any_ends=self._state.any_ends)

    def filter_rows(self, rows: RowArray, scope: Scope) -> MaskArray:
        """Which of some rows a scope allows, in their order."""
        values = self._scope(scope)
        if not limits(values) or not len(rows):
            return np.ones(len(rows), np.bool_)
        passing = self._rows(SQL["rows_passing"], *values, rows.tolist())
        return np.isin(rows, passing)

    def nearest(self, vector: VectorArray, *, limit: int, floor: float, scope: Scope) -> Hits:
        """The units most similar to a vector, cosine at least `floor`."""
        values = self._scope(scope)
        search = self._vectors()
        if search is None:
            return NOTHING
        if len(vector) != search.dimension:
            raise EncoderError(
                f"Bank {self._name!r} was given {search.dimension}-dimensional vectors while this "
                f"question was read as {len(vector)}. Repeat the call."
            )
        hits = search.nearest(vector, limit=limit, floor=floor, scope=values)
        self._seen(hits.rows)
        return hits

    def _vectors(self) -> VectorSearch | None:
        pin = self.encoder
        if pin is None:
            return None
        types = len(self.settings.types)
        return VectorSearch(self._ask, pin.dimension, self._state.graphs, types)

    def nearest_many(self, vectors: VectorArray, *, limit: int, floor: float) -> list[Hits]:
        """For each vector, its most similar units."""
        search = self._vectors()
        if search is None:
            return [NOTHING] * len(vectors)
        return search.nearest_many(vectors, limit=limit, floor=floor, units=self.unit_count())

    def similarity(self, vector: VectorArray, rows: RowArray) -> ScoreArray:
        """The cosine of each row; -1 where a row has no vector."""
        search = self._vectors()
        if search is None:
            return np.full(len(rows), -1.0, np.float32)
        return search.similarity(vector, rows)

    def vectors_of(self, rows: RowArray) -> dict[int, HalfArray]:
        """The stored vectors of some rows, by row."""
        found = self._ask(SQL["vectors_of_rows"], rows.tolist()) if len(rows) else []
        if not found:
            return {}
        known, halves = halves_of(found)
        return dict(zip(known.tolist(), halves, strict=True))

    def match_words(self, query: WordQuery, *, limit: int, scope: Scope) -> Hits:
        """The units that hold any of the words, by BM25."""
        values = self._scope(scope)
        asked = {*query.terms, *query.none_of, *(t for phrase in query.phrases for t in phrase)}
        rows, scores = ranked(query, self._state.words, self._holders(asked))
        if limits(values):
            rows, scores = self._first_passing(rows, scores, limit, values)
        rows, scores = rows[:limit], scores[:limit]
        return Hits(self._seen(rows), scores)

    def _holders(self, terms: set[str]) -> dict[str, Holders]:
        blocks: dict[str, list[tuple[int, bytes]]] = {}
        for term, block, packed in self._ask(SQL["find_postings"], storable(sorted(terms))):
            blocks.setdefault(term, []).append((block, packed))
        holders = {term: holders_of(found) for term, found in blocks.items()}
        self._holding |= {t: len(holders[t].rows) if t in holders else 0 for t in terms}
        return holders

    def _first_passing(
        self, rows: RowArray, scores: ScoreArray, limit: int, values: ScopeValues
    ) -> tuple[RowArray, ScoreArray]:
        """The best rows in scope: a look at the first few, and at the rest only if it must be."""
        kept = np.empty(0, np.int64)
        start, end = 0, limit * _FIRST_LOOK
        while start < len(rows) and len(kept) < limit:
            part = rows[start:end]
            passing = self._rows(SQL["rows_passing"], *values, part.tolist())
            kept = np.concatenate([kept, start + np.flatnonzero(np.isin(part, passing))])
            start, end = end, len(rows)
        return rows[kept], scores[kept]

    def word_ceiling(self, query: WordQuery) -> float:
        """The sum of the words' weights: the score of an average unit that holds each once."""
        unknown = [term for term in query.terms if term not in self._holding]
        if unknown:
            counted = dict(self._ask(SQL["count_postings"], storable(unknown)))
            self._holding |= {term: counted.get(term, 0) for term in unknown}
        documents = self._state.words.documents
        return sum(rarity(documents, self._holding[term]) for term in query.terms)

    def word_score(self, query: WordQuery, row: int) -> float:
        """The BM25 score of one row."""
        plain = WordQuery(query.terms)
        rows, scores = ranked(plain, self._state.words, self._holders(set(query.terms)))
        return float(scores[rows == row].sum())

    def neighbours(self, rows: RowArray) -> Neighbours:
        """The stored edges of some rows."""
        found = self._ask(SQL["links_of_rows"], rows.tolist()) if len(rows) else []
        edges = neighbours_of([(row, packed) for row, packed in found])
        self._seen(edges.targets)
        return edges

    def entities_of(self, rows: RowArray) -> EntityMentions:
        """The entities some rows mention."""
        return entity_table.entity_mentions_of_rows(self._ask, rows.tolist())

    def mentions_of(self, entities: Sequence[EntityId], *, limit: int) -> EntityMentions:
        """The newest rows, at most `limit` each, that mention some entities."""
        found = entity_table.newest_mentions(self._ask, entities, limit)
        self._seen(found.rows)
        return found

    def relations_of(self, entities: Sequence[EntityId]) -> list[RelationEdge]:
        """Relations that touch some entities."""
        return entity_table.relation_edges(self._ask, entities)

    def in_scope(self, scope: Scope) -> RowArray:
        """All rows a scope allows, ascending."""
        return self._rows(SQL["rows_in_scope"], *self._scope(scope))

    def newest(self, *, limit: int, scope: Scope) -> RowArray:
        """The rows told last, newest first."""
        return self._rows(SQL["newest_rows"], *self._scope(scope), limit)

    def columns(self, rows: RowArray) -> Columns:
        """Types, times and sizes of some rows."""
        # Fusion, boosts and budget ask about the same rows one after the other.
        unread = [row for row in rows.tolist() if row not in self._facts]
        if unread:
            self._facts |= {row[0]: row for row in self._ask(SQL["columns_of_rows"], unread)}
        facts = [self._facts.get(row, _GONE) for row in rows.tolist()]

        def moments(place: int) -> np.ndarray:
            return np.array([NO_TIME if f[place] is None else f[place] for f in facts], np.int64)

        return Columns(
            rows=rows,
            types=np.array([fact[1] for fact in facts], np.uint8),
            told_at=moments(2),
            occurred_start=moments(3),
            occurred_end=moments(4),
            sessions=np.array([-1 if fact[5] is None else fact[5] for fact in facts], np.int32),
            tokens=np.array([fact[6] for fact in facts], np.int32),
        )

    def speakers_of(self, rows: RowArray) -> dict[int, str]:
        """Who said each row, where that is known."""
        return dict(self._ask(SQL["speakers_of_rows"], rows.tolist())) if len(rows) else {}

    def hydrate(self, rows: RowArray) -> list[StoredUnit]:
        """Whole units in the order of `rows`; rows erased meanwhile are left out."""
        return list(self.hydrate_rows(rows).values())

    def hydrate_rows(self, rows: RowArray) -> dict[int, StoredUnit]:
        """Whole units by row, in the order of `rows`."""
        wanted: list[int] = rows.tolist()
        found = unit_table.hydrate(self._ask, wanted, self.settings.types)
        return {row: found[row] for row in wanted if row in found}

    def rows_of(self, ids: Sequence[str]) -> dict[str, int]:
        """The rows of the ids this bank knows."""
        return unit_table.rows_of_ids(self._ask, ids)

    def ids_of(self, rows: RowArray) -> dict[int, str]:
        """The ids of some rows."""
        return {**unit_table.ids_of_rows(self._ask, rows.tolist())}

    def lookup_aliases(self, folded: Sequence[str]) -> list[AliasMatch]:
        """Which entities answer to these folded names."""
        return entity_table.find_aliases(self._ask, folded)

    def known(self, identities: Sequence[int], keys: Sequence[str]) -> list[Known]:
        """Units with one of these contents or keys."""
        return unit_table.find_known(self._ask, identities, keys)

    def sessions(self) -> list[Session]:
        """The session log, oldest first."""
        return [session_of(row) for row in self._ask(SQL["list_sessions"])]

    def session_entities(self, session: str, *, limit: int) -> list[EntityId]:
        """The entities a session mentioned last, newest first."""
        rows = self._rows(SQL["session_rows"], session, _SESSION_ROWS)
        mentions = entity_table.entity_mentions_of_rows(self._ask, rows.tolist())
        order = np.argsort(-mentions.rows, kind="stable")
        newest = dict.fromkeys(mentions.entities[order].tolist())
        return [EntityId(entity) for entity in list(newest)[:limit]]

    def newest_told_at(self) -> datetime | None:
        """When the newest unit was told."""
        return maybe_moment(self._ask(SQL["newest_told"])[0][0])


def session_of(row: tuple[str, int, int, int | None, int]) -> Session:
    """A session from its row."""
    name, started_at, last_at, ended_at, units = row
    return Session(
        name, from_micros(started_at), from_micros(last_at), maybe_moment(ended_at), units
    )
