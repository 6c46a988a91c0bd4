"""An answer as people read it: items with their shares, the plan, and when each part ran."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scrubjay.prompt_text import holding_of, told_of
from scrubjay.surface.cli.views.tables import plain, table

if TYPE_CHECKING:
    from scrubjay.answers import Evidence, Item, Plan, Recall
    from scrubjay.trace import Span
    from scrubjay.types.units import StoredUnit

_BAR_CELLS = 24
_CHART_CELLS = 48
_INDENT = 4
_RANK_CONSTANT = 60  # the k of reciprocal rank fusion
# A retriever's colour and, for paper and pipes, its shade, by its place in the plan.
_LOOKS = (("blue", "█"), ("green", "▓"), ("magenta", "▒"), ("yellow", "░"))
_OTHER_LOOK = ("cyan", "▚")
Looks = Mapping[str, tuple[str, str]]


def recall_view(recall: Recall) -> RenderableType:
    """The items, best first, and what is worth knowing about the whole."""
    looks = looks_of(recall.plan)
    shown = enumerate(zip(recall.relevant, told_of(recall.relevant), strict=True), start=1)
    items = [_item(place, item, told, looks) for place, (item, told) in shown]
    missing = "nothing relevant is remembered" if recall.items else "nothing found"
    return Group(*(items or [plain(missing, "dim")]), *_notes(recall))


def looks_of(plan: Plan) -> Looks:
    """How each retriever of a plan is drawn; those behind the first few all alike."""
    looks = [*_LOOKS, *[_OTHER_LOOK] * len(plan.retrievers)]
    return {step.retriever: look for step, look in zip(plan.retrievers, looks, strict=False)}


def _item(place: int, item: Item, told: str, looks: Looks) -> RenderableType:
    when = told if item.occurred_start is None else day_of(item)
    head = Text.assemble(
        (f"{place:>2}  ", "bold"), (f"{item.score:.4f}", "bold"),
        f"  {item.relevance:.0%}  {when}  ", (f"{item.type}  ", "cyan"), (item.id, "dim"),
    )  # fmt: skip
    said = "" if item.speaker is None else f"{item.speaker}: "
    lines: list[RenderableType] = [plain(said + item.text), shares(item.why.retrievers, looks)]
    lines += [plain(line, "dim") for line in _after(item)]
    return Group(head, *(Padding.indent(line, _INDENT) for line in lines))


def shares(retrievers: Mapping[str, Evidence], looks: Looks) -> Text:
    """A bar cut by what each retriever's rank is worth, 1 / (60 + rank), and the ranks."""
    worth = {name: 1 / (_RANK_CONSTANT + found.rank) for name, found in retrievers.items()}
    total = sum(worth.values())
    bar, legend = Text(), Text()
    for name, found in retrievers.items():
        colour, shade = looks.get(name, _OTHER_LOOK)
        share = worth[name] / total
        bar.append(shade * max(1, round(share * _BAR_CELLS)), colour)
        legend.append(f"  {name} #{found.rank} {share:.0%}", colour)
    return bar + legend


def _after(item: Item) -> Iterator[str]:
    if holding := ", ".join(
        f"{name.replace('_', ' ')} {value}" for name, value in holding_of(item)
    ):
        yield holding
    for found in item.why.retrievers.values():
        if found.path:
            yield "by way of " + " → ".join(found.path)
    boosts = f"recency ×{item.why.recency:.2f}, time ×{item.why.temporal_boost:.2f}"
    rerank = "" if item.why.rerank is None else f"rerank {item.why.rerank:.3f}, "
    if rerank or (item.why.recency, item.why.temporal_boost) != (1.0, 1.0):
        yield rerank + boosts


def day_of(told: Item | StoredUnit) -> str:
    """The day, or days, it happened; otherwise the day it was told."""
    start, end = told.occurred_start, told.occurred_end
    if start is None:
        return f"{told.told_at:%Y-%m-%d}"
    first = f"{start:%Y-%m-%d}"
    last = first if end is None else f"{end:%Y-%m-%d}"
    return first if first == last else f"{first}/{last}"


def _notes(recall: Recall) -> Iterator[RenderableType]:
    if recall.window is not None:
        edges = (recall.window.start, recall.window.end)
        start, end = ("…" if edge is None else f"{edge:%Y-%m-%d %H:%M}" for edge in edges)
        yield plain(f"window: {start} to {end} UTC", "dim")
    if recall.widened:
        yield plain("widened: too few of the hinted types, so all types were searched", "dim")
    if recall.missing is not None and recall.relevant:
        yield plain(f"none of them gives {recall.missing}, which is asked for", "yellow")
    if recall.missing_words and recall.relevant:
        yield plain(f"none of them has the words: {', '.join(recall.missing_words)}", "dim")
    hidden = len(recall.items) - len(recall.relevant)
    if hidden:
        likely = max(item.relevance for item in recall.items)
        said = f"the best of {hidden} is {likely:.0%} likely; --min-score 0 shows them"
        yield plain(said, "yellow")
    for part in recall.degraded:
        yield plain(f"without {part.retriever}: {part.reason}", "yellow")


def plan_table(plan: Plan) -> RenderableType:
    """What the optimizer chose, and why."""
    columns = ("retriever", "run", "method", "depth", "weight", "deadline", "why")
    rows = [
        (step.retriever, "yes" if step.run else "no", step.method, step.depth,
         f"{step.weight:g}", f"{step.deadline_ms:g} ms", step.reason)
        for step in plan.retrievers
    ]  # fmt: skip
    hints = ", ".join(plan.type_hints) or "none"
    summary = (
        f"preset {plan.preset}; types: {hints} ({plan.hint_reason}); "
        f"{plan.mode} ({plan.mode_reason})"
    )
    return Group(table(columns, rows), plain(summary, "dim"))


def gantt(timings: Mapping[str, Span], looks: Looks) -> RenderableType:
    """When each branch and stage ran, drawn to scale."""
    total = max((span.end_ms for span in timings.values()), default=0.0) or 1.0
    chart = Table.grid(padding=(0, 2))
    for name, span in sorted(timings.items(), key=lambda pair: (pair[1].start_ms, pair[0])):
        before = min(int(span.start_ms / total * _CHART_CELLS), _CHART_CELLS - 1)
        length = max(1, round((span.end_ms - span.start_ms) / total * _CHART_CELLS))
        bar = " " * before + "━" * min(length, _CHART_CELLS - before)
        times = f"{span.start_ms:.2f} to {span.end_ms:.2f} ms"
        colour = looks.get(name, _OTHER_LOOK)[0]
        chart.add_row(plain(name), Text(bar.ljust(_CHART_CELLS), colour), plain(times, "dim"))
    return chart
