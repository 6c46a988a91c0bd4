"""The methods of a Bank, with `bank=`. Derived from bank.py by `python -m tools.derive_facade`."""

from __future__ import annotations

import builtins
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from scrubjay.bank import Bank
from scrubjay.defaults import DEFAULT_BANK, Progress, no_progress

if TYPE_CHECKING:
    from scrubjay.answers import (
        Explanation,
        Parsed,
        Plan,
        Recall,
        RecallKeywords,
        RecallOptions,
        Tuning,
    )
    from scrubjay.encoder.base import Encoder
    from scrubjay.engine.extract import Extracted, Extractor
    from scrubjay.engine.retain.inputs import Told
    from scrubjay.engine.transfer import Imported
    from scrubjay.settings import BankSettings
    from scrubjay.types.filters import FilterFields, UnitFilter
    from scrubjay.types.graph import Entity, Link, LinkKind, RelationFields, StoredRelation
    from scrubjay.types.outcomes import EntityChange, Erasure, Retained
    from scrubjay.types.reports import BankInfo, Finding, Stats
    from scrubjay.types.units import Session, StoredUnit, Unit, UnitChanges, UnitFields
    from scrubjay.types.views import (
        Conflict,
        EntityCard,
        Histogram,
        Neighbourhood,
        Page,
        PendingUnits,
    )


class BankForms(ABC):
    """Every method of a Bank, with the bank named by `bank=`."""

    @abstractmethod
    def _bank(self, name: str) -> Bank:
        """The bank of a name."""

    def retain(
        self,
        told: Told,
        *,
        bank: str = DEFAULT_BANK,
        pending: bool = False,
        **given: Unpack[UnitFields],
    ) -> Retained:
        """See Bank.retain."""
        return self._bank(bank).retain(told, pending=pending, **given)

    def pending(
        self, *, bank: str = DEFAULT_BANK, limit: int = 100, offset: int = 0
    ) -> PendingUnits:
        """See Bank.pending."""
        return self._bank(bank).pending(limit=limit, offset=offset)

    def approve(self, ids: str | Iterable[str], *, bank: str = DEFAULT_BANK) -> Retained:
        """See Bank.approve."""
        return self._bank(bank).approve(ids)

    def reject(self, ids: str | Iterable[str], *, bank: str = DEFAULT_BANK) -> Erasure:
        """See Bank.reject."""
        return self._bank(bank).reject(ids)

    def extract(
        self,
        told: Told,
        *,
        bank: str = DEFAULT_BANK,
        extractor: Extractor | None = None,
        **given: Unpack[UnitFields],
    ) -> Extracted:
        """See Bank.extract."""
        return self._bank(bank).extract(told, extractor=extractor, **given)

    def recall(
        self,
        question: str,
        options: RecallOptions | None = None,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> Recall:
        """See Bank.recall."""
        return self._bank(bank).recall(question, options, **given)

    def recall_batch(
        self,
        questions: Sequence[str],
        options: RecallOptions | None = None,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> builtins.list[Recall]:
        """See Bank.recall_batch."""
        return self._bank(bank).recall_batch(questions, options, **given)

    def explain(
        self,
        question: str,
        unit: str,
        options: RecallOptions | None = None,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> Explanation:
        """See Bank.explain."""
        return self._bank(bank).explain(question, unit, options, **given)

    def feedback(
        self,
        question: Recall | str,
        *,
        bank: str = DEFAULT_BANK,
        used: Sequence[str] = (),
        missed: Sequence[str] = (),
        asked_at: date | str | None = None,
    ) -> None:
        """See Bank.feedback."""
        self._bank(bank).feedback(question, used=used, missed=missed, asked_at=asked_at)

    def tune(self, *, bank: str = DEFAULT_BANK) -> Tuning:
        """See Bank.tune."""
        return self._bank(bank).tune()

    def undo_tune(self, *, bank: str = DEFAULT_BANK) -> None:
        """See Bank.undo_tune."""
        self._bank(bank).undo_tune()

    def parse(
        self,
        question: str,
        options: RecallOptions | None = None,
        *,
        bank: str = DEFAULT_BANK,
        timezone: str | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Parsed:
        """See Bank.parse."""
        return self._bank(bank).parse(question, options, timezone=timezone, **given)

    def plan(
        self,
        question: str,
        options: RecallOptions | None = None,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> Plan:
        """See Bank.plan."""
        return self._bank(bank).plan(question, options, **given)

    def get(self, unit: str, *, bank: str = DEFAULT_BANK) -> StoredUnit:
        """See Bank.get."""
        return self._bank(bank).get(unit)

    def list(
        self,
        where: UnitFilter | None = None,
        *,
        bank: str = DEFAULT_BANK,
        limit: int = 100,
        cursor: str | None = None,
        order: str = "oldest",
        offset: int = 0,
        **given: Unpack[FilterFields],
    ) -> Page:
        """See Bank.list."""
        return self._bank(bank).list(
            where, limit=limit, cursor=cursor, order=order, offset=offset, **given
        )

    def histogram(
        self,
        where: UnitFilter | None = None,
        *,
        bank: str = DEFAULT_BANK,
        by: str = "told",
        grain: str = "auto",
        **given: Unpack[FilterFields],
    ) -> Histogram:
        """See Bank.histogram."""
        return self._bank(bank).histogram(where, by=by, grain=grain, **given)

    def neighbourhood(
        self,
        unit: str | None = None,
        *,
        bank: str = DEFAULT_BANK,
        entity: int | str | None = None,
        limit: int = 60,
    ) -> Neighbourhood:
        """See Bank.neighbourhood."""
        return self._bank(bank).neighbourhood(unit, entity=entity, limit=limit)

    def history(self, unit: str, *, bank: str = DEFAULT_BANK) -> builtins.list[StoredUnit]:
        """See Bank.history."""
        return self._bank(bank).history(unit)

    def update(
        self, unit: str, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitChanges]
    ) -> StoredUnit:
        """See Bank.update."""
        return self._bank(bank).update(unit, **given)

    def supersede(
        self, old: str, new: str | Unit, *, bank: str = DEFAULT_BANK, at: date | str | None = None
    ) -> StoredUnit:
        """See Bank.supersede."""
        return self._bank(bank).supersede(old, new, at=at)

    def undo_supersede(self, unit: str, *, bank: str = DEFAULT_BANK) -> StoredUnit:
        """See Bank.undo_supersede."""
        return self._bank(bank).undo_supersede(unit)

    def forget(
        self,
        what: str | Iterable[str] | UnitFilter,
        *,
        bank: str = DEFAULT_BANK,
        compact: bool = False,
    ) -> Erasure:
        """See Bank.forget."""
        return self._bank(bank).forget(what, compact=compact)

    def compact(self, *, bank: str = DEFAULT_BANK) -> str | None:
        """See Bank.compact."""
        return self._bank(bank).compact()

    def sessions(
        self,
        *,
        bank: str = DEFAULT_BANK,
        limit: int | None = None,
        offset: int = 0,
        newest: bool = False,
    ) -> builtins.list[Session]:
        """See Bank.sessions."""
        return self._bank(bank).sessions(limit=limit, offset=offset, newest=newest)

    def start_session(
        self, name: str, *, bank: str = DEFAULT_BANK, at: date | str | None = None
    ) -> Session:
        """See Bank.start_session."""
        return self._bank(bank).start_session(name, at=at)

    def end_session(
        self, name: str, *, bank: str = DEFAULT_BANK, at: date | str | None = None
    ) -> Session:
        """See Bank.end_session."""
        return self._bank(bank).end_session(name, at=at)

    def entities(
        self,
        *,
        bank: str = DEFAULT_BANK,
        containing: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> builtins.list[Entity]:
        """See Bank.entities."""
        return self._bank(bank).entities(containing=containing, limit=limit, offset=offset)

    def entity(self, entity: int | str, *, bank: str = DEFAULT_BANK) -> EntityCard:
        """See Bank.entity."""
        return self._bank(bank).entity(entity)

    def preview_alias(
        self, entity: int | str, alias: str, *, bank: str = DEFAULT_BANK
    ) -> EntityChange:
        """See Bank.preview_alias."""
        return self._bank(bank).preview_alias(entity, alias)

    def preview_merge(
        self, keep: int | str, drop: int | str, *, bank: str = DEFAULT_BANK
    ) -> EntityChange:
        """See Bank.preview_merge."""
        return self._bank(bank).preview_merge(keep, drop)

    def preview_split(
        self, entity: int | str, name: str, units: Sequence[str], *, bank: str = DEFAULT_BANK
    ) -> EntityChange:
        """See Bank.preview_split."""
        return self._bank(bank).preview_split(entity, name, units)

    def alias_entity(self, entity: int | str, alias: str, *, bank: str = DEFAULT_BANK) -> Entity:
        """See Bank.alias_entity."""
        return self._bank(bank).alias_entity(entity, alias)

    def merge_entities(
        self, keep: int | str, drop: int | str, *, bank: str = DEFAULT_BANK
    ) -> Entity:
        """See Bank.merge_entities."""
        return self._bank(bank).merge_entities(keep, drop)

    def split_entity(
        self, entity: int | str, name: str, units: Sequence[str], *, bank: str = DEFAULT_BANK
    ) -> Entity:
        """See Bank.split_entity."""
        return self._bank(bank).split_entity(entity, name, units)

    def relate(
        self,
        subject: str,
        relation: str,
        object: str,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RelationFields],
    ) -> int:
        """See Bank.relate."""
        return self._bank(bank).relate(subject, relation, object, **given)

    def relations(
        self, *, bank: str = DEFAULT_BANK, limit: int = 100, offset: int = 0
    ) -> builtins.list[StoredRelation]:
        """See Bank.relations."""
        return self._bank(bank).relations(limit=limit, offset=offset)

    def link(
        self,
        cause: str,
        effect: str,
        kind: LinkKind | str = "causes",
        weight: float = 1.0,
        *,
        bank: str = DEFAULT_BANK,
    ) -> None:
        """See Bank.link."""
        self._bank(bank).link(cause, effect, kind, weight)

    def links(self, unit: str, *, bank: str = DEFAULT_BANK) -> builtins.list[Link]:
        """See Bank.links."""
        return self._bank(bank).links(unit)

    def conflicts(
        self, *, bank: str = DEFAULT_BANK, limit: int = 100, offset: int = 0
    ) -> builtins.list[Conflict]:
        """See Bank.conflicts."""
        return self._bank(bank).conflicts(limit=limit, offset=offset)

    def accept_conflict(self, old: str, new: str, *, bank: str = DEFAULT_BANK) -> StoredUnit:
        """See Bank.accept_conflict."""
        return self._bank(bank).accept_conflict(old, new)

    def reject_conflict(self, old: str, new: str, *, bank: str = DEFAULT_BANK) -> None:
        """See Bank.reject_conflict."""
        self._bank(bank).reject_conflict(old, new)

    def info(self, *, bank: str = DEFAULT_BANK) -> BankInfo:
        """See Bank.info."""
        return self._bank(bank).info()

    def stats(self, *, bank: str = DEFAULT_BANK) -> Stats:
        """See Bank.stats."""
        return self._bank(bank).stats()

    def export(
        self, path: str | Path, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Bank.export."""
        return self._bank(bank).export(path, progress=progress)

    def import_(
        self,
        path: str | Path,
        *,
        bank: str = DEFAULT_BANK,
        keep_going: bool = False,
        progress: Progress = no_progress,
    ) -> Imported:
        """See Bank.import_."""
        return self._bank(bank).import_(path, keep_going=keep_going, progress=progress)

    def reembed(
        self, encoder: str | Encoder, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Bank.reembed."""
        return self._bank(bank).reembed(encoder, progress=progress)

    def doctor(self, *, bank: str = DEFAULT_BANK, fix: bool = False) -> builtins.list[Finding]:
        """See Bank.doctor."""
        return self._bank(bank).doctor(fix=fix)

    def configure(self, changes: Mapping[str, object], *, bank: str = DEFAULT_BANK) -> BankSettings:
        """See Bank.configure."""
        return self._bank(bank).configure(changes)
