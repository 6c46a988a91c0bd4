"""Ask, in a real browser: an answer and why, a memory that is missing, two answers side by side."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from tests.surface.console.laid_out import text, texts
from tests.surface.http.http_server import Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

REPORTS = "How does Marta like her reports?"
FRIDAY = "What did we do the Friday before last?"


def opened(page: Page, server: Running, question: str = "", more: str = "") -> None:
    asked = f"&q={quote(question)}" if question else ""
    page.goto(f"{server.url}/#/ask?bank=demo{asked}{more}")
    page.wait_for_selector(".item" if question else ".empty")


def test_a_newcomer_is_shown_what_the_bank_holds_and_what_to_ask(
    page: Page, story: Running
) -> None:
    page.goto(story.url)
    page.wait_for_selector(".empty")
    assert "60 memories" in page.inner_text(".empty")
    page.click(".empty a.button")
    page.wait_for_selector(".item")
    assert "q=" in page.url


def test_an_answer_shows_the_words_the_searches_and_how_the_question_was_read(
    page: Page, story: Running
) -> None:
    opened(page, story)
    page.fill("[name=q]", REPORTS)
    page.press("[name=q]", "Enter")
    page.wait_for_selector(".item")
    first = page.locator(".item").first
    assert "one side of paper" in text(first)
    assert texts(first.locator("mark")) == ["Marta"]
    assert "relevant" in text(first)
    assert first.locator(".bar i").count() >= 2
    assert "“Marta” is Marta Olsen" in page.inner_text(".aside")
    assert "the question names no time" in page.inner_text(".aside")
    assert page.locator(".aside svg[role=img]").count() == 2
    first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".why")
    assert "as the question's words imply" in page.inner_text(".why")


def test_the_window_of_a_question_is_drawn_on_the_banks_timeline(
    page: Page, story: Running
) -> None:
    opened(page, story, FRIDAY)
    assert "“the Friday before last” is Fri 30 Oct 2026" in page.inner_text(".aside")
    label = page.locator(".aside svg[role=img]").first.get_attribute("aria-label")
    assert label is not None and "Fri 30 Oct 2026" in label


def test_a_missing_memory_is_explained_and_let_through(page: Page, story: Running) -> None:
    opened(page, story, REPORTS, "&limit=2")
    expected = page.locator(".explain input")
    expected.fill("three written lines instead of a call")
    page.click(".picks button >> nth=0")
    page.wait_for_selector(".ladder .fell")
    assert page.locator(".ladder .fell").get_attribute("data-stage") == "limit"
    assert "2 were asked for" in page.inner_text(".ladder .fell")
    assert "it holds none of the words" in page.inner_text(".explain")
    page.click("text=Ask again so")
    page.wait_for_selector(".explain .chip.good")
    assert "It is in the answer" in page.inner_text(".explain .chip.good")
    assert page.locator(".item").count() > 2


def test_two_presets_stand_side_by_side_with_what_moved(page: Page, story: Running) -> None:
    opened(page, story, REPORTS)
    page.click("text=Compare")
    page.wait_for_selector(".sides")
    page.wait_for_selector(".sides path[data-line]", state="attached")
    assert page.locator(".sides h2").nth(1).inner_text().startswith("recall5")
    assert page.locator(".sides .moved").count() > 0
    page.select_option("fieldset select >> nth=0", "tempr")
    page.wait_for_selector(".sides h2:has-text('tempr')")
    assert "vs_preset=tempr" in page.url


def test_two_moments_are_compared(page: Page, story: Running) -> None:
    opened(page, story, REPORTS, f"&compare=1&vs_as_of={quote('2026-10-20T00:00:00Z')}")
    page.wait_for_selector(".sides")
    assert "as of Tue 20 Oct 2026" in page.locator(".sides h2").nth(1).inner_text()


def test_the_state_is_in_the_address_and_back_goes_back(page: Page, story: Running) -> None:
    opened(page, story, REPORTS)
    page.click("text=Options")
    page.select_option(".options select >> nth=0", "dense_fts")
    page.wait_for_url(re.compile("preset=dense_fts"))
    page.wait_for_selector(".waiting", state="detached")
    page.reload()
    page.wait_for_selector(".item")
    assert page.locator(".options select").first.input_value() == "dense_fts"
    page.go_back()
    page.wait_for_url(lambda url: "preset=" not in url)


def test_the_same_question_is_copied_as_python_curl_and_a_command(
    page: Page, story: Running
) -> None:
    opened(page, story, REPORTS, "&preset=tempr&limit=3")
    page.click("text=Copy as…")
    code = page.locator("dialog pre")
    assert 'preset="tempr"' in code.inner_text()
    page.click("dialog >> text=curl")
    assert f"{story.url}/v1/banks/demo/recall" in code.inner_text()
    page.click("dialog >> text=CLI")
    assert "--preset 'tempr'" in code.inner_text()


def test_a_bad_value_is_shown_with_its_remedy(page: Page, story: Running) -> None:
    page.goto(f"{story.url}/#/ask?bank=demo&q=tea&types=beacon")
    page.wait_for_selector(".problem")
    assert "unknown type" in page.inner_text(".problem")
    assert "Use one of" in page.inner_text(".problem")


def test_a_walk_by_keys_alone(page: Page, story: Running) -> None:
    opened(page, story)
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type(REPORTS)
    page.keyboard.press("Enter")
    page.wait_for_selector(".item")
    page.keyboard.press("Escape")
    page.locator(".item").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("li:nth-child(2) .why")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("document.activeElement.dataset.id") == page.locator(".item").nth(
        1
    ).get_attribute("data-id")


def test_a_phone_of_360_points_needs_no_sideways_scrolling(page: Page, story: Running) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    opened(page, story, REPORTS)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_dark_is_the_systems_and_can_be_switched(page: Page, story: Running) -> None:
    page.emulate_media(color_scheme="dark")
    opened(page, story)
    shade = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(shade)
    page.click("[title='Light or dark']")
    assert page.evaluate(shade) != dark
    page.reload()
    page.wait_for_selector(".empty")
    assert page.evaluate(shade) != dark
