"""Takes a person's name apart: given name, surname, nickname."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from scrubjay.language.names.everyday import looks_everyday
from scrubjay.language.names.folding import fold
from scrubjay.language.names.lists import (
    CERTAIN_NICKNAMES,
    GIVEN_NAMES,
    KIN,
    NICKNAMES,
    ORGANISATION_WORDS,
    PARTICLES,
    PLACE_WORDS,
    PROJECT_WORDS,
    TITLES,
)

_GENERATIONS = frozenset(("jr", "junior", "sr", "ii", "iii", "iv"))
_NOT_IN_A_PERSON = KIN | ORGANISATION_WORDS | PLACE_WORDS | PROJECT_WORDS
_PARTS_MAX = 6


def _short_forms() -> Mapping[str, tuple[str, ...]]:
    """For each given name its short forms, in alphabetical order."""
    forms = defaultdict[str, list[str]](list)
    for short, names in sorted(NICKNAMES.items()):
        for given in names:
            forms[given].append(short)
    return {given: tuple(short) for given, short in forms.items()}


_SHORT_FORMS = _short_forms()


@dataclass(frozen=True, slots=True)
class PersonName:
    """A full name in folded parts."""

    given: str  # "jean luc" for Jean-Luc, "s" for S.
    middle: tuple[str, ...]
    surname: str  # with its particles: "van der berg"
    generation: str  # "jr"; empty where none is written

    @property
    def short(self) -> str:
        """Given name and surname."""
        return f"{self.given} {self.surname}"


def person_name(name: str, *, certain: bool = False) -> PersonName | None:
    """The parts of a name of at least two words that may be a person's, else None.

    Unless `certain` that it is a person, the name must open with a known given name or an
    initial, and hold no word that makes it a place, an organisation or someone's relative.
    """
    parts = [folded for part in in_spoken_order(name).split() if (folded := fold(part))]
    parts = [part for part in parts if part not in TITLES]
    generation = parts.pop() if parts and parts[-1] in _GENERATIONS else ""
    if not 2 <= len(parts) <= _PARTS_MAX or any(part[0].isdigit() for part in parts):
        return None
    if not certain and not _reads_like_a_person(name, parts):
        return None
    start = len(parts) - 1
    while start > 1 and parts[start - 1] in PARTICLES:
        start -= 1
    return PersonName(parts[0], tuple(parts[1:start]), " ".join(parts[start:]), generation)


def in_spoken_order(name: str) -> str:
    """ "Solberg, Ingrid" as "Ingrid Solberg"; any other name as it is."""
    surname, comma, given = name.partition(",")
    if not comma or "," in given or not given.strip() or not surname.strip():
        return name
    return f"{given.strip()} {surname.strip()}"


def nicknames_of(given: str) -> tuple[str, ...]:
    """The short forms of a given name, in alphabetical order."""
    return _SHORT_FORMS.get(given, ())


def same_given_name(one: str, other: str) -> bool:
    """Whether two given names are the same, or one is the unmistakable short form of the other."""
    return (
        one == other
        or (one in CERTAIN_NICKNAMES and other in NICKNAMES[one])
        or (other in CERTAIN_NICKNAMES and one in NICKNAMES[other])
    )


def _reads_like_a_person(name: str, parts: list[str]) -> bool:
    given, rest = parts[0].split()[0], parts[1:]
    opens = given in GIVEN_NAMES or (len(given) == 1 and given.isalpha())
    owned = any(mark in name.rstrip("'’s") for mark in ("'s ", "’s ", "s' ", "s’ "))
    # "Grace Hopper Conference" is three words and not three names.
    thing = len(rest) > 1 and looks_everyday(rest[-1]) and rest[-2] not in PARTICLES
    return opens and not owned and not thing and _NOT_IN_A_PERSON.isdisjoint(rest)
