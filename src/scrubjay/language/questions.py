"""Tells turns that only ask from turns that say something."""

from __future__ import annotations

import re

from scrubjay.language.clauses import sentences_in

# A longer one tells much of what it asks about.
_WORDS_MAX = 20
# So much of a turn may be a greeting, or a word of thanks.
_SAID_SHARE = 0.25
_OF_QUESTIONS = re.compile(
    r"\b(?:ask(?:s|ed|ing)?|questions?|wonder(?:s|ed|ing)?|fragt?e?n?|gefragt|demand(?:e[rs]?|é)"
    r"|pregunt(?:a|as|é|ó|aron)|chie(?:de|sto)|pergunt(?:a|ei|ou))\b",
    re.IGNORECASE,
)


def only_asks(text: str) -> bool:
    """Whether a turn is a short question and hardly anything else."""
    if not text.rstrip().endswith(("?", "？")) or len(text.split()) > _WORDS_MAX:
        return False
    said = sum(end - start for start, end, asks in sentences_in(text, len(text)) if not asks)
    return said <= _SAID_SHARE * len(text)


def is_of_questions(question: str) -> bool:
    """Whether it is asked what somebody asked."""
    return _OF_QUESTIONS.search(question) is not None
