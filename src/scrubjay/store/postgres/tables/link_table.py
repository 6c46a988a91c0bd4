"""The edges between units; each stands in the values of both of its ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from scrubjay.limits import INCOMING_LINKS_MAX
from scrubjay.store.embedded.packing import (
    INCOMING,
    KIND_CODES,
    LINK,
    pack_links,
    seen_from_target,
    staying,
    unpack_links,
    without_rows,
)
from scrubjay.store.lineage import Move
from scrubjay.store.postgres.scoping import SQL
from scrubjay.store.postgres.tables.asking import Ask, BankSession
from scrubjay.types import LinkKind

SEMANTIC = KIND_CODES[LinkKind.SEMANTIC]

# The other row, the kind's code, the weight.
Edge = tuple[int, int, float]
_Edges = npt.NDArray[np.void]


def both_ends(row: int, other: int, kind: LinkKind, weight: float) -> dict[int, list[Edge]]:
    """One edge as its two ends keep it."""
    code = KIND_CODES[kind]
    return {row: [(other, code, weight)], other: [(row, seen_from_target(code), weight)]}


def put_edges(session: BankSession, edges: Mapping[int, Sequence[Edge]]) -> None:
    """Add edges by row, inside the caller's transaction.

    A causal edge replaces the one of its kind between the same units. Of the semantic edges that
    others made to a unit the newest INCOMING_LINKS_MAX stay.
    """
    stored = blobs(session.rows, edges)
    changed = {row: _joined(stored.get(row, b""), new) for row, new in edges.items()}
    let_go: dict[int, list[int]] = {}
    for row, held in changed.items():
        incoming = np.flatnonzero(held["kind"] == SEMANTIC | INCOMING)
        if len(incoming) > INCOMING_LINKS_MAX:
            oldest = incoming[:-INCOMING_LINKS_MAX]
            for source in held["row"][oldest].tolist():
                let_go.setdefault(source, []).append(row)
            changed[row] = np.delete(held, oldest)
    # An edge that stood at one end only would outlive the unit it leads to.
    for source, blob in blobs(session.rows, let_go.keys() - changed.keys()).items():
        changed[source] = unpack_links(blob)
    for source, hubs in let_go.items():
        held = changed[source]
        changed[source] = held[~(np.isin(held["row"], hubs) & (held["kind"] == SEMANTIC))]
    _put(session, {row: held.tobytes() for row, held in changed.items()})


def unlink(session: BankSession, rows: Sequence[int]) -> int:
    """Remove every edge of some units; how many there were."""
    stored = blobs(session.rows, rows)
    edges = np.concatenate([unpack_links(blob) for blob in stored.values()] or [np.empty(0, LINK)])
    gone = np.array(rows, np.int64)
    others = np.setdiff1d(edges["row"], gone).tolist()
    kept = blobs(session.rows, others)
    _put(session, {row: without_rows(blob, gone) for row, blob in kept.items()})
    session.run(SQL["delete_links"], list(rows))
    # An edge between two erased units stands in both values.
    inner = int(np.isin(edges["row"], gone).sum())
    return len(edges) - inner // 2


def move_causal(session: BankSession, row: int, move: Move) -> tuple[Edge, ...]:
    """Let the causal edges of a unit lead to its new row; what that row must keep of them."""
    edges = unpack_links(blobs(session.rows, [row]).get(row, b""))
    causal = edges[staying(edges["kind"], move.anew, theirs=INCOMING)]
    moved: dict[int, bytes] = {}
    for other, blob in blobs(session.rows, np.unique(causal["row"]).tolist()).items():
        held = unpack_links(blob).copy()
        stays = staying(held["kind"], move.anew, theirs=0)
        held["row"][(held["row"] == row) & stays] = move.row
        moved[other] = held.tobytes()
    _put(session, moved)
    return tuple((int(e["row"]), int(e["kind"]), float(e["weight"])) for e in causal)


def blobs(ask: Ask, rows: Iterable[int]) -> dict[int, bytes]:
    """The packed edges of some units that have any."""
    wanted = list(rows)
    return dict(ask(SQL["links_of_rows"], wanted)) if wanted else {}


def _put(session: BankSession, packed: Mapping[int, bytes]) -> None:
    if packed:
        session.run(SQL["put_links"], list(packed), list(packed.values()))


def _joined(blob: bytes, new: Sequence[Edge]) -> _Edges:
    edges = unpack_links(blob + pack_links(new))
    if all(code & ~INCOMING == SEMANTIC for _, code, _ in new):
        return edges  # semantic edges are only made to a new unit, so none of them is there yet
    told = {(row, code & ~INCOMING): place for place, (row, code, _) in enumerate(edges.tolist())}
    return edges[sorted(told.values())]
