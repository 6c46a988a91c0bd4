"""The list of a store's banks, which follows what the banks say of themselves."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from scrubjay.errors import NotFound, StoreDamaged
from scrubjay.store.embedded.connection.database import Database, Location
from scrubjay.store.embedded.connection.faults import unwritable
from scrubjay.store.embedded.directory.bank_folders import BankFolders, sync_folder
from scrubjay.store.embedded.directory.bank_notes import Identity
from scrubjay.store.shared.statements import read_sql, statements
from scrubjay.undoing import undone_by

PACKAGE = "scrubjay.store.embedded"
SQL = statements(PACKAGE, "registry_queries.sql")
STEPS = [(1, read_sql(PACKAGE, "registry.sql"))]

logger = logging.getLogger("scrubjay.store")


class Registry:
    """Which banks there are, and their numbers; in this process's memory without folders.

    Every bank's file names its bank, so the list can be made anew: when it is lost or damaged
    that is done on opening for writing, and banks it lacks are taken in. What is in doubt is
    StoreDamaged, for a folder must never pass to another name.
    """

    def __init__(self, place: Location, folders: BankFolders | None, *, read_only: bool) -> None:
        self._highest = 0
        if place.path is None or folders is None:
            self._database = Database(place, STEPS)
        elif read_only:
            self._database = _opened_for_reading(place.path, folders)
        else:
            self._database = _opened_or_made_anew(place.path, folders)
            with undone_by(self._database.close):
                self._take_in_others(folders)
            self._highest = folders.highest()

    def _take_in_others(self, folders: BankFolders) -> None:
        """Add banks that the list lacks: it is an older one, or their making was cut off."""
        with self._database.reading() as connection:
            listed = {name: int(n) for name, n in connection.execute(SQL["list_numbers"])}
        present = folders.numbers()
        others = sorted(set(present) - set(listed.values()))
        if not others:
            return
        known = {name: number for name, number in listed.items() if number in set(present)}
        _add(self._database, folders.identities(others, known))

    def names(self) -> list[str]:
        """The names of all banks, sorted."""
        with self._database.reading() as connection:
            return [name for (name,) in connection.execute(SQL["list_banks"])]

    def number(self, name: str) -> int | None:
        """The number of a bank, None if there is none of that name."""
        with self._database.reading() as connection:
            found = connection.execute(SQL["find_bank"], (name,)).fetchone()
        return None if found is None else int(found[0])

    def lists(self, number: int) -> bool:
        """Whether a bank has that number."""
        with self._database.reading() as connection:
            return number in {int(n) for _, n in connection.execute(SQL["list_numbers"])}

    def next_number(self) -> int:
        """A number that no bank has had, and that no folder carries."""
        with self._database.reading() as connection:
            given = int(connection.execute(SQL["highest_given"]).fetchone()[0])
        return max(given, self._highest) + 1

    def add(self, identity: Identity) -> None:
        """Put a bank on the list."""
        _add(self._database, [identity])

    def remove(self, number: int) -> None:
        """Take a bank off the list, its name out of the file too."""
        with self._database.transaction() as connection:
            connection.execute(SQL["delete_bank"], (number,))
        self._database.empty_log()

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def write_registry(file: Path, identities: Iterable[Identity]) -> None:
    """Make a list of these banks, in the place of any that is there."""
    fresh = file.with_name(f"{file.name}.new")
    try:
        for leftover in (fresh, *_logs(fresh)):
            leftover.unlink(missing_ok=True)
        with Database(Location(fresh), STEPS) as database:
            _add(database, identities)
        # The log of the old file says nothing about the new one.
        for log in _logs(file):
            log.unlink(missing_ok=True)
        fresh.replace(file)
        sync_folder(file.parent)
    except OSError as error:
        raise unwritable(file, error) from error


def _logs(file: Path) -> list[Path]:
    return [file.with_name(f"{file.name}{suffix}") for suffix in ("-wal", "-shm")]


def _add(database: Database, identities: Iterable[Identity]) -> None:
    with database.transaction() as connection:
        values = [(identity.number, identity.name) for identity in identities]
        connection.executemany(SQL["put_bank"], values)


def _opened_for_reading(file: Path, folders: BankFolders) -> Database:
    try:
        return _checked(file, read_only=True)
    except StoreDamaged as error:
        if not folders.numbers():
            raise NotFound(
                "no store at", str(file.parent), "Open it for writing once to make it."
            ) from None
        raise StoreDamaged(
            f"{error} Or open the store for writing once: the list is made anew from the banks."
        ) from error


def _opened_or_made_anew(file: Path, folders: BankFolders) -> Database:
    try:
        return _checked(file, read_only=False)
    except StoreDamaged as error:
        # All the list held stands in the banks' files too. Doubt is raised before it is replaced.
        identities = folders.identities(folders.numbers(), {})
        if identities:
            logger.warning("%s is made anew from %d banks: %s", file, len(identities), error)
        write_registry(file, identities)
        return _checked(file, read_only=False)


def _checked(file: Path, *, read_only: bool) -> Database:
    database = Database(Location(file), STEPS, read_only=read_only, existing=True)
    with undone_by(database.close):
        # Names are found by an index; one that disagrees with its table would hide a bank.
        with database.reading() as connection:
            ((finding,),) = connection.execute("PRAGMA integrity_check(1)")
            connection.execute(SQL["list_numbers"]).fetchall()
        if finding != "ok":
            raise StoreDamaged(
                f"{file} is damaged ({finding}). Restore it with `scrubjay restore`."
            )
    return database
