"""Has a bank that was told something looked at, beside other work, when it is time for it."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from scrubjay.engine.upkeep import drift
from scrubjay.errors import ScrubjayError
from scrubjay.operations.operation import Engine


def look_after(engine: Engine, told: int) -> None:
    """Say that a bank was told so many units; returns at once."""
    engine.toolbox.told(engine.name, told, partial(_look, engine))


def _look(engine: Engine) -> None:
    """See whether units are found by what they say; the log and the observer are told."""
    # Nobody waits for it: the bank may be gone by now, or the store closed.
    with suppress(drift.Drifted, ScrubjayError), engine.doing("drift") as (bank, _):
        drift.check(bank, engine.toolbox.clock())
