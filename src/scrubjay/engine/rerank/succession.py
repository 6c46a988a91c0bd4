"""Puts what holds now before what it changed; or the other way, when the question asks for that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.store.base import LINK_KINDS, BankReader
from scrubjay.types import FloatArray, LinkKind, MaskArray, RowArray

# Only what an answer may hold is looked at: as many as are asked for, and what is linked to them.
_LOOKED_AT_MAX = 30
# A fact that changed more often than this is followed no further.
_CHAIN_MAX = 12
_LINKS_FOLLOWED = 4

_UPDATES = LINK_KINDS.index(LinkKind.UPDATES)
_UPDATED_BY = LINK_KINDS.index(LinkKind.UPDATED_BY)

_FIRST_ASKED = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|at first|(?:very )?first|in the beginning|to begin with"
    r"|began|started out|at the start)\b",
    re.IGNORECASE,
)
_BEFORE_ASKED = re.compile(
    r"\b(?:used to|previous(?:ly)?|formerly|former|earlier|back then|at the time|in the past|prior"
    r"|(?:was|were|did|had|could|would)\b.{0,200}\b(?:before|until|then)"
    r"|(?:what|where|who|which) (?:was|were))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Succession:
    """What chains of updates do to a ranking.

    `scores` are those that the units of a chain get, first what comes first; a unit among them
    that was not ranked comes along. `newer` is, by row, what each was changed to last.
    """

    scores: Mapping[int, float]
    newer: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class _Linked:
    """Who changed whom, as far as was looked: by row, the rows it is linked with."""

    beside: Mapping[int, Mapping[int, None]]

    def chains(self) -> Iterator[tuple[int, ...]]:
        """The rows that hang together, each group once."""
        seen: set[int] = set()
        for row in self.beside:
            if row in seen:
                continue
            group, waiting = list[int](), [row]
            while waiting:
                one = waiting.pop()
                if one not in seen:
                    seen.add(one)
                    group.append(one)
                    waiting += self.beside[one]
            yield tuple(group)


def succession_of(
    parsed: Parsed,
    bank: BankReader,
    ranked: tuple[RowArray, FloatArray],
    limit: int,
    allowed: Callable[[RowArray], MaskArray],
) -> Succession | None:
    """The order of the chains of updates among ranked rows; None where there are none.

    The newest of a chain gets the place of its best one, even if no retriever found it: what the
    question is about was found, and this is what became of it. A question about the past gets
    what was before, and one about a time of its own is left alone.
    """
    rows, own_scores = ranked
    stated = parsed.window is not None and parsed.window_kind != "fuzzy"
    linked = None if stated or not len(rows) else _linked(bank, rows[: min(limit, _LOOKED_AT_MAX)])
    if linked is None:
        return None
    past = _BEFORE_ASKED.search(parsed.question) is not None
    beginning = _FIRST_ASKED.search(parsed.question) is not None
    held = dict(zip(rows.tolist(), own_scores.tolist(), strict=True))
    scores, newer = dict[int, float](), dict[int, int]()
    for chain in linked.chains():
        newest_first = _by_time(bank, chain, held, allowed)
        if len(newest_first) < 2:
            continue
        newer |= dict.fromkeys(newest_first[1:], newest_first[0])
        wanted = newest_first
        if beginning:
            wanted = newest_first[::-1]
        elif past:
            wanted = (*newest_first[1:], newest_first[0])
        scores |= _dealt_out(wanted, held)
    return Succession(scores, newer) if newer else None


def _linked(bank: BankReader, rows: RowArray) -> _Linked | None:
    beside: dict[int, dict[int, None]] = {}
    frontier = rows
    for distance in range(_LINKS_FOLLOWED):
        edges = bank.neighbours(frontier, shown=not distance)
        changed = (edges.kinds == _UPDATES) | (edges.kinds == _UPDATED_BY)
        if not changed.any():
            break
        known = {*beside, *frontier.tolist()}
        pairs = zip(edges.sources[changed].tolist(), edges.targets[changed].tolist(), strict=True)
        for source, target in pairs:
            beside.setdefault(source, {})[target] = None
            beside.setdefault(target, {})[source] = None
        frontier = np.array(sorted(beside.keys() - known), np.int64)
        if not 0 < len(frontier) <= _CHAIN_MAX * _LOOKED_AT_MAX:
            break
    return _Linked(beside) if beside else None


def _by_time(
    bank: BankReader,
    chain: Sequence[int],
    held: Mapping[int, float],
    allowed: Callable[[RowArray], MaskArray],
) -> tuple[int, ...]:
    """Those of a chain that may be returned, newest first; nothing of one that nobody found."""
    rows = np.array(sorted(chain), np.int64)
    rows = rows[allowed(rows)]
    found = np.array([row in held for row in rows.tolist()], np.bool_)
    if not found.any():
        return ()
    # Of a long chain what was found, and its last ones.
    found[-_CHAIN_MAX:] = True
    rows = rows[found]
    told = bank.columns(rows).told_at
    return tuple(rows[np.lexsort((rows, told))[::-1]].tolist())


def _dealt_out(wanted: Sequence[int], held: Mapping[int, float]) -> dict[int, float]:
    """The scores of a chain dealt out anew, best first."""
    # Of those that nobody found, only the one that is asked for comes along.
    members = [row for row in wanted if row in held or row == wanted[0]]
    scores = sorted((held[row] for row in members if row in held), reverse=True)
    if len(scores) < len(members):
        scores = [scores[0], *scores]
    return dict(zip(members, scores, strict=True))
