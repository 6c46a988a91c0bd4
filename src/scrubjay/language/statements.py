"""What a text states: its sentences without those that ask, greet or thank."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.language.clauses import sentences_in

# A type, or an instruction, shows in the first sentences; the rest of a long text only costs time.
CHARACTERS_READ = 600
SENTENCES_READ = 4

_AUXILIARY = r"(?:can|could|do|does|did|would|will|should|is|are|was|were|have|has|am)(?:n't)?"
_WHO = r"(?:i|you|we|they|he|she|it|this|that|there|the|my|your)"
# "..., can you help me?" behind what is stated; and a sentence that asks without its sign.
_TAIL = re.compile(
    rf"(?:[,;:–-]\s*|\s)(?:and |so |but )?(?:{_AUXILIARY} {_WHO}\b"
    rf"|(?:how|what|which|who|where|when|why)(?:'s|\b.{{0,40}}? (?:{_AUXILIARY}|to)\b)|any\b)",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:(?:hm+|so|and|but|ok|okay|well|hey|oh|also|yeah|wow|cool)\b[, ]*)*"
    r"(?!which (?:is|was) (?:\w+ )?why\b)"
    rf"(?:{_AUXILIARY} {_WHO}\b"
    r"|(?:how|why|which|whose|who|where|what)(?:'s| (?:\w+ )?"
    rf"(?:{_AUXILIARY}|if|about|kind)\b))",
    re.IGNORECASE,
)
_PLEASANTRY = re.compile(
    r"\W*(?:(?:oh|wow|yeah|yes|aww|well|so|hey|hi|hello|haha|cool|okay|ok|no problem|sure)\b\W*)*"
    r"(?:(?:thanks?|thank you|congrat\w*|welcome|cheers|bye|good (?:luck|morning|night|evening)"
    r"|sorry|take care|talk to you|see you|let me know|keep (?:it )?up|i bet|couldn't agree"
    r"|i couldn't agree|i agree|got it|no worries|glad|proud of you|can't wait)\b.*"
    r"|(?:that|it|this)(?:'s| is| was| sounds| looks| seems)? (?:\w+ ){0,2}?"
    r"(?:great|good|nice|awesome|amazing|cool|fine|okay|lovely|fun|wonderful|sense)\b"
    r"(?:[^\w]*\w*){0,3}\W*)?",
    re.IGNORECASE,
)


def statements_of(opening: str) -> Iterator[str]:
    """The first sentences of a text that state something, at most `SENTENCES_READ`."""
    number = 0
    for start, end, asks in sentences_in(opening, CHARACTERS_READ):
        sentence = opening[start:end].strip()
        if asks or _ASKING.match(sentence):
            sentence = _stated_before(sentence)
        if not sentence or _PLEASANTRY.fullmatch(sentence):
            continue
        yield sentence
        number += 1
        if number == SENTENCES_READ:
            return


def _stated_before(sentence: str) -> str:
    """What a sentence states before it asks; empty for one that only asks."""
    if _ASKING.match(sentence):
        return ""
    tail = _TAIL.search(sentence)
    stated = sentence[: tail.start()] if tail is not None else ""
    return stated if len(stated.split()) >= _STATED_WORDS_MIN else ""


# Fewer are an address ("John, ...") or an opening ("I wonder").
_STATED_WORDS_MIN = 4
