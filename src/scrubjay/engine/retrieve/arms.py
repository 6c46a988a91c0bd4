"""Searches type by type, so that a small type's best are fetched beside a large one's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from scrubjay.engine.retrieve.query import Query
from scrubjay.store.base import Hits, Scope


def searched(query: Query, search: Callable[[Scope], Hits], *, per_type: bool) -> Hits:
    """One search of the query's scope, or one of each of its types, merged by score."""
    if not per_type:
        return search(query.scope)
    names = query.bank.settings.types if query.scope.types is None else query.scope.types
    arms = [search(replace(query.scope, types=(name,))) for name in names]
    rows = np.concatenate([np.empty(0, np.int64), *(arm.rows for arm in arms)])
    scores = np.concatenate([np.empty(0, np.float32), *(arm.scores for arm in arms)])
    order = np.lexsort((rows, -scores))
    return Hits(rows[order], scores[order])
