"""HttpBank: one bank of an HttpMemory."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from scrubjay.answers import Explanation, Parsed, Plan, Recall, RecallOptions
from scrubjay.bank import Bank
from scrubjay.client import calls
from scrubjay.encoder.base import Encoder
from scrubjay.engine.recall_options import RecallKeywords
from scrubjay.engine.retain.checking import check_bank_name
from scrubjay.engine.retain.told import RelationFields, Told, UnitFields
from scrubjay.engine.transfer import Imported, Progress, no_progress
from scrubjay.settings import BankSettings
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

if TYPE_CHECKING:
    from scrubjay.client.http_memory import HttpMemory


class HttpBank(Bank):
    """The same methods as a Bank, each a request; made by `HttpMemory.bank(name)`."""

    def __init__(self, memory: HttpMemory, name: str) -> None:
        self._memory = memory
        self._sender = memory._sender
        self._name = check_bank_name(name)

    @property
    def settings(self) -> BankSettings:
        """The bank's settings."""
        return self._sender.send(calls.bank_settings(self._name))

    def configure(self, changes: Mapping[str, object]) -> BankSettings:
        """See Bank.configure."""
        return self._sender.send(calls.put_bank(self._name, changes))

    def info(self) -> BankInfo:
        """See Bank.info."""
        return self._sender.send(calls.bank_info(self._name))

    def export(self, path: str | Path, *, progress: Progress = no_progress) -> int:
        """See HttpMemory.export."""
        return self._memory.export(path, bank=self._name, progress=progress)

    def import_(
        self, path: str | Path, *, keep_going: bool = False, progress: Progress = no_progress
    ) -> Imported:
        """See HttpMemory.import_."""
        return self._memory.import_(path, bank=self._name, keep_going=keep_going, progress=progress)

    def reembed(self, encoder: str | Encoder, *, progress: Progress = no_progress) -> int:
        """See HttpMemory.reembed."""
        return self._memory.reembed(encoder, bank=self._name, progress=progress)

    def retain(self, told: Told, **given: Unpack[UnitFields]) -> Retained:
        """See Bank.retain."""
        return self._sender.send(calls.retain(told, self._name, given))

    def recall(
        self, question: str, options: RecallOptions | None = None, **given: Unpack[RecallKeywords]
    ) -> Recall:
        """See Bank.recall."""
        return self._sender.send(
            calls.recall(question, self._name, calls.keywords_of(options, given))
        )

    def recall_batch(
        self,
        questions: Sequence[str],
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> builtins.list[Recall]:
        """See Bank.recall_batch."""
        return self._sender.send(
            calls.recall_batch(questions, self._name, calls.keywords_of(options, given))
        )

    def explain(
        self,
        question: str,
        unit: str,
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Explanation:
        """See Bank.explain."""
        return self._sender.send(
            calls.explain(question, unit, self._name, calls.keywords_of(options, given))
        )

    def parse(
        self, question: str, *, timezone: str | None = None, **given: Unpack[RecallKeywords]
    ) -> Parsed:
        """See Bank.parse."""
        return self._sender.send(calls.parse(question, self._name, timezone, given))

    def plan(self, question: str, **given: Unpack[RecallKeywords]) -> Plan:
        """See Bank.plan."""
        return self._sender.send(calls.plan(question, self._name, given))

    def get(self, unit: str) -> StoredUnit:
        """See Bank.get."""
        return self._sender.send(calls.get(unit, self._name))

    def list(
        self, where: UnitFilter | None = None, *, limit: int = 100, cursor: str | None = None
    ) -> Page:
        """See Bank.list."""
        return self._sender.send(calls.list_units(where, self._name, limit, cursor))

    def update(
        self, unit: str, *, text: str | None = None, **given: Unpack[UnitFields]
    ) -> StoredUnit:
        """See Bank.update."""
        return self._sender.send(calls.update(unit, text, self._name, given))

    def supersede(
        self, old: str, new: str | Unit, *, at: datetime | str | None = None
    ) -> StoredUnit:
        """See Bank.supersede."""
        return self._sender.send(calls.supersede(old, new, at, self._name))

    def forget(self, what: str | Iterable[str] | UnitFilter, *, compact: bool = False) -> Erasure:
        """See Bank.forget."""
        return self._sender.send(calls.forget(what, self._name, compact))

    def compact(self) -> str | None:
        """See Bank.compact."""
        return self._sender.send(calls.compact(self._name))

    def sessions(self) -> builtins.list[Session]:
        """See Bank.sessions."""
        return self._sender.send(calls.sessions(self._name))

    def start_session(self, name: str, *, at: datetime | None = None) -> Session:
        """See Bank.start_session."""
        return self._sender.send(calls.session(name, at, self._name, end=False))

    def end_session(self, name: str, *, at: datetime | None = None) -> Session:
        """See Bank.end_session."""
        return self._sender.send(calls.session(name, at, self._name, end=True))

    def entities(
        self, *, containing: str | None = None, limit: int = 100, offset: int = 0
    ) -> builtins.list[Entity]:
        """See Bank.entities."""
        return self._sender.send(calls.entities(containing, limit, offset, self._name))

    def alias_entity(self, entity: int, alias: str) -> Entity:
        """See Bank.alias_entity."""
        return self._sender.send(calls.alias_entity(entity, alias, self._name))

    def merge_entities(self, keep: int, drop: int) -> Entity:
        """See Bank.merge_entities."""
        return self._sender.send(calls.merge_entities(keep, drop, self._name))

    def split_entity(self, entity: int, name: str, units: Sequence[str]) -> Entity:
        """See Bank.split_entity."""
        return self._sender.send(calls.split_entity(entity, name, units, self._name))

    def relate(
        self, subject: str, relation: str, object: str, **given: Unpack[RelationFields]
    ) -> int:
        """See Bank.relate."""
        return self._sender.send(calls.relate(subject, relation, object, self._name, given))

    def relations(self, *, limit: int = 100, offset: int = 0) -> builtins.list[StoredRelation]:
        """See Bank.relations."""
        return self._sender.send(calls.relations(limit, offset, self._name))

    def link(
        self, cause: str, effect: str, kind: LinkKind | str = LinkKind.CAUSES, weight: float = 1.0
    ) -> None:
        """See Bank.link."""
        self._sender.send(calls.link(cause, effect, kind, weight, self._name))

    def links(self, unit: str) -> builtins.list[Link]:
        """See Bank.links."""
        return self._sender.send(calls.links(unit, self._name))

    def stats(self) -> Stats:
        """See Bank.stats."""
        return self._sender.send(calls.stats(self._name))

    def doctor(self, *, fix: bool = False) -> builtins.list[Finding]:
        """See Bank.doctor."""
        return self._sender.send(calls.doctor(self._name, fix))
