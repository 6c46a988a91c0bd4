"""What people see: shares, charts, tables."""

from __future__ import annotations

from rich.console import Console, RenderableType

from scrubjay.answers import Evidence, Plan, RetrieverPlan
from scrubjay.surface.cli.views.recalls import gantt, looks_of, plan_table, shares
from scrubjay.surface.cli.views.tables import plain, view_of
from scrubjay.trace import Span

NAMES = ("far", "near", "third", "fourth", "fifth", "sixth")
STEPS = tuple(RetrieverPlan(name, True, "-", 100, 1.0, 20.0, "a test") for name in NAMES)
LOOKS = looks_of(Plan("default", STEPS, (), "", "inline", ""))


def drawn(view: RenderableType) -> list[str]:
    console = Console(width=120, color_system=None)
    with console.capture() as captured:
        console.print(view)
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_share_is_what_a_rank_is_worth_to_fusion() -> None:
    bar = shares({"far": Evidence(61, 0.4), "near": Evidence(1, 0.9)}, LOOKS).plain
    # 1 / 61 against 1 / 121.
    assert "far #61 34%" in bar
    assert "near #1 66%" in bar
    assert bar.startswith("█" * 8 + "▓" * 16)


def test_retrievers_behind_the_first_few_are_drawn_alike_and_have_a_share_too() -> None:
    assert len(set(LOOKS.values())) == 5
    bar = shares({"sixth": Evidence(1, 1.0)}, LOOKS).plain
    assert bar.startswith("▚" * 24) and "sixth #1 100%" in bar


def test_the_chart_is_to_scale_and_in_order_of_starting() -> None:
    lines = drawn(gantt({"late": Span("late", 50, 100, 1), "early": Span("early", 0, 50, 1)}, {}))
    early, late = lines
    assert early.startswith("early")
    assert (early.count("━"), late.count("━")) == (24, 24)
    assert late.index("━") == early.rindex("━") + 1
    assert late.endswith("50.00 to 100.00 ms")


def test_nothing_timed_draws_an_empty_chart() -> None:
    assert "".join(drawn(gantt({}, {}))).strip() == ""


def test_the_plan_gives_its_reasons() -> None:
    step = RetrieverPlan("temporal", False, "window", 100, 0.5, 20.0, "no time is named")
    plan = Plan("default", (step,), ("event",), "'when did'", "inline", "few units")
    text = "\n".join(drawn(plan_table(plan)))
    assert "no time is named" in text
    assert "types: event ('when did')" in text


def test_empty_fields_are_left_out_and_lists_of_objects_become_tables() -> None:
    text = drawn(view_of({"name": "quay", "note": None, "rows": [{"n": 1, "ok": True}]}))
    assert not any("note" in line for line in text)
    assert any(line.split() == ["n", "ok"] for line in text)
    assert any(line.split() == ["1", "yes"] for line in text)


def test_text_is_shown_as_it_is_but_for_control_characters() -> None:
    assert drawn(plain("[red]a[/red] \x1b[2J \x9b b")) == ["[red]a[/red] �[2J � b"]
