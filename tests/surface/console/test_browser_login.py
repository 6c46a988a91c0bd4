"""Signing in, in a real browser: a key in a cookie that scripts cannot read, and its scopes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.surface.http.http_server import Running, running

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page


@pytest.fixture(scope="module")
def keyed() -> Iterator[Running]:
    """A server that wants keys, with two banks."""
    with running(auth=True) as server:
        server.memory.retain("The spare key is with the neighbours.", bank="home")
        server.memory.retain("The budget is secret.", bank="office")
        yield server


def key(server: Running, bank: str, scope: str) -> str:
    return server.key(1e6, **{bank: scope})["Authorization"].removeprefix("Bearer ")


def signed_in(context: BrowserContext, server: Running, secret: str) -> Page:
    page = context.new_page()
    page.goto(server.url)
    page.fill("#key", secret)
    page.press("#key", "Enter")
    return page


def test_a_wrong_key_is_told_so_and_lets_nobody_in(context: BrowserContext, keyed: Running) -> None:
    page = signed_in(context, keyed, "sj_wrong")
    page.wait_for_selector(".login .problem")
    assert "not valid" in page.inner_text(".login .problem")
    assert "neighbours" not in page.content()


def test_a_reader_reads_its_bank_and_is_offered_no_change(
    context: BrowserContext, keyed: Running
) -> None:
    page = signed_in(context, keyed, key(keyed, "home", "read"))
    page.wait_for_selector(".empty")
    assert page.locator("#bank option").all_inner_texts() == ["home · 1"]
    page.goto(f"{keyed.url}/#/memories?bank=home")
    page.click(".vrow:not(.blank)")
    page.wait_for_selector(".detail blockquote")
    assert page.locator("button:has-text('Forget')").count() == 0
    page.goto(f"{keyed.url}/#/memories?bank=office")
    page.wait_for_selector("#bank option:checked:has-text('home')", state="attached")
    assert "secret" not in page.content()


def test_the_key_is_in_no_place_that_scripts_read(context: BrowserContext, keyed: Running) -> None:
    secret = key(keyed, "any", "admin")
    page = signed_in(context, keyed, secret)
    page.wait_for_selector(".empty")
    kept = (
        "JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}, location.href])"
    )
    assert secret not in page.evaluate(kept)
    cookie = next(one for one in context.cookies() if one["name"] == "scrubjay_key")
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Strict"
    page.reload()
    page.wait_for_selector(".empty")


def test_signing_out_leaves_nothing_to_read_with(context: BrowserContext, keyed: Running) -> None:
    page = signed_in(context, keyed, key(keyed, "home", "write"))
    page.wait_for_selector(".empty")
    page.click("text=Sign out")
    page.wait_for_selector("#key")
    assert not [one for one in context.cookies() if one["name"] == "scrubjay_key"]


def test_a_key_that_is_revoked_meanwhile_leads_back_to_the_door(
    context: BrowserContext, keyed: Running
) -> None:
    from scrubjay.surface.http.state.keys import Keys

    page = signed_in(context, keyed, key(keyed, "home", "read"))
    page.wait_for_selector(".empty")
    keys = Keys(keyed.service.database)
    keys.revoke(keys.all()[-1].id)
    page.fill("[name=q]", "Where is the spare key?")
    page.press("[name=q]", "Enter")
    page.wait_for_selector("#key")
    assert page.locator(".item").count() == 0
