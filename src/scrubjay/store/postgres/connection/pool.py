"""A pool of connections to one server: bounded, patient, and set to one bank at a time."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import asyncpg

from scrubjay.store.postgres.connection.cluster import is_spread
from scrubjay.store.postgres.connection.driver import Connection, DriverPool
from scrubjay.store.postgres.connection.faults import BROKEN, ERRORS, Unreachable
from scrubjay.store.postgres.connection.own_statements import worded_for
from scrubjay.store.postgres.connection.sessions import Session, Sessions
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

# How statements are planned: with their values each time, or once. Left to choose, the server plans
# each search anew, as one for four words looks cheaper than one for any number, and to plan takes
# longer than to run it.
EACH_TIME, ONCE = "force_custom_plan", "force_generic_plan"
# After so many reads of one bank in a row, about two questions, a session has statements of its
# own for it. One that goes from bank to bank would have to be told them again and again.
_OWN_AFTER = 16

SETTINGS = {
    "application_name": "scrubjay",
    # What is set for a transaction reaches the nodes of a cluster; a server by itself ignores it.
    "citus.propagate_set_commands": "local",
    # Or a coordinator looks for shards in every row of the catalogue that the driver asks for when
    # it meets a type of array: 500 ms.
    "citus.override_table_visibility": "off",
    # A plan made for any bank scans where one made for this bank reads an index: 667 ms v 24.
    "plan_cache_mode": EACH_TIME,
    "search_path": "scrubjay, public, extensions",
    # As vectors.GRAPH_LOOKS_AT counts on.
    "hnsw.ef_search": "200",
    # A graph search with a filter, or for more than ef_search rows, goes on until it has enough.
    "hnsw.iterative_scan": "relaxed_order",
    # Statements here take milliseconds; compiling one takes longer.
    "jit": "off",
    # A writer that stands still keeps its bank from the others; an encoder may take its time.
    "idle_in_transaction_session_timeout": "10min",
}
# Or the server would notice after two hours that the machine of one who writes is gone. Of a
# pooler's connections the pooler takes care.
_KEPT_ALIVE = {
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
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
        self._sessions: Sessions | None = None
        self._opening = asyncio.Lock()
        self._slow, self._said = 0, -SAY_EVERY_S
        # Whether a pooler stands between, whose sessions are anybody's after each transaction.
        self._shared = False
        # Whether banks live on other nodes, which learn only what is set for a transaction.
        self._spread = False
        # Whether the banks that are asked for here live here, and what a session sets is enough to
        # read them; where one has been moved away, its new node's policies raise.
        self._at_home = at_home
        self._role: str | None = None

    async def _opened(self) -> Sessions:
        async with self._opening:
            if self._sessions is None:
                self._shared, self._spread = await _looked_at(self._url, self._connect_timeout_s)
                settings = {**SETTINGS, **_KEPT_ALIVE, "lock_timeout": str(LOCK_TIMEOUT_MS)}
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
                self._sessions = Sessions(pool, self._size)
            return self._sessions

    async def _prepare(self, connection: Connection) -> None:
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
        async with self._leased(bank, attempts_max, begin) as (session, waited_ms):
            yield session.connection, waited_ms

    async def fetch(
        self, bank: int | None, statement: str, values: Sequence[object], attempts_max: int
    ) -> tuple[list[Any], float]:
        """The rows of one reading statement, and the milliseconds a connection was waited for."""
        async with self._leased(bank, attempts_max, None, reads=True) as (session, waited_ms):
            if bank is not None and session.planning == ONCE:
                statement, values = worded_for(bank, statement, values)
            return await session.connection.fetch(statement, *values), waited_ms

    @asynccontextmanager
    async def _leased(
        self, bank: int | None, attempts_max: int, begin: str | None, *, reads: bool = False
    ) -> AsyncIterator[tuple[Session, float]]:
        begun = time.perf_counter()
        sessions = self._sessions or await self._opened()
        session = await sessions.take(bank, partial(self._acquired, attempts_max=attempts_max))
        sound = False
        try:
            waited_ms = (time.perf_counter() - begun) * 1e3
            if waited_ms > SLOW_ACQUIRE_MS:
                self._say_slow(waited_ms, sessions)
            if bank is not None and not self._shared:
                await self._set_bank(session, bank, reads=reads)
            if self._shared or (
                self._spread and bank is not None and (begin is not None or not self._at_home)
            ):
                async with self._set_transaction(session.connection, bank, begin):
                    yield session, waited_ms
            else:
                if begin is not None:
                    await session.connection.execute(begin)
                yield session, waited_ms
            sound = True
        finally:
            await sessions.give_back(session, sound=sound)

    def _say_slow(self, waited_ms: float, sessions: Sessions) -> None:
        # Under load every caller waits; one line a second says it as well as a thousand.
        self._slow += 1
        now = time.monotonic()
        if now - self._said < SAY_EVERY_S:
            return
        logger.warning(
            "waited %.0f ms for a connection; the pool has %d, %d idle (%d slow since last said)",
            waited_ms, sessions.count, sessions.idle, self._slow,
        )  # fmt: skip
        self._said, self._slow = now, 0

    async def _acquired(self, pool: DriverPool, *, attempts_max: int) -> Connection:
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

    async def _set_bank(self, session: Session, bank: int, *, reads: bool) -> None:
        """Let a session see one bank's rows, and no other's; `reads` it with one statement."""
        stays = session.bank == bank
        session.reads = session.reads + reads if stays else 0
        planning = ONCE if reads and session.reads >= _OWN_AFTER else EACH_TIME
        if not stays or session.planning != planning:
            session.bank = session.planning = None
            await session.connection.fetch(REGISTRY["set_bank"], str(bank), planning)
            session.bank, session.planning = bank, planning

    async def set_bank_in_transaction(self, connection: Connection, bank: int) -> None:
        """Let a connection see one bank's rows, and no other's, until its transaction ends."""
        await connection.execute(f"SET LOCAL scrubjay.bank_id = '{bank:d}'")

    async def position(self, connection: Connection) -> str:
        """How far the server's log is, asked outside a transaction."""
        if not self._shared:
            return str(await connection.fetchval(REGISTRY["position"]))
        # A statement is prepared and run in two steps, which would be two sessions.
        async with connection.transaction():
            return str(await connection.fetchval(REGISTRY["position"]))

    async def close(self) -> None:
        """Close every connection, those in use too."""
        if self._sessions is not None:
            self._sessions.close()
            self._sessions = None


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
