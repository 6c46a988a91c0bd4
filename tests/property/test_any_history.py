"""After any history of changes a bank holds what it was told, and opens to the same answers."""

from __future__ import annotations

import contextlib
import tempfile
import unicodedata
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from scrubjay import BadInput, Bank, LinkKind, Memory
from scrubjay.testing import FixedClock

WORDS = [
    "heron",
    "mill",
    "pond",
    "Agnes",
    "Bertil",
    "Oslo",
    "grey",
    "because",
    "the",
    "saw",
    "fell",
]

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
steps = st.one_of(
    st.tuples(st.just("retain"), st.lists(texts, min_size=1, max_size=4)),
    st.tuples(st.just("upsert"), st.tuples(st.sampled_from("ab"), texts)),
    st.tuples(st.just("update"), st.tuples(st.integers(0, 9), texts)),
    st.tuples(st.just("tag"), st.tuples(st.integers(0, 9), st.sampled_from(["x", "y"]))),
    st.tuples(st.just("forget"), st.lists(st.integers(0, 9), min_size=1, max_size=3)),
    st.tuples(st.just("link"), st.tuples(st.integers(0, 9), st.integers(0, 9))),
    st.tuples(st.just("supersede"), st.tuples(st.integers(0, 9), st.integers(0, 9))),
    st.tuples(st.just("compact"), st.none()),
)


@dataclass
class Told:
    """What one unit should be."""

    text: str
    key: str | None = None
    tags: tuple[str, ...] = ()
    causes: set[str] = field(default_factory=set)
    superseded_by: str | None = None


@dataclass
class Model:
    """A bank in the plainest terms: what was told, by id."""

    bank: Bank
    units: dict[str, Told] = field(default_factory=dict)

    def pick(self, position: int) -> str | None:
        ids = sorted(self.units)
        return ids[position % len(ids)] if ids else None

    def retain(self, told: list[str]) -> None:
        kept = self.bank.retain(told)
        assert len(kept.ids) == len(told)
        for unit in kept.new:
            assert unit not in self.units
        for unit, text in zip(kept.ids, told, strict=True):
            self.units.setdefault(unit, Told(text))

    def upsert(self, told: tuple[str, str]) -> None:
        key, text = told
        kept = self.bank.retain(text, key=key)
        holder = [unit for unit, known in self.units.items() if known.key == key]
        assert holder in ([], [kept.id])
        known = self.units.get(kept.id, Told(text, key))
        if kept.updated:  # told anew, it holds again
            known = replace(known, tags=(), superseded_by=None)
        self.units[kept.id] = replace(known, text=text)

    def update(self, change: tuple[int, str]) -> None:
        if unit := self.pick(change[0]):
            self.bank.update(unit, text=change[1])
            self.units[unit].text = change[1]

    def tag(self, change: tuple[int, str]) -> None:
        if unit := self.pick(change[0]):
            self.bank.update(unit, tags=[change[1]])
            self.units[unit].tags = (change[1],)

    def forget(self, positions: list[int]) -> None:
        gone = {unit for n in positions if (unit := self.pick(n))}
        assert self.bank.forget(gone).units == len(gone)
        gone_units = {unit: self.units.pop(unit) for unit in gone}
        for known in self.units.values():
            known.causes -= gone
            while known.superseded_by in gone:
                known.superseded_by = gone_units[known.superseded_by].superseded_by

    def link(self, ends: tuple[int, int]) -> None:
        cause, effect = self.pick(ends[0]), self.pick(ends[1])
        if cause and effect and cause != effect:
            self.bank.link(cause, effect)
            self.units[cause].causes.add(effect)

    def supersede(self, ends: tuple[int, int]) -> None:
        old, new = self.pick(ends[0]), self.pick(ends[1])
        if old and new and old < new:  # one way only, so never in a circle
            if self.units[old].superseded_by not in (None, new):
                with pytest.raises(BadInput, match="superseded already"):
                    self.bank.supersede(old, new)
                return
            # What ended before it was told anew cannot take over at its telling.
            with contextlib.suppress(BadInput):
                self.bank.supersede(old, new)
                self.units[old].superseded_by = new

    def compact(self, _: None) -> None:
        self.bank.compact()

    def check(self) -> None:
        """The bank shows what the model says."""
        shown = {unit.id: unit for unit in self.bank.list(limit=1000).units}
        assert {i: (u.text, u.key, u.tags, u.superseded_by) for i, u in shown.items()} == {
            i: (t.text, t.key, t.tags, t.superseded_by) for i, t in self.units.items()
        }
        for unit, known in self.units.items():
            links = self.bank.links(unit)
            told = [link.target for link in links if link.kind is LinkKind.CAUSES]
            assert known.causes <= set(told)
            assert len(set(told)) == len(told)
            assert unit not in {link.target for link in links}
        assert self.bank.stats().units == self.bank.stats().vectors == len(self.units)
        assert self.bank.doctor() == []


def answers(bank: Bank) -> list[list[tuple[str, float]]]:
    return [
        [(item.id, round(item.score, 6)) for item in bank.recall(question, limit=30).items]
        for question in ("the grey heron", "Agnes fell", "Oslo", "mill pond saw")
    ]


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(history=st.lists(steps, max_size=14))
def test_a_bank_holds_what_it_was_told_and_reopens_to_the_same_answers(
    history: list[tuple[str, object]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        clock = FixedClock()
        with Memory.open(folder, encoder="hash", reranker=None, clock=clock) as memory:
            model = Model(memory.bank("b"))
            for name, value in history:
                getattr(model, name)(value)
            model.check()
            before = answers(model.bank)
        with Memory.open(folder, encoder="hash", reranker=None, clock=clock) as memory:
            model.bank = memory.bank("b")
            model.check()
            assert answers(model.bank) == before


# Letters and a symbol to Unicode, and drawn as nothing: fillers of Hangul, Braille's empty cell.
FILLERS = "\u115f\u1160\u2800\u3164\uffa0"


def shows_something(text: str) -> bool:
    """Whether it has a letter, a number, punctuation or a symbol; there is no word without one."""
    return any(unicodedata.category(c)[0] in "LNPS" and c not in FILLERS for c in text)


@settings(max_examples=30, deadline=None)
@given(text=st.text(min_size=1, max_size=300))
@example(text="\x1b")  # a control alone: nothing to read, to search or to ask for
@example(text="\x1b!")
def test_any_text_is_kept_word_for_word_or_refused(text: str) -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        try:
            kept = memory.retain(text, key="k", predicate=text, metadata={text: text})
        except BadInput:
            refused = not shows_something(text) or "\x00" in text
            assert refused or any(0xD800 <= ord(c) <= 0xDFFF for c in text)
            assert memory.stats().units == 0
            return
        unit = memory.get(kept.id)
        assert (unit.text, unit.predicate, dict(unit.metadata)) == (text, text, {text: text})
        assert memory.doctor() == []
