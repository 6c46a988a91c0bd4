"""A server with the demo's story, and a browser that looks at it; both started once a module.

The tests run in Debian's headless Chromium, which `make browser` installs.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.needed import lacking
from tests.surface.http.http_server import Running, running

from scrubjay.memory import Memory
from scrubjay.surface import demo
from scrubjay.surface.http.watching.watch import Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request

EXECUTABLE = shutil.which("chromium-headless-shell")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
# A loaded machine may take a minute for what takes a blink here.
PATIENCE_MS = 120_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    if EXECUTABLE is None:
        lacking("chromium-headless-shell", "`make browser` installs it")
    if importlib.util.find_spec("playwright") is None:
        lacking("playwright", "`make env` installs it")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=EXECUTABLE, args=FLAGS, timeout=PATIENCE_MS
        )
        yield started
        started.close()


@pytest.fixture(scope="module")
def open_server() -> Iterator[Running]:
    """A server without keys, with its store in memory."""
    with running() as server:
        yield server


@pytest.fixture(scope="module")
def story() -> Iterator[Running]:
    """A server without keys, with the story of the demo, asked at the story's end."""
    now, watch = demo.read_script().now, Watch()
    memory = Memory.open(":memory:", reranker=None, clock=lambda: now, observer=watch)
    demo.tell_story(memory, lambda _, __: None)
    with running(memory=memory, watch=watch) as server:
        yield server


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser's profile of its own."""
    made = browser.new_context(viewport={"width": 1280, "height": 860})
    made.set_default_timeout(PATIENCE_MS)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext, story: Running) -> Iterator[Page]:
    """A tab; the test fails where a script does, or where something asks another server."""
    opened, failures = context.new_page(), list[str]()

    def asked(request: Request) -> None:
        if not request.url.startswith(story.url):
            failures.append(f"asked elsewhere: {request.url}")

    opened.on("pageerror", lambda error: failures.append(f"script: {error}"))
    opened.on("request", asked)
    yield opened
    assert not failures
