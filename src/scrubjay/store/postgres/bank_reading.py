"""The searches and look-ups of one PostgreSQL bank."""

from __future__ import annotations

from collections.abc import Container, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np

from scrubjay.errors import EncoderError
from scrubjay.settings import BankSettings
from scrubjay.store.base import (
    AliasMatch,
    Columns,
    EncoderPin,
    EntityMentions,
    Hits,
    Known,
    Line,
    Neighbours,
    Prefetch,
    RelationEdge,
    Saying,
    Scope,
    SessionTimes,
    Speakers,
    WordQuery,
)
from scrubjay.store.postgres.bank_state import BankState, read_state
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.index.arms import Nearby, Search
from scrubjay.store.postgres.index.columns import (
    columns_of,
    passing,
    speakers_among,
)
from scrubjay.store.postgres.index.fetched import Fetched, Near
from scrubjay.store.postgres.index.kept import Kept, KeptBanks
from scrubjay.store.postgres.index.selection import NO_SCOPE, ScopeValues, limits, scope_values
from scrubjay.store.postgres.index.terms import matching
from scrubjay.store.postgres.index.vectors import NOTHING, VectorSearch
from scrubjay.store.postgres.tables import entity_table, unit_table
from scrubjay.store.postgres.tables.asking import listed
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.postgres.tables.vector_bytes import halves_of
from scrubjay.store.shared.kernels import best_first
from scrubjay.store.shared.late_bytes import whole
from scrubjay.store.shared.links import neighbours_of
from scrubjay.store.shared.middle import middle_of, sampled
from scrubjay.store.shared.other_rows import session_of
from scrubjay.store.shared.pins import read_pin
from scrubjay.store.shared.ranked_rows import among, best
from scrubjay.store.shared.times import maybe_moment
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray, VectorArray
from scrubjay.types.units import Session, StoredUnit
from scrubjay.types.values import EntityId

# Up to so many rows are compared with a scope here, by their facts; more by the server.
_FACTS_MAX = 2_000

# Rows of a session looked at for the entities it is about.
_SESSION_ROWS = 20

# Of the units that hold the words, so many times the limit are first compared with the scope.
_FIRST_LOOK = 4


class BankReading:
    """Reads of one bank; every statement names the bank, and the server checks it again."""

    def __init__(
        self, name: str, number: int, database: Database, state: BankState, kept: KeptBanks
    ) -> None:
        self._name = name
        self._number = number
        self._database = database
        self._known_state = state
        self._outdated = False  # this bank has changed since it was read
        self._row_limit = state.next_row
        self._max_wait_ms = 0.0
        self._last_pin: str | None = None
        self._kept = kept
        self._fetched = Fetched(self._ask, self._still_kept(), state.next_row)
        self._shown: dict[int, StoredUnit] = {}  # units that came along and will be asked for
        self._fetch_entities = False  # links will be followed, and then what the units mention
        self._fetch_neighbours = False  # what words find will be compared with the rows beside it

    @property
    def _state(self) -> BankState:
        """The state as it is after what this bank has changed."""
        if self._outdated:
            self.refresh()
        return self._known_state

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
        return self._known_state.settings

    @property
    def encoder(self) -> EncoderPin | None:
        """The encoder the bank is pinned to, None while it has no vectors."""
        return self._known_state.encoder

    def encoder_now(self) -> EncoderPin | None:
        """The same as it was when units were last read, or now if none were."""
        if self._last_pin is None:
            ((self._last_pin,),) = self._ask(SQL["get_encoder"]) or ((None,),)
        return read_pin(self._last_pin)

    def _pinned(self, pin: str | None) -> None:
        self._last_pin = pin

    def refresh(self) -> None:
        """Take in what others have changed since the bank was opened."""
        state = read_state(self._database, self._number)
        if state is not None:
            self._known_state, self._outdated = state, False
            self._row_limit = max(self._row_limit, state.next_row)
            self._forget_fetched()

    def _forget_fetched(self) -> None:
        self._fetched.clear(self._still_kept(), self._known_state.next_row)
        self._shown = {}

    def _still_kept(self) -> Kept:
        """What is known of units from before; nothing where it may be other than what is read."""
        state = self._known_state
        database = self._database
        if self._outdated or not database.reads_alike or database.changes(self._number):
            return Kept.nothing()
        return self._kept.of(self._number, state.past, state.next_row)

    def within(self, deadline_ms: float, /) -> AbstractContextManager[None]:
        """Cancel, on the server too, what this thread still reads when the deadline passes."""
        return self._database.within(deadline_ms)

    @property
    def max_wait_ms(self) -> float:
        """The longest a read waited for a connection since the bank was opened."""
        return self._max_wait_ms

    @property
    def stale_ms(self) -> float | None:
        """How long ago the primary last answered, while only a replica does."""
        return self._database.stale_ms()

    def unit_count(self) -> int:
        """How many units the bank holds."""
        return self._state.corpus.documents

    def row_limit(self) -> int:
        """One more than the highest row used, or seen by a search since."""
        return max(self._row_limit, self._state.next_row)

    def _seen(self, rows: RowArray) -> RowArray:
        # Others write while we read: a search may return rows younger than our state.
        if len(rows):
            self._row_limit = max(self._row_limit, int(rows.max()) + 1)
        return rows

    def _rows(self, statement: str, *values: object) -> RowArray:
        found = self._ask(statement, *values)
        return self._seen(np.array([row for (row,) in found], np.int64))

    def _packed_rows(self, statement: str, *values: object) -> RowArray:
        """The rows a statement packs into one value, ascending."""
        ((packed,),) = self._ask(statement, *values)
        return self._seen(np.sort(np.frombuffer(packed or b"", ">i4").astype(np.int64)))

    def _scope(self, scope: Scope) -> ScopeValues:
        return scope_values(scope, self.settings, any_ends=self._state.any_ends)

    @property
    def remote(self) -> bool:
        """Every question to the server is a trip."""
        return True

    def prefetch(self, wanted: Prefetch) -> None:
        """Fetch for some coming searches in one statement."""
        self._fetch_entities, self._fetch_neighbours = wanted.linked_entities, wanted.neighbours
        vectors, vector, values = self._vectors(), wanted.vector, self._scope(wanted.scope)
        near = Search()
        if vectors is not None and vector is not None and len(vector) == vectors.dimension:
            near = vectors.search(vector, wanted.limit, values, per_type=wanted.per_type)
        terms = self._fetched.unknown(wanted.terms)
        inside = NO_SCOPE if wanted.in_scope is None else self._scope(wanted.in_scope)
        search = replace(
            near,
            arms=(
                *near.arms,
                *(["arm_words"] if terms else []),
                *(["arm_inside"] if limits(inside) else []),
                *self._fetched.arms_about(wanted.entities, with_vectors=near.vector is not None),
            ),
            terms=terms,
            entities=wanted.entities,
            mentions_max=wanted.mentions_max,
            inside=inside,
        )
        if search.arms:
            found = self._fetched.search(search)
            if limits(inside):
                self._fetched.inside[inside] = self._seen(found.inside)
                if near.vector is not None:
                    self._fetched.will_compare(near.vector, found.inside)
            if near.vector is not None and vectors is not None:
                types = vectors.wanted(values)
                self._keep_near(near.vector, types, values, wanted.limit, found.near)
                for code in types if wanted.per_type else ():
                    one = ((code,), *values[1:])
                    self._keep_near(near.vector, (code,), one, wanted.limit, found.of_type(code))

    def filter_rows(self, rows: RowArray, scope: Scope) -> MaskArray:
        """Which of some rows a scope allows, in their order."""
        values = self._scope(scope)
        if not limits(values) or not len(rows):
            return np.ones(len(rows), np.bool_)
        return self._passing(rows, values)

    def _passing(self, rows: RowArray, values: ScopeValues) -> MaskArray:
        inside = self._fetched.inside.get(values)
        if inside is not None:
            return among(rows, inside)
        self._fetched.tell_labelled(values[1:4])
        if self._fetched.facts_lacking(rows) <= _FACTS_MAX:
            return passing(self._fetched.facts_of(rows), rows, values)
        return self._fetched.passing(rows, values)

    def nearest(self, vector: VectorArray, *, limit: int, floor: float, scope: Scope) -> Hits:
        """The units most similar to a vector, cosine at least `floor`."""
        values, search = self._scope(scope), self._vectors()
        if search is None or limit < 1:
            return NOTHING
        if len(vector) != search.dimension:
            raise EncoderError(
                f"Bank {self._name!r} was given {search.dimension}-dimensional vectors while this "
                f"question was read as {len(vector)}. Repeat the call."
            )
        made = self._fetched.near(vector, search.wanted(values), values, limit)
        if made is None:
            found = self._fetched.search(search.search(vector, limit, values))
            made = self._keep_near(vector, search.wanted(values), values, limit, found.near)
        hits = Hits(*best_first(made.rows, made.scores, limit=limit, floor=floor))
        self._fetched.will_need(hits.rows)
        return hits

    def _keep_near(
        self,
        vector: VectorArray,
        types: tuple[int, ...],
        values: ScopeValues,
        limit: int,
        found: Sequence[Nearby],
    ) -> Near:
        rows = np.concatenate([np.empty(0, np.int64), *(near.rows for near in found)])
        made = Near(types, values, limit, self._seen(rows), self._fetched.similarity(vector, rows))
        self._fetched.keep_near(vector, made)
        return made

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
        if self.encoder is None:
            return np.full(len(rows), -1.0, np.float32)
        return self._fetched.similarity(vector, rows)

    def middle(self) -> VectorArray | None:
        """The middle of the bank's vectors; None where they are too few to have one."""
        state = self._state
        rows = sampled(state.next_row)
        if self.encoder is None or not len(rows):
            return None

        def make() -> VectorArray | None:
            found = self._ask(SQL["vectors_of_rows"], listed(rows.tolist()))
            return middle_of(halves_of(sorted(found))[1]) if found else None

        # What a lagging replica says of the middle moves it by a unit or two, which orders nothing
        # anew, and half a thousand vectors for each question would cost far more; what is not
        # committed may never hold.
        if self._database.changes(self._number):
            return make()
        return self._kept.middle(self._number, (state.past, int(rows[-1])), make)

    def late_of(self, rows: RowArray) -> dict[int, bytes]:
        """The token vectors of those of some rows that have them whole."""
        return whole(self._ask(SQL["late_of_rows"], rows.tolist()))

    def first_without_vector(self, *, after_row: int) -> int | None:
        """The first row behind another that has no vector; None if each has one."""
        found = self._ask(SQL["rows_without_vector"], after_row, 1)
        return int(found[0][0]) if found else None

    def match_words(self, query: WordQuery, *, limit: int, scope: Scope) -> Hits:
        """The units that hold any of the words, by BM25."""
        values = self._scope(scope)
        wanted = None if limits(values) else limit
        rows, scores, ceiling = self._worded(query, wanted)
        if limits(values):
            rows, scores = self._first_passing(rows, scores, limit, values)
        else:
            rows, scores = best(rows, scores, limit)
        self._fetched.will_need(self._around(rows) if self._fetch_neighbours else rows)
        return Hits(self._seen(rows), scores, ceiling)

    def _around(self, rows: RowArray) -> RowArray:
        beside = np.concatenate([rows - 1, rows + 1])
        # Units that were told meanwhile are not asked for.
        return np.concatenate([rows, beside[(beside > 0) & (beside < self.row_limit())]])

    def _worded(self, query: WordQuery, limit: int | None) -> tuple[RowArray, ScoreArray, float]:
        """What holds the words, rows ascending, and the score of a unit that holds each once.

        All of it, or so much that the best are among it, up to a limit.
        """
        asked = {*query.terms, *query.none_of, *(t for phrase in query.phrases for t in phrase)}
        corpus, holders = self._state.corpus, self._fetched.holders(asked)
        held = [len(holders[term].rows) if term in holders else 0 for term in query.terms]
        return *matching(query, corpus, holders, limit), corpus.ceiling(held)

    def _first_passing(
        self, rows: RowArray, scores: ScoreArray, limit: int, values: ScopeValues
    ) -> tuple[RowArray, ScoreArray]:
        """The best rows in scope: a look at the first few, and at the rest only if it must be."""
        inside = self._fetched.inside.get(values)
        if inside is not None:
            held = inside[among(inside, rows)]
            return best(held, scores[rows.searchsorted(held)], limit)
        ahead, ranked = best(rows, scores, limit * _FIRST_LOOK)
        if self._fetch_neighbours:
            # Which of them pass is not known yet.
            self._fetched.will_need(self._around(ahead))
        allowed = self._passing(ahead, values) if len(ahead) else np.ones(0, np.bool_)
        if int(allowed.sum()) >= limit or len(ahead) == len(rows):
            return ahead[allowed][:limit], ranked[allowed][:limit]
        allowed = self._passing(rows, values)
        return best(rows[allowed], scores[allowed], limit)

    def holders(self, terms: Sequence[str]) -> dict[str, int]:
        """How many units hold each of some words; words that nobody holds are left out."""
        return {term: len(held.rows) for term, held in self._fetched.holders(terms).items()}

    def word_score(self, query: WordQuery, row: int) -> float:
        """The BM25 score of one row."""
        rows, scores, _ = self._worded(WordQuery(query.terms), None)
        return float(scores[rows == row].sum())

    def updates_of(self, rows: RowArray, *, shown: bool) -> Neighbours:
        """The edges by which some rows update others; of those to be shown, the units come too."""
        if not (shown and len(rows)):
            return self.neighbours(rows).updates()
        self._shown, packed = unit_table.hydrate_linked(
            self._ask, rows.tolist(), self.settings.types, self._pinned
        )
        return neighbours_of(packed).updates()

    def neighbours(self, rows: RowArray) -> Neighbours:
        """The stored edges of some rows."""
        along = self.settings.links_per_entity_max if self._fetch_entities else None
        edges = neighbours_of(self._fetched.links_of(rows, along) if len(rows) else [])
        self._fetched.will_need(self._seen(edges.targets))
        return edges

    def entities_of(self, rows: RowArray) -> EntityMentions:
        """The entities some rows mention."""
        return self._fetched.entities_of(rows.tolist())

    def mentions_of(self, entities: Sequence[EntityId], *, limit: int) -> EntityMentions:
        """The newest rows, at most `limit` each, that mention some entities."""
        found = self._fetched.mentions_of(entities, limit)
        self._seen(found.rows)
        return found

    def sayings_of(
        self, entities: Sequence[EntityId], *, limit: int, besides: Container[int] = ()
    ) -> tuple[EntityMentions, dict[int, Saying]]:
        """The newest rows that mention some entities, and what those say that are not `besides`."""
        found, said = self._fetched.sayings_of(entities, limit)
        self._seen(found.rows)
        return found, {row: saying for row, saying in said.items() if row not in besides}

    def relations_of(self, entities: Sequence[EntityId]) -> list[RelationEdge]:
        """Relations that touch some entities."""
        return self._fetched.relations_of(entities)

    def in_scope(self, scope: Scope) -> RowArray:
        """All rows a scope allows, ascending."""
        values = self._scope(scope)
        if values not in self._fetched.inside:
            rows = self._packed_rows(SQL["rows_in_scope"], *values)
            self._fetched.inside[values] = rows
        return self._fetched.inside[values]

    def newest(self, *, limit: int, scope: Scope) -> RowArray:
        """The rows told last, newest first."""
        return self._rows(SQL["newest_rows"], *self._scope(scope), limit)

    def columns(self, rows: RowArray) -> Columns:
        """Types, times and sizes of some rows."""
        return columns_of(rows, self._fetched.facts_of(rows).at(rows))

    def speakers_of(self, rows: RowArray) -> Speakers:
        """Who said each row, where that is known."""
        return speakers_among(self._fetched.facts_of(rows).at(rows), self._fetched.kept.facts)

    def hydrate(self, rows: RowArray) -> list[StoredUnit]:
        """Whole units in the order of `rows`; rows erased meanwhile are left out."""
        return list(self.hydrate_rows(rows).values())

    def hydrate_rows(self, rows: RowArray) -> dict[int, StoredUnit]:
        """Whole units by row, in the order of `rows`."""
        wanted: list[int] = rows.tolist()
        # Each once: whoever asks later is to see what is there then.
        found, self._shown = self._shown, {}
        lacking = [row for row in wanted if row not in found]
        if lacking:
            types = self.settings.types
            found = found | unit_table.hydrate(self._ask, lacking, types, self._pinned)
        return {row: found[row] for row in wanted if row in found}

    def texts_of(self, rows: RowArray) -> dict[int, str]:
        """What the units of some rows say; rows erased meanwhile are left out."""
        return {row: unit.text for row, unit in self._looked_at(rows).items()}

    def lineage_of(self, rows: RowArray) -> dict[int, Line]:
        """What some rows supersede, and are superseded by, as callers said."""
        units = self._looked_at(rows)
        return {row: Line(unit.supersedes, unit.superseded_by) for row, unit in units.items()}

    def _looked_at(self, rows: RowArray) -> dict[int, StoredUnit]:
        """The units of some rows; those that came along to be shown stay for that."""
        shown, wanted = self._shown, rows.tolist()
        lacking = [row for row in wanted if row not in shown]
        found = shown
        if lacking:
            types = self.settings.types
            found = shown | unit_table.hydrate(self._ask, lacking, types, self._pinned)
        return {row: found[row] for row in wanted if row in found}

    def rows_of(self, ids: Sequence[str]) -> dict[str, int]:
        """The rows of the ids this bank knows."""
        return unit_table.rows_of_ids(self._ask, ids)

    def ids_of(self, rows: RowArray) -> dict[int, str]:
        """The ids of some rows."""
        return {**self._fetched.ids_of(rows.tolist())}

    def lookup_aliases(self, folded: Sequence[str]) -> list[AliasMatch]:
        """Which entities answer to these folded names."""
        named = self._known_state.named
        as_opened = not (self._outdated or self._database.changes(self._number))
        if as_opened and all(name in named for name in folded):
            return [match for name in folded for match in named[name]]
        return entity_table.find_aliases(self._ask, folded)

    def whole_names(self, folded: Sequence[str]) -> list[str]:
        """Those of these folded names that are all of somebody's."""
        return entity_table.whole_names(self._ask, folded)

    def known(self, identities: Sequence[int], keys: Sequence[str]) -> list[Known]:
        """Units with one of these contents or keys."""
        return unit_table.find_known(self._ask, identities, keys)

    def sessions(
        self, *, limit: int | None = None, offset: int = 0, newest: bool = False
    ) -> list[Session]:
        """The session log, oldest first, or newest first; some of it, or all."""
        found = self._ask(SQL["list_sessions"], -1 if newest else 1, limit, offset)
        return [session_of(row) for row in found]

    def session_times(self) -> SessionTimes:
        """The times of the session log, oldest first; no unit is counted."""
        return SessionTimes.of(self._ask(SQL["session_times"]))

    def session_entities(self, session: str, *, limit: int) -> list[EntityId]:
        """The entities a session mentioned last, newest first."""
        rows = self._rows(SQL["session_rows"], session, _SESSION_ROWS)
        mentions = self._fetched.entities_of(rows.tolist())
        order = np.argsort(-mentions.rows, kind="stable")
        newest = dict.fromkeys(mentions.entities[order].tolist())
        return [EntityId(entity) for entity in list(newest)[:limit]]

    def newest_told_at(self) -> datetime | None:
        """When the newest unit was told."""
        return maybe_moment(self._state.newest_told_at)
