"""A value that is made quickly is the value that its class makes."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, fields
from typing import Any

import pytest

from scrubjay.answers import Evidence, Item, Why
from scrubjay.codec.making import maker
from scrubjay.types.units import StoredUnit


@pytest.mark.parametrize("kind", [Item, StoredUnit, Why, Evidence])
def test_a_value_made_quickly_is_one_as_its_class_makes_it(kind: type[Any]) -> None:
    values = [f"value of {each.name}" for each in fields(kind)]
    made = maker(kind)(*values)
    assert made == kind(*values)
    assert type(made) is kind
    assert pickle.loads(pickle.dumps(made)) == copy.copy(made) == made


def test_a_value_made_quickly_stays_frozen_and_wants_all_its_values() -> None:
    @dataclass(frozen=True, slots=True)
    class Point:
        x: int
        y: int = 0

    make = maker(Point)
    with pytest.raises(FrozenInstanceError):
        make(1, 2).x = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del make(1, 2).y
    for wrong in ((1,), (1, 2, 3)):
        with pytest.raises(TypeError):
            make(*wrong)
