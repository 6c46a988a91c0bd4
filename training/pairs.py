"""Cuts question-passage pairs into units the size of memories."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from training.corpus import Question, Unit
from training.people import DATES, FIRST_PERSON, HEADINGS, NAMES, ROLES, about, about_me

# Their passages are single turns or sentences already.
WHOLE = frozenset({"friendsqa", "qnli_dev", "doqa"})
# Their texts say who speaks.
SPEAKING = frozenset({"friendsqa", "qmsum_train"})
# Three dialogues only, with questions that are answers.
DROPPED = frozenset({"doqa"})
# Asks the same few hundred questions of every policy; the rest would only repeat them.
THINNED = {"policyqa": 8}

UNIT_CHARACTERS_MAX = 1600
UNIT_CHARACTERS_MIN = 25
QUESTION_CHARACTERS_MAX = 200
# Sentences per unit, drawn once per passage; 99 is the whole passage.
SENTENCES = (1, 1, 1, 2, 2, 3, 99)
NAMED_SHARE = 0.8  # of first-person sources get a speaker's name
ROLE_SHARE = 0.25  # of the others are told by the user or the assistant
OTHER_NAME_SHARE = 0.15  # ... or by two people
HEADING_SHARE = 0.1  # ... or are notes or dated lines

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z\"'(0-9])|\n+")
_TURN_START = re.compile(r"(?<=\S) (?=(?:[A-Z]\w*(?: [A-Z]\w*){0,2}): )")


@dataclass(frozen=True, slots=True)
class Pair:
    """One line of the training file."""

    source: str
    licence: str
    group: str
    question: str
    passage: str
    relevant: bool


def read_pairs(path: Path, limit: int | None = None) -> Iterator[Pair]:
    """The pairs of a `.jsonl`, `.jsonl.gz` or `.jsonl.xz` file, at most `limit`, in order."""
    with _opened(path) as lines:
        for number, line in enumerate(lines):
            if number == limit:
                return
            row = json.loads(line)
            yield Pair(row["src"], row["lic"], row["group"], row["q"], row["p"], row["y"] == 1)


def fraction(*parts: str) -> float:
    """A number in [0, 1) that is always the same for the same parts."""
    digest = hashlib.md5("\0".join(parts).encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest[:4]) / 2**32


@dataclass
class _Asked:
    pair: Pair
    gold: list[int] = field(default_factory=list)
    rejected: list[int] = field(default_factory=list)


class PairCutter:
    """Collects units and questions; each passage is cut once, whoever asks about it."""

    def __init__(self, chance: random.Random) -> None:
        self.units: list[Unit] = []
        self._chance = chance
        self._cut: dict[tuple[str, str], list[int]] = {}
        self._asked: dict[tuple[str, str, str], _Asked] = {}

    def add(self, pair: Pair) -> None:
        """Take one pair in, unless its source is dropped or thinned out."""
        thinned = THINNED.get(pair.source, 1)
        if pair.source in DROPPED or fraction(pair.question, pair.passage) >= 1 / thinned:
            return
        places = self._passage(pair)
        # A first-person question means another writer in every document.
        whose = pair.group if pair.source in FIRST_PERSON else ""
        asked = self._asked.setdefault((pair.source, pair.question, whose), _Asked(pair))
        (asked.gold if pair.relevant else asked.rejected).extend(places)

    def questions(self) -> list[Question]:
        """Every question that has an answer, in the order they came."""
        return [self._question(asked) for asked in self._asked.values() if asked.gold]

    def _passage(self, pair: Pair) -> list[int]:
        key = (pair.source, pair.passage)
        if key not in self._cut:
            first = len(self.units)
            for number, text in enumerate(cut(pair.passage, pair.source, self._chance)):
                previous = first + number - 1 if number else None
                self.units.append(Unit(text, pair.source, previous, pair.source in SPEAKING))
            self._cut[key] = list(range(first, len(self.units)))
        return self._cut[key]

    def _question(self, asked: _Asked) -> Question:
        pair, chance = asked.pair, self._chance
        question = Question(
            text=pair.question[:QUESTION_CHARACTERS_MAX],
            source=pair.source,
            group=f"{pair.source}/{pair.group}",
            gold=tuple(dict.fromkeys(asked.gold)),
            rejected=tuple(dict.fromkeys(asked.rejected)),
        )
        first = NAMES[int(fraction(question.group) * len(NAMES))]
        second = chance.choice([name for name in NAMES if name != first])
        if pair.source in FIRST_PERSON and chance.random() < NAMED_SHARE:
            text = about(question.text, first)
            if text == question.text and pair.source == "cosmosqa":
                text = about_me(question.text, first)
            return replace(question, text=text, speaker=first, other=second)
        if pair.source in SPEAKING:
            return question
        return _told(question, (first, second), chance)


def _told(question: Question, names: tuple[str, str], chance: random.Random) -> Question:
    drawn = chance.random()
    if drawn < ROLE_SHARE:
        speaker, other = chance.sample(ROLES, 2)
    elif drawn < ROLE_SHARE + OTHER_NAME_SHARE:
        speaker, other = names
    elif drawn < ROLE_SHARE + OTHER_NAME_SHARE + HEADING_SHARE:
        speaker, other = chance.choice(HEADINGS), chance.choice(DATES)
    else:
        return question
    return replace(question, speaker=speaker, other=other)


def cut(passage: str, source: str, chance: random.Random) -> list[str]:
    """The units of a passage: turns, sentences, a few of them together, or the whole."""
    if source in WHOLE:
        return [passage]
    if source == "qmsum_train":
        return [turn for turn in _TURN_START.split(passage) if len(turn) > 3] or [passage]
    sentences = [part.strip() for part in _SENTENCE_END.split(passage) if part.strip()]
    size = chance.choice(SENTENCES)
    units: list[str] = []
    start = 0
    while start < len(sentences):
        end = start + size
        while end < len(sentences) and len(" ".join(sentences[start:end])) < UNIT_CHARACTERS_MIN:
            end += 1
        units.append(" ".join(sentences[start:end])[:UNIT_CHARACTERS_MAX])
        start = end
    return units or [passage[:UNIT_CHARACTERS_MAX]]


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")
