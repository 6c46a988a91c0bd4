"""What is asked, and said of answers: recall, explain, parse, plan, feedback, tune."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from scrubjay.answers import Explanation, Parsed, Plan, Recall, RecallOptions, Tuning
from scrubjay.defaults import DEFAULT_BANK
from scrubjay.engine import explaining, read_path
from scrubjay.engine.across import merged
from scrubjay.engine.parse.people import names_asked
from scrubjay.engine.read_path import ReadTools
from scrubjay.engine.recall_options import check_options
from scrubjay.engine.retain.checking import check_words
from scrubjay.engine.retain.stored import refuse_pending
from scrubjay.engine.upkeep import tuning
from scrubjay.errors import BadInput, NotFound
from scrubjay.limits import BANKS_PER_RECALL_MAX
from scrubjay.marks import About, Asked, Count, Flat
from scrubjay.operations.operation import BANK, Address, Engine, KeyScope, operation
from scrubjay.store.base import BankStore
from scrubjay.store.making import MadeWhenUsed
from scrubjay.types.units import Feedback
from scrubjay.types.values import Identifier

Question = Annotated[str, Asked(), About("What to look for, in your own words.", "Who likes tea?")]
How = Annotated[RecallOptions, Flat()]
USUAL = RecallOptions()


@operation(Address("POST", f"{BANK}/recall", KeyScope.READ, "Ask the memory; best answers first."))
def recall(engine: Engine, question: Question, options: How = USUAL) -> Recall:
    """What the bank remembers that the question needs, best first."""

    def asked(bank: BankStore, tools: ReadTools) -> Recall:
        checked = check_options(question, options, bank.settings)
        return read_path.recall(bank, question, checked, tools)

    found = engine.ask(1, asked, names_asked(question))
    engine.toolbox.recalled(engine.name, found)
    return found


@operation(
    Address(
        "POST", "/v1/recall", KeyScope.READ,
        "Ask several banks together; one ranking, each item with its bank.",
    )
)  # fmt: skip
def recall_across(
    engine: Engine,
    question: Question,
    banks: Annotated[
        tuple[str, ...],
        Count(BANKS_PER_RECALL_MAX, least=1),
        About("Each once; of equals, those named first go before others.", ["user", "project"]),
    ],
    options: How = USUAL,
) -> Recall:
    """What several banks remember that a question needs, by relevance; each is asked by itself."""
    answers = {name: recall.function(_over(engine, name), question, options) for name in banks}
    return merged(answers, options)


def _over(engine: Engine, name: str) -> Engine:
    """The same engine over another bank; the default bank is there when it is asked."""
    made = name == DEFAULT_BANK and not engine.store.read_only
    return replace(engine, name=name, banks=MadeWhenUsed(engine.store) if made else engine.store)


@operation(
    Address("POST", f"{BANK}/recall-batch", KeyScope.READ, "Ask several questions.", "recalls")
)
def recall_batch(
    engine: Engine, questions: Sequence[object], options: RecallOptions
) -> list[Recall]:
    """One recall per question, in order; the questions are embedded together."""

    def asked(bank: BankStore, tools: ReadTools) -> list[Recall]:
        checked = options
        for question in questions:
            checked = check_options(question, checked, bank.settings)
        return read_path.recall_batch(bank, [str(one) for one in questions], checked, tools)

    found = engine.ask(len(questions), asked)
    for one in found:
        engine.toolbox.recalled(engine.name, one)
    return found


@operation(
    Address("POST", f"{BANK}/explain", KeyScope.READ, "Why a memory is, or is not, in an answer.")
)
def explain(
    engine: Engine, question: Question, unit: Identifier, options: How = USUAL
) -> Explanation:
    """Why a unit is, or is not, in the answer: its place in every retriever and its fate."""
    with engine.reading() as (bank, tools):
        checked = check_options(question, options, bank.settings)
        rows = bank.rows_of([unit])
        if unit not in rows:
            if bank.find_pending(ids=[unit]):
                raise NotFound("pending unit", unit, "No answer has it before it is approved.")
            raise NotFound("no such unit in this bank", unit, "List the units for their ids.")
        run = read_path.run(bank, question, checked, tools)
        return explaining.explain(run, unit, rows[unit])


@operation(
    Address("POST", f"{BANK}/parse", KeyScope.READ, "What a question says: when, about whom.")
)
def parse(engine: Engine, question: str, timezone: str | None, options: RecallOptions) -> Parsed:
    """What a question says, in the bank's time zone unless another is given."""
    return _understand(engine, question, options, timezone)[0]


@operation(
    Address("POST", f"{BANK}/plan", KeyScope.READ, "How a question would be recalled, and why.")
)
def plan(engine: Engine, question: Question, options: How = USUAL) -> Plan:
    """How a question would be recalled, and why so."""
    return _understand(engine, question, options, None)[1]


def _understand(
    engine: Engine, question: str, options: RecallOptions, timezone: str | None
) -> tuple[Parsed, Plan]:
    with engine.reading(0) as (bank, tools):
        checked = check_options(question, options, bank.settings)
        return read_path.understand(bank, question, checked, tools, timezone=timezone)


@operation(
    Address("POST", f"{BANK}/feedback", KeyScope.WRITE, "Say what of an answer was of use.",
            some_of=("used", "missed"))
)  # fmt: skip
def feedback(
    engine: Engine,
    question: Question,
    used: Annotated[tuple[Identifier, ...], About("Units that were of use.")] = (),
    missed: Annotated[tuple[Identifier, ...], About("Units that it lacked.")] = (),
    asked_at: Annotated[
        datetime | None, About("The `now` of the answer; now, if left out.")
    ] = None,
) -> None:
    """Keep which units were of use in the answer to a question, and which it lacked."""
    if not used and not missed:
        raise BadInput("feedback without a unit", question, "Give ids of units used or missed.")
    for unit in used:
        if unit in missed:
            raise BadInput("used and missed at once", unit, "Say one of the two.")
    with engine.using() as bank:
        check_options(question, USUAL, bank.settings)
        # A question may be asked in any characters, but only text can be kept.
        check_words(question, "question")
        refuse_pending(bank, (*used, *missed))
        bank.judge(Feedback(question, engine.toolbox.moment(asked_at), used, missed))


@operation(
    Address("POST", f"{BANK}/tune", KeyScope.ADMIN, "Fit what evidence counts, from feedback.")
)
def tune(engine: Engine) -> Tuning:
    """Let evidence count in this bank as its feedback says, where that is better."""
    with engine.reading(0) as (bank, tools):
        found = tuning.tune(bank, tools)
        if found.changed:
            _weigh(bank, found.weights)
        return found


@operation(Address("POST", f"{BANK}/tune/undo", KeyScope.ADMIN, "Count evidence by default again."))
def undo_tune(engine: Engine) -> None:
    """Let evidence count as it does by default; feedback stays."""
    with engine.using() as bank:
        _weigh(bank, {})


def _weigh(bank: BankStore, weights: Mapping[str, float]) -> None:
    with bank.writing():
        bank.change_settings(bank.settings.changed({"weights": dict(weights)}))
