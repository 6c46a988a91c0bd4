"""Puts what holds now before what it changed; or the other way, when the question asks for that."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.engine.shared.asking import asked_of, moment_of, time_meant
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.asked_change import OF_THE_PAST, Asked, name_of_what_came
from scrubjay.language.changed_part import says_of_asked
from scrubjay.store.base import NO_TIME, BankReader, Scope, WordQuery
from scrubjay.store.shared.times import to_micros
from scrubjay.types.arrays import FloatArray, MaskArray, RowArray

# So many are looked at, and what is linked to them, however few are asked for: the place of a unit
# is the same in a short answer and in a long one.
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
    that was not ranked comes along. `newer` is, by row, what each was changed to last; `level` are
    pairs of which the one that is put before the other is as relevant.
    """

    scores: Mapping[int, float]
    newer: Mapping[int, int]
    level: Pairs


Pairs = Sequence[tuple[int, int]]
# Whether a newer unit says anything of what is asked, where the question found an older one.
_Says = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class _Linked:
    """Who changed whom, as far as was looked; `possible` pairs are none that it is sure of.

    Those come with the share of the older's score that the newer needs to come before it. `stated`
    are those of the sure ones of which a caller said so, each the newer first.
    """

    sure: Pairs
    possible: Mapping[tuple[int, int], float]
    stated: Pairs


def succession_of(
    parsed: Parsed,
    bank: BankReader,
    ranked: tuple[RowArray, FloatArray],
    allowed: Callable[[RowArray], MaskArray],
) -> Succession | None:
    """The order of the chains of updates among ranked rows; None where there are none.

    The newest of a chain gets the place of its best one, even if no retriever found it: what the
    question is about was found, and this is what became of it. Where it is only possible that one
    changed another, it comes before it if the question found it about as well. A question about
    the past gets what was before; one for all there were, or about a time of its own, is left as
    it is, and so is a change of something else than what is asked.
    """
    rows, own_scores = ranked
    moment = moment_of(parsed)
    if moment is None or not len(rows):
        return None
    asked, now = asked_of(parsed), to_micros(moment)
    if asked in (Asked.ALL, Asked.WHY):
        return None
    linked = _linked(bank, rows[:_LOOKED_AT_MAX], asked, now)
    if not linked.sure and not linked.possible and name_of_what_came(parsed.question) is None:
        return None
    held = dict(zip(rows.tolist(), own_scores.tolist(), strict=True))
    by_time = partial(
        _by_time,
        bank,
        stated=linked.stated,
        allowed=allowed,
        now=now,
        meant=time_meant(parsed, moment),
    )
    # What was before something is asked of all that it was.
    reads = asked not in (Asked.BEFORE, Asked.FIRST)
    says = partial(_says, bank, parsed.question, {}) if reads else _any
    scores, newer, level = _in_chains(linked, held, asked, by_time, says)
    before = {}
    if asked is Asked.BEFORE:
        before = _before_named(parsed.question, bank, held | scores, linked.stated)
    if not scores and not before:
        return None
    newer = _told_later(bank, newer)
    scores = before | {row: score for row, score in scores.items() if row not in before}
    return Succession(scores, newer, [*level, *itertools.permutations(before, 2)])


def _in_chains(
    linked: _Linked,
    held: Mapping[int, float],
    asked: Asked,
    by_time: Callable[[Sequence[int], Mapping[int, float]], tuple[int, ...]],
    says: _Says,
) -> tuple[dict[int, float], dict[int, int], list[tuple[int, int]]]:
    """The scores of all that is linked as the question asks for it, and what changed each.

    The pairs are those of which the one may be as relevant as the other.
    """
    scores, newer, level = dict[int, float](), dict[int, int](), list[tuple[int, int]]()
    stated = {row for pair in linked.stated for row in pair}
    for chain in _chains(linked.sure):
        newest_first = by_time(chain, held)
        if len(newest_first) < 2:
            continue
        newer |= dict.fromkeys(newest_first[1:], newest_first[0])
        meant = _about_what_is_asked(newest_first, held, stated, says)
        if len(meant) > 1:
            scores |= _dealt_out(_wanted(meant, asked), held)
            level += [pair for old in meant[1:] for pair in ((old, meant[0]), (meant[0], old))]
    likely = {
        pair: share for pair, share in linked.possible.items() if all(row in held for row in pair)
    }
    if likely and asked not in (Asked.HAPPENED, Asked.WAS):
        found = {**held, **scores}
        involved = {*scores, *(row for pair in likely for row in pair)}
        shares = dict.fromkeys(linked.sure, _FOUND_TOO) | likely
        order = by_time([*involved], found)
        # Who may have been changed is not said to have been: that is in no answer but as its order.
        scores, beaten = _lifted(order, shares, found, asked, says)
        level += [pair for old, new in beaten.items() for pair in ((old, new), (new, old))]
    return scores, newer, level


def _about_what_is_asked(
    newest_first: tuple[int, ...], held: Mapping[int, float], stated: Collection[int], says: _Says
) -> tuple[int, ...]:
    """Those of a chain that say of what is asked: what changed its best found otherwise is out."""

    def found(row: int) -> float:
        return held.get(row, 0.0)

    newest, *older = newest_first
    best = max(older, key=found)
    if found(newest) > found(best) >= _FOUND_TOO * found(newest) and newest not in stated:
        # It was found for the same words, and not for what it says.
        return newest_first if says(newest, best) else (best, newest)
    best = max(newest_first, key=found)
    since = newest_first[: newest_first.index(best)]
    beside = {row for row in since if row not in stated and not says(row, best)}
    return tuple(row for row in newest_first if row not in beside)


def _any(new: int, old: int) -> bool:  # noqa: ARG001
    return True


def _says(bank: BankReader, question: str, texts: dict[int, str], new: int, old: int) -> bool:
    """Whether what was told later says of what is asked; what was before does where it is first."""
    told = bank.columns(np.array((new, old), np.int64)).told_at
    if told[0] <= told[1]:
        return True
    lacking = [row for row in (new, old) if row not in texts]
    if lacking:
        texts |= dict.fromkeys(lacking, "") | bank.texts_of(np.array(lacking, np.int64))
    return says_of_asked(question, texts[new], texts[old])


def _before_named(
    question: str, bank: BankReader, held: Mapping[int, float], stated: Pairs
) -> dict[int, float]:
    """What was before something that the question names, before what names that itself.

    That is what a caller said it superseded; else the best of what was told before anything named
    it, if it was found about as well.
    """
    named = name_of_what_came(question)
    if named is None:
        return {}
    terms = Analyzer(bank.settings.analysis).query_terms(named).any_of
    naming = bank.match_words(WordQuery(terms), limit=_LOOKED_AT_MAX, scope=Scope()).rows
    ranked = sorted(held, key=lambda row: -held[row])[:_LOOKED_AT_MAX]
    for new, old in stated:
        if new in naming and old in held and held[old] <= held[ranked[0]]:
            return dict.fromkeys(dict.fromkeys((old, ranked[0])), held[ranked[0]])
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


def _linked(bank: BankReader, rows: RowArray, asked: Asked, now: int) -> _Linked:
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
    stated = _stated(bank, rows, asked, now)
    return _Linked([*(sure | dict.fromkeys(stated))], possible, stated)


def _stated(bank: BankReader, rows: RowArray, asked: Asked, now: int) -> Pairs:
    """What supersedes what as a caller said, each pair the newer first.

    What was superseded is in no answer about now, so that it is only looked for where the past is
    asked for, or where something is still to begin or to end.
    """
    columns = bank.columns(rows)
    begins, ends = columns.valid_from, columns.valid_to
    bounded = (begins != NO_TIME) | (ends != NO_TIME)
    if asked not in OF_THE_PAST and not ((begins > now) | (ends > now)).any():
        return ()
    pairs, seen, frontier = dict[tuple[int, int], None](), set[int](), rows[bounded]
    for _ in range(_LINKS_FOLLOWED):
        lines = bank.lineage_of(frontier) if len(frontier) else {}
        ids = sorted({unit for line in lines.values() for unit in line if unit is not None})
        row_of = bank.rows_of(ids) if ids else {}
        for row, line in lines.items():
            if line.supersedes in row_of:
                pairs[row, row_of[line.supersedes]] = None
            if line.superseded_by in row_of:
                pairs[row_of[line.superseded_by], row] = None
        seen.update(frontier.tolist())
        frontier = np.array(sorted({row for pair in pairs for row in pair} - seen), np.int64)
    return [*pairs]


def _chains(pairs: Pairs) -> Iterator[tuple[int, ...]]:
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
    stated: Pairs,
    allowed: Callable[[RowArray], MaskArray],
    now: int,
    meant: int,
) -> tuple[int, ...]:
    """Those of a chain that may be returned, newest first; nothing of one that nobody found.

    What is told only after the question's own time comes last, and what begins to hold only
    after the time that is `meant`: then it did not hold yet. Of what a caller said supersedes
    another it does not matter when it was told.
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
    holds = (told <= now) & (columns.valid_from <= meant)  # NO_TIME is before everything
    newest_first = rows[np.lexsort((rows, told, holds))[::-1]].tolist()
    by_row = dict(zip(rows.tolist(), holds.tolist(), strict=True))
    for new, old in stated:
        # Either may be out of scope, or left out of a long chain.
        if (
            {new, old} <= by_row.keys()
            and by_row[new] >= by_row[old]
            and (newest_first.index(old) < newest_first.index(new))
        ):
            newest_first.remove(old)
            newest_first.insert(newest_first.index(new) + 1, old)
    return tuple(newest_first)


def _told_later(bank: BankReader, newer: Mapping[int, int]) -> dict[int, int]:
    """Those changed by what was told later, and not put behind since they do not hold yet."""
    rows = np.array(sorted({*newer, *newer.values()}), np.int64)
    told = dict(zip(rows.tolist(), bank.columns(rows).told_at.tolist(), strict=True))
    return {old: new for old, new in newer.items() if told[old] <= told[new]}


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
    says: _Says,
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
        enough = needed[frozenset((first, second))] * scores[second]
        if held[first] >= enough and (scores[first] >= scores[second] or says(first, second)):
            scores[first] = max(scores[first], scores[second])
    return scores, newer
