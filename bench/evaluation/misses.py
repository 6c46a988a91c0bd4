"""Sorts the evidence that did not come among the first ten by what kept it away."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from scrubjay.errors import BadInput
from scrubjay.types.values import Json

PLACES = 10
# A list's places that still weigh in fusion; what stands below is as good as not found.
NEAR = 50


class Cause(StrEnum):
    """What kept a piece of evidence out of the first ten; the first that applies counts."""

    NO_ROOM = "no room"  # the question has more evidence than ten places
    OTHER_TIME = "other time"  # it is outside the time read from the question
    UNSEEN = "unseen"  # neither its words nor its meaning are near the question's
    WORDS_ONLY = "words only"  # its words are near, its meaning is not
    MEANING_ONLY = "meaning only"  # its meaning is near, its words are not
    CROWDED = "crowded"  # near by both, behind units that fit better


@dataclass(frozen=True, slots=True)
class Missed:
    """The misses of one category: questions, pieces of evidence, and how many went by cause."""

    set_name: str
    category: str
    questions: int
    evidence: int
    causes: Mapping[Cause, int]

    @property
    def missed(self) -> int:
        """Pieces of evidence that did not come among the first ten."""
        return sum(self.causes.values())


def read_misses(path: Path, preset: str) -> list[Missed]:
    """The misses of a preset in a questions file, by set and category, in the file's order."""
    groups: dict[tuple[str, str], list[Mapping[str, Json]]] = {}
    for line in _lines(path):
        if line["preset"] == preset and not line["apart"]:
            key = (str(line["set"]), str(line["category"]))
            groups.setdefault(key, []).append(line)
    if not groups:
        raise BadInput("no questions of the preset", preset, f"{path} has those of others.")
    return [_missed(*key, lines) for key, lines in groups.items()]


def _lines(path: Path) -> Iterator[Mapping[str, Json]]:
    with path.open(encoding="utf-8") as file:
        for text in file:
            line: Mapping[str, Json] = json.loads(text)
            yield line


def _missed(set_name: str, category: str, lines: Sequence[Mapping[str, Json]]) -> Missed:
    causes: Counter[Cause] = Counter()
    evidence = 0
    for line in lines:
        gold = _records(line["gold"])
        evidence += len(gold)
        timed = line["window"] is not None
        causes.update(cause_of(one, len(gold), timed=timed) for one in gold if _is_missed(one))
    return Missed(set_name, category, len(lines), evidence, dict(causes.most_common()))


def _is_missed(place: Mapping[str, Json]) -> bool:
    rank = place["rank"]
    return not isinstance(rank, int) or rank > PLACES


def cause_of(place: Mapping[str, Json], evidence: int, *, timed: bool) -> Cause:
    """Why one missed piece of `evidence` pieces is missing; `timed`: the question names a time."""
    ranks = place["retrievers"]
    assert isinstance(ranks, Mapping), "a place says its rank in every list"
    if evidence > PLACES:
        return Cause.NO_ROOM
    if timed and "temporal" not in ranks:
        return Cause.OTHER_TIME
    words, meaning = _near(ranks.get("lexical")), _near(ranks.get("semantic"))
    if words and meaning:
        return Cause.CROWDED
    if words:
        return Cause.WORDS_ONLY
    return Cause.MEANING_ONLY if meaning else Cause.UNSEEN


def _near(rank: Json) -> bool:
    return isinstance(rank, int) and rank <= NEAR


def _records(value: Json) -> list[Mapping[str, Json]]:
    assert isinstance(value, list), "a questions file lists the evidence of each question"
    return [one for one in value if isinstance(one, Mapping)]


def typical(missed: Missed, count: int = 3) -> Iterable[tuple[Cause, int]]:
    """The causes that kept most away, most first."""
    return sorted(missed.causes.items(), key=lambda one: (-one[1], list(Cause).index(one[0])))[
        :count
    ]
