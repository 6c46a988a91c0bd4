"""Files made from the rows: written whole, and used only while they are what was written."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import stat
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Protocol, TypeVar, get_args, get_origin, get_type_hints

logger = logging.getLogger("scrubjay.embedded")

# Which large files were found as they were written, and in what state.
MARKER = "verified.json"

CHECKSUM = "checksum"

# A manifest of 256 types takes a tenth of this.
MANIFEST_BYTES_MAX = 1 << 20
READ_BYTES = 1 << 20

# Rows are numbered in 32 bits; no size or count of theirs comes near this.
NUMBER_MAX = 1 << 48

# Smaller files are read whole at every opening, in five milliseconds each. Larger ones are read
# once in each state: those of a million units, 2.4 GB, take a second or two of CPU, and of a disk
# many more. See docs/scale.md.
REMEMBERED_FROM_BYTES = 16 << 20

# A file that changes twice within a tick of its file system's clock looks the same; no clock in
# use ticks more slowly.
TICK_NS = 2_000_000_000

Shape = TypeVar("Shape")


class NotAsSaved(ValueError):
    """A file is not the one that was written; the message names it and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class SavedFile:
    """What a manifest says of a file, so that another one, or a part of it, is told from it."""

    name: str
    size: int
    crc: int


class Files(Protocol):
    """A folder whose files may be used."""

    def path(self, name: str) -> Path: ...


class NewFiles:
    """Files being written to a folder, each of them whole or absent after a crash."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._written: list[SavedFile] = []

    def write(self, name: str, write: Callable[[Path], object]) -> str:
        """Let `write` fill a file; its name."""
        self._written.append(write_durably(self.directory / name, write))
        return name

    def path(self, name: str) -> Path:
        """Where a file is that was just written."""
        return self.directory / name

    @property
    def written(self) -> tuple[SavedFile, ...]:
        """What a manifest is to say of them."""
        return tuple(self._written)


class SavedFiles:
    """A folder of files that are verified before they are used.

    `stamps` are those of the saves that the bank's database trusts; None trusts any. `problems`
    says what was found damaged. Changes that a file undergoes once it is in use go unseen.
    """

    def __init__(
        self, directory: Path, *, stamps: Collection[str] | None = None, remembering: bool = True
    ) -> None:
        self.directory = directory
        self.problems: list[str] = []
        self._stamps = stamps
        self._listed: dict[str, SavedFile] = {}
        self._remembered = self._marked() if remembering else {}
        self._verified: dict[str, list[int]] = {}

    def manifest(self, name: str, kind: Callable[..., Shape]) -> Shape:
        """What a manifest says; NotAsSaved unless it is whole and of a trusted save."""
        told = read_manifest(self.directory / name)
        if self._stamps is not None and told.get("stamp") not in self._stamps:
            raise NotAsSaved(f"{name} is of another bank or of an earlier state of this one")
        return shaped(kind, told, name)

    def expect(self, files: Iterable[SavedFile]) -> None:
        """Know what a manifest says of its files."""
        self._listed |= {file.name: file for file in files}

    def path(self, name: str) -> Path:
        """Where a listed file is; NotAsSaved unless it is there as it was written."""
        saved = self._listed.get(name)
        if saved is None or Path(name).name != name:
            raise NotAsSaved(f"{name!r} is no file of the manifest")
        path = self.directory / name
        with _told(name):
            state = _state_of(path)
            if state.st_size != saved.size:
                raise NotAsSaved(f"{name} has {state.st_size:,} bytes instead of {saved.size:,}")
            known = [saved.size, saved.crc, state.st_ino, state.st_mtime_ns, state.st_ctime_ns]
            if self._remembered.get(name) != known and _crc_of(path) != saved.crc:
                raise NotAsSaved(f"{name} does not have the content that was written")
        self._verified[name] = known
        return path

    def report(self, problem: object, remedy: str) -> None:
        """Note a damaged file and say what is done about it."""
        self.problems.append(str(problem))
        logger.warning("%s: %s; %s.", self.directory, problem, remedy)

    def remember(self) -> None:
        """Keep which large files were found as written, so that none is read whole twice."""
        before = time.time_ns() - TICK_NS
        large = {
            name: state
            for name, state in self._verified.items()
            if state[0] >= REMEMBERED_FROM_BYTES and max(state[3:]) < before
        }
        if large and large != self._remembered:
            with contextlib.suppress(OSError):  # then they are read again
                write_manifest(self.directory / MARKER, {"files": large})

    def _marked(self) -> Mapping[str, object]:
        try:
            files = read_manifest(self.directory / MARKER).get("files")
        except NotAsSaved:
            return {}
        return files if isinstance(files, dict) else {}


def write_durably(path: Path, write: Callable[[Path], object]) -> SavedFile:
    """Let `write` fill a temporary file, then sync it, give it its name and sync that too."""
    temporary = path.with_name(f"{path.name}.tmp")
    _make_way(temporary)
    _make_way(path)
    write(temporary)
    with temporary.open("r+b") as file:
        os.fsync(file.fileno())
    saved = SavedFile(path.name, temporary.stat().st_size, _crc_of(temporary))
    temporary.replace(path)
    if os.name == "posix":  # elsewhere a directory cannot be opened
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    return saved


def write_manifest(path: Path, told: Mapping[str, object]) -> None:
    """Write what is told, with a checksum of it, as JSON."""
    text = json.dumps({CHECKSUM: _checksum(told), **told}, indent=1)
    write_durably(path, lambda target: target.write_bytes(text.encode()))


def read_manifest(path: Path) -> dict[str, object]:
    """What was written; NotAsSaved when the file is missing, damaged or without a checksum."""
    with _told(path.name):
        if _state_of(path).st_size > MANIFEST_BYTES_MAX:
            raise NotAsSaved(f"{path.name} is too large for a manifest")
        content = path.read_bytes()
    try:
        told = json.loads(content)
        if isinstance(told, dict) and told.pop(CHECKSUM, None) == _checksum(told):
            return told
    except (ValueError, RecursionError):
        pass
    raise NotAsSaved(f"{path.name} does not have the content that was written")


def shaped(kind: Callable[..., Shape], told: object, place: str) -> Shape:
    """The dataclass `kind` of what JSON told; NotAsSaved where something is not of its type."""
    hints = _hints_of(kind)
    if not isinstance(told, dict) or told.keys() != hints.keys():
        raise NotAsSaved(f"{place} is of another version")
    return kind(**{name: _fitting(hints[name], told[name], place) for name in hints})


@cache
def _hints_of(kind: Callable[..., object]) -> Mapping[str, object]:
    return get_type_hints(kind)


def _fitting(hint: object, value: object, place: str) -> object:
    options = get_args(hint)
    if get_origin(hint) is tuple and isinstance(value, list):
        return tuple(_fitting(options[0], each, place) for each in value)
    if isinstance(hint, UnionType):
        return None if value is None else _fitting(options[0], value, place)
    if isinstance(hint, type) and is_dataclass(hint):
        return shaped(hint, value, place)
    if hint is str and isinstance(value, str):
        return value
    if hint is int and type(value) is int and -1 <= value < NUMBER_MAX:
        return value
    raise NotAsSaved(f"{place} says {str(value)[:40]!r} where something else belongs")


def _checksum(told: Mapping[str, object]) -> str:
    return f"{zlib.crc32(json.dumps(told, sort_keys=True).encode()):08x}"


def _state_of(path: Path) -> os.stat_result:
    """The state of a regular file: reading a pipe would wait for ever."""
    state = path.stat()
    if not stat.S_ISREG(state.st_mode):
        raise NotAsSaved(f"{path.name} is not a file")
    return state


def _crc_of(path: Path) -> int:
    crc, room = 0, memoryview(bytearray(READ_BYTES))
    with path.open("rb", buffering=0) as file:
        while size := file.readinto(room):
            crc = zlib.crc32(room[:size], crc)
    return crc


def _make_way(path: Path) -> None:
    """Remove what is in the place of a file and is none."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        shutil.rmtree(path)
    elif not stat.S_ISREG(mode):
        path.unlink()


@contextlib.contextmanager
def _told(name: str) -> Iterator[None]:
    """Say which file the system refuses to read."""
    try:
        yield
    except FileNotFoundError:
        raise NotAsSaved(f"{name} is missing") from None
    except OSError as error:
        raise NotAsSaved(f"{name} cannot be read ({error.strerror})") from error
