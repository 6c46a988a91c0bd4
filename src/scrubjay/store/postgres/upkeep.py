"""Background work: graphs of a bank, and of its types, that have grown too large to be scanned."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from scrubjay.errors import ScrubjayError, StoreClosed
from scrubjay.store.postgres.bank_state import read_state
from scrubjay.store.postgres.connection.cluster import (
    CLUSTER,
    Shard,
    is_spread,
    on_node,
    vectors_of,
)
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.connection.driver import Connection
from scrubjay.store.postgres.connection.migrating import as_owner
from scrubjay.store.postgres.connection.pool import plainly
from scrubjay.store.postgres.index.graphs import WHOLE, in_whole
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.shared.statements import statements

ADMIN = statements("scrubjay.store.postgres", "admin_queries.sql")

logger = logging.getLogger("scrubjay.postgres")

# A bank is offered on every write, and its vectors are counted when half of the rows were written
# that a type lacks (other processes write too), or at least this part of what makes a graph due.
_LOOK_PART = 64


# How often it is looked whether another graph on the same table is made.
_PAUSE_S = 0.2


def _key(name: str) -> int:
    digest = blake2b(name.encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big", signed=True)


@dataclass(frozen=True, slots=True)
class Graph:
    """One graph to be: of what, and called what."""

    bank: int
    type: int  # WHOLE: of all
    dimension: int

    @property
    def of(self) -> str:
        return "all" if self.type == WHOLE else str(self.type)

    @property
    def name(self) -> str:
        return f"graph_{self.bank}_{self.of}_{self.dimension}"

    @property
    def lock(self) -> int:
        """The key of the lock on it, the same in every process and version."""
        return _key(self.name)

    def filled(self, statement: str, table: str) -> str:
        values = {
            "name": self.name, "table": table, "bank": self.bank, "dimension": self.dimension,
            "of_type": "" if self.type == WHOLE else f" AND type = {self.type:d}",
        }  # fmt: skip
        return ADMIN[statement].format(**values)


class Upkeep:
    """One thread per store, started when a bank first grows, ended by `stop`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._from = database.address.graph_from_vectors
        self._waiting: list[int] = []
        self._rows_to_look: dict[int, int] = {}  # by bank: rows to be written before the next look
        self._restored: set[int] = set()  # banks whose lost graphs were tried to be made again
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._busy = False
        self.held = False  # while true, growth is not looked at

    def offer(self, bank: int, rows: int) -> None:
        """Say that a bank has grown by so many rows; returns at once."""
        if not self._from or self._database.read_only or self.held:
            return
        with self._changed:
            left = self._rows_to_look.get(bank, 0) - rows
            self._rows_to_look[bank] = left
            if left <= 0:
                self._take(bank)

    def restore(self, bank: int) -> None:
        """Say that a bank has lost a graph, as it does when its shard is moved; returns at once."""
        if not self._from or self._database.read_only or self.held:
            return
        with self._changed:
            # Once for each loss that is seen: what fails waits for the bank to grow.
            if bank not in self._restored:
                self._restored.add(bank)
                self._take(bank)

    def _take(self, bank: int) -> None:
        if self._closed or bank in self._waiting:
            return
        self._waiting.append(bank)
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._work, name="scrubjay-postgres-upkeep", daemon=True
            )
            self._thread.start()
        self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                bank = self._waiting.pop(0)
                self._busy = True
            try:
                self.improve(bank)
            except StoreClosed:
                return
            except ScrubjayError as error:
                # The bank is whole without the graph, only slower; the next look tries again.
                logger.warning("no graph was made for bank %d: %s", bank, error)

    def improve(self, bank: int) -> list[int]:
        """Make the graphs a bank lacks; the types that got one, and WHOLE."""
        state = read_state(self._database, bank)
        if state is None or state.encoder is None or not self._from:
            return []
        counts = dict(self._database.rows(bank, SQL["count_vectors_by_type"], bank))
        total, made = sum(counts.values()), list[int]()
        short = [self._from - n for n in (total, *counts.values()) if n < self._from]
        rows = max(min(short, default=self._from) // 2, self._from // _LOOK_PART, 1)
        with self._changed:
            self._rows_to_look[bank] = rows
        for code in _due(counts, total, self._from):
            if code not in state.graphs.codes and self._made(bank, code, state.encoder.dimension):
                made.append(code)
        with self._changed:
            if not state.lost_graphs - {*made}:
                self._restored.discard(bank)
        return [code for code in made if code >= WHOLE]

    def _made(self, bank: int, code: int, dimension: int) -> bool:
        """Make one graph; what is searched in another needs none."""
        graph = Graph(bank, code, dimension)
        if code >= WHOLE and not self._database.complete(
            _make(self._database.address.owner, graph)
        ):
            return False
        with self._database.transaction(bank) as transaction:
            transaction.rows(SQL["lock_bank"], bank)
            state = read_state(self._database, bank)
            # A re-embedding may have switched to another dimension meanwhile.
            if state and state.encoder and state.encoder.dimension == dimension:
                transaction.run(SQL["set_graphs"], bank, sorted({*state.graphs.codes, code}))
        return True

    def settle(self) -> None:
        """Wait until nothing is left to do."""
        with self._changed:
            while (self._waiting or self._busy) and not self._closed:
                self._changed.wait()

    def stop(self) -> None:
        """Take no more work; a graph half made is made anew another time."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def join(self) -> None:
        """Wait for the thread, whose database is closed by now."""
        if self._thread is not None:
            self._thread.join()


def _due(counts: Mapping[int, int], total: int, least: int) -> list[int]:
    """What a bank of so many vectors by type is to be searched in, the graph of all first."""
    large = [(code, n) for code, n in sorted(counts.items()) if n >= least]
    # To leave out less than half of what a graph finds costs less than to keep another.
    by_type = [in_whole(code) if 2 * n > total else code for code, n in large]
    return [WHOLE, *by_type] if total >= least else []


async def _make(url: str, graph: Graph) -> bool:
    """Build one graph, without holding up writers; False while another process does."""
    connection = await as_owner(url)
    try:
        if not await connection.fetchval(ADMIN["lock_graph"], graph.lock):
            return False
        place = await _place_of(connection, graph.bank)
        # Two that build on one table would wait for each other. Asked again and again, for whoever
        # waits in a statement is waited for by the one who builds.
        while not await connection.fetchval(ADMIN["lock_graph"], _key(place.table)):
            await asyncio.sleep(_PAUSE_S)
        for name, valid in await place.graphs(f"graph!_{graph.bank}!_{graph.of}!_%"):
            if name == graph.name and valid:
                return True
            # Of another dimension, or cut off half made.
            await place.run(ADMIN["drop_graph"].format(name=f"scrubjay.{name}"))
        await place.run(graph.filled("make_graph", place.table))
        # Or the server would keep some of its vectors as a sample.
        await place.run(graph.filled("hide_graph", place.table))
        await place.run(graph.filled("analyze", place.table))
        return True
    finally:
        await connection.close()


async def drop_graphs(url: str, bank: int) -> None:
    """Remove the graphs of a bank that is gone."""
    connection = await plainly(url)
    try:
        async with connection.transaction():
            place = await _place_of(connection, bank)
            graphs = await place.graphs(f"graph!_{bank}!_%")
        for name, _ in graphs:
            await place.run(ADMIN["drop_graph"].format(name=f"scrubjay.{name}"))
    finally:
        await connection.close()


async def _place_of(connection: Connection, bank: int) -> _Partition | _Shard:
    """Where the vectors of a bank are, and so its graphs."""
    if await is_spread(connection):
        shard = await vectors_of(connection, bank)
        return _Shard(shard.name, connection, shard)
    table = str(await connection.fetchval(ADMIN["vectors_of_bank"], bank))
    return _Partition(table, connection)


@dataclass(frozen=True, slots=True)
class _Partition:
    table: str
    connection: Connection

    async def graphs(self, like: str) -> list[tuple[str, bool]]:
        """The graphs of such a name, and whether they are whole."""
        return [(n, v) for n, v in await self.connection.fetch(ADMIN["graph_of"], self.table, like)]

    async def run(self, statement: str) -> None:
        await self.connection.execute(statement)


@dataclass(frozen=True, slots=True)
class _Shard:
    table: str
    connection: Connection
    shard: Shard

    async def graphs(self, like: str) -> list[tuple[str, bool]]:
        """The graphs of such a name, and whether they are whole."""
        asked = CLUSTER["graphs_on_shard"].format(table=self.table, like=like)
        said = await on_node(self.connection, self.shard, asked)
        found = [entry.split(" ") for entry in said.split(",") if entry]
        return [(name, valid == "true") for name, valid in found]

    async def run(self, statement: str) -> None:
        await on_node(self.connection, self.shard, statement)
