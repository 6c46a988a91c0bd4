"""Opens the store when a tool first needs it, for writing if nobody else does."""

from __future__ import annotations

import threading
from collections.abc import Callable

from scrubjay.errors import StoreLocked
from scrubjay.memory import Memory

Open = Callable[[bool], Memory]  # called with `read_only`


class LazyMemory:
    """A memory that is opened once, by the first tool that asks; safe from many threads.

    Where another process writes the store, tools that only read still work.
    """

    def __init__(self, open_memory: Open) -> None:
        self._open = open_memory
        self._guard = threading.Lock()
        self._writer: Memory | None = None
        self._reader: Memory | None = None

    def writing(self) -> Memory:
        """The memory for changing; StoreLocked, with a way out, if another process holds it."""
        with self._guard:
            if self._writer is None:
                try:
                    self._writer = self._open(False)
                except StoreLocked as error:
                    raise StoreLocked(
                        f"{error} To let several programs write, run `scrubjay serve` and give "
                        "its address as --store."
                    ) from error
                if self._reader is not None:
                    self._reader.close()
                    self._reader = None
            return self._writer

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
        with self._guard:
            for memory in (self._writer, self._reader):
                if memory is not None:
                    memory.close()
            self._writer = self._reader = None
