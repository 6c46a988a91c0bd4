"""Keeps back some room of a disk that runs full, which only erasing and opening may use."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from scrubjay.settings import DISK_LOW_BYTES, RESERVE_BYTES_MAX

# Less is no room to erase in, and on a disk that small each page counts.
_BYTES_MIN = 65_536
# Of what is free when the reserve is first made; to erase all of a bank takes what it takes.
_SHARE = 4
# To open a store takes the note of who holds it and an index of each log.
_OPENING_BYTES = 262_144


class Reserve:
    """A file that stands for room, in a store whose disk is low; on any other disk there is none.

    Even to delete rows SQLite first writes. Where scrubjay itself filled the disk, or another
    program did while the file was there, the room it gives back is enough to erase in.
    """

    def __init__(self, directory: Path) -> None:
        self._file = directory / "scrubjay.reserve"  # nobody else has a file of that name
        self._lock = threading.Lock()
        self._used = 0  # by so many that erase at this moment
        self._wanted = 0  # once made, it is made as large again: what is told must not eat it

    def low(self) -> bool:
        """Whether so little is left of the disk that room is kept back."""
        return self._free() < DISK_LOW_BYTES

    def keep(self) -> None:
        """Make the file where the disk is low and has room, and remove it where it is not."""
        with self._lock, suppress(OSError):
            if self._used:
                return
            free, kept = self._free(), self._bytes()
            if free >= DISK_LOW_BYTES:
                if kept:
                    self._file.unlink(missing_ok=True)
                self._wanted = 0
                return
            room = free + kept
            self._wanted = max(self._wanted, kept, min(RESERVE_BYTES_MAX, room // _SHARE))
            wanted = min(self._wanted, room)
            if wanted >= kept + _BYTES_MIN:
                self._fill(wanted)

    def _fill(self, wanted: int) -> None:
        try:
            # Zeros take no room where a file system leaves them out or packs them.
            self._file.write_bytes(os.urandom(wanted))
        except OSError:
            self._file.unlink(missing_ok=True)
            raise

    @contextmanager
    def released(self) -> Iterator[None]:
        """Give the room back for as long as a block erases."""
        with self._lock:
            self._used += 1
            with suppress(OSError):
                self._file.unlink(missing_ok=True)
        try:
            yield
        finally:
            with self._lock:
                self._used -= 1
            self.keep()

    @contextmanager
    def opening(self) -> Iterator[None]:
        """The same while a store is opened, where not even for that is room."""
        with self.released() if self._free() < _OPENING_BYTES else nullcontext():
            yield
        self.keep()

    def _free(self) -> int:
        try:
            return shutil.disk_usage(self._file.parent).free
        except OSError:
            return DISK_LOW_BYTES  # who cannot be asked is not known to be low

    def _bytes(self) -> int:
        try:
            return self._file.stat().st_size
        except OSError:
            return 0
