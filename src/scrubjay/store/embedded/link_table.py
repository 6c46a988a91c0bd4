"""The edges between units; each stands in the blobs of both of its ends."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from scrubjay.limits import INCOMING_LINKS_MAX
from scrubjay.store.base import LINK_KINDS
from scrubjay.store.embedded.entity_table import json_list
from scrubjay.store.embedded.packing import (
    INCOMING,
    KIND_CODES,
    pack_links,
    seen_from_target,
    unpack_links,
)
from scrubjay.store.statements import statements
from scrubjay.types import LinkKind

SQL = statements("scrubjay.store.embedded", "queries.sql")
SEMANTIC = KIND_CODES[LinkKind.SEMANTIC]

# The other row, the kind's code, the weight.
Edge = tuple[int, int, float]
_Edges = npt.NDArray[np.void]


def both_ends(row: int, other: int, kind: LinkKind, weight: float) -> dict[int, list[Edge]]:
    """One edge as its two ends keep it."""
    code = KIND_CODES[kind]
    return {row: [(other, code, weight)], other: [(row, seen_from_target(code), weight)]}


def put_edges(connection: sqlite3.Connection, edges: Mapping[int, Sequence[Edge]]) -> None:
    """Add edges by row, inside the caller's transaction.

    A causal edge replaces the one of its kind between the same units. Of the semantic edges that
    others made to a unit the newest INCOMING_LINKS_MAX stay.
    """
    stored = _blobs(connection, edges)
    changed = {row: _joined(stored.get(row, b""), new) for row, new in edges.items()}
    let_go: dict[int, list[int]] = {}
    for row, held in changed.items():
        incoming = np.flatnonzero(held["kind"] == SEMANTIC | INCOMING)
        if len(incoming) > INCOMING_LINKS_MAX:
            oldest = incoming[:-INCOMING_LINKS_MAX]
            for source in held["row"][oldest].tolist():
                let_go.setdefault(source, []).append(row)
            changed[row] = np.delete(held, oldest)
    if let_go:
        changed |= _without(connection, let_go, changed)
    connection.executemany(
        SQL["put_links"], [(row, held.tobytes()) for row, held in changed.items()]
    )


def _without(
    connection: sqlite3.Connection, let_go: Mapping[int, list[int]], changed: Mapping[int, _Edges]
) -> dict[int, _Edges]:
    """The edges of units that popular ones have let go of, less those to them.

    An edge that stood at one end only would outlive the unit it leads to.
    """
    stored = _blobs(connection, let_go.keys() - changed.keys())
    kept: dict[int, _Edges] = {}
    for source, hubs in let_go.items():
        held = changed[source] if source in changed else unpack_links(stored[source])
        kept[source] = held[~(np.isin(held["row"], hubs) & (held["kind"] == SEMANTIC))]
    return kept


def blob_of(connection: sqlite3.Connection, row: int) -> bytes:
    """The packed edges of one unit."""
    return _blobs(connection, [row]).get(row, b"")


def directed(blob: bytes) -> list[tuple[int, LinkKind, float, bool]]:
    """The edges of one unit: the other row, the kind, the weight, and whether it leads here.

    What caused sees `causes` and what was caused sees `caused_by`, so those two always lead
    away; the other kinds have no inverse and are told apart by who made them.
    """
    found = []
    for other, code, weight in unpack_links(blob).tolist():
        kind = LINK_KINDS[code & ~INCOMING]
        lead_here = bool(code & INCOMING) and kind in (LinkKind.ENABLES, LinkKind.PREVENTS)
        found.append((other, kind, weight, lead_here))
    return found


def _blobs(connection: sqlite3.Connection, rows: Iterable[int]) -> dict[int, bytes]:
    return dict(connection.execute(SQL["links_of_rows"], (json_list(rows),)).fetchall())


def _joined(blob: bytes, new: Sequence[Edge]) -> _Edges:
    edges = unpack_links(blob + pack_links(new))
    if all(code & ~INCOMING == SEMANTIC for _, code, _ in new):
        return edges  # semantic edges are only made to a new unit, so none of them is there yet
    told = {(row, code & ~INCOMING): place for place, (row, code, _) in enumerate(edges.tolist())}
    return edges[sorted(told.values())]
