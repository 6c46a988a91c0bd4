"""Searches type by type, so that a small type's best are fetched beside a large one's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from scrubjay.engine.retrieve.query import Query, Retrieved, one_row
from scrubjay.store.base import Hits, Scope
from scrubjay.types.arrays import ScoreArray


def searched(query: Query, search: Callable[[Scope], Hits], *, per_type: bool) -> Hits:
    """One search of the query's scope, or one of each of its types, merged by score."""
    if not per_type:
        return search(query.scope)
    names = query.bank.settings.types if query.scope.types is None else query.scope.types
    parts = [search(replace(query.scope, types=(name,))) for name in names]
    rows = np.concatenate([np.empty(0, np.int64), *(part.rows for part in parts)])
    scores = np.concatenate([np.empty(0, np.float32), *(part.scores for part in parts)])
    order = np.lexsort((rows, -scores))
    return Hits(rows[order], scores[order], max((part.ceiling for part in parts), default=1.0))


def peers(query: Query, found: Retrieved, row: int, *, per_type: bool) -> ScoreArray:
    """The scores of what was returned, of the unit's type alone where each has its own search."""
    if not per_type or not len(found.rows):
        return found.scores
    types = query.bank.columns(found.rows).types
    scores: ScoreArray = found.scores[types == query.bank.columns(one_row(row)).types[0]]
    return scores
