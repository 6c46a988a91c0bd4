"""Opens what is brought along: one file, a zip of them, or a folder; nothing is ever unpacked."""

from __future__ import annotations

import codecs
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from scrubjay.engine.transfer import reading_twice
from scrubjay.errors import BadInput
from scrubjay.importers.found import Wrong

# A zip says how much it holds; one that holds far more than text can be packed is made to harm.
_PACKED_RATIO_MAX = 200
_SMALL_BYTES = 1 << 20
_WHOLE_BYTES_MAX = 64 << 30
_FILES_MAX = 200_000
# One line, or one file that is read whole: a note, a document, a day of a channel.
LINE_BYTES_MAX = 32 << 20

_UNREADABLE = (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files of an import by their names; `root` is a folder, or the opened file."""

    path: Path
    names: tuple[str, ...]
    root: Path | zipfile.ZipFile | IO[bytes]

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """One file, from its start."""
        if isinstance(self.root, zipfile.ZipFile):
            with self.root.open(name) as file:
                yield file
        elif isinstance(self.root, Path):
            with (self.root / name).open("rb") as file:
                yield file
        else:
            # Who is in the midst of reading it goes on where he was.
            where = self.root.tell()
            self.root.seek(0)
            try:
                yield self.root
            finally:
                if not self.root.closed:
                    self.root.seek(where)

    def lines(self, name: str) -> Iterator[bytes | Wrong]:
        """The lines of a file; the last thing is Wrong if it ends in the middle, or is damaged."""
        number = 0
        try:
            with self.open(name) as file:
                while line := file.readline(LINE_BYTES_MAX):
                    number += 1
                    if len(line) == LINE_BYTES_MAX and not line.endswith(b"\n"):
                        yield Wrong(number, f"a line of more than {LINE_BYTES_MAX >> 20} MB")
                        return
                    yield line
        except _UNREADABLE as error:
            yield Wrong(number + 1, f"cannot be read: {error}")

    def text(self, name: str) -> str | Wrong:
        """A small file whole."""
        try:
            with self.open(name) as file:
                whole = file.read(LINE_BYTES_MAX + 1)
        except _UNREADABLE as error:
            return Wrong(1, f"cannot be read: {error}")
        if len(whole) > LINE_BYTES_MAX:
            return Wrong(1, f"a file of more than {LINE_BYTES_MAX >> 20} MB")
        try:
            return whole.removeprefix(codecs.BOM_UTF8).decode()
        except UnicodeDecodeError as error:
            return Wrong(whole.count(b"\n", 0, error.start) + 1, f"not UTF-8 at byte {error.start}")

    def head(self, name: str, size: int = 1 << 16) -> str:
        """How a file begins."""
        try:
            with self.open(name) as file:
                return file.read(size).removeprefix(codecs.BOM_UTF8).decode(errors="replace")
        except _UNREADABLE:
            return ""

    def named(self, *endings: str) -> list[str]:
        """The files whose last name is one of these, or ends so (`.md`)."""
        return [
            name
            for name in self.names
            if any(
                name.lower().endswith(end) if end.startswith(".") else _last(name) == end
                for end in endings
            )
        ]


def _last(name: str) -> str:
    return name.rpartition("/")[2]


@contextmanager
def opened(path: Path) -> Iterator[Bundle]:
    """A file, a zip or a folder; BadInput for what cannot be read, or must not be."""
    if path.is_dir():
        yield Bundle(path, tuple(_files_under(path)), path)
        return
    with reading_twice(path) as file:
        try:
            packed = zipfile.ZipFile(file) if file.read(4) == b"PK\x03\x04" else None
            file.seek(0)
        except _UNREADABLE as error:
            raise BadInput(f"zip that cannot be read ({error})", str(path), _ANEW) from None
        if packed is None:
            yield Bundle(path, (path.name,), file)
            return
        with packed:
            yield Bundle(path, tuple(_checked(path, packed)), packed)


_ANEW = "Export it anew; a download may have been cut."


def _files_under(folder: Path) -> list[str]:
    names = []
    for found in sorted(folder.rglob("*")):
        name = found.relative_to(folder).as_posix()
        hidden = any(part.startswith(".") for part in name.split("/"))
        # A link may lead out of the folder that was given.
        inside = not found.is_symlink() and found.resolve().is_relative_to(folder.resolve())
        if not hidden and inside and found.is_file():
            names.append(name)
        if len(names) > _FILES_MAX:
            raise BadInput("files in a folder", len(names), f"At most {_FILES_MAX:,} are read.")
    return names


def _checked(path: Path, packed: zipfile.ZipFile) -> list[str]:
    """The names in a zip that holds no more than it may."""
    members = [one for one in packed.infolist() if not one.is_dir()]
    if len(members) > _FILES_MAX:
        raise BadInput("files in a zip", len(members), f"At most {_FILES_MAX:,} are read.")
    whole = 0
    for one in members:
        inside = PurePosixPath(one.filename.replace("\\", "/"))
        if inside.is_absolute() or ".." in inside.parts or ":" in inside.parts[0]:
            raise BadInput("zip with a path that leads out of it", one.filename, _NOT_TRUSTED)
        if one.flag_bits & 1:
            raise BadInput("zip that is locked with a password", str(path), "Unlock it first.")
        whole += one.file_size
        ratio = one.file_size / max(one.compress_size, 1)
        if whole > _WHOLE_BYTES_MAX or (one.file_size > _SMALL_BYTES and ratio > _PACKED_RATIO_MAX):
            raise BadInput("zip that unpacks to far more than it is", one.filename, _NOT_TRUSTED)
    return sorted(one.filename for one in members)


_NOT_TRUSTED = "No program exports such a file; nothing of it was read."
