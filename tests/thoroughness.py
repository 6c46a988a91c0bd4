"""How much a test tries: enough for every day, or, for `make soak`, all there is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TypeVar

_T = TypeVar("_T")

THOROUGH = bool(os.environ.get("SCRUBJAY_SOAK"))
# Of many cases of one kind every so many is tried.
_EVERY = 6


def tries(*, usual: int, soak: int) -> int:
    """How many times, or for how long."""
    return soak if THOROUGH else usual


def some_of(cases: Mapping[str, _T]) -> dict[str, _T]:
    """Every sixth case, which are others of each kind, or all."""
    return dict(list(cases.items())[:: 1 if THOROUGH else _EVERY])
