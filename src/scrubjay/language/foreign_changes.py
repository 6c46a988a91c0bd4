"""The words for a change, and for what was before it, in languages other than English."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scrubjay.language.detection import UNDECIDED, detect_language

# What a question may ask for of something that changed.
_ASKED = ("first", "before", "all", "again", "was")
_DATA = Path(__file__).with_name("data") / "changes.toml"


@dataclass(frozen=True, slots=True)
class ForeignWords:
    """What one language says of a change."""

    language: str
    cues: frozenset[str]  # in lower case; a text without any says nothing of a change
    now: re.Pattern[str]
    ended: re.Pattern[str]
    changed: re.Pattern[str]  # to another day, place or value, which the clause names
    asked: Mapping[str, re.Pattern[str]]  # in questions, by what they ask for


def foreign_words(text: str, terms: Collection[str]) -> ForeignWords | None:
    """The words of a text's language, where they may say that something changed; English has none.

    `terms` are the words of the text as the index has them. Of a short text whose language cannot
    be told, it is the one in which the text says so.
    """
    if _all_cues().isdisjoint(terms):
        return None
    lowered = text.lower()
    likely = (words for words in _likely(text) if not words.cues.isdisjoint(terms))
    return next(
        (
            each
            for each in likely
            if any(said.search(lowered) for said in (each.now, each.ended, each.changed))
        ),
        None,
    )


def words_of_question(question: str) -> frozenset[str]:
    """What a question in one of these languages asks for: "before", "first", "all", "again", "was".

    Several, where it has words for several; none, of a question for what holds.
    """
    lowered = question.lower()
    return frozenset(
        name
        for words in _likely(question)
        for name, expression in words.asked.items()
        if expression.search(lowered)
    )


def _likely(text: str) -> Iterable[ForeignWords]:
    language = detect_language(text)
    if language == UNDECIDED:
        return _words().values()
    return [words for words in (_words().get(language),) if words is not None]


@cache
def _words() -> Mapping[str, ForeignWords]:
    data = tomllib.loads(_DATA.read_text(encoding="utf-8"))
    return {
        language: ForeignWords(
            language,
            frozenset(given["cues"]),
            now=_any(given["now"]),
            ended=_any(given["ended"]),
            changed=_any(given["changed"]),
            asked={name: _any(given[name]) for name in _ASKED},
        )
        for language, given in data.items()
    }


@cache
def _all_cues() -> frozenset[str]:
    return frozenset[str]().union(*(words.cues for words in _words().values()))


def _any(expressions: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(expressions)})(?!\w)")
