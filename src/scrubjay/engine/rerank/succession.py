"""Puts what holds now before what it changed; or the other way, when the question asks for that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.engine.shared.asking import asked_of, moment_of, time_meant
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.asked_change import Asked, name_of_what_came
from scrubjay.store.base import NO_TIME, BankReader, Columns, Scope, WordQuery
from scrubjay.store.shared.times import to_micros
from scrubjay.types.arrays import FloatArray, MaskArray, RowArray

# Only what an answer may hold is looked at: as many as are asked for, and what is linked to them.
_LOOKED_AT_MAX = 30
# A fact that changed more often than this is followed no further.
_CHAIN_MAX = 12
_LINKS_FOLLOWED = 4
# What may have changed a unit comes before it if the question found it about as well: at least
# this share of its score, and less where the text says that something was moved or called off, and
# only of what is not quite sure. What the question hardly found is left where it is.
_FOUND_TOO = 0.65
_FOUND_TOO_LEAST = 0.4
# The same of what is only told earlier than what a question names as what came then.
_FOUND_BEFORE = 0.5
# A link's share of the floor: up to the first it is a guess, from the second such a text's.
_GUESSED, _NEARLY_SURE = 0.9, 0.95


@dataclass(frozen=True, slots=True)
class Succession:
    """What chains of updates do to a ranking.

    `scores` are those that the units of a chain get, first what comes first; a unit among them
    that was not ranked comes along. `newer` is, by row, what each was changed to last.
    """

    scores: Mapping[int, float]
    newer: Mapping[int, int]


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
    moment = moment_of(parsed)
    if moment is None or not len(rows):
        return None
    linked = _linked(bank, rows[: min(limit, _LOOKED_AT_MAX)])
    if not linked.sure and not linked.possible and name_of_what_came(parsed.question) is None:
        return None
    asked, now = asked_of(parsed), to_micros(moment)
    if asked in (Asked.ALL, Asked.WHY):
        return None
    held = dict(zip(rows.tolist(), own_scores.tolist(), strict=True))
    by_time = partial(_by_time, bank, allowed=allowed, now=now, meant=time_meant(parsed, moment))
    scores, newer = _in_chains(linked, held, asked, by_time)
    before = _before_named(parsed.question, bank, held | scores) if asked is Asked.BEFORE else {}
    if not newer and not before:
        return None
    newer = _told_later(bank, newer)
    return Succession(before | {row: s for row, s in scores.items() if row not in before}, newer)


def _in_chains(
    linked: _Linked,
    held: Mapping[int, float],
    asked: Asked,
    by_time: Callable[[Sequence[int], Mapping[int, float]], tuple[int, ...]],
) -> tuple[dict[int, float], dict[int, int]]:
    """The scores of all that is linked as the question asks for it, and what changed each."""
    scores, newer = dict[int, float](), dict[int, int]()
    for chain in _chains(linked.sure):
        newest_first = by_time(chain, held)
        if len(newest_first) > 1:
            newer |= dict.fromkeys(newest_first[1:], newest_first[0])
            scores |= _dealt_out(_wanted(newest_first, asked), held)
    likely = {
        pair: share for pair, share in linked.possible.items() if all(row in held for row in pair)
    }
    if likely and asked not in (Asked.HAPPENED, Asked.WAS):
        found = {**held, **scores}
        involved = {*scores, *(row for pair in likely for row in pair)}
        shares = dict.fromkeys(linked.sure, _FOUND_TOO) | likely
        scores, beaten = _lifted(by_time([*involved], found), shares, found, asked)
        newer = beaten | newer
    return scores, newer


def _before_named(question: str, bank: BankReader, held: Mapping[int, float]) -> dict[int, float]:
    """What was before something that the question names, before what names that itself.

    That is the best of what was told before anything named it, if it was found about as well.
    """
    named = name_of_what_came(question)
    if named is None:
        return {}
    terms = Analyzer(bank.settings.analysis).query_terms(named).any_of
    naming = bank.match_words(WordQuery(terms), limit=_LOOKED_AT_MAX, scope=Scope()).rows
    ranked = sorted(held, key=lambda row: -held[row])[:_LOOKED_AT_MAX]
    if ranked[0] not in naming.tolist():
        return {}
    told = bank.columns(np.array(ranked, np.int64)).told_at
    since = bank.columns(np.sort(naming)).told_at.min()
    earlier = [row for row, at in zip(ranked, told.tolist(), strict=True) if at < since]
    if not earlier or held[earlier[0]] < _FOUND_BEFORE * held[ranked[0]]:
        return {}
    return dict.fromkeys((earlier[0], ranked[0]), held[ranked[0]])


def _wanted(newest_first: tuple[int, ...], asked: Asked) -> tuple[int, ...]:
    if asked is Asked.FIRST:
        return newest_first[::-1]
    if asked is Asked.BEFORE:
        return (*newest_first[1:], *newest_first[:1])
    return newest_first


def _linked(bank: BankReader, rows: RowArray) -> _Linked:
    sure, possible = dict[tuple[int, int], None](), dict[tuple[int, int], float]()
    seen, frontier, floor = set(rows.tolist()), rows, bank.settings.update_floor
    for distance in range(_LINKS_FOLLOWED):
        edges = bank.updates_of(frontier, shown=not distance)
        if not len(edges.sources):
            break
        pairs = [*zip(edges.sources.tolist(), edges.targets.tolist(), strict=True)]
        surely = (edges.weights >= floor).tolist()
        if not distance:
            shares = np.interp(
                edges.weights,
                (_GUESSED * floor, _NEARLY_SURE * floor),
                (_FOUND_TOO, _FOUND_TOO_LEAST),
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
    return _Linked([*sure], possible)


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
    meant: int,
) -> tuple[int, ...]:
    """Those of a chain that may be returned, newest first; nothing of one that nobody found.

    What is told only after the question's own time comes last, and what begins to hold only
    after the time that is `meant`: then it did not hold yet.
    """
    rows = np.array(sorted(chain), np.int64)
    rows = rows[allowed(rows)]
    found = np.array([row in held for row in rows.tolist()], np.bool_)
    if not found.any():
        return ()
    # Of a long chain what was found, and its last ones.
    found[-_CHAIN_MAX:] = True
    rows = rows[found]
    columns = bank.columns(rows)
    told = columns.told_at
    holds = (told <= now) & ~to_begin(bank, columns, meant)
    return tuple(rows[np.lexsort((rows, told, holds))[::-1]].tolist())


def _told_later(bank: BankReader, newer: Mapping[int, int]) -> dict[int, int]:
    """Those changed by what was told later, and not put behind since they do not hold yet."""
    rows = np.array(sorted({*newer, *newer.values()}), np.int64)
    told = dict(zip(rows.tolist(), bank.columns(rows).told_at.tolist(), strict=True))
    return {old: new for old, new in newer.items() if told[old] <= told[new]}


def to_begin(bank: BankReader, columns: Columns, meant: int) -> MaskArray:
    """Which units begin to hold only after a time: the fare that holds from October on."""
    ahead: MaskArray = (columns.occurred_start != NO_TIME) & (columns.occurred_start > meant)
    if not ahead.any():
        return ahead  # nearly always, so that nothing is read for it
    begins = {row: unit.valid_from for row, unit in bank.hydrate_rows(columns.rows[ahead]).items()}
    later = [row for row, at in begins.items() if at is not None and to_micros(at) > meant]
    begun_later: MaskArray = np.isin(columns.rows, later)
    return begun_later


def _dealt_out(wanted: Sequence[int], held: Mapping[int, float]) -> dict[int, float]:
    """The scores of a chain dealt out anew, best first.

    What was best stays right behind what takes its place, however little that was found.
    """
    # Of those that nobody found, only the one that is asked for comes along.
    members = [row for row in wanted if row in held or row == wanted[0]]
    scores = sorted((held[row] for row in members if row in held), reverse=True)
    return dict(zip(members, [scores[0], *scores], strict=False))


def _lifted(
    newest_first: Sequence[int],
    shares: Mapping[tuple[int, int], float],
    held: Mapping[int, float],
    asked: Asked,
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
    if asked is Asked.FIRST:
        order.reverse()
    elif asked is Asked.BEFORE:
        # What was before the last of them, and not what was at the very beginning.
        order.sort(key=lambda row: row not in newer)
    turns = {row: turn for turn, row in enumerate(order)}
    partners = [sorted(pair, key=turns.__getitem__) for pair in directed]
    scores = {row: held[row] for row in order}
    for first, second in sorted(partners, key=lambda pair: -turns[pair[0]]):
        if held[first] >= needed[frozenset((first, second))] * scores[second]:
            scores[first] = max(scores[first], scores[second])
    return scores, newer
