"""What one text or one question may cost a bank: its own length, times something small."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.language.adversarial import PATTERNS, Pattern
from tests.language.counting import steps
from tests.thoroughness import some_of

from scrubjay import Memory

# A text four times as long may take a little more than four times the steps, where the square
# would take sixteen times, and what any call takes.
LENGTHS = (2_000, 8_000)
SOME = some_of(PATTERNS)
STEPS_RATIO_MAX = 6
STEPS_ALWAYS = 20_000
# A store of one unit takes 200 KB; beyond that a text may take this many times its bytes. Prose
# takes 5, and a text in which every word is a new name with several short forms the most.
EMPTY_STORE_BYTES = 250_000
BYTES_PER_BYTE_MAX = 50


def stored_bytes(store: Path) -> int:
    return sum(path.stat().st_size for path in store.rglob("*") if path.is_file())


@pytest.mark.slow
@pytest.mark.parametrize("pattern", SOME.values(), ids=SOME.keys())
def test_telling_and_asking_cost_in_proportion_to_the_words(
    pattern: Pattern, tmp_path: Path
) -> None:
    # White space alone is refused, so each has a word to begin with.
    texts = ["Ana " + pattern(length) for length in LENGTHS]
    with Memory.open(tmp_path / "store", encoder="hash", reranker=None) as memory:
        memory.retain("Ana met Bob last Friday because 3 of them won.")
        memory.recall("Why did Ana meet Bob last Friday?")
        before = stored_bytes(tmp_path / "store")
        told = [steps(memory.retain, text) for text in texts]
        asked = [steps(memory.recall, question) for question in texts]
    assert told[1] <= STEPS_RATIO_MAX * told[0] + STEPS_ALWAYS
    assert asked[1] <= STEPS_RATIO_MAX * asked[0] + STEPS_ALWAYS
    room = before + EMPTY_STORE_BYTES + BYTES_PER_BYTE_MAX * len("".join(texts).encode())
    assert stored_bytes(tmp_path / "store") < room


def test_a_text_of_versions_does_not_swell_a_store(tmp_path: Path) -> None:
    text = ("1.4.7.9." * 25_000)[:199_000]
    with Memory.open(tmp_path / "store", encoder="hash", reranker=None) as memory:
        memory.retain(text)
    assert stored_bytes(tmp_path / "store") < 10 * len(text)


def test_what_stands_beside_namesakes_is_read_once_for_all_that_a_batch_tells_of_them() -> None:
    def told(name: str) -> int:
        """How many steps it takes to tell of someone twenty times, in one call."""
        with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
            for someone in ("Ana Berg", "Ana Lind", "Ida Holm"):
                rooms = ("door", "gate", "roof", "wall", "hall")
                memory.retain([f"{someone} painted the {room} behind the hill." for room in rooms])
            texts = [f"{name} called about room {number}." for number in range(20)]
            return steps(lambda _: memory.retain(texts), "")

    # Read for every mention it takes 1.8 times the steps.
    assert told("Ana") < 1.5 * told("Ida Holm")
