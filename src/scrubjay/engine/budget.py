"""Cuts the ranked list to the caller's tokens and count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budgeted:
    """Positions that fit, in order; and why each of the others does not."""

    kept: tuple[int, ...]
    over_tokens: tuple[int, ...]
    over_limit: tuple[int, ...]
    tokens: int


def fit(tokens: Sequence[int], *, tokens_max: int, limit: int) -> Budgeted:
    """Best-first while the running count fits; a unit too large is passed over, not the end."""
    kept: list[int] = []
    over_tokens: list[int] = []
    used = seen = 0
    for position, size in enumerate(tokens):
        if len(kept) >= limit:
            break
        seen = position + 1
        if used + size > tokens_max:
            over_tokens.append(position)
        else:
            kept.append(position)
            used += size
    return Budgeted(tuple(kept), tuple(over_tokens), tuple(range(seen, len(tokens))), used)
