"""Turns answers into near misses, and keeps questions that share no word with their answer."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from training.corpus import Question, Unit
from training.words import content_words

# A name inside a sentence, or a number: what a question and its answer must agree on.
_ANCHOR = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b|\b\d{2,}\b")
# Half of a usual label: that no word is shared is no proof that the sentence answers.
WORDLESS_LABEL = 1.0


def near_misses(
    units: Sequence[Unit], questions: Sequence[Question], share: float, chance: random.Random
) -> tuple[list[Unit], list[Question]]:
    """New units that follow `units`, and the questions with those among the rejected.

    A near miss is an answer in which a name or number that the question asks about is another.
    """
    pools: dict[bool, list[str]] = {True: [], False: []}
    for question in questions:
        for anchor in _ANCHOR.findall(question.text):
            pools[anchor.isdigit()].append(anchor)
    added: list[Unit] = []
    changed: list[Question] = []
    for question in questions:
        missed = None
        if chance.random() < share:
            missed = _near_miss(question, units, pools, chance)
        if missed is not None:
            place = len(units) + len(added)
            added.append(missed)
            question = replace(question, rejected=(*question.rejected, place))
        changed.append(question)
    return added, changed


def without_shared_words(
    questions: Sequence[Question], units: Sequence[Unit], share: float, chance: random.Random
) -> list[Question]:
    """The questions, a `share` of them left with those answers only that share no word."""
    return [
        _wordless(question, units) if chance.random() < share else question
        for question in questions
    ]


def _near_miss(
    question: Question,
    units: Sequence[Unit],
    pools: dict[bool, list[str]],
    chance: random.Random,
) -> Unit | None:
    for place in question.gold:
        unit = units[place]
        shared = set(_ANCHOR.findall(question.text)) & set(_ANCHOR.findall(unit.text))
        if shared:
            anchor = min(shared)
            other = chance.choice(pools[anchor.isdigit()])
            if other != anchor:
                return replace(unit, text=re.sub(rf"\b{anchor}\b", other, unit.text))
    return None


def _wordless(question: Question, units: Sequence[Unit]) -> Question:
    asked = content_words(question.text)
    kept = tuple(n for n in question.gold if not asked & content_words(units[n].text))
    if not kept:
        return question
    return replace(question, gold=kept, label=WORDLESS_LABEL)
