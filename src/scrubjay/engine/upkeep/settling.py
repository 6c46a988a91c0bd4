"""Lists the pairs of units of which one may have changed the other, for the caller to decide."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from scrubjay.engine.retain.updating import reason_of
from scrubjay.store.base import LINK_KINDS, BankStore
from scrubjay.types.graph import LinkKind
from scrubjay.types.units import StoredUnit
from scrubjay.types.views import Conflict

_UPDATES = LINK_KINDS.index(LinkKind.UPDATES)
# Rows whose links are read at a time, the newest first.
_ROWS_AT_ONCE = 1_000


def open_conflicts(bank: BankStore, *, limit: int, offset: int) -> list[Conflict]:
    """Pairs that a rule found and nobody decided, by what was told last."""
    return list(islice(_conflicts(bank), offset, offset + limit))


def _conflicts(bank: BankStore) -> Iterator[Conflict]:
    for end in range(bank.row_limit(), 0, -_ROWS_AT_ONCE):
        edges = bank.neighbours(np.arange(max(0, end - _ROWS_AT_ONCE), end))
        sure = edges.weights >= bank.settings.update_floor
        found = np.flatnonzero((edges.kinds == _UPDATES) & sure)
        if not len(found):
            continue
        newest = found[np.argsort(-edges.sources[found], kind="stable")]
        rows = np.unique(np.concatenate([edges.sources[found], edges.targets[found]]))
        units = bank.hydrate_rows(rows)
        for place in newest.tolist():
            new = units.get(int(edges.sources[place]))
            old = units.get(int(edges.targets[place]))
            if new is not None and old is not None and not _is_decided(old, new):
                reason = reason_of(new.text, old.text, bank.settings.analysis)
                yield Conflict(old, new, float(edges.weights[place]), reason)


def _is_decided(old: StoredUnit, new: StoredUnit) -> bool:
    """Whether the older was superseded, or is known to have ended when the newer was told."""
    ended = old.valid_to is not None and old.valid_to <= new.told_at
    return ended or old.superseded_by is not None
