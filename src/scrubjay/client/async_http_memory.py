"""AsyncHttpMemory: HttpMemory for an event loop, without threads."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Self, Unpack

import httpx

from scrubjay.answers import Explanation, Parsed, Plan, Recall
from scrubjay.client import calls
from scrubjay.client.decoding import TaskState
from scrubjay.client.transport import AsyncSender, Patience, error_of, unreachable, value_of
from scrubjay.encoder.base import Encoder
from scrubjay.engine.extract import Extracted, Extractor
from scrubjay.engine.recall_options import RecallKeywords
from scrubjay.engine.retain.checking import check_path
from scrubjay.engine.retain.told import RelationFields, Told, UnitFields
from scrubjay.engine.transfer import Imported, Progress, no_progress
from scrubjay.engine.transfer.paths import reading, writing
from scrubjay.errors import BadInput
from scrubjay.settings import DEFAULT_BANK
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

_POLL_SECONDS = 0.1
_LINES = {"Content-Type": "application/x-ndjson"}


class AsyncHttpMemory:
    """The methods of AsyncMemory, each a request that does not block; see HttpMemory."""

    def __init__(
        self, address: str, key: str | None = None, patience: Patience | None = None
    ) -> None:
        """Nothing is sent yet; BadInput for an address that is none."""
        self._sender = AsyncSender(address, key, patience)

    @property
    def location(self) -> str:
        """The server's address."""
        return self._sender.address

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; the server goes on."""
        await self._sender.client.aclose()

    async def add(
        self, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained:
        """The same as retain."""
        return await self.retain(told, bank=bank, **given)

    async def remember(
        self, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained:
        """The same as retain."""
        return await self.retain(told, bank=bank, **given)

    async def search(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Recall:
        """The same as recall."""
        return await self.recall(question, bank=bank, **given)

    async def extract(
        self,
        told: Told,
        *,
        bank: str = DEFAULT_BANK,
        extractor: Extractor | None = None,
        **given: Unpack[UnitFields],
    ) -> Extracted:
        """See Memory.extract; the server's own language model is asked."""
        if extractor is not None:
            raise BadInput("extractor", extractor, "Leave it out; the server has its own.")
        return await self._sender.send(calls.extract(told, bank, given))

    async def banks(self) -> builtins.list[BankInfo]:
        """See Memory.banks."""
        return await self._sender.send(calls.banks())

    async def delete_bank(self, name: str) -> None:
        """See Memory.delete_bank."""
        await self._sender.send(calls.delete_bank(name))

    async def retain(
        self, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained:
        """See Memory.retain."""
        return await self._sender.send(calls.retain(told, bank, given))

    async def recall(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Recall:
        """See Memory.recall."""
        return await self._sender.send(calls.recall(question, bank, given))

    async def recall_batch(
        self, questions: Sequence[str], *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> builtins.list[Recall]:
        """See Memory.recall_batch."""
        return await self._sender.send(calls.recall_batch(questions, bank, given))

    async def explain(
        self, question: str, unit: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Explanation:
        """See Memory.explain."""
        return await self._sender.send(calls.explain(question, unit, bank, given))

    async def parse(
        self,
        question: str,
        *,
        bank: str = DEFAULT_BANK,
        timezone: str | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Parsed:
        """See Memory.parse."""
        return await self._sender.send(calls.parse(question, bank, timezone, given))

    async def plan(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Plan:
        """See Memory.plan."""
        return await self._sender.send(calls.plan(question, bank, given))

    async def get(self, unit: str, *, bank: str = DEFAULT_BANK) -> StoredUnit:
        """See Memory.get."""
        return await self._sender.send(calls.get(unit, bank))

    async def list(
        self,
        where: UnitFilter | None = None,
        *,
        bank: str = DEFAULT_BANK,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page:
        """See Memory.list."""
        return await self._sender.send(calls.list_units(where, bank, limit, cursor))

    async def update(
        self,
        unit: str,
        *,
        text: str | None = None,
        bank: str = DEFAULT_BANK,
        **given: Unpack[UnitFields],
    ) -> StoredUnit:
        """See Memory.update."""
        return await self._sender.send(calls.update(unit, text, bank, given))

    async def supersede(
        self,
        old: str,
        new: str | Unit,
        *,
        at: datetime | str | None = None,
        bank: str = DEFAULT_BANK,
    ) -> StoredUnit:
        """See Memory.supersede."""
        return await self._sender.send(calls.supersede(old, new, at, bank))

    async def forget(
        self,
        what: str | Iterable[str] | UnitFilter,
        *,
        bank: str = DEFAULT_BANK,
        compact: bool = False,
    ) -> Erasure:
        """See Memory.forget."""
        return await self._sender.send(calls.forget(what, bank, compact))

    async def compact(self, *, bank: str = DEFAULT_BANK) -> str | None:
        """See Memory.compact."""
        return await self._sender.send(calls.compact(bank))

    async def sessions(self, *, bank: str = DEFAULT_BANK) -> builtins.list[Session]:
        """See Memory.sessions."""
        return await self._sender.send(calls.sessions(bank))

    async def start_session(
        self, name: str, *, at: datetime | None = None, bank: str = DEFAULT_BANK
    ) -> Session:
        """See Memory.start_session."""
        return await self._sender.send(calls.session(name, at, bank, end=False))

    async def end_session(
        self, name: str, *, at: datetime | None = None, bank: str = DEFAULT_BANK
    ) -> Session:
        """See Memory.end_session."""
        return await self._sender.send(calls.session(name, at, bank, end=True))

    async def entities(
        self,
        *,
        containing: str | None = None,
        limit: int = 100,
        offset: int = 0,
        bank: str = DEFAULT_BANK,
    ) -> builtins.list[Entity]:
        """See Memory.entities."""
        return await self._sender.send(calls.entities(containing, limit, offset, bank))

    async def alias_entity(self, entity: int, alias: str, *, bank: str = DEFAULT_BANK) -> Entity:
        """See Memory.alias_entity."""
        return await self._sender.send(calls.alias_entity(entity, alias, bank))

    async def merge_entities(self, keep: int, drop: int, *, bank: str = DEFAULT_BANK) -> Entity:
        """See Memory.merge_entities."""
        return await self._sender.send(calls.merge_entities(keep, drop, bank))

    async def split_entity(
        self, entity: int, name: str, units: Sequence[str], *, bank: str = DEFAULT_BANK
    ) -> Entity:
        """See Memory.split_entity."""
        return await self._sender.send(calls.split_entity(entity, name, units, bank))

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
        return await self._sender.send(calls.relate(subject, relation, object, bank, given))

    async def relations(
        self, *, limit: int = 100, offset: int = 0, bank: str = DEFAULT_BANK
    ) -> builtins.list[StoredRelation]:
        """See Memory.relations."""
        return await self._sender.send(calls.relations(limit, offset, bank))

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
        await self._sender.send(calls.link(cause, effect, kind, weight, bank))

    async def links(self, unit: str, *, bank: str = DEFAULT_BANK) -> builtins.list[Link]:
        """See Memory.links."""
        return await self._sender.send(calls.links(unit, bank))

    async def stats(self, *, bank: str = DEFAULT_BANK) -> Stats:
        """See Memory.stats."""
        return await self._sender.send(calls.stats(bank))

    async def doctor(
        self, *, bank: str = DEFAULT_BANK, fix: bool = False
    ) -> builtins.list[Finding]:
        """See Memory.doctor."""
        return await self._sender.send(calls.doctor(bank, fix))

    async def export(
        self, path: str | Path, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Memory.export; the file is written here."""
        target, lines = check_path(path), 0
        try:
            async with self._sender.opened().stream("GET", calls.export_path(bank)) as answer:
                if not answer.is_success:
                    await answer.aread()
                    value_of(answer)
                with writing(target) as out:
                    async for chunk in answer.aiter_bytes():
                        out.write(chunk)
                        lines += chunk.count(b"\n")
                        progress(lines, 0)
        except httpx.TransportError as error:
            raise unreachable(self.location, error) from error
        return lines

    async def import_(
        self,
        path: str | Path,
        *,
        bank: str = DEFAULT_BANK,
        keep_going: bool = False,
        progress: Progress = no_progress,
    ) -> Imported:
        """See Memory.import_; the file is read here, and the server's work is waited for."""
        source = check_path(path)
        query = {"keep_going": "true" if keep_going else "false"}
        try:
            answer = await self._sender.opened().post(
                calls.import_path(bank), content=_chunks(source), headers=_LINES, params=query
            )
        except httpx.TransportError as error:
            raise unreachable(self.location, error) from error
        value_of(answer)
        return calls.imported(await self._finished(answer.headers["location"], progress))

    async def reembed(
        self, encoder: str | Encoder, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Memory.reembed; `encoder` is one the server has."""
        address = await self._sender.send(calls.reembed(encoder, bank))
        return calls.reembedded(await self._finished(address, progress))

    async def _finished(self, address: str, progress: Progress) -> TaskState:
        while True:
            task = await self._sender.send(calls.task(address))
            progress(task.done, task.total)
            if task.state == "done":
                return task
            if task.state == "failed":
                raise error_of(500, task.problem or {})
            await asyncio.sleep(_POLL_SECONDS)


async def _chunks(path: Path) -> AsyncIterator[bytes]:
    with reading(path) as file:
        while chunk := file.read(1 << 16):
            yield chunk
