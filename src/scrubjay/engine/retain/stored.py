"""Reads stored units back, to be changed."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from scrubjay.errors import BadInput, NotFound
from scrubjay.store.base import BankStore
from scrubjay.types import StoredUnit, Unit


def read(bank: BankStore, unit: str) -> StoredUnit:
    """One unit by its id; NotFound if the bank has none."""
    rows = bank.rows_of([unit])
    if unit not in rows:
        raise NotFound("no such unit in this bank", unit, "List the bank's units for their ids.")
    found = bank.hydrate(np.array([rows[unit]], np.int64))
    # An update by another thread may have moved it in between.
    return found[0] if found else read(bank, unit)


def as_told(stored: StoredUnit, text: str | None) -> Unit:
    """A stored unit as if it were told again, with another text if given."""
    shared = {field.name for field in fields(Unit)} & {field.name for field in fields(StoredUnit)}
    unit = Unit(**{name: getattr(stored, name) for name in shared})
    if text is None or text == stored.text:
        return unit
    # Another text speaks of its own time and people.
    return replace(unit, text=text, entities=(), occurred_start=None, occurred_end=None)


def check_lineage(bank: BankStore, old: StoredUnit, new: StoredUnit) -> None:
    """What replaced a unit, step by step, must not come back to it."""
    later = new
    while later.superseded_by is not None:
        if later.superseded_by == old.id:
            raise BadInput("units would supersede each other", new.id, f"{old.id} replaced it.")
        later = read(bank, later.superseded_by)
