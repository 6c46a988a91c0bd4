"""A unit that waits to be approved as its row keeps it, and back."""

from __future__ import annotations

import json

from scrubjay.codec.compiled import decode, encode_object
from scrubjay.store.records import PendingUnit
from scrubjay.store.shared.times import from_micros, to_micros
from scrubjay.types.units import Unit
from scrubjay.types.values import UnitId

PendingRow = tuple[str, int, int, str]


def pending_row(waiting: PendingUnit) -> PendingRow:
    """Its id, identity, time, and what was told as JSON."""
    told = json.dumps(encode_object(waiting.unit), ensure_ascii=False)
    return waiting.id, waiting.identity, to_micros(waiting.created_at), told


def pending_unit(row: PendingRow) -> PendingUnit:
    """The same from its row."""
    number, identity, created_at, told = row
    said = {name: value for name, value in json.loads(told).items() if value is not None}
    unit = decode(Unit, said, "unit", strict=False)
    return PendingUnit(UnitId(number), identity, from_micros(created_at), unit)
