"""Fits what evidence counts in one bank, from what was said of its answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from scrubjay.answers import RecallOptions, Tuning
from scrubjay.engine.presets import DEFAULT
from scrubjay.engine.read_path import ReadTools, run
from scrubjay.engine.tuning import KINDS, Example, example_of, fitted, left_out, quality
from scrubjay.errors import BadInput
from scrubjay.store.base import BankStore
from scrubjay.types.units import Feedback

# Fewer questions say more about chance than about a bank.
QUESTIONS_MIN = 12
# The newest feedback that is looked at: each question is asked again.
QUESTIONS_MAX = 500
# So many questions speak for leaving the weights as they are.
_PRIOR = 3.0
# Questions are left out one by one, or in so many parts, where there are more.
_PARTS_MAX = 30


def tune(bank: BankStore, tools: ReadTools) -> Tuning:
    """What the bank's feedback makes of the default's weights; nothing is stored."""
    judged = list(_examples(bank, bank.judged()[-QUESTIONS_MAX:], tools))
    questions = list(dict.fromkeys(question for question, _ in judged))
    if len(questions) < QUESTIONS_MIN:
        raise BadInput(
            "too few questions with feedback to tune by",
            len(questions),
            f"Give feedback on at least {QUESTIONS_MIN} whose answers the bank holds and finds.",
        )
    part = {question: str(place % _PARTS_MAX) for place, question in enumerate(questions)}
    examples = [one for _, one in judged]
    fit = partial(fitted, prior=_PRIOR)
    apart = left_out(examples, [part[question] for question, _ in judged], fit)
    before = quality(examples, [dict.fromkeys(KINDS, 1.0)] * len(examples))
    after = quality(examples, apart)
    return Tuning(len(questions), before, after, fit(examples), after.ndcg > before.ndcg)


def _examples(
    bank: BankStore, judged: Sequence[Feedback], tools: ReadTools
) -> Iterator[tuple[str, Example]]:
    """By question, what its candidates had to show; those that tell nothing are left out."""
    for said in judged:
        options = RecallOptions(now=said.asked_at, preset=DEFAULT)
        rows = bank.rows_of([*said.used, *said.missed])
        example = example_of(run(bank, said.question, options, tools), sorted(rows.values()))
        if example.wanted.any() and not example.wanted.all():
            yield said.question, example
