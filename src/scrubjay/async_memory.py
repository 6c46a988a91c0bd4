"""AsyncMemory: Memory, awaitable; every call runs in a worker thread."""

from __future__ import annotations

import asyncio
import builtins
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Self, Unpack

from scrubjay.aliases import AsyncMemoryAliases
from scrubjay.answers import Explanation, Parsed, Plan, Recall
from scrubjay.bank import Bank
from scrubjay.encoder.base import Encoder, Reranker
from scrubjay.engine.recall_options import RecallKeywords
from scrubjay.engine.retain.told import RelationFields, Told, UnitFields
from scrubjay.engine.retrieve.retriever import Retriever, Search
from scrubjay.engine.toolbox import AUTO, Clock, utc_now
from scrubjay.engine.transfer import Imported, Progress, no_progress
from scrubjay.memory import Memory
from scrubjay.settings import DEFAULT_BANK
from scrubjay.trace import UNOBSERVED, Observer
from scrubjay.types import (
    BankInfo,
    Entity,
    Erasure,
    Finding,
    Link,
    LinkKind,
    Page,
    Retained,
    Session,
    Stats,
    StoredRelation,
    StoredUnit,
    Unit,
    UnitFilter,
)


class AsyncMemory(AsyncMemoryAliases):
    """The same store and methods as Memory, for code that must not block its event loop."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

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
        memory = await asyncio.to_thread(
            Memory.open,
            path,
            encoder=encoder,
            reranker=reranker,
            read_only=read_only,
            clock=clock,
            retrievers=retrievers,
            observer=observer,
            key=key,
        )
        return cls(memory)

    @property
    def location(self) -> str:
        """Where the store is."""
        return self._memory.location

    async def bank(self, name: str = DEFAULT_BANK, **settings: object) -> Bank:
        """See Memory.bank; the Bank itself is synchronous."""
        return await asyncio.to_thread(self._memory.bank, name, **settings)

    @staticmethod
    async def restore(backup: str | Path, path: str | Path) -> None:
        """See Memory.restore."""
        await asyncio.to_thread(Memory.restore, backup, path)

    async def close(self) -> None:
        """See Memory.close."""
        await asyncio.to_thread(self._memory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def banks(self) -> builtins.list[BankInfo]:
        """See Memory.banks."""
        return await asyncio.to_thread(self._memory.banks)

    async def delete_bank(self, name: str) -> None:
        """See Memory.delete_bank."""
        return await asyncio.to_thread(self._memory.delete_bank, name)

    async def retain(
        self, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained:
        """See Memory.retain."""
        return await asyncio.to_thread(self._memory.retain, told, bank=bank, **given)

    async def recall(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Recall:
        """See Memory.recall."""
        return await asyncio.to_thread(self._memory.recall, question, bank=bank, **given)

    async def recall_batch(
        self, questions: Sequence[str], *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> builtins.list[Recall]:
        """See Memory.recall_batch."""
        return await asyncio.to_thread(self._memory.recall_batch, questions, bank=bank, **given)

    async def explain(
        self, question: str, unit: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Explanation:
        """See Memory.explain."""
        return await asyncio.to_thread(self._memory.explain, question, unit, bank=bank, **given)

    async def parse(
        self,
        question: str,
        *,
        bank: str = DEFAULT_BANK,
        timezone: str | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Parsed:
        """See Memory.parse."""
        return await asyncio.to_thread(
            self._memory.parse, question, bank=bank, timezone=timezone, **given
        )

    async def plan(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Plan:
        """See Memory.plan."""
        return await asyncio.to_thread(self._memory.plan, question, bank=bank, **given)

    async def get(self, unit: str, *, bank: str = DEFAULT_BANK) -> StoredUnit:
        """See Memory.get."""
        return await asyncio.to_thread(self._memory.get, unit, bank=bank)

    async def list(
        self,
        where: UnitFilter | None = None,
        *,
        bank: str = DEFAULT_BANK,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page:
        """See Memory.list."""
        return await asyncio.to_thread(
            self._memory.list, where, bank=bank, limit=limit, cursor=cursor
        )

    async def update(
        self,
        unit: str,
        *,
        text: str | None = None,
        bank: str = DEFAULT_BANK,
        **given: Unpack[UnitFields],
    ) -> StoredUnit:
        """See Memory.update."""
        return await asyncio.to_thread(self._memory.update, unit, text=text, bank=bank, **given)

    async def supersede(
        self,
        old: str,
        new: str | Unit,
        *,
        at: datetime | str | None = None,
        bank: str = DEFAULT_BANK,
    ) -> StoredUnit:
        """See Memory.supersede."""
        return await asyncio.to_thread(self._memory.supersede, old, new, at=at, bank=bank)

    async def forget(
        self,
        what: str | Iterable[str] | UnitFilter,
        *,
        bank: str = DEFAULT_BANK,
        compact: bool = False,
    ) -> Erasure:
        """See Memory.forget."""
        return await asyncio.to_thread(self._memory.forget, what, bank=bank, compact=compact)

    async def compact(self, *, bank: str = DEFAULT_BANK) -> str | None:
        """See Memory.compact."""
        return await asyncio.to_thread(self._memory.compact, bank=bank)

    async def sessions(self, *, bank: str = DEFAULT_BANK) -> builtins.list[Session]:
        """See Memory.sessions."""
        return await asyncio.to_thread(self._memory.sessions, bank=bank)

    async def start_session(
        self, name: str, *, at: datetime | None = None, bank: str = DEFAULT_BANK
    ) -> Session:
        """See Memory.start_session."""
        return await asyncio.to_thread(self._memory.start_session, name, at=at, bank=bank)

    async def end_session(
        self, name: str, *, at: datetime | None = None, bank: str = DEFAULT_BANK
    ) -> Session:
        """See Memory.end_session."""
        return await asyncio.to_thread(self._memory.end_session, name, at=at, bank=bank)

    async def entities(
        self,
        *,
        containing: str | None = None,
        limit: int = 100,
        offset: int = 0,
        bank: str = DEFAULT_BANK,
    ) -> builtins.list[Entity]:
        """See Memory.entities."""
        return await asyncio.to_thread(
            self._memory.entities, containing=containing, limit=limit, offset=offset, bank=bank
        )

    async def alias_entity(self, entity: int, alias: str, *, bank: str = DEFAULT_BANK) -> Entity:
        """See Memory.alias_entity."""
        return await asyncio.to_thread(self._memory.alias_entity, entity, alias, bank=bank)

    async def merge_entities(self, keep: int, drop: int, *, bank: str = DEFAULT_BANK) -> Entity:
        """See Memory.merge_entities."""
        return await asyncio.to_thread(self._memory.merge_entities, keep, drop, bank=bank)

    async def split_entity(
        self, entity: int, name: str, units: Sequence[str], *, bank: str = DEFAULT_BANK
    ) -> Entity:
        """See Memory.split_entity."""
        return await asyncio.to_thread(self._memory.split_entity, entity, name, units, bank=bank)

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
        return await asyncio.to_thread(
            self._memory.relate, subject, relation, object, bank=bank, **given
        )

    async def relations(
        self, *, limit: int = 100, offset: int = 0, bank: str = DEFAULT_BANK
    ) -> builtins.list[StoredRelation]:
        """See Memory.relations."""
        return await asyncio.to_thread(
            self._memory.relations, limit=limit, offset=offset, bank=bank
        )

    async def link(
        self,
        cause: str,
        effect: str,
        kind: LinkKind | str = LinkKind.CAUSES,
        weight: float = 1.0,
        *,
        bank: str = DEFAULT_BANK,
    ) -> None:
        """See Memory.link."""
        return await asyncio.to_thread(self._memory.link, cause, effect, kind, weight, bank=bank)

    async def links(self, unit: str, *, bank: str = DEFAULT_BANK) -> builtins.list[Link]:
        """See Memory.links."""
        return await asyncio.to_thread(self._memory.links, unit, bank=bank)

    async def stats(self, *, bank: str = DEFAULT_BANK) -> Stats:
        """See Memory.stats."""
        return await asyncio.to_thread(self._memory.stats, bank=bank)

    async def export(
        self, path: str | Path, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Memory.export."""
        return await asyncio.to_thread(self._memory.export, path, bank=bank, progress=progress)

    async def import_(
        self,
        path: str | Path,
        *,
        bank: str = DEFAULT_BANK,
        keep_going: bool = False,
        progress: Progress = no_progress,
    ) -> Imported:
        """See Memory.import_."""
        return await asyncio.to_thread(
            self._memory.import_, path, bank=bank, keep_going=keep_going, progress=progress
        )

    async def reembed(
        self, encoder: str | Encoder, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Memory.reembed."""
        return await asyncio.to_thread(self._memory.reembed, encoder, bank=bank, progress=progress)

    async def doctor(
        self, *, bank: str = DEFAULT_BANK, fix: bool = False
    ) -> builtins.list[Finding]:
        """See Memory.doctor."""
        return await asyncio.to_thread(self._memory.doctor, bank=bank, fix=fix)

    async def backup(self, target: str | Path) -> None:
        """See Memory.backup."""
        return await asyncio.to_thread(self._memory.backup, target)
