"""Commands that ask, and that learn from answers: recall, explain, feedback, tune."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import BankOptions, window
from scrubjay.surface.cli.shared.output import draw, emit, print_json, show
from scrubjay.surface.cli.shared.values import json_object

if TYPE_CHECKING:
    from scrubjay.answers import RecallKeywords

QuestionArgument = Annotated[str, typer.Argument(metavar="QUESTION", help="In your own words.")]


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    command(app)(recall)
    command(app)(explain)
    command(app)(feedback)
    command(app)(tune)


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How to recall; what is given wins over what would be inferred."""

    limit: Annotated[int, typer.Option("--limit", help="Items at most.")] = 10
    max_tokens: Annotated[int, typer.Option("--max-tokens", help="Tokens in all.")] = 4096
    type: Annotated[list[str] | None, typer.Option("--type", help="Only this type; repeat.")] = None
    tag: Annotated[
        list[str] | None, typer.Option("--tag", help="Only with this tag; repeated: with all.")
    ] = None
    metadata: Annotated[
        str | None, typer.Option("--metadata", metavar="JSON", help="Only with these values.")
    ] = None
    window_from: Annotated[
        str | None, typer.Option("--from", help="The window's start: a time with zone, or a day.")
    ] = None
    window_to: Annotated[
        str | None, typer.Option("--to", help="The window's end, included: a time or a day.")
    ] = None
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="What was true then: a time with zone.")
    ] = None
    known_at: Annotated[
        str | None, typer.Option("--known-at", help="What had been told by then.")
    ] = None
    now: Annotated[str | None, typer.Option("--now", help="The time of asking.")] = None
    preset: Annotated[
        str,
        typer.Option("--preset", help="default, dense_fts, polyant, tempr, hindsight or recall5."),
    ] = "default"
    no_rerank: Annotated[bool, typer.Option("--no-rerank", help="Leave the reranker out.")] = False
    min_score: Annotated[
        float | None, typer.Option("--min-score", help="Least relevance of an item, 0 to 1.")
    ] = None
    session: Annotated[
        str | None, typer.Option("--session", help="The conversation it is asked in.")
    ] = None
    deadline_ms: Annotated[
        float | None, typer.Option("--deadline-ms", help="Drop a search that takes longer.")
    ] = None
    thinking_budget: Annotated[
        int | None,
        typer.Option("--thinking-budget", help="Units a search along links may visit."),
    ] = None
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail if every search failed, instead of no items.")
    ] = False

    def given(self) -> RecallKeywords:
        """The keywords of a recall."""
        return {
            "limit": self.limit,
            "max_tokens": self.max_tokens,
            "types": self.type or None,
            "tags": self.tag or [],
            "metadata": {} if self.metadata is None else json_object("--metadata", self.metadata),
            "window": window("--from", self.window_from, "--to", self.window_to),
            "as_of": self.as_of,
            "known_at": self.known_at,
            "now": self.now,
            "preset": self.preset,
            "rerank": False if self.no_rerank else None,
            "min_score": self.min_score,
            "session": self.session,
            "deadline_ms": self.deadline_ms,
            "thinking_budget": self.thinking_budget,
            "strict": self.strict,
        }


def recall(
    question: QuestionArgument,
    how: AskOptions,
    target: BankOptions,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="BANK", help="Ask this bank too; repeat for more."),
    ] = None,
    plan: Annotated[
        bool, typer.Option("--explain", help="Show the plan: what was searched, how and why.")
    ] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show when each part ran; with --json, the full trace.")
    ] = False,
) -> None:
    """Ask the memory; best answers first, each with the searches that found it."""
    from scrubjay.codec.compiled import encode  # brings numpy; see options.py
    from scrubjay.surface.cli.views.recalls import gantt, looks_of, plan_table, recall_view

    with target.reading() as memory:
        given = how.given() | {"trace": trace}
        if also:
            found = memory.recall_across(question, [target.bank, *also], **given)
        else:
            found = memory.recall(question, bank=target.bank, **given)
    if target.as_json:
        print_json(encode(found))
        return
    draw(recall_view(found))
    if plan:
        draw(plan_table(found.plan))
    if trace:
        draw(gantt(found.timings, looks_of(found.plan)))


def explain(
    question: QuestionArgument,
    unit_id: Annotated[str, typer.Argument(metavar="ID", help="The unit.")],
    how: AskOptions,
    target: BankOptions,
) -> None:
    """Say why a unit is, or is not, in the answer to a question."""
    from scrubjay.codec.compiled import encode  # see options.py
    from scrubjay.surface.cli.views.reports import explanation_view

    with target.reading() as memory:
        explained = memory.explain(question, unit_id, bank=target.bank, **how.given())
    emit(encode(explained), explanation_view(explained), as_json=target.as_json)


def feedback(
    question: QuestionArgument,
    target: BankOptions,
    used: Annotated[
        list[str] | None, typer.Option("--used", metavar="UNIT", help="Was of use; repeat.")
    ] = None,
    missed: Annotated[
        list[str] | None, typer.Option("--missed", metavar="UNIT", help="Was lacking; repeat.")
    ] = None,
    now: Annotated[str | None, typer.Option("--now", help="When it was asked.")] = None,
) -> None:
    """Say which units were of use in the answer to a question, and which it lacked."""
    with target.writing() as memory:
        memory.feedback(
            question, used=used or (), missed=missed or (), asked_at=now, bank=target.bank
        )
    emit({"done": True}, "kept", as_json=target.as_json)


def tune(
    target: BankOptions,
    undo: Annotated[
        bool, typer.Option("--undo", help="Count evidence as by default again.")
    ] = False,
) -> None:
    """Fit what each kind of evidence counts in a bank to its feedback."""
    with target.writing() as memory:
        if undo:
            memory.undo_tune(bank=target.bank)
            emit({"done": True}, "evidence counts as by default", as_json=target.as_json)
            return
        found = memory.tune(bank=target.bank)
    show(found, as_json=target.as_json)
