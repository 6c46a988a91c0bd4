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
    LINK,
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

# By a kind's code, that of the same edge as its other end sees it; an involution.
_FAR_KIND = np.array([seen_from_target(code) & ~INCOMING for code in range(INCOMING)], np.uint8)


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


class EdgeCheck:
    """Whether every edge leads to a unit that is there, and stands at both of its ends.

    Each end is hashed as the same edge; sums that agree need no second look.
    """

    def __init__(self, live: npt.NDArray[np.int64]) -> None:
        self._live = np.zeros(int(live.max(initial=0)) + 2, np.bool_)
        self._live[live] = True
        self._sum = np.zeros(1, np.uint64)
        self._seen: list[tuple[_Hashes, npt.NDArray[np.bool_], npt.NDArray[np.int64]]] = []
        self.strays: dict[int, list[int]] = {}  # by row, the rows that are gone

    def read(self, portion: Sequence[tuple[int, bytes]]) -> None:
        """Look at some units' edges for the first time."""
        sources, edges = _edges_of(portion)
        # No row is the last place, so it stands for all beyond.
        there = self._live[np.clip(edges["row"], 0, len(self._live) - 1)]
        for row, target in zip(
            sources[~there].tolist(), edges["row"][~there].tolist(), strict=True
        ):
            self.strays.setdefault(row, []).append(target)
        hashes, incoming = _hashed(sources[there], edges[there])
        self._sum += hashes[~incoming].sum(dtype=np.uint64)
        self._sum -= hashes[incoming].sum(dtype=np.uint64)

    @property
    def uneven(self) -> bool:
        """Whether some edge stands at one end only."""
        return bool(self._sum[0])

    def compare(self, portion: Sequence[tuple[int, bytes]]) -> None:
        """Look at some units' edges again, to say which."""
        sources, edges = _edges_of(portion)
        self._seen.append((*_hashed(sources, edges), sources))

    def one_sided(self) -> set[int]:
        """The rows that hold edges which the other end does not, of those compared."""
        if not self._seen:
            return set()
        hashes, incoming, sources = (np.concatenate(each) for each in zip(*self._seen, strict=True))
        _, places = np.unique(hashes, return_inverse=True)
        balance = np.bincount(places, np.where(incoming, -1, 1))
        return set(sources[balance[places] != 0].tolist())


_Hashes = npt.NDArray[np.uint64]


def _edges_of(portion: Sequence[tuple[int, bytes]]) -> tuple[npt.NDArray[np.int64], _Edges]:
    blobs = [blob[: len(blob) // LINK.itemsize * LINK.itemsize] for _, blob in portion]
    counts = [len(blob) // LINK.itemsize for blob in blobs]
    return np.repeat(np.array([row for row, _ in portion], np.int64), counts), unpack_links(
        b"".join(blobs)
    )


def _hashed(sources: npt.NDArray[np.int64], edges: _Edges) -> tuple[_Hashes, npt.NDArray[np.bool_]]:
    """A hash that both ends of an edge share, and whether this is the end it leads to."""
    incoming = (edges["kind"] & INCOMING) != 0
    kind = edges["kind"] & ~np.uint8(INCOMING)
    kind = np.where(incoming, _FAR_KIND[kind], kind).astype(np.uint64)
    others = edges["row"].astype(np.int64)
    start = np.where(incoming, others, sources).astype(np.uint64)
    end = np.where(incoming, sources, others).astype(np.uint64)
    mixed = (start << np.uint64(32) | end) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= (kind + np.uint64(1)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(31)
    return mixed * np.uint64(0x94D049BB133111EB), incoming


def mend_edges(connection: sqlite3.Connection, rows: Sequence[int]) -> None:
    """Let the edges of some units stand at both ends, or, to units that are gone, at none."""
    ours = _unpacked(connection, rows)
    others = {other for edges in ours.values() for other, _, _ in edges}
    found = connection.execute(SQL["ids_of_rows"], (json_list(others),))
    live = {row for row, _ in found}
    ours = {row: [edge for edge in edges if edge[0] in live] for row, edges in ours.items()}
    held = _unpacked(connection, live) | ours
    for row, edges in ours.items():
        for other, code, weight in edges:
            far = int(_FAR_KIND[code & ~INCOMING]) | (~code & INCOMING)
            far_edges = held.setdefault(other, [])
            if not any((back, kind) == (row, far) for back, kind, _ in far_edges):
                far_edges.append((row, far, weight))
    connection.executemany(
        SQL["put_links"], [(row, pack_links(edges)) for row, edges in held.items()]
    )


def _unpacked(connection: sqlite3.Connection, rows: Iterable[int]) -> dict[int, list[Edge]]:
    stored = _blobs(connection, rows)
    return {row: _edges_of([(row, blob)])[1].tolist() for row, blob in stored.items()}
