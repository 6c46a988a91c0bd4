"""Background work: a graph for every type of a bank that has grown too large to be scanned."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from hashlib import blake2b

from scrubjay.errors import ScrubjayError, StoreClosed
from scrubjay.store.postgres.bank_state import read_state
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.connection.migrating import as_owner
from scrubjay.store.postgres.connection.pool import plainly
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.shared.statements import statements

ADMIN = statements("scrubjay.store.postgres", "admin_queries.sql")

logger = logging.getLogger("scrubjay.postgres")

# A bank is offered on every write, and its vectors are counted when half of the rows were written
# that a type lacks (other processes write too), or at least this part of what makes a graph due.
_LOOK_PART = 64


@dataclass(frozen=True, slots=True)
class Graph:
    """One graph to be: where, of what, and called what."""

    table: str
    bank: int
    type: int
    dimension: int

    @property
    def name(self) -> str:
        return f"graph_{self.bank}_{self.type}_{self.dimension}"

    @property
    def lock(self) -> int:
        """The key of the lock on it, the same in every process and version."""
        digest = blake2b(self.name.encode(), digest_size=4).digest()
        return int.from_bytes(digest, "big", signed=True)

    def filled(self, statement: str) -> str:
        values = {
            "name": self.name, "table": self.table, "bank": self.bank, "type": self.type,
            "dimension": self.dimension,
        }  # fmt: skip
        return ADMIN[statement].format(**values)


class Upkeep:
    """One thread per store, started when a bank first grows, ended by `stop`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._from = database.address.graph_from_vectors
        self._waiting: list[int] = []
        self._rows_to_look: dict[int, int] = {}  # by bank: rows to be written before the next look
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
            if self._closed or bank in self._waiting or left > 0:
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
        """Make the graphs a bank lacks; the types that got one."""
        state = read_state(self._database, bank)
        if state is None or state.encoder is None or not self._from:
            return []
        counts = self._database.rows(bank, SQL["count_vectors_by_type"], bank)
        due = [code for code, n in counts if n >= self._from and code not in state.graphs]
        short = [self._from - n for _, n in counts if n < self._from]
        rows = max(min(short, default=self._from) // 2, self._from // _LOOK_PART, 1)
        with self._changed:
            self._rows_to_look[bank] = rows
        if not due:
            return []
        ((table,),) = self._database.rows(bank, SQL["vector_partition"], bank)
        made = []
        for code in due:
            graph = Graph(table, bank, code, state.encoder.dimension)
            if self._database.complete(_make(self._database.address.owner, graph)):
                self._publish(bank, code, state.encoder.dimension)
                made.append(code)
        return made

    def _publish(self, bank: int, code: int, dimension: int) -> None:
        with self._database.transaction(bank) as transaction:
            transaction.rows(SQL["lock_bank"], bank)
            state = read_state(self._database, bank)
            # A re-embedding may have switched to another dimension meanwhile.
            if state and state.encoder and state.encoder.dimension == dimension:
                transaction.run(SQL["set_graphs"], bank, sorted({*state.graphs, code}))

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


async def _make(url: str, graph: Graph) -> bool:
    """Build one graph, without holding up writers; False while another process does."""
    connection = await as_owner(url)
    try:
        if not await connection.fetchval(ADMIN["lock_graph"], graph.lock):
            return False
        others = f"graph!_{graph.bank}!_{graph.type}!_%"
        for name, valid in await connection.fetch(ADMIN["graph_of"], graph.table, others):
            if name == graph.name and valid:
                return True
            # Of another dimension, or cut off half made.
            await connection.execute(ADMIN["drop_graph"].format(name=f"scrubjay.{name}"))
        await connection.execute(graph.filled("make_graph"))
        # Or the server would keep some of its vectors as a sample.
        await connection.execute(graph.filled("hide_graph"))
        await connection.execute(graph.filled("analyze"))
        return True
    finally:
        await connection.close()


async def drop_graphs(url: str, bank: int) -> None:
    """Remove the graphs of a bank that is gone."""
    connection = await plainly(url)
    try:
        async with connection.transaction():
            graphs = await connection.fetch(ADMIN["graphs_of_bank"], f"graph!_{bank}!_%")
        for (name,) in graphs:
            await connection.execute(ADMIN["drop_graph"].format(name=name))
    finally:
        await connection.close()
