"""A made-up memory corpus of any size: the same seed gives the same units and questions.

Words follow Zipf's law, names have a heavy tail, units of 10 to 40 words are told over five
years in sessions of twenty, some name a date, a few name the unit that caused them.
"""

from __future__ import annotations

import calendar
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import accumulate

from scrubjay.types.graph import Cause
from scrubjay.types.units import Unit

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
SPAN_DAYS = 5 * 365
VOCABULARY_WORDS = 20_000
NAMES = 5_000
WORDS_MIN, WORDS_MAX = 10, 40
UNITS_PER_SESSION = 20
KEYED_EVERY = 40
CAUSED_SHARE = 0.04
DATED_SHARE = 0.15
QUESTION_KINDS = ("plain", "entity", "temporal", "identifier")

# Zipf-Mandelbrot: the usual fit to English has an exponent near 1 and a small shift.
_EXPONENT, _SHIFT = 1.05, 2.7
_NAME_TAIL = 0.8
_COMMON = (
    "the of and to a in that it is was for on with as at by from this have not are but we they an "
    "had which she he be his her or all their there been if more when will would who so no said "
    "what up its about into than them can only other new some could time these two may then do "
    "first any my now such like our over man me even most made after also"
)
_FUNCTION_WORDS = tuple(_COMMON.split())
_ONSETS = ("b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n",
    "p", "pl", "r", "s", "sh", "st", "t", "tr", "v", "w", "z")  # fmt: skip
_NUCLEI = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
_CODAS = ("", "", "l", "m", "n", "nd", "r", "rk", "s", "st", "t", "x")
_SURNAME_ENDINGS = ("berg", "dale", "ford", "holm", "ley", "mann", "sen", "stead", "ton", "wick")
_CALLED = (
    "Anna Ben Clara David Elena Frank Grace Hugo Irene Jack Karen Louis Maria Nina Oscar Paul Rosa "
    "Simon Tina Victor Alice Boris Carmen Daniel Emma Felix Greta Henry Ingrid Jonas Laura Martin "
    "Nora Olga Peter Rita Samuel Teresa Walter Yusuf Zoe Adam Beth Chloe Diego Esther Fiona Gavin"
)
_GIVEN_NAMES = tuple(_CALLED.split())
_MONTHS = tuple(calendar.month_name[1:])
_CAUSES = ("because", "since", "so", "after which", "which led to")


@dataclass(frozen=True, slots=True)
class Question:
    """Something to ask, and what it leans on: one of QUESTION_KINDS."""

    kind: str
    text: str


def units(count: int, *, seed: int = 1) -> Iterator[Unit]:
    """`count` units, oldest first; the texts do not depend on the count."""
    random_source = random.Random(seed)
    step = timedelta(days=SPAN_DAYS) / max(count, 1)
    begun = NOW - timedelta(days=SPAN_DAYS)
    for number in range(count):
        told_at = begun + number * step
        yield Unit(
            _text(random_source, told_at),
            told_at=told_at,
            session=f"session-{number // UNITS_PER_SESSION}",
            key=_key(number) if number % KEYED_EVERY == 0 else None,
            causes=_causes(random_source, number),
        )


def questions(count: int, *, seed: int = 2) -> list[Question]:
    """`count` questions of all kinds in turn, in words and names that units use."""
    random_source = random.Random(seed)
    return [
        Question(kind, _ask(random_source, kind))
        for kind in (QUESTION_KINDS[n % len(QUESTION_KINDS)] for n in range(count))
    ]


def names(count: int, *, seed: int = 3) -> list[str]:
    """`count` names of people, no two alike: given name, middle initial, surname."""
    random_source = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        given, surname = random_source.choice(_GIVEN_NAMES), _surname(random_source)
        made[f"{given} {random_source.choice('ABCDEFGHJKLMNPRST')}. {surname}"] = None
    return list(made)


def _text(random_source: random.Random, told_at: datetime) -> str:
    length = random_source.randint(WORDS_MIN, WORDS_MAX)
    words = _some_words(random_source, length)
    for _ in range(random_source.choice((0, 1, 1, 2, 3))):
        words[random_source.randrange(length)] = _some_name(random_source)
    if random_source.random() < DATED_SHARE:
        words.append(_some_date(random_source, told_at))
    if random_source.random() < CAUSED_SHARE:
        words[length // 2] = f"{random_source.choice(_CAUSES)} {words[length // 2]}"
    text = " ".join(words)
    return f"{text[0].upper()}{text[1:]}."


def _some_date(random_source: random.Random, told_at: datetime) -> str:
    day = told_at - timedelta(days=random_source.randrange(60))
    return random_source.choice(
        ("yesterday", "last week", f"on {day.day} {_MONTHS[day.month - 1]} {day.year}")
    )


def _causes(random_source: random.Random, number: int) -> tuple[Cause, ...]:
    if number <= KEYED_EVERY or random_source.random() >= CAUSED_SHARE:
        return ()
    earlier = random_source.randrange(number // KEYED_EVERY) * KEYED_EVERY
    return (Cause(_key(earlier)),)


def _key(number: int) -> str:
    return f"note-{number}"


def _ask(random_source: random.Random, kind: str) -> str:
    # Function words say nothing; a person asks with the words that do.
    first, second, third = (_telling_word(random_source) for _ in range(3))
    name = _some_name(random_source)
    month, year = random_source.choice(_MONTHS), NOW.year - random_source.randint(1, 4)
    if kind == "plain":
        return f"what do we know about the {first} and the {second} {third}"
    if kind == "entity":
        return f"what did {name} say about the {first} {second}"
    if kind == "temporal":
        when = random_source.choice((f"in {month} {year}", "last month", "last week"))
        return f"what happened with {name} and the {first} {when}"
    return f"{_identifier(random_source)} {first}"


def _telling_word(random_source: random.Random) -> str:
    while True:
        (word,) = _some_words(random_source, 1)
        if word not in _FUNCTION_WORDS:
            return word


def _some_words(random_source: random.Random, count: int) -> list[str]:
    words, weights = _vocabulary()
    return random_source.choices(words, cum_weights=weights, k=count)


def _some_name(random_source: random.Random) -> str:
    people = _people()
    if random_source.random() < 0.1:
        return _identifier(random_source)
    return people[min(int(random_source.paretovariate(_NAME_TAIL)) - 1, len(people) - 1)]


def _identifier(random_source: random.Random) -> str:
    return f"TKT-{min(int(100 * random_source.paretovariate(0.5)), 99_999)}"


@cache
def _vocabulary() -> tuple[Sequence[str], Sequence[float]]:
    random_source = random.Random(0)
    words = dict.fromkeys(_FUNCTION_WORDS)
    while len(words) < VOCABULARY_WORDS:
        words[_word(random_source)] = None
    weights = accumulate((rank + _SHIFT) ** -_EXPONENT for rank in range(1, len(words) + 1))
    return tuple(words), tuple(weights)


@cache
def _people() -> tuple[str, ...]:
    random_source = random.Random(4)
    made: dict[str, None] = {}
    while len(made) < NAMES:
        made[f"{random_source.choice(_GIVEN_NAMES)} {_surname(random_source)}"] = None
    return tuple(made)


def _surname(random_source: random.Random) -> str:
    return (_syllable(random_source) + random_source.choice(_SURNAME_ENDINGS)).title()


def _word(random_source: random.Random) -> str:
    return "".join(_syllable(random_source) for _ in range(random_source.choice((1, 2, 2, 3))))


def _syllable(random_source: random.Random) -> str:
    return "".join(random_source.choice(part) for part in (_ONSETS, _NUCLEI, _CODAS))
