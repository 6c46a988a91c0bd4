"""The embedded store: a directory with one folder per bank."""

from __future__ import annotations

import itertools
import os
import shutil
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from scrubjay.errors import BadInput, NotFound, StoreClosed, StoreReadOnly
from scrubjay.settings import INDEX_FILES_ABOVE_UNITS, OPEN_BANKS_MAX, BankSettings
from scrubjay.store.embedded.bank import EmbeddedBank
from scrubjay.store.embedded.bank_writing import BankTools
from scrubjay.store.embedded.database import Database, Location, unwritable
from scrubjay.store.embedded.index.vectors.vector_index import EXACT_MAX
from scrubjay.store.embedded.store_lock import StoreLock
from scrubjay.store.embedded.upkeep import UPKEEP_ABOVE_UNITS, Upkeep
from scrubjay.store.identifiers import TimeOrderedIds
from scrubjay.store.statements import migrations, read_sql, statements
from scrubjay.store.times import to_micros
from scrubjay.types import UnitId

PACKAGE = "scrubjay.store.embedded"
SQL = statements(PACKAGE, "queries.sql")
REGISTRY = statements(PACKAGE, "registry_queries.sql")

_memory_names = itertools.count()

# The folder of a bank that is being deleted is renamed first.
_DELETED = ".deleted"


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
        self._closed = False
        self._open_banks_max = open_banks_max
        self._upkeep = Upkeep(units_min=min(UPKEEP_ABOVE_UNITS, graphs_above))
        self._tools = BankTools(
            self._clock,
            new_id or TimeOrderedIds(),
            self._upkeep.offer,
            index_files_above,
            graphs_above,
        )
        self._lock = self._prepare_directory()
        try:
            self._registry = self._database("registry", [(1, read_sql(PACKAGE, "registry.sql"))])
            self._finish_deletions()
        except BaseException:
            self._release()
            raise

    def _prepare_directory(self) -> StoreLock | None:
        directory = self._directory
        if directory is None:
            return None
        if self._read_only:
            if not (directory / "registry.db").exists():
                raise NotFound(
                    "no store at", str(directory), "Open it for writing once to make it."
                )
            return None
        try:
            (directory / "banks").mkdir(parents=True, exist_ok=True)
            return StoreLock(directory)
        except (FileExistsError, NotADirectoryError):
            raise BadInput(
                "store path is a file, or below one", str(directory), "Give a directory."
            ) from None
        except OSError as error:
            raise unwritable(directory, error) from error

    def _database(self, name: str, steps: list[tuple[int, str]]) -> Database:
        location = Location(None, f"{self._memory_name}-{name}")
        if self._directory is not None:
            location = Location(self._directory / f"{name}.db")
        return Database(location, steps, read_only=self._read_only)

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
        with self._registry.reading() as connection:
            return [name for (name,) in connection.execute(REGISTRY["list_banks"])]

    @contextmanager
    def using(self, name: str) -> Iterator[EmbeddedBank | None]:
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
            number = self._number(name)
            if number is None or (self._read_only and not self._file(number).exists()):
                return None  # not there, or not there yet: its writer is making it
            bank = self._load(name, number, BankSettings())
        self._open.move_to_end(name)
        return bank

    def create_bank(self, name: str, settings: BankSettings) -> bool:
        """Make a bank with `settings`; False if there is one of that name already."""
        with self._guard:
            self._check_open()
            # An open bank is there; every call on a Memory comes by here.
            if name in self._open or self._number(name) is not None:
                return False
            with self._registry.transaction() as connection:
                found = connection.execute(REGISTRY["insert_bank"], (name,)).fetchone()
            number = int(found[0])
            try:
                self._load(name, number, settings)
            except BaseException:
                self._remove(number)
                raise
            self._close_least_used()
            return True

    def delete_bank(self, name: str) -> bool:
        """Remove a bank and its files; whether there was one."""
        with self._guard:
            number = self._number(name)
            if number is None:
                return False
            if self._read_only:
                raise StoreReadOnly(f"{self.location} was opened with read_only=True.")
            bank = self._open.pop(name, None)
            if bank is not None:
                bank.close()
            self._remove(number)
            return True

    def _remove(self, number: int) -> None:
        """Delete a bank's files and its entry; cut off in between, the next opening goes on."""
        folder = None if self._directory is None else self._folder(number)
        try:
            if folder is not None and folder.exists():
                folder = folder.rename(folder.with_suffix(_DELETED))
            with self._registry.transaction() as connection:
                connection.execute(REGISTRY["delete_bank"], (number,))
            self._registry.checkpoint()
            if folder is not None and folder.exists():
                shutil.rmtree(folder)
        except OSError as error:
            raise unwritable(self._folder(number), error) from error

    def _finish_deletions(self) -> None:
        if self._directory is None or self._read_only:
            return
        for doomed in (self._directory / "banks").glob(f"*{_DELETED}"):
            with self._registry.transaction() as connection:
                connection.execute(REGISTRY["delete_bank"], (int(doomed.stem),))
            shutil.rmtree(doomed, ignore_errors=True)  # what resists waits for the next opening

    def _deleted_elsewhere(self, name: str, bank: EmbeddedBank) -> bool:
        number = self._number(name)
        return number is None or bank.file != self._file(number)

    def _number(self, name: str) -> int | None:
        with self._registry.reading() as connection:
            found = connection.execute(REGISTRY["find_bank"], (name,)).fetchone()
        return None if found is None else int(found[0])

    def _folder(self, number: int) -> Path:
        assert self._directory is not None
        return self._directory / "banks" / f"{number:08d}"

    def _file(self, number: int) -> Path:
        return self._folder(number) / "bank.db"

    def _load(self, name: str, number: int, settings: BankSettings) -> EmbeddedBank:
        if self._directory is not None and not self._read_only:
            try:
                self._folder(number).mkdir(exist_ok=True)
            except OSError as error:
                raise unwritable(self._folder(number), error) from error
        database = self._database(f"banks/{number:08d}/bank", migrations(PACKAGE))
        try:
            stored = self._stored_settings(database, settings)
            bank = EmbeddedBank(name, database, stored, self._tools)
        except BaseException:
            database.close()
            raise
        self._open[name] = bank
        return bank

    def _stored_settings(self, database: Database, settings: BankSettings) -> BankSettings:
        with database.reading() as connection:
            found = connection.execute(SQL["get_meta"], ("settings",)).fetchone()
        if found is not None:
            return BankSettings.from_json(found[0])
        # A new bank, or one whose creation was cut off: finish it.
        with database.transaction() as connection:
            connection.execute(SQL["set_meta"], ("settings", settings.to_json()))
            created = str(to_micros(self._clock()))
            connection.execute(SQL["set_meta"], ("created_at", created))
        return settings

    def _close_least_used(self) -> None:
        if self._directory is None or len(self._open) <= self._open_banks_max:
            return  # Banks in memory have nowhere to come back from.
        idle = [name for name in self._open if not self._users[name]]
        for name in idle[: len(self._open) - self._open_banks_max]:
            self._open.pop(name).close()
            del self._users[name]

    def backup(self, target: str) -> None:
        """Copy the store, consistent bank by bank, into a new directory."""
        copy = Path(target)
        if copy.exists() and (not copy.is_dir() or any(copy.iterdir())):
            raise BadInput("backup target is not empty", target, "Give a new or empty directory.")
        try:
            (copy / "banks").mkdir(parents=True, exist_ok=True)
            for name in self.bank_names():
                number = self._number(name)
                with self.using(name) as bank:
                    if bank is None or number is None:
                        continue  # deleted meanwhile
                    folder = copy / "banks" / f"{number:08d}"
                    folder.mkdir()
                    bank.copy_to(folder / "bank.db")
            # The registry last: a copy cut off halfway does not pass for a store.
            self._registry.copy_to(copy / "registry.db")
        except OSError as error:
            raise unwritable(copy, error) from error

    def close(self) -> None:
        """Close every bank and let other processes write."""
        with self._guard:
            if self._closed:
                return
            self._closed = True
            self._upkeep.close()
            for bank in self._open.values():
                bank.close()
            self._open.clear()
            self._registry.close()
            self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed(f"{self.location} was closed. Open it again with Memory.open().")
