"""The store every attack starts from, made once: all kinds of units, and all kinds of files."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.soak.changes import MAIN, SIDE, Chooser, Mint, Open, Performer, opened
from tests.soak.server_files import FOLDER, RELATED, Client, set_up
from tests.soak.states import Change, State, after

from scrubjay.surface.http.handling.service import open_service

MAIN_UNITS, SIDE_UNITS, SPARE_BANKS = 150, 90, 3
_MIX = ("link", "relate", "keyed", "update", "supersede by text", "supersede by id", "split",
        "alias", "start session", "forget", "link", "split")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Template:
    """Directories to copy, and what they hold.

    `whole` was closed; `older` is the same store some changes earlier; `cut_off` was copied while
    it was open, as a killed process leaves it, and `history` are the states since its last
    checkpoint, oldest first.
    """

    whole: Path
    older: Path
    cut_off: Path
    state: State
    older_state: State
    history: tuple[State, ...]
    client: Client


def make_template(folder: Path, seed: int) -> Template:
    """Make the directories."""
    chance = random.Random(seed)
    chooser = Chooser(Mint("0000000", chance), chance, folder)
    work = folder / "work"
    state = _filled(work, chooser)
    client, state = _served(work, state)
    older = shutil.copytree(work, folder / "older")
    older_state = state
    state = _worked_on(work, chooser, state, 10)[-1]
    whole = shutil.copytree(work, folder / "whole")
    place = opened(work)
    with place.memory:
        service = open_service(place.memory, work / FOLDER)
        history = _changed(place, chooser, state, 6)
        cut_off = shutil.copytree(work, folder / "cut off")
        service.close()
    return Template(whole, older, cut_off, state, older_state, tuple(history), client)


def _served(folder: Path, state: State) -> tuple[Client, State]:
    place = opened(folder)
    with place.memory:
        client, service = set_up(place)
        service.close()
    return client, after(state, RELATED)


def _filled(folder: Path, chooser: Chooser) -> State:
    state = State()
    place = opened(folder)
    with place.memory:
        told = [
            Change("batch", MAIN, _texts(chooser, MAIN_UNITS)),
            Change("batch", SIDE, _texts(chooser, SIDE_UNITS)),
        ]
        told += [chooser.choose("create bank", state) for _ in range(SPARE_BANKS)]
        performer = Performer(place)
        for change in told:
            performer.perform(change)
            state = after(state, change)
        state = _changed(place, chooser, state, 2 * len(_MIX))[-1]
        grow_all(place, state)
    return state


def grow_all(place: Open, state: State) -> None:
    """Build whatever graphs are due."""
    assert place.store is not None
    for name in state.banks:
        with place.store.using(name) as bank:
            while bank is not None and bank.improve():
                pass


def _worked_on(folder: Path, chooser: Chooser, state: State, changes: int) -> list[State]:
    place = opened(folder)
    with place.memory:
        states = _changed(place, chooser, state, changes)
        grow_all(place, states[-1])
    return states


def _changed(place: Open, chooser: Chooser, state: State, changes: int) -> list[State]:
    states = [state]
    performer = Performer(place)
    for number in range(changes):
        change = chooser.choose(_MIX[number % len(_MIX)], states[-1])
        performer.perform(change)
        states.append(after(states[-1], change))
    return states


def _texts(chooser: Chooser, count: int) -> tuple[str, ...]:
    return tuple(chooser.mint.text() for _ in range(count))
