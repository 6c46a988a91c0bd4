"""Copies a bank from one store into another, vectors and all, resumably, and checks the copy."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice

import numpy as np

from scrubjay.defaults import Progress, no_progress
from scrubjay.engine.retain.drafts import as_stored
from scrubjay.engine.retain.wording import count_words
from scrubjay.errors import BadInput, EncoderMismatch, StoreError
from scrubjay.language.analyzer import Analyzer
from scrubjay.store.base import (
    BankStore,
    NewLink,
    NewMention,
    PreparedUnit,
)
from scrubjay.store.lineage import Lineage
from scrubjay.store.records import UnitRecord
from scrubjay.types.arrays import RowArray
from scrubjay.types.graph import LinkKind
from scrubjay.types.units import StoredUnit, Unit
from scrubjay.types.values import EntityId, Window

_BATCH_UNITS = 500
_PAGE = 500

# What a unit has as it was told; the rest is derived, or part of its record.
_TOLD = {field.name for field in fields(Unit)} & {field.name for field in fields(StoredUnit)}

# How what another unit made towards this one looks from there.
_TURNED = {LinkKind.CAUSED_BY: LinkKind.CAUSES, LinkKind.UPDATED_BY: LinkKind.UPDATES}

_Batch = Sequence[tuple[int, StoredUnit]]


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy did: units taken over now, and those that were there from an earlier run."""

    bank: str
    units: int
    present: int
    checksum: str


def copy_bank(source: BankStore, target: BankStore, progress: Progress = no_progress) -> Copied:
    """Take a bank over into an empty one; nothing is embedded again.

    Units keep their ids, order, times, identities, vectors, names, links and lineage, so that
    what is told again is known again. Cut off, run it again: it goes on where it was. At the end
    both are compared; StoreError says what differs. A target with units of its own is BadInput,
    and stays as it is.
    """
    _check_target(source, target)
    _pin_alike(source, target)
    copying = _Copying(source, target)
    taken, present = copying.units(progress)
    copying.joins()
    return Copied(source.name, taken, present, verified(source, target))


def _check_target(source: BankStore, target: BankStore) -> None:
    pin, stored = source.encoder, target.encoder
    if pin is not None and stored is not None and stored != pin:
        raise EncoderMismatch(bank=target.name, stored=stored.fingerprint, given=pin.fingerprint)
    for batch in batches(target):
        known = source.rows_of([unit.id for _, unit in batch])
        strangers = [unit.id for _, unit in batch if unit.id not in known]
        if strangers:
            raise BadInput(
                f"bank {target.name!r} holds what the original does not", strangers[0],
                "Copy into an empty bank, or delete this one first.",
            )  # fmt: skip


def _pin_alike(source: BankStore, target: BankStore) -> None:
    if target.settings != source.settings:
        target.change_settings(source.settings)
    if source.encoder is not None and target.encoder is None:
        target.pin_encoder(source.encoder)


class _Copying:
    """One run."""

    def __init__(self, source: BankStore, target: BankStore) -> None:
        self._source = source
        self._target = target
        self._entities_done = 0
        self._analyzer = Analyzer(source.settings.analysis)

    def units(self, progress: Progress) -> tuple[int, int]:
        """Save every unit the target lacks, in the order of rows; how many now and before."""
        done, present, total = 0, 0, self._source.unit_count()
        for batch in batches(self._source):
            there = self._target.rows_of([unit.id for _, unit in batch])
            lacking = [(row, unit) for row, unit in batch if unit.id not in there]
            if lacking:
                self._save(lacking)
            done, present = done + len(lacking), present + len(there)
            progress(done + present, total)
        return done, present

    def _save(self, batch: _Batch) -> None:
        rows = _rows(batch)
        records = self._source.unit_records(rows)
        # A unit erased meanwhile is not there to be copied.
        batch = [(row, unit) for row, unit in batch if row in records]
        named = entities_by_row(self._source, rows)
        self._entities(up_to=max((max(ids) for ids in named.values() if ids), default=0))
        with self._target.writing():
            places = self._places(batch, records)
            self._target.save(
                [
                    replace(
                        prepared_again(unit, records[row], named.get(row, ()), self._analyzer),
                        links=tuple(_new_links(row, records[row], places)),
                    )
                    for row, unit in batch
                ]
            )

    def _entities(self, *, up_to: int | None = None) -> None:
        """Take entities over, under their own numbers, at least up to one; all of them if None."""
        while up_to is None or self._entities_done < up_to:
            page = self._source.entity_records(after=self._entities_done, limit=_PAGE)
            if not page:
                return
            self._target.put_entities(page)
            self._entities_done = page[-1].id

    def _places(self, batch: _Batch, records: Mapping[int, UnitRecord]) -> dict[int, int]:
        """The target's rows by the source's: of this batch to be, and of what it links to."""
        first = self._target.next_row()
        places = {row: first + n for n, (row, _) in enumerate(batch)}
        linked = {link[0] for record in records.values() for link in record.links}
        ids = self._source.ids_of(np.array(sorted(linked - places.keys()), np.int64))
        there = self._target.rows_of(list(ids.values()))
        return {row: there[unit] for row, unit in ids.items() if unit in there} | places

    def joins(self) -> None:
        """Take over what no unit mentions, sessions, feedback, relations; twice changes nothing."""
        self._entities()
        offset = 0
        while waiting := self._source.pending(limit=_PAGE, offset=offset):
            self._target.put_pending(waiting)
            offset += len(waiting)
        for session in self._source.sessions():
            self._target.start_session(session.name, session.started_at)
            if session.ended_at is not None:
                self._target.end_session(session.name, session.ended_at)
        for said in self._source.judged():
            self._target.judge(said)
        after = 0
        while page := self._source.relation_records(after=after, limit=_PAGE):
            self._target.put_relations(page)
            after = page[-1].id


def prepared_again(
    unit: StoredUnit, kept: UnitRecord, named: Sequence[int], analyzer: Analyzer
) -> PreparedUnit:
    """A stored unit as it would be saved anew, but for its links; `named` are its entities."""
    told = Unit(**{name: getattr(unit, name) for name in _TOLD})
    (draft,) = count_words([as_stored(told, unit.source)], analyzer)
    occurred = None
    if unit.occurred_start is not None or unit.occurred_end is not None:
        occurred = Window(unit.occurred_start, unit.occurred_end)
    return PreparedUnit(
        unit=replace(told, entities=()),
        type=unit.type,
        told_at=unit.told_at,
        occurred=occurred,
        identity=kept.identity,
        tokens=unit.tokens,
        terms=draft.words.terms,
        length=draft.words.length,
        # Told apart by number: two entities may bear one name.
        mentions=tuple(
            NewMention("", f"#{entity}", "", EntityId(entity), (), explicit=False)
            for entity in named
        ),
        links=(),
        vector=kept.vector,
        source=unit.source,
        replaces=None,
        lineage=Lineage(unit.created_at, unit.supersedes, unit.superseded_by),
        closed_at=unit.closed_at,
        late=kept.late,
    )


def batches(bank: BankStore) -> Iterator[list[tuple[int, StoredUnit]]]:
    """All units with their rows, some at a time."""
    after = 0
    while batch := list(islice(bank.scan(after_row=after, limit=_BATCH_UNITS), _BATCH_UNITS)):
        yield batch
        after = batch[-1][0]


def _rows(batch: _Batch) -> RowArray:
    return np.array([row for row, _ in batch], np.int64)


def entities_by_row(bank: BankStore, rows: RowArray) -> dict[int, list[int]]:
    """The numbers of the entities that some rows mention."""
    mentions = bank.entities_of(rows)
    named: dict[int, list[int]] = {}
    for row, entity in zip(mentions.rows.tolist(), mentions.entities.tolist(), strict=True):
        named.setdefault(row, []).append(entity)
    return named


def _new_links(row: int, kept: UnitRecord, places: Mapping[int, int]) -> Iterator[NewLink]:
    for other, kind, weight, leads_here in kept.links:
        place = places.get(other)
        # An edge is made when its later end arrives, and so only once.
        if place is None or place >= places[row]:
            continue
        if kind in _TURNED:
            yield NewLink(place, _TURNED[kind], weight, leads_here=True)
        else:
            yield NewLink(place, kind, weight, leads_here=leads_here)


def verified(source: BankStore, target: BankStore) -> str:
    """The checksum both banks have; StoreError says what differs."""
    ours, theirs = target.stats(), source.stats()
    for name in (
        "units",
        "entities",
        "relations",
        "sessions",
        "links",
        "vectors",
        "terms",
        "pending",
    ):
        if getattr(ours, name) != getattr(theirs, name):
            raise StoreError(
                f"The copy of bank {source.name!r} has {getattr(ours, name)} {name}, the original "
                f"{getattr(theirs, name)}. Was it written to meanwhile? Copy it again."
            )
    sums = checksum(source), checksum(target)
    if sums[0] != sums[1]:
        raise StoreError(
            f"The copy of bank {source.name!r} differs from the original in a unit or a vector. "
            "Was it written to meanwhile? Delete the copy and repeat."
        )
    return sums[0]


def checksum(bank: BankStore) -> str:
    """A sum over every unit, its identity and vector, and all that waits; the same in any store."""
    digest = hashlib.blake2b(digest_size=16)
    for batch in batches(bank):
        records = bank.unit_records(_rows(batch))
        for row, unit in batch:
            shown = [f"{field.name}={getattr(unit, field.name)!r}" for field in fields(unit)]
            digest.update("\x1f".join(shown).encode("utf-8", "surrogatepass"))
            kept = records.get(row)
            if kept is not None:
                digest.update(kept.identity.to_bytes(8, "little", signed=True))
                vector = kept.vector
                digest.update(b"" if vector is None else vector.astype("<f2").tobytes())
                digest.update(kept.late or b"")
    offset = 0
    while waiting := bank.pending(limit=_PAGE, offset=offset):
        for one in waiting:
            digest.update(repr(one).encode("utf-8", "surrogatepass"))
        offset += len(waiting)
    return digest.hexdigest()
