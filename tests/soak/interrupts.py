"""Ctrl-C in the middle of every kind of call: the same process goes on and answers rightly."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.soak.attempts import Attempt, Outcome, faults_of
from tests.soak.changes import MAIN, SIDE, WRITES, Open, Performer, opened
from tests.soak.checks import Fault, closest, differences, searched, settled
from tests.soak.children import PACKAGE, STORE, AtLine, AtMoment, interrupt, measured, run_out
from tests.soak.kills import outcomes
from tests.soak.states import Change, State, after, observed
from tests.soak.template import Template

from scrubjay import Memory

Read = Callable[[Memory, str, Path], object]

READS: Mapping[str, Read] = {
    "recall": lambda memory, text, _: memory.recall(text, bank=MAIN),
    "recall of a time": lambda memory, text, _: memory.recall(
        f"What did {' '.join(text.split()[2:4])} see on {text.split()[1]}?", bank=MAIN
    ),
    "recall_batch": lambda memory, text, _: memory.recall_batch([text, "heron"], bank=MAIN),
    "explain": lambda memory, text, _: memory.explain(
        text, memory.list(bank=MAIN, limit=1).units[0].id, bank=MAIN
    ),
    "list": lambda memory, _, __: memory.list(bank=MAIN),
    "entities": lambda memory, _, __: (memory.entities(bank=MAIN), memory.relations(bank=MAIN)),
    "stats": lambda memory, _, __: (memory.stats(bank=SIDE), memory.banks()),
    "doctor": lambda memory, _, __: memory.doctor(bank=MAIN),
    "export": lambda memory, _, folder: memory.export(folder / "out.jsonl", bank=SIDE),
}
OPEN, CLOSE = "open", "close"
KINDS = (*WRITES, *READS, OPEN, CLOSE)


@dataclass(slots=True)
class Strike:
    """Puts one interrupt into a call, at a line or, in every fourth try, at a moment."""

    attempt: Attempt
    chance: random.Random
    note: str = ""

    def measured(self, work: Callable[[], object]) -> tuple[int, float]:
        """What `into` needs to know of a call like the one it strikes."""
        return measured(work, self.within)

    @property
    def within(self) -> str:
        """Whose lines count: those of the store, and in every fourth try all of them."""
        return STORE if self.attempt.number % 4 else PACKAGE

    def into(self, work: Callable[[], object], lines: int, seconds: float) -> bool:
        """Run `work`, interrupted; whether it came to its end all the same."""
        at_line = self.attempt.number % 4 != 3
        line = self.chance.randint(1, max(lines, 1))
        moment = self.chance.random() * seconds * 1.2
        act = run_out if self.attempt.number % 4 == 2 else interrupt
        at = AtLine(line, act, self.within) if at_line else AtMoment(moment)
        ended = False
        try:
            with at:
                work()
                ended = True
        except (KeyboardInterrupt, MemoryError):
            pass
        self.note = f"line {line} of {lines}, {at.where}" if isinstance(at, AtLine) else "moment"
        return ended


def interrupted(attempt: Attempt, template: Template, folder: Path) -> Outcome:
    """Interrupt a call; what was acknowledged is found, the call can be repeated, all is clean."""
    store = shutil.copytree(template.whole, folder / "store")
    strike = Strike(attempt, attempt.chance("when"))
    tried = _TRIED.get(attempt.kind, _reading if attempt.kind in READS else _writing)
    faults = faults_of(
        lambda: tried(attempt, store, folder, template.state, strike), f"interrupted {attempt.kind}"
    )
    return Outcome(faults, strike.note)


def _writing(
    attempt: Attempt, store: Path, folder: Path, state: State, strike: Strike
) -> list[Fault]:
    chooser, check = attempt.chooser(folder), attempt.chance("check")
    place = opened(store)
    with place.memory as memory:
        performer = Performer(place)
        change = chooser.choose(attempt.kind, state)
        cost = strike.measured(lambda: performer.perform(change))
        state = after(state, change)
        change = chooser.choose(attempt.kind, state)
        ended = strike.into(lambda: performer.perform(change), *cost)
        whole = after(state, change)
        candidates = [whole] if ended else [state, *outcomes(state, change)]
        now, faults = closest(observed(memory), candidates)
        faults = faults or searched(place, now, check)
        if not faults:
            faults = repeated(place, change, now, whole) or searched(place, whole, check)
    return faults or settled(store, [whole], check)[0]


def repeated(place: Open, change: Change, now: State, whole: State) -> list[Fault]:
    """Make a change again, unless it is there; then all of it is."""
    again = change.kind in ("retain", "batch", "keyed", "import", "relate")
    if again or (now != whole and change.kind != "backup"):
        Performer(place).perform(change)
    return differences(observed(place.memory), whole)


def _reading(
    attempt: Attempt, store: Path, folder: Path, state: State, strike: Strike
) -> list[Fault]:
    check = attempt.chance("check")
    text = check.choice(sorted(state.bank(MAIN).notes()))
    place = opened(store)

    def read() -> object:
        return READS[attempt.kind](place.memory, text, folder)

    with place.memory as memory:
        read()  # the first time more is done, which is not what is measured
        strike.into(read, *strike.measured(read))
        faults = differences(observed(memory), state) or searched(place, state, check)
        change = attempt.chooser(folder).choose("retain", state)
        Performer(place).perform(change)
        state = after(state, change)
        faults = faults or searched(place, state, check)
    return faults or settled(store, [state], check)[0]


def _opening_or_closing(
    attempt: Attempt, store: Path, _: Path, state: State, strike: Strike
) -> list[Fault]:
    check = attempt.chance("check")

    def open_and_read() -> Open:
        place = opened(store)
        try:
            place.memory.recall("heron", bank=MAIN)
        except BaseException:
            place.memory.close()
            raise
        return place

    if attempt.kind == OPEN:
        cost = strike.measured(lambda: open_and_read().memory.close())
        strike.into(lambda: open_and_read().memory.close(), *cost)
    else:
        cost = strike.measured(open_and_read().memory.close)
        place = open_and_read()
        strike.into(place.memory.close, *cost)
        place.memory.close()
    return settled(store, [state], check)[0]


Tried = Callable[[Attempt, Path, Path, State, Strike], list[Fault]]
_TRIED: Mapping[str, Tried] = {OPEN: _opening_or_closing, CLOSE: _opening_or_closing}
