"""What a Memory and its banks talk to: the engine over a store, or a server over HTTP."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import platformdirs

from scrubjay.defaults import DEFAULT_BANK, Clock, utc_now
from scrubjay.encoder.base import Encoder, Reranker
from scrubjay.engine.retain.checking import check_path
from scrubjay.engine.retrieve.retriever import Retriever, Search
from scrubjay.engine.toolbox import Toolbox
from scrubjay.errors import BadInput, ExtraMissing, StoreError
from scrubjay.operations.operation import Engine, Operation, P, T, Target
from scrubjay.private_files import make_private
from scrubjay.store.base import Store
from scrubjay.store.embedded.directory.bank_folders import PARTIAL
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.store.making import MadeWhenUsed
from scrubjay.trace import Observer

# All that a call may need comes with the first store: a process that is forked while another thread
# imports something would wait for that import for ever.
for _part in ("banks", "connections", "declared", "memories", "recalling", "views"):
    import_module(f"scrubjay.operations.{_part}")

IN_MEMORY = ":memory:"
HTTP_SCHEMES = ("http://", "https://")
KEY_VARIABLE = "SCRUBJAY_KEY"
SERVER_SCHEMES = ("postgresql://", "postgres://")


class Backend(Protocol):
    """Does operations, from many threads at once."""

    @property
    def location(self) -> str:
        """Where the banks are."""

    def run(
        self, operation: Operation[P, T], target: Target, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What the operation gives, done with the target."""

    def close(self) -> None:
        """Let go of what is open; an operation afterwards is StoreClosed."""


class AsyncBackend(Protocol):
    """The same, awaitable."""

    @property
    def location(self) -> str:
        """Where the banks are."""

    async def run(
        self, operation: Operation[P, T], target: Target, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """See Backend.run."""

    async def close(self) -> None:
        """See Backend.close."""


class EngineBackend:
    """The engine over a store."""

    def __init__(self, store: Store, toolbox: Toolbox) -> None:
        self.store = store
        self.toolbox = toolbox

    @property
    def location(self) -> str:
        """Where the store is."""
        return self.store.location

    def run(
        self, operation: Operation[P, T], target: Target, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call the operation's function."""
        name, made = target
        # Reading never makes a bank, except the default bank's emptiness.
        made = made and (
            operation.makes_bank or (name == DEFAULT_BANK and not self.store.read_only)
        )
        banks = MadeWhenUsed(self.store) if made else self.store
        engine = Engine(self.store, self.toolbox, name, banks)
        return operation.function(engine, *args, **kwargs)

    def admits(self, bank: str) -> bool:
        """Whether it is known, without a look at the bank, that it may be asked at any time."""
        return self.toolbox.meter.free(bank)

    def admit(self, bank: str, times: int) -> None:
        """Count what a process that only reads will answer; QuotaExceeded if that is too much."""
        with self.store.using(bank) as found:
            if found is not None:
                self.toolbox.meter.learn(found)
                self.toolbox.meter.admit(found, times)

    def close(self) -> None:
        """Close the store, and let the threads go."""
        self.store.close()
        self.toolbox.close()


class InThreads:
    """A backend whose every operation runs in a worker thread, for an event loop."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    @property
    def location(self) -> str:
        """Where the banks are."""
        return self._backend.location

    async def run(
        self, operation: Operation[P, T], target: Target, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """See Backend.run."""
        return await asyncio.to_thread(
            lambda: self._backend.run(operation, target, *args, **kwargs)
        )

    async def close(self) -> None:
        """See Backend.close."""
        await asyncio.to_thread(self._backend.close)


# What `Memory.open` takes for a Toolbox.
Tools = tuple[
    str | Encoder | None,
    str | Reranker | None,
    Clock,
    Mapping[str, Retriever | Search] | None,
    Observer,
]


def open_backend(
    path: str | os.PathLike[str] | None, tools: Tools, *, read_only: bool, key: str | None
) -> Backend:
    """What `Memory.open` talks to; a server chooses its own tools."""
    if isinstance(path, str) and path.startswith(HTTP_SCHEMES):
        from scrubjay.remote.backend import HttpBackend  # only who uses it needs httpx

        return HttpBackend(path, key or os.environ.get(KEY_VARIABLE))
    toolbox = Toolbox(*tools)
    return EngineBackend(open_store(path, read_only=read_only, clock=toolbox.clock), toolbox)


async def open_async_backend(
    path: str | os.PathLike[str] | None, tools: Tools, *, read_only: bool, key: str | None
) -> AsyncBackend:
    """What `AsyncMemory.open` talks to."""
    if isinstance(path, str) and path.startswith(HTTP_SCHEMES):
        from scrubjay.remote.backend import AsyncHttpBackend

        return AsyncHttpBackend(path, key or os.environ.get(KEY_VARIABLE))
    opened = await asyncio.to_thread(open_backend, path, tools, read_only=read_only, key=key)
    return InThreads(opened)


def open_store(
    path: str | os.PathLike[str] | None, *, read_only: bool, clock: Clock = utc_now
) -> Store:
    """The store at a path or a database's address, as `Memory.open` takes it."""
    if isinstance(path, str) and path.startswith(SERVER_SCHEMES):
        if find_spec("asyncpg") is None:
            raise ExtraMissing("postgres", "asyncpg")
        from scrubjay.store.postgres.store import PostgresStore  # only who uses it needs the driver

        return PostgresStore(path, read_only=read_only, clock=clock)
    directory = None
    if path is None:
        directory = default_directory()
    elif not (isinstance(path, str) and path == IN_MEMORY):
        directory = check_path(path, home=True)
    return EmbeddedStore(directory, read_only=read_only, clock=clock)


def default_directory() -> Path:
    """Where `Memory.open()` keeps its store: SCRUBJAY_STORE, or the user's data directory."""
    given = os.environ.get("SCRUBJAY_STORE")
    return check_path(given) if given else Path(platformdirs.user_data_dir("scrubjay")) / "store"


def restore_store(backup: str | Path, path: str | Path) -> None:
    """Make a store at `path`, new or empty, from a backup."""
    source, target = check_path(backup), check_path(path)
    if not (source / "registry.db").is_file():
        raise BadInput("no backup at", str(source), "Give the directory `backup` wrote.")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise BadInput("restore target is not empty", str(target), "Give a new directory.")
    try:
        make_private(target)
        shutil.copytree(source / "banks", target / PARTIAL)
        # Then at once: a copy cut off halfway does not pass for a store.
        (target / PARTIAL).rename(target / "banks")
        shutil.copyfile(source / "registry.db", target / "registry.db")
    except (OSError, shutil.Error) as error:
        raise StoreError(
            f"{source} could not be restored to {target} ({error}). Remove what was copied, "
            "make room, and repeat the call."
        ) from error
