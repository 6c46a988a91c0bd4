"""Joins each draft that says anew what an earlier unit says, or another value of it, to that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np

from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.linking import Rows, kept_apart
from scrubjay.language.contrast import are_two_things
from scrubjay.language.restating import may_be_restated, restated
from scrubjay.store.base import BankStore, NewLink
from scrubjay.types.graph import LinkKind

# Of the units that a draft resembles so many are compared with it, the most like first.
_COMPARED_MAX = 3
# It may be told of two things of one kind: possible, which orders two units and is no conflict.
_POSSIBLE = 0.65


class _Said(NamedTuple):
    """What is compared of a unit, stored or earlier in the batch."""

    text: str
    speaker: str | None
    told_at: datetime
    happened: datetime | None


def restatements(
    bank: BankStore, drafts: Sequence[Draft], near: Sequence[Sequence[NewLink]], rows: Rows
) -> list[list[NewLink]]:
    """For each draft a link to the latest unit like it of which it may take the place.

    `near` are the units that each resembles, the most like first.
    """
    links: list[list[NewLink]] = [[] for _ in drafts]
    floor = bank.settings.update_floor
    compared = {
        place: [link.row for link in like[:_COMPARED_MAX]]
        for place, (draft, like) in enumerate(zip(drafts, near, strict=True))
        if like and floor < 1 and not draft.as_stored and may_be_restated(draft.unit.text)
    }
    if not compared:
        return links
    said = _said(bank, drafts, {row for like in compared.values() for row in like}, rows)
    for place, like in compared.items():
        apart, new = kept_apart(bank, rows, rows.first + place), _said_by(drafts[place])
        # The latest of them: that one took the place of the others.
        for row in sorted(like, reverse=True):
            old = said.get(row)
            if old is None or row in apart or not _may_follow(new, old):
                continue
            if restated(new.text, old.text) is not None and not are_two_things(new.text, old.text):
                links[place] = [NewLink(row, LinkKind.UPDATES, _POSSIBLE * floor)]
                break
    return links


def _may_follow(new: _Said, old: _Said) -> bool:
    if old.speaker != new.speaker or old.told_at >= new.told_at:
        return False
    if new.happened is None or old.happened is None:
        return True
    # What happened at two times happened twice; what is still to come was put off.
    return new.happened == old.happened or new.happened > new.told_at


def _said_by(draft: Draft) -> _Said:
    """What a draft says, who and when."""
    assert draft.told_at is not None, "the dating stage sets it"
    happened = None if draft.occurred is None else draft.occurred.start
    return _Said(draft.unit.text, draft.unit.speaker, draft.told_at, happened)


def _said(
    bank: BankStore, drafts: Sequence[Draft], wanted: set[int], rows: Rows
) -> Mapping[int, _Said]:
    stored = sorted(row for row in wanted if row < rows.first and not rows.leaving(row))
    units = bank.hydrate_rows(np.array(stored, np.int64)) if stored else {}
    kept = {
        row: _Said(unit.text, unit.speaker, unit.told_at, unit.occurred_start)
        for row, unit in units.items()
        if unit.superseded_by is None
    }
    return kept | {row: _said_by(drafts[row - rows.first]) for row in wanted if row >= rows.first}
