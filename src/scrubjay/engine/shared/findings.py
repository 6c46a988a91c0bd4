"""How much of what an assistant said is a finding, and not an offer, a receipt or advice."""

from __future__ import annotations

import re

from scrubjay.language.names.lists import VERBS
from scrubjay.language.statements import CHARACTERS_READ, statements_of

_FIRST_WORD = re.compile(
    r"\W*(?:(?:so|then|and|also|now|well|yes|no|ok|okay)\b\W*)*([a-z']+)", re.IGNORECASE
)
# It says that it heard, what it could or will do, or what one might do: nothing that is so.
# English.
_RECEIPT = re.compile(
    r"\W*(?:noted|saved|recorded|stored|understood|remembered|got it|sure|certainly|absolutely"
    r"|of course|gladly|good (?:idea|question|point)|great|perfect|happy to|as you wish"
    r"|will do)\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:i|we) (?:can|could|will|would|might|shall|'ll)\b|\b(?:i|we)'(?:ll|d)\b|\blet me\b"
    r"|\bi(?:'m| am) (?:happy|glad|sorry|here)\b|\bi (?:suggest|recommend|advise|propose)\b"
    r"|\byou(?:'ll| will| can| could| may| might| should| need| want| must| have to)\b"
    r"|\bif you (?:want|like|need|prefer|wish)\b|\bhere (?:are|is)\b"
    r"|\b(?:should|could|might|consider)\b",
    re.IGNORECASE,
)


def finding_share(text: str) -> float:
    """Of the first sentences of a text the share, by words, that states what was found or done."""
    opening = text.strip()[:CHARACTERS_READ]
    said = len(opening.split())
    found = sum(len(one.split()) for one in statements_of(opening) if _is_finding(one))
    return found / said if said else 0.0


def _is_finding(sentence: str) -> bool:
    first = _FIRST_WORD.match(sentence)
    # "Put a note in the notebook": an order, for no sentence that states begins with its verb.
    order = first is not None and first.group(1).casefold() in VERBS - _PASTS
    return not (order or _RECEIPT.match(sentence) or _OFFER.search(sentence))


# Both an order and a report: "Found it", "Left the rest as it was".
_PASTS = frozenset(["found", "left", "set", "cut", "split", "read", "saw", "ground"])
