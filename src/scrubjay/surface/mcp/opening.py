"""Opens the store when a tool first needs it, for writing if nobody else does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from scrubjay.errors import StoreLocked
from scrubjay.memory import Memory

Open = Callable[[bool], Memory]  # called with `read_only`


class Sharing(Protocol):
    """How several servers use one store, of which one holds it for writing."""

    def hold(self, opened: Callable[[], Memory]) -> Memory:
        """The memory, opened for writing and offered to the others; StoreLocked if one has it."""

    def ask(self, call: bytes) -> bytes | None:
        """What the server that holds the store answers to a call; None if there is none."""

    def close(self) -> None:
        """Close it, and offer it no longer."""


class LazyMemory:
    """A memory that is opened once, by the first tool that asks; safe from many threads.

    Where another process writes the store, tools are called there, if it can be asked; those that
    only read work in any case.
    """

    def __init__(self, open_memory: Open, sharing: Sharing | None = None) -> None:
        self._open = open_memory
        self._sharing = sharing
        self._guard = threading.Lock()
        self._writer: Memory | None = None
        self._reader: Memory | None = None

    def elsewhere(self, call: bytes) -> bytes | None:
        """What the server that holds the store answers to a call; None where that is for us."""
        if self._sharing is None:
            return None
        answer = None if self._writer is not None else self._sharing.ask(call)
        if answer is not None or self._writer is not None:
            return answer
        try:
            self.writing()
        except StoreLocked:
            # Of two that began at once, the other was first, and answers by now; or it is
            # a program that cannot be asked.
            return self._sharing.ask(call)
        return None

    def writing(self) -> Memory:
        """The memory for changing; StoreLocked, with a way out, if another process holds it."""
        with self._guard:
            if self._writer is None:
                try:
                    self._writer = self._held()
                except StoreLocked as error:
                    raise StoreLocked(
                        f"{error} To let several programs write, run `scrubjay serve` and give "
                        "its address as --store."
                    ) from error
                if self._reader is not None:
                    self._reader.close()
                    self._reader = None
            return self._writer

    def _held(self) -> Memory:
        if self._sharing is None:
            return self._open(False)
        return self._sharing.hold(lambda: self._open(False))

    def reading(self) -> Memory:
        """The memory for reading, also while another process writes."""
        try:
            return self.writing()
        except StoreLocked:
            with self._guard:
                if self._reader is None:
                    self._reader = self._open(True)
                return self._reader

    def close(self) -> None:
        """Close what was opened."""
        if self._sharing is not None:
            self._sharing.close()
        with self._guard:
            for memory in (self._writer, self._reader):
                if memory is not None:
                    memory.close()
            self._writer = self._reader = None
