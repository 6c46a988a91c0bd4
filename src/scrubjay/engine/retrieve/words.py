"""The question's words: what they match, what they quote, and what they exclude."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.engine.retrieve.query import NOTHING, Exclusion, Query, Retrieved
from scrubjay.language.analyzer import Analysis, Analyzer
from scrubjay.store.base import BankReader, Hits, Scope, WordQuery
from scrubjay.store.shared.bm25 import Corpus
from scrubjay.types.arrays import RowArray
from scrubjay.types.units import StoredUnit


def word_query(query: Query) -> WordQuery:
    """The question's words as the store takes them."""
    parsed = query.parsed
    return WordQuery(parsed.terms, parsed.phrases, parsed.none_of)


def unquoted(words: WordQuery) -> WordQuery:
    """The same words, without regard to quotations."""
    return replace(words, phrases=()) if words.phrases else words


def terms_of(query: Query) -> tuple[str, ...]:
    """Every word whose postings a search for the question's words reads."""
    words = word_query(query)
    quoted = [term for phrase in words.phrases for term in phrase]
    return tuple(dict.fromkeys([*words.terms, *words.none_of, *quoted]))


def best_words(query: Query, *, limit: int, scope: Scope) -> Retrieved:
    """The best units of a scope by words alone, quotations aside."""
    words = unquoted(word_query(query))
    if not words.terms:
        return NOTHING
    return scaled(query.match_words(words, limit=limit, scope=scope))


def said_share(query: Query) -> float:
    """Of what the question's words weigh, the share of those that say what it is about.

    1 unless the preset asks for every word as it stands: "how" and "was" weigh there too.
    """
    asked, terms = query.parsed, query.parsed.terms
    if query.preset.lexical is None or query.preset.lexical.analysis != Analysis.SIMPLE:
        return 1.0
    about = set(Analyzer().query_terms(asked.question).any_of)
    holders, corpus = query.bank.holders(terms), Corpus(query.bank.unit_count())
    weights = {term: corpus.weight(holders.get(term, 0)) for term in terms}
    said = sum(weight for term, weight in weights.items() if term in about)
    return said / sum(weights.values()) if said else 1.0


def scaled(hits: Hits) -> Retrieved:
    """BM25 divided by what a unit of average length that holds every word once would get."""
    ceiling = max(hits.ceiling, 1e-9)
    if len(hits.scores):
        # A short unit that repeats the words can pass the ceiling; its lead is kept.
        ceiling = max(ceiling, float(hits.scores[0]))
    return Retrieved(hits.rows, (hits.scores / ceiling).astype(np.float32))


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
