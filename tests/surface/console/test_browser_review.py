"""Review, in a real browser: which of two memories holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.surface.http.http_server import Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEMORIES = "/v1/banks/demo/memories"


@pytest.fixture(scope="module")
def reviewed(story: Running) -> Iterator[Running]:
    """The story, with a memory that changes another."""
    first = {"text": "The stand-up is at 9:30 every morning.", "told_at": "2026-10-20T08:00:00Z"}
    second = {"text": "The stand-up moved to 9:15.", "told_at": "2026-11-05T08:00:00Z"}
    for body in (first, second):
        story.json("POST", MEMORIES, body)
    yield story


def at(page: Page, server: Running, view: str, more: str = "") -> None:
    page.goto(f"{server.url}/#/{view}?bank=demo{more}")
    page.wait_for_selector(f".view-{view}")


def test_an_open_pair_is_settled(page: Page, reviewed: Running) -> None:
    at(page, reviewed, "review")
    pair = page.locator("[aria-label=Conflicts] article:has-text('9:15')")
    pair.wait_for()
    assert "9:30" in pair.inner_text()
    assert "sure" in pair.inner_text()
    pair.locator("text=The newer replaces the older").click()
    pair.wait_for(state="detached")
    held = reviewed.json("GET", "/v1/banks/demo/memories?text=9:30")["units"][0]
    assert held["superseded_by"]
