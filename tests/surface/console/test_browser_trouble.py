"""What goes wrong while the console is open: a bank, a memory or the server is gone; two edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.surface.console.conftest import PATIENCE_MS
from tests.surface.http.http_server import Running, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

VIEWS = (
    "ask", "memories", "review", "time", "entities", "neighbourhood", "sessions", "operations",
)  # fmt: skip


def opened(page: Page, server: Running, view: str, more: str) -> None:
    page.goto(f"{server.url}/#/{view}?{more}")
    page.wait_for_selector(f".view-{view}")


def test_a_bank_that_is_deleted_meanwhile_is_said_to_be_gone(page: Page, story: Running) -> None:
    story.memory.retain(["The ferry leaves at nine.", "Nadia sails it."], bank="doomed")
    opened(page, story, "ask", "bank=doomed")
    page.wait_for_selector("text=This bank holds 2 memories")
    story.memory.delete_bank("doomed")
    page.fill("input[name=q]", "ferry")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=The bank “doomed” is gone")
    assert "doomed" not in page.inner_text("#bank")
    page.click(".empty >> text=demo")
    page.wait_for_selector(".view-ask >> text=This bank holds")


@pytest.mark.parametrize("view", VIEWS)
def test_an_empty_bank_says_what_would_fill_it(page: Page, story: Running, view: str) -> None:
    story.memory.bank("nothing")
    opened(page, story, view, "bank=nothing")
    page.wait_for_selector(".view-operations .tile" if view == "operations" else ".empty")


def test_a_memory_that_somebody_else_changed_is_not_overwritten(
    page: Page, context: BrowserContext, story: Running
) -> None:
    unit = story.memory.retain("The pier is green.", bank="shared").id
    other = context.new_page()
    for one, text in ((page, "The pier is blue."), (other, "The pier is red.")):
        opened(one, story, "memories", f"bank=shared&id={unit}")
        one.click(".detail button:has-text('Edit')")
        one.fill("dialog textarea", text)
    page.click("dialog button[type=submit]")
    page.wait_for_selector(".detail blockquote:has-text('blue')")
    other.click("dialog button[type=submit]")
    other.wait_for_selector("dialog .problem:has-text('The pier is blue.')")
    assert story.memory.get(unit, bank="shared").text == "The pier is blue."
    story.memory.forget(unit, bank="shared")
    other.click("dialog button[type=submit]")
    other.wait_for_selector("dialog .problem:has-text('no such unit')")


def test_a_server_that_is_gone_is_said_to_be_and_found_again(browser: Browser) -> None:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    page, failures = context.new_page(), list[str]()
    page.on("pageerror", lambda error: failures.append(str(error)))
    with running() as server:
        server.memory.retain("The ferry leaves at nine.")
        opened(page, server, "memories", "bank=default")
        page.wait_for_selector(".vrow:not(.blank)")
    page.fill("[data-slash]", "ferry")
    page.wait_for_selector(".problem:has-text('The server does not answer')")
    page.keyboard.press("Escape")
    page.keyboard.press("4")  # a view whose module was never fetched
    page.wait_for_selector("main > section:not(.view-memories) .problem:has-text('not answer')")
    assert page.locator(".problem button:has-text('Try again')").count() == 1
    assert not failures
    context.close()
