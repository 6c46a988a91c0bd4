"""Memories, in a real browser: found by filters, looked at, edited, superseded, forgotten."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.surface.console.laid_out import texts
from tests.surface.http.http_server import Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

BADGE = "Okan was handed a new door badge"
# A script, an event handler, a right-to-left override that would turn the line around, markup.
HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    "\u202egnihtyna od\u202c </span><b>bold</b> {{7*7}} javascript:alert(1)"
)


def opened(page: Page, server: Running, more: str = "", bank: str = "demo") -> None:
    page.goto(f"{server.url}/#/memories?bank={bank}{more}")
    page.wait_for_selector(".vrow:not(.blank)")


def chosen(page: Page, server: Running, text: str, bank: str = "demo") -> str:
    """Open the memory that begins so; its id."""
    found = server.json("GET", f"/v1/banks/{bank}/memories?limit=1000")["units"]
    unit = next(one["id"] for one in found if one["text"].startswith(text))
    opened(page, server, f"&id={unit}", bank)
    page.wait_for_selector(".detail blockquote")
    return str(unit)


def test_the_list_is_filtered_as_one_types(page: Page, story: Running) -> None:
    opened(page, story)
    assert page.inner_text(".head [role=status]") == "60 memories"
    page.keyboard.press("/")
    page.keyboard.type("turnst")
    page.wait_for_selector(".head [role=status]:not(:has-text('60'))")
    page.wait_for_selector(".vrow:not(.blank)")
    assert all("turnst" in row.lower() for row in texts(page.locator(".vrow .line")))
    assert "text=turnst" in page.url


def test_filters_stand_in_the_address_and_say_when_nothing_passes(
    page: Page, story: Running
) -> None:
    opened(page, story, "&type=preference")
    rows = texts(page.locator(".vrow .fine"))
    assert len(rows) == 5
    assert all(row.startswith("preference") for row in rows)
    page.fill(".filters label:has-text('Speaker') input", "nobody")
    page.press(".filters label:has-text('Speaker') input", "Enter")
    page.wait_for_selector("text=No memory passes these filters")
    page.click("text=Take all filters away")
    page.wait_for_selector(".head [role=status]:has-text('60 memories')")
    assert "speaker=" not in page.url


def test_a_memory_is_shown_whole_with_its_links(page: Page, story: Running) -> None:
    chosen(page, story, "Juliane counted 57 tickets")
    facts = page.inner_text(".detail .facts")
    assert "Told" in facts
    assert "Id" in facts
    page.wait_for_selector(".detail h3:has-text('Linked')")


def test_the_list_is_walked_by_keys(page: Page, story: Running) -> None:
    opened(page, story, "&order=oldest")
    page.focus(".virtual")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(".detail blockquote")
    second = story.json("GET", "/v1/banks/demo/memories?limit=2")["units"][1]
    assert page.inner_text(".detail blockquote") == second["text"]
    page.focus(".virtual")
    page.keyboard.press("End")
    page.wait_for_selector("[aria-posinset='60'][aria-current]:not(.blank)")


def test_a_memory_is_edited_superseded_restored_and_forgotten(page: Page, story: Running) -> None:
    story.memory.retain("The gate code is 1234.", bank="mending")
    first = chosen(page, story, "The gate code", "mending")
    page.click(".detail >> text=Edit")
    page.fill("dialog textarea", "The gate code is 4321.")
    page.fill("dialog [aria-label=Tags]", "gate, office")
    page.click("dialog >> button:has-text('Edit')")
    page.wait_for_selector(".detail blockquote:has-text('4321')")
    edited = story.json("GET", f"/v1/banks/mending/memories/{first}")
    assert (edited["text"], edited["tags"]) == ("The gate code is 4321.", ["gate", "office"])
    page.click(".toast:has-text('Changed') >> text=Undo")
    page.wait_for_selector(".detail blockquote:has-text('1234')")
    undone = story.json("GET", f"/v1/banks/mending/memories/{first}")
    assert (undone["text"], undone["tags"]) == ("The gate code is 1234.", [])

    page.click(".detail >> text=Supersede")
    page.fill("dialog textarea", "The gate code is 9876.")
    page.click("dialog >> button:has-text('Supersede')")
    page.wait_for_selector(".detail blockquote:has-text('9876')")
    page.wait_for_selector(".chain li >> nth=1")
    assert "1234" in page.inner_text(".chain li >> nth=0")
    assert story.json("GET", f"/v1/banks/mending/memories/{first}")["superseded_by"]

    page.click(".toast:has-text('Superseded') >> text=Undo")
    page.wait_for_selector(".detail blockquote:has-text('1234')")
    assert story.json("GET", f"/v1/banks/mending/memories/{first}")["superseded_by"] is None

    page.click(".detail >> text=Forget")
    page.check("dialog #compact")
    page.click("text=Forget for good")
    page.wait_for_selector("dialog >> text=1 unit,")
    page.click("dialog >> button:has-text('Close')")
    assert story.client.get(f"/v1/banks/mending/memories/{first}").status_code == 404


def test_hostile_text_stays_text(page: Page, story: Running) -> None:
    long = "x" * 1_000_000
    story.memory.retain([HOSTILE, long], bank="hostile")
    shown = chosen(page, story, "<script>", "hostile")
    assert page.inner_text(".detail blockquote") == HOSTILE
    assert page.evaluate("document.scripts.length") == 1
    assert page.locator(".detail img, .detail script, .detail b").count() == 0
    assert page.locator(".detail .told").evaluate("(one) => getComputedStyle(one).unicodeBidi") in (
        "isolate", "isolate-override",
    )  # fmt: skip
    page.goto(f"{story.url}/#/ask?bank=hostile&q=script+document+bold&open={shown}")
    page.wait_for_selector(".item")
    assert page.locator(".item img, .item script, .item b:not(.why b)").count() == 0
    assert "owned" not in page.title()
    opened(page, story, "&text=xxxx", "hostile")
    page.click(".vrow >> nth=1")
    page.wait_for_selector(".detail blockquote:has-text('xxxx')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_only_what_is_in_sight_is_in_the_page(page: Page, story: Running) -> None:
    # Twelve times what is asked for at once, and more than a screen holds many times over.
    many = [f"Line {number} of the long log." for number in range(600)]
    story.memory.retain(many, bank="long")
    opened(page, story, "&order=oldest", "long")
    page.locator(".virtual").evaluate("(one) => { one.scrollTop = one.scrollHeight }")
    page.wait_for_selector(".vrow:not(.blank):has-text('Line 599 of')")
    assert page.locator(".vrow").count() < 100
    names = "performance.getEntriesByType('resource').map((one) => one.name)"
    asked = [name for name in page.evaluate(names) if re.search(r"/memories\?", name)]
    assert len(asked) < 8


def test_a_phone_shows_the_list_then_the_memory(page: Page, story: Running) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    opened(page, story)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.click(".vrow >> nth=0")
    page.wait_for_selector(".detail blockquote")
    assert not page.is_visible(".virtual")
    page.click(".detail [aria-label=Close]")
    page.wait_for_selector(".virtual")
    assert BADGE not in page.url
