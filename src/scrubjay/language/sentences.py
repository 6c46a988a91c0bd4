"""Cutting a long text into spans at the best places there are."""

from __future__ import annotations

import re
from functools import cache

from scrubjay.errors import BadInput
from scrubjay.language.stopwords import WORDS_FOLDER, read_lists

# A cut this early in its span would leave crumbs; the next best kind of place is taken instead.
_SPAN_SHARE_MIN = 0.25

# Possessive, and starting only where a run starts, so that no run is walked twice.
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*+\n\s*+")
_SENTENCE_END = re.compile(
    r"(?<![.!?…])(?P<stop>[.!?…]++)[\"'”’»)\]]*+\s++|(?<![。！？।؟۔])[。！？।؟۔]++[」』”’）】]*+\s*+"
)
_LINE_END = re.compile(r"\n\s*+")
_WORD_END = re.compile(r"\s++|(?<=[-–—/、，；])(?=\w)")
_INK = re.compile(r"\S")

_WORD_BEFORE = re.compile(r"[^\W_]+(?:\.[^\W_]+)*$")
_WORD_CHARACTERS_MAX = 16

# A cut in front of one of these would tear a character from its accent or an emoji apart.
_CLINGING = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u200d\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]|(?<=\u200d)"
)
_CLINGING_MAX = 16


def cut_text(text: str, *, characters_max: int) -> tuple[tuple[int, int], ...]:
    """Spans that tile the text in order, each of at most `characters_max` characters.

    Cut behind a paragraph, else a sentence, else a line, else a word, else anywhere; white space
    stays with what is before it. No span is only white space, unless a run of white space is as
    long as a span. An empty text has no spans. Linear in the length of the text.
    """
    if characters_max < 1:
        raise BadInput("A span needs room", characters_max, "Use characters_max of 1 or more.")
    spans = []
    start, end = 0, len(text)
    inked = len(text.rstrip())
    while end - start > characters_max:
        limit = start + characters_max
        if start < inked - 1 < limit:
            # Leave a character for the white space at the end to stand with.
            limit = inked - 1
        cut = _best_cut(text, start, limit)
        spans.append((start, cut))
        start = cut
    if start < end:
        spans.append((start, end))
    return tuple(spans)


def _best_cut(text: str, start: int, limit: int) -> int:
    ink = _INK.search(text, start, limit)
    if not ink:
        return limit
    worthwhile = max(ink.end(), start + int((limit - start) * _SPAN_SHARE_MIN))
    return (
        _last_end(_PARAGRAPH_END, text, worthwhile, limit)
        or _last_sentence_end(text, worthwhile, limit)
        or _last_end(_LINE_END, text, worthwhile, limit)
        or _last_end(_WORD_END, text, ink.end(), limit)
        or _anywhere(text, ink.end(), limit)
    )


def _last_end(ending: re.Pattern[str], text: str, first: int, limit: int) -> int | None:
    ends = [match.end() for match in ending.finditer(text, first, limit)]
    return ends[-1] if ends else None


def _last_sentence_end(text: str, first: int, limit: int) -> int | None:
    for match in reversed(list(_SENTENCE_END.finditer(text, first, limit))):
        if match["stop"] != "." or _ends_sentence(text, match.start(), match.end()):
            return match.end()
    return None


def _ends_sentence(text: str, stop: int, after: int) -> bool:
    """Whether the full stop at `stop` ends a sentence rather than an abbreviation or a number."""
    if text[after : after + 1].islower():
        return False
    before = _WORD_BEFORE.search(text, max(0, stop - _WORD_CHARACTERS_MAX), stop)
    if not before:
        return True
    word = before.group().casefold()
    numbered = word.isdigit() and text[before.start() - 1 : before.start()] in {"", "\n"}
    return not (numbered or word in _abbreviations() or (len(word) == 1 and word.isalpha()))


@cache
def _abbreviations() -> frozenset[str]:
    lists = read_lists(WORDS_FOLDER / "abbreviations.txt")
    return frozenset(word for words in lists.values() for word in words)


def _anywhere(text: str, first: int, limit: int) -> int:
    for cut in range(limit, max(first, limit - _CLINGING_MAX), -1):
        if not _CLINGING.match(text, cut):
            return cut
    return limit
