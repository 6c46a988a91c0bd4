"""What is done to whole stores: copy them into each other, and look after a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from warnings import warn

from scrubjay.backend import HTTP_SCHEMES, SERVER_SCHEMES, open_store
from scrubjay.engine.retain.checking import check_bank_name
from scrubjay.engine.transfer.copying import Copied, copy_bank
from scrubjay.errors import BadInput, ExtraMissing, NotFound
from scrubjay.memory import Memory
from scrubjay.settings import BankSettings
from scrubjay.store.base import Store
from scrubjay.types.reports import BankInfo, Finding

# Called with the bank, the units that are there, and how many there are in all.
CopyProgress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class DatabaseStatus:
    """Where a database stands: its schema, the newest one, whether it is spread, its banks."""

    location: str
    schema: int
    newest: int
    distributed: bool
    banks: tuple[BankInfo, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """What is wrong with a database: with the isolation of its banks, and in each bank."""

    isolation: tuple[Finding, ...]
    banks: Mapping[str, tuple[Finding, ...]]

    @property
    def walls(self) -> tuple[Finding, ...]:
        """Deprecated: use isolation."""
        warn("walls is deprecated; use isolation.", DeprecationWarning, stacklevel=2)
        return self.isolation


def copy_store(
    source: str,
    target: str,
    *,
    banks: Sequence[str] = (),
    progress: CopyProgress = lambda *_: None,
) -> list[Copied]:
    """Copy banks, all if none is named, from one store into another; see `copy_bank`.

    Each of the two is a directory or a database's address. Each bank's copy is compared with
    the original before the next begins. Cut off, the same call goes on where it was.
    """
    for address in (source, target):
        if address.startswith(HTTP_SCHEMES):
            raise BadInput("store to copy", address, "Give a directory or a database's address.")
    for name in banks:
        check_bank_name(name)
    origin = open_store(source, read_only=True)
    try:
        names = list(dict.fromkeys(banks)) or origin.bank_names()
        _check_known(origin, names)
        copy = open_store(target, read_only=False)
        try:
            if copy.location == origin.location:
                raise BadInput("a store cannot be copied into itself", target, "Give another.")
            with _graphs_last(copy):
                return [_copied(origin, copy, name, progress) for name in names]
        finally:
            copy.close()
    finally:
        origin.close()


def _check_known(store: Store, names: Sequence[str]) -> None:
    missing = sorted(set(names) - set(store.bank_names()))
    if missing:
        raise NotFound("no such bank", missing[0], f"Not in {store.location}.")


def _copied(origin: Store, copy: Store, name: str, progress: CopyProgress) -> Copied:
    copy.create_bank(name, BankSettings())
    with origin.using(name) as source, copy.using(name) as target:
        if source is None or target is None:
            raise NotFound("no such bank", name, "It was deleted meanwhile.")
        return copy_bank(source, target, lambda done, total: progress(name, done, total))


@contextmanager
def _graphs_last(store: Store) -> Iterator[None]:
    """Let a database make its graphs when all is there: to grow them row by row takes longer."""
    if not store.location.startswith(SERVER_SCHEMES):
        yield
        return
    from scrubjay.store.postgres.store import PostgresStore

    assert isinstance(store, PostgresStore)
    store.upkeep.held = True
    yield
    store.upkeep.held = False
    store.settle()


def migrate(url: str) -> list[int]:
    """Bring a database to this version's schema; the numbers of the changes it lacked."""
    _check_address(url)
    from scrubjay.store.postgres import administration

    return administration.bring_up_to_date(url)


def status(url: str) -> DatabaseStatus:
    """Where a database stands; changes nothing, and an empty one has no banks."""
    _check_address(url)
    from scrubjay.store.postgres import administration

    found = administration.status(url)
    banks: tuple[BankInfo, ...] = ()
    if found.schema == found.newest:
        with Memory.open(url, encoder=None, reranker=None, read_only=True) as memory:
            banks = tuple(memory.banks())
    return DatabaseStatus(found.location, found.schema, found.newest, found.distributed, banks)


def check(url: str) -> Checked:
    """Compare every bank's tables with its units, and try whether the banks are isolated."""
    _check_address(url)
    from scrubjay.store.postgres import administration

    with Memory.open(url, encoder=None, reranker=None, read_only=True) as memory:
        banks = {bank.name: tuple(memory.doctor(bank=bank.name)) for bank in memory.banks()}
    return Checked(tuple(administration.row_security_of(url)), banks)


def distribute(url: str, *, dry_run: bool = False) -> list[str]:
    """Spread a database over the machines of its Citus cluster, by bank; the statements run.

    With `dry_run` they are only listed. Without Citus it is a StoreError and nothing is changed.
    """
    _check_address(url)
    from scrubjay.store.postgres import administration

    return administration.distribution_of(url) if dry_run else administration.distribute(url)


def _check_address(url: str) -> None:
    """Before the driver is imported: only who has a database needs it."""
    if not url.startswith(SERVER_SCHEMES):
        raise BadInput("database address", url, "Give postgresql://user@host/database.")
    if find_spec("asyncpg") is None:
        raise ExtraMissing("postgres", "asyncpg")
