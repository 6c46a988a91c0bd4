"""Puts what holds now before what it changed; or the other way, when the question asks for that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.language.foreign_changes import asks_before, asks_first
from scrubjay.store.base import LINK_KINDS, BankReader
from scrubjay.store.shared.times import to_micros
from scrubjay.types.arrays import FloatArray, MaskArray, RowArray
from scrubjay.types.graph import LinkKind

# Only what an answer may hold is looked at: as many as are asked for, and what is linked to them.
_LOOKED_AT_MAX = 30
# A fact that changed more often than this is followed no further.
_CHAIN_MAX = 12
_LINKS_FOLLOWED = 4
# What may have changed a unit comes before it if the question found it about as well: at least
# this share of its score, and less where the text says that something was moved or called off, and
# only of what is not quite sure. What the question hardly found is left where it is.
_FOUND_TOO = 0.7
_FOUND_TOO_LEAST = 0.4
# A link's share of the floor: up to the first it is a guess, from the second such a text's.
_GUESSED, _NEARLY_SURE = 0.9, 0.95

_UPDATES = LINK_KINDS.index(LinkKind.UPDATES)
_UPDATED_BY = LINK_KINDS.index(LinkKind.UPDATED_BY)

_LAST_ASKED = re.compile(
    r"\b(?:in the end|finally|eventually|really|after all|at last)\b", re.IGNORECASE
)
_FIRST_ASKED = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|at first"
    r"|the (?:very )?first (?:price|date|day (?:we|they|you)|plan|offer|version|choice|idea"
    r"|estimate|quote|budget|deadline|value|setting|address|venue|slot|proposal|figure|limit|room)"
    r"|first (?:planned|agreed|meant|booked|scheduled|quoted|called|supposed)"
    r"|(?:planned|agreed|meant|booked|scheduled|supposed)\b.{0,40}\b(?:at )?first\s*\?*\s*$"
    r"|in the beginning|to begin with|began|started out|at the start)(?!\w)",
    re.IGNORECASE,
)
_BEFORE_ASKED = re.compile(
    r"\bbefore\s*\?\s*$|\bdid\b.{0,200}\buse to\b"
    r"|\b(?:used to|previous(?:ly)?|formerly|former(?! (?:or|and)\b)|back then|at the time"
    r"|earlier(?! (?:this|today|than|in)\b)|in the past|prior(?! to\b)"
    r"|(?:was|were|did|had|could|would|\w{2,20}ed)\b.{0,200}\b(?:before|until|then))\b",
    re.IGNORECASE,
)
# Whoever asks for all there were asks for what was changed, too. English.
_ALL_ASKED = re.compile(
    r"\b(?:all (?:of )?(?:the|our|my|them|those)|every (?!day|week|month|year|time)\w+"
    r"|each (?:of|time)|list|how (?:often|many times)|over time|one after the other|so far|ever"
    r"|(?:which|what) (?:\w+ ){0,2}\w+s (?:have|has|had|did|were))\b",
    re.IGNORECASE,
)
_WAS_ASKED = re.compile(r"\b(?:what|where|who|which) (?:was|were)\b", re.IGNORECASE)
_HAPPENED_ASKED = re.compile(
    r"^\s*(?:why|how come)\b|\b(?:did|didn't|was|were|had|made|caused?|led|reason|because)\b",
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


class _Asked(Enum):
    """What of something that changed a question asks for."""

    NOW = "now"
    BEFORE = "before"
    WAS = "was"  # what was before, or what happened: only what surely changed is put behind
    FIRST = "first"
    ALL = "all"  # each that there was, in the order in which the question finds them
    HAPPENED = "happened"  # something that happened once, of which the latest is no better answer


_Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Linked:
    """Who changed whom, as far as was looked; `possible` pairs are none that it is sure of.

    Those come with the share of the older's score that the newer needs to come before it.
    """

    sure: _Pairs
    possible: Mapping[tuple[int, int], float]


def succession_of(
    parsed: Parsed,
    bank: BankReader,
    ranked: tuple[RowArray, FloatArray],
    limit: int,
    allowed: Callable[[RowArray], MaskArray],
) -> Succession | None:
    """The order of the chains of updates among ranked rows; None where there are none.

    The newest of a chain gets the place of its best one, even if no retriever found it: what the
    question is about was found, and this is what became of it. Where it is only possible that one
    changed another, it comes before it if the question found it about as well. A question about
    the past gets what was before; one for all there were, or about a time of its own, is left as
    it is.
    """
    rows, own_scores = ranked
    if _is_of_then(parsed) or not len(rows):
        return None
    linked = _linked(bank, rows[: min(limit, _LOOKED_AT_MAX)])
    if linked is None:
        return None
    asked, now = _asked(parsed.question), to_micros(parsed.now)
    if asked is _Asked.ALL:
        return None
    held = dict(zip(rows.tolist(), own_scores.tolist(), strict=True))
    scores, newer = dict[int, float](), dict[int, int]()
    for chain in _chains(linked.sure):
        newest_first = _by_time(bank, chain, held, allowed, now)
        if len(newest_first) > 1:
            newer |= dict.fromkeys(newest_first[1:], newest_first[0])
            scores |= _dealt_out(_wanted(newest_first, asked), held)
    likely = {
        pair: share for pair, share in linked.possible.items() if all(row in held for row in pair)
    }
    if likely and asked not in (_Asked.HAPPENED, _Asked.WAS):
        held |= scores
        involved = {*scores, *(row for pair in likely for row in pair)}
        newest_first = _by_time(bank, [*involved], held, allowed, now)
        shares = dict.fromkeys(linked.sure, _FOUND_TOO) | likely
        scores, beaten = _lifted(newest_first, shares, held, asked)
        newer = beaten | newer
    return Succession(scores, newer) if newer else None


def _is_of_then(parsed: Parsed) -> bool:
    """Whether a question states a time that is over: what came later does not answer it.

    Of a day that is still to come what was told last holds: the plan, or that it is called off.
    """
    if parsed.window is None or parsed.window_kind == "fuzzy":
        return False
    return parsed.window.end is not None and parsed.window.end < parsed.now


def _asked(question: str) -> _Asked:
    if _LAST_ASKED.search(question):
        return _Asked.NOW
    if _FIRST_ASKED.search(question) or asks_first(question):
        return _Asked.FIRST
    if _BEFORE_ASKED.search(question) or asks_before(question):
        return _Asked.BEFORE
    if _ALL_ASKED.search(question):
        return _Asked.ALL
    if _WAS_ASKED.search(question):
        return _Asked.WAS
    return _Asked.HAPPENED if _HAPPENED_ASKED.search(question) else _Asked.NOW


def _wanted(newest_first: tuple[int, ...], asked: _Asked) -> tuple[int, ...]:
    if asked is _Asked.FIRST:
        return newest_first[::-1]
    if asked in (_Asked.BEFORE, _Asked.WAS):
        return (*newest_first[1:], *newest_first[:1])
    return newest_first


def _linked(bank: BankReader, rows: RowArray) -> _Linked | None:
    sure, possible = dict[tuple[int, int], None](), dict[tuple[int, int], float]()
    seen, frontier, floor = set(rows.tolist()), rows, bank.settings.update_floor
    for distance in range(_LINKS_FOLLOWED):
        edges = bank.neighbours(frontier, shown=not distance)
        changed = np.flatnonzero((edges.kinds == _UPDATES) | (edges.kinds == _UPDATED_BY))
        if not len(changed):
            break
        pairs = [
            *zip(edges.sources[changed].tolist(), edges.targets[changed].tolist(), strict=True)
        ]
        weights = edges.weights[changed]
        surely = (weights >= floor).tolist()
        if not distance:
            shares = np.interp(
                weights, (_GUESSED * floor, _NEARLY_SURE * floor), (_FOUND_TOO, _FOUND_TOO_LEAST)
            )
            possible = {
                pair: share
                for pair, share, held in zip(pairs, shares.tolist(), surely, strict=True)
                if not held
            }
        found = {pair: None for pair, held in zip(pairs, surely, strict=True) if held}
        sure |= found
        frontier = np.array(sorted({target for _, target in found} - seen), np.int64)
        seen.update(frontier.tolist())
        if not 0 < len(frontier) <= _CHAIN_MAX * _LOOKED_AT_MAX:
            break
    return _Linked([*sure], possible) if sure or possible else None


def _chains(pairs: _Pairs) -> Iterator[tuple[int, ...]]:
    """The rows that hang together, each group once."""
    beside: dict[int, dict[int, None]] = {}
    for one, other in pairs:
        beside.setdefault(one, {})[other] = None
        beside.setdefault(other, {})[one] = None
    seen: set[int] = set()
    for row in beside:
        if row in seen:
            continue
        group, waiting = list[int](), [row]
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                group.append(one)
                waiting += beside[one]
        yield tuple(group)


def _by_time(
    bank: BankReader,
    chain: Sequence[int],
    held: Mapping[int, float],
    allowed: Callable[[RowArray], MaskArray],
    now: int,
) -> tuple[int, ...]:
    """Those of a chain that may be returned, newest first; nothing of one that nobody found.

    What is told only after the question's own time comes last: then it did not hold yet.
    """
    rows = np.array(sorted(chain), np.int64)
    rows = rows[allowed(rows)]
    found = np.array([row in held for row in rows.tolist()], np.bool_)
    if not found.any():
        return ()
    # Of a long chain what was found, and its last ones.
    found[-_CHAIN_MAX:] = True
    rows = rows[found]
    told = bank.columns(rows).told_at
    return tuple(rows[np.lexsort((rows, told, told <= now))[::-1]].tolist())


def _dealt_out(wanted: Sequence[int], held: Mapping[int, float]) -> dict[int, float]:
    """The scores of a chain dealt out anew, best first."""
    # Of those that nobody found, only the one that is asked for comes along.
    members = [row for row in wanted if row in held or row == wanted[0]]
    scores = sorted((held[row] for row in members if row in held), reverse=True)
    if len(scores) < len(members):
        scores = [scores[0], *scores]
    return dict(zip(members, scores, strict=True))


def _lifted(
    newest_first: Sequence[int],
    shares: Mapping[tuple[int, int], float],
    held: Mapping[int, float],
    asked: _Asked,
) -> tuple[dict[int, float], dict[int, int]]:
    """Scores that bring pairs into the order asked for, and for each older row its newer one.

    No row sinks, and none rises above one that the question found much better.
    """
    places = {row: place for place, row in enumerate(newest_first)}
    directed = [
        (min(pair, key=places.__getitem__), max(pair, key=places.__getitem__))
        for pair in shares
        if pair[0] in places and pair[1] in places
    ]
    needed = {frozenset(pair): share for pair, share in shares.items()}
    directed.sort(key=lambda pair: -places[pair[0]])
    newer = {old: new for new, old in directed}  # of several the newest
    order = [*newest_first]
    if asked is _Asked.FIRST:
        order.reverse()
    elif asked is _Asked.BEFORE:
        # What was before the last of them, and not what was at the very beginning.
        order.sort(key=lambda row: row not in newer)
    turns = {row: turn for turn, row in enumerate(order)}
    partners = [sorted(pair, key=turns.__getitem__) for pair in directed]
    scores = {row: held[row] for row in order}
    for first, second in sorted(partners, key=lambda pair: -turns[pair[0]]):
        if held[first] >= needed[frozenset((first, second))] * scores[second]:
            scores[first] = max(scores[first], scores[second])
    return scores, newer
