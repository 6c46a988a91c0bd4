"""Counts the words of each draft for the word index, and its tokens for the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scrubjay.engine.retain.drafts import Draft, Words, filling
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.tokens import estimate_tokens
from scrubjay.settings import PREDICATE_WEIGHT
from scrubjay.types.units import StoredUnit, Unit

_worded = filling("words")


def count_words(drafts: Sequence[Draft], analyzer: Analyzer) -> list[Draft]:
    """The drafts with their words."""
    return [_worded(draft, words_of(draft.unit, analyzer)) for draft in drafts]


def words_of(unit: Unit | StoredUnit, analyzer: Analyzer) -> Words:
    """What the word index keeps of a unit: its text, who said it, and its predicate, weighted."""
    said = analyzer.document_terms(spoken(unit))
    terms = Counter(said)
    predicate = analyzer.document_terms(unit.predicate) if unit.predicate else []
    for term in predicate:
        terms[term] += PREDICATE_WEIGHT
    return Words(terms, len(said) + len(predicate), estimate_tokens(unit.text))


def spoken(unit: Unit | StoredUnit) -> str:
    """A unit's text, after the name of who said it."""
    return unit.text if unit.speaker is None else f"{unit.speaker}: {unit.text}"
