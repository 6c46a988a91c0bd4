"""An operation: the function that does it in this process, and the address where a server does it.

A Bank asks its backend for operations, a server's routes and its description are made from them,
and a client sends them; so each is declared once, by a decorator on its function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Concatenate, Generic, NamedTuple, ParamSpec, TypeVar

from scrubjay.errors import EncoderMismatch, NotFound

if TYPE_CHECKING:  # numpy comes with them, and `scrubjay keys` only asks for scopes
    from scrubjay.engine.read_path import ReadTools
    from scrubjay.engine.toolbox import Toolbox
    from scrubjay.engine.write_path import WriteTools
    from scrubjay.store.base import Banks, BankStore, Store
    from scrubjay.trace import Trace

P = ParamSpec("P")
T = TypeVar("T")

# How often a call is done again; to give a bank other vectors takes far longer than most calls.
_AGAIN_MAX = 4

BANKS = "/v1/banks"
BANK = f"{BANKS}/{{bank}}"


class KeyScope(IntEnum):
    """What a key may do in a bank; each includes the ones before it."""

    METRICS = 1  # of the whole server, so it counts only for every bank
    READ = 2
    WRITE = 3
    ADMIN = 4


class Transfer(Enum):
    """How arguments and answer travel."""

    JSON = "a request and its answer"
    TASK = "a request that begins long work, whose end is waited for"
    UPLOAD = "a file of JSON lines, and the task that reads it"
    DOWNLOAD = "the answer is a file of JSON lines"
    NONE = "not at all: it is done where the store is"


class Target(NamedTuple):
    """The bank that an operation is for; "" where it is for all of them."""

    bank: str
    # Told something, it is made if new; so is the default bank when it is read.
    made_when_used: bool = False


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine over one bank of a store: what the function of an operation works with."""

    store: Store
    toolbox: Toolbox
    name: str
    banks: Banks  # the store's; or the same, each made when it is used

    @contextmanager
    def using(self, names: Sequence[str] = ()) -> Iterator[BankStore]:
        """The bank, for as long as it is used; NotFound if there is none.

        `names` are those that will be looked up in it first.
        """
        with self.banks.using(self.name, names) as bank:
            if bank is None:
                raise NotFound("no such bank", self.name, "Create it with memory.bank(name).")
            self.toolbox.meter.learn(bank)
            yield bank

    @contextmanager
    def doing(self, operation: str) -> Iterator[tuple[BankStore, Trace]]:
        """The bank and a trace, which the observer is told of."""
        with self.toolbox.observed(operation, self.name) as trace, self.using() as bank:
            yield bank, trace

    @contextmanager
    def writing(self, operation: str) -> Iterator[tuple[BankStore, WriteTools]]:
        """The bank and what a change to it needs."""
        with self.doing(operation) as (bank, trace):
            self._count(bank, 1)
            yield bank, self.toolbox.writing(bank, trace)

    def change(self, operation: str, work: Callable[[BankStore, WriteTools], T]) -> T:
        """Do a change with the bank's encoder; again where the bank was given another meanwhile."""
        with self.writing(operation) as (bank, tools):
            for _ in range(_AGAIN_MAX):
                try:
                    return work(bank, tools)
                except EncoderMismatch:
                    bank.refresh()
                    tools = self.toolbox.writing(bank, tools.trace)
            return work(bank, tools)

    def ask(
        self, times: int, work: Callable[[BankStore, ReadTools], T], names: Sequence[str] = ()
    ) -> T:
        """Search a bank; again where it was given another encoder's vectors meanwhile.

        A question that one encoder read says nothing of what another made of the units.
        """
        for counted in (times, *[0] * _AGAIN_MAX):
            with self.reading(counted, names) as (bank, tools):
                found, now = work(bank, tools), bank.encoder_now()
                asked = None if tools.encoder is None else tools.encoder.fingerprint
                if asked is None or now is None or now.fingerprint == asked:
                    break
        return found

    @contextmanager
    def reading(
        self, times: int = 1, names: Sequence[str] = ()
    ) -> Iterator[tuple[BankStore, ReadTools]]:
        """The bank and what so many recalls from it need; none where nothing is searched."""
        with self.using(names) as bank:
            self._count(bank, times)
            yield bank, self.toolbox.reading(bank)

    def _count(self, bank: BankStore, times: int) -> None:
        # Who cannot write cannot count for others: a server counts what its readers answer.
        if times and not self.store.read_only:
            self.toolbox.meter.admit(bank, times)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server does it: arguments of the path there, others in the query or the body."""

    method: str
    path: str
    scope: KeyScope
    summary: str
    answer: str | None = None  # its name in the JSON that is answered; None: that is the answer
    transfer: Transfer = Transfer.JSON
    # Not asked for where no argument says anything.
    optional: bool = False
    # Lists of which one at least has something in it.
    some_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)  # looked up by itself, in every call
class Operation(Generic[P, T]):
    """One thing that can be done with a bank, or with the store of them all."""

    function: Callable[Concatenate[Engine, P], T]
    address: Address
    makes_bank: bool = False  # a bank that is told something is made if new

    @property
    def name(self) -> str:
        """The name of its function."""
        return self.function.__name__


def operation(
    address: Address, *, makes_bank: bool = False
) -> Callable[[Callable[Concatenate[Engine, P], T]], Operation[P, T]]:
    """Declare a function of the engine as an operation."""

    def declared(function: Callable[Concatenate[Engine, P], T]) -> Operation[P, T]:
        return Operation(function, address, makes_bank)

    return declared
