"""The searches and look-ups of one embedded bank."""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import numpy as np

from scrubjay.errors import EncoderError
from scrubjay.settings import BankSettings
from scrubjay.store.base import (
    NO_NEIGHBOURS,
    AliasMatch,
    Columns,
    EncoderPin,
    EntityMentions,
    Hits,
    Known,
    Line,
    Neighbours,
    RelationEdge,
    Saying,
    Scope,
    SessionTimes,
    Speakers,
    WordQuery,
)
from scrubjay.store.embedded.connection.database import Database
from scrubjay.store.embedded.connection.faults import decoded
from scrubjay.store.embedded.directory.bank_notes import read_pin
from scrubjay.store.embedded.index.columns import Wanted
from scrubjay.store.embedded.index.indexes import Indexes
from scrubjay.store.embedded.index.selection import (
    Selection,
    carrying,
    reads_rows,
    selection_of,
    session_number,
    wanted_of,
)
from scrubjay.store.embedded.index.stamps import trusted_stamps
from scrubjay.store.embedded.tables import entity_table, unit_table
from scrubjay.store.embedded.tables.dictionary import Dictionary
from scrubjay.store.embedded.tables.sql import SQL, int_list
from scrubjay.store.shared.late_bytes import whole
from scrubjay.store.shared.links import neighbours_of
from scrubjay.store.shared.middle import sampled
from scrubjay.store.shared.other_rows import session_of
from scrubjay.store.shared.times import maybe_moment
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray, VectorArray
from scrubjay.types.units import Session, StoredUnit
from scrubjay.types.values import EntityId

_NOTHING = Hits(np.empty(0, np.int64), np.empty(0, np.float32))

# Rows of a session looked at for the entities it is about.
_SESSION_ROWS = 20


class BankReading:
    """Reads of one bank; every answer is about this bank's database and nothing else."""

    def __init__(
        self, name: str, database: Database, settings: BankSettings, *, graphs_above: int
    ) -> None:
        self._name = name
        self._database = database
        self._settings = settings
        self._dictionary = Dictionary()
        self._graphs_above = graphs_above
        # Whether a change was cut off between the rows and what mirrors them in memory.
        self._behind = False
        self._mirror_rows()

    def _mirror_rows(self) -> None:
        """Derive all that is kept in memory from the rows, as on opening."""
        database, above = self._database, self._graphs_above
        # Asked first: what is committed while we read is then taken in by the first refresh.
        version = database.data_version() if database.read_only else 0
        with database.snapshot() as connection:
            pin = read_pin(connection.execute(SQL["get_meta"], ("encoder",)).fetchone())
            folder = self.index_folder()
            indexes = (
                Indexes(pin, graphs_above=above)
                if folder is None
                else Indexes.load(
                    folder, pin, connection, graphs_above=above, read_only=database.read_only
                )
            )
            # Whether files that keep the indexes, if there are any, have fallen behind.
            unsaved = indexes.catch_up(connection) or indexes.damaged
            self._stamps = trusted_stamps(connection)
        indexes.columns.warm_up()
        self._data_version, self._pin, self._unsaved = version, pin, unsaved
        self._indexes = indexes
        self._dictionary.forget_all()

    def _recover(self) -> None:
        """Make up for a change that was cut off; only the one writer may run this.

        How far it had come is not known, and half of it may be done: all is derived anew.
        """
        if self._behind:
            self._mirror_rows()
            with self._database.reading() as connection:
                stored = connection.execute(SQL["get_meta"], ("settings",)).fetchone()
            self._settings = BankSettings.from_json(stored[0])
            self._behind = False

    @contextmanager
    def _mirroring(self) -> Iterator[None]:
        """What is done inside changes the indexes; cut off, they are not to be trusted."""
        try:
            yield
        except BaseException:
            self._behind = True
            raise

    def index_folder(self) -> Path | None:
        """Where a large bank keeps its indexes; None in memory."""
        path = self._database.location.path
        return None if path is None else path.parent / "index"

    @property
    def name(self) -> str:
        """The bank's name."""
        return self._name

    @property
    def settings(self) -> BankSettings:
        """The bank's settings."""
        return self._settings

    @property
    def encoder(self) -> EncoderPin | None:
        """The encoder the bank is pinned to, None while it has no vectors."""
        # As the vectors say that are searched: these change at once, between two steps of a recall.
        vectors = self._indexes.vectors
        return self._pin if vectors is None else vectors.pin

    def encoder_now(self) -> EncoderPin | None:
        """The same, also where another process has changed it."""
        return self.encoder

    @property
    def max_wait_ms(self) -> float:
        """How long this bank's user waited for a connection; files do not keep one waiting."""
        return 0.0

    @property
    def stale_ms(self) -> float | None:
        """How old what is read may be; files are always current."""
        return None

    def refresh(self) -> None:
        """Take in what the rows have and memory lacks.

        That is what an interrupted change left behind, and in a reading process what the writing
        process has committed since.
        """
        if self._behind:
            with self._database.exclusive():
                self._recover()
        if not self._database.read_only:
            return
        with self._database.exclusive(), self._mirroring():
            version = self._database.data_version()
            if version == self._data_version:
                return
            with self._database.snapshot() as connection:
                self._take_in(connection)
            self._data_version = version

    def _take_in(self, connection: sqlite3.Connection) -> None:
        """In a reading process: let memory be what a snapshot says."""
        stored = connection.execute(SQL["get_meta"], ("settings",)).fetchone()
        self._settings = BankSettings.from_json(stored[0])
        pin = read_pin(connection.execute(SQL["get_meta"], ("encoder",)).fetchone())
        if pin is not None and pin != self._pin:
            self._indexes.use_vectors(connection, pin)
            self._pin = pin
        renewed = self._saved_since(connection)
        if renewed is None:
            self._indexes.catch_up(connection)
        else:
            renewed.catch_up(connection)
            renewed.columns.warm_up()
            self._indexes = renewed
        # Words that were erased may have left their numbers to others.
        self._dictionary.forget_all()

    def _saved_since(self, connection: sqlite3.Connection) -> Indexes | None:
        """The indexes that the writing process has saved meanwhile; None if there are none.

        A reader builds no graphs and merges nothing itself, and its old files are gone: whoever
        reads for long would compare ever more one by one, and keep the bytes of what was erased.
        """
        stamps, folder = trusted_stamps(connection), self.index_folder()
        # Two stamps: a save is under way.
        if folder is None or len(stamps) != 1 or stamps == self._stamps:
            return None
        self._stamps = stamps
        saved = Indexes.load(
            folder, self._pin, connection, graphs_above=self._graphs_above, read_only=True
        )
        # The next save may have begun since. What is in memory is as true, and the next one comes.
        return None if saved.damaged else saved

    def unit_count(self) -> int:
        """How many units the bank holds."""
        return self._indexes.terms.corpus.documents

    def row_limit(self) -> int:
        """One more than the highest row ever used."""
        return self._indexes.columns.size

    def _asked(self, scope: Scope) -> tuple[Wanted, RowArray | None]:
        """What a scope asks of the columns, and the rows that carry its tags and metadata."""
        if not reads_rows(scope):
            return wanted_of(scope, self._settings), None
        with self._database.reading() as connection:
            session = session_number(connection, scope.session)
            return wanted_of(scope, self._settings, session), carrying(connection, scope)

    def _selection(self, scope: Scope) -> Selection:
        columns = self._indexes.columns
        return selection_of(columns, *self._asked(scope), scope.except_rows)

    def filter_rows(self, rows: RowArray, scope: Scope) -> MaskArray:
        """Which of some rows a scope allows, in their order."""
        wanted, carriers = self._asked(scope)
        allowed = self._indexes.columns.passing(rows, wanted)
        if scope.except_rows:
            allowed = allowed & ~np.isin(rows, np.array(scope.except_rows, np.int64))
        return allowed if carriers is None else allowed & np.isin(rows, carriers)

    def nearest(self, vector: VectorArray, *, limit: int, floor: float, scope: Scope) -> Hits:
        """The units most similar to a vector, cosine at least `floor`."""
        vectors = self._indexes.vectors
        if vectors is None:
            return _NOTHING
        if len(vector) != vectors.dimension:
            raise EncoderError(
                f"Bank {self._name!r} was given {vectors.dimension}-dimensional vectors while this "
                f"question was read as {len(vector)}. Repeat the call."
            )
        codes = None
        if scope.types is not None:
            codes = [self._settings.type_code(name) for name in scope.types]
        chosen = self._selection(scope.without_types())
        rows, scores = vectors.nearest(
            vector, limit=limit, types=codes, allowed=chosen.mask, among=chosen.rows, floor=floor
        )
        return Hits(rows, scores)

    def nearest_many(self, vectors: VectorArray, *, limit: int, floor: float) -> list[Hits]:
        """For each vector, its most similar units."""
        if self._indexes.vectors is None:
            return [_NOTHING] * len(vectors)
        found = self._indexes.vectors.nearest_many(vectors, limit=limit, floor=floor)
        return [Hits(rows, scores) for rows, scores in found]

    def similarity(self, vector: VectorArray, rows: RowArray) -> ScoreArray:
        """The cosine of each row; -1 where a row has no vector."""
        if self._indexes.vectors is None:
            return np.full(len(rows), -1.0, np.float32)
        return self._indexes.vectors.similarity(vector, rows)

    def middle(self) -> VectorArray | None:
        """The middle of the bank's vectors; None where they are too few to have one."""
        vectors = self._indexes.vectors
        return None if vectors is None else vectors.middle(sampled(self.row_limit()))

    def late_of(self, rows: RowArray) -> dict[int, bytes]:
        """The token vectors of those of some rows that have them whole."""
        with self._database.reading() as connection:
            found = connection.execute(SQL["late_of_rows"], (int_list(rows.tolist()),))
            return whole(found)

    def first_without_vector(self, *, after_row: int) -> int | None:
        """The first row behind another that has no vector; None if each has one."""
        with self._database.reading() as connection:
            found = connection.execute(SQL["rows_without_vector"], (after_row, 1)).fetchone()
        return found and int(found[0])

    def match_words(self, query: WordQuery, *, limit: int, scope: Scope) -> Hits:
        """The units that hold any of the words, by BM25, and what its scores are measured by."""
        with self._database.reading() as connection:
            wanted = {*query.terms, *query.none_of, *(t for p in query.phrases for t in p)}
            ids = self._dictionary.look_up(connection, wanted)
        chosen = self._chosen_words(query, ids, self._selection(scope))
        terms = [ids[term] for term in query.terms if term in ids]
        index = self._indexes.terms
        rows, scores = index.search(terms, limit=limit, allowed=chosen.mask, among=chosen.rows)
        held = [index.document_frequency(ids[t]) if t in ids else 0 for t in query.terms]
        return Hits(rows, scores, index.corpus.ceiling(held))

    def _chosen_words(self, query: WordQuery, ids: dict[str, int], chosen: Selection) -> Selection:
        """The selection less what lacks a phrase's words or has a forbidden one."""
        index = self._indexes.terms
        for term in dict.fromkeys(term for phrase in query.phrases for term in phrase):
            known = term in ids
            chosen = chosen.among(index.rows_with(ids[term]) if known else np.empty(0, np.int64))
        for term in query.none_of:
            if term in ids:
                chosen = chosen.without(index.rows_with(ids[term]), self._indexes.columns.size)
        return chosen

    def holders(self, terms: Sequence[str]) -> dict[str, int]:
        """How many units hold each of some words; words that nobody holds are left out."""
        with self._database.reading() as connection:
            ids = self._dictionary.look_up(connection, terms)
        count = self._indexes.terms.document_frequency
        return {term: count(number) for term, number in ids.items()}

    def word_score(self, query: WordQuery, row: int) -> float:
        """The BM25 score of one row."""
        with self._database.reading() as connection:
            ids = self._dictionary.look_up(connection, query.terms)
        return self._indexes.terms.score([ids[t] for t in query.terms if t in ids], row)

    def updates_of(self, rows: RowArray, *, shown: bool) -> Neighbours:  # noqa: ARG002
        """The edges by which some rows update others; shown or not makes no difference here."""
        updating = self._indexes.columns.updating(rows)
        return self.neighbours(updating).updates() if len(updating) else NO_NEIGHBOURS

    def neighbours(self, rows: RowArray) -> Neighbours:
        """The stored edges of some rows."""
        with self._database.reading() as connection:
            packed = connection.execute(SQL["links_of_rows"], (int_list(rows.tolist()),)).fetchall()
            with decoded():
                return neighbours_of(packed)

    def entities_of(self, rows: RowArray) -> EntityMentions:
        """The entities some rows mention."""
        with self._database.snapshot() as connection:
            return entity_table.entity_mentions_of_rows(connection, rows.tolist())

    def mentions_of(self, entities: Sequence[EntityId], *, limit: int) -> EntityMentions:
        """The newest rows, at most `limit` each, that mention some entities."""
        with self._database.reading() as connection:
            return entity_table.newest_mentions(connection, entities, limit)

    def sayings_of(
        self, entities: Sequence[EntityId], *, limit: int, besides: Container[int] = ()
    ) -> tuple[EntityMentions, dict[int, Saying]]:
        """The newest rows that mention some entities, and what those say that are not `besides`."""
        found = self.mentions_of(entities, limit=limit)
        wanted = [row for row in np.unique(found.rows).tolist() if row not in besides]
        units = self.hydrate_rows(np.array(wanted, np.int64))
        return found, {row: Saying(unit.text, unit.entities) for row, unit in units.items()}

    def relations_of(self, entities: Sequence[EntityId]) -> list[RelationEdge]:
        """Relations that touch some entities."""
        with self._database.reading() as connection:
            return entity_table.relation_edges(connection, entities)

    def in_scope(self, scope: Scope) -> RowArray:
        """All rows a scope allows, ascending."""
        chosen, columns = self._selection(scope), self._indexes.columns
        if chosen.rows is not None:
            return chosen.rows
        present = columns.present()
        if chosen.mask is not None:
            present = present[: len(chosen.mask)] & chosen.mask[: len(present)]
        return np.flatnonzero(present)

    def newest(self, *, limit: int, scope: Scope) -> RowArray:
        """The rows told last, newest first."""
        columns = self._indexes.columns
        if scope.except_rows:
            return columns.newest_of(self.in_scope(scope), limit)
        wanted, carriers = self._asked(scope)
        if carriers is None:
            return columns.newest(wanted, limit)
        chosen = selection_of(columns, wanted, carriers)
        assert chosen.rows is not None, "carriers are listed"
        return columns.newest_of(chosen.rows, limit)

    def columns(self, rows: RowArray) -> Columns:
        """Types, times and sizes of some rows."""
        return self._indexes.columns.take(rows)

    def speakers_of(self, rows: RowArray) -> Speakers:
        """Who said each row, where that is known."""
        return Speakers(*self._indexes.columns.speakers(rows))

    def hydrate(self, rows: RowArray) -> list[StoredUnit]:
        """Whole units in the order of `rows`; rows erased meanwhile are left out."""
        return list(self.hydrate_rows(rows).values())

    def hydrate_rows(self, rows: RowArray) -> dict[int, StoredUnit]:
        """Whole units by row, in the order of `rows`."""
        wanted: list[int] = rows.tolist()
        with self._database.snapshot() as connection:
            found = unit_table.hydrate(connection, wanted, self._settings.types)
        return {row: found[row] for row in wanted if row in found}

    def texts_of(self, rows: RowArray) -> dict[int, str]:
        """What the units of some rows say; rows erased meanwhile are left out."""
        with self._database.reading() as connection:
            found = connection.execute(SQL["texts_of_rows"], (int_list(rows.tolist()),))
            return dict(found.fetchall())

    def lineage_of(self, rows: RowArray) -> dict[int, Line]:
        """What some rows supersede, and are superseded by, as callers said."""
        with self._database.reading() as connection:
            found = connection.execute(SQL["lines_of_rows"], (int_list(rows.tolist()),))
            return {row: Line(*line) for row, *line in found.fetchall()}

    def rows_of(self, ids: Sequence[str]) -> dict[str, int]:
        """The rows of the ids this bank knows."""
        with self._database.reading() as connection:
            return unit_table.rows_of_ids(connection, ids)

    def ids_of(self, rows: RowArray) -> dict[int, str]:
        """The ids of some rows."""
        with self._database.reading() as connection:
            return {**unit_table.ids_of_rows(connection, rows.tolist())}

    def lookup_aliases(self, folded: Sequence[str]) -> list[AliasMatch]:
        """Which entities answer to these folded names."""
        with self._database.reading() as connection:
            return entity_table.find_aliases(connection, folded)

    def whole_names(self, folded: Sequence[str]) -> list[str]:
        """Those of these folded names that are all of somebody's."""
        with self._database.reading() as connection:
            return entity_table.whole_names(connection, folded)

    def known(self, identities: Sequence[int], keys: Sequence[str]) -> list[Known]:
        """Units with one of these contents or keys."""
        with self._database.reading() as connection:
            return unit_table.find_known(connection, identities, keys)

    def sessions(
        self, *, limit: int | None = None, offset: int = 0, newest: bool = False
    ) -> list[Session]:
        """The session log, oldest first, or newest first; some of it, or all."""
        page = (-1 if newest else 1, -1 if limit is None else limit, offset)
        with self._database.reading() as connection:
            found = connection.execute(SQL["list_sessions"], page).fetchall()
        return [session_of(row) for row in found]

    def session_times(self) -> SessionTimes:
        """The times of the session log, oldest first; no unit is counted."""
        with self._database.reading() as connection:
            found = connection.execute(SQL["session_times"]).fetchall()
        return SessionTimes.of(found)

    def session_entities(self, session: str, *, limit: int) -> list[EntityId]:
        """The entities a session mentioned last, newest first."""
        with self._database.snapshot() as connection:
            found = connection.execute(SQL["session_rows"], (session, _SESSION_ROWS)).fetchall()
            rows = [row for (row,) in found]
            mentions = entity_table.entity_mentions_of_rows(connection, rows)
        order = np.argsort(-mentions.rows, kind="stable")
        newest = dict.fromkeys(mentions.entities[order].tolist())
        return [EntityId(entity) for entity in list(newest)[:limit]]

    def newest_told_at(self) -> datetime | None:
        """When the newest unit was told."""
        with self._database.reading() as connection:
            return maybe_moment(connection.execute(SQL["newest_told"]).fetchone()[0])
