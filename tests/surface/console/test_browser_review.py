"""Review, in a real browser: what is pending, and which of two memories holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.surface.http.http_server import Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEMORIES = "/v1/banks/demo/memories"
PENDING = {
    "units": [
        {
            "text": "The harbour office closes for good in March.",
            "author": "mailbot",
            "origin": "inbox",
        }
    ],
    "pending": True,
}


@pytest.fixture(scope="module")
def reviewed(story: Running) -> Iterator[Running]:
    """The story, with a memory that changes another, and one that waits for somebody's word."""
    first = {"text": "The stand-up is at 9:30 every morning.", "told_at": "2026-10-20T08:00:00Z"}
    second = {"text": "The stand-up moved to 9:15.", "told_at": "2026-11-05T08:00:00Z"}
    for body in ({"units": [first, second]}, PENDING):
        story.json("POST", MEMORIES, body)
    yield story


def at(page: Page, server: Running, view: str, more: str = "") -> None:
    page.goto(f"{server.url}/#/{view}?bank=demo{more}")
    page.wait_for_selector(f".view-{view}")


def test_a_pending_memory_is_approved_and_then_found(page: Page, reviewed: Running) -> None:
    at(page, reviewed, "review")
    waiting = page.locator("[aria-label=Pending] article")
    waiting.first.wait_for()
    assert "by mailbot" in waiting.first.inner_text()
    asked = {"question": "When does the harbour office close?"}
    before = reviewed.json("POST", "/v1/banks/demo/recall", asked)
    assert not any("closes for good" in item["text"] for item in before["items"])
    page.click("text=Approve")
    page.wait_for_selector("text=Nothing is pending")
    after = reviewed.json("POST", "/v1/banks/demo/recall", asked)
    assert "closes for good" in after["items"][0]["text"]


def test_a_pending_memory_is_rejected(page: Page, reviewed: Running) -> None:
    said = {"text": "Somebody said the ferry is pink.", "author": "rumour"}
    reviewed.json("POST", MEMORIES, {"units": [said], "pending": True})
    at(page, reviewed, "review")
    page.click("[aria-label=Pending] >> text=Reject")
    page.wait_for_selector("text=Nothing is pending")
    assert reviewed.json("GET", "/v1/banks/demo/pending")["total"] == 0


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
    page.click(".toast >> text=Undo")
    page.wait_for_selector(".toast:has-text('It holds again')")
    held = reviewed.json("GET", "/v1/banks/demo/memories?text=9:30")["units"][0]
    assert held["superseded_by"] is None
