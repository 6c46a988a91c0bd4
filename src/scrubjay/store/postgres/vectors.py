"""Finds units by meaning: the server picks candidates, the client scores them as float32.

Types with many vectors have a graph (HNSW over half-precision numbers, approximate); the others
are scanned. Whatever the server returns is scored again from the stored vectors with the kernel
of the embedded store, so that both stores give equal units equal scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from scrubjay.store.base import Hits
from scrubjay.store.embedded.index.exact_scan import best_first, kernel_for
from scrubjay.store.postgres.scoping import SQL, ScopeValues, limits
from scrubjay.store.postgres.tables.vector_bytes import (
    HalfArray,
    float_bytes,
    half_bytes,
    halves_of,
)
from scrubjay.types import RowArray, ScoreArray, VectorArray

NOTHING = Hits(np.empty(0, np.int64), np.empty(0, np.float32))

# Candidates asked for beyond the limit, for the graph's order is that of half-precision numbers.
_SPARE_SHARE = 1.2
_SPARE_LEAST = 32
# The scan's order is that of float32; its sums may differ from ours in the last bit.
_SCAN_SPARE = 8
# Above so many rows the server adds up, instead of sending the vectors.
_ROWS_SENT_MAX = 1_000
# Up to so many vectors are fetched once and compared here with all of a batch.
_FETCHED_MAX = 20_000
# With fewer vectors in a batch, asking for each costs less than fetching.
_FETCHED_FOR = 4

_KERNEL = kernel_for(native=True)


class Asking(Protocol):
    """Runs a reading statement on the bank."""

    def __call__(self, statement: str, *values: object) -> list[tuple[int, bytes]]: ...


@dataclass(frozen=True, slots=True)
class VectorSearch:
    """The searches over one bank's vectors; `graphs` are the types that have one."""

    ask: Asking
    dimension: int
    graphs: frozenset[int]
    types: int  # how many types the bank has

    def nearest(self, vector: VectorArray, *, limit: int, floor: float, scope: ScopeValues) -> Hits:
        """The rows of a scope most similar to a unit vector, best first, ties by row."""
        if limit < 1:
            return NOTHING
        wanted = self._wanted(scope[0])
        graphs = [code for code in wanted if code in self.graphs]
        scanned = [code for code in wanted if code not in self.graphs]
        found: list[tuple[int, bytes]] = []
        inside = limits(scope, beside_types=True)
        if scanned:
            count = limit + _SCAN_SPARE
            if inside:
                values = (scanned, *scope[1:], float_bytes(vector), count)
                found += self.ask(SQL["nearest_scanned_in_scope"], *values)
            else:
                found += self.ask(SQL["nearest_scanned"], scanned, float_bytes(vector), count)
        for code in graphs:
            found += self._in_graph(code, vector, limit, scope if inside else None)
        return self._scored(found, vector, limit, floor)

    def _wanted(self, types: object) -> list[int]:
        return list(types) if isinstance(types, list) else list(range(self.types))

    def _in_graph(
        self, code: int, vector: VectorArray, limit: int, scope: ScopeValues | None
    ) -> list[tuple[int, bytes]]:
        count = max(int(limit * _SPARE_SHARE), limit + _SPARE_LEAST)
        if scope is None:
            return self.ask(self._cast("nearest_in_graph"), code, half_bytes(vector), count)
        values = (None, *scope[1:], half_bytes(vector), count, code)
        return self.ask(self._cast("nearest_in_graph_in_scope"), *values)

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
        scanned = [code for code in range(self.types) if code not in self.graphs]
        together: list[tuple[int, bytes]] = []
        if len(vectors) > _FETCHED_FOR and units <= _FETCHED_MAX:
            together = self.ask(SQL["vectors_of_types"], scanned, _FETCHED_MAX)
        elif scanned:
            asked = [float_bytes(vector) for vector in vectors]
            count = limit + _SCAN_SPARE
            _sort_out(found, self.ask(SQL["nearest_to_many_scanned"], scanned, asked, count))
        for code in self.graphs:
            asked = [half_bytes(vector) for vector in vectors]
            statement = self._cast("nearest_to_many_in_graph")
            _sort_out(found, self.ask(statement, code, asked, limit + _SPARE_LEAST))
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

    def similarity(self, vector: VectorArray, rows: RowArray) -> ScoreArray:
        """The cosine of each row; -1 where a row has no vector."""
        scores = np.full(len(rows), -1.0, np.float32)
        if not len(rows):
            return scores
        if len(rows) > _ROWS_SENT_MAX:
            summed = dict(self.ask(SQL["cosines_of_rows"], rows.tolist(), float_bytes(vector)))
            return np.array([summed.get(row, -1.0) for row in rows.tolist()], np.float32)
        found = self.ask(SQL["vectors_of_rows"], rows.tolist())
        if found:
            known, halves = halves_of(found)
            by_row = dict(zip(known.tolist(), cosines(halves, vector).tolist(), strict=True))
            scores[:] = [by_row.get(row, -1.0) for row in rows.tolist()]
        return scores


def _sort_out(found: list[list[tuple[int, bytes]]], answers: Sequence[Sequence[object]]) -> None:
    for place, row, packed in answers:
        assert isinstance(place, int) and isinstance(row, int) and isinstance(packed, bytes)
        found[place - 1].append((row, packed))


def cosines(halves: HalfArray, vector: VectorArray) -> ScoreArray:
    """The product of each stored vector with a unit vector."""
    return _KERNEL.cosines(halves, np.ascontiguousarray(vector, np.float32))
