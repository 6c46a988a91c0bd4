"""Reads which other name a text gives someone: "everyone calls him Bo", "née Vogel"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from scrubjay.language.names.mention import Mention
from scrubjay.language.names.people import person_name

_PEOPLE = ("person", "name")

_FILE = Path(__file__).parents[1] / "data" / "names" / "other_names.tsv"


def _read(text: str) -> tuple[frozenset[str], Mapping[str, re.Pattern[str]]]:
    """Words one of which stands between two names of one person, and by kind what does."""
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    kinds: dict[str, list[str]] = {}
    for kind, _, expression in rows:
        kinds.setdefault(kind, []).append(f"(?:{expression})")
    between = {kind: re.compile("|".join(said), re.IGNORECASE) for kind, said in kinds.items()}
    return frozenset(word for _, words, _ in rows for word in words.split()), between


_CUES, _BETWEEN = _read(_FILE.read_text(encoding="utf-8"))
_BETWEEN_MAX = 120  # characters
_SIGNS = " \"'“”„‘’«»*("

# How far the last word of another name, and a name borne before, are trusted alone.
_PART = 0.9


class OtherName(NamedTuple):
    """Someone who is mentioned, and by what else they are called."""

    whose: int  # the place of the mention
    name: int  # the place of the other name
    aliases: tuple[tuple[str, float], ...]  # folded, with their confidence


def other_names(text: str, mentions: Sequence[Mention]) -> tuple[OtherName, ...]:
    """The other names that a text says those have whom it mentions, in its order."""
    found: list[OtherName] = []
    for place in range(1, len(mentions)):
        one, other = mentions[place - 1], mentions[place]
        # Hardly any text says so: what is cheap to see comes first.
        if one.kind not in _PEOPLE or other.kind not in _PEOPLE or one.folded == other.folded:
            continue
        if other.start - one.end > _BETWEEN_MAX:
            continue
        between = text[one.end : other.start]
        if _CUES.isdisjoint(between.lower().replace("(", " ").split()):
            continue
        said = between.rstrip(_SIGNS)
        if _BETWEEN["born"].fullmatch(said):
            found.append(OtherName(place - 1, place, _born(one, other)))
        elif _BETWEEN["also"].fullmatch(said):
            found.append(OtherName(place - 1, place, _forms(other)))
    return tuple(found)


def _forms(other: Mention) -> tuple[tuple[str, float], ...]:
    """What a name lets its bearer answer to: itself, and either end of it."""
    whole = person_name(other.text, certain=True)
    ends = () if whole is None else ((whole.surname, _PART), (whole.given, _PART))
    return ((other.folded, 1.0), *ends)


def _born(one: Mention, other: Mention) -> tuple[tuple[str, float], ...]:
    """The surname someone had before, alone and behind the given name."""
    given = one.folded.split()[0]
    full = other.folded if " " in other.folded else f"{given} {other.folded}"
    return ((full, 1.0), (other.folded.rpartition(" ")[2], _PART))
