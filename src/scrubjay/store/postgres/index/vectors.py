"""Finds units by meaning: the server picks candidates, the client scores them as float32.

A bank with many vectors has a graph of them all (HNSW over half-precision numbers, approximate),
for questions of any type, and for each type with many its own, unless it is most of the bank and
is searched in that one; what has none is scanned. Whatever the server returns is scored again from
the stored vectors with the kernel of the embedded store, so that both stores give equal units
equal scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from scrubjay.store.base import Hits
from scrubjay.store.postgres.index.arms import Search
from scrubjay.store.postgres.index.graphs import WHOLE, Graphs
from scrubjay.store.postgres.index.selection import ScopeValues, is_narrow, limits
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.postgres.tables.vector_bytes import (
    HalfArray,
    float_bytes,
    half_bytes,
    halves_of,
)
from scrubjay.store.shared.kernels import best_first, kernel_for
from scrubjay.types.arrays import RowArray, ScoreArray, VectorArray

NOTHING = Hits(np.empty(0, np.int64), np.empty(0, np.float32))

# Rows a graph search looks at before it begins anew for more: 200 cost 5 ms, 208 already 8.
GRAPH_LOOKS_AT = 200
# Candidates asked for beyond the limit: the server's sums may differ from ours in the last bit.
_SPARE = 8
# Up to so many vectors are fetched once and compared here with all of a batch.
_FETCHED_MAX = 20_000
# With fewer vectors in a batch, asking for each costs less than fetching.
_FETCHED_FOR = 4

_IN_SCOPE = {
    "arm_scanned": "arm_scanned_in_scope",
    "arm_scanned_each": "arm_scanned_each_in_scope",
    "arm_graph": "arm_graph_in_scope",
}

_KERNEL = kernel_for(native=True)


class Asking(Protocol):
    """Runs a reading statement on the bank."""

    def __call__(self, statement: str, *values: object) -> list[tuple[int, bytes]]: ...


@dataclass(frozen=True, slots=True)
class VectorSearch:
    """The searches over one bank's vectors."""

    ask: Asking
    dimension: int
    graphs: Graphs
    types: int  # how many types the bank has

    def search(
        self, vector: VectorArray, limit: int, scope: ScopeValues, *, per_type: bool = False
    ) -> Search:
        """The search for the rows of a scope most similar to a unit vector; `limit` in all, or of
        each type.
        """
        wanted = self.wanted(scope)
        graphs = tuple(code for code in wanted if self.graphs.hold(code))
        if self.graphs.whole and scope[0] is None and not per_type:
            graphs, wanted = (WHOLE,), ()
        scanned = tuple(code for code in wanted if code not in graphs)
        scan, graph = ("arm_scanned_each" if per_type else "arm_scanned"), "arm_graph"
        if limits(scope, beside_types=True):
            scan, graph = _IN_SCOPE[scan], _IN_SCOPE[graph]
        narrow = bool(graphs) and is_narrow(scope)
        few = "arm_few_each" if per_type else "arm_few"
        return Search(
            (
                *([few] if narrow else []),
                *([scan] if scanned else []),
                *([graph] if graphs else []),
            ),
            scope=scope,
            narrow=narrow,
            vector=vector,
            scanned=scanned,
            graphs=graphs,
            scanned_max=limit + _SPARE,
            graph_max=_graph_max(limit),
        )

    def wanted(self, scope: ScopeValues) -> tuple[int, ...]:
        """The types a scope asks for."""
        return tuple(range(self.types)) if scope[0] is None else scope[0]

    def _cast(self, name: str) -> str:
        return SQL[name].replace("{dimension}", str(self.dimension))

    def _scored(
        self, found: Sequence[tuple[int, bytes]], vector: VectorArray, limit: int, floor: float
    ) -> Hits:
        if not found:
            return NOTHING
        rows, halves = halves_of(found)
        scores = cosines(halves, vector)
        return Hits(*best_first(rows, scores, limit=limit, floor=floor))

    def nearest_many(
        self, vectors: VectorArray, *, limit: int, floor: float, units: int
    ) -> list[Hits]:
        """`nearest` of the whole bank for each of many vectors."""
        if not len(vectors) or limit < 1:
            return [NOTHING] * len(vectors)
        found: list[list[tuple[int, bytes]]] = [[] for _ in vectors]
        graphs = [WHOLE] if self.graphs.whole else sorted(self.graphs.own)
        scanned = [] if self.graphs.whole else [*{*range(self.types)}.difference(graphs)]
        together: list[tuple[int, bytes]] = []
        if scanned and len(vectors) > _FETCHED_FOR and units <= _FETCHED_MAX:
            together = self.ask(SQL["vectors_of_types"], scanned, _FETCHED_MAX)
        elif scanned:
            asked = [float_bytes(vector) for vector in vectors]
            count = limit + _SPARE
            _sort_out(found, self.ask(SQL["nearest_to_many_scanned"], scanned, asked, count))
        for code in graphs:
            asked = [half_bytes(vector) for vector in vectors]
            statement = self._cast("nearest_to_many_in_graph")
            _sort_out(found, self.ask(statement, code, asked, _graph_max(limit)))
        shared = halves_of(together) if together else None
        return [
            self._merged(own, shared, vector, limit, floor)
            for own, vector in zip(found, vectors, strict=True)
        ]

    def _merged(
        self,
        own: Sequence[tuple[int, bytes]],
        shared: tuple[RowArray, HalfArray] | None,
        vector: VectorArray,
        limit: int,
        floor: float,
    ) -> Hits:
        hits = self._scored(own, vector, limit, floor)
        if shared is None:
            return hits
        rows = np.concatenate([hits.rows, shared[0]])
        scores = np.concatenate([hits.scores, cosines(shared[1], vector)])
        return Hits(*best_first(rows, scores, limit=limit, floor=floor))


def _graph_max(limit: int) -> int:
    if limit > GRAPH_LOOKS_AT:
        return limit + _SPARE
    return min(limit + _SPARE, GRAPH_LOOKS_AT)


def _sort_out(found: list[list[tuple[int, bytes]]], answers: Sequence[Sequence[object]]) -> None:
    for place, row, packed in answers:
        assert isinstance(place, int) and isinstance(row, int) and isinstance(packed, bytes)
        found[place - 1].append((row, packed))


def cosines(halves: HalfArray, vector: VectorArray) -> ScoreArray:
    """The product of each stored vector with a unit vector."""
    return _KERNEL.cosines(halves, np.ascontiguousarray(vector, np.float32))
