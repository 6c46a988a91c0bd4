"""A pgbouncer of our own for tests, in transaction mode, before a server of theirs."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tests.needed import lacking
from tests.store.postgres.postgres_server import SERVANT, free_port, own_directory

# Debian keeps it where only root looks.
_PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
_SESSIONS = 3


@contextmanager
def pooled(url: str, *, ignored: str = "") -> Iterator[str]:
    """The address of a pooler before the server of another address.

    It has fewer sessions than the tests have callers, and refuses all settings but those ignored.
    """
    if _PROGRAM is None:
        lacking("pgbouncer", "`make pooler` installs it")
    parts, directory, port = urlsplit(url), own_directory(), free_port()
    (directory / "pgbouncer.ini").write_text(
        f"""[databases]
* = host=127.0.0.1 port={parts.port} user={parts.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {_SESSIONS}
max_client_conn = 200
ignore_startup_parameters = {ignored}
""",
        encoding="utf-8",
    )
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(
            [_PROGRAM, directory / "pgbouncer.ini"],
            stdout=log, stderr=log, cwd=directory, user=SERVANT if os.geteuid() == 0 else None,
        )  # fmt: skip
    try:
        _await_listener(port, process, directory)
        yield urlunsplit(parts._replace(netloc=f"{parts.username}@127.0.0.1:{port}"))
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(directory)


def _await_listener(port: int, process: subprocess.Popen[bytes], directory: Path) -> None:
    for _ in range(1_200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=10).close()
        except ConnectionRefusedError:
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            raise RuntimeError((directory / "log").read_text(encoding="utf-8")) from None
        return
    raise RuntimeError("pgbouncer does not listen")
