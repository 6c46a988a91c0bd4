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
TASK_MS_MAX = 100
THINGS = ("ferry", "harbour", "boat", "ticket", "price")
WATCH = """() => {
  window.tasks = [0];
  new PerformanceObserver((list) => {
    window.tasks.push(...list.getEntries().map((one) => one.duration));
  }).observe({ type: "longtask", buffered: true });
}"""


@pytest.fixture(scope="module")
def large() -> Iterator[Running]:
    memory = Memory.open(":memory:", encoder=None, reranker=None)
    lines = [f"The {THINGS[n % 5]} log of day {n // 50} says number {n}." for n in range(UNITS)]
    for start in range(0, UNITS, 2_500):
        memory.retain(lines[start : start + 2_500], bank="large")
    with running(memory=memory) as server:
        yield server


@pytest.mark.bench
@pytest.mark.parametrize(
    ("view", "ready"),
    [
        ("memories", ".vrow:not(.blank)"),
        ("ask", ".item"),
        ("time", ".histogram svg"),
        ("neighbourhood", ".net .node"),
    ],
)
def test_no_task_is_long(context: BrowserContext, large: Running, view: str, ready: str) -> None:
    page = context.new_page()
    page.goto(large.url)
    page.wait_for_selector(".empty")
    page.evaluate(WATCH)
    first = large.json("GET", "/v1/banks/large/memories?limit=1")["units"][0]["id"]
    more = {"ask": "&q=ferry+number+500&limit=100", "neighbourhood": f"&unit={first}&limit=200"}
    page.evaluate(f"location.hash = '#/{view}?bank=large{more.get(view, '')}'")
    page.wait_for_selector(ready)
    if view == "memories":
        for share in range(1, 41):
            page.locator(".virtual").evaluate(
                f"(one) => {{ one.scrollTop = one.scrollHeight * {share} / 40 }}"
            )
            page.wait_for_selector(".vrow:not(.blank)")
    longest = max(page.evaluate("window.tasks"))
    sys.stdout.write(f"{view}: {UNITS:,} units, longest task {longest:.0f} ms\n")
    assert longest <= TASK_MS_MAX
