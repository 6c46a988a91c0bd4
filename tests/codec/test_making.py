"""A value that is made quickly is the value that its class makes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, fields

import pytest

from scrubjay.answers import Item
from scrubjay.codec.making import maker
from scrubjay.types import StoredUnit


@pytest.mark.parametrize("kind", [Item, StoredUnit])
def test_a_value_made_quickly_equals_one_made_by_its_class(
    kind: type[Item] | type[StoredUnit],
) -> None:
    values = [f"value of {each.name}" for each in fields(kind)]
    assert maker(kind)(values) == kind(*values)  # type: ignore[arg-type]


def test_a_value_made_quickly_stays_frozen_and_wants_all_its_values() -> None:
    @dataclass(frozen=True, slots=True)
    class Point:
        x: int
        y: int = 0

    make = maker(Point)
    with pytest.raises(FrozenInstanceError):
        make((1, 2)).x = 3  # type: ignore[misc]
    with pytest.raises(ValueError, match="shorter"):
        make((1,))
