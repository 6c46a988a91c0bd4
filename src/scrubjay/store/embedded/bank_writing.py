"""The changes of one embedded bank: rows first, durable, then the indexes in memory."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from scrubjay.errors import StoreError
from scrubjay.settings import BankSettings
from scrubjay.store.base import EncoderPin, NewMention, PreparedUnit
from scrubjay.store.embedded.bank_reading import BankReading
from scrubjay.store.embedded.connection.database import Database
from scrubjay.store.embedded.connection.faults import decoded, unwritable
from scrubjay.store.embedded.index.indexes import read_postings
from scrubjay.store.embedded.index.segments import Postings
from scrubjay.store.embedded.index.stamps import stamped
from scrubjay.store.embedded.tables import entity_table, unit_table
from scrubjay.store.embedded.tables.dictionary import Dictionary
from scrubjay.store.embedded.tables.erasing import Eraser
from scrubjay.store.embedded.tables.link_table import LinkTable
from scrubjay.store.embedded.tables.saving import BatchWriter
from scrubjay.store.embedded.tables.sql import SQL, json_list
from scrubjay.store.lineage import Closing
from scrubjay.store.records import PendingUnit
from scrubjay.store.shared.links import Edge, join, put_edges
from scrubjay.store.shared.other_rows import judgement_values, look_text, session_of
from scrubjay.store.shared.pending_rows import pending_row, pending_unit
from scrubjay.store.shared.pins import write_pin
from scrubjay.store.shared.quotas import Taken, check_bytes, check_room, told_bytes
from scrubjay.store.shared.replacing import existing_rows, moves_of, not_found, rows_to_replace
from scrubjay.store.shared.times import to_micros
from scrubjay.types.graph import Entity, LinkKind, Relation
from scrubjay.types.outcomes import Erasure
from scrubjay.types.reports import Look
from scrubjay.types.units import Feedback, Session
from scrubjay.types.values import EntityId, UnitId

_UNTIL = (
    "It is emptied as soon as nobody is in the way, at the latest when the store is opened next."
)


@dataclass(frozen=True, slots=True)
class BankTools:
    """What a bank is given from outside, by the store it belongs to."""

    clock: Callable[[], datetime]
    new_id: Callable[[], UnitId]
    on_growth: Callable[[BankWriting], None]
    on_loss: Callable[[BankWriting], None]  # of index files
    on_pending: Callable[[BankWriting], None]  # a reader holds the log of what was erased
    taken: Taken  # how often banks were asked
    # Below this many units the indexes are only in memory.
    index_files_above: int
    # Up to this many vectors of one type are compared one by one.
    graphs_above: int


class BankWriting(BankReading):
    """Writes of one bank; one writer at a time, any number of readers beside it."""

    def __init__(
        self, name: str, database: Database, settings: BankSettings, tools: BankTools
    ) -> None:
        super().__init__(name, database, settings, graphs_above=tools.graphs_above)
        self._tools = tools
        if self._indexes.damaged and not database.read_only:
            tools.on_loss(self)
        if database.soiled:
            tools.on_pending(self)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers of this bank out across several steps."""
        with self._database.exclusive():
            self._recover()
            yield

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """A change of the rows that memory mirrors; cut off after the commit, it is made up for."""
        with self.writing():
            before = self._database.commits
            try:
                yield
            except BaseException:
                # Set first, and without a call: a second interrupt comes too late to prevent it.
                known, self._behind = self._behind, True
                if self._database.commits == before:
                    self._behind = known
                if self._database.soiled:
                    self._tools.on_pending(self)
                raise
            if self._database.soiled:
                with suppress(StoreError):  # the change is made; the log is tried again
                    self._database.empty_log(wait_ms=0)

    def next_row(self) -> int:
        """The row the next saved unit gets; stable inside `writing`."""
        with self._database.reading() as connection:
            found = connection.execute(SQL["last_row"]).fetchone()
        return 1 if found is None else int(found[0]) + 1

    def save(
        self,
        batch: Sequence[PreparedUnit],
        *,
        erase: Sequence[UnitId] = (),
        closing: Closing | None = None,
    ) -> list[UnitId]:
        """Store a batch, erase and close units, in one durable transaction; its ids in order."""
        with self._changing():
            first_row = self.next_row()
            old_rows = rows_to_replace(batch, self.rows_of)
            erased_rows = existing_rows(erase, self.rows_of)
            gone = sorted({*old_rows.values(), *erased_rows.values()})
            more = len(batch) - len(gone)
            check_room(self._name, self._settings, held=self.unit_count(), more=more)
            postings, told = None, told_bytes(batch)
            with self._database.transaction() as connection:
                if self._settings.bytes_max:
                    less = _bytes_of(connection, gone)
                    held = _counted_bytes(connection)
                    check_bytes(self._name, self._settings, held=held - less, more=told - less)
                dictionary = self._dictionary
                if gone:
                    postings = read_postings(connection, gone)
                    # Ours alone: who asks meanwhile would bring back the number of an erased word.
                    dictionary = Dictionary()
                eraser = Eraser(connection, self._indexes.terms.document_frequency)
                if erase:
                    eraser.erase(erased_rows)
                replaced = eraser.replace_all(moves_of(batch, old_rows, first_row))
                writer = BatchWriter(
                    connection, dictionary, self._settings.type_code, self._tools.new_id
                )
                saved = writer.write(
                    batch,
                    replaced.carried_by(batch),
                    first_row=first_row,
                    created_at=to_micros(self._tools.clock()),
                )
                eraser.drop_unheld(replaced)
                connection.execute(SQL["count_bytes"], (told,))
                closed = None if closing is None else _close(connection, closing, saved.ids)
            # New before old: who searches meanwhile finds an updated unit at least once.
            self._indexes.apply(saved)
            if postings is not None:
                self._drop_from_indexes(gone, postings)
                self._dictionary.forget_all()
            if closed is not None:
                self._indexes.columns.begin_validity([closed.begun])
                self._indexes.columns.close_validity([closed.ended])
            self._dictionary.remember(saved.words)
            self._unsaved = True
        self._tools.on_growth(self)
        return saved.ids

    def _drop_from_indexes(self, rows: Sequence[int], postings: Postings) -> None:
        with self._database.reading() as connection:
            self._indexes.drop(rows, postings)
            self._indexes.skip_erased_log(connection)

    def erase(
        self,
        ids: Sequence[UnitId],
        *,
        session: str | None = None,
        entity: EntityId | str | None = None,
    ) -> Erasure:
        """Remove units from every table and index; all of them, or none if one is unknown.

        Names that only they held up go too, and so do `session` and `entity` (a number, or a
        folded name), which the caller named, if no unit of them is left.
        """
        with self._changing(), self._database.erasing():
            known = existing_rows(ids, self.rows_of)
            rows = sorted(known.values())
            self._database.soiled = True
            with self._database.transaction() as connection:
                postings = read_postings(connection, rows)
                eraser = Eraser(connection, self._indexes.terms.document_frequency)
                erasure = eraser.erase(known, names=True, session=session, entity=entity)
            self._dictionary.forget_all()
            self._drop_from_indexes(rows, postings)
            self._unsaved = True
            # Erased rows are overwritten in the file, but the log still has them.
            pending = self._leave_no_log()
        return replace(erasure, pending=pending)

    def take_requests(self, minute: int, wanted: int, most: int) -> bool:
        """Count requests of a minute; False if they would be more than `most`."""
        return self._tools.taken.take(self._name, minute, wanted, most)

    def new_id(self) -> UnitId:
        """An id that no unit has."""
        return self._tools.new_id()

    def put_pending(self, units: Sequence[PendingUnit]) -> None:
        """Keep units that wait to be approved; those that are there stay as they are."""
        with self.writing():
            held = self.unit_count() + self.count_pending()
            check_room(self._name, self._settings, held=held, more=len(units))
            rows = [pending_row(unit) for unit in units]
            with self._database.transaction() as connection:
                if self._settings.bytes_max:
                    ((waiting,),) = connection.execute(SQL["pending_bytes"])
                    held = _counted_bytes(connection) + waiting
                    more = sum(len(told.encode()) for *_, told in rows)
                    check_bytes(self._name, self._settings, held=held, more=more)
                connection.executemany(SQL["put_pending"], rows)

    def pending(self, *, limit: int, offset: int) -> list[PendingUnit]:
        """What waits to be approved, in the order it was told."""
        return self._waiting("list_pending", limit, offset)

    def find_pending(
        self, *, ids: Sequence[str] = (), identities: Sequence[int] = ()
    ) -> list[PendingUnit]:
        """What waits under one of these ids, or says one of these things."""
        return self._waiting("find_pending", json_list(ids), json_list(identities))

    def _waiting(self, name: str, *values: object) -> list[PendingUnit]:
        with self._database.reading() as connection:
            found = connection.execute(SQL[name], values).fetchall()
        with decoded():
            return [pending_unit(row) for row in found]

    def count_pending(self) -> int:
        """How many wait to be approved."""
        with self._database.reading() as connection:
            return int(connection.execute(SQL["count_pending"]).fetchone()[0])

    def drop_pending(self, ids: Sequence[UnitId]) -> str | None:
        """Remove what waits under these ids, for good: None, or what is left of it on disk."""
        with self._changing(), self._database.erasing():
            self._database.soiled = True
            with self._database.transaction() as connection:
                connection.execute(SQL["drop_pending"], (json_list(ids),))
            return self._leave_no_log()

    def _leave_no_log(self) -> str | None:
        """Empty the log, now or as soon as its readers are gone: None, or what is pending."""
        reason = "for a reader that is open"
        try:
            if self._database.empty_log():
                return None
        except StoreError as error:  # what was erased is erased; only the log is left
            reason = f"({error})"
        self._tools.on_pending(self)
        return f"The bank's log still holds it {reason}. {_UNTIL}"

    def empty_log(self) -> bool:
        """Try again to empty the log; whether there is nothing left to try."""
        database = self._database
        with database.exclusive():
            return database.closed or not database.soiled or database.empty_log(wait_ms=0)

    def compact(self) -> str | None:
        """Rewrite the files so that no byte of what was erased is left in them: None.

        Where a reader holds the log it is emptied later, and what is returned says so.
        """
        with self._changing():
            self._database.soiled = True
            self._database.vacuum()
            folder = self.index_folder()
            if folder is not None and folder.is_dir():
                with self._mirroring():
                    # Saved vectors keep erased ones until they are rebuilt.
                    shutil.rmtree(folder)
                    self._mirror_rows()
            return self._leave_no_log()

    def improve(self) -> bool:
        """One step of background work on the indexes; False when there is none left."""
        with self._mirroring():
            worked = self._indexes.improve()
        # Also what was built without a write is kept: the next to open would build it again.
        self._unsaved = self._unsaved or worked
        return worked

    def outgrew_files(self) -> bool:
        """Whether the graphs are much larger than those in the files."""
        return self._indexes.outgrew_files()

    def save_indexes(self, *, always: bool = True) -> None:
        """Keep the indexes of a large bank in files, if they changed, or only if it pays."""
        folder = self.index_folder()
        large = self.unit_count() > self._tools.index_files_above
        if folder is None or not self._unsaved or not large:
            return
        if not always and not self._indexes.worth_saving():
            return
        with self._database.exclusive():
            if self._database.closed:
                return  # closed or deleted since the worker was told of this bank
            self._recover()
            try:
                with stamped(self._database.transaction) as stamp:
                    self._indexes.save(folder, stamp=stamp)
            except OSError as error:
                raise unwritable(folder, error) from error
            except BaseException:
                self._behind = True
                raise
            self._unsaved = False

    def link(self, cause: UnitId, effect: UnitId, kind: LinkKind, weight: float) -> None:
        """Store a causal edge between two units, replacing one of the same kind."""
        with self._changing():
            rows = existing_rows([cause, effect], self.rows_of)
            edges: dict[int, list[Edge]] = {}
            join(edges, rows[cause], rows[effect], kind, weight)
            with self._database.transaction() as connection:
                links = LinkTable(connection)
                put_edges(links, edges)
            self._indexes.columns.mark_updating(links.updating)

    def relate(
        self,
        relation: Relation,
        mentions: tuple[NewMention, NewMention],
        *,
        unit: UnitId | None = None,
        told: bool = True,
    ) -> int:
        """Store a relation between two entities, said by a unit or by none; its number."""
        row = None if unit is None else self.rows_of([unit]).get(unit)
        with self._database.transaction() as connection:
            made: dict[str, EntityId] = {}
            first, second = [entity_table.ensure_entity(connection, end, made) for end in mentions]
            ends = first, second
            return entity_table.put_relation(connection, relation, ends, row, told=told)

    def start_session(self, name: str, at: datetime) -> Session:
        """Open a session in the log, or open it again."""
        with self._database.transaction() as connection:
            connection.execute(SQL["start_session"], (name, to_micros(at)))
            return session_of(connection.execute(SQL["get_session"], (name,)).fetchone())

    def end_session(self, name: str, at: datetime) -> Session:
        """Close a session in the log."""
        with self._database.transaction() as connection:
            connection.execute(SQL["end_session"], (name, to_micros(at)))
            found = connection.execute(SQL["get_session"], (name,)).fetchone()
            if found is None:
                raise not_found("session", name)
            return session_of(found)

    def add_alias(self, entity: EntityId, folded: str, confidence: float) -> None:
        """Let an entity answer to another name."""
        with self._database.transaction() as connection:
            self._entity(connection, entity)
            connection.execute(SQL["insert_alias"], (folded, entity, confidence))
            connection.execute(SQL["mark_entity_explicit"], (entity,))

    def merge_entities(self, keep: EntityId, drop: EntityId) -> Entity:
        """Make two entities one, under the first one's name."""
        with self._database.transaction() as connection:
            for entity in (keep, drop):
                self._entity(connection, entity)
            entity_table.merge(connection, keep, drop)
            return self._entity(connection, keep)

    def split_entity(self, entity: EntityId, new: NewMention, ids: Sequence[UnitId]) -> Entity:
        """Give some units' mentions of an entity to a new one."""
        with self._database.transaction() as connection:
            self._entity(connection, entity)
            rows = existing_rows(ids, partial(unit_table.rows_of_ids, connection))
            made = entity_table.split(connection, entity, new, list(rows.values()))
            return self._entity(connection, made)

    @staticmethod
    def _entity(connection: sqlite3.Connection, entity: EntityId) -> Entity:
        found = entity_table.read_entity(connection, entity)
        if found is None:
            raise not_found("entity", entity)
        return found

    def judge(self, feedback: Feedback) -> None:
        """Keep what was said of an answer; NotFound for a unit that is not there."""
        with self._database.transaction() as connection:
            units = [*feedback.used, *feedback.missed]
            existing_rows(units, partial(unit_table.rows_of_ids, connection))
            connection.executemany(SQL["put_judgement"], judgement_values(feedback))

    def keep_look(self, look: Look | None) -> None:
        """Keep what was seen when a few units were looked at; None: it no longer holds."""
        with self._database.transaction() as connection:
            if look is None:
                connection.execute(SQL["delete_meta"], ("last_look",))
            else:
                connection.execute(SQL["set_meta"], ("last_look", look_text(look)))

    def change_settings(self, settings: BankSettings) -> None:
        """Store new settings."""
        with self._changing():
            with self._database.transaction() as connection:
                connection.execute(SQL["set_meta"], ("settings", settings.to_json()))
                if self._settings.late and not settings.late:
                    connection.execute(SQL["clear_late"])
                    connection.execute(SQL["clear_next_late"])
            self._settings = settings

    def pin_encoder(self, pin: EncoderPin) -> None:
        """Tie a bank that has no vectors yet to an encoder."""
        with self._changing():
            if self._pin is not None:
                return
            with self._database.transaction() as connection:
                connection.execute(SQL["set_meta"], ("encoder", write_pin(pin)))
            with self._database.reading() as connection:
                self._indexes.use_vectors(connection, pin)
            self._pin = pin


def _counted_bytes(connection: sqlite3.Connection) -> int:
    """What was told, as the bank counts it; gone through once, when it is first asked for."""
    kept = connection.execute(SQL["get_meta"], ("told_bytes",)).fetchone()
    if kept is not None:
        return int(kept[0])
    ((counted,),) = connection.execute(SQL["told_bytes"])
    connection.execute(SQL["set_meta"], ("told_bytes", str(counted)))
    return int(counted)


def _bytes_of(connection: sqlite3.Connection, rows: Sequence[int]) -> int:
    ((counted,),) = connection.execute(SQL["told_bytes_of_rows"], (json_list(rows),))
    return int(counted)


@dataclass(frozen=True, slots=True)
class _Closed:
    """What a closing changes in the columns: the new row's beginning, and the old one's end."""

    begun: tuple[int, int | None]
    ended: tuple[int, int, int]


def _close(connection: sqlite3.Connection, closing: Closing, saved: Sequence[UnitId]) -> _Closed:
    """End the old unit, begin the new one, and let both name each other."""
    new = saved[0] if closing.new is None else closing.new
    at, told_at = to_micros(closing.at), to_micros(closing.told_at)
    begins = at if closing.begins else None
    begun = connection.execute(SQL["begin_validity"], (new, closing.old, begins)).fetchall()
    ended = connection.execute(SQL["close_validity"], (at, told_at, new, closing.old)).fetchall()
    for unit, changed in ((new, begun), (closing.old, ended)):
        if not changed:
            raise not_found("unit", unit)
    return _Closed(begun[0], (ended[0][0], at, told_at))
