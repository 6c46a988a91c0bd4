"""The phrases in which a text states a preference or an opinion."""

from __future__ import annotations

import re


class Phrases:
    """Phrases of a lowered text, by an expression and the pieces that a text with one must hold.

    Every match holds one of the pieces, which are given in one text with bars between them. Most
    texts hold none, and that shows in a twentieth of the time that the expression takes.
    """

    __slots__ = ("_expression", "_pieces")

    def __init__(self, pieces: str, expression: str) -> None:
        self._pieces = tuple(pieces.split("|"))
        self._expression = re.compile(expression)

    def find(self, lowered: str) -> str | None:
        """The first of the phrases in a text."""
        if not any(map(lowered.__contains__, self._pieces)):
            return None
        found = self._expression.search(lowered)
        return None if found is None else found.group()


STATED_PREFERENCE = Phrases(
    "prefer|favo|d rather|d much rather|d like|d love|d hate|d really |my default|my usual|my go-to"
    "|fan |fond |keen |partial |t stand|from now on|by choice|always wanted|always wished"
    "|always dream|long wanted|long wished|long dream",
    r"\bprefer(?:s|red|ence|ences|ably)?\b|(?<!was my )(?<!were my )\bfavou?rites?\b"
    r"|(?:\bwould|'d) (?:much )?rather\b"
    r"|(?:\bwould|'d) (?:really )?(?:like|love|hate)\b|\bmy (?:default|usual|go-to)\b"
    r"|(?:\bis|\bare|'m|\bam|'s) (?:not )?(?:an? (?:big )?fan|fond|keen|partial) (?:of|on|to)\b"
    r"|\bcan(?:'t|not) stand\b|\bby choice\b"
    r"|\bfrom now on\b"
    r"|\b(?:always|long) (?:wanted|wished|dream(?:ed|t) of)\b",
)
HABIT = Phrases(
    "usually|normally|typically|generally|tend|always|never",
    r"\b(?:i|he|she|they|we|user) "
    r"(?:usually|normally|typically|generally|tends? to|always|never) "
    r"(?:go|choose|pick|opt|order|take|drink|eat|buy|sit|stick|wear|avoid|use|listen|watch|read)"
    r"(?:e?s)?\b",
)
OPINION = Phrases(
    "in my |in his |in her |in their |in our |if you ask me|honest|frankly|personally|arguably"
    "|imho|imo|it seems |feel that|feels that|sure that|certain that|agree that|agrees that"
    "|not sure|feel like|feels like|i feel|convinced|eptical|doubtful|of the opinion|regard "
    "|regards |view |views |see |sees |the key to|the secret to|matters mo|waste of|worth | should",
    r"\b(?:in (?:my|his|her|their|our) (?:view|opinion|book|experience)\b|if you ask me\b"
    r"|it seems (?:to me|that|like)\b|(?:feels?|sure|certain|agrees?) that\b|not sure\b"
    r"|feels? like\b|i feel\b|(?:convinced|sceptical|skeptical|doubtful|of the opinion)\b"
    r"|(?:regards?|views?|sees?) .+ as\b|the (?:key|secret) to\b|matters (?:more|most)\b"
    r"|waste of\b|worth (?:it|the|every|paying|\w+ing)\b"
    r"|(?:people|everyone|everybody|companies|nobody|society|they|we|you|one) should(?:n't)?\b)"
    r"|^(?:honestly|frankly|personally|arguably|to be honest|imho|imo)\b",
)
