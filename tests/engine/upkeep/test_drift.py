"""A bank is looked at now and then, and units that are not found by what they say are told of."""

from __future__ import annotations

import logging
import sqlite3
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scrubjay import Memory, Unit
from scrubjay.backend import EngineBackend
from scrubjay.engine.shared.looks import Looks
from scrubjay.engine.upkeep.drift import look
from scrubjay.settings import DRIFT_AFTER, DRIFT_EVERY_UNITS
from scrubjay.testing import FixedClock
from scrubjay.trace import Operation
from scrubjay.types.reports import Look

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
# Long beyond need: what never comes fails the test instead of hanging it.
WAIT_S = 60.0


class Waiting:
    """Lets a test wait for the next look at a bank."""

    def __init__(self) -> None:
        self.looks: list[Operation] = []
        self._came = threading.Condition()

    def ended(self, operation: Operation) -> None:
        if operation.name == "drift":
            with self._came:
                self.looks.append(operation)
                self._came.notify()

    def looked_up(self, *, hits: int, misses: int) -> None:
        """Not asked for."""

    def ended_with(self, count: int) -> str | None:
        with self._came:
            assert self._came.wait_for(lambda: len(self.looks) >= count, WAIT_S)
            return self.looks[-1].failure


def spoil(store: Path, statement: str) -> None:
    connection = sqlite3.connect(store / "banks" / "00000001" / "bank.db")
    assert connection.execute(statement).rowcount != 0
    connection.commit()
    connection.close()


def test_a_bank_is_looked_at_after_so_many_units_and_after_so_long() -> None:
    looks = Looks()
    assert not looks.due("a", DRIFT_EVERY_UNITS - 1, NOW)
    assert not looks.due("b", 1, NOW), "each bank has its own count"
    assert looks.due("a", 1, NOW)
    assert not looks.due("a", 1, NOW), "time begins anew"
    assert not looks.due("b", 0, NOW + DRIFT_AFTER), "nothing was told"
    assert looks.due("b", 1, NOW + DRIFT_AFTER)


def test_turns_that_are_read_after_the_one_before_them_are_sound() -> None:
    turns = [
        "Shall we move the crane inspection to the week after the regatta?",
        "Yes.",
        "Who tells the harbour office, and who pays for the second tug?",
        "Me.",
    ]
    with Memory.open(":memory:", encoder="scrubjay-small", reranker=None) as memory:
        memory.retain([Unit(text, session="quay") for text in turns])
        assert isinstance(memory.backend, EngineBackend)
        with memory.backend.store.using("default") as bank:
            assert bank is not None
            assert look(bank) == []


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE units SET postings = (SELECT postings FROM units WHERE row = 5) WHERE row <> 5",
            "found by other words",
        ),
        ("DELETE FROM vectors WHERE row > 2", "have no vector"),
    ],
)
def test_what_parted_from_the_units_is_logged_with_the_remedy_and_ends_the_look(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, statement: str, said: str
) -> None:
    clock, waiting = FixedClock(NOW), Waiting()

    def opened() -> Memory:
        return Memory.open(tmp_path, encoder="hash", reranker=None, clock=clock, observer=waiting)

    with opened() as memory:
        assert memory.stats().last_look is None
        memory.retain([f"Agnes Vogel saw heron number {n} by the pond." for n in range(10)])
        clock.now += DRIFT_AFTER
        memory.retain("The pond froze over.")
        assert waiting.ended_with(1) is None, "a sound bank has nothing to tell"
        assert memory.stats().last_look == Look(clock.now, ())
    spoil(tmp_path, statement)
    with opened() as memory, caplog.at_level(logging.WARNING, "scrubjay.upkeep"):
        memory.retain("The ice is thin.")
        clock.now += DRIFT_AFTER + timedelta(hours=1)
        memory.retain("The ice broke.")
        assert waiting.ended_with(2) == "Drifted"
        (line,) = caplog.messages
        assert said in line
        assert "doctor --fix" in line
        assert "heron" not in line
    with opened() as memory:
        seen = memory.stats().last_look
        assert seen is not None, "another process may ask"
        assert seen.at == clock.now
        assert any(said in finding.detail for finding in seen.findings)
        memory.doctor(fix=True)
        assert memory.stats().last_look is None
