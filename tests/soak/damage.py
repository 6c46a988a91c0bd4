"""Every kind of file damaged in every way: a right answer, or an error that says what to do."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.soak.attempts import Attempt, Outcome, faults_of
from tests.soak.changes import MAIN, SIDE, Performer, opened
from tests.soak.checks import Fault, settled
from tests.soak.server_files import FOLDER, served_right
from tests.soak.states import State, after
from tests.soak.template import Template

FOLDERS = {MAIN: "00000001", SIDE: "00000002"}
INDEX = "index"  # the whole folder


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: how its path ends, and whether it is there only after a crash."""

    pattern: str
    cut_off: bool = False


FILES: Mapping[str, Kind] = {
    "registry.db": Kind(r"registry\.db"),
    "bank.db": Kind(r"banks/\d+/bank\.db"),
    "bank.db-wal": Kind(r"banks/\d+/bank\.db-wal", cut_off=True),
    "bank.db-shm": Kind(r"banks/\d+/bank\.db-shm", cut_off=True),
    "writer.json": Kind(r"writer\.json", cut_off=True),
    "writer.lock": Kind(r"writer\.lock"),
    ".graph": Kind(r".*\.graph"),
    ".halves": Kind(r".*\.halves"),
    ".rows": Kind(r".*\.rows"),
    ".coding": Kind(r".*\.coding"),
    ".signs": Kind(r".*\.signs"),
    ".centre": Kind(r".*\.centre"),
    "terms-N.bin": Kind(r".*/terms-\d+\.bin"),
    "columns.npz": Kind(r".*\.npz"),
    "vectors.json": Kind(r".*/vectors\.json"),
    "terms.json": Kind(r".*/terms\.json"),
    "indexes.json": Kind(r".*/indexes\.json"),
    INDEX: Kind(rf"banks/\d+/{INDEX}"),
    "server.db": Kind(rf"{FOLDER}/server\.db"),
    "server.db-wal": Kind(rf"{FOLDER}/server\.db-wal", cut_off=True),
}
KINDS = tuple(FILES)


@dataclass(frozen=True, slots=True)
class Target:
    """One file of a copied store, and where its siblings are."""

    path: Path
    store: Path
    older: Path  # the same store, some changes earlier
    chance: random.Random

    @property
    def content(self) -> bytearray:
        return bytearray(self.path.read_bytes())

    def sibling(self) -> Path | None:
        """A file of the same kind in the other bank, or another one in this."""
        place = self.path.relative_to(self.store).as_posix()
        swapped = [name for name in FOLDERS.values() if name not in place]
        other = self.store / place.replace(
            FOLDERS[MAIN] if FOLDERS[MAIN] in place else FOLDERS[SIDE], swapped[0]
        )
        if other.exists() and other != self.path:
            return other
        alike = [p for p in self.path.parent.glob(f"*{self.path.suffix}") if p != self.path]
        return self.chance.choice(sorted(alike)) if alike and self.path.suffix else None


def flip_bits(target: Target, count: int) -> None:
    content = target.content
    for _ in range(count if content else 0):
        place = target.chance.randrange(len(content))
        content[place] ^= 1 << target.chance.randrange(8)
    target.path.write_bytes(content)


def zero_tail(target: Target) -> None:
    content = target.content
    start = int(len(content) * target.chance.random())
    target.path.write_bytes(content[:start] + bytes(len(content) - start))


def zero_page(target: Target) -> None:
    content = target.content
    start = target.chance.randrange(max(1, len(content) // 4096)) * 4096
    end = min(start + 4096, len(content))
    content[start:end] = bytes(end - start)
    target.path.write_bytes(content)


def truncate(target: Target) -> None:
    content = target.content
    target.path.write_bytes(content[: int(len(content) * target.chance.random())])


def lengthen(target: Target) -> None:
    target.path.write_bytes(target.content + target.chance.randbytes(100))


def empty(target: Target) -> None:
    target.path.write_bytes(b"")


def remove(target: Target) -> None:
    if target.path.is_dir():
        shutil.rmtree(target.path)
    else:
        target.path.unlink()


def garbage(target: Target) -> None:
    size = max(len(target.content), 64)
    target.path.write_bytes(target.chance.randbytes(size))


def replace_by_folder(target: Target) -> None:
    target.path.unlink()
    target.path.mkdir()


def swap(target: Target) -> None:
    """Exchange it with its like in another bank."""
    other = target.sibling()
    if other is None:
        remove(target)
        return
    aside = target.store / "aside"
    target.path.rename(aside)
    other.rename(target.path)
    aside.rename(other)


def from_earlier(target: Target) -> None:
    """Put back what it was some changes earlier."""
    place = target.path.relative_to(target.store)
    before = target.older / place
    if not before.exists():  # the files of an earlier save have other names
        alike = sorted((target.older / place.parent).glob(f"*{place.suffix}"))
        same = [p for p in alike if p.name.split("-")[0] == place.name.split("-")[0]]
        before = (same or alike or [target.path])[0]
    if before.is_dir():
        shutil.rmtree(target.path)
        shutil.copytree(before, target.path)
    elif before != target.path:
        shutil.copyfile(before, target.path)


def misshape(target: Target) -> None:
    """JSON that reads, and is not what was written."""
    told = json.loads(target.path.read_text(encoding="utf-8"))
    shapes: list[object] = [None, [], {}, "text", 3, [told], {"a": told}, True, {**told, "new": 1}]
    values: list[object] = [None, -1, "x", [], {}, 10**12, 1.5]
    for name in told:
        shapes += [{**told, name: value} for value in values]
        shapes.append({key: kept for key, kept in told.items() if key != name})
    target.path.write_text(json.dumps(target.chance.choice(shapes)), encoding="utf-8")


WAYS: Mapping[str, Callable[[Target], None]] = {
    "8 bits flipped": lambda target: flip_bits(target, 8),
    "1 bit flipped": lambda target: flip_bits(target, 1),
    "zeroed tail": zero_tail,
    "zeroed page": zero_page,
    "cut short": truncate,
    "made longer": lengthen,
    "emptied": empty,
    "removed": remove,
    "garbage": garbage,
    "swapped": swap,
    "from earlier": from_earlier,
    "a folder": replace_by_folder,
    "misshapen": misshape,
}
_ON_FOLDERS = ("removed", "swapped", "from earlier")


def ways_for(kind: str) -> list[str]:
    """What can be done to a kind of file."""
    if kind == INDEX:
        return list(_ON_FOLDERS)
    return [way for way in WAYS if way != "misshapen" or kind.endswith(".json")]


def damaged(attempt: Attempt, template: Template, folder: Path) -> Outcome:
    """Damage one file of a copied store, and open it."""
    kind, chance = FILES[attempt.kind], attempt.chance()
    source = template.cut_off if kind.cut_off else template.whole
    store = shutil.copytree(source, folder / "store")
    found = sorted(
        path
        for path in store.rglob("*")
        if re.fullmatch(kind.pattern, path.relative_to(store).as_posix())
        and not any(spare in path.parts for spare in ("00000003", "00000004", "00000005"))
    )
    ways = ways_for(attempt.kind)
    way = ways[attempt.number % len(ways)]
    path = chance.choice(found)
    WAYS[way](Target(path, store, template.older, chance))
    read_only = chance.random() < 0.25
    note = f"{way}: {path.relative_to(store)}{', read only' if read_only else ''}"
    faults = faults_of(
        lambda: _opened(attempt, template, store, path, read_only=read_only), note, may_refuse=True
    )
    return Outcome(faults, note)


def _opened(
    attempt: Attempt, template: Template, store: Path, path: Path, *, read_only: bool
) -> Sequence[Fault]:
    candidates = _candidates(attempt, template, path)
    if attempt.kind.startswith("server"):
        return served_right(store, template.client)
    faults, state = settled(store, candidates, attempt.chance("check"), read_only=read_only)
    if faults and attempt.kind.startswith("bank.db") and _told_by_doctor(store):
        return []
    if not faults and not read_only:
        faults = _written_to(attempt, store, state)
    return faults


def _candidates(attempt: Attempt, template: Template, path: Path) -> list[State]:
    """What may be answered: the truth, or for rows put back to an earlier time, that time."""
    if not FILES[attempt.kind].cut_off and attempt.kind != "bank.db":
        return [template.state]
    now = template.history[-1] if FILES[attempt.kind].cut_off else template.state
    earlier = template.history if FILES[attempt.kind].cut_off else (template.older_state,)
    folder = path.parent.name
    names = [name for name, number in FOLDERS.items() if number == folder]
    mixed = [
        State({**now.banks, name: before.banks[name]}, now.gone)
        for name in names
        for before in earlier
    ]
    return [now, *mixed]


def _told_by_doctor(store: Path) -> bool:
    with opened(store).memory as memory:
        return any(memory.doctor(bank=info.name) for info in memory.banks())


def _written_to(attempt: Attempt, store: Path, state: State) -> list[Fault]:
    """What a write on top of the damage, and a second opening, bring to light."""
    change = attempt.chooser(store.parent).choose("batch", state)
    place = opened(store)
    with place.memory:
        Performer(place).perform(change)
    return settled(store, [after(state, change)], attempt.chance("again"))[0]
