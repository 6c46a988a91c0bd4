"""`scrubjay demo --console`: from nothing to an answer in the browser, by one command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.surface.cli.command_line import started
from tests.surface.console.laid_out import text

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


def test_one_command_leads_a_newcomer_to_the_ask_view_with_the_demo_bank(
    context: BrowserContext,
) -> None:
    with started("demo", "--console", "--no-open") as address:
        page, failures = context.new_page(), list[str]()
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.goto(address)
        page.wait_for_selector(".view-ask >> text=This bank holds 60 memories")
        page.fill("input[name=q]", "Whose is 60418?")
        page.keyboard.press("Enter")
        assert "60418" in text(page.locator(".item").first)
        page.click(".item .said >> nth=0")
        page.wait_for_selector(".item .why")
        assert not failures
