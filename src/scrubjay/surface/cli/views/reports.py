"""Reports with a form of their own: pages of units, explanations, findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType

from scrubjay.surface.cli.views.recalls import day_of
from scrubjay.surface.cli.views.tables import plain, table

if TYPE_CHECKING:
    from datetime import datetime

    from scrubjay.answers import Explanation
    from scrubjay.types.reports import Finding
    from scrubjay.types.units import StoredUnit
    from scrubjay.types.views import Page, PendingUnits


def page_view(page: Page) -> RenderableType:
    """One line a unit, and how to go on."""
    if not page.units:
        return plain("nothing", "dim")
    rows = [(unit.id, day_of(unit), unit.type, unit.text) for unit in page.units]
    more = [] if page.cursor is None else [plain(f"more: --cursor {page.cursor}", "dim")]
    return Group(table(("id", "date", "type", "text"), rows), *more)


def pending_view(found: PendingUnits) -> RenderableType:
    """One line a unit, who told it and from where, and how many wait in all."""
    if not found.units:
        return plain("nothing waits", "dim")
    rows = [
        (unit.id, day_of(unit), unit.author or "", unit.origin or "", unit.text)
        for unit in found.units
    ]
    left = found.total - len(found.units)
    more = [plain(f"{left} more: --limit, --offset", "dim")] if left else []
    return Group(table(("id", "date", "author", "origin", "text"), rows), *more)


def lineage_view(units: Sequence[StoredUnit]) -> RenderableType:
    """One line a unit, oldest first, with when it held."""
    rows = [(unit.id, _day(unit.valid_from), _day(unit.valid_to), unit.text) for unit in units]
    return table(("id", "from", "to", "text"), rows)


def _day(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d}"


def explanation_view(explanation: Explanation) -> RenderableType:
    """The verdict, then what each retriever makes of the unit."""
    place = f"number {explanation.rank}" if explanation.returned else f"out at {explanation.step}"
    rows = [
        (name, "yes" if seen.ran else "no", _or_dash(seen.rank), _or_dash(seen.score), seen.reason)
        for name, seen in explanation.retrievers.items()
    ]
    numbers = (
        f"fused rank {_or_dash(explanation.fused_rank)}, "
        f"fused {_or_dash(explanation.fused_score)}, "
        f"rerank {_or_dash(explanation.rerank)}, score {_or_dash(explanation.score)}, "
        f"relevance {_or_dash(explanation.relevance)}"
    )
    return Group(
        plain(f"{place}: {explanation.reason}", "bold"),
        table(("retriever", "ran", "rank", "score", "why"), rows),
        plain(numbers, "dim"),
        *_sums(explanation),
    )


def _sums(explanation: Explanation) -> Iterator[RenderableType]:
    """What the score is made of, beside that of the unit it is compared with."""
    own, rival = explanation.contributions, explanation.rival
    if own:
        beside = {} if rival is None else rival.contributions
        names = [*own, *(name for name in beside if name not in own)]
        columns = ("adds", "it", *([] if rival is None else [rival.unit]))
        totals = [own, beside] if rival is not None else [own]
        rows = [(name, *(f"{one.get(name, 0.0):+.4f}" for one in totals)) for name in names]
        rows.append(("sum", *(f"{sum(one.values()):.4f}" for one in totals)))
        yield table(columns, rows)
    if explanation.change is not None:
        yield plain(f"it would be there with {explanation.change}", "yellow")


def _or_dash(number: float | None) -> str:
    if number is None:
        return "-"
    return str(number) if isinstance(number, int) else f"{number:.4f}"


def findings_view(found: Mapping[str, Sequence[Finding]]) -> RenderableType:
    """What doctor found in each bank."""
    rows = [
        (bank, finding.check, finding.detail, "fixed" if finding.fixed else "not fixed")
        for bank, findings in found.items()
        for finding in findings
    ]
    if not rows:
        return plain(f"all is well in {', '.join(found) or 'an empty store'}")
    return table(("bank", "check", "what is wrong", "state"), rows)
