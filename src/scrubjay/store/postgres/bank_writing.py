"""The changes of one PostgreSQL bank; each is one durable transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from scrubjay.errors import BadInput, NotFound, StoreError
from scrubjay.settings import BankSettings
from scrubjay.store.base import EncoderPin, NewMention, PreparedUnit
from scrubjay.store.lineage import Closing
from scrubjay.store.postgres.bank_reading import BankReading
from scrubjay.store.postgres.bank_state import BankState
from scrubjay.store.postgres.connection.database import Database, Transaction
from scrubjay.store.postgres.index.kept import KeptBanks
from scrubjay.store.postgres.tables import entity_table, unit_table
from scrubjay.store.postgres.tables.asking import Write, storable
from scrubjay.store.postgres.tables.erasing import Eraser
from scrubjay.store.postgres.tables.link_table import LinkTable
from scrubjay.store.postgres.tables.saving import BatchWriter, Counters
from scrubjay.store.postgres.tables.sql import SQL, together
from scrubjay.store.postgres.writers_line import WritersLine
from scrubjay.store.records import PendingUnit
from scrubjay.store.shared.links import Edge, join, put_edges
from scrubjay.store.shared.other_rows import judgement_values, look_text, session_of
from scrubjay.store.shared.pending_rows import pending_row, pending_unit
from scrubjay.store.shared.pins import read_pin, write_pin
from scrubjay.store.shared.quotas import Taken, check_bytes, check_room, told_bytes
from scrubjay.store.shared.replacing import existing_rows, moves_of, not_found, rows_to_replace
from scrubjay.store.shared.times import to_micros
from scrubjay.types.graph import Entity, LinkKind, Relation
from scrubjay.types.outcomes import Erasure
from scrubjay.types.reports import Look
from scrubjay.types.units import Feedback, Session
from scrubjay.types.values import EntityId, UnitId

logger = logging.getLogger("scrubjay.postgres")


@dataclass(frozen=True, slots=True)
class BankTools:
    """What a bank is given from outside; `line` is where this process's writers wait."""

    clock: Callable[[], datetime]
    new_id: Callable[[], UnitId]
    on_growth: Callable[[int, int], None]
    line: WritersLine
    kept: KeptBanks
    taken: Taken  # requests that the server could not be told of


class _Locked(NamedTuple):
    """What the row of a locked bank says."""

    version: str
    row: int
    documents: int
    told_bytes: int | None  # None: not counted yet
    entity: int
    relation: int
    session: int


class _Bound:
    """A transaction on one bank: every statement is told which."""

    def __init__(self, transaction: Transaction, bank: int) -> None:
        self._transaction = transaction
        self._bank = bank

    def rows(self, statement: str, *values: object) -> list[Any]:
        """The rows a statement returns."""
        return self._transaction.rows(statement, self._bank, *values)

    def run(self, statement: str, *values: object) -> int:
        """Run a statement; how many rows it changed."""
        return self._transaction.run(statement, self._bank, *values)

    def run_many(self, statement: str, values: list[tuple[object, ...]]) -> None:
        """Run a statement for each of many lists of values."""
        self._transaction.run_many(statement, [(self._bank, *each) for each in values])

    def run_together(self, writes: Sequence[Write]) -> None:
        """Run statements of which none needs what another does; one trip."""
        values = [value for write in writes for value in write.values]
        self.run(together(tuple(write.name for write in writes)), *values)

    def lock(self) -> _Locked | None:
        """Keep other writers out until the end; the bank's numbers, None if there is no bank."""
        if self._transaction.locked is None:
            self._transaction.locked = next(iter(self.rows(SQL["lock_bank"])), None)
        return None if self._transaction.locked is None else _Locked(*self._transaction.locked)

    def changed(self) -> None:
        """Note that the numbers may be others now."""
        self._transaction.locked = None


class BankWriting(BankReading):
    """Writes of one bank; one writer at a time among all processes, any number of readers."""

    def __init__(
        self, name: str, number: int, database: Database, state: BankState, tools: BankTools
    ) -> None:
        super().__init__(name, number, database, state, tools.kept)
        self._tools = tools

    @contextmanager
    def _transaction(self) -> Iterator[_Bound]:
        # The queue of this process comes first: its writers must not use up the pool waiting.
        with self._tools.line, self._database.transaction(self._number) as transaction:
            bound = _Bound(transaction, self._number)
            locked = bound.lock()
            if locked is None:
                raise NotFound("no such bank", self._name, "It was deleted meanwhile.")
            # What was fetched may be older than the lock.
            self._forget_fetched()
            if locked.version != self._known_state.version:
                self.refresh()
            try:
                yield bound
            finally:
                bound.changed()
                self._forget_fetched()
                self._outdated = True

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers of this bank out across several steps, which are one transaction."""
        with self._transaction():
            yield

    def next_row(self) -> int:
        """The row the next saved unit gets; stable inside `writing`."""
        if not self._database.changes(self._number):
            self.refresh()
        return self._state.next_row

    def save(
        self,
        batch: Sequence[PreparedUnit],
        *,
        erase: Sequence[UnitId] = (),
        closing: Closing | None = None,
    ) -> list[UnitId]:
        """Store a batch, erase and close units, in one durable transaction; its ids in order."""
        with self._transaction() as transaction:
            locked = transaction.lock()
            assert locked is not None, "its transaction found it"
            old_rows = rows_to_replace(batch, self.rows_of)
            erased_rows = existing_rows(erase, self.rows_of)
            gone = {*old_rows.values(), *erased_rows.values()}
            held, held_bytes = locked.documents, locked.told_bytes
            check_room(self._name, self.settings, held=held, more=len(batch) - len(gone))
            if self.settings.bytes_max:
                less = int(transaction.rows(SQL["told_bytes_of_rows"], sorted(gone))[0][0])
                held_bytes = _counted_bytes(transaction) if held_bytes is None else held_bytes
                more = told_bytes(batch) - less
                check_bytes(self._name, self.settings, held=held_bytes - less, more=more)
            eraser = Eraser(transaction)
            if erase:
                eraser.erase(erased_rows)
            replaced = eraser.replace_all(moves_of(batch, old_rows, locked.row))
            carried = replaced.carried_by(batch)
            first = Counters(locked.row, locked.entity, locked.relation, locked.session)
            writer = BatchWriter(transaction, self.settings.type_code, self._tools.new_id, first)
            ids = writer.write(batch, carried, created_at=to_micros(self._tools.clock()))
            eraser.drop_unheld(replaced)
            if closing is not None:
                _close(transaction, closing, ids)
        self._grown(len(ids))
        return ids

    def _grown(self, rows: int) -> None:
        self._database.after_commit(lambda: self._tools.on_growth(self._number, rows))

    def erase(
        self,
        ids: Sequence[UnitId],
        *,
        session: str | None = None,
        entity: EntityId | str | None = None,
    ) -> Erasure:
        """Remove units from every table; all of them, or none if one is unknown.

        Names that only they held up go too, and so do `session` and `entity` (a number, or a
        folded name), which the caller named, if no unit of them is left.
        """
        with self._transaction() as transaction:
            known = existing_rows(ids, self.rows_of)
            eraser = Eraser(transaction)
            return eraser.erase(known, names=True, session=session, entity=entity)

    def take_requests(self, minute: int, wanted: int, most: int) -> bool:
        """Count requests of a minute, for all processes; False if they would be too many.

        While only a replica answers, each process counts for itself.
        """
        if wanted > most:
            return False
        if self.stale_ms is None:
            try:
                with self._database.transaction(self._number) as transaction:
                    values = (minute, wanted, most)
                    return bool(transaction.rows(SQL["take_requests"], self._number, *values))
            except StoreError:
                # It cannot be written, and may still be read.
                logger.warning("requests to %s are counted in this process only", self._name)
        return self._tools.taken.take(self._name, minute, wanted, most)

    def new_id(self) -> UnitId:
        """An id that no unit has."""
        return self._tools.new_id()

    def put_pending(self, units: Sequence[PendingUnit]) -> None:
        """Keep units that wait to be approved; those that are there stay as they are."""
        with self._transaction() as transaction:
            held = self.unit_count() + self.count_pending()
            check_room(self._name, self.settings, held=held, more=len(units))
            rows = [pending_row(unit) for unit in units]
            if self.settings.bytes_max:
                held = _counted_bytes(transaction)
                held += int(transaction.rows(SQL["pending_bytes"])[0][0])
                more = sum(len(told.encode()) for *_, told in rows)
                check_bytes(self._name, self.settings, held=held, more=more)
            transaction.run_many(SQL["put_pending"], [*rows])

    def pending(self, *, limit: int, offset: int) -> list[PendingUnit]:
        """What waits to be approved, in the order it was told."""
        return [pending_unit(row) for row in self._ask(SQL["list_pending"], limit, offset)]

    def find_pending(
        self, *, ids: Sequence[str] = (), identities: Sequence[int] = ()
    ) -> list[PendingUnit]:
        """What waits under one of these ids, or says one of these things."""
        found = self._ask(SQL["find_pending"], storable(ids), list(identities))
        return [pending_unit(row) for row in found]

    def count_pending(self) -> int:
        """How many wait to be approved."""
        return int(self._ask(SQL["count_pending"])[0][0])

    def drop_pending(self, ids: Sequence[UnitId]) -> str | None:
        """Remove what waits under these ids, for good."""
        with self._transaction() as transaction:
            transaction.run(SQL["drop_pending"], list(ids))
        return None

    def link(self, cause: UnitId, effect: UnitId, kind: LinkKind, weight: float) -> None:
        """Store a causal edge between two units, replacing one of the same kind."""
        with self._transaction() as transaction:
            rows = existing_rows([cause, effect], self.rows_of)
            edges: dict[int, list[Edge]] = {}
            join(edges, rows[cause], rows[effect], kind, weight)
            put_edges(LinkTable(transaction), edges)

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
        with self._transaction() as transaction:
            made: dict[str, EntityId] = {}
            first, second = [entity_table.ensure_entity(transaction, end, made) for end in mentions]
            ends = first, second
            return entity_table.put_relation(transaction, relation, ends, row, told=told)

    def start_session(self, name: str, at: datetime) -> Session:
        """Open a session in the log, or open it again."""
        with self._transaction() as transaction:
            if not transaction.rows(SQL["reopen_session"], name):
                ((number,),) = transaction.rows(SQL["take_session"])
                moment = to_micros(at)
                transaction.run(SQL["insert_session"], number, name, moment, moment)
            return session_of(transaction.rows(SQL["get_session"], name)[0])

    def end_session(self, name: str, at: datetime) -> Session:
        """Close a session in the log."""
        with self._transaction() as transaction:
            transaction.run(SQL["end_session"], name, to_micros(at))
            found = transaction.rows(SQL["get_session"], name)
            if not found:
                raise not_found("session", name)
            return session_of(found[0])

    def add_alias(self, entity: EntityId, folded: str, confidence: float) -> None:
        """Let an entity answer to another name."""
        with self._transaction() as transaction:
            _entity(transaction, entity)
            transaction.run(SQL["insert_aliases"], entity, [folded], [confidence])
            transaction.run(SQL["mark_explicit"], [entity])

    def merge_entities(self, keep: EntityId, drop: EntityId) -> Entity:
        """Make two entities one, under the first one's name."""
        with self._transaction() as transaction:
            for entity in (keep, drop):
                _entity(transaction, entity)
            entity_table.merge(transaction, keep, drop)
            return _entity(transaction, keep)

    def split_entity(self, entity: EntityId, new: NewMention, ids: Sequence[UnitId]) -> Entity:
        """Give some units' mentions of an entity to a new one."""
        with self._transaction() as transaction:
            _entity(transaction, entity)
            rows = existing_rows(ids, partial(unit_table.rows_of_ids, transaction.rows))
            return _entity(
                transaction, entity_table.split(transaction, entity, new, list(rows.values()))
            )

    def judge(self, feedback: Feedback) -> None:
        """Keep what was said of an answer; NotFound for a unit that is not there."""
        with self._transaction() as transaction:
            units = [*feedback.used, *feedback.missed]
            existing_rows(units, partial(unit_table.rows_of_ids, transaction.rows))
            transaction.run_many(SQL["put_judgement"], judgement_values(feedback))

    def keep_look(self, look: Look | None) -> None:
        """Keep what was seen when a few units were looked at; None: it no longer holds."""
        with self._transaction() as transaction:
            transaction.run(SQL["set_last_look"], None if look is None else look_text(look))

    def change_settings(self, settings: BankSettings) -> None:
        """Store new settings."""
        with self._transaction() as transaction:
            transaction.run(SQL["set_settings"], settings.to_json())
            if self.settings.late and not settings.late:
                transaction.run(SQL["clear_late"])
                transaction.run(SQL["clear_next_late"])
        self._known_state = replace(self._known_state, settings=settings)

    def pin_encoder(self, pin: EncoderPin) -> None:
        """Tie a bank that has no vectors yet to an encoder."""
        with self._transaction() as transaction:
            if self.encoder is None:
                transaction.run(SQL["set_encoder"], write_pin(pin))
        self.refresh()

    def _running_pin(self, transaction: _Bound) -> EncoderPin | None:
        ((stored,),) = transaction.rows(SQL["get_encoder_next"])
        return read_pin(stored)

    def _check_running(self, transaction: _Bound, pin: EncoderPin) -> None:
        if self._running_pin(transaction) != pin:
            raise BadInput(
                "no re-embedding is running with", pin.fingerprint, "Another call took over."
            )


def _counted_bytes(transaction: _Bound) -> int:
    """What was told, as the bank counts it; gone through once, when it is first asked for."""
    ((kept,),) = transaction.rows(SQL["counted_bytes"])
    if kept is not None:
        return int(kept)
    ((counted,),) = transaction.rows(SQL["told_bytes"])
    transaction.run(SQL["set_bytes"], counted)
    return int(counted)


def _close(transaction: _Bound, closing: Closing, saved: Sequence[UnitId]) -> None:
    """End the old unit, begin the new one, and let both name each other."""
    new = saved[0] if closing.new is None else closing.new
    at, told_at = to_micros(closing.at), to_micros(closing.told_at)
    begins = at if closing.begins else None
    for unit, changed in (
        (new, transaction.run(SQL["begin_validity"], new, closing.old, begins)),
        (closing.old, transaction.run(SQL["close_validity"], closing.old, at, told_at, new)),
    ):
        if not changed:
            raise not_found("unit", unit)


def _entity(transaction: _Bound, entity: EntityId) -> Entity:
    found = entity_table.read_entities(transaction.rows, [entity])
    if entity not in found:
        raise not_found("entity", entity)
    return found[entity]
