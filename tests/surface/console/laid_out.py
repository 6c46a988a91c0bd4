"""What a page shows once it is laid out.

Items and rows have `content-visibility: auto`: the browser lays out what was added a frame
later, and till then it has a box, but no text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator

FRAME = "() => new Promise((shown) => requestAnimationFrame(shown))"
# Two or three are enough; a loaded machine may draw something else meanwhile.
FRAMES_MAX = 1_000


def texts(shown: Locator) -> list[str]:
    """The text of each element, in the page's order, once every one has some."""
    shown.first.wait_for()
    for _ in range(FRAMES_MAX):
        read = shown.all_inner_texts()
        if read and all(one.strip() for one in read):
            return read
        shown.page.evaluate(FRAME)
    raise AssertionError(f"{shown} is in the page and never had its text: {read}")


def text(shown: Locator) -> str:
    """The text of one element, once it has some."""
    return texts(shown)[0]
