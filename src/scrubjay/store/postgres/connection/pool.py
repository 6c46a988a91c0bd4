"""A pool of connections to one server: bounded, patient, and set to one bank at a time."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import asyncpg

from scrubjay.store.postgres.connection.cluster import is_spread
from scrubjay.store.postgres.connection.driver import Connection, DriverPool
from scrubjay.store.postgres.connection.faults import BROKEN, ERRORS, Unreachable
from scrubjay.store.shared.statements import statements

REGISTRY = statements("scrubjay.store.postgres", "registry_queries.sql")

logger = logging.getLogger("scrubjay.postgres")

# A wait this long means that the pool is too small for its callers, or the server too busy.
SLOW_ACQUIRE_MS = 50.0
SAY_EVERY_S = 1.0
FIRST_PAUSE_S = 0.5
ATTEMPTS_MAX = 4
CONNECT_TIMEOUT_S = 10.0
# Where another server could answer instead.
CONNECT_TIMEOUT_BESIDE_S = 3.0

# As the driver has it.
STATEMENTS_KEPT = 100
# The driver makes anew each time what is longer; a search type by type has 17,000.
STATEMENT_BYTES_MAX = 65_536

SETTINGS = {
    "application_name": "scrubjay",
    # What is set for a transaction reaches the nodes of a cluster; a server by itself ignores it.
    "citus.propagate_set_commands": "local",
    # Or a coordinator looks for shards in every row of the catalogue that the driver asks for when
    # it meets a type of array: 500 ms.
    "citus.override_table_visibility": "off",
    # A plan made for any bank scans where one made for this bank reads an index: 667 ms v 24.
    "plan_cache_mode": "force_custom_plan",
    "search_path": "scrubjay, public, extensions",
    # As vectors.GRAPH_LOOKS_AT counts on.
    "hnsw.ef_search": "200",
    # A graph search with a filter, or for more than ef_search rows, goes on until it has enough.
    "hnsw.iterative_scan": "relaxed_order",
    # Statements here take milliseconds; compiling one takes longer.
    "jit": "off",
}

# Another statement may not hold up a writer longer than this, in milliseconds.
LOCK_TIMEOUT_MS = 30_000

# What may stand in a statement that has no other place for values.
_PLAIN = re.compile(r"[a-z0-9_., ]+")


class Pool:
    """Connections to one address; every method runs in the store's event loop."""

    def __init__(
        self, url: str, size: int, *, beside_another: bool = False, at_home: bool = False
    ) -> None:
        self._url = url
        self._connect_timeout_s = CONNECT_TIMEOUT_BESIDE_S if beside_another else CONNECT_TIMEOUT_S
        self._size = size
        self._pool: DriverPool | None = None
        self._opening = asyncio.Lock()
        self._slow, self._said = 0, -SAY_EVERY_S
        # By server process: which bank its session is set to.
        self._banks: dict[int, int] = {}
        # Whether a pooler stands between, whose sessions are anybody's after each transaction.
        self._shared = False
        # Whether banks live on other nodes, which learn only what is set for a transaction.
        self._spread = False
        # Whether the banks that are asked for here live here, and what a session sets is enough to
        # read them; where one has been moved away, its new node's policies raise.
        self._at_home = at_home
        self._role: str | None = None

    async def _opened(self) -> DriverPool:
        async with self._opening:
            if self._pool is None:
                self._shared, self._spread = await _looked_at(self._url, self._connect_timeout_s)
                settings = {**SETTINGS, "lock_timeout": str(LOCK_TIMEOUT_MS)}
                pool: DriverPool = await asyncpg.create_pool(
                    self._url,
                    min_size=0,
                    max_size=self._size,
                    init=self._prepare_shared if self._shared else self._prepare,
                    reset=_keep_settings,
                    server_settings=None if self._shared else settings,
                    # A named statement would be known to one of the pooler's sessions only.
                    statement_cache_size=0 if self._shared else STATEMENTS_KEPT,
                    max_cacheable_statement_size=STATEMENT_BYTES_MAX,
                    timeout=self._connect_timeout_s,
                )
                self._pool = pool
            return self._pool

    async def _prepare(self, connection: Connection) -> None:
        self._banks.pop(connection.get_server_pid(), None)
        await take_vector_types(connection)
        role = await connection.fetchval(REGISTRY["role_to_take"])
        if role is not None:
            await connection.execute(f"SET ROLE {role}")

    async def _prepare_shared(self, connection: Connection) -> None:
        async with connection.transaction():
            await take_vector_types(connection)
            role = await connection.fetchval(REGISTRY["role_to_take"])
            self._role = None if role is None else str(role)

    @asynccontextmanager
    async def _set_transaction(
        self, connection: Connection, bank: int | None, begin: str | None
    ) -> AsyncIterator[None]:
        """A transaction that has what a session of our own would have; begun in one trip."""
        begin_with, lines = begin or "BEGIN", list[str]()
        if self._shared:
            settings = {**SETTINGS, "lock_timeout": str(LOCK_TIMEOUT_MS)}
            lines += (f"SET LOCAL {name} = {_quoted(text)}" for name, text in settings.items())
            if self._role is not None:
                lines.append(f"SET LOCAL ROLE {self._role}")
        if bank is not None:
            lines.append(f"SET LOCAL scrubjay.bank_id = '{bank:d}'")
        if self._spread:
            # A cluster hands on the whole text in which something is set; its nodes have begun.
            await connection.execute(begin_with)
            await connection.execute("; ".join(lines))
        else:
            await connection.execute("; ".join([begin_with, *lines]))
        try:
            yield
        except BaseException:
            # Or the session would go back to the pooler in the middle of a transaction.
            with suppress(*ERRORS):
                await connection.execute("ROLLBACK")
            raise
        if begin is None:
            await connection.execute("COMMIT")

    @asynccontextmanager
    async def connection(
        self, bank: int | None, attempts_max: int = ATTEMPTS_MAX, *, begin: str | None = None
    ) -> AsyncIterator[tuple[Connection, float]]:
        """A connection set to a bank, and the milliseconds it was waited for.

        With `begin` the statement that begins a transaction was run, and whoever asked ends it.
        Unreachable if none can be had in so many attempts.
        """
        begun = time.perf_counter()
        pool = self._pool or await self._opened()
        connection = await self._acquired(pool, attempts_max)
        try:
            waited_ms = (time.perf_counter() - begun) * 1e3
            if waited_ms > SLOW_ACQUIRE_MS:
                self._say_slow(waited_ms, pool)
            if self._shared or (
                self._spread and bank is not None and (begin is not None or not self._at_home)
            ):
                async with self._set_transaction(connection, bank, begin):
                    yield connection, waited_ms
            else:
                if bank is not None:
                    await self.set_bank(connection, bank)
                if begin is not None:
                    await connection.execute(begin)
                yield connection, waited_ms
        finally:
            # It rolls back what was left open.
            await pool.release(connection)

    def _say_slow(self, waited_ms: float, pool: DriverPool) -> None:
        # Under load every caller waits; one line a second says it as well as a thousand.
        self._slow += 1
        now = time.monotonic()
        if now - self._said < SAY_EVERY_S:
            return
        logger.warning(
            "waited %.0f ms for a connection; the pool has %d, %d idle (%d slow since last said)",
            waited_ms, pool.get_size(), pool.get_idle_size(), self._slow,
        )  # fmt: skip
        self._said, self._slow = now, 0

    async def _acquired(self, pool: DriverPool, attempts_max: int) -> Connection:
        pause = FIRST_PAUSE_S
        for attempt in range(1, attempts_max + 1):
            try:
                return await pool.acquire()
            except BROKEN as error:
                if attempt == attempts_max:
                    raise Unreachable from error
                logger.warning("no connection (%s); trying again in %.1f s", error, pause)
                await asyncio.sleep(pause)
                pause *= 2
        raise AssertionError("the last attempt returned or raised")

    async def set_bank(self, connection: Connection, bank: int) -> None:
        """Let a connection see one bank's rows, and no other's."""
        if self._shared or (self._spread and not self._at_home):
            await connection.execute(f"SET LOCAL scrubjay.bank_id = '{bank:d}'")
            return
        process = connection.get_server_pid()
        if self._banks.get(process) != bank:
            self._banks.pop(process, None)
            await connection.fetch(REGISTRY["set_bank"], str(bank))
            self._banks[process] = bank

    async def position(self, connection: Connection) -> str:
        """How far the server's log is, asked outside a transaction."""
        if not self._shared:
            return str(await connection.fetchval(REGISTRY["position"]))
        # A statement is prepared and run in two steps, which would be two sessions.
        async with connection.transaction():
            return str(await connection.fetchval(REGISTRY["position"]))

    def forget_bank(self, connection: Connection) -> None:
        """Note that it is not known which bank a connection sees."""
        self._banks.pop(connection.get_server_pid(), None)

    async def close(self) -> None:
        """Close every connection, those in use too."""
        if self._pool is not None:
            self._pool.terminate()
            self._pool = None


async def behind_pooler(url: str, timeout_s: float = CONNECT_TIMEOUT_S) -> bool:
    """Whether an address is a pooler's: it says another process number than the server's own."""
    return (await _looked_at(url, timeout_s))[0]


async def _looked_at(url: str, timeout_s: float) -> tuple[bool, bool]:
    """Whether an address is a pooler's, and whether its banks are spread over a cluster."""
    connection = await plainly(url, timeout_s)
    try:
        async with connection.transaction():
            process = await connection.fetchval(REGISTRY["process"])
            return process != connection.get_server_pid(), await is_spread(connection)
    finally:
        await connection.close()


async def plainly(url: str, timeout_s: float = CONNECT_TIMEOUT_S) -> Connection:
    """A connection of its own as any pooler gives it: nothing set, no statement kept."""
    connection: Connection = await asyncpg.connect(url, statement_cache_size=0, timeout=timeout_s)
    return connection


def _quoted(text: str) -> str:
    assert _PLAIN.fullmatch(text), text
    # A list of schemas must not be one quoted name.
    return text if "," in text else f"'{text}'"


async def _keep_settings(_connection: object) -> None:
    """Open transactions are rolled back by the driver; the bank a session is set to stays."""


async def take_vector_types(connection: Connection) -> None:
    """Teach a connection to pass vectors as the bytes of tables/vector_bytes.py."""
    schema = str(await connection.fetchval(REGISTRY["vector_schema"]))
    for name in ("vector", "halfvec"):
        await connection.set_type_codec(
            name, schema=schema, format="binary", encoder=bytes, decoder=bytes
        )
