"""Every kind of call that writes: how one is chosen, and how it is made."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.soak.states import (
    ALIAS,
    BIRDS,
    DAYS,
    GUILD,
    PEOPLE,
    WORKS_WITH,
    BankState,
    Change,
    State,
    listed,
    metadata_of,
    speaker_of,
    tags_of,
)

from scrubjay import Memory, Unit, UnitFilter
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.language.names import fold
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.testing import HashingEncoder

MAIN, SIDE = "main", "side"

# So low that a bank of a hundred units has every kind of file a bank of a million has.
INDEX_FILES_ABOVE = 30
GRAPHS_ABOVE = 40
DIMENSION = 96

# Two portions, so that an import or a re-embedding can be cut off between them.
IMPORTED_UNITS = 110


@dataclass(frozen=True, slots=True)
class Open:
    """An open store in a directory; `store` is None where a server has it."""

    folder: Path
    store: EmbeddedStore | None
    memory: Memory


def opened(folder: Path, *, dimension: int = DIMENSION, read_only: bool = False) -> Open:
    """Open a store as a large one would be."""
    store = EmbeddedStore(
        folder,
        read_only=read_only,
        index_files_above=INDEX_FILES_ABOVE,
        graphs_above=GRAPHS_ABOVE,
    )
    return Open(
        folder, store, Memory(EngineBackend(store, Toolbox(HashingEncoder(dimension), None)))
    )


@dataclass(slots=True)
class Mint:
    """Makes texts; each has a word, at its end, that no other text has."""

    prefix: str
    chance: random.Random
    made: int = 0

    def text(self) -> str:
        self.made += 1
        pick = self.chance.choice
        day = 1 + self.made % DAYS
        return (
            f"On 2023-05-{day:02d} {pick(PEOPLE)} saw the grey {pick(BIRDS)} by the old mill "
            f"and noted {self.marker()}"
        )

    def marker(self) -> str:
        return f"zq{self.prefix}w{self.made:05d}"

    def word(self) -> str:
        """A name of some sort that nothing else has."""
        self.made += 1
        return self.marker()


@dataclass(slots=True)
class Chooser:
    """Chooses changes that the state allows; equal seeds choose equal changes."""

    mint: Mint
    chance: random.Random
    folder: Path  # for files and directories that a call reads or writes

    def choose(self, kind: str, state: State) -> Change:
        bank = MAIN if self.chance.random() < 0.8 else SIDE
        if kind == "delete bank":
            spare = sorted(state.banks.keys() - {MAIN, SIDE})
            kind, bank = (kind, spare[0]) if spare else ("create bank", bank)
        return _CHOICES[kind](self, bank, state.bank(bank))

    def _texts(self, count: int) -> tuple[str, ...]:
        return tuple(self.mint.text() for _ in range(count))

    def _some(self, bank: BankState, count: int) -> tuple[str, ...]:
        return tuple(self.chance.sample(bank.free(), count))

    def retain(self, bank: str, _: BankState) -> Change:
        return Change("retain", bank, self._texts(1))

    def batch(self, bank: str, _: BankState) -> Change:
        return Change("batch", bank, self._texts(self.chance.randint(2, 9)))

    def keyed(self, bank: str, state: BankState) -> Change:
        known = sorted(x.key for x in state.notes().values() if x.key and not x.superseded_by)
        new = not known or self.chance.random() < 0.3
        key = f"k{self.mint.word()}" if new else self.chance.choice(known)
        return Change("keyed", bank, self._texts(1), name=key)

    def update(self, bank: str, state: BankState) -> Change:
        return Change("update", bank, self._texts(1), self._some(state, 1))

    def supersede_by_text(self, bank: str, state: BankState) -> Change:
        return Change("supersede by text", bank, self._texts(1), self._some(state, 1))

    def supersede_by_id(self, bank: str, state: BankState) -> Change:
        return Change("supersede by id", bank, (), self._some(state, 2))

    def forget(self, bank: str, state: BankState) -> Change:
        return Change("forget", bank, (), self._some(state, self.chance.randint(1, 3)))

    def forget_and_compact(self, bank: str, state: BankState) -> Change:
        return Change("forget and compact", bank, (), self._some(state, 2))

    def forget_by_filter(self, bank: str, state: BankState) -> Change:
        return Change("forget by filter", bank, (), self._some(state, 1))

    def link(self, bank: str, state: BankState) -> Change:
        return Change("link", bank, (), self._some(state, 2))

    def relate(self, bank: str, _: BankState) -> Change:
        one, two = f"{GUILD} {self.mint.word()}", f"{GUILD} {self.mint.word()}"
        return Change("relate", bank, name=one, other=two)

    def forget_relation(self, bank: str, state: BankState) -> Change:
        told = [text for *_, text in state.relations]
        if bank != MAIN or not told:  # the other's was told to a server, which keeps its answer
            return self.relate(bank, state)
        return Change("forget relation", bank, (), (self.chance.choice(told),))

    def start_session(self, bank: str, _: BankState) -> Change:
        return Change("start session", bank, name=f"session {self.mint.word()}")

    def end_session(self, bank: str, state: BankState) -> Change:
        return Change("end session", bank, name=self.chance.choice(sorted(state.sessions)))

    def alias(self, bank: str, _: BankState) -> Change:
        alias = f"{ALIAS} {self.mint.word()}"
        return Change("alias", bank, name=self.chance.choice(PEOPLE), other=fold(alias))

    def split(self, bank: str, state: BankState) -> Change:
        person = self.chance.choice(PEOPLE)
        texts = [text for text in state.free() if state.units[text].people == (person,)]
        chosen = tuple(self.chance.sample(texts, min(2, len(texts))))
        return Change("split", bank, (), chosen, person, f"Quirin {self.mint.word()}")

    def merge(self, bank: str, state: BankState) -> Change:
        others = sorted({p for x in state.notes().values() for p in x.people} - set(PEOPLE))
        if not others:  # only who was split off is merged: the others' names stand in texts
            return self.split(bank, state)
        return Change("merge", bank, name=self.chance.choice(PEOPLE), other=others[0])

    def create_bank(self, _: str, __: BankState) -> Change:
        return Change("create bank", f"bank-{self.mint.word()}", self._texts(2))

    def import_(self, bank: str, _: BankState) -> Change:
        texts = self._texts(IMPORTED_UNITS)
        return Change("import", bank, texts, name=str(self.folder / f"{self.mint.word()}.jsonl"))

    def reembed(self, _: str, __: BankState) -> Change:
        return Change("reembed", SIDE, number=self.chance.choice((64, 128, DIMENSION)))

    def backup(self, bank: str, _: BankState) -> Change:
        return Change("backup", bank, name=str(self.folder / f"backup-{self.mint.word()}"))

    def configure(self, bank: str, _: BankState) -> Change:
        return Change("configure", bank, number=self.chance.randint(5, 300))

    def compact(self, bank: str, _: BankState) -> Change:
        return Change("compact", bank)

    def grow(self, bank: str, _: BankState) -> Change:
        return Change("grow", bank, number=self.chance.randint(1, 12))

    def doctor_fix(self, bank: str, _: BankState) -> Change:
        return Change("doctor --fix", bank)


_CHOICES: Mapping[str, Callable[[Chooser, str, BankState], Change]] = {
    "retain": Chooser.retain,
    "batch": Chooser.batch,
    "keyed": Chooser.keyed,
    "update": Chooser.update,
    "supersede by text": Chooser.supersede_by_text,
    "supersede by id": Chooser.supersede_by_id,
    "forget": Chooser.forget,
    "forget and compact": Chooser.forget_and_compact,
    "forget by filter": Chooser.forget_by_filter,
    "compact": Chooser.compact,
    "link": Chooser.link,
    "relate": Chooser.relate,
    "forget relation": Chooser.forget_relation,
    "start session": Chooser.start_session,
    "end session": Chooser.end_session,
    "alias": Chooser.alias,
    "split": Chooser.split,
    "merge": Chooser.merge,
    "create bank": Chooser.create_bank,
    "delete bank": lambda _, bank, __: Change("delete bank", bank),
    "import": Chooser.import_,
    "reembed": Chooser.reembed,
    "grow": Chooser.grow,
    "doctor --fix": Chooser.doctor_fix,
    "backup": Chooser.backup,
    "configure": Chooser.configure,
}
WRITES = tuple(_CHOICES)


@dataclass(slots=True)
class Performer:
    """Makes changes to an open store, and knows the ids of the units it was told of."""

    place: Open
    ids: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def memory(self) -> Memory:
        return self.place.memory

    def id_of(self, bank: str, text: str) -> str:
        if (bank, text) not in self.ids:
            self.ids |= {(bank, unit.text): unit.id for unit in listed(self.memory, bank)}
        return self.ids[bank, text]

    def _entity(self, bank: str, name: str) -> int:
        found = self.memory.entities(bank=bank, containing=name, limit=1000)
        return next(entity.id for entity in found if entity.name == name)

    def prepare(self, change: Change) -> None:
        """Do what is no part of the call: look ids up, write the file that is to be imported."""
        for text in change.targets:
            self.id_of(change.bank, text)
        path = Path(change.name)
        if change.kind == "import" and not path.exists():
            lines = [json.dumps({"text": text, "tags": tags_of(text)}) for text in change.texts]
            path.write_text("\n".join(lines), encoding="utf-8")

    def perform(self, change: Change) -> None:
        """Make the call, and return when it is acknowledged."""
        self.prepare(change)
        _CALLS[change.kind](self, change)

    def retain(self, change: Change) -> None:
        key = change.name or None
        units = [
            Unit(
                text,
                type="fact" if number % 2 else "event",
                session="walk",
                key=key,
                tags=tags_of(text),
                speaker=speaker_of(text),
                metadata=metadata_of(text),
            )
            for number, text in enumerate(change.texts)
        ]
        kept = self.memory.retain(units, bank=change.bank)
        self.ids |= {(change.bank, text): i for text, i in zip(change.texts, kept.ids, strict=True)}

    def update(self, change: Change) -> None:
        (old,), (new,) = change.targets, change.texts
        unit = self.id_of(change.bank, old)
        self.memory.update(
            unit,
            text=new,
            tags=tags_of(new),
            speaker=speaker_of(new),
            metadata=metadata_of(new),
            bank=change.bank,
        )
        self.ids[change.bank, new] = unit

    def supersede_by_text(self, change: Change) -> None:
        old = self.id_of(change.bank, change.targets[0])
        new = self.memory.supersede(old, Unit(change.texts[0]), bank=change.bank)
        self.ids[change.bank, change.texts[0]] = new.id

    def supersede_by_id(self, change: Change) -> None:
        old, new = (self.id_of(change.bank, text) for text in change.targets)
        self.memory.supersede(old, new, bank=change.bank)

    def forget(self, change: Change) -> None:
        ids = [self.id_of(change.bank, text) for text in change.targets]
        self.memory.forget(ids, bank=change.bank, compact=change.kind == "forget and compact")

    def forget_by_filter(self, change: Change) -> None:
        tag = tags_of(change.targets[0])[0]
        self.memory.forget(UnitFilter(tags=(tag,)), bank=change.bank)

    def compact(self, change: Change) -> None:
        self.memory.compact(bank=change.bank)

    def link(self, change: Change) -> None:
        cause, effect = (self.id_of(change.bank, text) for text in change.targets)
        self.memory.link(cause, effect, bank=change.bank)

    def relate(self, change: Change) -> None:
        self.memory.relate(change.name, WORKS_WITH, change.other, bank=change.bank)

    def start_session(self, change: Change) -> None:
        self.memory.start_session(change.name, bank=change.bank)

    def end_session(self, change: Change) -> None:
        self.memory.end_session(change.name, bank=change.bank)

    def alias(self, change: Change) -> None:
        entity = self._entity(change.bank, change.name)
        self.memory.alias_entity(entity, change.other, bank=change.bank)

    def split(self, change: Change) -> None:
        units = [self.id_of(change.bank, text) for text in change.targets]
        entity = self._entity(change.bank, change.name)
        self.memory.split_entity(entity, change.other, units, bank=change.bank)

    def merge(self, change: Change) -> None:
        keep, drop = (self._entity(change.bank, name) for name in (change.name, change.other))
        self.memory.merge_entities(keep, drop, bank=change.bank)

    def delete_bank(self, change: Change) -> None:
        self.memory.delete_bank(change.bank)

    def import_(self, change: Change) -> None:
        self.memory.import_(change.name, bank=change.bank)

    def reembed(self, change: Change) -> None:
        self.memory.reembed(HashingEncoder(change.number), bank=change.bank)

    def grow(self, change: Change) -> None:
        assert self.place.store is not None
        with self.place.store.using(change.bank) as bank:
            assert bank is not None
            for _ in range(change.number):
                bank.improve()
            bank.save_indexes()

    def doctor_fix(self, change: Change) -> None:
        findings = self.memory.doctor(bank=change.bank, fix=True)
        assert findings == [], findings

    def backup(self, change: Change) -> None:
        self.memory.backup(change.name)

    def configure(self, change: Change) -> None:
        self.memory.bank(change.bank, recent_days=change.number)


_CALLS: Mapping[str, Callable[[Performer, Change], None]] = {
    "retain": Performer.retain,
    "batch": Performer.retain,
    "keyed": Performer.retain,
    "create bank": Performer.retain,
    "update": Performer.update,
    "supersede by text": Performer.supersede_by_text,
    "supersede by id": Performer.supersede_by_id,
    "forget": Performer.forget,
    "forget and compact": Performer.forget,
    "forget by filter": Performer.forget_by_filter,
    "compact": Performer.compact,
    "link": Performer.link,
    "relate": Performer.relate,
    "forget relation": Performer.forget,
    "start session": Performer.start_session,
    "end session": Performer.end_session,
    "alias": Performer.alias,
    "split": Performer.split,
    "merge": Performer.merge,
    "delete bank": Performer.delete_bank,
    "import": Performer.import_,
    "reembed": Performer.reembed,
    "grow": Performer.grow,
    "doctor --fix": Performer.doctor_fix,
    "backup": Performer.backup,
    "configure": Performer.configure,
}
