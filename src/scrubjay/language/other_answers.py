"""Tells whether, of two texts that a question finds, one gives another answer than the other."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache, lru_cache
from typing import NamedTuple

from scrubjay.language.contrast import are_two_things, stems_of
from scrubjay.language.stopwords import language_words, noise_words
from scrubjay.language.told_values import day_names, month_names, number_words


class Wanted(Enum):
    """What a question asks for, as far as one can tell two answers to it apart."""

    NAME = "name"  # who, where, which
    DAY = "day"
    AMOUNT = "amount"


# English, German, French, Spanish. A question for when something began is answered by what was
# told of its beginning.
_DAY = re.compile(
    r"^\W*(?:\w+\W+){0,2}(?<!since )(?<!seit )(?<!depuis )(?<!desde )(?:when|wann|quand|cuándo)\b"
    r"|\b(?:what|which|welche[mnrs]?|quel|qué) (?:day|date|time|tag|jour|día|hora)\b"
    r"|\b(?:quelle heure|how (?:late|early))\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\b(?:how (?:much|many|long|often|warm|big|large|high)|wie ?viele?|wie (?:hoch|oft|lange|groß)"
    r"|combien|cuánt[oa]s?)\b"
    r"|\b(?:what|was|que)\b.{1,60}\b(?:costs?|charge|pay|price|fee|rent|rate|limit|budget|kostet"
    r"|kosten|berechnen|zahlen|coûtent?|cuestan?)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"^\W*(?:(?:and|so|but|at|by|for|from|in|on|to|with|und|an|bei|mit|von|et|à|chez|de|y|a|con"
    r"|en)\s+)?(?:whom?|whose|where|which|we(?:r|m|n|ssen)|wo|woher|wohin|welche[mnrs]?|qui|où"
    r"|quel(?:le)?s?|quién(?:es)?|dónde|cuál(?:es)?)\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\d(?:[\d.,:]*\d)?|[^\W\d_]+(?:-[^\W\d_]+)*|[.!?:](?=\s)")
_WEEKDAYS = {form: day for day in day_names() for form in (day, f"{day}s")}
_MONTHS = frozenset(month_names().split("|"))
_VERBS_TOO = frozenset({"may", "march", "mar", "mars"})  # unless they have a capital
_ENDS = frozenset(".!?:")
# In German what has an article is a noun, which is written with a capital, and seldom a name.
_GERMAN_ARTICLES = frozenset(
    "der die das den dem des zum zur im am beim vom ins ein eine einen einem einer eines".split()  # noqa: SIM905
)
_SMALL_NUMBERS = frozenset(number_words().split("|")) - {"one", "two"}
# Of what the older has of the question's words the newer has this share, where both give a value;
# and so many of the words of the shorter are in the other.
_ASKED_SHARE = 0.5
_SHARED_MIN = {Wanted.NAME: 0.15, Wanted.DAY: 0.2, Wanted.AMOUNT: 0.2}
# A longer text tells of many things.
_CHARACTERS_MAX = 220


class _Read(NamedTuple):
    """What a text gives to whoever asks for a name, a day or an amount, all in lower case."""

    names: frozenset[str]  # what is written with a capital inside a sentence
    maybe: frozenset[str]  # and what begins one
    words: frozenset[str]
    days: frozenset[str]
    numbers: frozenset[str]


def wanted_by(question: str) -> Wanted | None:
    """What a question asks for; None: nothing of which two answers can be told apart."""
    if _DAY.search(question):
        return Wanted.DAY
    if _AMOUNT.search(question):
        return Wanted.AMOUNT
    return Wanted.NAME if _NAME.search(question) else None


def answers_anew(question: str, wanted: Wanted, new: str, old: str) -> bool:
    """Whether one text gives another answer to a question than an older one that answers it.

    Who changes a name tells what became of the one before: the newer names what the older gives
    for an answer, and somebody or something else. Who changes a day or an amount says of the same
    another one.
    """
    if max(len(new), len(old)) > _CHARACTERS_MAX or "?" in new[-1:] + old[-1:]:
        return False
    asked, ours, theirs = _read(question), _read(new), _read(old)
    if wanted is Wanted.NAME:
        before = (theirs.names | theirs.maybe) & (ours.names | ours.maybe) - asked.words
        if not before or ours.names <= theirs.words | asked.words:
            return False
    elif not _is_other(wanted, ours, theirs, asked) or _is_of_another(asked, ours, theirs):
        return False
    about, was, said = stems_of(question), stems_of(old), stems_of(new)
    if len(was & said) < _SHARED_MIN[wanted] * min(len(was), len(said)):
        return False
    known = about & was
    if wanted is not Wanted.NAME and len(known & said) < max(1, _ASKED_SHARE * len(known)):
        return False
    return not are_two_things(new, old)


def _is_other(wanted: Wanted, ours: _Read, theirs: _Read, asked: _Read) -> bool:
    """Whether both give a day, or an amount, and the newer one that the older does not have.

    What has no day has an hour.
    """
    if wanted is Wanted.DAY and (theirs.days or ours.days):
        return bool(theirs.days and ours.days - theirs.days)
    return bool(theirs.numbers and ours.numbers - theirs.numbers - asked.numbers)


def _is_of_another(asked: _Read, ours: _Read, theirs: _Read) -> bool:
    """Whether the older has the names that the question has, and the newer none of them."""
    named = asked.names & theirs.words
    return bool(named) and named.isdisjoint(ours.words)


# The question and the first candidate are compared with several others.
@lru_cache(maxsize=256)
def _read(text: str) -> _Read:
    tokens = _TOKEN.findall(text)
    lowered = [token.lower() for token in tokens]
    words = frozenset(lowered)
    days = {_WEEKDAYS[word] for word in words & _WEEKDAYS.keys()} | (words & _MONTHS - _VERBS_TOO)
    names, maybe, numbers = set[str](), set[str](), {*(words & _SMALL_NUMBERS)}
    for place, (token, word) in enumerate(zip(tokens, lowered, strict=True)):
        if token[0].isdigit():
            beside = lowered[max(0, place - 1) : place + 3]
            (numbers if _MONTHS.isdisjoint(beside) else days).add(word)
        elif token[0].isupper() and word in _VERBS_TOO:
            days.add(word)
        elif token[0].isupper() and len(token) > 1 and word not in _no_names():
            before = lowered[place - 1] if place else "."
            if before not in _GERMAN_ARTICLES:
                (maybe if before in _ENDS else names).add(word)
    return _Read(*map(frozenset, (names, maybe, words, days, numbers)))


@cache
def _no_names() -> frozenset[str]:
    """Words that are written with a capital here or there, and name nothing."""
    noise = (noise_words(language) for language in language_words())
    return frozenset[str]().union(*noise, _WEEKDAYS, _MONTHS, _SMALL_NUMBERS)
