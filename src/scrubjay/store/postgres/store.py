"""The PostgreSQL store: one database, all banks in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from scrubjay.errors import BadInput, StoreReadOnly
from scrubjay.settings import BankSettings
from scrubjay.store.postgres.bank import PostgresBank
from scrubjay.store.postgres.bank_state import BankState, read_state
from scrubjay.store.postgres.bank_writing import BankTools
from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.index.kept import KeptBanks
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.postgres.upkeep import Upkeep, drop_graphs
from scrubjay.store.postgres.writers_line import WritersLine
from scrubjay.store.shared.identifiers import TimeOrderedIds
from scrubjay.store.shared.quotas import Taken
from scrubjay.store.shared.statements import statements
from scrubjay.store.shared.times import to_micros
from scrubjay.types.values import UnitId

REGISTRY = statements("scrubjay.store.postgres", "registry_queries.sql")


class PostgresStore:
    """Banks in a database; any number of processes read and write it at the same time."""

    def __init__(
        self,
        url: str,
        *,
        read_only: bool = False,
        clock: Callable[[], datetime] | None = None,
        new_id: Callable[[], UnitId] | None = None,
    ) -> None:
        self._database = Database(read_address(url), read_only=read_only)
        self._clock = clock or (lambda: datetime.now(UTC))
        self._new_id = new_id or TimeOrderedIds()
        self._numbers: dict[str, int] = {}
        self._lines: defaultdict[int, WritersLine] = defaultdict(WritersLine)
        self._kept = KeptBanks()
        self._taken = Taken()
        self.upkeep = Upkeep(self._database)
        try:
            self._database.complete(self._database.prepare())
        except BaseException:
            self.close()
            raise

    @property
    def location(self) -> str:
        """The address, without its password."""
        return self._database.place

    @property
    def read_only(self) -> bool:
        """Whether writes are refused."""
        return self._database.read_only

    def bank_names(self) -> list[str]:
        """The names of all banks, sorted."""
        return [name for (name,) in self._database.rows(None, REGISTRY["list_banks"])]

    @contextmanager
    def using(self, name: str, names: Sequence[str] = ()) -> Iterator[PostgresBank | None]:
        """The bank of that name, as it is now and with `names` looked up; None if there is none."""
        found = self._opened(name, names)
        if found is None:
            yield None
            return
        number, state = found
        if state.lost_graphs:
            self.upkeep.restore(number)
        line, offer = self._lines[number], self.upkeep.offer
        tools = BankTools(self._clock, self._new_id, offer, line, self._kept, self._taken)
        yield PostgresBank(name, number, self._database, state, tools)

    def _opened(self, name: str, names: Sequence[str] = ()) -> tuple[int, BankState] | None:
        known = self._numbers.get(name)
        if known is not None:
            state = read_state(self._database, known, names)
            if state is not None:
                return known, state
            # Deleted, and perhaps made again under another number, by another process.
            self._numbers.pop(name, None)
        number = self._number(name)
        if number is None:
            return None
        state = read_state(self._database, number, names)
        if state is None:
            return None  # its maker has not finished
        self._numbers[name] = number
        return number, state

    def _number(self, name: str) -> int | None:
        found = self._database.rows(None, REGISTRY["find_bank"], name)
        return int(found[0][0]) if found else None

    def create_bank(self, name: str, settings: BankSettings) -> bool:
        """Make a bank with `settings`; False if there is one of that name already."""
        self._check_writable()
        # Most banks are there, and to try would write and use up a number each time.
        if self._opened(name) is not None:
            return False
        created_at = to_micros(self._clock())
        work = self._database.create(name, created_at, settings.to_json())
        number = self._database.complete(work)
        if number is not None:
            self._numbers[name] = number
        return number is not None

    def delete_bank(self, name: str) -> bool:
        """Remove a bank and everything in it; whether there was one."""
        number = self._number(name)
        if number is None:
            return False
        self._check_writable()
        with self._lines[number], self._database.transaction(number) as transaction:
            transaction.rows(SQL["lock_bank"], number)
            transaction.run(SQL["erase_bank"], number)
            transaction.run(REGISTRY["delete_bank"], number)
        self._numbers.pop(name, None)
        self._lines.pop(number, None)
        self._kept.forget(number)
        self._database.complete(drop_graphs(self._database.address.owner, number))
        return True

    def _check_writable(self) -> None:
        if self.read_only:
            raise StoreReadOnly(f"{self.location} was opened with read_only=True.")

    def settle(self) -> None:
        """Make the graphs that are due, now; otherwise they come in the background."""
        self.upkeep.settle()
        for name in self.bank_names():
            if (number := self._number(name)) is not None:
                self.upkeep.improve(number)

    def backup(self, target: str) -> None:
        """Not ours to do: the server has better means."""
        raise BadInput(
            "backup of a PostgreSQL store", target,
            "Use pg_dump or pg_basebackup, or `scrubjay copy` into a directory.",
        )  # fmt: skip

    @property
    def reads(self) -> int:
        """How many reading statements were sent since it was opened."""
        return self._database.reads

    @property
    def statements(self) -> int:
        """How many statements were sent since it was opened, those that change something too."""
        return self._database.statements

    def writers_waiting(self, name: str) -> int:
        """How many writers of this process wait for a bank that another one of it has."""
        number = self._numbers.get(name)
        return 0 if number is None else self._lines[number].waiting

    def take_longest_wait_ms(self) -> float:
        """The longest anybody waited for a connection since this was last asked."""
        return self._database.take_longest_wait_ms()

    def close(self) -> None:
        """Close every connection; who is using the store gets StoreClosed."""
        if self._database.inherited:
            return
        self.upkeep.stop()
        self._database.close()
        self.upkeep.join()
