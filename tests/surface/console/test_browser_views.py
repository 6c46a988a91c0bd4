"""Time, entities, neighbourhood, sessions and operations, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.surface.http.http_server import Running

from scrubjay.importers.kinds import KINDS, OWN
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.state.keys import Keys

if TYPE_CHECKING:
    from playwright.sync_api import Page


def at(page: Page, server: Running, view: str, more: str = "") -> None:
    page.goto(f"{server.url}/#/{view}?bank=demo{more}")
    page.wait_for_selector(f".view-{view}")


def test_a_window_is_brushed_and_taken_along(page: Page, story: Running) -> None:
    at(page, story, "time")
    chart = page.locator(".histogram svg")
    chart.wait_for()
    box = chart.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.02, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + 40, steps=3)
    page.mouse.up()
    page.wait_for_selector(".view-time h2:has-text('In Mon 19 Oct 2026')")
    assert "from=" in page.url
    assert page.locator(".view-time .cards li").count() > 5
    page.click("text=Open as a list")
    page.wait_for_selector(".view-memories .vrow:not(.blank)")
    assert "told_from=" in page.url


def test_a_window_is_chosen_by_keys(page: Page, story: Running) -> None:
    at(page, story, "time")
    page.locator(".histogram svg").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(".view-time h2:has-text('In Mon 19 Oct 2026 – Tue 20 Oct 2026')")
    assert page.locator(".view-time .cards li").count() > 5


def test_the_slider_shows_what_was_believed_then(page: Page, story: Running) -> None:
    at(page, story, "time")
    page.wait_for_selector("input[type=range]")
    page.locator("input[type=range]").focus()
    page.keyboard.press("Home")
    page.wait_for_selector(".view-time h2:has-text('as of')")
    assert "as_of=" in page.url
    page.click("text=Back to now")
    page.wait_for_url(lambda url: "as_of=" not in url)


def test_happened_by_month(page: Page, story: Running) -> None:
    at(page, story, "time", "&by=occurred&grain=month")
    page.wait_for_selector("text=by month")
    assert "without such a time" in page.inner_text(".view-time")


def test_an_entity_is_shown_with_its_names_relations_and_memories(
    page: Page, story: Running
) -> None:
    at(page, story, "entities")
    page.click(".vrow:has-text('Marta Olsen')")
    page.wait_for_selector(".detail h2:has-text('Marta Olsen')")
    assert "Marta Olsen founded Saltmarsh" in page.inner_text(".detail")
    assert page.locator(".detail .histogram").count() == 1
    assert page.locator(".detail a.told").count() > 3


def test_an_alias_is_previewed_and_given(page: Page, story: Running) -> None:
    at(page, story, "entities")
    page.click(".vrow:has-text('Saltmarsh')")
    page.click(".detail >> text=Another name")
    page.fill("dialog #alias", "the company")
    page.click("dialog >> text=Preview")
    page.wait_for_selector("dialog .pair")
    assert "the company" in page.locator("dialog .side").nth(1).inner_text()
    page.click("dialog >> text=Do it")
    page.wait_for_selector(".detail .chip:has-text('the company')")
    found = story.json("GET", "/v1/banks/demo/entities?containing=the company")["entities"]
    assert found[0]["name"] == "Saltmarsh"


def test_entities_are_split_and_merged_again(page: Page, story: Running) -> None:
    at(page, story, "entities", "&text=heron")
    page.click(".vrow:has-text('Heron')")
    page.click(".detail >> button:has-text('Split')")
    page.fill("dialog #new-name", "Heron the bird")
    page.check("dialog .picks input >> nth=0")
    page.click("dialog >> text=Preview")
    page.wait_for_selector("dialog .pair")
    page.click("dialog >> text=Do it")
    page.wait_for_selector(".detail h2:has-text('Heron the bird')")
    names = "/v1/banks/demo/entities?containing=heron"
    assert len(story.json("GET", names)["entities"]) == 2
    page.click(".detail >> button:has-text('Merge')")
    page.fill("dialog input[type=search]", "heron")
    other = next(one for one in story.json("GET", names)["entities"] if one["name"] == "Heron")
    page.wait_for_selector(f"dialog option[value='{other['id']}']", state="attached")
    page.select_option("dialog select", value=str(other["id"]))
    page.click("dialog >> text=Preview")
    page.wait_for_selector("dialog .pair")
    page.click("dialog >> text=Do it")
    page.wait_for_selector("dialog", state="detached")
    assert len(story.json("GET", names)["entities"]) == 1


def test_the_neighbourhood_is_drawn_alike_each_time_and_walked(page: Page, story: Running) -> None:
    places = "(all) => all.map((one) => one.getAttribute('x1'))"
    at(page, story, "neighbourhood")
    page.click("text=Marta Olsen")
    page.wait_for_selector(".net .node")
    drawn = page.locator(".net line").evaluate_all(places)
    assert 0 < page.locator(".net .node").count() <= 200
    page.reload()
    page.wait_for_selector(".net .node")
    assert page.locator(".net line").evaluate_all(places) == drawn
    page.locator(".net .node:not(.centre)").first.focus()
    page.keyboard.press("Shift+Enter")
    page.wait_for_url(lambda url: "entity=4&" not in f"{url}&")
    page.wait_for_selector(".net .centre")


def test_the_path_of_a_recall_is_shown_in_the_neighbourhood(page: Page, story: Running) -> None:
    page.goto(f"{story.url}/#/ask?bank=demo&q=How+does+Marta+like+her+reports%3F")
    page.wait_for_selector(".item")
    page.click(".item .said >> nth=0")
    page.click("a.button:has-text('Neighbourhood')")
    page.wait_for_selector(".net .node.walked")
    assert page.locator(".net .node.walked[aria-label='entity: Marta Olsen']").count() == 1


def test_sessions_are_listed_and_the_feed_tells_what_happens(page: Page, story: Running) -> None:
    at(page, story, "sessions")
    page.wait_for_selector(".vrow:has-text('first-day')")
    page.wait_for_selector(".chip:has-text('listening')")
    story.json("POST", "/v1/banks/demo/recall", {"question": "Who sailed to the island?"})
    page.wait_for_selector(".feed li:has-text('Who sailed to the island?')")
    story.json("POST", "/v1/banks/demo/memories", {"text": "The feed heard this."})
    page.wait_for_selector(".feed li[data-kind=retain]")
    page.click(".vrow:has-text('first-day')")
    page.wait_for_selector(".view-memories .vrow:not(.blank)")
    assert "session=first-day" in page.url


def test_operations_show_sizes_and_examine_the_indexes(page: Page, story: Running) -> None:
    at(page, story, "operations")
    page.wait_for_selector(".tile:has-text('memories in demo')")
    page.wait_for_selector("text=keys are required")
    page.click("text=Examine >> nth=0")
    page.wait_for_selector("text=Every index agrees with the memories")
    assert page.locator("[aria-label=Latencies] tr").count() > 1


def test_an_import_is_seen_before_it_is_sent_and_an_export_comes_whole(
    page: Page, story: Running, tmp_path: Path
) -> None:
    lines = tmp_path / "notes.jsonl"
    lines.write_text('{"text": "An imported line."}\nnot JSON\n', encoding="utf-8")
    at(page, story, "operations")
    page.set_input_files("input[type=file]", str(lines))
    page.wait_for_selector("text=Bad lines")
    assert "line 2" in page.inner_text(".notice")
    listed = "/v1/banks/demo/memories?text=imported"
    assert story.json("GET", listed)["total"] == 0
    page.click("button:has-text('Import the rest into demo')")
    page.wait_for_selector("[aria-label=Tasks] .chip.good")
    assert story.json("GET", listed)["total"] == 1
    with page.expect_download() as download:
        page.click("a:has-text('Export demo')")
    written = Path(download.value.path()).read_text(encoding="utf-8")
    assert re.search("An imported line", written)


def test_a_file_of_another_program_is_seen_then_imported_with_progress_and_once(
    page: Page, story: Running, tmp_path: Path
) -> None:
    table = tmp_path / "notes.csv"
    rows = "".join(f"Buoy {n} is painted red.,Jo\n" for n in range(400))
    table.write_text(
        f'what,by\n"<img src=x onerror=""window.hostile=1"">",Jo\n{rows}', encoding="utf-8"
    )
    at(page, story, "operations")
    page.set_input_files("input[type=file]", str(table))
    # No column is called as a text is: which one holds it has to be said.
    page.wait_for_selector(".view-operations .problem")
    page.fill("[aria-label=Columns]", "text=what, speaker=by")
    page.wait_for_selector("text=401 memories (csv)")
    assert "<img" in page.inner_text(".view-operations ol")
    assert page.evaluate("window.hostile") is None
    listed = "/v1/banks/demo/memories?speaker=Jo&limit=1"
    assert story.json("GET", listed)["total"] == 0
    page.click("button:has-text('Import into demo')")
    page.wait_for_selector("text=401 new, 0 known already, 0 changed")
    page.wait_for_selector("[aria-label=Tasks] tr:has-text('401 of 401') .chip.good")
    assert story.json("GET", listed)["total"] == 401
    page.set_input_files("input[type=file]", str(table))
    page.click("button:has-text('Import into demo')")
    page.wait_for_selector("text=0 new, 401 known already, 0 changed")
    assert story.json("GET", listed)["total"] == 401
    for unit in story.memory.list(speaker="Jo", limit=1_000, bank="demo").units:
        story.memory.forget(unit.id, bank="demo")


def test_every_kind_of_file_can_be_chosen(page: Page, story: Running, tmp_path: Path) -> None:
    at(page, story, "operations")
    offered = page.locator("[aria-label='Kind of file'] option").all_inner_texts()
    assert offered == ["guessed", OWN, *KINDS]
    lines = tmp_path / "notes.txt"
    lines.write_text("no layout", encoding="utf-8")
    page.set_input_files("input[type=file]", str(lines))
    page.wait_for_selector(".view-operations .problem:has-text('notes.txt')")


def test_keys_are_made_shown_once_and_closed(page: Page, story: Running) -> None:
    at(page, story, "operations")
    page.fill("[aria-label='Name of the key']", "<b>a laptop</b>")
    page.select_option("[aria-label=Scope]", "read")
    page.click("text=Make a key")
    page.wait_for_selector("text=it is shown this once")
    key = page.inner_text("pre.mono").strip()
    kept = Keys(story.service.database)
    made = kept.check(key)
    assert made is not None
    assert made.allows(KeyScope.READ, "demo")
    assert not made.allows(KeyScope.WRITE, "demo")
    # The name is text, wherever it came from.
    assert page.inner_text("[aria-label=Keys] tr:has-text('a laptop') td").startswith("<b>")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("[aria-label='Revoke <b>a laptop</b>']")
    page.wait_for_selector("[aria-label=Keys] tr:has-text('a laptop') .chip.bad")
    assert kept.check(key) is None


@pytest.mark.parametrize("view", ["time", "entities", "neighbourhood", "sessions", "operations"])
def test_every_view_fits_a_phone(page: Page, story: Running, view: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    at(page, story, view, "&entity=4" if view == "neighbourhood" else "")
    page.wait_for_load_state("networkidle") if view != "sessions" else None
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
