"""Memory: a store full of banks, opened in one line."""

from __future__ import annotations

import builtins
import contextlib
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Self, Unpack

import platformdirs

from scrubjay.aliases import MemoryAliases
from scrubjay.answers import Explanation, Parsed, Plan, Recall
from scrubjay.bank import Bank
from scrubjay.encoder.base import Encoder, Reranker
from scrubjay.engine.recall_options import RecallKeywords
from scrubjay.engine.retain.checking import check_analysis, check_bank_name, check_path
from scrubjay.engine.retain.told import RelationFields, Told, UnitFields
from scrubjay.engine.retrieve.retriever import Retriever, Search
from scrubjay.engine.toolbox import AUTO, Clock, Toolbox, utc_now
from scrubjay.engine.transfer import Imported, Progress, no_progress
from scrubjay.errors import BadInput, ExtraMissing, NotFound, StoreError
from scrubjay.settings import DEFAULT_BANK, BankSettings
from scrubjay.store.base import Store
from scrubjay.store.embedded.directory.bank_folders import PARTIAL
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.store.making import MadeWhenUsed
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

IN_MEMORY = ":memory:"
HTTP_SCHEMES = ("http://", "https://")
KEY_VARIABLE = "SCRUBJAY_KEY"
SERVER_SCHEMES = ("postgresql://", "postgres://")


class Memory(MemoryAliases):
    """Everything an agent was told, in banks; every method takes `bank=`, by default "default".

    Open it with `Memory.open()`, close it with `close()` or a `with` block. One process writes
    a store, any number read it; all methods may be called from many threads at once.
    """

    def __init__(self, store: Store, toolbox: Toolbox) -> None:
        self._store = store
        self._toolbox = toolbox

    @classmethod
    def open(
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
        """Open a store: a directory (made if new), ':memory:', or by default your data directory.

        `encoder` and `reranker` are "auto", a name from `scrubjay models list`, an address, an
        object with the protocol, or None to do without. `retrievers` replaces the four by name, or
        adds to them; `observer` is told of changes. `http://host:port` is a server, with its `key`.
        """
        if isinstance(path, str) and path.startswith(HTTP_SCHEMES):
            from scrubjay.client import HttpMemory  # only who uses it needs httpx

            # It overrides every method; the server chooses its own encoder and the rest.
            return HttpMemory(path, key or os.environ.get(KEY_VARIABLE))  # type: ignore[return-value]
        toolbox = Toolbox(encoder, reranker, clock, retrievers, observer)
        return cls(open_store(path, read_only=read_only, clock=clock), toolbox)

    @property
    def location(self) -> str:
        """Where the store is."""
        return self._store.location

    def bank(self, name: str = DEFAULT_BANK, **settings: object) -> Bank:
        """The bank of that name, made if new; settings given are stored with it."""
        bank = Bank(self._store, check_bank_name(name), self._toolbox)
        made = BankSettings().changed(settings)
        check_analysis(made.analysis, made.analysis, units=0)
        if not self._store.create_bank(name, made) and settings:
            bank.configure(settings)
        return bank

    def _existing(self, name: str, *, written: bool = False) -> Bank:
        """A bank to use; reading never makes one, except the default bank's emptiness."""
        name = check_bank_name(name)
        made = written or (name == DEFAULT_BANK and not self._store.read_only)
        banks = MadeWhenUsed(self._store) if made else self._store
        return Bank(banks, name, self._toolbox)

    def banks(self) -> builtins.list[BankInfo]:
        """All banks, by name."""
        cards = []
        for name in self._store.bank_names():
            with contextlib.suppress(NotFound):  # deleted meanwhile
                cards.append(self._existing(name).info())
        return cards

    def delete_bank(self, name: str) -> None:
        """Erase a bank and its files."""
        if not self._store.delete_bank(check_bank_name(name)):
            raise NotFound("no such bank", name, "List them with banks().")

    def retain(
        self, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained:
        """See Bank.retain; the bank is made if new."""
        return self._existing(bank, written=True).retain(told, **given)

    def recall(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Recall:
        """See Bank.recall."""
        return self._existing(bank).recall(question, **given)

    def recall_batch(
        self,
        questions: Sequence[str],
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> builtins.list[Recall]:
        """See Bank.recall_batch."""
        return self._existing(bank).recall_batch(questions, **given)

    def explain(
        self,
        question: str,
        unit: str,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> Explanation:
        """See Bank.explain."""
        return self._existing(bank).explain(question, unit, **given)

    def parse(
        self,
        question: str,
        *,
        bank: str = DEFAULT_BANK,
        timezone: str | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Parsed:
        """See Bank.parse."""
        return self._existing(bank).parse(question, timezone=timezone, **given)

    def plan(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Plan:
        """See Bank.plan."""
        return self._existing(bank).plan(question, **given)

    def get(self, unit: str, *, bank: str = DEFAULT_BANK) -> StoredUnit:
        """See Bank.get."""
        return self._existing(bank).get(unit)

    def list(
        self,
        where: UnitFilter | None = None,
        *,
        bank: str = DEFAULT_BANK,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page:
        """See Bank.list."""
        return self._existing(bank).list(where, limit=limit, cursor=cursor)

    def update(
        self,
        unit: str,
        *,
        text: str | None = None,
        bank: str = DEFAULT_BANK,
        **given: Unpack[UnitFields],
    ) -> StoredUnit:
        """See Bank.update."""
        return self._existing(bank).update(unit, text=text, **given)

    def supersede(
        self,
        old: str,
        new: str | Unit,
        *,
        at: datetime | str | None = None,
        bank: str = DEFAULT_BANK,
    ) -> StoredUnit:
        """See Bank.supersede."""
        return self._existing(bank).supersede(old, new, at=at)

    def forget(
        self,
        what: str | Iterable[str] | UnitFilter,
        *,
        bank: str = DEFAULT_BANK,
        compact: bool = False,
    ) -> Erasure:
        """See Bank.forget."""
        return self._existing(bank).forget(what, compact=compact)

    def compact(self, *, bank: str = DEFAULT_BANK) -> str | None:
        """See Bank.compact."""
        return self._existing(bank).compact()

    def sessions(self, *, bank: str = DEFAULT_BANK) -> builtins.list[Session]:
        """See Bank.sessions."""
        return self._existing(bank).sessions()

    def start_session(
        self, name: str, *, at: datetime | None = None, bank: str = DEFAULT_BANK
    ) -> Session:
        """See Bank.start_session; the bank is made if new."""
        return self._existing(bank, written=True).start_session(name, at=at)

    def end_session(
        self, name: str, *, at: datetime | None = None, bank: str = DEFAULT_BANK
    ) -> Session:
        """See Bank.end_session."""
        return self._existing(bank).end_session(name, at=at)

    def entities(
        self,
        *,
        containing: str | None = None,
        limit: int = 100,
        offset: int = 0,
        bank: str = DEFAULT_BANK,
    ) -> builtins.list[Entity]:
        """See Bank.entities."""
        return self._existing(bank).entities(containing=containing, limit=limit, offset=offset)

    def alias_entity(self, entity: int, alias: str, *, bank: str = DEFAULT_BANK) -> Entity:
        """See Bank.alias_entity."""
        return self._existing(bank).alias_entity(entity, alias)

    def merge_entities(self, keep: int, drop: int, *, bank: str = DEFAULT_BANK) -> Entity:
        """See Bank.merge_entities."""
        return self._existing(bank).merge_entities(keep, drop)

    def split_entity(
        self, entity: int, name: str, units: Sequence[str], *, bank: str = DEFAULT_BANK
    ) -> Entity:
        """See Bank.split_entity."""
        return self._existing(bank).split_entity(entity, name, units)

    def relate(
        self,
        subject: str,
        relation: str,
        object: str,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RelationFields],
    ) -> int:
        """See Bank.relate; the bank is made if new."""
        return self._existing(bank, written=True).relate(subject, relation, object, **given)

    def relations(
        self, *, limit: int = 100, offset: int = 0, bank: str = DEFAULT_BANK
    ) -> builtins.list[StoredRelation]:
        """See Bank.relations."""
        return self._existing(bank).relations(limit=limit, offset=offset)

    def link(
        self,
        cause: str,
        effect: str,
        kind: LinkKind | str = LinkKind.CAUSES,
        weight: float = 1.0,
        *,
        bank: str = DEFAULT_BANK,
    ) -> None:
        """See Bank.link."""
        self._existing(bank).link(cause, effect, kind, weight)

    def links(self, unit: str, *, bank: str = DEFAULT_BANK) -> builtins.list[Link]:
        """See Bank.links."""
        return self._existing(bank).links(unit)

    def stats(self, *, bank: str = DEFAULT_BANK) -> Stats:
        """See Bank.stats."""
        return self._existing(bank).stats()

    def export(
        self, path: str | Path, *, bank: str = DEFAULT_BANK, progress: Progress = no_progress
    ) -> int:
        """See Bank.export."""
        return self._existing(bank).export(path, progress=progress)

    def import_(
        self,
        path: str | Path,
        *,
        bank: str = DEFAULT_BANK,
        keep_going: bool = False,
        progress: Progress = no_progress,
    ) -> Imported:
        """See Bank.import_; the bank is made if new."""
        return self._existing(bank, written=True).import_(
            path, keep_going=keep_going, progress=progress
        )

    def reembed(
        self,
        encoder: str | Encoder,
        *,
        bank: str = DEFAULT_BANK,
        progress: Progress = no_progress,
    ) -> int:
        """See Bank.reembed."""
        return self._existing(bank).reembed(encoder, progress=progress)

    def doctor(self, *, bank: str = DEFAULT_BANK, fix: bool = False) -> builtins.list[Finding]:
        """See Bank.doctor."""
        return self._existing(bank).doctor(fix=fix)

    def backup(self, target: str | Path) -> None:
        """Copy the store, consistent while others write, into a new directory."""
        self._store.backup(str(check_path(target)))

    @staticmethod
    def restore(backup: str | Path, path: str | Path) -> None:
        """Make a store at `path`, new or empty, from a backup."""
        source, target = check_path(backup), check_path(path)
        if not (source / "registry.db").is_file():
            raise BadInput("no backup at", str(source), "Give the directory `backup` wrote.")
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise BadInput("restore target is not empty", str(target), "Give a new directory.")
        try:
            shutil.copytree(source / "banks", target / PARTIAL)
            # Then at once: a copy cut off halfway does not pass for a store.
            (target / PARTIAL).rename(target / "banks")
            shutil.copyfile(source / "registry.db", target / "registry.db")
        except (OSError, shutil.Error) as error:
            raise StoreError(
                f"{source} could not be restored to {target} ({error}). Remove what was copied, "
                "make room, and repeat the call."
            ) from error

    def close(self) -> None:
        """Close the store; using it afterwards raises StoreClosed."""
        self._store.close()
        self._toolbox.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(
    path: str | os.PathLike[str] | None, *, read_only: bool, clock: Clock = utc_now
) -> Store:
    """The store at a path or a database's address, as `Memory.open` takes it."""
    if isinstance(path, str) and path.startswith(SERVER_SCHEMES):
        if find_spec("asyncpg") is None:
            raise ExtraMissing("postgres", "asyncpg")
        from scrubjay.store.postgres.store import PostgresStore  # only who uses it needs the driver

        return PostgresStore(path, read_only=read_only, clock=clock)
    directory = None
    if path is None:
        directory = default_directory()
    elif not (isinstance(path, str) and path == IN_MEMORY):
        directory = check_path(path, home=True)
    return EmbeddedStore(directory, read_only=read_only, clock=clock)


def default_directory() -> Path:
    """Where `Memory.open()` keeps its store: SCRUBJAY_STORE, or the user's data directory."""
    given = os.environ.get("SCRUBJAY_STORE")
    return check_path(given) if given else Path(platformdirs.user_data_dir("scrubjay")) / "store"
