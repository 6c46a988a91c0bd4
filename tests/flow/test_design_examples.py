"""What the demo asks, and the designs' own examples, come first or nearly: with the own encoder."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from scrubjay.encoder.opening import open_encoder
from scrubjay.memory import Memory
from scrubjay.surface.demo import BANK, Question, read_script, tell_story
from scrubjay.testing import FixedClock
from scrubjay.types.graph import Relation
from scrubjay.types.units import Unit

SCRIPT = read_script()
NOW = SCRIPT.now
DAY = timedelta(days=1)


def told(text: str, key: str, days: int, **given: object) -> Unit:
    return Unit(text, key=key, told_at=NOW - days * DAY, **given)  # type: ignore[arg-type]


# Told among the memories of the demo, so that each has dozens beside it.
EXAMPLES = (
    told("The automobile needs new brakes before the winter.", "car", 80),
    told("The bicycle has a flat tyre.", "bicycle", 79),
    told("Troubleshooting the printer: switch it off, wait, reload the driver.", "fix", 70),
    told("The printer stands on the second floor.", "printer", 69),
    told("I worry that the climate will make summers here unbearable.", "climate", 60,
         speaker="user", session="weather"),
    told("Climate is the weather over thirty years.", "lecture", 60,
         speaker="assistant", session="weather"),
    told("We cut the budget for travel to 4,000 euros.", "budget", 4),
    told("The budget for travel was 9,000 euros.", "old budget", 200),
    told("Alice joined the company in spring.", "alice", 50, entities=("Alice",),
         relations=(Relation("Alice", "works at", "Google"),)),
    told("Google makes Pixel phones and the Gemini models.", "products", 90, entities=("Google",)),
    told("Alice waters the office plants.", "plants", 40, entities=("Alice",)),
    told("The maximum upload size is 25 MB.", "setting", 30, type="fact"),
    told("Uploads are stored for 90 days.", "uploads", 30, type="fact"),
)  # fmt: skip

# The question, what must come, and how early.
ASKED = {
    "another word": ("What is wrong with my car?", "car", 1),
    "other words": ("how to fix the printer?", "fix", 1),
    "what I said": ("What did I say about climate?", "climate", 1),
    "a window": ("What did we decide about the budget last week?", "budget", 1),
    "two relations": ("What products does Alice's company make?", "products", 3),
    "a setting kept as a fact": ("What is the setting for the maximum upload size?", "setting", 1),
}


@pytest.fixture(scope="module")
def story() -> Iterator[Memory]:
    """The demo's memories and the examples, with the encoder that is shipped."""
    encoder = open_encoder("scrubjay-small")
    with Memory.open(":memory:", encoder=encoder, reranker=None, clock=FixedClock(NOW)) as memory:
        tell_story(memory, lambda _done, _total: None)
        memory.retain(list(EXAMPLES), bank=BANK)
        yield memory


def keys(memory: Memory, question: str) -> list[str | None]:
    return [item.key for item in memory.recall(question, bank=BANK, now=NOW)]


@pytest.mark.parametrize("asked", SCRIPT.questions, ids=lambda asked: asked.question)
def test_what_the_demo_asks_for_comes_first_or_in_the_top_three(
    story: Memory, asked: Question
) -> None:
    first = keys(story, asked.question)[: max(3, len(asked.expects))]
    assert set(asked.expects) <= set(first)


@pytest.mark.parametrize("example", ASKED)
def test_the_designs_own_examples_come_first_or_in_the_top_three(
    story: Memory, example: str
) -> None:
    question, wanted, places = ASKED[example]
    assert wanted in keys(story, question)[:places]
