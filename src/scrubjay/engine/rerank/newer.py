"""Finds what gives another answer than the first candidate does, and is newer, or was before it."""

from __future__ import annotations

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.engine.rerank.succession import Asked, asked_of, moment_of, time_meant, to_begin
from scrubjay.language.names import fold
from scrubjay.language.other_answers import answers_anew, wanted_by
from scrubjay.store.base import LINK_KINDS, BankReader
from scrubjay.store.shared.times import to_micros
from scrubjay.types.arrays import FloatArray, RowArray
from scrubjay.types.graph import LinkKind

# So many are looked at behind the first: what changed something is found about as well as that.
_BEHIND = 3
_FOUND_TOO = 0.5
# What they say of a change was told by others before.
_AGENTS = frozenset({"assistant", "system", "ai", "agent", "bot", "tool"})
_NOTHING: RowArray = np.empty(0, np.int64)


def other_answers(parsed: Parsed, bank: BankReader, rows: RowArray, scores: FloatArray) -> RowArray:
    """The rows that give another answer than the first one, and are to come before it.

    They are newer, the newest first, for a question about now, and older for one about before. No
    link says that one changed the other: it shows in what the question asks for.
    """
    behind = min(len(rows), 1 + _BEHIND)
    moment = moment_of(parsed)
    if behind < 2 or scores[1] < _FOUND_TOO * scores[0] or moment is None:
        return _NOTHING
    question = parsed.question
    wanted = wanted_by(question)
    if wanted is None or (asked := asked_of(parsed)) not in (Asked.NOW, Asked.BEFORE):
        return _NOTHING
    first = rows[:behind]
    columns = bank.columns(first)
    told = columns.told_at
    newer = told > told[0] if asked is Asked.NOW else told < told[0]
    others = newer & (told <= to_micros(moment)) & (scores[:behind] >= _FOUND_TOO * scores[0])
    if asked is Asked.NOW:
        others &= ~to_begin(bank, columns, time_meant(parsed, moment))
    if not others.any():
        return _NOTHING
    texts = bank.texts_of(first)
    own = texts.get(int(first[0]), "")
    found = []
    for row, at in zip(first[others].tolist(), told[others].tolist(), strict=True):
        pair = (texts.get(row, ""), own) if asked is Asked.NOW else (own, texts.get(row, ""))
        if answers_anew(question, wanted, *pair):
            found.append((at, row))
    found.sort(reverse=True)
    return _settled(bank, first[:1], np.array([row for _, row in found], np.int64))


def _settled(bank: BankReader, first: RowArray, found: RowArray) -> RowArray:
    """Those that people told, and that nobody said are to be kept beside the first one."""
    if not len(found):
        return found
    speakers = bank.speakers_of(np.concatenate([first, found]))
    agents = [place for place, name in enumerate(speakers.names) if fold(name) in _AGENTS]
    spoken = np.isin(speakers.places, agents)
    edges = bank.neighbours(first)
    apart = edges.targets[edges.kinds == LINK_KINDS.index(LinkKind.DISTINCT)]
    return _NOTHING if spoken[0] else found[~spoken[1:] & ~np.isin(found, apart)]
