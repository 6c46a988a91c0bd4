"""Runs attempts in processes of their own, some at once, and counts what came of them."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Self

from tests.soak import damage, forks, interrupts, kills, serving, shortages
from tests.soak.attempts import Attack, Attempt, Outcome
from tests.soak.checks import Fault, Harm
from tests.soak.children import STUCK_S, Child, Raised, Say
from tests.soak.template import Template, make_template

ATTACKS: Mapping[str, tuple[Attack, tuple[str, ...]]] = {
    "kill": (kills.killed, kills.KINDS),
    f"kill {kills.KILLS_IN_A_ROW} times": (kills.killed_again, ("one store",)),
    "damage": (damage.damaged, damage.KINDS),
    "interrupt": (interrupts.interrupted, interrupts.KINDS),
    "no room": (shortages.starved, shortages.KINDS),
    "fork": (forks.forked, forks.KINDS),
    "serve": (serving.served, serving.KINDS),
}


@dataclass(slots=True)
class Row:
    """How often something was tried, and how often each harm came of it."""

    tries: int = 0
    harms: Counter[Harm] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Failure:
    """A try that did harm, and where it struck."""

    attempt: Attempt
    outcome: Outcome


@dataclass(slots=True)
class Results:
    """Every row, and every failure in the order they came."""

    rows: dict[tuple[str, str], Row]
    failures: list[Failure] = field(default_factory=list)

    @classmethod
    def of(cls, attempts: Sequence[Attempt]) -> Self:
        """With a row for each kind of try, in their order."""
        return cls({(attempt.group, attempt.kind): Row() for attempt in attempts})

    def add(self, attempt: Attempt, outcome: Outcome) -> None:
        row = self.rows[attempt.group, attempt.kind]
        row.tries += 1
        # A damaged store has one fault for every unit; a try counts once for each harm.
        row.harms.update({fault.harm for fault in outcome.faults})
        if outcome.faults:
            self.failures.append(Failure(attempt, outcome))


def planned(counts: Mapping[str, int], seed: int) -> list[Attempt]:
    """So many tries of each group, spread evenly over its kinds."""
    made = []
    for group, count in counts.items():
        kinds = ATTACKS[group][1]
        for number in range(count):
            if count < len(kinds):  # spread over the kinds, beginning elsewhere with another seed
                place, number_of_kind = number * len(kinds) // count + seed, number
            else:
                place, number_of_kind = number, number // len(kinds)
            made.append(Attempt(group, kinds[place % len(kinds)], number_of_kind, seed))
    return made


def repeated(name: str, seed: int) -> Attempt:
    """The attempt of that name."""
    group, kind, number = name.split(":")
    return Attempt(group, kind, int(number), seed)


def templated(folder: Path, seed: int) -> Template:
    """The template, made in a child: nothing of scrubjay may be open where attempts are forked."""

    def make(say: Say) -> None:
        say(make_template(folder, seed))

    with Child(make) as child:
        (template,) = child.hear()
    if not isinstance(template, Template):
        raise SystemExit(f"the template could not be made: {template}")
    return template


def carried_out(
    attempts: Sequence[Attempt], template: Template, folder: Path, jobs: int
) -> Iterator[tuple[Attempt, Outcome]]:
    """Each attempt with its outcome, as they end."""
    waiting, running = list(reversed(attempts)), dict[Child, tuple[Attempt, float]]()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                attempt = waiting.pop()
                running[_started(attempt, template, folder)] = attempt, time.monotonic()
            wait([child.pipe for child in running], 1.0)
            for child, (attempt, since) in list(running.items()):
                late = time.monotonic() - since > STUCK_S
                if late or not child.silent():
                    del running[child]
                    yield attempt, _outcome(child, late=late)
                    shutil.rmtree(_place(folder, attempt), ignore_errors=True)
    finally:
        for child in running:
            _end(child)


def _place(folder: Path, attempt: Attempt) -> Path:
    return folder / attempt.name.replace("/", "-").replace(" ", "-")


def _started(attempt: Attempt, template: Template, folder: Path) -> Child:
    def work(say: Say) -> None:
        os.setpgrp()  # so that it and what it started can be ended together
        # What is ignored while it is thrown away (in a finalizer) would only fill the screen.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
        place = _place(folder, attempt)
        place.mkdir()
        say(ATTACKS[attempt.group][0](attempt, template, place))

    return Child(work)


def _outcome(child: Child, *, late: bool) -> Outcome:
    said = [] if late else list(child.hear(1.0))
    _end(child)
    code = child.wait()
    for each in said:
        if isinstance(each, Outcome):
            return each
        if isinstance(each, Raised):
            return Outcome((Fault(Harm.RAW, each.story),))
    what = f"silent for {STUCK_S:.0f} s" if late else f"ended with {code}"
    return Outcome((Fault(Harm.CRASH, what),))


def _end(child: Child) -> None:
    if child.ended() is None:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            child.kill()
    child.wait()


def as_table(results: Results) -> str:
    """The rows as a table, with their sums."""
    columns = ["tries", *(str(harm) for harm in Harm)]
    lines = [(f"{group}: {kind}", row) for (group, kind), row in results.rows.items()]
    total = Row(
        sum(row.tries for _, row in lines), sum((row.harms for _, row in lines), Counter[Harm]())
    )
    lines.append(("all", total))
    width = max(len(name) for name, _ in lines)
    shown = [" ".join([" " * width, *(column.rjust(len(column) + 1) for column in columns)])]
    for name, row in lines:
        cells = [row.tries, *(row.harms[harm] for harm in Harm)]
        padded = (str(n).rjust(len(c) + 1) for n, c in zip(cells, columns, strict=True))
        shown.append(" ".join([name.ljust(width), *padded]))
    return "\n".join(shown)


def as_json(results: Results, **more: object) -> dict[str, object]:
    """The same for a file."""
    rows = [
        {"group": group, "kind": kind, "tries": row.tries, **{str(h): row.harms[h] for h in Harm}}
        for (group, kind), row in results.rows.items()
    ]
    failures = [{"attempt": each.attempt.name, **asdict(each.outcome)} for each in results.failures]
    return {**more, "rows": rows, "failures": failures}
