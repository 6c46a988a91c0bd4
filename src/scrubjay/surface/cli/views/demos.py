"""The demo's report: per question who found what, or all presets side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from scrubjay.answers import Item
from scrubjay.codec.compiled import encode_object
from scrubjay.surface.cli.views.tables import plain, table
from scrubjay.surface.demo import Answered
from scrubjay.types.values import Json

_SHOWN = 3
_VERDICTS = {
    "first": ("✓ the expected memory came first", "green"),
    "found": ("✓ the expected memory was found", "green"),
    "missing": ("✗ missing", "red"),
}


@dataclass(frozen=True, slots=True)
class Report:
    """What the demo did; answers by preset, `default` among them."""

    told: int
    now: datetime
    answers: Mapping[str, list[Answered]]
    kept: Path | None  # None: the store is gone

    @property
    def complete(self) -> bool:
        """Whether the default preset found everything expected."""
        return not any(answered.missing for answered in self.answers["default"])

    @property
    def failed(self) -> bool:
        """Whether something was missed that could have been found: not for want of a model."""
        return any(
            answered.missing and not answered.without_meaning
            for answered in self.answers["default"]
        )

    @property
    def degraded(self) -> list[str]:
        """What the default preset had to do without, and why, each once."""
        reasons = (
            f"without {part.retriever}: {part.reason}"
            for answered in self.answers["default"]
            for part in answered.recall.degraded
        )
        return list(dict.fromkeys(reasons))


def report_to_json(report: Report) -> dict[str, Json]:
    """The whole report as JSON."""
    return {
        "told": report.told,
        "now": report.now.isoformat(),
        "complete": report.complete,
        "degraded": report.degraded,
        "store": None if report.kept is None else str(report.kept),
        "questions": [_answered_to_json(answered) for answered in report.answers["default"]],
        "presets": {
            name: [[item.key for item in answered.recall.items[:_SHOWN]] for answered in answers]
            for name, answers in report.answers.items()
        },
    }


def _answered_to_json(answered: Answered) -> dict[str, Json]:
    return {
        "question": answered.asked.question,
        "needs": answered.asked.needs,
        "why": answered.asked.why,
        "expects": list(answered.asked.expects),
        "verdict": answered.verdict,
        "missing": list(answered.missing),
        "items": [
            {
                **encode_object(item),
                "expected": answered.expected(item),
                "found_by": found_by(item, answered.ways),
            }
            for item in answered.recall.items[:_SHOWN]
        ],
    }


def demo_view(report: Report) -> RenderableType:
    """Each question with its first three answers."""
    opening = f"{report.told} memories told; now is {report.now:%A, %d %B %Y}."
    questions = [_question_view(answered) for answered in report.answers["default"]]
    return Group(plain(opening), *questions, *_closing(report))


def _question_view(answered: Answered) -> RenderableType:
    asked = answered.asked
    lines = Table.grid(padding=(0, 1))
    for place, item in enumerate(answered.recall.items[:_SHOWN], start=1):
        mark = Text("✓", "green") if answered.expected(item) else Text(" ")
        lines.add_row(mark, str(place), plain(item.text))
        lines.add_row("", "", plain(found_by(item, answered.ways), "dim"))
    return Group(
        Text(),
        Text.assemble(plain(asked.question, "bold"), plain(f"   needs {asked.needs}", "cyan")),
        lines if answered.recall.items else plain("nothing found", "dim"),
        _verdict(answered),
        plain(asked.why, "dim italic"),
    )


def _verdict(answered: Answered) -> Text:
    said, style = _VERDICTS[answered.verdict]
    if answered.missing:
        said += f": {', '.join(answered.missing)}"
        if answered.without_meaning:
            said += " (without a model there is no search by meaning)"
    return plain(said, style)


def found_by(item: Item, ways: Mapping[str, str]) -> str:
    """Which ways of searching found an item, at which place, in a sentence."""
    found = item.why.retrievers
    places = [f"{ways.get(name, name)} (#{seen.rank})" for name, seen in found.items()]
    sentence = f"Found by {', '.join(places)}"
    for path in (seen.path for seen in found.values() if seen.path):
        sentence += f", by way of {' → '.join(path)}"
    if item.why.rerank is not None:
        sentence += f"; the reranker gave {item.why.rerank:.2f}"
    return f"{sentence}."


def presets_view(report: Report) -> RenderableType:
    """For each question, the keys of each preset's first three."""
    parts: list[RenderableType] = []
    for number, answered in enumerate(report.answers["default"]):
        parts += [Text(), plain(answered.asked.question, "bold")]
        columns = [answers[number] for answers in report.answers.values()]
        rows = [[_key(column, place) for column in columns] for place in range(_SHOWN)]
        verdicts = [Text(one.verdict, _VERDICTS[one.verdict][1]) for one in columns]
        parts.append(table(list(report.answers), [*rows, verdicts]))
    return Group(*parts, *_closing(report))


def _key(answered: Answered, place: int) -> Text:
    if place >= len(answered.recall.items):
        return Text("-", "dim")
    item = answered.recall.items[place]
    return plain(item.key or item.id, "green" if answered.expected(item) else "")


def _closing(report: Report) -> Iterator[RenderableType]:
    yield Text()
    yield from (plain(line, "yellow") for line in report.degraded)
    if report.kept is not None:
        yield plain(f"The store is {report.kept}, its bank is demo.")
