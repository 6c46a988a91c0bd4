"""Finds units by words: BM25 over text and predicate, with phrases and exclusions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scrubjay.answers import Parsed, RetrieverPlan
from scrubjay.engine.retrieve.arms import searched
from scrubjay.engine.retrieve.neighbours import lend
from scrubjay.engine.retrieve.query import NOTHING, Exclusion, Found, Query
from scrubjay.language.analyzer import Analyzer
from scrubjay.store.base import BankReader, Hits, Scope, WordQuery
from scrubjay.types import RowArray, StoredUnit

# From this many units on, neighbours get their whole share.
_LENDING_UNITS = 100
# A phrase is verified in the text of this many times more candidates than are wanted.
_PHRASE_OVERFETCH = 5


def word_query(query: Query) -> WordQuery:
    """The question's words as the store takes them."""
    parsed = query.parsed
    return WordQuery(parsed.terms, parsed.phrases, parsed.none_of)


def lexical(query: Query, step: RetrieverPlan) -> Found:
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
            return _found(query, words, quoting)
    words = _unquoted(words)
    hits = _matching(query, words, step.depth)
    share = _lent_share(query)
    if share:
        hits = lend(query.bank, hits, share, step.depth)
        allowed = query.allowed(hits.rows)
        hits = Hits(hits.rows[allowed], hits.scores[allowed])
    return _found(query, words, hits)


def _unquoted(words: WordQuery) -> WordQuery:
    return replace(words, phrases=()) if words.phrases else words


def _lent_share(query: Query) -> float:
    switches = query.preset.lexical
    if switches is None:
        return 0.0
    # In a small bank everything is next to a hit, and a share for everyone tells nothing.
    return switches.neighbour_share * min(1.0, query.bank.unit_count() / _LENDING_UNITS)


def best_words(query: Query, *, limit: int, scope: Scope) -> Found:
    """The best units of a scope by words alone, quotations aside, scored as `lexical` scores."""
    words = _unquoted(word_query(query))
    if not words.terms:
        return NOTHING
    return _found(query, words, query.match_words(words, limit=limit, scope=scope))


def _found(query: Query, words: WordQuery, hits: Hits) -> Found:
    ceiling = max(query.bank.word_ceiling(words), 1e-9)
    if len(hits.scores):
        # A short unit that repeats the words can pass the ceiling; its lead is kept.
        ceiling = max(ceiling, float(hits.scores[0]))
    return Found(hits.rows, (hits.scores / ceiling).astype(np.float32))


def _matching(query: Query, words: WordQuery, limit: int) -> Hits:
    switches = query.preset.lexical
    return searched(
        query,
        lambda scope: query.match_words(words, limit=limit, scope=scope),
        per_type=switches is not None and switches.per_type,
    )


def _quoting(query: Query, words: WordQuery, depth: int) -> Hits:
    """The matches whose text or predicate holds every quotation, word for word."""
    hits = _matching(query, words, depth * _PHRASE_OVERFETCH)
    units = query.bank.hydrate_rows(hits.rows)
    keep = np.array(
        [row in units and quotes(units[row], words.phrases) for row in hits.rows.tolist()],
        np.bool_,
    )
    return Hits(hits.rows[keep][:depth], hits.scores[keep][:depth])


def quotes(unit: StoredUnit, phrases: Sequence[tuple[str, ...]]) -> bool:
    """Whether a unit's text or predicate holds every quotation, word for word."""
    analyzer = Analyzer("simple")
    told = [_in_line(analyzer.surface_terms(text)) for text in (unit.text, unit.predicate) if text]
    return all(any(_in_line(phrase) in line for line in told) for phrase in phrases)


def exclusions(bank: BankReader, parsed: Parsed) -> tuple[Exclusion, ...]:
    """The units that say what the question does not want, for each such word and phrase."""
    if not (parsed.none_of or parsed.none_of_phrases):
        return ()
    wanted = [(word,) for word in parsed.none_of] + list(parsed.none_of_phrases)
    return tuple(Exclusion(" ".join(words), _saying(bank, words)) for words in wanted)


def _saying(bank: BankReader, words: tuple[str, ...]) -> RowArray:
    phrases = (words,) if len(words) > 1 else ()
    hits = bank.match_words(WordQuery(words, phrases), limit=bank.row_limit() + 1, scope=Scope())
    if not phrases:
        return np.sort(hits.rows)
    units = bank.hydrate_rows(hits.rows)
    return np.array(sorted(row for row in units if quotes(units[row], phrases)), np.int64)


def _in_line(terms: Sequence[str]) -> str:
    """Words as one text, each between spaces, which no word holds; it is searched natively."""
    return f" {' '.join(terms)} "
