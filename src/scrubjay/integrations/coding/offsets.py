"""How far each transcript was read, kept in one small file."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

# Transcripts remembered; of one that was left out all is read again, which keeps nothing twice.
_TRANSCRIPTS_MAX = 1_000


@dataclass(slots=True)
class Part:
    """The part of a transcript that was not read yet; `line` is the number of its first line."""

    file: BinaryIO
    offset: int
    line: int
    _read: tuple[int, int] = (0, 0)

    def lines(self, at_most: int) -> list[bytes]:
        """The next whole lines; one that is still being written is left for later."""
        self.file.seek(self.offset)
        found: list[bytes] = []
        for line in self.file:
            if len(found) == at_most or not line.endswith(b"\n"):
                break
            found.append(line)
        self._read = (sum(map(len, found)), len(found))
        return found

    def advance(self) -> None:
        """Take what `lines` gave for read."""
        size, count = self._read
        self.offset, self.line = self.offset + size, self.line + count


class Offsets:
    """How far each transcript was read; safe from many threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._guard = threading.Lock()
        self._known = _read(path)

    @contextmanager
    def reading(self, transcript: Path) -> Iterator[Part]:
        """What is new in a transcript; what was advanced over is not read again."""
        # A pipe or a device may keep its reader waiting, or never end.
        if not transcript.is_file():
            raise FileNotFoundError(f"no file: {transcript}")
        with self._guard, transcript.open("rb") as file:
            offset, line = self._known.get(str(transcript), (0, 1))
            if offset > os.fstat(file.fileno()).st_size:
                offset, line = 0, 1  # another file by now
            part = Part(file, offset, line)
            try:
                yield part
            finally:
                self._known.pop(str(transcript), None)  # the newest last
                self._known[str(transcript)] = (part.offset, part.line)
                self._write()

    def _write(self) -> None:
        newest = dict([*self._known.items()][-_TRANSCRIPTS_MAX:])
        partial = self._path.with_suffix(".part")
        partial.write_text(json.dumps(newest), encoding="utf-8")
        partial.replace(self._path)


def _read(path: Path) -> dict[str, tuple[int, int]]:
    try:
        shape = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): (int(offset), int(line)) for name, (offset, line) in shape.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}  # all is read again, and known by its keys
