"""What a least relevance takes out of the first five items of an answer, and what it saves.

Each question is asked as an integration asks for what it puts before an agent. Told for each floor:
how many of the right items among the first five it drops; of how many questions it drops them all,
and leaves only wrong ones; and the tokens of what is left. The last row has no floor.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console

from bench import machine
from bench.evaluation.datasets import find_sets
from bench.evaluation.runner import told
from bench.evaluation.session import chosen, open_models
from bench.evaluation.telling import unit_of_key
from bench.machine import Result
from bench.quality import add_subject, subject_of
from scrubjay.answers import RecallOptions
from scrubjay.integrations.context import ITEMS_MAX, TOKENS_MAX
from scrubjay.types.values import Json

FLOORS = (0.3, 0.2, 0.1, 0.05, 0.02, 0.0)
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Shown:
    """One item of an answer."""

    relevance: float
    right: bool
    tokens: int


Answers = Sequence[Sequence[Shown]]


def main(arguments: Sequence[str]) -> int:
    """Ask every question that has an answer, and print what each floor leaves."""
    parser = argparse.ArgumentParser(prog="scrubjay bench floors", description=__doc__)
    add_subject(parser)
    given = parser.parse_args(arguments)
    subject = subject_of(given)
    models = open_models(subject)
    answers: list[list[Shown]] = []
    for path in find_sets(subject.data, subject.sets):
        dataset = chosen(path, subject, Console(stderr=True))
        with told(dataset, models, advance=lambda _: None) as held:
            for question in dataset.questions:
                options = RecallOptions(
                    limit=ITEMS_MAX, max_tokens=TOKENS_MAX, now=question.now, rerank=False
                )
                found = held.memory.bank(question.bank_id).recall(question.text, options)
                known = dataset.units[question.bank_id]
                names = {unit.unit_id: unit for unit in known}
                shown = [
                    Shown(
                        item.relevance,
                        unit_of_key(item.key or "", names) in question.gold,
                        item.tokens,
                    )
                    for item in found.relevant
                ]
                if question.answerable and question.gold:
                    answers.append(shown)
    numbers: dict[str, Json] = {
        "questions": len(answers),
        "right": sum(item.right for shown in answers for item in shown),
        "floors": {f"{floor:g}": _left(answers, floor) for floor in FLOORS},
    }
    machine.report(Result("floors", [*arguments], {}, numbers), given.json)
    return 0


def _left(answers: Answers, floor: float) -> dict[str, Json]:
    answered = [shown for shown in answers if any(item.right for item in shown)]
    left = [[item for item in shown if item.relevance >= floor] for shown in answered]
    emptied = [shown for shown in left if not any(item.right for item in shown)]
    right = sum(item.right for shown in answered for item in shown)
    kept = sum(item.right for shown in left for item in shown)
    tokens = sum(item.tokens for shown in answers for item in shown if item.relevance >= floor)
    return {
        "right_dropped": round(1 - kept / right, _DIGITS),
        "all_dropped": round(len(emptied) / len(answered), _DIGITS),
        "only_wrong_left": round(sum(map(bool, emptied)) / len(answered), _DIGITS),
        "tokens": round(tokens / len(answers), 1),
    }
