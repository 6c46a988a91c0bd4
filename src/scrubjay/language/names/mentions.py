"""Finds the names a text mentions, by how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import attrgetter

from scrubjay.language.names.capitals import read_capitals
from scrubjay.language.names.folding import fold
from scrubjay.language.names.mention import Mention
from scrubjay.language.names.uncased import find_cjk_names, find_identifiers
from scrubjay.limits import ENTITIES_PER_UNIT_MAX

# Code is not prose: its capitals and underscores follow other rules.
_CODE_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


def find_mentions(text: str, *, speaker: str | None = None) -> tuple[Mention, ...]:
    """The names in a text, in order, not overlapping, at most `ENTITIES_PER_UNIT_MAX`.

    Capitals decide, with lists of words that are written with a capital for other reasons;
    `speaker` is believed to be a name wherever a sentence begins with it.
    """
    prose = text
    if "```" in text:
        prose = _masked(text, (block.span() for block in _CODE_BLOCK.finditer(text)))
    identifiers = tuple(find_identifiers(prose))
    found = [_mention(text, start, end, "identifier", 0.95) for start, end in identifiers]
    visible = _masked(prose, identifiers)
    known = frozenset(fold(speaker).split()) if speaker else frozenset()
    found += read_capitals(visible, known, text)
    found += [_mention(text, *span, 0.8) for span in find_cjk_names(visible)]
    found.sort(key=attrgetter("start"))
    return tuple(_without_overlaps(found))[:ENTITIES_PER_UNIT_MAX]


def _mention(text: str, start: int, end: int, kind: str, confidence: float) -> Mention:
    surface = text[start:end]
    return Mention(surface, fold(surface), kind, start, end, confidence)


def _masked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with these spans blanked and every other character at its place."""
    parts, at = [], 0
    for start, end in spans:
        # Commas, so that the words on both sides are not read as one name.
        parts += [text[at:start], "," * (end - start)]
        at = end
    return "".join([*parts, text[at:]]) if parts else text


def _without_overlaps(mentions: Iterable[Mention]) -> Iterator[Mention]:
    end = 0
    for mention in mentions:
        if mention.start >= end:
            yield mention
            end = mention.end
