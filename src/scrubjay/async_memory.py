"""AsyncMemory: Memory, awaitable. Derived from memory.py by `python -m tools.derive_facade`."""

from __future__ import annotations

import asyncio
import builtins
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

from scrubjay.async_bank import AsyncBank
from scrubjay.defaults import AUTO, DEFAULT_BANK, Clock, Progress, no_progress, utc_now
from scrubjay.deprecated import Synonyms
from scrubjay.errors import BadInput
from scrubjay.later import later
from scrubjay.limits import BANKS_PER_RECALL_MAX
from scrubjay.operations.operation import Target
from scrubjay.trace import UNOBSERVED, Observer

if TYPE_CHECKING:
    from scrubjay import backend as backends
    from scrubjay.answers import (
        Explanation,
        Parsed,
        Plan,
        Recall,
        RecallKeywords,
        RecallOptions,
        Tuning,
    )
    from scrubjay.backend import AsyncBackend
    from scrubjay.encoder.base import Encoder, Reranker
    from scrubjay.engine import recall_options
    from scrubjay.engine.extract import Extracted, Extractor
    from scrubjay.engine.retain import checking, inputs
    from scrubjay.engine.retain.inputs import Told
    from scrubjay.engine.retrieve.retriever import Retriever, Search
    from scrubjay.engine.transfer import Imported
    from scrubjay.operations import banks, recalling
    from scrubjay.operations import banks as of_banks
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
else:
    backends = later("scrubjay.backend")
    recall_options = later("scrubjay.engine.recall_options")
    checking = later("scrubjay.engine.retain.checking")
    inputs = later("scrubjay.engine.retain.inputs")
    of_banks = later("scrubjay.operations.banks")
    recalling = later("scrubjay.operations.recalling")
    banks = later("scrubjay.operations.banks")


class AsyncMemory(Synonyms):
    """The same as Memory, for code that must not block its event loop."""

    def __init__(self, backend: AsyncBackend) -> None:
        self.backend = backend

    @classmethod
    async def open(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        encoder: str | Encoder | None = AUTO,
        reranker: str | Reranker | None = AUTO,
        read_only: bool = False,
        clock: Clock = utc_now,
        retrievers: Mapping[str, Retriever | Search] | None = None,
        observer: Observer = UNOBSERVED,
        key: str | None = None,
    ) -> Self:
        """See Memory.open."""
        tools = (encoder, reranker, clock, retrievers, observer)
        return cls(await backends.open_async_backend(path, tools, read_only=read_only, key=key))

    @property
    def location(self) -> str:
        """See Memory.location."""
        return self.backend.location

    async def bank(self, name: str = DEFAULT_BANK, **settings: object) -> AsyncBank:
        """See Memory.bank."""
        target = Target(checking.check_bank_name(name))
        await self.backend.run(of_banks.make_bank, target, settings)
        return AsyncBank(self.backend, target)

    def _bank(self, name: str) -> AsyncBank:
        """See Memory._bank."""
        return AsyncBank(self.backend, Target(checking.check_bank_name(name), made_when_used=True))

    async def banks(self) -> builtins.list[BankInfo]:
        """See Memory.banks."""
        return await self.backend.run(of_banks.banks, Target(""))

    async def recall_across(
        self,
        question: str,
        banks: Sequence[str],
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Recall:
        """See Memory.recall_across."""
        names = [checking.check_bank_name(name) for name in inputs.listed(banks, "banks")]
        if not names or len(set(names)) != len(names) or len(names) > BANKS_PER_RECALL_MAX:
            remedy = f"Name one to {BANKS_PER_RECALL_MAX} banks, each once."
            raise BadInput("banks", names, remedy)
        wanted = recall_options.options_of(given, options)
        return await self.backend.run(
            recalling.recall_across, Target(""), question, tuple(names), wanted
        )

    async def delete_bank(self, name: str) -> None:
        """See Memory.delete_bank."""
        await self.backend.run(of_banks.delete_bank, Target(checking.check_bank_name(name)))

    async def backup(self, target: str | Path) -> None:
        """See Memory.backup."""
        await self.backend.run(of_banks.backup, Target(""), checking.check_path(target))

    @staticmethod
    async def restore(backup: str | Path, path: str | Path) -> None:
        """See Memory.restore."""
        await asyncio.to_thread(backends.restore_store, backup, path)

    async def close(self) -> None:
        """See Memory.close."""
        await self.backend.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def retain(
        self,
        told: Told,
        *,
        bank: str = DEFAULT_BANK,
        pending: bool = False,
        **given: Unpack[UnitFields],
    ) -> Retained:
        """See Memory.retain."""
        return await self._bank(bank).retain(told, pending=pending, **given)

    async def pending(
        self, *, bank: str = DEFAULT_BANK, limit: int = 100, offset: int = 0
    ) -> PendingUnits:
        """See Memory.pending."""
        return await self._bank(bank).pending(limit=limit, offset=offset)

    async def approve(self, ids: str | Iterable[str], *, bank: str = DEFAULT_BANK) -> Retained:
        """See Memory.approve."""
        return await self._bank(bank).approve(ids)

    async def reject(self, ids: str | Iterable[str], *, bank: str = DEFAULT_BANK) -> Erasure:
        """See Memory.reject."""
        return await self._bank(bank).reject(ids)

    async def extract(
        self,
        told: Told,
        *,
        bank: str = DEFAULT_BANK,
        extractor: Extractor | None = None,
        **given: Unpack[UnitFields],
    ) -> Extracted:
        """See Memory.extract."""
        return await self._bank(bank).extract(told, extractor=extractor, **given)

    async def recall(
        self,
        question: str,
        options: RecallOptions | None = None,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> Recall:
        """See Memory.recall."""
        return await self._bank(bank).recall(question, options, **given)

    async def recall_batch(
        self,
        questions: Sequence[str],
        options: RecallOptions | None = None,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> builtins.list[Recall]:
        """See Memory.recall_batch."""
        return await self._bank(bank).recall_batch(questions, options, **given)

    async def explain(
        self,
        question: str,
        unit: str,
        options: RecallOptions | None = None,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> Explanation:
        """See Memory.explain."""
        return await self._bank(bank).explain(question, unit, options, **given)

    async def feedback(
        self,
        question: Recall | str,
        *,
        bank: str = DEFAULT_BANK,
        used: Sequence[str] = (),
        missed: Sequence[str] = (),
        asked_at: date | str | None = None,
    ) -> None:
        """See Memory.feedback."""
        await self._bank(bank).feedback(question, used=used, missed=missed, asked_at=asked_at)

    async def tune(self, *, bank: str = DEFAULT_BANK) -> Tuning:
        """See Memory.tune."""
        return await self._bank(bank).tune()

    async def undo_tune(self, *, bank: str = DEFAULT_BANK) -> None:
        """See Memory.undo_tune."""
        await self._bank(bank).undo_tune()

    async def parse(
        self,
        question: str,
        options: RecallOptions | None = None,
        *,
        bank: str = DEFAULT_BANK,
        timezone: str | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Parsed:
        """See Memory.parse."""
        return await self._bank(bank).parse(question, options, timezone=timezone, **given)

    async def plan(
        self,
        question: str,
        options: RecallOptions | None = None,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> Plan:
        """See Memory.plan."""
        return await self._bank(bank).plan(question, options, **given)

    async def get(self, unit: str, *, bank: str = DEFAULT_BANK) -> StoredUnit:
        """See Memory.get."""
        return await self._bank(bank).get(unit)

    async def list(
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
        """See Memory.list."""
        return await self._bank(bank).list(
            where, limit=limit, cursor=cursor, order=order, offset=offset, **given
        )

    async def histogram(
        self,
        where: UnitFilter | None = None,
        *,
        bank: str = DEFAULT_BANK,
        by: str = "told",
        grain: str = "auto",
        **given: Unpack[FilterFields],
    ) -> Histogram:
        """See Memory.histogram."""
        return await self._bank(bank).histogram(where, by=by, grain=grain, **given)

    async def neighbourhood(
        self,
        unit: str | None = None,
        *,
        bank: str = DEFAULT_BANK,
        entity: int | str | None = None,
        limit: int = 60,
    ) -> Neighbourhood:
        """See Memory.neighbourhood."""
        return await self._bank(bank).neighbourhood(unit, entity=entity, limit=limit)

    async def history(self, unit: str, *, bank: str = DEFAULT_BANK) -> builtins.list[StoredUnit]:
        """See Memory.history."""
        return await self._bank(bank).history(unit)

    async def update(
        self, unit: str, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitChanges]
    ) -> StoredUnit:
        """See Memory.update."""
        return await self._bank(bank).update(unit, **given)

    async def supersede(
        self, old: str, new: str | Unit, *, bank: str = DEFAULT_BANK, at: date | str | None = None
    ) -> StoredUnit:
        """See Memory.supersede."""
        return await self._bank(bank).supersede(old, new, at=at)

    async def undo_supersede(self, unit: str, *, bank: str = DEFAULT_BANK) -> StoredUnit:
        """See Memory.undo_supersede."""
        return await self._bank(bank).undo_supersede(unit)

    async def forget(
        self,
        what: str | Iterable[str] | UnitFilter,
        *,
        bank: str = DEFAULT_BANK,
        compact: bool = False,
    ) -> Erasure:
        """See Memory.forget."""
        return await self._bank(bank).forget(what, compact=compact)

    async def compact(self, *, bank: str = DEFAULT_BANK) -> str | None:
        """See Memory.compact."""
        return await self._bank(bank).compact()

    async def sessions(
        self,
        *,
        bank: str = DEFAULT_BANK,
        limit: int | None = None,
        offset: int = 0,
        newest: bool = False,
    ) -> builtins.list[Session]:
        """See Memory.sessions."""
        return await self._bank(bank).sessions(limit=limit, offset=offset, newest=newest)

    async def start_session(
        self, name: str, *, bank: str = DEFAULT_BANK, at: date | str | None = None
    ) -> Session:
        """See Memory.start_session."""
        return await self._bank(bank).start_session(name, at=at)

    async def end_session(
        self, name: str, *, bank: str = DEFAULT_BANK, at: date | str | None = None
    ) -> Session:
        """See Memory.end_session."""
        return await self._bank(bank).end_session(name, at=at)

    async def entities(
        self,
        *,
        bank: str = DEFAULT_BANK,
        containing: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> builtins.list[Entity]:
        """See Memory.entities."""
        return await self._bank(bank).entities(containing=containing, limit=limit, offset=offset)

    async def entity(self, entity: int | str, *, bank: str = DEFAULT_BANK) -> EntityCard:
        """See Memory.entity."""
        return await self._bank(bank).entity(entity)

    async def preview_alias(
        self, entity: int | str, alias: str, *, bank: str = DEFAULT_BANK
    ) -> EntityChange:
        """See Memory.preview_alias."""
        return await self._bank(bank).preview_alias(entity, alias)

    async def preview_merge(
        self, keep: int | str, drop: int | str, *, bank: str = DEFAULT_BANK
    ) -> EntityChange:
        """See Memory.preview_merge."""
        return await self._bank(bank).preview_merge(keep, drop)

    async def preview_split(
        self, entity: int | str, name: str, units: Sequence[str], *, bank: str = DEFAULT_BANK
    ) -> EntityChange:
        """See Memory.preview_split."""
        return await self._bank(bank).preview_split(entity, name, units)

    async def alias_entity(
        self, entity: int | str, alias: str, *, bank: str = DEFAULT_BANK
    ) -> Entity:
        """See Memory.alias_entity."""
        return await self._bank(bank).alias_entity(entity, alias)

    async def merge_entities(
        self, keep: int | str, drop: int | str, *, bank: str = DEFAULT_BANK
    ) -> Entity:
        """See Memory.merge_entities."""
        return await self._bank(bank).merge_entities(keep, drop)

    async def split_entity(
        self, entity: int | str, name: str, units: Sequence[str], *, bank: str = DEFAULT_BANK
    ) -> Entity:
        """See Memory.split_entity."""
        return await self._bank(bank).split_entity(entity, name, units)

    async def relate(
        self,
        subject: str,
        relation: str,
        object: str,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RelationFields],
    ) -> int:
        """See Memory.relate."""
        return await self._bank(bank).relate(subject, relation, object, **given)

    async def relations(
        self, *, bank: str = DEFAULT_BANK, limit: int = 100, offset: int = 0
    ) -> builtins.list[StoredRelation]:
        """See Memory.relations."""
        return await self._bank(bank).relations(limit=limit, offset=offset)

    async def link(
        self,
        cause: str,
        effect: str,
        kind: LinkKind | str = "causes",
        weight: float = 1.0,
        *,
        bank: str = DEFAULT_BANK,
    ) -> None:
        """See Memory.link."""
        await self._bank(bank).link(cause, effect, kind, weight)

    async def links(self, unit: str, *, bank: str = DEFAULT_BANK) -> builtins.list[Link]:
        """See Memory.links."""
        return await self._bank(bank).links(unit)

    async def conflicts(
        self, *, bank: str = DEFAULT_BANK, limit: int = 100, offset: int = 0
    ) -> builtins.list[Conflict]:
        """See Memory.conflicts."""
        return await self._bank(bank).conflicts(limit=limit, offset=offset)

    async def accept_conflict(self, old: str, new: str, *, bank: str = DEFAULT_BANK) -> StoredUnit:
        """See Memory.accept_conflict."""
        return await self._bank(bank).accept_conflict(old, new)

    async def reject_conflict(self, old: str, new: str, *, bank: str = DEFAULT_BANK) -> None:
        """See Memory.reject_conflict."""
        await self._bank(bank).reject_conflict(old, new)

    async def info(self, *, bank: str = DEFAULT_BANK) -> BankInfo:
        """See Memory.info."""
        return await self._bank(bank).info()

    async def stats(self, *, bank: str = DEFAULT_BANK) -> Stats:
        """See Memory.stats."""
        return await self._bank(bank).stats()

    async def export(
        self, path: str | Path, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Memory.export."""
        return await self._bank(bank).export(path, progress=progress)

    async def import_(
        self,
        path: str | Path,
        *,
        bank: str = DEFAULT_BANK,
        keep_going: bool = False,
        progress: Progress = no_progress,
    ) -> Imported:
        """See Memory.import_."""
        return await self._bank(bank).import_(path, keep_going=keep_going, progress=progress)

    async def reembed(
        self, encoder: str | Encoder, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Memory.reembed."""
        return await self._bank(bank).reembed(encoder, progress=progress)

    async def doctor(
        self, *, bank: str = DEFAULT_BANK, fix: bool = False
    ) -> builtins.list[Finding]:
        """See Memory.doctor."""
        return await self._bank(bank).doctor(fix=fix)

    async def configure(
        self, changes: Mapping[str, object], *, bank: str = DEFAULT_BANK
    ) -> BankSettings:
        """See Memory.configure."""
        return await self._bank(bank).configure(changes)
