"""The folders of a store's banks: which there are, how one appears and how one goes."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from scrubjay.errors import StoreDamaged
from scrubjay.store.embedded.connection.database import Database, Location
from scrubjay.store.embedded.directory.bank_notes import Identity, folder_name, read_identity
from scrubjay.store.shared.statements import migrations
from scrubjay.undoing import undone_by

PACKAGE = "scrubjay.store.embedded"

# Where a copy of a store gathers its banks; it gets their name when all of them are there.
PARTIAL = "banks.partial"

# Renaming is one step: a folder is in the making, in use, or on its way out.
_NEW = ".new"
_DELETED = ".deleted"
_FOLDER = re.compile(r"(\d{8,})(.*)")


class BankFolders:
    """The folders below `banks`: `00000001`, or `00000001.new`, or `00000001.deleted`."""

    def __init__(self, directory: Path) -> None:
        self._banks = directory / "banks"

    def folder(self, number: int) -> Path:
        """Where a bank lives."""
        return self._banks / folder_name(number)

    def file(self, number: int) -> Path:
        """A bank's database."""
        return self.folder(number) / "bank.db"

    def _found(self) -> list[tuple[int, str]]:
        """Number and suffix of every folder that is, was or will be a bank's."""
        there = self._banks.iterdir() if self._banks.exists() else ()
        names = (_FOLDER.fullmatch(path.name) for path in there)
        return sorted((int(name[1]), name[2]) for name in names if name)

    def numbers(self) -> list[int]:
        """The numbers of the banks there are."""
        return [number for number, suffix in self._found() if not suffix]

    def highest(self) -> int:
        """The highest number that any folder carries, whatever became of its bank."""
        return max((number for number, _ in self._found()), default=0)

    def going(self) -> list[int]:
        """The numbers of banks whose deletion has begun."""
        return [number for number, suffix in self._found() if suffix == _DELETED]

    def identities(self, numbers: Iterable[int], known: Mapping[str, int]) -> list[Identity]:
        """Who these banks are by their own files; StoreDamaged if one of them is in doubt.

        `known` are the names that other folders have, with their numbers.
        """
        owners = dict(known)
        found = []
        for number in numbers:
            identity = self._identity(number)
            owner = owners.setdefault(identity.name, number)
            if owner != number:
                raise StoreDamaged(
                    f"Two folders say that they are bank {identity.name!r}: {self.folder(owner)} "
                    f"and {self.folder(number)}. Move the one that is not out of the store."
                )
            found.append(identity)
        return found

    def _identity(self, number: int) -> Identity:
        location = Location(self.file(number))
        steps = migrations(PACKAGE)
        with (
            Database(location, steps, read_only=True, existing=True) as database,
            database.reading() as connection,
        ):
            identity = read_identity(connection, location)
        if identity is None:
            raise StoreDamaged(
                f"{location} does not say which bank it is, and registry.db, which knew, does not "
                "list it. Put registry.db back from a backup, or move the folder out of the store."
            )
        if identity.number != number:
            raise StoreDamaged(
                f"{location} says that it is {identity}: the folder was copied or renamed. "
                "Move it out of the store, or give it its name back."
            )
        return identity

    @contextmanager
    def making(self, number: int) -> Iterator[Path]:
        """The file of a new bank, to be filled and closed; the folder appears with all in it."""
        folder = self.folder(number)
        fresh = folder.with_suffix(_NEW)
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        with undone_by(partial(shutil.rmtree, fresh, ignore_errors=True)):
            yield fresh / "bank.db"
            sync_folder(fresh)
            fresh.rename(folder)
            sync_folder(self._banks)

    def discard(self, number: int) -> None:
        """Begin a deletion, if the folder is there: from here on it is nobody's."""
        folder = self.folder(number)
        if folder.exists():
            folder.rename(folder.with_suffix(_DELETED))

    def bring_back(self, number: int) -> None:
        """Undo the beginning of a deletion, if it has begun and taken nothing yet."""
        doomed = self.folder(number).with_suffix(_DELETED)
        if (doomed / "bank.db").exists():
            doomed.rename(self.folder(number))

    def hollow(self, number: int) -> None:
        """Remove the files of a bank whose deletion has begun, and leave its folder as a sign."""
        doomed = self.folder(number).with_suffix(_DELETED)
        # First: a bank without its log alone would pass for whole.
        (doomed / "bank.db").unlink(missing_ok=True)
        for path in doomed.iterdir() if doomed.exists() else ():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def sweep(self, number: int) -> None:
        """Remove what is left of a bank whose deletion has begun."""
        doomed = self.folder(number).with_suffix(_DELETED)
        if doomed.exists():
            shutil.rmtree(doomed)

    def sweep_unfinished(self) -> None:
        """Remove banks whose making was cut off: nobody was told that they are there."""
        for number, suffix in self._found():
            if suffix == _NEW:
                shutil.rmtree(self.folder(number).with_suffix(_NEW), ignore_errors=True)


def sync_folder(folder: Path) -> None:
    """Let new names in a folder survive a power cut, where the system can be asked to."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
