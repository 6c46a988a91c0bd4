"""A real server on the loopback, in a thread of the test or as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from scrubjay.memory import Memory
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.admitting.connection import Connection
from scrubjay.surface.http.app import build_app
from scrubjay.surface.http.handling.service import Service, open_service
from scrubjay.surface.http.serving import web_server
from scrubjay.surface.http.shared.server_settings import ServerSettings
from scrubjay.surface.http.state.keys import Keys
from scrubjay.surface.http.watching.watch import Watch


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers, and a client for it."""

    url: str
    client: httpx.Client
    service: Service
    memory: Memory

    def json(self, method: str, path: str, body: object = None, **more: Any) -> Any:  # noqa: ANN401
        """What a request that must succeed answers."""
        answer = self.client.request(method, path, json=body, **more)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def ended(self, task: str) -> Any:  # noqa: ANN401
        """The task at this address, once it has ended."""
        while True:
            found = self.json("GET", task)
            if found["state"] in ("done", "failed"):
                return found
            threading.Event().wait(0.01)

    def key(self, rate: float = 1e6, **grants: str) -> dict[str, str]:
        """Headers with a new key that has these grants; `any` stands for every bank."""
        scopes = {
            "*" if bank == "any" else bank: KeyScope[scope.upper()]
            for bank, scope in grants.items()
        }
        _, secret = Keys(self.service.database).create("test", scopes, rate)
        return {"Authorization": f"Bearer {secret}"}


@contextmanager
def running(
    directory: Path | None = None,
    *,
    auth: bool = False,
    settings: ServerSettings | None = None,
    memory: Memory | None = None,
    watch: Watch | None = None,
    protocol: type[Connection] = Connection,
) -> Iterator[Running]:
    """A server in a thread; without a directory its store is in memory."""
    place = ":memory:" if directory is None else directory / "store"
    watch = watch or Watch()
    memory = memory or Memory.open(place, encoder="hash", reranker=None, observer=watch)
    state = None if directory is None else directory / "state"
    service = open_service(memory, state, auth_required=auth, settings=settings, watch=watch)
    config = web_server(build_app(service, memory.close))
    config.http = protocol
    config.port = 0
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()))
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        thread.join(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=url, timeout=30, trust_env=False) as client:
            yield Running(url, client, service, memory)
    finally:
        server.should_exit = True
        thread.join()


@dataclass(frozen=True, slots=True)
class Process:
    """`scrubjay serve` as a process, listening."""

    popen: subprocess.Popen[bytes]
    url: str
    log: Path

    def stop(self) -> str:
        """Ask it to stop; what it logged."""
        self.popen.terminate()
        self.popen.wait(60)
        return self.log.read_text(encoding="utf-8")


def start_process(
    store: Path, *options: str, files: int | None = None, **environment: str
) -> Process:
    """Start the server, with so many open files at most; it listens when this returns."""
    limited = [] if files is None else ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh"]
    command = [sys.executable, "-m", "scrubjay.surface.cli", "serve", "--port", "0", "--store",
               str(store), "--encoder", "hash", "--no-rerank", *options]  # fmt: skip
    return _started([*limited, *command], store, environment)


def start_script(script: str, store: Path) -> Process:
    """Start a program that serves the store it is given, and wait as for `scrubjay serve`."""
    return _started([sys.executable, "-c", script, str(store)], store, {})


def _started(command: list[str], store: Path, environment: Mapping[str, str]) -> Process:
    # To a file: a pipe that nobody reads would stop the server when it is full.
    log = store.parent / f"{store.name}.log"
    with log.open("wb") as errors:
        popen = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=errors, env={**os.environ, **environment}
        )
    while popen.poll() is None:
        for line in log.read_text(encoding="utf-8").splitlines():
            told: Mapping[str, Any] = json.loads(line) if line.endswith("}") else {}
            if told.get("event") == "listening":
                return Process(popen, f"http://{told['host']}:{told['port']}", log)
        threading.Event().wait(0.02)
    raise AssertionError(f"the server ended: {log.read_text(encoding='utf-8')}")
