"""A forked child that uses its parent's Memory is told so, and does the parent no harm."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Self

from tests.soak.attempts import Attempt, Outcome, faults_of
from tests.soak.changes import MAIN, Open, Performer, opened
from tests.soak.checks import Fault, Harm, differences, searched, settled
from tests.soak.children import Child, Raised, Say
from tests.soak.states import after, observed
from tests.soak.template import Template

from scrubjay import ScrubjayError, StoreLocked

USES: Mapping[str, Callable[[Open], object]] = {
    "retain": lambda place: place.memory.retain("On 2023-05-01 Agnes Vogel sang.", bank=MAIN),
    "recall": lambda place: place.memory.recall("heron", bank=MAIN),
    "forget": lambda place: place.memory.forget(
        place.memory.list(bank=MAIN, limit=1).units[0].id, bank=MAIN
    ),
    "list": lambda place: place.memory.list(bank=MAIN),
    "create bank": lambda place: place.memory.bank("new"),
    "delete bank": lambda place: place.memory.delete_bank(MAIN),
    "compact": lambda place: place.memory.compact(bank=MAIN),
    "backup": lambda place: place.memory.backup(place.folder.parent / "backup"),
    "doctor --fix": lambda place: place.memory.doctor(bank=MAIN, fix=True),
    "close": lambda place: place.memory.close(),
    "nothing": lambda place: place.folder,
}
KINDS = tuple(USES)

# These harm nobody, so they need not be refused.
_HARMLESS = ("close", "nothing")


def forked(attempt: Attempt, template: Template, folder: Path) -> Outcome:
    """Fork with an open store; let the child use it, then look at the parent's."""
    store = shutil.copytree(template.whole, folder / "store")
    with SecondWriter(store) as second:
        check = partial(_forked, attempt, template, store, second)
        return Outcome(faults_of(check, "after a fork"))


def _forked(attempt: Attempt, template: Template, store: Path, second: SecondWriter) -> list[Fault]:
    chooser, check = attempt.chooser(store.parent), attempt.chance("check")
    place = opened(store)
    with place.memory as memory:
        performer = Performer(place)
        before = chooser.choose("batch", template.state)
        performer.perform(before)
        state = after(template.state, before)
        faults = [*_used_in_child(attempt.kind, place), *second.faults()]
        change = chooser.choose("update", state)
        performer.perform(change)
        state = after(state, change)
        faults += differences(observed(memory), state) or searched(place, state, check)
    return faults or settled(store, [state], check)[0]


class SecondWriter:
    """A process, forked before the store is opened, that tries to write to it when it is asked.

    What a forked child does at its end must not have let it in.
    """

    def __init__(self, store: Path) -> None:
        self._told, self._tell = os.pipe()
        self._store = store
        self._child = Child(self._try_to_open)

    def _try_to_open(self, say: Say) -> None:
        os.read(self._told, 1)
        try:
            opened(self._store).memory.close()
            say("let in")
        except StoreLocked:
            say("locked")

    def faults(self) -> list[Fault]:
        os.write(self._tell, b"!")
        said = list(self._child.hear())
        if said != ["locked"]:
            return [Fault(Harm.WRONG, f"a second writer was not kept out: {said}")]
        return []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.__exit__()
        os.close(self._told)
        os.close(self._tell)


def _used_in_child(kind: str, place: Open) -> list[Fault]:
    def use(say: Say) -> None:
        try:
            USES[kind](place)
            say("done")
        except ScrubjayError as error:
            say(error)
        if kind == "nothing":
            sys.exit(0)  # as a child that just ends, and frees what it inherited

    with Child(use) as child:
        said = list(child.hear())
        code = child.wait()
    if code < 0:
        return [Fault(Harm.CRASH, f"the child ended with {code}")]
    if any(isinstance(each, Raised) and each.kind != "SystemExit" for each in said):
        return [Fault(Harm.RAW, f"{said}")]
    refused = any(isinstance(each, ScrubjayError) for each in said)
    if kind not in _HARMLESS and not refused:
        return [Fault(Harm.WRONG, f"{kind} in a forked child was not refused: {said}")]
    return []
