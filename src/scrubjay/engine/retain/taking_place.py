"""Joins each draft to the units like it whose place it takes, as the encoder reads the two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from scrubjay.encoder.changing import ChangeReader, Pair
from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.embedding import embedded_text
from scrubjay.engine.retain.linking import Rows, kept_apart
from scrubjay.engine.shared.possible_changes import BY_RULE, READ
from scrubjay.engine.shared.roles import is_agent
from scrubjay.language.questions import only_asks
from scrubjay.store.base import BankReader, BankStore, NewLink
from scrubjay.types.graph import LinkKind

# Of the units that a draft is most like so many are read with it: of the pairs that matter four
# reach three of five there, and a third would cost half as much again.
READ_MAX = 2
# The calibrated similarity from which two are read: half of all pairs of neighbours lie below, and
# one in seven of those that matter.
READ_FLOOR = 0.55
# From here on a link is made. It only orders two that a question found nearly alike, so that to
# miss a change costs more than to see one where there is none.
LIKELY = 0.375
# And from here on it weighs as much as what a rule takes for possible.
SURELY = 0.8
_DIGITS = re.compile(r"\d+")


class Read(NamedTuple):
    """A draft beside an earlier unit, and the texts of the two, the older first."""

    place: int  # of the draft
    row: int  # of the earlier unit
    texts: Pair


def pairs_to_read(
    bank: BankStore, drafts: Sequence[Draft], like: Sequence[Sequence[NewLink]], rows: Rows
) -> list[Read]:
    """Each draft that may tell of a change, with units that it is `like`, the most like first."""
    asked = {
        place: [link.row for link in links]
        for place, (draft, links) in enumerate(zip(drafts, like, strict=True))
        if links and may_tell(draft)
    }
    return [each for each in _pairs(bank, drafts, asked, rows) if _differ_in_words(each.texts)]


def read_pairs(
    pairs: Sequence[Read], reader: ChangeReader, known: Mapping[Pair, float]
) -> dict[Pair, float]:
    """How likely the newer of each two takes the place of the older; what is `known` is not read.

    All are read at once, so that a reader has work for every core it may use.
    """
    missing = [texts for texts in dict.fromkeys(each.texts for each in pairs) if texts not in known]
    if not missing:
        return dict(known)
    found = reader.read_changes(missing).tolist()
    return dict(known) | dict(zip(missing, found, strict=True))


def takings(
    bank: BankReader, drafts: Sequence[Draft], pairs: Sequence[Read], likely: Mapping[Pair, float]
) -> list[list[NewLink]]:
    """For each draft, a possible link to each unit whose place it likely takes."""
    links: list[list[NewLink]] = [[] for _ in drafts]
    floor = bank.settings.update_floor
    for place, row, texts in pairs:
        if likely[texts] >= LIKELY:
            share = float(np.interp(likely[texts], (LIKELY, SURELY), (READ, BY_RULE)))
            links[place].append(NewLink(row, LinkKind.UPDATES, share * floor))
    return links


def may_tell(draft: Draft) -> bool:
    """Whether a draft is told anew by somebody, and is more than a question."""
    return not (draft.as_stored or is_agent(draft.unit.speaker) or only_asks(draft.unit.text))


def _differ_in_words(texts: Pair) -> bool:
    """Whether more than numbers differ; else the rules know more than a reader.

    It takes the record of each week for a change of that of the week before.
    """
    older, newer = (_DIGITS.sub("", text) for text in texts)
    return older != newer


def _pairs(
    bank: BankStore, drafts: Sequence[Draft], asked: Mapping[int, Sequence[int]], rows: Rows
) -> Iterator[Read]:
    stored = sorted({row for like in asked.values() for row in like if row < rows.first})
    units = bank.hydrate_rows(np.array(stored, np.int64)) if stored else {}
    for place, like in asked.items():
        apart, told_at = kept_apart(bank, rows, rows.first + place), drafts[place].told_at
        assert told_at is not None, "the dating stage sets it"
        newer = embedded_text(drafts[place].unit)
        for row in like:
            if row in apart or rows.leaving(row):
                continue
            if row >= rows.first:
                before = drafts[row - rows.first]
                assert before.told_at is not None, "the dating stage sets it"
                if before.told_at <= told_at:
                    yield Read(place, row, (embedded_text(before.unit), newer))
                continue
            unit = units.get(row)
            if unit is not None and unit.superseded_by is None and unit.told_at <= told_at:
                yield Read(place, row, (embedded_text(unit), newer))
