"""An interrupt anywhere in the store: a change is whole or absent, and every search knows which."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.store.embedded.interrupting import interrupted, moments_of
from tests.thoroughness import tries

from scrubjay import Memory, Unit
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.embedded.store import EmbeddedStore

# Long beyond need: a lock that is never given back fails the test instead of hanging it.
WAIT_S = 60.0

# A call is interrupted at every so many of the lines it comes to.
EVERY = tries(usual=17, soak=7)


def opened(store: Path) -> Memory:
    return Memory(EngineBackend(EmbeddedStore(store, index_files_above=5), Toolbox("hash", None)))


def text(word: str) -> str:
    return f"the grey heron {word} stood by the old mill pond with Agnes Vogel"


@dataclass(frozen=True)
class Attempt:
    """A change to interrupt, and which words the bank may then hold: none of it, or all."""

    run: Callable[[], object]
    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()


def retain(memory: Memory, n: int) -> Attempt:
    return Attempt(lambda: memory.retain(text(f"a{n}")), after=frozenset({f"a{n}"}))


def retain_batch(memory: Memory, n: int) -> Attempt:
    told = [f"a{n}", f"b{n}", f"c{n}"]
    return Attempt(
        lambda: memory.retain([text(word) for word in told], session=f"s{n}", tags=["told"]),
        after=frozenset(told),
    )


def update(memory: Memory, n: int) -> Attempt:
    unit = memory.retain(text(f"a{n}")).id
    return Attempt(
        lambda: memory.update(unit, text=text(f"b{n}")),
        frozenset({f"a{n}"}), frozenset({f"b{n}"}),
    )  # fmt: skip


def retain_known_key(memory: Memory, n: int) -> Attempt:
    memory.retain(Unit(text(f"a{n}"), key=f"k{n}"))
    return Attempt(
        lambda: memory.retain([Unit(text(f"b{n}"), key=f"k{n}"), text(f"c{n}")]),
        frozenset({f"a{n}"}), frozenset({f"b{n}", f"c{n}"}),
    )  # fmt: skip


def forget(memory: Memory, n: int) -> Attempt:
    kept = memory.retain([text(f"a{n}"), text(f"b{n}"), text(f"c{n}")])
    memory.link(kept.ids[0], kept.ids[2])
    return Attempt(
        lambda: memory.forget(kept.ids[:2]),
        frozenset({f"a{n}", f"b{n}", f"c{n}"}), frozenset({f"c{n}"}),
    )  # fmt: skip


def supersede(memory: Memory, n: int) -> Attempt:
    both = frozenset({f"a{n}", f"b{n}"})
    old, new = memory.retain([text(f"a{n}"), text(f"b{n}")]).ids
    return Attempt(lambda: memory.supersede(old, new), both, both)


def unmoving(change: Callable[[Memory, int], object]) -> Callable[[Memory, int], Attempt]:
    """A change that neither adds nor removes a text."""
    return lambda memory, n: Attempt(lambda: change(memory, n))


def link(memory: Memory, _: int) -> None:
    one, two = memory.list(limit=2).units
    memory.link(one.id, two.id)


def merge_and_split(memory: Memory, n: int) -> None:
    agnes = memory.entities(containing="agnes")[0]
    split = memory.split_entity(agnes.id, f"Agnes {n}", [memory.list(limit=1).units[0].id])
    memory.alias_entity(split.id, f"Aggie {n}")
    memory.merge_entities(agnes.id, split.id)


def sessions(memory: Memory, n: int) -> None:
    memory.start_session(f"talk {n}")
    memory.end_session(f"talk {n}")


def read(memory: Memory, n: int) -> None:
    memory.recall(f"where did the heron a{n} stand with Agnes?")
    memory.stats()
    memory.list(limit=3)


CHANGES: dict[str, Callable[[Memory, int], Attempt]] = {
    "retain": retain,
    "retain a batch": retain_batch,
    "retain with a known key": retain_known_key,
    "update": update,
    "forget": forget,
    "supersede": supersede,
    "link": unmoving(link),
    "relate": unmoving(lambda m, n: m.relate("Agnes Vogel", f"knows {n}", "Bruno Stein")),
    "sessions": unmoving(sessions),
    "entities": unmoving(merge_and_split),
    "settings": unmoving(lambda m, n: m.bank("default", recent_days=1 + n)),
    "re-embed": unmoving(lambda m, _: m.reembed("hash")),
    "compact": unmoving(lambda m, _: m.compact()),
    "doctor": unmoving(lambda m, _: m.doctor(fix=True)),
    "read": unmoving(read),
}


def found_by(memory: Memory, word: str) -> set[str]:
    """Which retrievers find the unit with a word."""
    items = [*memory.recall(word, limit=5).items, *memory.recall(text(word), limit=5).items]
    return {name for item in items if item.text == text(word) for name in item.why.retrievers}


def check(memory: Memory, attempt: Attempt) -> None:
    """Whole or absent, the same for every search; and the bank goes on as if nothing was."""
    mine = attempt.before | attempt.after
    assert memory.doctor() == []
    units = {unit.text.split()[3]: unit for unit in memory.list(limit=1000).units}
    assert units.keys() & mine in (attempt.before, attempt.after)
    for word in mine:
        current = word in units and units[word].superseded_by is None
        expected = {"lexical", "semantic"} if current else set[str]()
        assert found_by(memory, word) & {"lexical", "semantic"} == expected, word
    # Told again, it is stored once and found; a word that others share is still theirs.
    memory.retain([text(word) for word in sorted(mine)])
    stored = memory.list(limit=1000).units
    # All but those that say a relation, which may happen to be a little like the question.
    standing = [unit for unit in stored if unit.superseded_by is None and "pond" in unit.text]
    found = [item for item in memory.recall("mill pond", limit=100) if "pond" in item.text]
    assert len(found) == len(standing)
    memory.forget([unit.id for unit in stored if unit.text.split()[3] in mine])
    assert "lexical" in found_by(memory, "kept")


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_an_interrupted_change_is_whole_or_absent(tmp_path: Path, name: str) -> None:
    change = CHANGES[name]
    with opened(tmp_path) as memory, ThreadPoolExecutor(1) as elsewhere:
        memory.retain([text(word) for word in ("kept", "old", "grey", "tall", "shy", "lone")])
        moments = moments_of(change(memory, 0).run)
        assert len(moments) > 10
        for n, moment in enumerate(moments[::EVERY], start=1):
            attempt = change(memory, n)
            interrupted(attempt.run, moment)
            # In another thread, which an abandoned lock would keep out.
            elsewhere.submit(check, memory, attempt).result(WAIT_S)
    with opened(tmp_path) as memory:
        assert memory.doctor() == []
        assert {"lexical", "semantic"} <= found_by(memory, "kept")
