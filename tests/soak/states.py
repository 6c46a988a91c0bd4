"""What a store should hold: a plain model, the changes made to it, and a store read as one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from scrubjay import Memory
from scrubjay.engine.retain.relating import relation_key
from scrubjay.types.graph import LinkKind, Relation
from scrubjay.types.units import StoredUnit

PEOPLE = ("Agnes Vogel", "Bertil Strand", "Clara Weiss", "Doris Lund")
BIRDS = ("heron", "gull", "swan", "crane", "stork", "egret")
ALIAS = "watcher"  # every alias that is told begins with it
WORKS_WITH = "works with"  # the relation that is told
SPEAKER = "Speaker"  # every speaker's name begins with it; speakers are entities too
GUILD = "Guild"  # every name between which relations are told begins with it
DAYS = 28

_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Told:
    """What one unit should be, beside its text; other units are named by their texts."""

    key: str | None = None
    tags: tuple[str, ...] = ()
    session: str | None = None
    people: tuple[str, ...] = ()
    speaker: str | None = None
    metadata: str = "{}"
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True)
class BankState:
    """What one bank should hold; no two of its units have the same text."""

    units: Mapping[str, Told] = field(default_factory=dict)
    links: frozenset[tuple[str, str]] = frozenset()  # (cause, effect)
    # Sorted; each with the text of the unit that says it.
    relations: tuple[tuple[str, str, str, str], ...] = ()
    sessions: Mapping[str, bool] = field(default_factory=dict)  # whether it has ended
    aliases: Mapping[str, str] = field(default_factory=dict)  # to the entity's name

    def free(self) -> list[str]:
        """Notes that neither replace another nor are replaced, by their texts."""
        chained = {told.superseded_by for told in self.units.values()} - {None}
        return sorted(
            text
            for text, told in self.notes().items()
            if told.superseded_by is None and text not in chained
        )

    def notes(self) -> dict[str, Told]:
        """The units that were told as such, without those that say a told relation."""
        saying = {text for *_, text in self.relations}
        return {text: told for text, told in self.units.items() if text not in saying}


@dataclass(frozen=True, slots=True)
class State:
    """What a store should hold, and the markers of what was erased from it."""

    banks: Mapping[str, BankState] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()

    def bank(self, name: str) -> BankState:
        return self.banks.get(name, BankState())


@dataclass(frozen=True, slots=True)
class Change:
    """One call that writes; units are named by their texts."""

    kind: str
    bank: str
    texts: tuple[str, ...] = ()  # what is told
    targets: tuple[str, ...] = ()  # which units it is about
    name: str = ""  # of a session, an entity, an alias, a key, a bank or a directory
    other: str = ""  # the second name, where there are two
    number: int = 0  # a size the call needs


def marker_of(text: str) -> str:
    """The word that only this text has."""
    return text.split()[-1].rstrip(".")


def markers_of(text: str) -> set[str]:
    """All words that only this text has: one, or two where it says a relation."""
    return {word for word in text.rstrip(".").split() if word.startswith("zq")}


def person_in(text: str) -> str:
    return next(name for name in PEOPLE if name in text)


def bird_in(text: str) -> str | None:
    return next((bird for bird in BIRDS if bird in text), None)


def day_in(text: str) -> str:
    """The date a text names, as ISO text."""
    return text.split()[1]


def tags_of(text: str) -> tuple[str, ...]:
    return (f"t{marker_of(text)}", "told")


def speaker_of(text: str) -> str:
    return f"{SPEAKER} {marker_of(text)}"


def told_as(text: str, key: str | None = None, session: str | None = "walk") -> Told:
    people = (person_in(text),)
    if session is None:  # an import tells no more
        return Told(key, tags_of(text), session, people)
    return Told(key, tags_of(text), session, people, speaker_of(text), _metadata(text))


def _metadata(text: str) -> str:
    return json.dumps(metadata_of(text))


def metadata_of(text: str) -> dict[str, str]:
    return {"mark": marker_of(text)}


def after(state: State, change: Change) -> State:
    """The state once the whole of a change is in it."""
    banks = dict(state.banks)
    if change.kind == "delete bank":
        erased = banks.pop(change.bank).units
    else:
        before = banks.get(change.bank, BankState())
        banks[change.bank] = _EFFECTS.get(change.kind, _nothing)(before, change)
        erased = {t: x for t, x in before.units.items() if t not in banks[change.bank].units}
    return State(banks, state.gone.union(*map(markers_of, erased)))


def _nothing(bank: BankState, _: Change) -> BankState:
    return bank


def _retain(bank: BankState, change: Change) -> BankState:
    key = change.name or None
    old = [text for text, told in bank.units.items() if key is not None and told.key == key]
    before = _renamed(bank, dict(zip(old, change.texts, strict=False)))
    new = {text: told_as(text, key) for text in change.texts}
    return replace(before, units={**before.units, **new}, sessions={**bank.sessions, "walk": False})


def _renamed(bank: BankState, names: Mapping[str, str]) -> BankState:
    """The bank where some units have other texts, wherever they are named."""
    units = {
        names.get(text, text): replace(
            told, superseded_by=names.get(told.superseded_by or "", told.superseded_by)
        )
        for text, told in bank.units.items()
    }
    links = frozenset((names.get(a, a), names.get(b, b)) for a, b in bank.links)
    return replace(bank, units=units, links=links)


def _import(bank: BankState, change: Change) -> BankState:
    new = {text: told_as(text, session=None) for text in change.texts}
    return replace(bank, units={**bank.units, **new})


def _update(bank: BankState, change: Change) -> BankState:
    (old,), (new,) = change.targets, change.texts
    bank = _renamed(bank, {old: new})
    told = replace(
        bank.units[new],
        tags=tags_of(new),
        people=(person_in(new),),
        speaker=speaker_of(new),
        metadata=_metadata(new),
    )
    return replace(bank, units={**bank.units, new: told})


def _supersede(bank: BankState, change: Change) -> BankState:
    old = change.targets[0]
    new = change.texts[0] if change.texts else change.targets[1]
    units = dict(bank.units)
    units.setdefault(new, Told(people=(person_in(new),)))
    units[old] = replace(units[old], superseded_by=new)
    return replace(bank, units=units)


def _forget(bank: BankState, change: Change) -> BankState:
    units = {text: told for text, told in bank.units.items() if text not in change.targets}
    links = frozenset(ends for ends in bank.links if not set(ends) & set(change.targets))
    relations = tuple(told for told in bank.relations if told[-1] in units)
    return replace(bank, units=units, links=links, relations=relations)


def _link(bank: BankState, change: Change) -> BankState:
    cause, effect = change.targets
    return replace(bank, links=bank.links | {(cause, effect)})


def _relate(bank: BankState, change: Change) -> BankState:
    relation = Relation(change.name, WORKS_WITH, change.other)
    text = f"{change.name} {WORKS_WITH} {change.other}."
    said = Told(relation_key(relation), people=(GUILD, change.name, change.other))
    told = (change.name, WORKS_WITH, change.other, text)
    return replace(
        bank,
        units={**bank.units, text: said},
        relations=tuple(sorted((*bank.relations, told))),
    )


def _start(bank: BankState, change: Change) -> BankState:
    return replace(bank, sessions={**bank.sessions, change.name: False})


def _end(bank: BankState, change: Change) -> BankState:
    return replace(bank, sessions={**bank.sessions, change.name: True})


def _alias(bank: BankState, change: Change) -> BankState:
    return replace(bank, aliases={**bank.aliases, change.other: change.name})


def _split(bank: BankState, change: Change) -> BankState:
    units = dict(bank.units)
    for text in change.targets:
        units[text] = replace(units[text], people=(change.other,))
    return replace(bank, units=units)


def _merge(bank: BankState, change: Change) -> BankState:
    units = {
        text: replace(told, people=(change.name,)) if told.people == (change.other,) else told
        for text, told in bank.units.items()
    }
    return replace(bank, units=units)


_EFFECTS: Mapping[str, Callable[[BankState, Change], BankState]] = {
    "retain": _retain,
    "batch": _retain,
    "keyed": _retain,
    "create bank": _retain,
    "import": _import,
    "update": _update,
    "supersede by text": _supersede,
    "supersede by id": _supersede,
    "forget": _forget,
    "forget and compact": _forget,
    "forget by filter": _forget,
    "link": _link,
    "relate": _relate,
    "forget relation": _forget,
    "start session": _start,
    "end session": _end,
    "alias": _alias,
    "split": _split,
    "merge": _merge,
}


def observed(memory: Memory, gone: frozenset[str] = frozenset()) -> State:
    """A store read as a state."""
    return State({info.name: _observed_bank(memory, info.name) for info in memory.banks()}, gone)


def listed(memory: Memory, bank: str) -> list[StoredUnit]:
    """Every unit of a bank."""
    units: list[StoredUnit] = []
    cursor: str | None = None
    while True:
        page = memory.list(bank=bank, limit=_PAGE, cursor=cursor)
        units.extend(page.units)
        cursor = page.cursor
        if cursor is None:
            return units


def _observed_bank(memory: Memory, name: str) -> BankState:
    units = listed(memory, name)
    texts = {unit.id: unit.text for unit in units}
    told = {
        unit.text: Told(
            unit.key,
            unit.tags,
            unit.session,
            tuple(name for name in unit.entities if not name.startswith(SPEAKER)),
            unit.speaker,
            json.dumps(dict(unit.metadata)),
            None if unit.superseded_by is None else texts.get(unit.superseded_by, "?"),
        )
        for unit in units
    }
    links = {
        (texts[link.source], texts.get(link.target, "?"))
        for unit in units
        for link in memory.links(unit.id, bank=name)
        if link.kind is LinkKind.CAUSES and link.source == unit.id
    }
    relations = [
        (
            found.subject.name,
            found.relation,
            found.object.name,
            "?" if found.unit is None else texts.get(found.unit, "?"),
        )
        for found in memory.relations(bank=name, limit=_PAGE)
    ]
    sessions = {s.name: s.ended_at is not None for s in memory.sessions(bank=name)}
    aliases = {
        alias: entity.name
        for entity in memory.entities(bank=name, limit=_PAGE)
        for alias in entity.aliases
        if alias.startswith(ALIAS)
    }
    return BankState(told, frozenset(links), tuple(sorted(relations)), sessions, aliases)
