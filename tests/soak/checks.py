"""Looks whether a store holds a state and answers from it, by every way of searching."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from tests.soak.changes import DIMENSION, Open, opened
from tests.soak.states import (
    BankState,
    State,
    bird_in,
    day_in,
    listed,
    marker_of,
    markers_of,
    observed,
)

from scrubjay import Memory, StoredUnit, UnitFilter
from scrubjay.preset import (
    GraphMethod,
    GraphSwitches,
    LexicalSwitches,
    Preset,
    SemanticSwitches,
    TemporalMethod,
    TemporalSwitches,
)

# Units looked for one by one in each bank.
SAMPLED = 3
_ALL = 1_000
_FEW = 3


class Harm(StrEnum):
    """What must never happen; the columns of the table."""

    LOST = "lost"
    RESURRECTED = "resurrected"
    CRASH = "crashes"
    WRONG = "silent wrong"
    RAW = "raw exceptions"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that happened and must not."""

    harm: Harm
    detail: str


WORDS = Preset(
    "words", semantic=None, graph=None, temporal=None, candidates_max=_ALL, hide_ended=False,
    lexical=LexicalSwitches(per_limit=1, at_least=_ALL),
)  # fmt: skip
MEANING = Preset(
    "meaning", lexical=None, graph=None, temporal=None, hide_ended=False,
    semantic=SemanticSwitches(per_limit=1, at_least=50, floor=0.0),
)  # fmt: skip
TIME = Preset(
    "time", semantic=None, lexical=None, graph=None, candidates_max=_ALL, hide_ended=False,
    temporal=TemporalSwitches(TemporalMethod.WINDOW, depth=_ALL),
)  # fmt: skip
CONNECTIONS = Preset(
    "connections", semantic=None, lexical=None, temporal=None, hide_ended=False,
    # Several to start from: another unit of nearly the same words may be nearer than the one.
    graph=GraphSwitches((GraphMethod.LINK_EXPANSION,), seeds=5, seed_floor=0.0),
)  # fmt: skip


def differences(found: State, expected: State) -> list[Fault]:
    """How a store's state departs from what it should be."""
    faults = [
        Fault(Harm.LOST, f"bank {name!r} is not there")
        for name in expected.banks.keys() - found.banks.keys()
    ]
    for name in sorted(found.banks.keys() - expected.banks.keys()):
        harm = Harm.RESURRECTED if found.banks[name].units else Harm.WRONG
        faults.append(Fault(harm, f"bank {name!r} should not be there"))
    for name in sorted(found.banks.keys() & expected.banks.keys()):
        faults += _bank_differences(found.banks[name], expected.banks[name], expected.gone)
    return faults


def _bank_differences(
    found: BankState, expected: BankState, gone: frozenset[str]
) -> Iterator[Fault]:
    for text in sorted(expected.units.keys() - found.units.keys()):
        yield Fault(Harm.LOST, text)
    for text in sorted(found.units.keys() - expected.units.keys()):
        yield Fault(Harm.RESURRECTED if markers_of(text) & gone else Harm.WRONG, f"extra: {text}")
    for text in sorted(found.units.keys() & expected.units.keys()):
        if found.units[text] != expected.units[text]:
            yield Fault(Harm.WRONG, f"{found.units[text]} is not {expected.units[text]}: {text}")
    for what in ("links", "relations", "sessions", "aliases"):
        seen, due = getattr(found, what), getattr(expected, what)
        if seen != due:
            harm = Harm.LOST if len(seen) < len(due) else Harm.WRONG
            yield Fault(harm, f"{what}: {_unlike(seen, due)}")


def _unlike(seen: object, due: object) -> str:
    return f"{seen!r:.400} instead of {due!r:.400}"


def dimensions(memory: Memory) -> dict[str, int]:
    """How many numbers the vectors of each bank have."""
    return {
        info.name: DIMENSION if info.encoder is None else int(info.encoder.split("/")[-1])
        for info in memory.banks()
    }


def searched(place: Open, state: State, chance: random.Random) -> list[Fault]:
    """What the searches of an open store miss or invent.

    A bank with the vectors of another encoder is left out: it is not searched with this one.
    """
    return [
        fault
        for name, dimension in dimensions(place.memory).items()
        if dimension == DIMENSION and state.bank(name).units
        for fault in searched_bank(place.memory, name, state.bank(name), chance)
    ]


def searched_bank(
    memory: Memory, name: str, state: BankState, chance: random.Random
) -> Iterator[Fault]:
    """One bank: each search finds what the model says, and doctor and the counts agree.

    What doctor says of index files is no fault: they are not used, and made again.
    """
    units = {unit.text: unit for unit in listed(memory, name)}
    newest = list(state.units)[-2:]
    some = [*newest, *chance.sample(sorted(state.units), min(SAMPLED, len(state.units)))]
    yield from _by_words(memory, name, state, some)
    yield from _by_meaning(memory, name, [units[text] for text in some])
    yield from _by_time(memory, name, state, [text for text in some if bird_in(text)][1:_FEW])
    yield from _by_connections(memory, name, state, chance)
    findings = [found for found in memory.doctor(bank=name) if found.check != "files"]
    if findings:
        yield Fault(Harm.WRONG, f"doctor: {findings[:3]}")
    counts = memory.stats(bank=name)
    if not counts.units == counts.vectors == len(state.units):
        yield Fault(Harm.WRONG, f"counts: {counts.units} units, {counts.vectors} vectors")


def _found(
    memory: Memory, question: str, name: str, preset: Preset, limit: int = _ALL
) -> list[str]:
    answer = memory.recall(question, bank=name, preset=preset, limit=limit, max_tokens=10**7)
    if answer.degraded:
        return [f"degraded: {answer.degraded}"]
    return [item.text for item in answer.items]


def _compared(way: str, asked: str, found: Sequence[str], due: set[str]) -> Iterator[Fault]:
    missing, extra = sorted(due - set(found)), sorted(set(found) - due)
    if missing or extra:
        detail = f"{way} {asked!r}: {len(missing)} of {len(due)} missing, {len(extra)} extra"
        yield Fault(Harm.WRONG, f"{detail}, such as {(missing or extra)[0]!r}")


def _by_words(memory: Memory, name: str, state: BankState, some: Sequence[str]) -> Iterator[Fault]:
    for word in sorted({bird for text in some if (bird := bird_in(text))})[:_FEW]:
        due = {text for text in state.units if bird_in(text) == word}
        yield from _compared("words", word, _found(memory, word, name, WORDS), due)
    for text in some:
        marker = marker_of(text)
        yield from _compared("words", marker, _found(memory, marker, name, WORDS, _FEW), {text})


def _by_meaning(memory: Memory, name: str, some: Sequence[StoredUnit]) -> Iterator[Fault]:
    for unit in some:
        # In the words it was embedded with, so that no other unit is as near.
        asked = f"{unit.speaker}: {unit.text}" if unit.speaker else unit.text
        found = _found(memory, asked, name, MEANING, _FEW)[:1]
        if found != [unit.text]:
            yield Fault(Harm.WRONG, f"meaning {asked!r}: {found}")


def _by_time(memory: Memory, name: str, state: BankState, some: Sequence[str]) -> Iterator[Fault]:
    for text in some:
        day = datetime.fromisoformat(day_in(text)).replace(tzinfo=UTC)
        window = (day, day + timedelta(days=1, microseconds=-1))
        answer = memory.recall(
            "What happened?", bank=name, preset=TIME, limit=_ALL, max_tokens=10**7, window=window
        )
        found = [item.text for item in answer.items]
        due = {other for other in state.units if day_in(other) == day_in(text)}
        yield from _compared("time", day_in(text), found, due)


def _by_connections(
    memory: Memory, name: str, state: BankState, chance: random.Random
) -> Iterator[Fault]:
    links = sorted(state.links)
    for cause, effect in chance.sample(links, min(3, len(links))):
        found = _found(memory, cause, name, CONNECTIONS)
        if effect not in found:
            yield Fault(Harm.WRONG, f"connections {cause!r}: no {effect!r} in {found[:3]}")
    people = sorted({person for told in state.units.values() for person in told.people})
    for person in chance.sample(people, min(2, len(people))):
        page = memory.list(UnitFilter(entity=person), bank=name, limit=_ALL)
        due = {text for text, told in state.units.items() if person in told.people}
        yield from _compared("entity", person, [unit.text for unit in page.units], due)


def settled(
    folder: Path, candidates: Sequence[State], chance: random.Random, *, read_only: bool = False
) -> tuple[list[Fault], State]:
    """Open a store that should hold one of the states: what is wrong with it, and which it is."""
    place = opened(folder, read_only=read_only)
    with place.memory as memory:
        state, faults = closest(observed(memory), candidates)
        if not faults:
            faults = searched(place, state, chance)
        others = {name: size for name, size in dimensions(memory).items() if size != DIMENSION}
    for name, dimension in others.items():
        with opened(folder, dimension=dimension, read_only=read_only).memory as memory:
            faults += searched_bank(memory, name, state.bank(name), chance)
    return faults, state


def closest(found: State, candidates: Sequence[State]) -> tuple[State, list[Fault]]:
    """The state that a store is nearest to, and how it departs from it."""
    ranked = [(differences(found, state), state) for state in candidates]
    faults, state = min(ranked, key=lambda each: len(each[0]))
    return state, faults


def marks_in(folder: Path, gone: frozenset[str]) -> list[Fault]:
    """Markers of what was erased that stand in some file."""
    faults = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            content = path.read_bytes().lower()
            left = sorted(mark for mark in gone if mark.encode() in content)
            if left:
                place = path.relative_to(folder)
                faults.append(Fault(Harm.RESURRECTED, f"{len(left)} in {place}: {left[0]}"))
    return faults
