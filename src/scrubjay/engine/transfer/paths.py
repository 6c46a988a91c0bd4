"""Opens the paths a user gives: a file appears when it is whole, everything else is a stream."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from scrubjay.errors import BadInput, StoreFull
from scrubjay.private_files import owners_alone

# What a stream brings beyond this is kept in a temporary file while it is looked through.
_IN_MEMORY_BYTES = 32 << 20

# Names of what this process has open already. To open them by name would begin a file that stdout
# was sent to anew, and Windows does not know them.
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")


def outside(target: Path, store: str) -> Path:
    """The path, which must neither replace a file of the store nor lie in a bank's folder."""
    own, real = Path(os.path.realpath(store)), Path(os.path.realpath(target))
    inside = Path(store).is_dir() and real.is_relative_to(own)
    if inside and (real.exists() or real.is_relative_to(own / "banks")):
        raise BadInput("path inside the store", str(target), "Give one outside of it.")
    return target


@contextmanager
def writing(target: Path) -> Iterator[IO[bytes]]:
    """Write to a path: a file is replaced when all is written, through links; BadInput if not.

    A pipe, a device or an open descriptor (`/dev/stdout`) is written to as it is. A reader that
    goes away is BrokenPipeError.
    """
    try:
        descriptor = _descriptor_of(target)
        if descriptor is not None:
            with os.fdopen(os.dup(descriptor), "wb") as out:
                yield out
        elif _is_stream(target):
            with target.open("wb") as out:
                yield out
        else:
            with _replacing(Path(os.path.realpath(target))) as out:
                yield out
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreFull(
                f"{target} takes no more ({error.strerror}). Free some space, or give another path."
            ) from error
        raise BadInput(
            f"cannot write ({error.strerror})", str(target), "Give a path with room for a new file."
        ) from error


@contextmanager
def _replacing(target: Path) -> Iterator[IO[bytes]]:
    partial = target.with_name(f"{target.name[:50]}.{secrets.token_hex(6)}.partial")
    try:
        # Memories of a bank that its owner alone can read are not for all once they are exported.
        with open(partial, "xb", opener=owners_alone) as out:
            with suppress(FileNotFoundError):
                _take_after(out.fileno(), target.stat())
            yield out
            out.flush()
            os.fsync(out.fileno())
        partial.replace(target)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _take_after(descriptor: int, old: os.stat_result) -> None:
    """Give a file the owner and the permissions of the one it replaces, where that is allowed."""
    if hasattr(os, "fchown"):
        with suppress(OSError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


@contextmanager
def reading(path: Path) -> Iterator[IO[bytes]]:
    """Read a path from its start, or what is left of an open descriptor; BadInput if not."""
    try:
        descriptor = _descriptor_of(path)
        file = path.open("rb") if descriptor is None else os.fdopen(os.dup(descriptor), "rb")
    except OSError as error:
        raise _unreadable(path, error) from error
    with file:
        yield file


@contextmanager
def reading_twice(path: Path) -> Iterator[IO[bytes]]:
    """Like `reading`, and what it gives can be rewound: a stream is read once, and kept."""
    with reading(path) as file:
        if _descriptor_of(path) is None and not _is_stream(path):
            yield file
            return
        with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as kept:
            try:
                shutil.copyfileobj(file, kept)
            except OSError as error:
                raise _unreadable(path, error) from error
            kept.seek(0)
            yield kept


def _descriptor_of(path: Path) -> int | None:
    name = path.as_posix()
    found = _DESCRIPTOR.fullmatch(name)
    number = _STANDARD.get(name) if found is None else int(found[1])
    # One that was closed before this process began may be any other file's by now.
    standard = dict(enumerate((sys.__stdin__, sys.__stdout__, sys.__stderr__)))
    if number in standard and standard[number] is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return number


def _is_stream(path: Path) -> bool:
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def _unreadable(path: Path, error: OSError) -> BadInput:
    return BadInput(
        f"cannot read ({error.strerror})", str(path), "Check the path and its permissions."
    )
