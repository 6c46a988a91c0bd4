"""One embedded bank: what the readers and writers do, plus listing, counting and upkeep."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scrubjay.errors import BadInput, StoreError, StoreFull
from scrubjay.store.base import NO_TIME, EncoderPin, Prefetch, Scope, TimeBounds
from scrubjay.store.embedded.bank_writing import BankWriting
from scrubjay.store.embedded.connection.faults import decoded
from scrubjay.store.embedded.directory.bank_notes import read_identity, read_pin, readable_notes
from scrubjay.store.embedded.doctor import Examined, Mirror, examine, keep_vocabulary, mend
from scrubjay.store.embedded.index.columns import Listed
from scrubjay.store.embedded.index.indexes import Indexes
from scrubjay.store.embedded.index.selection import carrying, session_number, wanted_of
from scrubjay.store.embedded.index.stamps import distrust_files
from scrubjay.store.embedded.tables import entity_table, unit_table
from scrubjay.store.embedded.tables.dictionary import stored_words
from scrubjay.store.embedded.tables.link_table import LinkTable
from scrubjay.store.embedded.tables.sql import SQL, json_list
from scrubjay.store.records import EntityRecord, RelationRecord, StoredWords, UnitRecord
from scrubjay.store.shared.cursors import Order, Position, page_of, position_of
from scrubjay.store.shared.late_bytes import checked, whole
from scrubjay.store.shared.links import directed, edge_count, links_of
from scrubjay.store.shared.other_rows import copied_values, feedback_of, look_of
from scrubjay.store.shared.pins import write_pin
from scrubjay.store.shared.replacing import not_found
from scrubjay.store.shared.times import from_micros, maybe_moment, to_micros, window_bounds
from scrubjay.store.shared.typed_words import LOOKED_UP_MAX, check_typed, rows_in_all
from scrubjay.types.arrays import RowArray
from scrubjay.types.filters import UnitFilter
from scrubjay.types.graph import Entity, Link, StoredRelation
from scrubjay.types.reports import BankInfo, Finding, Stats
from scrubjay.types.units import Feedback, StoredUnit
from scrubjay.types.values import EntityId, UnitId
from scrubjay.types.views import Page


class EmbeddedBank(BankWriting):
    """One bank in its own SQLite file."""

    def list_units(
        self,
        where: UnitFilter,
        *,
        limit: int,
        cursor: str | None,
        order: str = "oldest",
        offset: int = 0,
        among: RowArray | None = None,
    ) -> Page:
        """Units that pass a filter, in an order, a page at a time; `among` are rows to choose from.

        Which they are is told from memory and the rows' indexes; only those shown are read.
        """
        wanted, after = Order.of(order), position_of(cursor)
        with self._database.snapshot() as connection:
            if where == UnitFilter() and wanted == Order.of("oldest") and among is None:
                # An export goes through all pages, so that each must cost what it shows.
                total, first = self.unit_count(), 0 if after is None else after.row
                rows = connection.execute(SQL["rows_after"], (first, offset + limit + 1))
                found = [Position(row, row) for (row,) in rows][offset:]
            else:
                chosen = self._chosen(connection, where, among)
                total, found = len(chosen), self._page(chosen, wanted, after, offset, limit + 1)
            shown = [row for _, row in found[:limit]]
            units = unit_table.hydrate(connection, shown, self._settings.types)
        return page_of(found, limit, units, total)

    def _page(
        self, rows: RowArray, order: Order, after: Position | None, offset: int, limit: int
    ) -> list[Position]:
        keys = order.sign * self._indexes.columns.keys(rows, order.by)
        ties = order.sign * rows
        if after is not None:
            behind = (keys > after.key) | ((keys == after.key) & (ties > order.sign * after.row))
            rows, keys, ties = rows[behind], keys[behind], ties[behind]
        places = np.lexsort((ties, keys))[offset : offset + limit]
        found = zip(keys[places].tolist(), rows[places].tolist(), strict=True)
        return [Position(key, row) for key, row in found]

    def matching(self, where: UnitFilter, *, among: RowArray | None = None) -> list[UnitId]:
        """The ids of all units that pass a filter."""
        with self._database.snapshot() as connection:
            rows = self._chosen(connection, where, among).tolist()
            ids = unit_table.ids_of_rows(connection, rows)
        return [ids[row] for row in rows if row in ids]

    def _chosen(
        self, connection: sqlite3.Connection, where: UnitFilter, among: RowArray | None
    ) -> RowArray:
        """The rows that pass a filter, ascending: first what its indexes name, then the columns."""
        columns = self._indexes.columns
        rows = None if among is None else among
        for part in unit_table.named_rows(connection, where):
            rows = part if rows is None else np.intersect1d(rows, part, assume_unique=True)
        scope = Scope(
            types=where.types or None,
            tags=where.tags,
            metadata=where.metadata or None,
            as_of=where.as_of,
            known_at=where.known_at,
        )
        carriers = carrying(connection, scope)
        if carriers is not None:
            rows = carriers if rows is None else np.intersect1d(rows, carriers, assume_unique=True)
        if rows is None:
            rows = np.flatnonzero(columns.present())
        else:
            rows = rows[: rows.searchsorted(columns.size)]
            rows = rows[columns.present(rows)]
        wanted = wanted_of(scope, self._settings, session_number(connection, where.session))
        told, occurred = (
            None if window is None else window_bounds(window)
            for window in (where.told, where.occurred)
        )
        return columns.listed(rows, wanted, Listed(where.speaker, told, occurred))

    def time_bounds(self, where: UnitFilter, *, by: str, among: RowArray | None) -> TimeBounds:
        """When the first and the last of the units that pass a filter were told, or happened."""
        _, moments, units = self._timed(where, by, among)
        if not len(moments):
            return TimeBounds(None, None, units, units)
        first, last = from_micros(int(moments.min())), from_micros(int(moments.max()))
        return TimeBounds(first, last, units, units - len(moments))

    def time_counts(
        self, where: UnitFilter, *, by: str, edges: Sequence[datetime], among: RowArray | None
    ) -> dict[tuple[int, int], int]:
        """How many units that pass a filter are between two edges, by place and type code."""
        types, moments, _ = self._timed(where, by, among)
        places = np.searchsorted(np.array([*map(to_micros, edges)]), moments, side="right") - 1
        inside = (places >= 0) & (places < len(edges) - 1)
        codes = places[inside] * 256 + types[inside]
        found, counts = np.unique(codes, return_counts=True)
        pairs = zip(found.tolist(), counts.tolist(), strict=True)
        return {divmod(code, 256): count for code, count in pairs}

    def _timed(
        self, where: UnitFilter, by: str, among: RowArray | None
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
        """The types and times of units that pass a filter and say one, and how many pass."""
        with self._database.snapshot() as connection:
            rows = self._chosen(connection, where, among)
        facts = self._indexes.columns.take(rows)
        moments = facts.told_at if by == "told" else facts.occurred_start
        dated = moments != NO_TIME
        return facts.types[dated].astype(np.int64), moments[dated], len(rows)

    def holding(self, words: Sequence[str], beginning: str | None) -> RowArray:
        """The rows that hold all of some words, and one that begins so; ascending.

        BadInput for a beginning that too many words have.
        """
        index, found = self._indexes.terms, list[RowArray]()
        with self._database.reading() as connection:
            ids = self._dictionary.look_up(connection, words)
            if beginning is not None:
                between = (beginning, f"{beginning}\U0010ffff", LOOKED_UP_MAX)
                begun = connection.execute(SQL["terms_between"], between).fetchall()
                check_typed(beginning, len(begun))
                found.append(index.rows_with_any([number for (number,) in begun]))
        for word in words:
            found.append(index.rows_with(ids[word]) if word in ids else np.empty(0, np.int64))
        return rows_in_all(found)

    def entity(self, entity: EntityId) -> Entity | None:
        """One entity by its number."""
        with self._database.reading() as connection:
            return entity_table.read_entity(connection, entity)

    def entities(self, *, limit: int, offset: int, containing: str | None) -> list[Entity]:
        """Entities, most mentioned first."""
        with self._database.snapshot() as connection:
            return entity_table.list_entities(
                connection, limit=limit, offset=offset, containing=containing
            )

    def relations(self, *, limit: int, offset: int) -> list[StoredRelation]:
        """Relations in the order they were told."""
        with self._database.snapshot() as connection:
            return entity_table.list_relations(connection, limit=limit, offset=offset)

    def relation_said_by(self, unit: UnitId, relation: str) -> int | None:
        """The number of the relation of this name that a unit says; one that was told first."""
        with self._database.reading() as connection:
            found = connection.execute(SQL["relation_said_by"], (unit, relation)).fetchone()
            return None if found is None else int(found[0])

    def links(self, unit: UnitId) -> list[Link]:
        """The stored edges of one unit."""
        with self._database.snapshot() as connection:
            rows = unit_table.rows_of_ids(connection, [unit])
            if unit not in rows:
                raise not_found("unit", unit)
            packed = LinkTable(connection).read([rows[unit]]).get(rows[unit], b"")
            with decoded():
                edges = directed(packed)
                ids = unit_table.ids_of_rows(connection, {row for row, *_ in edges})
                return links_of(unit, edges, ids)

    def judged(self) -> list[Feedback]:
        """What was said of answers, oldest first."""
        with self._database.reading() as connection:
            return feedback_of(connection.execute(SQL["judgements"]).fetchall())

    def info(self) -> BankInfo:
        """The bank's identity card."""
        with self._database.reading() as connection:
            created = connection.execute(SQL["get_meta"], ("created_at",)).fetchone()
        pin = self._pin
        with readable_notes(self._database.location):
            created_at = from_micros(int(created[0]))
        return BankInfo(
            self._name,
            created_at,
            None if pin is None else pin.fingerprint,
            self.unit_count(),
        )

    def stats(self) -> Stats:
        """Counts and sizes."""
        with self._database.snapshot() as connection:

            def count(name: str) -> int:
                return int(connection.execute(SQL[name]).fetchone()[0])

            types = connection.execute(SQL["count_by_type"]).fetchall()
            oldest, newest = connection.execute(SQL["told_bounds"]).fetchone()
            look = connection.execute(SQL["get_meta"], ("last_look",)).fetchone()
            return Stats(
                bank=self._name,
                units=count("count_units"),
                by_type={self._settings.types[code]: number for code, number in types},
                entities=count("count_entities"),
                relations=count("count_relations"),
                sessions=count("count_sessions"),
                links=edge_count(count("link_bytes")),
                vectors=count("count_vectors"),
                terms=count("count_terms"),
                encoder=None if self._pin is None else self._pin.fingerprint,
                disk_bytes=self.disk_bytes(),
                oldest_told_at=maybe_moment(oldest),
                newest_told_at=maybe_moment(newest),
                pending=count("count_pending"),
                last_look=look_of(look),
                told_bytes=count("told_bytes"),
            )

    @property
    def file(self) -> Path | None:
        """The bank's database, None in memory."""
        return self._database.location.path

    @property
    def number(self) -> int:
        """The number the store knows the bank by."""
        with self._database.reading() as connection:
            said = read_identity(connection, self._database.location)
        if said is not None:
            return said.number
        assert self.file is not None, "what is in memory says who it is"
        return int(self.file.parent.name)

    def disk_bytes(self) -> int:
        """Bytes of this bank's files."""
        path = self._database.location.path
        if path is None:
            return 0
        total = 0
        for file in path.parent.rglob("*"):
            with contextlib.suppress(FileNotFoundError):  # SQLite and upkeep remove files
                total += file.stat().st_size if file.is_file() else 0
        return total

    def scan(self, *, after_row: int, limit: int) -> Iterator[tuple[int, StoredUnit]]:
        """Up to `limit` units after a row, in order."""
        with self._database.snapshot() as connection:
            rows = [r for (r,) in connection.execute(SQL["rows_after"], (after_row, limit))]
            units = unit_table.hydrate(connection, rows, self._settings.types)
        yield from ((row, units[row]) for row in rows if row in units)

    def doctor(self, *, fix: bool) -> list[Finding]:
        """Compare every index and table with the rows; repair what is wrong if asked.

        Writers wait only while a few rows are mended, or the indexes made anew.
        """
        seen = self._examine()
        if not fix:
            return seen.findings
        mend(self._mending, seen)
        if seen.mirror_wrong or any(finding.check == "files" for finding in seen.findings):
            with self._changing():
                with self._database.transaction() as connection:
                    distrust_files(connection)
                with self._mirroring():
                    self._renew_files()
        with self._mending() as connection:
            keep_vocabulary(connection, Mirror.of(self._indexes))
            self._indexes.read_updating(connection)
        left = self._examine().findings if seen.findings else []
        return [replace(finding, fixed=finding not in left) for finding in seen.findings]

    def _examine(self) -> Examined:
        with self._photographed() as (connection, mirror):
            seen = examine(connection, mirror)
        # Files are read beside writers; one that was replaced meanwhile is looked at again.
        damaged = self._damaged_files()
        if damaged:
            with self.writing():
                damaged = self._damaged_files()
        seen.findings += damaged
        try:
            if not self.empty_log():
                seen.find("erasure", "the log, which a reader holds, may have what was erased")
        except StoreFull as error:
            seen.find("erasure", f"the log may have what was erased. {error}")
        return seen

    @contextlib.contextmanager
    def _photographed(self) -> Iterator[tuple[sqlite3.Connection, Mirror]]:
        """The rows, and what memory says of them, of one moment; for no longer do writers wait."""
        with contextlib.ExitStack() as kept:
            with self.writing():
                connection = kept.enter_context(self._database.snapshot())
                connection.execute(SQL["last_erased"]).fetchone()  # the first read takes it
                if self._database.read_only:
                    with self._mirroring():
                        self._take_in(connection)
                mirror = Mirror.of(self._indexes)
            yield connection, mirror

    @contextlib.contextmanager
    def _mending(self) -> Iterator[sqlite3.Connection]:
        with self._changing():
            with self._database.transaction() as connection:
                yield connection
            self._dictionary.forget_all()

    def _damaged_files(self) -> list[Finding]:
        folder = self.index_folder()
        if folder is None:
            return []
        with self._database.reading() as connection:
            problems = Indexes.file_problems(folder, connection)
        return [Finding("files", f"{folder}: {problem}", fixed=False) for problem in problems]

    def _renew_files(self) -> None:
        """Make the indexes anew from the rows, and files of them."""
        folder = self.index_folder()
        if folder is not None and folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)  # what resists is not trusted any more
        self._mirror_rows()
        self._unsaved = True
        self.save_indexes()

    def without_vector(self, *, after_row: int, limit: int) -> list[tuple[int, StoredUnit]]:
        """Units the running re-embedding has not reached, or that have no vector."""
        with self._database.snapshot() as connection:
            running = connection.execute(SQL["get_meta"], ("encoder_next",)).fetchone()
            name = "rows_without_vector" if running is None else "rows_not_reembedded"
            rows = [r for (r,) in connection.execute(SQL[name], (after_row, limit))]
            units = unit_table.hydrate(connection, rows, self._settings.types)
        return [(row, units[row]) for row in rows]

    def begin_reembed(self, pin: EncoderPin) -> None:
        """Start, or go on with, a second set of vectors beside the first."""
        with self._database.transaction() as connection:
            found = read_pin(connection.execute(SQL["get_meta"], ("encoder_next",)).fetchone())
            if found != pin:
                connection.execute(SQL["clear_next_vectors"])
                connection.execute(SQL["set_meta"], ("encoder_next", write_pin(pin)))

    def save_reembedded(
        self,
        pin: EncoderPin,
        rows: RowArray,
        vectors: npt.NDArray[np.float16],
        late: Sequence[bytes | None],
    ) -> None:
        """Keep some vectors of the second set; those of units erased meanwhile are dropped."""
        with self._database.transaction() as connection:
            self._check_running(connection, pin)
            given = zip(rows.tolist(), vectors, map(checked, late), strict=True)
            connection.executemany(
                SQL["put_next_vector"], [(row, vector.tobytes(), own) for row, vector, own in given]
            )

    def _check_running(self, connection: sqlite3.Connection, pin: EncoderPin) -> None:
        running = read_pin(connection.execute(SQL["get_meta"], ("encoder_next",)).fetchone())
        if running != pin:
            raise BadInput(
                "no re-embedding is running with", pin.fingerprint, "Another call took over."
            )

    def finish_reembed(self, pin: EncoderPin) -> None:
        """Switch to the second set of vectors at once; the first is gone."""
        with self._changing():
            with self._database.transaction() as connection:
                self._check_running(connection, pin)
                connection.execute(SQL["clear_vectors"])
                connection.execute(SQL["adopt_next_vectors"])
                connection.execute(SQL["clear_next_vectors"])
                connection.execute(SQL["set_meta"], ("encoder", write_pin(pin)))
                connection.execute(SQL["delete_meta"], ("encoder_next",))
                # Also where the encoder is the same: units that had no vector have one now.
                distrust_files(connection)
            with self._database.reading() as connection:
                self._indexes.use_vectors(connection, pin)
            self._pin = pin
            self._unsaved = True

    def put_late(self, rows: RowArray, late: Sequence[bytes]) -> None:
        """Keep token vectors beside the vectors that some rows have."""
        with self._database.transaction() as connection:
            given = zip(rows.tolist(), map(checked, late), strict=True)
            connection.executemany(SQL["put_late"], list(given))

    @property
    def remote(self) -> bool:
        """Everything is at hand."""
        return False

    def prefetch(self, wanted: Prefetch) -> None:
        """Nothing to do."""

    def within(self, _deadline_ms: float, /) -> contextlib.AbstractContextManager[None]:
        """Nothing to do: no search here waits for a server."""
        return contextlib.nullcontext()

    def unit_records(self, rows: RowArray) -> dict[int, UnitRecord]:
        """What some rows were stored with beside what readers see."""
        with self._database.reading() as connection:
            listed = json_list(rows.tolist())
            found = connection.execute(SQL["records_of_rows"], (listed,)).fetchall()
        return {
            row: UnitRecord(
                identity,
                None if vector is None else np.frombuffer(vector, np.float16),
                tuple(directed(packed or b"")),
                None if late is None else whole([(row, late)]).get(row),
            )
            for row, identity, vector, packed, late in found
        }

    def words_of(self, rows: RowArray) -> dict[int, StoredWords]:
        """The words some rows are found by."""
        with self._database.snapshot() as connection:
            return stored_words(connection, rows)

    def entity_records(self, *, after: int, limit: int) -> list[EntityRecord]:
        """Up to `limit` entities after a number, as they are stored."""
        with self._database.snapshot() as connection:
            return entity_table.entity_records(connection, after=after, limit=limit)

    def relation_records(self, *, after: int, limit: int) -> list[RelationRecord]:
        """Up to `limit` relations after a number, as they are stored."""
        with self._database.snapshot() as connection:
            return entity_table.relation_records(connection, after=after, limit=limit)

    def put_entities(self, entities: Sequence[EntityRecord]) -> None:
        """Store entities under their own numbers; those that are there stay as they are."""
        with self._database.transaction() as connection:
            entity_table.put_entities(connection, entities)

    def put_relations(self, relations: Sequence[RelationRecord]) -> None:
        """Store relations under their own numbers; those that are there stay as they are."""
        values = [copied_values(relation) for relation in relations]
        with self._database.transaction() as connection:
            connection.executemany(SQL["copy_relation"], values)

    def copy_to(self, target: Path) -> None:
        """A consistent copy of the bank's rows."""
        self._database.copy_to(target)

    def close(self) -> None:
        """Close the bank's files."""
        with contextlib.suppress(StoreError):  # without index files the next opening takes longer
            if not self._database.read_only:
                self.save_indexes()
        self._database.close()
