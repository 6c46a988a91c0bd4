"""The database as the bank sees it: statements by name, transactions, and reads that may wander."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar

from scrubjay.errors import StoreClosed, StoreReadOnly
from scrubjay.forking import keep, watch
from scrubjay.store.postgres.connection.address import Address
from scrubjay.store.postgres.connection.driver import Connection
from scrubjay.store.postgres.connection.event_loop import EventLoop
from scrubjay.store.postgres.connection.faults import (
    BROKEN,
    CONFLICTS,
    ERRORS,
    Unreachable,
    is_down,
    translated,
)
from scrubjay.store.postgres.connection.migrating import prepare
from scrubjay.store.postgres.connection.pool import ATTEMPTS_MAX, Pool
from scrubjay.store.postgres.connection.replica import Replica
from scrubjay.store.postgres.connection.routing import MOVED, Routes
from scrubjay.store.shared.statements import statements

REGISTRY = statements("scrubjay.store.postgres", "registry_queries.sql")
SQL = statements("scrubjay.store.postgres", "queries.sql")

logger = logging.getLogger("scrubjay.postgres")

_T = TypeVar("_T")

# What a read may take when nobody set a deadline.
READ_TIMEOUT_S = 60.0

# Said outright: writers take turns by the lock on their bank, and where a database has another
# default, whoever waited for it would be refused for what the one before has changed.
_CHANGE = "BEGIN ISOLATION LEVEL READ COMMITTED"
_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class Transaction:
    """One transaction; statements run in order on one connection."""

    def __init__(self, loop: EventLoop, connection: Connection, count: Callable[[], None]) -> None:
        self._loop = loop
        self._count = count
        self.connection = connection
        # What a statement said that must be asked once; None: not asked, or changed since.
        self.locked: Sequence[Any] | None = None

    def rows(self, statement: str, *values: object) -> list[Any]:
        """The rows a statement returns."""
        self._count()
        return self._loop.run(self.connection.fetch(statement, *values))

    def run(self, statement: str, *values: object) -> int:
        """Run a statement; how many rows it changed."""
        self._count()
        status = self._loop.run(self.connection.execute(statement, *values))
        number = status.rpartition(" ")[2]
        return int(number) if number.isdecimal() else 0

    def run_many(self, statement: str, values: Sequence[Sequence[object]]) -> None:
        """Run a statement for each of many lists of values, in one go."""
        self._count()
        self._loop.run(self.connection.executemany(statement, values))


class ThreadState(threading.local):
    """Per thread: the transaction it is in, and the deadline it must keep."""

    transaction: Transaction | None = None
    bank: int | None = None
    deadline: float | None = None
    # What waits for the transaction to be committed.
    afterwards: tuple[Callable[[], object], ...] = ()


class Database:
    """A primary and perhaps a replica, used by the threads of one process."""

    def __init__(self, address: Address, *, read_only: bool) -> None:
        self.address = address
        self.read_only = read_only
        self._loop = EventLoop("scrubjay-postgres")
        alone = address.replica is None
        self._primary = self._loop.run(_made(address.primary, address.pool_size, alone))
        self._replica: Replica | None = None
        if address.replica is not None:
            pool = self._loop.run(_made(address.replica, address.pool_size, alone))
            self._replica = Replica(pool, self._primary, address.replica_lag_max_s)
        self._routes: Routes | None = None
        if address.route:
            self._routes = Routes(self._primary, address.primary, address.pool_size)
        self._here = ThreadState()
        self._longest_wait_ms = 0.0
        self.reads = 0  # statements read since it was opened
        self.statements = 0  # those, those of transactions, and their beginnings and ends
        watch(self)

    @property
    def place(self) -> str:
        """The address as it may be shown."""
        return self.address.shown

    def rows(self, bank: int | None, statement: str, *values: object) -> list[Any]:
        """The rows of one reading statement; in the thread's transaction, if it is in one."""
        return self.timed_rows(bank, statement, *values)[0]

    def timed_rows(
        self, bank: int | None, statement: str, *values: object
    ) -> tuple[list[Any], float]:
        """Like `rows`, with the milliseconds a connection was waited for."""
        self.reads += 1
        here = self._here
        if here.transaction is not None and here.bank == bank:
            with self._mapped():
                return here.transaction.rows(statement, *values), 0.0
        self._count()
        left_s = READ_TIMEOUT_S
        if here.deadline is not None:
            left_s = max(here.deadline - time.monotonic(), 0.001)
        with self._mapped():
            found, waited_ms = self._loop.run(self._read(bank, statement, values), left_s)
        self._longest_wait_ms = max(self._longest_wait_ms, waited_ms)
        return found, waited_ms

    def _count(self) -> None:
        self.statements += 1

    async def _read(
        self, bank: int | None, statement: str, values: Sequence[object]
    ) -> tuple[list[Any], float]:
        replica = self._replica
        if replica is None:
            return await self._read_at_home(bank, statement, values)
        alone = replica.stands_alone()
        if (alone or bank is not None) and await replica.fit_to_read(bank):
            try:
                return await _fetched(replica.pool, bank, statement, values, 1)
            except CONFLICTS:
                # It takes in what the statement looks at; the primary does not.
                logger.debug("a read met a conflict on the replica and goes to the primary")
            except BROKEN as error:
                replica.failed(error)
        try:
            found = await _fetched(self._primary, bank, statement, values, 1)
        except BROKEN as error:
            if not is_down(error):
                raise
            replica.primary_failed()
            if await replica.fit_to_read(bank):
                return await _fetched(replica.pool, bank, statement, values, 1)
            if alone:
                raise
            # It too is down, or has not what this process wrote: be patient with the primary.
            found = await _fetched(self._primary, bank, statement, values, ATTEMPTS_MAX)
        replica.primary_answered()
        return found

    async def _read_at_home(
        self, bank: int | None, statement: str, values: Sequence[object]
    ) -> tuple[list[Any], float]:
        routes = self._routes
        if routes is not None and bank is not None:
            pool = await routes.pool_for(bank)
            if not routes.is_coordinator(pool):
                try:
                    return await _fetched(pool, bank, statement, values, 1)
                except (*BROKEN, *MOVED) as error:
                    if isinstance(error, TimeoutError):
                        raise
                    routes.failed(bank, error)
        return await _fetched(self._primary, bank, statement, values, ATTEMPTS_MAX)

    async def _leased_at_home(
        self, stack: AsyncExitStack, bank: int | None, begin: str
    ) -> tuple[Connection, float] | None:
        """A transaction on the worker where a bank lives; None if there is no such way."""
        routes = self._routes
        if routes is None or bank is None:
            return None
        pool = await routes.pool_for(bank)
        if routes.is_coordinator(pool):
            return None
        try:
            return await stack.enter_async_context(pool.connection(bank, 1, begin=begin))
        except Unreachable as error:
            routes.failed(bank, error)
            return None

    @asynccontextmanager
    async def _writable(
        self, bank: int | None, begin: str
    ) -> AsyncIterator[tuple[Connection, float]]:
        """A transaction on the primary; one that is known to be down is tried once."""
        replica = self._replica
        alone = replica is not None and replica.stands_alone()
        async with AsyncExitStack() as stack:
            if (at_home := await self._leased_at_home(stack, bank, begin)) is not None:
                yield at_home
                return
            try:
                leased = await stack.enter_async_context(
                    self._primary.connection(bank, 1 if alone else ATTEMPTS_MAX, begin=begin)
                )
            except Unreachable as error:
                if replica is not None and is_down(error):
                    replica.primary_failed()
                raise
            if replica is not None:
                replica.primary_answered()
            yield leased

    @contextmanager
    def transaction(self, bank: int) -> Iterator[Transaction]:
        """A write transaction: durable on leaving, undone when it raises; nested ones are one."""
        here = self._here
        if here.transaction is not None and here.bank == bank:
            yield here.transaction
            return
        if self.read_only:
            raise StoreReadOnly(
                f"{self.place} was opened with read_only=True. Open it for writing to change it."
            )
        with self._begin(bank, _CHANGE) as (stack, transaction):
            yield transaction
            self._commit(stack, transaction, bank)
            afterwards = self._leave()
        for work in afterwards:
            work()

    @contextmanager
    def snapshot(self, bank: int) -> Iterator[None]:
        """Let all this thread reads of a bank be of one moment; writers are not held up."""
        if self._here.transaction is not None:
            yield
            return
        with self._begin(bank, _SNAPSHOT) as (stack, transaction):
            yield
            self._leave()
            self._undo(stack, transaction)

    @contextmanager
    def _begin(self, bank: int, how: str) -> Iterator[tuple[AsyncExitStack, Transaction]]:
        """A transaction that whoever asked for it ends; undone when anything is raised."""
        here, stack, transaction = self._here, AsyncExitStack(), None
        try:
            with self._mapped():
                connection = self._loop.run(self._begun(stack, bank, how))
                transaction = Transaction(self._loop, connection, self._count)
                here.transaction, here.bank = transaction, bank
                yield stack, transaction
        except BaseException:
            self._leave()
            self._undo(stack, transaction)
            raise

    def _leave(self) -> tuple[Callable[[], object], ...]:
        """Be in no transaction; what waited for its end."""
        here = self._here
        afterwards = here.afterwards
        here.transaction, here.bank, here.afterwards = None, None, ()
        return afterwards

    def changes(self, bank: int) -> bool:
        """Whether this thread is in a transaction of that bank."""
        return self._here.transaction is not None and self._here.bank == bank

    @property
    def reads_alike(self) -> bool:
        """Whether every read sees what the one before it saw: a replica may be behind."""
        return self._replica is None

    def after_commit(self, work: Callable[[], object]) -> None:
        """Do something when what this thread has changed is committed; at once if it is."""
        if self._here.transaction is None:
            work()
        else:
            self._here.afterwards += (work,)

    async def _begun(self, stack: AsyncExitStack, bank: int, how: str) -> Connection:
        self._count()
        for last in (False, True):
            try:
                connection, waited_ms = await stack.enter_async_context(self._writable(bank, how))
            except BROKEN as error:
                await stack.aclose()
                if last or isinstance(error, Unreachable):
                    raise
            else:
                self._longest_wait_ms = max(self._longest_wait_ms, waited_ms)
                return connection
        raise AssertionError("the last attempt returned or raised")

    def _commit(self, stack: AsyncExitStack, transaction: Transaction, bank: int) -> None:
        with self._mapped():
            try:
                self._loop.run(self._committed(transaction.connection, bank))
            finally:
                self._loop.run(_closed(stack))

    async def _committed(self, connection: Connection, bank: int) -> None:
        self._count()
        if self._replica is None:
            await connection.execute("COMMIT")
            return
        # First, for the answer to the commit may not arrive.
        self._replica.writing(bank)
        await connection.execute("COMMIT")
        self._replica.written(bank, await self._primary.position(connection))

    def _undo(self, stack: AsyncExitStack, transaction: Transaction | None) -> None:
        # Where the connection, or the whole store, is gone, so is the transaction; and one that
        # was given back to the pool cannot be reached from here any more.
        if transaction is not None:
            with suppress(*ERRORS, StoreClosed):
                transaction.run("ROLLBACK")
        with suppress(*ERRORS, StoreClosed):
            self._loop.run(_closed(stack))

    @contextmanager
    def within(self, deadline_ms: float) -> Iterator[None]:
        """Cancel, on the server too, what this thread still reads when the deadline passes."""
        here = self._here
        outer, own = here.deadline, time.monotonic() + deadline_ms / 1e3
        here.deadline = own if outer is None else min(outer, own)
        try:
            yield
        finally:
            here.deadline = outer

    def stale_ms(self) -> float | None:
        """How long the primary has been silent; None while it answers."""
        return None if self._replica is None else self._replica.primary_silent_ms()

    def take_longest_wait_ms(self) -> float:
        """The longest anybody waited for a connection since this was last asked."""
        waited, self._longest_wait_ms = self._longest_wait_ms, 0.0
        return waited

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            yield
        except ERRORS as error:
            raise translated(error, self.place) from error

    async def create(self, name: str, created_at: int, settings: str) -> int | None:
        """Make a bank: its name and its state, both or neither; None if the name is taken."""
        async with self._writable(None, _CHANGE) as (connection, _):
            number = await connection.fetchval(REGISTRY["insert_bank"], name)
            if isinstance(number, int):
                await self._primary.set_bank_in_transaction(connection, number)
                await connection.execute(SQL["insert_state"], number, created_at, settings)
                await self._committed(connection, number)
            else:
                await connection.execute("ROLLBACK")
            return number if isinstance(number, int) else None

    async def prepare(self) -> None:
        """Make the schema current; with the primary down, see that the replica's is."""
        address, beside = self.address, self._replica
        try:
            await prepare(address.owner, address.shown, read_only=self.read_only)
        except BROKEN as error:
            if beside is None or address.replica is None or not is_down(error):
                raise
            await prepare(address.replica, address.shown, read_only=True)
            beside.primary_failed()

    def complete(self, work: Coroutine[object, object, _T]) -> _T:
        """Run asynchronous work of our own, its errors translated."""
        with self._mapped():
            return self._loop.run(work)

    def forked(self) -> None:
        """In a forked process: a connection that ends there stops the parent's hearing its own."""
        keep(self)

    @property
    def inherited(self) -> bool:
        """Whether it was opened in the process that this one was forked off."""
        return self._loop.inherited

    def close(self) -> None:
        """Close all connections; a closed database raises StoreClosed."""
        self._loop.close(self._close_pools)

    async def _close_pools(self) -> None:
        await self._primary.close()
        if self._routes is not None:
            await self._routes.close()
        if self._replica is not None:
            await self._replica.pool.close()


async def _made(url: str, size: int, alone: bool) -> Pool:
    return Pool(url, size, beside_another=not alone)


async def _closed(stack: AsyncExitStack) -> None:
    await stack.aclose()


async def _fetched(
    pool: Pool, bank: int | None, statement: str, values: Sequence[object], attempts_max: int
) -> tuple[list[Any], float]:
    # A read may be repeated; a server that was restarted meanwhile costs one attempt.
    for last in (False, True):
        try:
            return await pool.fetch(bank, statement, values, attempts_max)
        except (*BROKEN, *CONFLICTS) as error:
            if last or isinstance(error, TimeoutError | Unreachable):
                raise
    raise AssertionError("the last attempt returned or raised")
