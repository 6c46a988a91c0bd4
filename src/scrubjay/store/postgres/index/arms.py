"""Several searches in one statement: arms of a UNION ALL, each with its own order and limit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import Saying
from scrubjay.store.postgres.index.selection import NO_SCOPE, ScopeValues
from scrubjay.store.postgres.tables.asking import Ask, storable
from scrubjay.store.postgres.tables.postings import Holders, holders_of
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.postgres.tables.vector_bytes import (
    HalfArray,
    cosines_in,
    float_bytes,
    half_bytes,
    halves_in,
)
from scrubjay.store.shared.statements import statements
from scrubjay.types.arrays import RowArray, ScoreArray, VectorArray
from scrubjay.types.values import UnitId

# The same words with the numbers of the second scope's values: $2 to $11 are $21 to $30 there.
_SECOND_SCOPE = re.sub(
    r"\$(\d+)", lambda at: "$1" if at[1] == "1" else f"${int(at[1]) + 19}", SQL["scope"]
)
# Of a narrow scope so many units are compared one by one, in 4 us each; a graph looks at up to
# 20,000 for those in it, in 9 us each, and may find too few.
_FEW = 8_000
_MANY = f"AND (SELECT COUNT(*) FROM chosen) = {_FEW}"
# Of up to so many units that mention a name the vectors are sent, to be compared here.
_SENT = 500
ARMS: Mapping[str, str] = {
    name: body.replace("{scope}", SQL["scope"])
    .replace("{second_scope}", _SECOND_SCOPE)
    .replace("{few}", str(_FEW))
    .replace("{sent}", str(_SENT))
    for name, body in statements("scrubjay.store.postgres", "search_queries.sql").items()
}
# Of units that mention an entity the vectors come, of a great many how like they are; beside
# either, the mentions.
_BESIDE, _LIKENED = 5, 11
GRAPHS = ("arm_graph", "arm_graph_in_scope")

_NO_PAIRS = np.empty((0, 2), np.int64)

Pairs = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Search:
    """What one statement is to search, arm by arm, and the values for them."""

    arms: tuple[str, ...] = ()
    scope: ScopeValues = NO_SCOPE  # `scanned` and `graphs` are its types, unless it is narrow
    narrow: bool = False  # whether a scope may hold so few that no graph helps
    vector: VectorArray | None = None
    scanned: tuple[int, ...] = ()
    graphs: tuple[int, ...] = ()
    scanned_max: int = 0
    graph_max: int = 0
    terms: tuple[str, ...] = ()
    entities: tuple[int, ...] = ()
    mentions_max: int = 0
    rows: tuple[int, ...] = ()
    inside: ScopeValues = NO_SCOPE  # the second scope, of which all rows are wanted
    blocks: tuple[int, ...] = ()  # of each word, the first that is wanted; else all
    sayings_max: int = 0  # of each entity

    def values(self) -> tuple[object, ...]:
        """$2 to $32."""
        vector, terms = self.vector, storable(self.terms)
        first = dict(zip(self.terms, self.blocks, strict=False))
        return (
            self.scope[0] if self.narrow else None, *self.scope[1:],
            None if vector is None else float_bytes(vector),
            None if vector is None else half_bytes(vector),
            self.scanned, self.scanned_max, self.graph_max, terms, self.entities,
            self.mentions_max, self.rows, *self.inside, [first.get(term, 0) for term in terms],
            self.sayings_max,
        )  # fmt: skip

    def statement(self) -> str:
        """The arms as one statement."""
        dimension = 0 if self.vector is None else len(self.vector)
        return _joined(self.arms, self.graphs, dimension, self.narrow)


@cache
def _joined(arms: tuple[str, ...], graphs: tuple[int, ...], dimension: int, narrow: bool) -> str:
    parts = [ARMS["arm_given"]]
    for name in arms:
        if name in GRAPHS:
            # A graph is chosen by the planner, which must see the type to prove that it fits.
            filled = ARMS[name].replace("{dimension}", str(dimension))
            parts += [filled.replace("{type}", str(int(code))) for code in graphs]
        else:
            parts.append(ARMS[name])
    joined = "\nUNION ALL\n".join(parts).replace("{many}", _MANY if narrow else "")
    return "\n".join([ARMS["chosen"], joined]) if narrow else joined


@dataclass(frozen=True, slots=True)
class Nearby:
    """Rows near the question and their vectors."""

    type: int | None  # None: of several types
    rows: RowArray
    vectors: HalfArray


@dataclass(slots=True)
class SearchResults:
    """What the arms of one statement found; pairs are in the order of the statement."""

    near: list[Nearby] = field(default_factory=list)
    beside: list[tuple[RowArray, HalfArray]] = field(default_factory=list)
    likened: tuple[RowArray, ScoreArray] | None = None  # rows, and their cosines with the question
    words: dict[str, Holders] = field(default_factory=dict)
    mentions: Pairs = field(default_factory=lambda: _NO_PAIRS)  # entity, row
    totals: dict[int, int] = field(default_factory=dict)
    relations: list[list[Any]] = field(default_factory=list)
    links: list[tuple[int, bytes]] = field(default_factory=list)
    named: Pairs = field(default_factory=lambda: _NO_PAIRS)  # row, entity
    ids: dict[int, UnitId] = field(default_factory=dict)
    inside: RowArray = field(default_factory=lambda: np.empty(0, np.int64))  # ascending
    sayings: dict[int, Saying] = field(default_factory=dict)  # by row

    def of_type(self, code: int) -> list[Nearby]:
        """What is near, of one type, where each was searched for itself."""
        return [near for near in self.near if near.type == code]


def searched(ask: Ask, search: Search) -> SearchResults:
    """Run a search; one round trip."""
    found = SearchResults()
    for arm, word, packed, sizes in ask(search.statement(), *search.values()):
        if sizes is not None and arm in (_BESIDE, _LIKENED):
            found.mentions = pairs(sizes)
        if packed is not None and arm == _LIKENED:
            found.likened = cosines_in(packed)
        elif packed is not None:
            _take(found, arm, word, packed, sizes)
    return found


def _take(
    found: SearchResults, arm: int, word: str | None, packed: bytes, sizes: bytes | None
) -> None:
    match arm:
        case 1:
            found.near.append(Nearby(None if word is None else int(word), *halves_in(packed)))
        case 2:
            found.words[word or ""] = holders_of(pairs(sizes or b""), packed)
        case 3:
            found.mentions = pairs(packed)
        case 4:
            found.totals = dict(pairs(packed).tolist())
        case 5:
            found.beside.append(halves_in(packed))
        case 6:
            found.relations = json.loads(packed)
        case 7:
            found.links = _cut(pairs(sizes or b"").tolist(), packed)
        case 8:
            found.named = pairs(packed)
        case 10:
            found.inside = np.sort(np.frombuffer(packed, ">i4").astype(np.int64))
        case _:
            _take_unit(found, int.from_bytes(packed, "big"), word or "", sizes)


def _take_unit(found: SearchResults, row: int, word: str, names: bytes | None) -> None:
    """Of one unit its id, or what it says with the names of whom it mentions."""
    if names is None:
        found.ids[row] = UnitId(word)
    else:
        found.sayings[row] = Saying(word, tuple(json.loads(names)))


def pairs(packed: bytes) -> Pairs:
    """Two numbers at a time, from what the server packed."""
    return np.frombuffer(packed, ">i4").reshape(-1, 2).astype(np.int64)


def _cut(sizes: Sequence[Sequence[int]], packed: bytes) -> list[tuple[int, bytes]]:
    parts, start = [], 0
    for row, size in sizes:
        parts.append((row, packed[start : start + size]))
        start += size
    return parts
