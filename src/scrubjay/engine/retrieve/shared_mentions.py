"""Links between units that name the same things, as far as anything is followed."""

from __future__ import annotations

import numpy as np

from scrubjay.engine.retrieve.query import Query
from scrubjay.store.shared.ranked_rows import distinct
from scrubjay.types.arrays import RowArray

# Two units that name the same thing are somewhat alike.
ENTITY_LINK_WEIGHT = 0.5

Edge = tuple[int, int, float]  # from a row, to a row, and its weight


def entity_edges(query: Query, rows: RowArray) -> list[Edge]:
    """From each row to those that mention what it mentions, weighed by how much they share."""
    mentioned = query.bank.entities_of(rows)
    entities = distinct(mentioned.entities).tolist()
    limit = query.bank.settings.links_per_entity_max
    others = query.bank.mentions_of(entities, limit=limit)
    by_entity: dict[int, list[int]] = {}
    for entity, row in zip(others.entities.tolist(), others.rows.tolist(), strict=True):
        by_entity.setdefault(entity, []).append(row)
    shared: dict[tuple[int, int], int] = {}
    for entity, source in zip(mentioned.entities.tolist(), mentioned.rows.tolist(), strict=True):
        for target in by_entity.get(entity, ()):
            if target != source:
                shared[source, target] = shared.get((source, target), 0) + 1
    return [
        (source, target, ENTITY_LINK_WEIGHT * float(np.tanh(0.5 * count)))
        for (source, target), count in shared.items()
    ]
