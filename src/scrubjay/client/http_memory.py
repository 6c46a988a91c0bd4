"""HttpMemory: a Memory whose store is a server's."""

from __future__ import annotations

import builtins
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Unpack

import httpx

from scrubjay.answers import Explanation, Parsed, Plan, Recall
from scrubjay.client import calls
from scrubjay.client.decoding import TaskState
from scrubjay.client.http_bank import HttpBank
from scrubjay.client.transport import Patience, Sender, error_of, unreachable, value_of
from scrubjay.encoder.base import Encoder
from scrubjay.engine.extract import Extracted, Extractor
from scrubjay.engine.recall_options import RecallKeywords
from scrubjay.engine.retain.checking import check_path
from scrubjay.engine.retain.told import RelationFields, Told, UnitFields
from scrubjay.engine.transfer import Imported, Progress, no_progress
from scrubjay.engine.transfer.paths import reading, writing
from scrubjay.errors import BadInput
from scrubjay.memory import Memory
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

# A task is asked after at most this often.
_POLL_SECONDS = 0.1
_LINES = {"Content-Type": "application/x-ndjson"}


class HttpMemory(Memory):
    """The same methods, each a request; `Memory.open("http://host:port", key=...)` makes one.

    Busy servers and broken connections are tried again, and a write that is sent twice is done
    once. What a server refuses is raised as the error a local Memory raises, or ServerRefused.
    """

    def __init__(
        self, address: str, key: str | None = None, patience: Patience | None = None
    ) -> None:
        """Nothing is sent yet; BadInput for an address that is none."""
        self._sender = Sender(address, key, patience)

    @property
    def location(self) -> str:
        """The server's address."""
        return self._sender.address

    def bank(self, name: str = DEFAULT_BANK, **settings: object) -> HttpBank:
        """The bank of that name; settings given are stored with it, which needs an admin key."""
        if settings:
            self._sender.send(calls.put_bank(name, settings))
        return HttpBank(self, name)

    def extract(
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
        return self._sender.send(calls.extract(told, bank, given))

    def banks(self) -> builtins.list[BankInfo]:
        """See Memory.banks."""
        return self._sender.send(calls.banks())

    def delete_bank(self, name: str) -> None:
        """See Memory.delete_bank."""
        self._sender.send(calls.delete_bank(name))

    def retain(
        self, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained:
        """See Memory.retain."""
        return self._sender.send(calls.retain(told, bank, given))

    def recall(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Recall:
        """See Memory.recall."""
        return self._sender.send(calls.recall(question, bank, given))

    def recall_batch(
        self, questions: Sequence[str], *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> builtins.list[Recall]:
        """See Memory.recall_batch."""
        return self._sender.send(calls.recall_batch(questions, bank, given))

    def explain(
        self, question: str, unit: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Explanation:
        """See Memory.explain."""
        return self._sender.send(calls.explain(question, unit, bank, given))

    def parse(
        self,
        question: str,
        *,
        bank: str = DEFAULT_BANK,
        timezone: str | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Parsed:
        """See Memory.parse."""
        return self._sender.send(calls.parse(question, bank, timezone, given))

    def plan(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Plan:
        """See Memory.plan."""
        return self._sender.send(calls.plan(question, bank, given))

    def get(self, unit: str, *, bank: str = DEFAULT_BANK) -> StoredUnit:
        """See Memory.get."""
        return self._sender.send(calls.get(unit, bank))

    def list(
        self,
        where: UnitFilter | None = None,
        *,
        bank: str = DEFAULT_BANK,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page:
        """See Memory.list."""
        return self._sender.send(calls.list_units(where, bank, limit, cursor))

    def update(
        self,
        unit: str,
        *,
        text: str | None = None,
        bank: str = DEFAULT_BANK,
        **given: Unpack[UnitFields],
    ) -> StoredUnit:
        """See Memory.update."""
        return self._sender.send(calls.update(unit, text, bank, given))

    def supersede(
        self,
        old: str,
        new: str | Unit,
        *,
        at: datetime | str | None = None,
        bank: str = DEFAULT_BANK,
    ) -> StoredUnit:
        """See Memory.supersede."""
        return self._sender.send(calls.supersede(old, new, at, bank))

    def forget(
        self,
        what: str | Iterable[str] | UnitFilter,
        *,
        bank: str = DEFAULT_BANK,
        compact: bool = False,
    ) -> Erasure:
        """See Memory.forget."""
        return self._sender.send(calls.forget(what, bank, compact))

    def compact(self, *, bank: str = DEFAULT_BANK) -> str | None:
        """See Memory.compact."""
        return self._sender.send(calls.compact(bank))

    def sessions(self, *, bank: str = DEFAULT_BANK) -> builtins.list[Session]:
        """See Memory.sessions."""
        return self._sender.send(calls.sessions(bank))

    def start_session(
        self, name: str, *, at: datetime | None = None, bank: str = DEFAULT_BANK
    ) -> Session:
        """See Memory.start_session."""
        return self._sender.send(calls.session(name, at, bank, end=False))

    def end_session(
        self, name: str, *, at: datetime | None = None, bank: str = DEFAULT_BANK
    ) -> Session:
        """See Memory.end_session."""
        return self._sender.send(calls.session(name, at, bank, end=True))

    def entities(
        self,
        *,
        containing: str | None = None,
        limit: int = 100,
        offset: int = 0,
        bank: str = DEFAULT_BANK,
    ) -> builtins.list[Entity]:
        """See Memory.entities."""
        return self._sender.send(calls.entities(containing, limit, offset, bank))

    def alias_entity(self, entity: int, alias: str, *, bank: str = DEFAULT_BANK) -> Entity:
        """See Memory.alias_entity."""
        return self._sender.send(calls.alias_entity(entity, alias, bank))

    def merge_entities(self, keep: int, drop: int, *, bank: str = DEFAULT_BANK) -> Entity:
        """See Memory.merge_entities."""
        return self._sender.send(calls.merge_entities(keep, drop, bank))

    def split_entity(
        self, entity: int, name: str, units: Sequence[str], *, bank: str = DEFAULT_BANK
    ) -> Entity:
        """See Memory.split_entity."""
        return self._sender.send(calls.split_entity(entity, name, units, bank))

    def relate(
        self,
        subject: str,
        relation: str,
        object: str,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RelationFields],
    ) -> int:
        """See Memory.relate."""
        return self._sender.send(calls.relate(subject, relation, object, bank, given))

    def relations(
        self, *, limit: int = 100, offset: int = 0, bank: str = DEFAULT_BANK
    ) -> builtins.list[StoredRelation]:
        """See Memory.relations."""
        return self._sender.send(calls.relations(limit, offset, bank))

    def link(
        self,
        cause: str,
        effect: str,
        kind: LinkKind | str = LinkKind.CAUSES,
        weight: float = 1.0,
        *,
        bank: str = DEFAULT_BANK,
    ) -> None:
        """See Memory.link."""
        self._sender.send(calls.link(cause, effect, kind, weight, bank))

    def links(self, unit: str, *, bank: str = DEFAULT_BANK) -> builtins.list[Link]:
        """See Memory.links."""
        return self._sender.send(calls.links(unit, bank))

    def stats(self, *, bank: str = DEFAULT_BANK) -> Stats:
        """See Memory.stats."""
        return self._sender.send(calls.stats(bank))

    def doctor(self, *, bank: str = DEFAULT_BANK, fix: bool = False) -> builtins.list[Finding]:
        """See Memory.doctor."""
        return self._sender.send(calls.doctor(bank, fix))

    def export(
        self, path: str | Path, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Memory.export; the file is written here."""
        target, lines = check_path(path), 0
        try:
            with self._sender.opened().stream("GET", calls.export_path(bank)) as answer:
                if not answer.is_success:
                    answer.read()
                    value_of(answer)
                with writing(target) as out:
                    for chunk in answer.iter_bytes():
                        out.write(chunk)
                        lines += chunk.count(b"\n")
                        progress(lines, 0)
        except httpx.TransportError as error:
            raise unreachable(self.location, error) from error
        return lines

    def import_(
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
            answer = self._sender.opened().post(
                calls.import_path(bank), content=_chunks(source), headers=_LINES, params=query
            )
        except httpx.TransportError as error:
            raise unreachable(self.location, error) from error
        value_of(answer)
        return calls.imported(self._finished(answer.headers["location"], progress))

    def reembed(
        self, encoder: str | Encoder, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Memory.reembed; `encoder` is one the server has."""
        address = self._sender.send(calls.reembed(encoder, bank))
        return calls.reembedded(self._finished(address, progress))

    def _finished(self, address: str, progress: Progress) -> TaskState:
        while True:
            task = self._sender.send(calls.task(address))
            progress(task.done, task.total)
            if task.state == "done":
                return task
            if task.state == "failed":
                raise error_of(500, task.problem or {})
            time.sleep(_POLL_SECONDS)

    def backup(self, target: str | Path) -> None:
        """Not over HTTP: a backup is made where the store is."""
        raise BadInput("backup", str(target), "Run `scrubjay backup` on the server's machine.")

    def close(self) -> None:
        """Close the connections; the server goes on."""
        self._sender.client.close()


def _chunks(path: Path) -> Iterator[bytes]:
    with reading(path) as file:
        while chunk := file.read(1 << 16):
            yield chunk
