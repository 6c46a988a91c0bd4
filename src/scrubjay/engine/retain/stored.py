"""Stored units that are to change: read back, told anew, or taken over from by another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from datetime import datetime

import numpy as np

from scrubjay.engine.retain.checking import ID, check_id, check_order
from scrubjay.engine.retain.choosing import chosen_by
from scrubjay.engine.retain.inputs import listed
from scrubjay.errors import BadInput, NotFound
from scrubjay.limits import LINEAGE_UNITS_MAX
from scrubjay.store.base import BankStore
from scrubjay.types.filters import UnitFilter
from scrubjay.types.units import StoredUnit, Unit
from scrubjay.types.values import UnitId


def read(bank: BankStore, unit: str) -> StoredUnit:
    """One unit by its id; NotFound if the bank has none."""
    rows = bank.rows_of([check_id(unit)])
    if unit not in rows:
        if bank.find_pending(ids=[unit]):
            raise NotFound("pending unit", unit, "It waits to be approved; approve it first.")
        raise NotFound("no such unit in this bank", unit, "List the bank's units for their ids.")
    found = bank.hydrate(np.array([rows[unit]], np.int64))
    # An update by another thread may have moved it in between.
    return found[0] if found else read(bank, unit)


def refuse_pending(bank: BankStore, units: Sequence[UnitId]) -> None:
    """NotFound that says so for a unit that waits to be approved."""
    rows = bank.rows_of(units)
    missing = [unit for unit in units if unit not in rows]
    for unit in missing:
        if bank.find_pending(ids=[unit]):
            raise NotFound("pending unit", unit, "It waits to be approved; approve it first.")


def chosen_units(bank: BankStore, what: str | Iterable[str] | UnitFilter) -> Sequence[UnitId]:
    """The units that ids or a filter stand for; BadInput for a filter that lets all through."""
    if isinstance(what, UnitFilter):
        if what == UnitFilter():
            raise BadInput("empty filter", what, "To erase all, use delete_bank(name).")
        wanted, among = chosen_by(bank, what)
        if wanted.text is not None and among is None:
            # A listing shows all until a word is typed; to erase, that is no choice.
            raise BadInput("text without a word", wanted.text, "Give at least one word.")
        return bank.matching(wanted, among=among)
    given = [what] if isinstance(what, str) else listed(what, "units")
    return list(dict.fromkeys(map(check_id, given)))


def as_told(stored: StoredUnit, text: str | None) -> Unit:
    """A stored unit as if it were told again, with another text if given."""
    shared = {field.name for field in fields(Unit)} & {field.name for field in fields(StoredUnit)}
    unit = Unit(**{name: getattr(stored, name) for name in shared})
    if text is None or (isinstance(text, str) and text == stored.text):
        return unit
    # Another text speaks of its own time and people.
    return replace(unit, text=text, entities=(), occurred_start=None, occurred_end=None)


def named_or_told(bank: BankStore, new: object) -> StoredUnit | Unit:
    """The unit that an id names, or the one that is told; NotFound for what looks like an id."""
    if isinstance(new, Unit):
        return new
    if not isinstance(new, str):
        raise BadInput("new", new, "Give a unit's id, text, or a Unit.")
    if _is_token(new):
        if new in bank.rows_of([new]):
            return read(bank, new)
        refuse_pending(bank, [UnitId(new)])
        raise NotFound(
            "no such unit in this bank",
            new,
            "List the bank's units for their ids. To tell a memory of one word, pass "
            "Unit(text=...), or retain it first and give its id.",
        )
    return Unit(new)


def _is_token(text: str) -> bool:
    # An id is one word of ASCII; a memory is a sentence, which some scripts write without spaces.
    return ID.fullmatch(text) is not None or (text.isascii() and len(text.split()) == 1)


def check_successor(bank: BankStore, old: StoredUnit, new: StoredUnit | None) -> None:
    """Refuse what would leave two truths, or units that replace each other in a circle."""
    if new is not None and new.id == old.id:
        raise BadInput("a unit cannot supersede itself", old.id, "Give another unit.")
    if old.superseded_by is not None:
        last = [*_successors(bank, old)][-1]
        raise BadInput("superseded already", old.id, f"Unit {last} stands now; supersede that one.")
    if new is not None and old.id in _successors(bank, new):
        raise BadInput("units would supersede each other", new.id, f"{old.id} replaced it.")


def lineage_of(bank: BankStore, unit: str) -> list[StoredUnit]:
    """A unit among what it replaced, in turn, and what replaced it; oldest first."""
    chain = [read(bank, unit)]
    while chain[0].supersedes is not None and len(chain) < LINEAGE_UNITS_MAX:
        chain.insert(0, read(bank, chain[0].supersedes))
    while chain[-1].superseded_by is not None and len(chain) < LINEAGE_UNITS_MAX:
        chain.append(read(bank, chain[-1].superseded_by))
    return chain


def check_superseded(bank: BankStore, unit: str) -> StoredUnit:
    """A unit that another replaced; BadInput if none did, and NotFound for what is erased."""
    try:
        stored = read(bank, unit)
    except NotFound:
        raise NotFound(
            "no such unit in this bank",
            unit,
            "Only a supersession can be undone; what was forgotten is erased for good.",
        ) from None
    if stored.superseded_by is None:
        remedy = "Nothing replaced it; give the older unit of a supersession."
        raise BadInput("not superseded", stored.id, remedy)
    return stored


def _successors(bank: BankStore, unit: StoredUnit) -> Iterator[UnitId]:
    """What replaced a unit, what replaced that, and so on."""
    while unit.superseded_by is not None:
        yield unit.superseded_by
        unit = read(bank, unit.superseded_by)


def is_told_again(old: StoredUnit, new: StoredUnit, at: datetime | None) -> bool:
    """Whether this very succession is stored; BadInput if it is, at another moment."""
    if old.superseded_by != new.id:
        return False
    if at is not None and at != old.valid_to:
        raise BadInput(
            "superseded already, at another time",
            old.id,
            f"It ended at {old.valid_to}; update it with valid_to=... to change that.",
        )
    return True


def moment_of(
    old: StoredUnit, valid: tuple[datetime | None, datetime | None], told_at: datetime,
    at: datetime | None,
) -> datetime:  # fmt: skip
    """When the old unit ends and the new one, of which `valid` and `told_at` are known, begins."""
    begun, ended = valid
    # However early the new one is said to begin, the old was not true before its own time.
    begins = begun or told_at
    moment = at or max(begins, old.valid_from or begins)
    if old.valid_from is not None:
        check_order(old.valid_from, moment)
    if begun is None and ended is not None:
        check_order(moment, ended)
    return moment
