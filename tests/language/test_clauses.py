"""Clauses are cut where the text joins them, and lose the words that only join."""

import pytest

from scrubjay.language.clauses import first_clause, last_clause, trimmed


def _cut(text: str, span: tuple[int, int]) -> str:
    return text[span[0] : span[1]]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Well, the pump failed ", "the pump failed"),
        ("the pump failed, which is mostly", "the pump failed"),
        ("the pump failed —, and that ", "the pump failed"),
        ("the pump's", "the pump"),
        ("the well-being", "the well"),
        ("the pump works by design", "the pump works by design"),
        ("that always", "that"),
        ("", ""),
    ],
)
def test_joining_words_at_the_ends_are_left_out(text: str, kept: str) -> None:
    assert _cut(text, trimmed(text, (0, len(text)))) == kept


def test_the_last_clause_begins_behind_the_last_separator_that_leaves_something() -> None:
    text = "it rained; but the pump ran: "
    assert _cut(text, last_clause(text, (0, len(text)))).strip() == "the pump ran:"


def test_the_first_clause_ends_at_the_first_separator() -> None:
    text = "the valve stuck; nobody saw it"
    assert _cut(text, first_clause(text, (0, len(text)))) == "the valve stuck"
