"""A real server on the loopback, in a thread of the test or as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import socket
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
from scrubjay.surface.http.readers.messages import Opening
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


class InThread(uvicorn.Server):
    """Says when it has started and stops when it is told; uvicorn waits tenths of a second."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._loop = asyncio.new_event_loop()
        self._told = asyncio.Event()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> str:
        self._thread.start()
        self._listening.wait()
        assert self.started, "the server did not start"
        return f"http://127.0.0.1:{self.servers[0].sockets[0].getsockname()[1]}"

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._told.set)
        self._thread.join()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            try:
                runner.run(self.serve())
            finally:
                self._listening.set()  # or it is waited for in vain

    async def main_loop(self) -> None:
        await self.on_tick(0)  # makes the headers of every answer
        self._listening.set()
        await self._told.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        assert sockets is None
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await asyncio.sleep(0)  # those at rest are gone now; others are at a request
        await self._wait_tasks_to_complete()
        await self.lifespan.shutdown()


@contextmanager
def running(
    directory: Path | None = None,
    *,
    auth: bool = False,
    settings: ServerSettings | None = None,
    memory: Memory | None = None,
    watch: Watch | None = None,
    protocol: type[Connection] = Connection,
    readers: tuple[Opening, int] | None = None,
) -> Iterator[Running]:
    """A server in a thread; without a directory its store is in memory."""
    place = ":memory:" if directory is None else directory / "store"
    watch = watch or Watch()
    memory = memory or Memory.open(place, encoder="hash", reranker=None, observer=watch)
    state = None if directory is None else directory / "state"
    service = open_service(
        memory, state, auth_required=auth, settings=settings, watch=watch, readers=readers
    )
    config = web_server(build_app(service, memory.close))
    config.http = protocol
    config.port = 0
    # Certificates take longer to read than the server to start.
    with (
        InThread(config) as url,
        httpx.Client(base_url=url, timeout=30, trust_env=False, verify=False) as client,
    ):
        yield Running(url, client, service, memory)


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
