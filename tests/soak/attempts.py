"""One attack on one copy of a store: what it is, and what came of it."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.soak.changes import Chooser, Mint
from tests.soak.checks import Fault, Harm
from tests.soak.template import Template

from scrubjay import ScrubjayError

# A damaged store has a fault for every unit.
_SHOWN = 5
# An error that says what happened and what to do is longer than this.
_SENTENCE = 30


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try: the row it counts in, its number there, and the seed of the whole run."""

    group: str
    kind: str
    number: int
    seed: int

    @property
    def name(self) -> str:
        return f"{self.group}:{self.kind}:{self.number}"

    def chance(self, purpose: str = "") -> random.Random:
        """Randomness of its own, the same whenever it is repeated."""
        return random.Random(f"{self.seed}/{self.name}/{purpose}")

    def chooser(self, folder: Path) -> Chooser:
        chance = self.chance("changes")
        return Chooser(Mint(f"{chance.randrange(1, 10**7):07d}", chance), chance, folder)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a try; `note` says where it struck."""

    faults: tuple[Fault, ...] = ()
    note: str = ""


Attack = Callable[[Attempt, Template, Path], Outcome]


def faults_of(
    check: Callable[[], Sequence[Fault]], doing: str, *, may_refuse: bool = False
) -> tuple[Fault, ...]:
    """The first few faults a check finds; an exception where none may come is one too.

    With `may_refuse` an error of our own is a right answer, if it says what to do.
    """
    try:
        return tuple(check()[:_SHOWN])
    except ScrubjayError as error:
        if not may_refuse:
            return (Fault(Harm.WRONG, f"{doing}: refused: {error}\n{_where()}"),)
        helpful = len(str(error)) > _SENTENCE and str(error).endswith((".", "`"))
        return () if helpful else (Fault(Harm.RAW, f"{doing}: says not what to do: {error!r}"),)
    # Whatever else stops a check is what the attack looks for.
    except Exception as error:  # noqa: BLE001
        return (Fault(Harm.RAW, f"{doing}: {type(error).__name__}: {error}\n{_where()}"),)


def _where() -> str:
    return traceback.format_exc(limit=-5)
