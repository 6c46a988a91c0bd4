"""Spreads a database over a Citus cluster: what is lacking for that, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.errors import StoreError
from scrubjay.store.postgres.connection.cluster import CLUSTER
from scrubjay.store.postgres.connection.driver import Connection
from scrubjay.store.shared.statements import statements

ADMIN = statements("scrubjay.store.postgres", "admin_queries.sql")

# On every node whole: the names of banks and the schema's version. All others are spread by bank.
WHOLE = ("banks", "migrations")
_FIRST = "bank_state"


@dataclass(frozen=True, slots=True)
class Plan:
    """The statements that are lacking: alone, together in one transaction, and alone again."""

    before: tuple[str, ...]
    together: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def statements(self) -> list[str]:
        """All in order."""
        return [*self.before, *self.together, *self.after]


async def plan_of(connection: Connection) -> Plan:
    """What a database with the current schema lacks to be spread; nothing if it is.

    Each part is looked for by itself, so that a distribution that was cut off, a table that came
    with a migration and a node that was added are all brought to where they should be.
    """
    there = bool(await connection.fetchval(CLUSTER["citus_there"]))
    tables = [name for (name,) in await connection.fetch(CLUSTER["local_tables"])]
    spread = await _names(connection, "spread_tables") if there else []
    isolated = await _names(connection, "isolated_tables") if there else []
    lacking = [name for name in tables if name not in spread]
    left = {*lacking, *(await _names(connection, "tables_with_local_rows") if there else [])}
    bare = [name for name in tables if name != "migrations" and name not in isolated]
    roles = there and await connection.fetchval(CLUSTER["roles_ready"])
    settings = there and await connection.fetchval(CLUSTER["settings_ready"])
    return Plan(
        before=(
            *([] if there else [CLUSTER["make_citus"]]),
            *([] if roles else [CLUSTER["make_roles_ready"]]),
        ),
        together=(
            *await unprotected(connection, bare),
            *(await _spread(connection, lacking) if lacking else []),
            *(CLUSTER["clear_local_rows"].format(table=table) for table in sorted(left)),
            *_protected(bare),
        ),
        # What a session sets does not reach the shards.
        after=() if settings else (CLUSTER["make_settings_ready"],),
    )


async def carry_out(connection: Connection, plan: Plan) -> None:
    """Run a plan; the part in the middle all or not at all."""
    for statement in plan.before:
        await _run(connection, statement)
    async with connection.transaction():
        for statement in plan.together:
            await _run(connection, statement)
    for statement in plan.after:
        await _run(connection, statement)


async def _run(connection: Connection, statement: str) -> None:
    if "run_command_on_all_nodes" not in statement:
        await connection.execute(statement)
        return
    # What fails on a node is an answer of this function, not an error.
    for done, said in await connection.fetch(statement):
        if not done:
            raise StoreError(f"A node of the cluster refused: {said}. Mend it and repeat the call.")


async def _names(connection: Connection, statement: str) -> list[str]:
    return [name for (name,) in await connection.fetch(CLUSTER[statement])]


async def _spread(connection: Connection, lacking: Sequence[str]) -> list[str]:
    keys = [
        {"table": table, "name": name, "definition": definition}
        for table, name, definition in await connection.fetch(ADMIN["foreign_keys"])
        if table.rpartition(".")[2] in lacking
    ]
    return [
        *await flattening(connection),
        *(CLUSTER["drop_constraint"].format(**key) for key in keys),
        *_distributing(lacking),
        *(CLUSTER["add_constraint"].format(**key) for key in keys),
    ]


def _distributing(lacking: Sequence[str]) -> Iterator[str]:
    for table in lacking:
        if table in WHOLE:
            yield CLUSTER["distribute_whole"].format(table=table)
        elif table == _FIRST:
            yield CLUSTER["distribute_first"].format(table=table)
        else:
            yield CLUSTER["distribute_beside"].format(table=table)


async def flattening(connection: Connection) -> list[str]:
    """The statements that make plain tables of partitioned ones, the same in all else.

    Keys and indexes keep their names, which later migrations go by, and tables their options.
    """
    steps: list[str] = []
    for (table,) in await connection.fetch(ADMIN["partitioned_tables"]):
        options = await connection.fetchval(CLUSTER["table_options"], table)
        keys = await connection.fetch(CLUSTER["keys_of_table"], table)
        indexes = await connection.fetch(CLUSTER["indexes_of_table"], table)
        own = f"scrubjay.{table}"
        steps += [
            CLUSTER["make_plain"].format(table=table, options=options or "fillfactor = 100"),
            ADMIN["hide_columns"].format(table=table),
            ADMIN["drop_parted"].format(table=table),
            *(
                CLUSTER["add_constraint"].format(table=own, name=name, definition=definition)
                for name, definition in keys
            ),
            *(definition for (definition,) in indexes),
            ADMIN["grant_app"].format(table=table),
        ]
    # They were made on the partitions; upkeep makes them again.
    return [*steps, ADMIN["forget_graphs"]] if steps else []


async def unprotected(connection: Connection, bare: Sequence[str]) -> list[str]:
    """Take down policies with a sub-select, which Citus does not take."""
    found = [(t, p) for t, p in await connection.fetch(ADMIN["policies"]) if t in bare]
    return [
        *(ADMIN["drop_policy"].format(table=table, policy=policy) for table, policy in found),
        *(ADMIN["expose"].format(table=table) for table in sorted({table for table, _ in found})),
    ]


def _protected(bare: Sequence[str]) -> Iterator[str]:
    """The same policies so that a shard can keep them.

    One that meets no bank set raises, where a server by itself shows no rows: what was set for a
    session does not travel to other nodes, and an answer must not be empty for that.
    """
    for table in bare:
        if table == "banks":
            # Rights to single columns do not reach the nodes.
            yield CLUSTER["grant_names"]
            yield from (CLUSTER["any_name"], CLUSTER["new_name"], CLUSTER["own_name"])
        else:
            yield CLUSTER["isolate"].format(table=table)
        yield CLUSTER["enforce"].format(table=table)
