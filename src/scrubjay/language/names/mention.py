"""What is known of a name that was found in a text."""

from __future__ import annotations

from typing import NamedTuple


class Mention(NamedTuple):
    """A name found in a text; `text` is `source[start:end]`, without title or possessive.

    A tuple, because several are made for every text and a frozen dataclass takes thrice the time.
    """

    text: str
    folded: str
    kind: str  # person, place, organisation, project, identifier, or name where nothing tells
    start: int
    end: int
    confidence: float  # in [0.5, 1]
    title: str = ""  # folded, such as "dr"; empty where none was written
