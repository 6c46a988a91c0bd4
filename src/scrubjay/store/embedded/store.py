"""The embedded store: a directory with one folder per bank."""

from __future__ import annotations

import itertools
import os
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path

from scrubjay.errors import (
    BadInput,
    NotFound,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
)
from scrubjay.forking import refusal, watch
from scrubjay.private_files import make_private
from scrubjay.settings import INDEX_FILES_ABOVE_UNITS, OPEN_BANKS_MAX, BankSettings
from scrubjay.store.embedded.bank import EmbeddedBank
from scrubjay.store.embedded.bank_writing import BankTools
from scrubjay.store.embedded.connection.database import Database, Location
from scrubjay.store.embedded.connection.faults import unwritable
from scrubjay.store.embedded.connection.reserve import Reserve
from scrubjay.store.embedded.directory.bank_folders import PARTIAL, BankFolders
from scrubjay.store.embedded.directory.bank_notes import (
    Identity,
    folder_name,
    read_identity,
    readable_notes,
    write_identity,
)
from scrubjay.store.embedded.directory.registry import Registry, write_registry
from scrubjay.store.embedded.directory.store_lock import StoreLock
from scrubjay.store.embedded.index.vectors.vector_index import EXACT_MAX
from scrubjay.store.embedded.tables.sql import SQL
from scrubjay.store.embedded.upkeep import UPKEEP_ABOVE_UNITS, Upkeep
from scrubjay.store.shared.identifiers import TimeOrderedIds
from scrubjay.store.shared.quotas import Taken
from scrubjay.store.shared.statements import migrations
from scrubjay.store.shared.times import to_micros
from scrubjay.types.values import UnitId
from scrubjay.undoing import undone_by

PACKAGE = "scrubjay.store.embedded"

_memory_names = itertools.count()


class EmbeddedStore:
    """Banks in a directory, or in this process's memory when `directory` is None."""

    def __init__(
        self,
        directory: Path | None,
        *,
        read_only: bool = False,
        clock: Callable[[], datetime] | None = None,
        new_id: Callable[[], UnitId] | None = None,
        open_banks_max: int = OPEN_BANKS_MAX,
        index_files_above: int = INDEX_FILES_ABOVE_UNITS,
        graphs_above: int = EXACT_MAX,
    ) -> None:
        self._directory = directory
        self._read_only = read_only
        self._clock = clock or (lambda: datetime.now(UTC))
        self._memory_name = f"scrubjay-{os.getpid()}-{next(_memory_names)}"
        self._open: OrderedDict[str, EmbeddedBank] = OrderedDict()
        self._users: Counter[str] = Counter()
        self._guard = threading.RLock()
        self._closed = self._forked = False
        self._open_banks_max = open_banks_max
        self._upkeep = Upkeep(units_min=min(UPKEEP_ABOVE_UNITS, graphs_above))
        self._tools = BankTools(
            self._clock,
            new_id or TimeOrderedIds(),
            self._upkeep.offer,
            self._upkeep.take,
            self._upkeep.retry,
            Taken(),
            index_files_above,
            graphs_above,
        )
        self._folders = None if directory is None else BankFolders(directory)
        self._reserve = None if directory is None or read_only else Reserve(directory)
        with self._opening():
            self._lock = self._prepare_directory()
            with undone_by(self._release):
                place = self._place("registry")
                self._registry = Registry(place, self._folders, read_only=read_only)
                self._finish_what_was_cut_off()
        watch(self)

    def forked(self) -> None:
        """In a forked process: refuse all use. Other threads' locks are held there for ever."""
        if not self._closed:
            self._closed = self._forked = True
            self._guard = threading.RLock()

    def _opening(self) -> AbstractContextManager[None]:
        return nullcontext() if self._reserve is None else self._reserve.opening()

    def _prepare_directory(self) -> StoreLock | None:
        directory = self._directory
        if directory is None:
            return None
        if (directory / PARTIAL).exists():
            raise StoreDamaged(
                f"{directory} is a copy that was cut off, or is still being made. Remove it, and "
                "repeat the backup or restore."
            )
        if self._read_only:
            if not any((directory / name).exists() for name in ("banks", "registry.db")):
                raise NotFound(
                    "no store at", str(directory), "Open it for writing once to make it."
                )
            return None
        try:
            make_private(directory)
            (directory / "banks").mkdir(exist_ok=True)
            return StoreLock(directory)
        except (FileExistsError, NotADirectoryError):
            raise BadInput(
                "store path is a file, or below one", str(directory), "Give a directory."
            ) from None
        except OSError as error:
            raise unwritable(directory, error) from error

    def _place(self, name: str) -> Location:
        if self._directory is None:
            return Location(None, f"{self._memory_name}-{name}")
        return Location(self._directory / f"{name}.db")

    @property
    def location(self) -> str:
        """The directory, or ':memory:'."""
        return ":memory:" if self._directory is None else str(self._directory)

    @property
    def read_only(self) -> bool:
        """Whether writes are refused."""
        return self._read_only

    def bank_names(self) -> list[str]:
        """The names of all banks, sorted."""
        self._check_open()
        return self._registry.names()

    @contextmanager
    def using(self, name: str, _names: Sequence[str] = ()) -> Iterator[EmbeddedBank | None]:
        """The bank of that name, kept open inside the block; None if there is none."""
        with self._guard:
            bank = self._opened(name)
            if bank is not None:
                self._users[name] += 1
        try:
            if bank is not None:
                bank.refresh()
            yield bank
        except StoreClosed:
            if self._closed:
                raise
            # Banks in use are closed by nothing but their deletion.
            raise NotFound("bank was deleted", name, "Create it with memory.bank(name).") from None
        finally:
            if bank is not None:
                with self._guard:
                    self._users[name] -= 1
                    self._close_least_used()

    def _opened(self, name: str) -> EmbeddedBank | None:
        self._check_open()
        bank = self._open.get(name)
        if bank is not None and self._read_only and self._deleted_elsewhere(name, bank):
            self._open.pop(name).close()
            bank = None
        if bank is None:
            number = self._registry.number(name)
            if number is None:
                return None
            try:
                bank = self._load(Identity(name, number), BankSettings())
            except StoreError:
                if self._read_only and self._going(name, number):
                    return None
                raise
        self._open.move_to_end(name)
        return bank

    def create_bank(self, name: str, settings: BankSettings) -> bool:
        """Make a bank with `settings`; False if there is one of that name already."""
        with self._guard:
            self._check_open()
            # An open bank is there; every call on a Memory comes by here.
            if name in self._open or self._registry.number(name) is not None:
                return False
            if self._read_only:
                raise StoreReadOnly(f"{self.location} was opened with read_only=True.")
            identity = Identity(name, self._registry.next_number())
            try:
                self._make(identity, settings)
                # Last: what is listed is there, whole, or was lost.
                self._registry.add(identity)
                self._load(identity, settings)
            except BaseException:
                self._close_bank(name)
                self._remove(identity.number)
                raise
            self._close_least_used()
            return True

    def _make(self, identity: Identity, settings: BankSettings) -> None:
        if self._folders is None:
            return  # in memory it is made by being opened
        try:
            with (
                self._folders.making(identity.number) as file,
                Database(Location(file), migrations(PACKAGE)) as database,
            ):
                self._write_card(database, identity, settings)
        except OSError as error:
            raise unwritable(self._folders.folder(identity.number), error) from error

    def _write_card(self, database: Database, identity: Identity, settings: BankSettings) -> None:
        created = str(to_micros(self._clock()))
        with database.transaction() as connection:
            write_identity(connection, identity)
            connection.execute(SQL["set_meta"], ("settings", settings.to_json()))
            connection.execute(SQL["set_meta"], ("created_at", created))

    def delete_bank(self, name: str) -> bool:
        """Remove a bank and its files; whether there was one."""
        with self._guard:
            self._check_open()
            number = self._registry.number(name)
            if number is None:
                return False
            if self._read_only:
                raise StoreReadOnly(f"{self.location} was opened with read_only=True.")
            self._close_bank(name)
            self._remove(number)
            return True

    def _close_bank(self, name: str) -> None:
        bank = self._open.pop(name, None)
        if bank is not None:
            bank.close()

    def _remove(self, number: int) -> None:
        """Delete a bank's files and its entry; cut off in between, the next opening goes on."""
        if self._folders is None:
            self._registry.remove(number)
            return
        try:
            try:
                self._folders.discard(number)
                self._take_off_the_list(number)
            except BaseException:
                # Listed without its folder, it would be called damaged until the next opening.
                if self._registry.lists(number):
                    self._folders.bring_back(number)
                raise
            self._folders.sweep(number)
        except OSError as error:
            raise unwritable(self._folders.folder(number), error) from error

    def _take_off_the_list(self, number: int) -> None:
        assert self._folders is not None, "only a directory has files that may go first"
        try:
            self._registry.remove(number)
        except StoreFull:
            # Then the room it takes is what is needed; the empty folder says that it is going.
            self._folders.hollow(number)
            self._registry.remove(number)

    def _finish_what_was_cut_off(self) -> None:
        if self._folders is None or self._read_only:
            return
        self._folders.sweep_unfinished()
        for number in self._folders.going():
            self._registry.remove(number)
            with suppress(OSError):  # what resists waits for the next opening
                self._folders.sweep(number)

    def _deleted_elsewhere(self, name: str, bank: EmbeddedBank) -> bool:
        assert self._folders is not None, "only a directory is read by others"
        number = self._registry.number(name)
        return number is None or bank.file != self._folders.file(number)

    def _going(self, name: str, number: int) -> bool:
        """Whether a bank that cannot be read is being deleted by the process that writes."""
        assert self._folders is not None, "only a directory is read by others"
        return number in self._folders.going() or self._registry.number(name) != number

    def _load(self, identity: Identity, settings: BankSettings) -> EmbeddedBank:
        place = self._place(f"banks/{folder_name(identity.number)}/bank")
        database = self._database(place)
        with undone_by(database.close):
            stored = self._stored_settings(database, identity, settings)
            bank = EmbeddedBank(identity.name, database, stored, self._tools)
        self._open[identity.name] = bank
        return bank

    def _database(self, place: Location) -> Database:
        steps, existing = migrations(PACKAGE), place.path is not None
        try:
            with self._opening():
                return Database(
                    place,
                    steps,
                    read_only=self._read_only,
                    existing=existing,
                    reserve=self._reserve,
                )
        except StoreDamaged as error:
            raise StoreDamaged(
                f"{error} Or, if nothing is lost with it, delete the bank."
            ) from error

    def _stored_settings(
        self, database: Database, identity: Identity, settings: BankSettings
    ) -> BankSettings:
        """A bank's settings, those given if it has none; StoreDamaged if it is another bank."""
        with database.reading() as connection:
            said = read_identity(connection, database.location)
            found = connection.execute(SQL["get_meta"], ("settings",)).fetchone()
        if said not in (None, identity):
            raise StoreDamaged(
                f"{database.location} says that it is {said}, and registry.db that it is "
                f"{identity}. Put each file in its place; if they are, remove registry.db, and it "
                "is made anew from the banks."
            )
        if found is None:
            # New in memory, or its making was cut off in an older version: it holds nothing yet.
            self._write_card(database, identity, settings)
            return settings
        if said is None and not self._read_only:
            # An older version made it, when only the list knew the names.
            with database.transaction() as connection:
                write_identity(connection, identity)
        with readable_notes(database.location):
            return BankSettings.from_json(found[0])

    def _close_least_used(self) -> None:
        if self._directory is None or len(self._open) <= self._open_banks_max:
            return  # Banks in memory have nowhere to come back from.
        idle = [name for name in self._open if not self._users[name]]
        for name in idle[: len(self._open) - self._open_banks_max]:
            self._open.pop(name).close()
            del self._users[name]

    def backup(self, target: str) -> None:
        """Copy the store, consistent bank by bank, into a new directory."""
        self._check_open()
        copy = Path(target)
        if copy.exists() and (not copy.is_dir() or any(copy.iterdir())):
            raise BadInput("backup target is not empty", target, "Give a new or empty directory.")
        gathered, copied = copy / PARTIAL, []
        try:
            make_private(copy)
            gathered.mkdir(exist_ok=True)
            for name in self.bank_names():
                with self.using(name) as bank:
                    if bank is None:
                        continue  # deleted meanwhile
                    copied.append(Identity(name, bank.number))
                    folder = gathered / folder_name(bank.number)
                    folder.mkdir()
                    bank.copy_to(folder / "bank.db")
            # Then at once: a copy cut off halfway does not pass for a store.
            gathered.rename(copy / "banks")
            write_registry(copy / "registry.db", copied)
        except OSError as error:
            raise unwritable(copy, error) from error

    def close(self) -> None:
        """Close every bank and let other processes write; cut off, it may be called again."""
        with self._guard:
            if self._forked:
                return  # what there is to close, the lock too, is the parent's
            self._closed = True
            try:
                self._upkeep.close()
                while self._open:
                    self._open.popitem()[1].close()
            finally:
                # A store that nobody uses any more must not stay locked, whatever was in the way.
                self._registry.close()
                self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _check_open(self) -> None:
        if not self._closed:
            return
        if self._forked:
            raise refusal(self.location)
        raise StoreClosed(f"{self.location} was closed. Open it again with Memory.open().")
