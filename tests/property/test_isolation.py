"""Two banks that were told the same: nothing of one is visible or touchable through the other."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay import Bank, Memory, NotFound, Relation, ScrubjayError, Unit, UnitFilter
from scrubjay.testing import FixedClock

NAMES = ["Agnes Vogel", "Bertil Krone", "Carla Diaz", "Oslo", "Project Heron"]
VERBS = ["met", "called", "visited", "forgot"]

texts = st.builds(
    lambda a, verb, b, n: f"Yesterday {a} {verb} {b} about case JIRA-{n}.",
    st.sampled_from(NAMES), st.sampled_from(VERBS), st.sampled_from(NAMES), st.integers(1, 9),
)  # fmt: skip
tellings = st.builds(
    Unit,
    text=texts,
    tags=st.lists(st.sampled_from(["red", "blue"]), unique=True).map(tuple),
    session=st.sampled_from([None, "monday", "tuesday"]),
    key=st.one_of(st.none(), st.sampled_from(["k1", "k2"])),
    metadata=st.sampled_from([{}, {"n": 1}, {"n": True}]),
    relations=st.sampled_from([(), (Relation("Agnes Vogel", "knows", "Oslo"),)]),
)


def number(bank: Bank, position: int) -> str:
    """The id of one of a bank's units."""
    units = bank.list(limit=1000).units
    return units[position % len(units)].id


def entity(bank: Bank, position: int) -> int:
    """The number of one of a bank's entities."""
    found = bank.entities(limit=1000)
    return found[position % len(found)].id


def reimport(bank: Bank, _: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bank.export(Path(folder) / "out.jsonl")
        bank.import_(Path(folder) / "out.jsonl")


# Everything a caller can do to a bank; the number chooses among what the bank holds.
CHANGES: dict[str, Callable[[Bank, int], object]] = {
    "retain": lambda b, n: b.retain(f"Only here: {NAMES[n % 5]} keeps secret number {n}."),
    "retain a known key": lambda b, n: b.retain(f"Only here {n}.", key="k1"),
    "update": lambda b, n: b.update(number(b, n), text=f"Only here: changed {n}."),
    "supersede": lambda b, n: b.supersede(number(b, n), f"Only here: newer {n}."),
    "supersede by id": lambda b, n: b.supersede(number(b, n), number(b, n + 1)),
    "forget": lambda b, n: b.forget(number(b, n)),
    "forget by filter": lambda b, _: b.forget(UnitFilter(tags=("red",))),
    "forget by entity": lambda b, n: b.forget(UnitFilter(entity=NAMES[n % 5]), compact=True),
    "alias": lambda b, n: b.alias_entity(entity(b, n), f"Only Here {n}"),
    "merge": lambda b, n: b.merge_entities(entity(b, n), entity(b, n + 1)),
    "split": lambda b, n: b.split_entity(entity(b, n), f"Only Here {n}", [number(b, n)]),
    "relate": lambda b, n: b.relate(NAMES[n % 5], "only-here", f"Thing {n}"),
    "link": lambda b, n: b.link(number(b, n), number(b, n + 1)),
    "start session": lambda b, n: b.start_session(f"only-here-{n}"),
    "end session": lambda b, _: b.end_session("monday"),
    "compact": lambda b, _: b.compact(),
    "reimport": reimport,
    "configure": lambda b, n: b.configure({"recent_days": n + 1}),
    "repair": lambda b, _: b.doctor(fix=True),
}


def view(bank: Bank) -> list[object]:
    """All that a bank shows through its whole API, ids and scores included."""
    units = bank.list(limit=1000).units
    questions = ["Who met Agnes Vogel in Oslo?", "JIRA-3 yesterday", "only here secret", "Heron?"]
    recalls = [bank.recall(question, limit=50) for question in questions]
    return [
        units,
        [bank.get(unit.id) for unit in units],
        [bank.links(unit.id) for unit in units],
        [(item.id, item.text, item.score) for recall in recalls for item in recall.items],
        [str(bank.explain(questions[0], unit.id)) for unit in units[:2]],
        bank.entities(limit=1000),
        bank.relations(limit=1000),
        bank.sessions(),
        bank.info(),
        [bank.stats().units, bank.stats().terms, bank.stats().links, bank.stats().by_type],
        [bank.list(UnitFilter(entity=name)).units for name in NAMES],
        bank.settings,
    ]


def check_strange(mine: Bank, other: Bank) -> None:
    """No unit of one bank can be read or changed through the other."""
    own = {unit.id for unit in mine.list(limit=1000).units}
    for unit in other.list(limit=3).units:
        assert unit.id not in own
        some = next(iter(own), "nobody")
        for call in (
            lambda u=unit: mine.get(u.id),
            lambda u=unit: mine.update(u.id, text="mine now"),
            lambda u=unit: mine.supersede(u.id, "mine now"),
            lambda u=unit: mine.forget([u.id]),
            lambda u=unit: mine.links(u.id),
            lambda u=unit, s=some: mine.link(s, u.id),
            lambda u=unit, s=some: mine.link(u.id, s),
            lambda u=unit: mine.explain("who?", u.id),
            lambda u=unit: mine.retain("caused", causes=[u.id]),
        ):
            with pytest.raises(NotFound):
                call()
        assert mine.list(UnitFilter(ids=(unit.id,))).units == ()


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    told=st.lists(tellings, min_size=1, max_size=6),
    changes=st.lists(st.tuples(st.sampled_from(sorted(CHANGES)), st.integers(0, 20)), max_size=8),
    stored=st.booleans(),
)
def test_what_happens_to_one_bank_is_invisible_in_the_other(
    told: list[Unit], changes: list[tuple[str, int]], stored: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = folder if stored else ":memory:"
        with Memory.open(place, encoder="hash", reranker=None, clock=FixedClock()) as memory:
            changed, quiet = memory.bank("changed"), memory.bank("quiet")
            changed.retain(told)
            quiet.retain(told)
            before = view(quiet)
            for name, position in changes:
                try:
                    CHANGES[name](changed, position)
                except (ScrubjayError, ZeroDivisionError):
                    continue  # the bank may be empty by now, or the unit the same
            assert view(quiet) == before
            check_strange(changed, quiet)
            check_strange(quiet, changed)
            assert view(quiet) == before
            for bank in (changed, quiet):
                # A repair notes the vocabulary, and so small a one changes fast.
                assert [f for f in bank.doctor() if f.check != "vocabulary"] == []
            memory.delete_bank("changed")
            assert view(quiet) == before
