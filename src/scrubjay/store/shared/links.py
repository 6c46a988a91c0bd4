"""The edges between units, packed into one value per unit; each stands at both of its ends."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scrubjay.limits import INCOMING_LINKS_MAX
from scrubjay.store.base import LINK_KINDS, NO_NEIGHBOURS, Neighbours
from scrubjay.types.graph import CAUSAL_KINDS, Link, LinkKind
from scrubjay.types.values import UnitId

# 7 bytes per edge: the other unit's row, the kind, the weight.
LINK = np.dtype([("row", "<i4"), ("kind", "u1"), ("weight", "<f2")])
_EDGE = struct.Struct("<iBe")
_KIND_BYTE = 4

# Set on an edge that the other unit made towards this one.
INCOMING = 0x80

KIND_CODES: Mapping[LinkKind, int] = {kind: code for code, kind in enumerate(LINK_KINDS)}
SEMANTIC = KIND_CODES[LinkKind.SEMANTIC]
_DISTINCT = KIND_CODES[LinkKind.DISTINCT]
_UPDATING = (KIND_CODES[LinkKind.UPDATES], KIND_CODES[LinkKind.UPDATED_BY])
_UPDATES_AS_STORED = frozenset((*_UPDATING, *(code | INCOMING for code in _UPDATING)))
_CAUSAL = tuple(KIND_CODES[kind] for kind in CAUSAL_KINDS)
# Kinds that look the same from both ends; who made the edge tells its direction.
_UNTURNED = (LinkKind.ENABLES, LinkKind.PREVENTS, LinkKind.DISTINCT)

# How an edge looks from its far end.
_SEEN_FROM_TARGET = {
    KIND_CODES[LinkKind.CAUSES]: KIND_CODES[LinkKind.CAUSED_BY],
    KIND_CODES[LinkKind.CAUSED_BY]: KIND_CODES[LinkKind.CAUSES],
    KIND_CODES[LinkKind.UPDATES]: KIND_CODES[LinkKind.UPDATED_BY],
    KIND_CODES[LinkKind.UPDATED_BY]: KIND_CODES[LinkKind.UPDATES],
}

# The other row, the kind's code, the weight.
Edge = tuple[int, int, float]
_Edges = npt.NDArray[np.void]
_Hashes = npt.NDArray[np.uint64]


class LinkRows(Protocol):
    """The table of edges: one packed value for each unit that has any."""

    def read(self, rows: Iterable[int]) -> dict[int, bytes]: ...
    def write(self, packed: Mapping[int, bytes]) -> None: ...
    def delete(self, rows: Sequence[int]) -> None: ...


def pack_links(links: Iterable[Edge]) -> bytes:
    """Edges as one value."""
    return b"".join([_EDGE.pack(*link) for link in links])


def unpack_links(packed: bytes) -> _Edges:
    """The edges of one value as a structured array."""
    return np.frombuffer(packed, LINK)


def says_updates(packed: bytes) -> bool:
    """Whether an edge of one value says which of two units updates the other."""
    return not _UPDATES_AS_STORED.isdisjoint(packed[_KIND_BYTE :: LINK.itemsize])


def edge_count(packed_bytes: int) -> int:
    """How many edges a bank has whose packed values are so many bytes in all."""
    # Each edge stands at both of its ends.
    return packed_bytes // LINK.itemsize // 2


def without_rows(packed: bytes, rows: npt.NDArray[np.int64]) -> bytes:
    """The value less its edges to `rows`."""
    edges = unpack_links(packed)
    return edges[~np.isin(edges["row"], rows)].tobytes()


def seen_from_target(code: int) -> int:
    """The kind code of an edge as its far end keeps it."""
    return _SEEN_FROM_TARGET.get(code, code) | INCOMING


# By a kind's code, that of the same edge as its other end sees it; an involution.
_FAR_KIND = np.array([seen_from_target(code) & ~INCOMING for code in range(INCOMING)], np.uint8)


def join(edges: dict[int, list[Edge]], row: int, other: int, kind: LinkKind, weight: float) -> None:
    """Add one edge as its two ends keep it."""
    code = KIND_CODES[kind]
    edges.setdefault(row, []).append((other, code, weight))
    edges.setdefault(other, []).append((row, seen_from_target(code), weight))


def neighbours_of(packed: Sequence[tuple[int, bytes]]) -> Neighbours:
    """The edges of many units as parallel arrays."""
    if not packed:
        return NO_NEIGHBOURS
    edges = np.frombuffer(b"".join([blob for _, blob in packed]), LINK)
    counts = [len(blob) // LINK.itemsize for _, blob in packed]
    sources = np.repeat(np.array([row for row, _ in packed], np.int64), counts)
    return Neighbours(
        sources,
        edges["row"].astype(np.int64),
        (edges["kind"] & (INCOMING - 1)).astype(np.uint8),
        edges["weight"].astype(np.float32),
    )


def directed(packed: bytes) -> list[tuple[int, LinkKind, float, bool]]:
    """The edges of one unit: the other row, the kind, the weight, and whether it leads here.

    What caused sees `causes` and what was caused sees `caused_by`, so those two always lead
    away; the other kinds have no inverse and are told apart by who made them.
    """
    found = []
    for other, code, weight in unpack_links(packed).tolist():
        kind = LINK_KINDS[code & ~INCOMING]
        lead_here = bool(code & INCOMING) and kind in _UNTURNED
        found.append((other, kind, weight, lead_here))
    return found


def links_of(
    unit: UnitId, edges: Iterable[tuple[int, LinkKind, float, bool]], ids: Mapping[int, UnitId]
) -> list[Link]:
    """Directed edges of one unit as a caller sees them; KeyError if one leads to no unit."""
    return [
        Link(ids[row], unit, kind, weight) if leads_here else Link(unit, ids[row], kind, weight)
        for row, kind, weight, leads_here in edges
    ]


def put_edges(links: LinkRows, edges: Mapping[int, Sequence[Edge]]) -> None:
    """Add edges by row, inside the caller's transaction.

    A causal edge replaces the one of its kind between the same units. Where the caller keeps two
    units apart, no edge says that one updates the other. Of the semantic edges that others made
    to a unit the newest INCOMING_LINKS_MAX stay.
    """
    stored = links.read(edges)
    changed = {row: _joined(stored.get(row, b""), new) for row, new in edges.items()}
    let_go: dict[int, list[int]] = {}
    for row, held in changed.items():
        if len(held) <= INCOMING_LINKS_MAX:
            continue
        incoming = np.flatnonzero(held["kind"] == SEMANTIC | INCOMING)
        if len(incoming) > INCOMING_LINKS_MAX:
            oldest = incoming[:-INCOMING_LINKS_MAX]
            for source in held["row"][oldest].tolist():
                let_go.setdefault(source, []).append(row)
            changed[row] = np.delete(held, oldest)
    if let_go:
        changed |= _without(links, let_go, changed)
    links.write({row: held.tobytes() for row, held in changed.items()})


def _joined(packed: bytes, new: Sequence[Edge]) -> _Edges:
    edges = unpack_links(packed + pack_links(new))
    if all(code & ~INCOMING == SEMANTIC for _, code, _ in new):
        return edges  # semantic edges are only made to a new unit, so none of them is there yet
    told = {(row, code & ~INCOMING): place for place, (row, code, _) in enumerate(edges.tolist())}
    for apart in [row for row, code in told if code == _DISTINCT]:
        for code in _UPDATING:
            told.pop((apart, code), None)
    return edges[sorted(told.values())]


def _without(
    links: LinkRows, let_go: Mapping[int, list[int]], changed: Mapping[int, _Edges]
) -> dict[int, _Edges]:
    """The edges of units that popular ones have let go of, less those to them.

    An edge that stood at one end only would outlive the unit it leads to.
    """
    stored = links.read(let_go.keys() - changed.keys())
    kept: dict[int, _Edges] = {}
    for source, hubs in let_go.items():
        held = changed[source] if source in changed else unpack_links(stored[source])
        kept[source] = held[~(np.isin(held["row"], hubs) & (held["kind"] == SEMANTIC))]
    return kept


def unlink(links: LinkRows, rows: Sequence[int]) -> int:
    """Remove every edge of some units; how many there were."""
    edges = np.concatenate(
        [unpack_links(packed) for packed in links.read(rows).values()] or [np.empty(0, LINK)]
    )
    gone = np.array(rows, np.int64)
    kept = links.read(np.setdiff1d(edges["row"], gone).tolist())
    links.write({row: without_rows(packed, gone) for row, packed in kept.items()})
    links.delete(rows)
    # An edge between two erased units stands in both values.
    inner = int(np.isin(edges["row"], gone).sum())
    return len(edges) - inner // 2


def move_causal(links: LinkRows, row: int, new_row: int, anew: frozenset[str]) -> tuple[Edge, ...]:
    """Let the causal edges of a unit lead to its new row; what that row must keep of them."""
    edges = unpack_links(links.read([row]).get(row, b""))
    causal = edges[_staying(edges["kind"], anew, theirs=INCOMING)]
    moved: dict[int, bytes] = {}
    for other, packed in links.read(np.unique(causal["row"]).tolist()).items():
        held = unpack_links(packed).copy()
        stays = _staying(held["kind"], anew, theirs=0)
        held["row"][(held["row"] == row) & stays] = new_row
        moved[other] = held.tobytes()
    links.write(moved)
    return tuple((int(e["row"]), int(e["kind"]), float(e["weight"])) for e in causal)


def _staying(
    kinds: npt.NDArray[np.uint8], anew: frozenset[str], *, theirs: int
) -> npt.NDArray[np.bool_]:
    """Which edges an update keeps: all but semantic ones, and of its own those not told anew.

    `theirs` is the mark, INCOMING or 0, of edges that the units at the far end made.
    """
    codes, own = kinds & (INCOMING - 1), (kinds & INCOMING) != theirs
    stays: npt.NDArray[np.bool_] = codes != SEMANTIC
    for name, told in (("causes", _CAUSAL), ("updates", _UPDATING)):
        if name in anew:
            stays &= ~(own & np.isin(codes, told))
    return stays


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


def _edges_of(portion: Sequence[tuple[int, bytes]]) -> tuple[npt.NDArray[np.int64], _Edges]:
    blobs = [blob[: len(blob) // LINK.itemsize * LINK.itemsize] for _, blob in portion]
    counts = [len(blob) // LINK.itemsize for blob in blobs]
    sources = np.repeat(np.array([row for row, _ in portion], np.int64), counts)
    return sources, unpack_links(b"".join(blobs))


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


def mend_edges(
    links: LinkRows, rows: Sequence[int], live_among: Callable[[Iterable[int]], set[int]]
) -> None:
    """Let the edges of some units stand at both ends, or, to units that are gone, at none."""
    ours = _unpacked(links, rows)
    live = live_among({other for edges in ours.values() for other, _, _ in edges})
    ours = {row: [edge for edge in edges if edge[0] in live] for row, edges in ours.items()}
    held = _unpacked(links, live) | ours
    for row, edges in ours.items():
        for other, code, weight in edges:
            far = int(_FAR_KIND[code & ~INCOMING]) | (~code & INCOMING)
            far_edges = held.setdefault(other, [])
            if not any((back, kind) == (row, far) for back, kind, _ in far_edges):
                far_edges.append((row, far, weight))
    links.write({row: pack_links(edges) for row, edges in held.items()})


def _unpacked(links: LinkRows, rows: Iterable[int]) -> dict[int, list[Edge]]:
    return {row: _edges_of([(row, blob)])[1].tolist() for row, blob in links.read(rows).items()}
