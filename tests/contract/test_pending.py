"""Units that wait to be approved: kept, and left out of everything until then."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from tests.contract.looking import Opening

from scrubjay import BadInput, Memory, NotFound, Unit, UnitFilter
from scrubjay.limits import PENDING_UNITS_MAX
from scrubjay.preset import PRESET_NAMES
from scrubjay.testing import FixedClock

LAMP = "Ana Holm says the lamp is lit."


def held(memory: Memory) -> str:
    """One unit of everything that could be found, waiting."""
    kept = memory.retain(
        Unit(LAMP, session="evening", speaker="Ana", tags=("light",), author="bot", origin="chat"),
        pending=True,
    )
    assert kept.pending == kept.ids
    assert (kept.new, kept.duplicates, kept.updated) == ((), (), ())
    return kept.id


def test_what_is_pending_is_kept_and_nothing_finds_counts_or_names_it(memory: Memory) -> None:
    memory.retain("The oil is blue.")
    before = memory.stats()
    unit = held(memory)

    stats = memory.stats()
    assert stats.pending == 1
    for name in ("units", "entities", "sessions", "links", "vectors", "terms", "relations"):
        assert getattr(stats, name) == getattr(before, name), name
    for preset in PRESET_NAMES:
        found = memory.recall("Is the lamp lit, Ana Holm?", preset=preset)
        assert unit not in [item.id for item in found], preset
    assert memory.list().total == 1
    assert memory.histogram().total == 1
    assert memory.entities(containing="ana") == []
    assert memory.sessions() == []
    assert memory.conflicts() == []
    with pytest.raises(NotFound, match=r"pending unit.*before it is approved"):
        memory.explain("Is the lamp lit?", unit)


def test_what_is_pending_is_shown_with_who_told_it_and_from_where(memory: Memory) -> None:
    unit = held(memory)

    (shown,), total = memory.pending().units, memory.pending().total
    assert (shown.id, shown.text, total) == (unit, LAMP, 1)
    assert (shown.author, shown.origin, shown.pending) == ("bot", "chat", True)
    assert memory.get(unit) == shown
    with pytest.raises(NotFound, match="approve it first"):
        memory.update(unit, text="No.")
    with pytest.raises(NotFound, match="approve it first"):
        memory.supersede(unit, "Something else is so.")


def test_what_is_approved_is_found_under_its_id_and_keeps_its_time(
    memory: Memory, clock: FixedClock
) -> None:
    unit, told_at = held(memory), clock.now
    clock.advance(timedelta(days=3))

    kept = memory.approve(unit)

    assert kept.new == (unit,)
    stored = memory.get(unit)
    assert (stored.told_at, stored.pending) == (told_at, False)
    assert (stored.author, stored.origin) == ("bot", "chat")
    assert unit in [item.id for item in memory.recall("Is the lamp lit?")]
    assert [item.author for item in memory.recall("Is the lamp lit?")] == ["bot"]
    assert memory.pending().total == 0
    assert memory.list(author="bot", origin="chat").total == 1
    assert memory.list(author="someone").total == 0
    # It is the same telling.
    again = memory.retain(
        Unit(LAMP, session="evening", speaker="Ana", tags=("light",), author="bot", origin="chat")
    )
    assert again.duplicates == (unit,)
    with pytest.raises(NotFound, match="no such pending unit"):
        memory.approve(unit)


@pytest.mark.parametrize("said", ["no", 0, None])
def test_what_is_neither_true_nor_false_is_refused_and_nothing_changes(
    memory: Memory, said: object
) -> None:
    unit = memory.retain("The quay is long.").ids[0]
    refused = (
        ("pending", lambda: memory.retain(LAMP, pending=said)),  # type: ignore[arg-type]
        ("compact", lambda: memory.forget(unit, compact=said)),  # type: ignore[arg-type]
        ("fix", lambda: memory.doctor(fix=said)),  # type: ignore[arg-type]
    )
    for name, call in refused:
        with pytest.raises(BadInput, match=f"{name}: .*Give True or False"):
            call()
    assert (memory.list().total, memory.pending().total) == (1, 0)


def test_what_is_rejected_is_erased_and_reported(memory: Memory) -> None:
    unit = held(memory)

    report = memory.reject([unit])

    assert (report.units, report.ids) == (1, (unit,))
    assert memory.pending().total == 0
    with pytest.raises(NotFound):
        memory.get(unit)
    with pytest.raises(NotFound, match="no such pending unit"):
        memory.reject(unit)


def test_one_id_that_does_not_wait_leaves_all_as_they_were(memory: Memory) -> None:
    unit, stored = held(memory), memory.retain("The oil is blue.").id

    for decide in (memory.approve, memory.reject):
        with pytest.raises(NotFound):
            decide([unit, stored])
    assert memory.pending().total == 1


def test_the_same_telling_waits_once(memory: Memory) -> None:
    first = memory.retain([LAMP, LAMP], pending=True)
    again = memory.retain(LAMP, pending=True)
    kept = memory.retain("The oil is blue.").id

    assert len(set(first.ids)) == 1
    assert again.duplicates == (first.id,)
    assert memory.retain("The oil is blue.", pending=True).duplicates == (kept,)
    assert memory.pending().total == 1


def test_a_bank_lets_chosen_speakers_authors_and_origins_wait(memory: Memory) -> None:
    memory.retain("The oil is blue.", bank="watched")
    memory.bank("watched", pending_from=["Web", "bot"])
    kept = memory.retain(
        [
            Unit("First.", speaker="Ana"),
            Unit("Second.", speaker="BOT"),
            Unit("Third.", author="bot"),
            Unit("Fourth. " * 400),
            Unit("Fifth.", origin="web"),
        ],
        bank="watched",
    )

    waiting = memory.pending(bank="watched").units
    assert [unit.text for unit in waiting] == ["Second.", "Third.", "Fifth."]
    assert kept.pending == tuple(unit.id for unit in waiting)
    assert (kept.ids[1], kept.ids[2], kept.ids[-1]) == kept.pending
    assert memory.get(kept.ids[0], bank="watched").text == "First."
    assert memory.get(kept.ids[3], bank="watched").text.startswith("Fourth.")
    assert memory.bank("watched").settings.pending_from == ("Web", "bot")


@pytest.mark.parametrize(
    "what",
    [
        lambda unit: unit,
        lambda _: UnitFilter(session="evening"),
        lambda _: UnitFilter(entity="ana holm"),
        lambda _: UnitFilter(tags=("light",), author="bot"),
        lambda _: UnitFilter(text="lamp li"),
    ],
)
def test_forgetting_erases_what_is_pending_too(
    memory: Memory, what: Callable[[str], str | UnitFilter]
) -> None:
    unit = held(memory)
    memory.retain("The oil is blue.")
    assert memory.forget(UnitFilter(session="morning")).units == 0

    report = memory.forget(what(unit))

    assert (report.units, report.ids) == (1, (unit,))
    assert memory.pending().total == 0
    assert memory.list().total == 1


def test_what_is_pending_survives_a_restart(opened: Opening) -> None:
    with opened("hash") as memory:
        unit = held(memory)
        if memory.location == ":memory:":
            return
    with opened("hash") as memory:
        assert [one.id for one in memory.pending().units] == [unit]


def test_an_export_takes_along_what_is_pending(memory: Memory, tmp_path: Path) -> None:
    unit = held(memory)
    memory.retain("The oil is blue.", author="Nils")
    before = memory.pending()
    memory.export(tmp_path / "bank.jsonl")

    for _ in range(2):
        memory.import_(tmp_path / "bank.jsonl", bank="copy")

    assert memory.pending(bank="copy") == before
    assert [one.author for one in memory.list(bank="copy").units] == ["Nils"]
    assert memory.approve(unit, bank="copy").new == (unit,)


def test_a_long_text_that_waited_becomes_several_units(memory: Memory) -> None:
    told = memory.retain("The lamp is lit. " * 300, pending=True)

    kept = memory.approve(told.id)

    assert len(kept.new) > 1
    assert memory.pending().total == 0


def test_only_so_many_wait(memory: Memory) -> None:
    memory.retain([f"Number {n} waits." for n in range(PENDING_UNITS_MAX)], pending=True)

    with pytest.raises(BadInput, match="approve or reject some first"):
        memory.retain("One more waits.", pending=True)
    assert memory.pending().total == PENDING_UNITS_MAX


def test_what_names_a_unit_that_is_pending_is_told_that_it_waits(memory: Memory) -> None:
    told = memory.retain("The gate is green.").id
    (waiting,) = memory.retain("The boat is grey.", pending=True).pending or ()
    entity = memory.retain("Nadia mended the gate.", entities=["Nadia"]).id
    assert entity
    for call in (
        lambda: memory.feedback("What is grey?", used=[waiting]),
        lambda: memory.feedback("What is grey?", missed=[told, waiting]),
        lambda: memory.link(told, waiting),
        lambda: memory.reject_conflict(told, waiting),
        lambda: memory.accept_conflict(told, waiting),
        lambda: memory.split_entity("Nadia", "Nadia B.", [waiting]),
        lambda: memory.links(waiting),
        lambda: memory.supersede(waiting, "The boat is red."),
        lambda: memory.supersede(told, waiting),
        lambda: memory.undo_supersede(waiting),
    ):
        with pytest.raises(NotFound, match="pending"):
            call()
