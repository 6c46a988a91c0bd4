"""Finds out which drafts the bank already holds, and which change a unit it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.engine.retain.drafts import Draft, piece_key
from scrubjay.engine.retain.identity import earlier_identity_of
from scrubjay.errors import BadInput
from scrubjay.store.base import BankStore
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import UnitId

_PIECES_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Duplicates:
    """For each draft, in order: the unit it repeats, the unit it updates, or neither.

    `repeats_draft` points at an earlier draft of the same call that says the same.
    """

    duplicate_of: tuple[UnitId | None, ...]
    updates: tuple[UnitId | None, ...]
    repeats_draft: tuple[int | None, ...]

    def fresh(self) -> list[int]:
        """The positions of drafts that must be written."""
        return [
            position
            for position, (known, repeated) in enumerate(
                zip(self.duplicate_of, self.repeats_draft, strict=True)
            )
            if known is None and repeated is None
        ]

    def any_known(self) -> bool:
        """Whether the bank has one of the drafts, or what one of them updates."""
        return any(self.duplicate_of) or any(self.updates)


def find_duplicates(bank: BankStore, drafts: Sequence[Draft]) -> Duplicates:
    """Compare drafts with the bank and with each other; the last of several same keys wins."""
    keys = [draft.unit.key for draft in drafts if draft.unit.key is not None]
    earlier = [earlier_identity_of(draft.unit, draft.source) for draft in drafts]
    stored = [draft.identity for draft in drafts]
    known = bank.known([*stored, *(old for old in earlier if old is not None)], keys)
    by_identity: dict[int | None, UnitId] = {unit.identity: unit.id for unit in known}
    # Units of an export bring their ids along; one that is here already is the same unit.
    given = [draft.unit.id for draft in drafts if draft.unit.id is not None]
    by_id = bank.rows_of(given) if given else {}
    by_key = {unit.key: unit for unit in known if unit.key is not None}
    last_of_key = {draft.unit.key: n for n, draft in enumerate(drafts)}
    seen: dict[int | str, int] = {}
    duplicate_of: list[UnitId | None] = []
    updates: list[UnitId | None] = []
    repeats: list[int | None] = []
    for position, draft in enumerate(drafts):
        key = draft.unit.key
        same = by_identity.get(draft.identity, by_identity.get(earlier[position]))
        if draft.unit.id is not None and draft.unit.id in by_id:
            same = UnitId(draft.unit.id)
        keyed = by_key.get(key) if key is not None else None
        winner = last_of_key[key] if key is not None else seen.setdefault(draft.identity, position)
        if draft.unit.id is not None and winner == position:
            winner = seen.setdefault(draft.unit.id, position)
            if drafts[winner].identity != draft.identity:
                raise BadInput("one id for two units", draft.unit.id, "Give each its own, or none.")
        duplicate_of.append(same if winner == position else None)
        repeats.append(winner if winner != position else None)
        updates.append(keyed.id if keyed is not None else None)
    return Duplicates(tuple(duplicate_of), tuple(updates), tuple(repeats))


def leftovers(bank: BankStore, drafts: Sequence[Draft], found: Duplicates) -> list[UnitId]:
    """Pieces of a longer text told before under a draft's key, which no draft replaces."""
    told = {draft.unit.key for draft in drafts}
    updated = [key for n in found.fresh() if found.updates[n] and (key := drafts[n].unit.key)]
    probes = {piece_key(key, 1): key for key in updated}
    cut = [probes[unit.key] for unit in bank.known([], list(probes)) if unit.key] if probes else []
    return [
        piece.id for key in cut for piece in _pieces(bank, key) if piece.key not in told
    ]  # fmt: skip


def _pieces(bank: BankStore, key: str) -> Iterator[StoredUnit]:
    (first,) = _keyed(bank, [key]) or (None,)
    number = 1
    while first is not None and first.source is not None:
        found = _keyed(bank, [piece_key(key, number + n) for n in range(_PIECES_AT_ONCE)])
        if not found:
            return
        # A caller may have numbered keys of his own in the same way.
        same = first.source.document
        yield from (unit for unit in found if unit.source and unit.source.document == same)
        number += _PIECES_AT_ONCE


def _keyed(bank: BankStore, keys: Sequence[str]) -> list[StoredUnit]:
    return bank.hydrate(np.array([unit.row for unit in bank.known([], keys)], np.int64))
