"""Measures how long the console keeps the browser busy at a time; `pytest -m bench -s` runs it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.surface.http.http_server import Running, running

from scrubjay.memory import Memory

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

UNITS = 10_000
LISTED = 100_000
TASK_MS_MAX = 100
THINGS = ("ferry", "harbour", "boat", "ticket", "price")
SCROLLS = 40
WATCH = """() => {
  window.tasks = [0];
  new PerformanceObserver((list) => {
    window.tasks.push(...list.getEntries().map((one) => one.duration));
  }).observe({ type: "longtask", buffered: true });
}"""


def told(memory: Memory, bank: str, units: int) -> None:
    lines = [f"The {THINGS[n % 5]} log of day {n // 50} says number {n}." for n in range(units)]
    for start in range(0, units, 2_500):
        memory.retain(lines[start : start + 2_500], bank=bank)


@pytest.fixture(scope="module")
def large() -> Iterator[Running]:
    memory = Memory.open(":memory:", encoder=None, reranker=None)
    told(memory, "large", UNITS)
    with running(memory=memory) as server:
        yield server


@pytest.mark.bench
@pytest.mark.parametrize(
    ("view", "ready", "units"),
    [
        ("memories", ".vrow:not(.blank)", UNITS),
        ("ask", ".item", UNITS),
        ("time", ".histogram svg", UNITS),
        ("neighbourhood", ".net .node", UNITS),
        ("entities", "main", UNITS),
        ("memories", ".vrow:not(.blank)", LISTED),
    ],
)
def test_no_task_is_long(
    context: BrowserContext, large: Running, view: str, ready: str, units: int
) -> None:
    bank = "large" if units == UNITS else "larger"
    if units != UNITS:
        told(large.memory, bank, units)
    page = context.new_page()
    page.goto(large.url)
    page.wait_for_selector(".empty")
    page.evaluate(WATCH)
    devtools = context.new_cdp_session(page)
    # By the thread's own clock: what other programs do to this machine is not in it.
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent(what: str) -> float:
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == what) * 1e3

    before = {what: spent(what) for what in ("TaskDuration", "ScriptDuration", "LayoutDuration")}
    first = large.json("GET", f"/v1/banks/{bank}/memories?limit=1")["units"][0]["id"]
    more = {"ask": "&q=ferry+number+500&limit=100", "neighbourhood": f"&unit={first}&limit=200"}
    page.evaluate(f"location.hash = '#/{view}?bank={bank}{more.get(view, '')}'")
    page.wait_for_selector(ready)
    scrolls = SCROLLS if view == "memories" else 0
    for share in range(1, scrolls + 1):
        page.locator(".virtual").evaluate(
            f"(one) => {{ one.scrollTop = one.scrollHeight * {share} / {scrolls} }}"
        )
        page.wait_for_selector(".vrow:not(.blank)")
    longest = max(page.evaluate("window.tasks"))
    cpu = {what: spent(what) - before[what] for what in before}
    sys.stdout.write(
        f"| {view} | {units:,} | {scrolls} | {longest:.0f} | {cpu['TaskDuration']:.0f} | "
        f"{cpu['ScriptDuration']:.0f} | {cpu['LayoutDuration']:.0f} |\n"
    )
    assert longest <= TASK_MS_MAX
