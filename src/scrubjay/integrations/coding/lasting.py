"""Tells what a user wants in general from what they want of this project, task or choice."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from scrubjay.integrations.context import is_filler

# Who states what they prefer does it shortly; a longer text is about what is at hand.
_SENTENCES_MAX = 3
_CHARACTERS_MAX = 300
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
# Names from code are of one project, and so is what stands in a block of it.
_OF_CODE = re.compile(r"`|\w_\w|\w/\w|\b[a-z]+[A-Z]\w|#\d|\b\w+\.[a-z]{1,4}\b(?!\W*$)|\w\(\)|\d{3}")
_EDGES = " ,;:–-"


@dataclass(frozen=True, slots=True)
class _Language:
    """The expressions of a language; `lasting.toml` says what each is for."""

    everywhere: re.Pattern[str]
    always: re.Pattern[str]
    emphasis: re.Pattern[str]
    likes: re.Pattern[str]
    loves: re.Pattern[str]
    habits: re.Pattern[str]
    practice: re.Pattern[str]
    orders: re.Pattern[str]
    manner: re.Pattern[str]
    tied: re.Pattern[str]
    definite: re.Pattern[str]


# Found as whole words; the others begin a sentence, or say themselves where words end.
_WHOLE = frozenset({"everywhere", "always", "emphasis"})
_INSIDE = frozenset({"tied", "definite"})


def _compiled(name: str, expression: str) -> re.Pattern[str]:
    if name in _WHOLE:
        return re.compile(rf"\b(?:{expression})(?!\w)")
    return re.compile(rf"\b(?:{expression})" if name in _INSIDE else expression)


def _read_languages(path: Path) -> list[_Language]:
    tables = tomllib.loads(path.read_text(encoding="utf-8")).values()
    return [
        _Language(**{one.name: _compiled(one.name, words[one.name]) for one in fields(_Language)})
        for words in tables
    ]


_LANGUAGES = _read_languages(Path(__file__).with_suffix(".toml"))


def is_lasting(text: str) -> bool:
    """Whether a message states preferences of the user that hold in every repository, and no more.

    What is taken from one repository into all may be wrong in the next, or none of its business,
    and is told there again and again; what stays in its own is asked for once more at worst. So
    only what reads as general in itself is lasting: a kind of thing the user likes, or how they are
    to be talked with, and nothing that ties it to what is at hand.
    """
    if len(text) > _CHARACTERS_MAX:
        return False
    stated = [one for one in _SENTENCE_END.split(text.strip()) if not is_filler(one)]
    return 0 < len(stated) <= _SENTENCES_MAX and all(map(_is_lasting_sentence, stated))


def _is_lasting_sentence(written: str) -> bool:
    if written.rstrip().endswith("?"):
        return False
    sentence = written.strip().replace("’", "'")
    return any(_is_lasting_in(language, sentence) for language in _LANGUAGES)


def _is_lasting_in(language: _Language, written: str) -> bool:
    sentence = written.lower()
    everywhere = language.everywhere.search(sentence) is not None
    rest = language.everywhere.sub(" ", sentence)
    if language.tied.search(rest):
        return False
    if language.manner.match(rest):
        return True
    always = language.always.search(rest) is not None
    for expression in (language.always, language.emphasis):
        rest = expression.sub(" ", rest)
    rest = " ".join(rest.split()).strip(_EDGES)
    own = any(one.match(rest) for one in (language.likes, language.loves, language.habits))
    if everywhere:
        # It says itself how far it goes.
        return own or language.orders.match(rest) is not None
    if not own or language.definite.search(rest) or _OF_CODE.search(written):
        return False
    if always or language.loves.match(rest):
        return True
    # "I prefer Redis" answers a question about what is at hand as often as not.
    liked = language.likes.match(rest)
    return liked is not None and language.practice.search(rest, liked.end()) is not None
