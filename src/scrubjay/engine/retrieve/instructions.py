"""Finds the standing instructions nearest to what is asked to be done."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scrubjay.engine.retrieve.query import Query
from scrubjay.language.orders.requests import asks_to_do
from scrubjay.types.arrays import RowArray
from scrubjay.types.units import INSTRUCTION

# A bank has a few. What applies says so seldom in the words of the request, and no similarity tells
# what applies from what does not; of the nearest few one may.
_FOUND_MAX = 5


def instructions_for(query: Query) -> RowArray:
    """The rows of the instructions nearest to a request, nearest first; none for a question.

    Instructions are what carries the tag, which telling them gives.
    """
    if not (query.preset.instructions and asks_to_do(query.parsed.question)):
        return np.empty(0, np.int64)
    if not query.vector.ready():
        return np.empty(0, np.int64)
    scope = replace(query.scope, tags=(*query.scope.tags, INSTRUCTION))
    return query.bank.nearest(query.vector.get(), limit=_FOUND_MAX, floor=-1.0, scope=scope).rows
