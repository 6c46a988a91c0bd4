"""What an agent is told unasked: the memories that its next turn needs, as text, or nothing."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from scrubjay.answers import Recall
from scrubjay.bank import Bank
from scrubjay.errors import NotFound
from scrubjay.limits import QUESTION_CHARACTERS_MAX

# What an agent is told unasked must be to the point. A wrong memory costs it some tokens, a missed
# one the answer: what is as likely as one in five to be about the prompt is worth its room.
RELEVANCE_MIN = 0.2
ITEMS_MAX = 8
TOKENS_MAX = 2_048
_NAME_CHARACTERS_MAX = 60


def context_for(bank: Bank, question: str) -> str:
    """What a bank remembers that a turn needs, quoted for a prompt; "" for nothing."""
    if not question.strip():
        return ""
    try:
        found = worth_telling(
            bank.recall(question[:QUESTION_CHARACTERS_MAX], limit=ITEMS_MAX, max_tokens=TOKENS_MAX)
        )
    except NotFound:
        return ""  # a bank is made when something is told
    return found.as_context() if found.items else ""


def worth_telling(found: Recall) -> Recall:
    """An answer with only what an agent should be told unasked; mostly nothing."""
    # Where nothing is relevant at all, nor is the likeliest.
    return replace(
        found, items=tuple(item for item in found.relevant if item.relevance >= RELEVANCE_MIN)
    )


def answer_for(bank: Bank, question: str, limit: int = ITEMS_MAX) -> str:
    """What a tool says that was asked: all that was found, or that nothing is remembered."""
    try:
        return bank.recall(question, limit=limit, max_tokens=TOKENS_MAX).as_context()
    except NotFound:
        return "Nothing is remembered yet."


def bank_named(*parts: str) -> str:
    """The name of a bank for any identifiers, such as an application and a user; one for each."""
    digest = hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=6).hexdigest()
    name = re.sub(r"[^\w.-]+|\.\.+", "-", "-".join(parts)).strip("-._")[:_NAME_CHARACTERS_MAX]
    return f"{name}-{digest}" if name else digest
