"""Whether a question asks to do something, rather than for what is remembered; in English."""

from __future__ import annotations

import re

from scrubjay.language.names.lists import VERBS
from scrubjay.language.unit_types import type_words

_POLITE = (
    r"(?:please|kindly|now|then|ok|okay|(?:can|could|would|will) you(?: please)?"
    r"|i (?:want|need) you to)"
)
_FIRST = re.compile(rf"\W*(?:{_POLITE}\b,?\s*)*([a-z]+)\b", re.IGNORECASE)
# One who asks how to go about it is about to do it.
_ABOUT_TO = re.compile(r"\b(?:how|what) (?:should|shall) (?:i|we)\b", re.IGNORECASE)
# Orders that are questions: they ask for what is known.
_ASKING = frozenset(
    [
        "tell",
        "show",
        "list",
        "name",
        "remind",
        "recall",
        "remember",
        "find",
        "search",
        "look",
        "give",
        "get",
        "help",
        "let",
        "explain",
        "describe",
        "summarise",
        "summarize",
        "know",
        "need",
        "want",
        "mean",
        "do",
        "have",
        "count",
        "compare",
        "check",
        "see",
        "say",
        "walk",
    ]
)


def asks_to_do(question: str) -> bool:
    """Whether an order opens the question, or it asks how something should be done."""
    first = _FIRST.match(question)
    verb = "" if first is None else first.group(1).casefold()
    order = verb not in _ASKING and (verb in VERBS or verb in type_words("order_verb"))
    return order or _ABOUT_TO.search(question) is not None
