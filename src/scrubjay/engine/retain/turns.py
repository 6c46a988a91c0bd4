"""Joins a turn to the one before it, where its words say that one is the cause of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.linking import Rows
from scrubjay.language.turn_causes import cause_across_turns
from scrubjay.store.base import BankReader, NewLink
from scrubjay.types.graph import LinkKind
from scrubjay.types.units import StoredUnit, Unit


def turn_causes(
    bank: BankReader, drafts: Sequence[Draft], rows: Rows, place: int
) -> list[list[NewLink]]:
    """Causal links to the turn before, of drafts that are told right behind the row before `place`.

    A turn takes up what was said before it ("that's why ..."), or answers why.
    """
    links: list[list[NewLink]] = [[] for _ in drafts]
    turns = _Turns(bank, place, rows.first, drafts)
    for n, draft in enumerate(drafts):
        if draft.unit.session is None or draft.as_stored:
            continue
        link = _link_to_turn(draft.unit, turns, n)
        if link is not None and not rows.leaving(link.row):
            links[n].append(link)
    return links


@dataclass(frozen=True, slots=True)
class _Turns:
    """What was told before each draft: other drafts, or rows of the bank, read when asked for."""

    bank: BankReader
    place: int
    first: int
    drafts: Sequence[Draft]

    def before(self, n: int, session: str) -> tuple[int, Unit | StoredUnit] | None:
        """The unit right before the nth draft, if it is of the session; -1 is before the first."""
        if n > 0:
            found: Unit | StoredUnit | None = self.drafts[n - 1].unit
            row = self.first + n - 1
        else:
            row = self.place + n - 1
            found = self.bank.hydrate_rows(np.array([row], np.int64)).get(row) if row >= 0 else None
        return None if found is None or found.session != session else (row, found)


def _link_to_turn(unit: Unit, turns: _Turns, n: int) -> NewLink | None:
    assert unit.session is not None
    session, told = unit.session, turns.before(n, unit.session)
    if told is None:
        return None
    row, before = told

    def asked() -> bool:
        # Who spoke before the question, or is spoken to first.
        earlier = turns.before(n - 1, session)
        return earlier is None or earlier[1].speaker == unit.speaker

    own = unit.speaker == before.speaker
    claim = cause_across_turns(unit.text, before.text, own=own, asked=asked)
    if claim is None:
        return None
    return NewLink(row, LinkKind.CAUSES, claim.confidence, leads_here=claim.before_is_cause)
