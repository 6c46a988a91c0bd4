"""Cuts clauses out of a text: the one before a place, the one behind it, without joining words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.language.alternatives import any_said

Span = tuple[int, int]

# Each alternative begins with a sign or a space, without which no other is tried.
_BUT = r"(?:but|although|even though|though|whereas|however)\s"
_SEPARATOR = re.compile(rf";|:|\s[-–—]+\s|—|\s(?:[,–-]?\s)?{_BUT}|[,–-]\s{_BUT}", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:\s+|(?:yeah|yes|yep|yup|oh|ooh|wow|well|so|and|but|also|hey|haha|aww|ok|okay|plus|anyway"
    r"|finally|luckily|thankfully|unfortunately|honestly|actually|then|of course|by the way"
    r"|the (?:main |real |only )?reason(?: why| that| for| behind)?)(?![\w'’])[,!]?\s*"
    r"|(?:no|nah|right|sure|thanks)[,!]\s*|(?-i:[A-Z])\w+,\s+(?=\w))+",
    re.IGNORECASE,
)
# Longer than any word that the expressions for the end of a clause ask for.
_LAST_WORD_MAX = 16
_CLOSING_WORDS = (
    "which", "that", "who", "and", "has", "have", "had", "is", "are", "was", "were", "be", "been",
    "being", "it['’]s", "feel", "feels", "felt", "feeling", "really", "just", "always", "also",
    "even", "often", "still", "totally", "kinda", "partly", "largely", "mainly", "mostly",
    "primarily", "probably", "potentially", "eventually", "ultimately", "usually", "sometimes",
    "thus", "thereby", "all", "can", "by", "for",
)  # fmt: skip
_CLOSING = re.compile(rf"\b{any_said(_CLOSING_WORDS)}\Z", re.IGNORECASE)
_CONTRACTED = re.compile(r"['’](?:s|ve|re|d|m)$")
_SUBJECT = re.compile(r"(?:it|this|that|these|those|they)\b", re.IGNORECASE)


def last_clause(text: str, span: Span) -> Span:
    """The last clause of what stands before a connective."""
    start, end = span
    for separator in _SEPARATOR.finditer(text, start, end):
        first, last = trimmed(text, (separator.end(), end))
        if first < last:
            start = separator.end()
    return start, end


def first_clause(text: str, span: Span) -> Span:
    """The first clause of what stands behind a connective, trimmed."""
    separator = _SEPARATOR.search(text, *span)
    return trimmed(text, (span[0], separator.start() if separator else span[1]))


def ends_so(ending: re.Pattern[str], written: str) -> bool:
    """Whether a text ends so; only its last words are looked at."""
    return ending.search(written, max(0, len(written.rstrip()) - _LAST_WORD_MAX)) is not None


def trimmed(text: str, span: Span) -> Span:
    """A span without interjections at its start and without joining words at its end."""
    start, end = span
    opening = _OPENING.match(text, start, end)
    if opening is not None:
        start = opening.end()
    closed = _closing(text, start, end)
    if closed == end:
        contracted = _CONTRACTED.search(text, start, end)
        return start, contracted.start() if contracted is not None else end
    if closed == start:  # "That always" is a pronoun, not only joining words
        pronoun = _SUBJECT.match(text, start, end)
        return start, pronoun.end() if pronoun is not None else start
    return start, closed


def _closing(text: str, start: int, end: int) -> int:
    """Where the joining words and commas at the end of a span begin; its end if there are none."""
    while True:
        written = text[start:end]
        while (shorter := written.rstrip().rstrip(",–—-")) != written:
            written = shorter
        end = start + len(written)
        word = _CLOSING.search(text, max(start, end - _LAST_WORD_MAX), end)
        if word is None:
            return end
        end = word.start()


# A full stop ends a sentence unless it closes an abbreviation such as "Dr." or an initial.
# The sign comes first and what it asks of its neighbours behind it: so a search skips to the signs.
_SENTENCE_END = re.compile(
    r"[.!?\n。！？](?:(?<=[.!?])(?<!\b[A-Z][a-z].)(?<!\b[A-Z].)[.!?]*(?=[\s\"'”’)]|$)"
    r"|(?<=[!?])[!?]*(?=\s|$)|(?<=[\n。！？])[\n。！？]*)"
)


def sentences_in(text: str, characters_max: int) -> Iterator[tuple[int, int, bool]]:
    """Start, end and whether it asks, of each sentence."""
    limit = min(len(text), characters_max)
    start = 0
    for match in _SENTENCE_END.finditer(text, 0, limit):
        if match.start() > start:
            yield start, match.start(), "?" in match.group() or "？" in match.group()
        start = match.end()
    if start < limit:
        yield start, limit, False
