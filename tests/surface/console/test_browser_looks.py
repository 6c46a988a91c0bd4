"""How every view looks and what it weighs: accessible, light and dark, and small.

`make shots` keeps the pictures in docs/console/, with the bytes of each view in bytes.json.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from tests.surface.http.http_server import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KEPT = os.environ.get("SHOTS")
FIRST_VIEW_BYTES_MAX = 150_000
REPORTS = "q=How+does+Marta+like+her+reports%3F"
# What is shown, and when it is there.
VIEWS = {
    "ask": (f"#/ask?bank=demo&{REPORTS}", ".item"),
    "compare": (f"#/ask?bank=demo&{REPORTS}&compare=1&vs_preset=tempr", ".sides path"),
    "memories": ("#/memories?bank=demo&order=told", ".vrow:not(.blank)"),
    "review": ("#/review?bank=demo", "[aria-label=Pending] article"),
    "time": ("#/time?bank=demo&from=2026-10-26T00:00:00Z&to=2026-10-31T00:00:00Z", ".cards li"),
    "entities": ("#/entities?bank=demo&id=4", ".detail .histogram"),
    "neighbourhood": ("#/neighbourhood?bank=demo&entity=4", ".net .node"),
    "sessions": ("#/sessions?bank=demo", ".feed li"),
    "operations": ("#/operations?bank=demo", "[aria-label=Latencies]"),
}
weights: dict[str, int] = {}


@pytest.fixture(scope="module")
def told(story: Running) -> Iterator[Running]:
    """The story, with something to review."""
    memories = "/v1/banks/demo/memories"
    for body in (
        {"text": "The stand-up is at 9:30 every morning.", "told_at": "2026-10-20T08:00:00Z"},
        {"text": "The stand-up moved to 9:15.", "told_at": "2026-11-05T08:00:00Z"},
    ):  # fmt: skip
        story.json("POST", memories, body)
    waiting = {"text": "The harbour office closes for good in March.", "author": "mailbot"}
    story.json("POST", memories, {"units": [waiting], "pending": True})
    yield story
    if KEPT:
        text = json.dumps(weights, indent=1, sort_keys=True)
        (Path(KEPT) / "bytes.json").write_text(f"{text}\n", encoding="utf-8")


def shown(page: Page, server: Running, view: str) -> None:
    address, ready = VIEWS[view]
    page.goto(f"{server.url}/{address}")
    if view == "sessions":
        page.wait_for_selector(".chip:has-text('listening')")
        server.json("POST", "/v1/banks/demo/recall", {"question": "Who sailed to the island?"})
    if view == "memories":
        page.click(".vrow:not(.blank):has-text('Saltmarsh four years')")
        page.wait_for_selector(".detail blockquote")
    page.wait_for_selector(ready, state="attached")


def keep(name: str, picture: bytes) -> None:
    """A picture of few colours: half the bytes, and nobody sees it."""
    assert KEPT is not None
    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(128)
    image.save(Path(KEPT) / f"{name}.png", optimize=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_accessible_and_drawn(
    browser: Browser, told: Running, view: str, scheme: str
) -> None:
    # The rules are put into the page, which its own policy would refuse.
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, bypass_csp=True,
        color_scheme="dark" if scheme == "dark" else "light",
    )  # fmt: skip
    context.set_default_timeout(120_000)
    page = context.new_page()
    shown(page, told, view)
    rules = resources.files("axe_playwright_python").joinpath("axe.min.js")
    page.evaluate(rules.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    serious = [
        f"{one['id']}: {node['html'][:160]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
    picture = page.screenshot()
    context.close()
    assert not serious, "\n".join(serious)
    assert len(picture) > 10_000
    if KEPT:
        keep(f"{view}-{scheme}", picture)


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_small_when_it_is_the_first(browser: Browser, told: Running, view: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(120_000)
    page = context.new_page()
    shown(page, told, view)
    sizes = "performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0)"
    weights[view] = int(page.evaluate(sizes))
    context.close()
    assert 5_000 < weights[view] < FIRST_VIEW_BYTES_MAX
