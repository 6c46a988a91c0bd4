"""Copies a bank from one store into another, vectors and all, resumably, and checks the copy."""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from scrubjay.engine.retain.drafts import as_stored
from scrubjay.engine.retain.wording import count_words
from scrubjay.engine.transfer import Progress, no_progress
from scrubjay.errors import EncoderMismatch, StoreError
from scrubjay.language.analyzer import Analyzer
from scrubjay.store.base import BankStore, NewLink, NewMention, PreparedUnit
from scrubjay.store.embedded.bank import EmbeddedBank
from scrubjay.store.statements import statements
from scrubjay.types import (
    EntityId,
    Link,
    LinkKind,
    Relation,
    RowArray,
    StoredUnit,
    Unit,
    UnitId,
    Window,
)

HalfVector = npt.NDArray[np.float16]
VectorsOf = Callable[[RowArray], Mapping[int, HalfVector]]

_BATCH_UNITS = 500
_PAGE = 500

# What a unit has as it was told; the rest is derived, or made anew by the copy.
_TOLD = {field.name for field in fields(Unit)} & {field.name for field in fields(StoredUnit)}
# The target's clock says when a copy was stored.
_OWN = ("created_at",)


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy did: units taken over now, and those that were there from an earlier run."""

    bank: str
    units: int
    present: int
    checksum: str


@runtime_checkable
class HasVectors(Protocol):
    """A bank that hands out its vectors."""

    def vectors_of(self, rows: RowArray) -> Mapping[int, HalfVector]: ...


def copy_bank(source: BankStore, target: BankStore, progress: Progress = no_progress) -> Copied:
    """Take a bank over into another, usually empty one; nothing is embedded again.

    Units keep their ids, order, vectors, names, links and lineage. Cut off, run it again: it goes
    on where it was. At the end both are compared; StoreError says what differs.
    """
    _pin_alike(source, target)
    copying = _Copying(source, target)
    with _vectors(source) as vectors_of:
        taken, present = copying.units(vectors_of, progress)
    copying.joins()
    return Copied(source.name, taken, present, verified(source, target))


def _pin_alike(source: BankStore, target: BankStore) -> None:
    if target.settings != source.settings:
        target.change_settings(source.settings)
    pin = source.encoder
    if pin is None:
        return
    if target.encoder is None and target.unit_count() == 0:
        target.pin_encoder(pin)
    if target.encoder != pin:
        stored = "none" if target.encoder is None else target.encoder.fingerprint
        raise EncoderMismatch(bank=target.name, stored=stored, given=pin.fingerprint)


class _Copying:
    """One run: which source entity is which of the target's."""

    def __init__(self, source: BankStore, target: BankStore) -> None:
        self._source = source
        self._target = target
        self._entities: dict[int, EntityId] = {}
        self._analyzer = Analyzer(source.settings.analysis)

    def units(self, vectors_of: VectorsOf, progress: Progress) -> tuple[int, int]:
        """Save every unit the target lacks, in the order of rows; how many now and before."""
        done, present, total = 0, 0, self._source.unit_count()
        for batch in _batches(self._source):
            there = self._target.rows_of([unit.id for _, unit in batch])
            self._learn([(row, unit) for row, unit in batch if unit.id in there], there)
            lacking = [(row, unit) for row, unit in batch if unit.id not in there]
            if lacking:
                self._save(lacking, vectors_of)
            done, present = done + len(lacking), present + len(there)
            progress(done + present, total)
        return done, present

    def _save(self, batch: Sequence[tuple[int, StoredUnit]], vectors_of: VectorsOf) -> None:
        rows = np.array([row for row, _ in batch], np.int64)
        vectors = vectors_of(rows) if self._source.encoder is not None else {}
        named = _named(self._source, rows)
        links = {unit.id: self._source.links(unit.id) for _, unit in batch}
        with self._target.writing():
            places = self._places(links)
            prepared = [
                replace(
                    self._prepared(unit, vectors.get(row), named.get(row, ())),
                    links=tuple(_new_links(unit.id, links[unit.id], places)),
                )
                for row, unit in batch
            ]
            saved = self._target.save(prepared)
        self._learn(batch, self._target.rows_of(saved))

    def _places(self, links: Mapping[UnitId, Sequence[Link]]) -> dict[str, int]:
        """The target's rows by id: of this batch to be, and of what it links to."""
        first = self._target.next_row()
        places = {str(unit): first + n for n, unit in enumerate(links)}
        linked = {end for each in links.values() for end in _ends(each)}
        return {**self._target.rows_of(sorted(linked - places.keys())), **places}

    def _prepared(
        self, unit: StoredUnit, vector: HalfVector | None, named: Sequence[int]
    ) -> PreparedUnit:
        told = Unit(**{name: getattr(unit, name) for name in _TOLD})
        (draft,) = count_words([as_stored(told, unit.source)], self._analyzer)
        occurred = None
        if unit.occurred_start is not None or unit.occurred_end is not None:
            occurred = Window(unit.occurred_start, unit.occurred_end)
        return PreparedUnit(
            unit=replace(told, entities=()),
            type=unit.type,
            told_at=unit.told_at,
            occurred=occurred,
            identity=draft.identity,
            tokens=unit.tokens,
            terms=draft.words.terms,
            length=draft.words.length,
            mentions=tuple(self._mention(entity) for entity in named),
            links=(),
            vector=vector,
            source=unit.source,
            replaces=None,
        )

    def _mention(self, entity: int) -> NewMention:
        known = self._entities.get(entity)
        if known is not None:
            return NewMention("", f"#{entity}", "", known, (), explicit=False)
        found = self._source.entity(EntityId(entity))
        assert found is not None, f"entity {entity} is mentioned but not there"
        aliases = tuple(
            (match.alias, match.confidence)
            for match in self._source.lookup_aliases(found.aliases)
            if match.entity == entity
        )
        # Told apart by number: two entities may bear one name.
        return NewMention(found.name, f"#{entity}", found.kind, None, aliases, explicit=False)

    def _learn(self, batch: Sequence[tuple[int, StoredUnit]], rows: Mapping[str, int]) -> None:
        """Note which entities the target made for those of some units; their order is the same."""
        if not batch:
            return
        theirs = _named(self._source, np.array([row for row, _ in batch], np.int64))
        copies = np.array([rows[unit.id] for _, unit in batch], np.int64)
        ours = _named(self._target, copies)
        for row, unit in batch:
            pairs = zip(theirs.get(row, ()), ours.get(rows[unit.id], ()), strict=False)
            self._entities |= {own: EntityId(other) for own, other in pairs}

    def joins(self) -> None:
        """Take over sessions, relations and lineage; telling them twice changes nothing."""
        for session in self._source.sessions():
            self._target.start_session(session.name, session.started_at)
            if session.ended_at is not None:
                self._target.end_session(session.name, session.ended_at)
        offset = 0
        while relations := self._source.relations(limit=_PAGE, offset=offset):
            for told in relations:
                ends = self._end(told.subject.id), self._end(told.object.id)
                relation = Relation(
                    told.subject.name, told.relation, told.object.name, told.relation_class,
                    told.confidence, told.valid_from, told.valid_to,
                )  # fmt: skip
                self._target.relate(relation, ends)
            offset += len(relations)
        for batch in _batches(self._source):
            for _, unit in batch:
                if unit.superseded_by is not None and unit.valid_to is not None:
                    self._target.supersede(unit.id, unit.superseded_by, unit.valid_to)

    def _end(self, entity: EntityId) -> NewMention:
        """One end of a relation; that no unit mentions it does not make it another entity."""
        mention = self._mention(entity)
        if mention.entity is None:
            taken = set(self._entities.values())
            matches = self._target.lookup_aliases([alias for alias, _ in mention.aliases])
            alike = [m.entity for m in matches if m.name == mention.name and m.entity not in taken]
            if alike:
                self._entities[entity] = min(alike)
        return replace(mention, entity=self._entities.get(entity))


def _batches(bank: BankStore) -> Iterator[list[tuple[int, StoredUnit]]]:
    after = 0
    while batch := list(islice(bank.scan(after_row=after, limit=_BATCH_UNITS), _BATCH_UNITS)):
        yield batch
        after = batch[-1][0]


def _named(bank: BankStore, rows: RowArray) -> dict[int, list[int]]:
    mentions = bank.entities_of(rows)
    named: dict[int, list[int]] = {}
    for row, entity in zip(mentions.rows.tolist(), mentions.entities.tolist(), strict=True):
        named.setdefault(row, []).append(entity)
    return named


def _ends(links: Sequence[Link]) -> set[str]:
    return {str(end) for link in links for end in (link.source, link.target)}


def _new_links(unit: UnitId, links: Sequence[Link], places: Mapping[str, int]) -> Iterator[NewLink]:
    own = places[str(unit)]
    for link in links:
        here = link.target == unit
        other = link.source if here else link.target
        place = places.get(str(other))
        # An edge is made when its later end arrives, and so only once.
        if place is None or place >= own:
            continue
        if link.kind is LinkKind.CAUSED_BY:
            yield NewLink(place, LinkKind.CAUSES, link.weight, leads_here=True)
        else:
            yield NewLink(place, link.kind, link.weight, leads_here=here)


@contextmanager
def _vectors(bank: BankStore) -> Iterator[VectorsOf]:
    """Reads a bank's stored vectors; those of an embedded bank from a copy of its rows."""
    if isinstance(bank, HasVectors):
        yield bank.vectors_of
        return
    assert isinstance(bank, EmbeddedBank), f"{type(bank).__name__} does not hand out vectors"
    statement = statements("scrubjay.store.embedded", "queries.sql")["vectors_after"]
    with tempfile.TemporaryDirectory(prefix="scrubjay-copy-") as folder:
        snapshot = Path(folder) / "bank.db"
        bank.copy_to(snapshot)
        connection = sqlite3.connect(snapshot)
        try:

            def vectors_of(rows: RowArray) -> Mapping[int, HalfVector]:
                if not len(rows):
                    return {}
                wanted, last = set(rows.tolist()), int(rows.max())
                found: dict[int, HalfVector] = {}
                for row, _, packed in connection.execute(statement, (int(rows.min()) - 1,)):
                    if row > last:
                        break
                    if row in wanted:
                        found[row] = np.frombuffer(packed, np.float16)
                return found

            yield vectors_of
        finally:
            connection.close()


def verified(source: BankStore, target: BankStore) -> str:
    """The checksum both banks have; StoreError says what differs."""
    ours, theirs = target.stats(), source.stats()
    for name in ("units", "entities", "relations", "sessions", "links", "vectors", "terms"):
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
    """A sum over every unit and its vector, the same in every store."""
    digest = hashlib.blake2b(digest_size=16)
    with _vectors(bank) as vectors_of:
        for batch in _batches(bank):
            rows = np.array([row for row, _ in batch], np.int64)
            vectors = vectors_of(rows) if bank.encoder is not None else {}
            for row, unit in batch:
                shown = [
                    f"{field.name}={getattr(unit, field.name)!r}"
                    for field in fields(unit)
                    if field.name not in _OWN
                ]
                digest.update("\x1f".join(shown).encode())
                vector = vectors.get(row)
                digest.update(b"" if vector is None else vector.astype("<f2").tobytes())
    return digest.hexdigest()
