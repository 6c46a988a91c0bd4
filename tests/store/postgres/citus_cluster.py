"""A Citus cluster for tests: given by its coordinator's address, its nodes on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from tests.needed import unobtainable
from tests.store.postgres.postgres_server import PostgresServer, sql

from scrubjay import Memory
from scrubjay.store.postgres import administration
from scrubjay.store.postgres.connection.address import read_address

# The address of a database on the coordinator, as a superuser; its schema `scrubjay` is the tests'.
CITUS_VARIABLE = "SCRUBJAY_TEST_CITUS_URL"
_REMEDY = (
    "stand up a coordinator and two workers on this machine, with Citus and pgvector, and name "
    f"the coordinator's database in {CITUS_VARIABLE}; docs/citus.md"
)


def given_cluster() -> str | None:
    """The address of the cluster, None without one."""
    return os.environ.get(CITUS_VARIABLE)


def needed_cluster() -> str:
    """The address of the cluster; without one the test is left out, and says so."""
    if (url := given_cluster()) is None:
        unobtainable("a Citus cluster", _REMEDY)
    return url


def bare(url: str) -> str:
    """The address, with nothing of ours on the cluster."""
    # It may say how banks are to be asked for, which is nothing to the server.
    server = read_address(url).primary
    sql(server, "SET client_min_messages = error; DROP SCHEMA IF EXISTS scrubjay CASCADE")
    _spread.cache_clear()
    return url


def emptied(url: str) -> str:
    """The address, spread over the cluster, without any bank."""
    _spread(url)
    with Memory.open(url, encoder=None, reranker=None) as memory:
        for bank in memory.banks():
            memory.delete_bank(bank.name)
    return url


@cache
def _spread(url: str) -> None:
    """Once: to make nine hundred shards takes a while."""
    bare(url)
    administration.bring_up_to_date(url)
    administration.distribute(url)


class Node:
    """One server of the cluster, which runs on this machine."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.port = urlsplit(url).port or 5432
        self.data = Path(sql(url, "SHOW data_directory"))
        self._programs = Path(sql(url, "SELECT setting FROM pg_config WHERE name = 'BINDIR'"))

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return int((self.data / "postmaster.pid").read_text(encoding="utf-8").split()[0])

    def kill(self) -> None:
        """Take it away as a power cut would: every process of it at once."""
        pid = self.pid
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(pid)], check=True, capture_output=True, text=True
        )
        for each in (pid, *map(int, listed.stdout.split())):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    def start(self) -> None:
        """Start it again and wait until it answers."""
        log = self.data.parent / "log"
        done = subprocess.run(
            [self._programs / "pg_ctl", "-D", self.data, "-l", log, "-w", "-t", "300", "start"],
            check=False, capture_output=True, text=True, cwd="/",
            user=self.data.stat().st_uid if os.geteuid() == 0 else None,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr

    def sql(self, statement: str) -> str:
        """Run a statement on this node by hand."""
        return sql(self.url, statement)


def nodes(url: str) -> list[Node]:
    """All servers of a cluster, the coordinator first."""
    found = sql(url, "SELECT nodename, nodeport FROM pg_dist_node WHERE isactive ORDER BY groupid")
    parts = urlsplit(url)
    return [
        Node(parts._replace(netloc=f"{parts.username}@{host}:{port}").geturl())
        for host, port in (line.split("|") for line in found.splitlines())
    ]


def another_node(url: str) -> PostgresServer:
    """A running server like the others, which the cluster does not know yet."""
    like = nodes(url)[1]
    kept = {
        name: f"'{like.sql(f'SHOW {name}')}'"
        for name in ("shared_preload_libraries", "wal_level", "max_prepared_transactions",
            "max_replication_slots", "max_wal_senders", "max_worker_processes", "wal_recycle")
    }  # fmt: skip
    server = PostgresServer.created(log_file_mib=16, **kept)
    name = urlsplit(url).path[1:]
    if name != "postgres":
        server.psql(f"CREATE DATABASE {name}")
    server.psql("CREATE EXTENSION citus", name)
    return server
