"""Finds units by words: BM25 over text and predicate, with phrases and exclusions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scrubjay.answers import Explained, Parsed, RetrieverPlan
from scrubjay.engine.retrieve.neighbours import smooth
from scrubjay.engine.retrieve.query import NOTHING, Query, Retrieved, one_row
from scrubjay.engine.retrieve.retriever import Retriever, missed
from scrubjay.engine.retrieve.type_by_type import peers, searched
from scrubjay.engine.retrieve.words import quotes, scaled, terms_of, unquoted, word_query
from scrubjay.language.detection import UNDECIDED, detect_language
from scrubjay.planning import WORDS, Circumstances, Decision, is_pure_time, search_depth
from scrubjay.preset import LexicalSwitches, Preset
from scrubjay.store.base import Hits, Prefetch, WordQuery

# From this many units on, neighbours get their whole share.
_SMOOTHING_UNITS = 100
# A question of so many words gives its words their own weight; beyond the second, more of them
# tell no more.
_WORDS_USUAL = 5
_WORDS_MAX = 20
# A phrase is verified in the text of this many times more candidates than are wanted.
_PHRASE_OVERFETCH = 5


def search(query: Query, step: RetrieverPlan) -> Retrieved:
    """The units that hold the question's words, rare words first.

    The score is BM25 divided by what a unit of average length that holds every word once would
    get (or by the best score, if that is more): the share of the question's words, by weight,
    that the unit answers. A
    quotation must stand in the unit as it is; if it stands nowhere, its words count as words.
    """
    words = word_query(query)
    if not words.terms:
        return NOTHING
    if words.phrases:
        quoting = _quoting(query, words, step.depth)
        if len(quoting.rows):
            return scaled(quoting)
    hits = _matching(query, unquoted(words), step.depth)
    share = _neighbour_share(query)
    if share:
        hits = smooth(query.bank, hits, share, step.depth)
        hits = hits.take(query.allowed(hits.rows))
    return scaled(hits)


def _neighbour_share(query: Query) -> float:
    # In a small bank everything is next to a hit, and a share for everyone tells nothing.
    whole = min(1.0, query.bank.unit_count() / _SMOOTHING_UNITS)
    return _switches(query).neighbour_share * whole


def _matching(query: Query, words: WordQuery, limit: int) -> Hits:
    return searched(
        query,
        lambda scope: query.match_words(words, limit=limit, scope=scope),
        per_type=_switches(query).per_type,
    )


def _quoting(query: Query, words: WordQuery, depth: int) -> Hits:
    """The matches whose text or predicate holds every quotation, word for word."""
    hits = _matching(query, words, depth * _PHRASE_OVERFETCH)
    units = query.bank.hydrate_rows(hits.rows)
    keep = np.array(
        [row in units and quotes(units[row], words.phrases) for row in hits.rows.tolist()],
        np.bool_,
    )
    return hits.take(keep).take(slice(depth))


def plan(parsed: Parsed, preset: Preset, around: Circumstances) -> Decision:
    """Runs where there is a word to look for."""
    switches = preset.lexical
    if switches is None:
        return Decision(False, "the preset has no lexical retriever", "bm25")
    run, reason = True, f"{len(parsed.terms)} terms to look for"
    if not parsed.terms and not parsed.phrases:
        run, reason = False, "the question has no word to look for"
    elif preset.optimizer and is_pure_time(parsed):
        run, reason = False, "a pure time question; its words are not in the memories"
    depth = search_depth(switches.per_limit, switches.at_least, around.limit)
    return Decision(run, reason, "bm25", depth, _share(parsed, switches))


def _share(parsed: Parsed, switches: LexicalSwitches) -> float:
    """Of its weight what it gets for a question of so many words, in a language.

    One word of three is soon met by chance; which share of twenty a unit has tells much. The
    encoders know English best: where they tell little, words tell the more.
    """
    counted = min(len(parsed.terms), _WORDS_MAX) - _WORDS_USUAL
    known = detect_language(parsed.question) in ("en", UNDECIDED)
    return max(1.0 + switches.per_word * counted, 0.0) * (1.0 if known else switches.foreign)


def analysis(preset: Preset) -> str | None:
    """As the preset says."""
    return None if preset.lexical is None else preset.lexical.analysis


def needs(query: Query, _step: RetrieverPlan, wanted: Prefetch) -> Prefetch:
    """The words' postings, and who stands next to what they find."""
    return replace(wanted, terms=terms_of(query), neighbours=_switches(query).neighbour_share > 0)


def why_missed(query: Query, step: RetrieverPlan, found: Retrieved, row: int) -> Explained:
    """What the unit's own words give it, and who was taken instead."""
    words, bank = word_query(query), query.bank
    ceiling = query.match_words(unquoted(words), limit=step.depth, scope=query.scope).ceiling
    score = min(bank.word_score(words, row) / max(ceiling, 1e-9), 1.0)
    if score <= 0:
        return missed(score, "it holds none of the words")
    unit = bank.hydrate_rows(one_row(row)).get(row)
    if words.phrases and len(found.rows) and unit is not None and not quotes(unit, words.phrases):
        return missed(score, "others say what the question quotes, and it does not")
    taken = peers(query, found, row, per_type=_switches(query).per_type)
    last = f", the last at {taken[-1]:.3f}" if len(taken) else ""
    return missed(score, f"its own words give it {score:.3f}; {len(taken)} are taken{last}")


def _switches(query: Query) -> LexicalSwitches:
    assert query.preset.lexical is not None, "the plan runs only what the preset has"
    return query.preset.lexical


LEXICAL = Retriever(
    "lexical",
    search,
    plan,
    needs,
    why_missed,
    analysis=analysis,
    hinted=True,
    unaided=True,
    scoped=True,
    signal=WORDS,
)
