"""Tells which kind of value a question asks for, and whether a text gives one; in English."""

from __future__ import annotations

import re

from scrubjay.language.told_values import number_words, values_of

# Each with its article, to be read behind "gives"; the first that fits is what is asked for.
_ASKED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(expression, re.IGNORECASE))
    for kind, expression in (
        ("a phone number", r"\b(?:phone|telephone|mobile|cell) number\b"),
        ("a time of day", r"\b(?:what|which) time\b"),
        ("a day", r"\b(?:what|which) (?:day|date)\b"),
        (
            "a price",
            r"\bhow much (?:money|does|did|do|is|was|are|were)\b"
            r"|\bwhat (?:does|did|do|is|was)\b.{0,80}\b(?:cost|price|fee|rent|salary|deposit)\b",
        ),
        (
            "a number",
            r"\bhow (?:many|much|long|old|far|tall|heavy)\b|\bwhat (?:number|percentage)\b",
        ),
    )
)
# Any number may be a price, a time or a day: only a text without any is sure to give none.
_ANY_NUMBER = re.compile(rf"\d|\b(?:{number_words()}|hundred|thousand|half|dozen)\b", re.IGNORECASE)


def asked_value(question: str) -> str | None:
    """The kind of value that a question asks for, as one says it; None: none that is known."""
    return next((kind for kind, expression in _ASKED if expression.search(question)), None)


def gives_value(kind: str, text: str) -> bool:
    """Whether a text may give a value of a kind; only where it surely does not, False."""
    if kind == "a phone number":
        return "phone" in values_of(text)
    return _ANY_NUMBER.search(text) is not None or bool(values_of(text))
