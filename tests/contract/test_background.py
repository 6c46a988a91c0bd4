"""What is near to every question to a bank does not stand before what is near to this one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tests.contract.looking import Opening

from scrubjay import Item
from scrubjay.types.arrays import VectorArray

LINES = [f"Pump {n} ran from six to ten, its pressure was normal." for n in range(200)]
ANSWER = "The spare gasket lies behind the stove."
QUESTION = "Where would one look for a seal?"


class Leaning:
    """An encoder to which lines of a log and every question are much alike."""

    name, dimension, fingerprint = "leaning", 2, "leaning@1/f32/2"

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        vectors = [(0.8, 0.6) if text == ANSWER else (1.0, 0.0) for text in texts]
        return np.array(vectors, np.float32)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        return np.tile(np.array([0.9582, 0.286], np.float32), (len(texts), 1))


def first(opened: Opening, *, lines: int, preset: str = "default") -> Item:
    with opened(Leaning()) as memory:
        memory.retain([*LINES[:lines], ANSWER])
        return memory.recall(QUESTION, preset=preset).items[0]


def test_lines_of_a_log_that_are_near_to_everything_do_not_hide_an_answer(opened: Opening) -> None:
    assert first(opened, lines=200).text == ANSWER


def test_in_a_small_bank_the_nearest_is_first(opened: Opening) -> None:
    assert first(opened, lines=20).text != ANSWER


def test_the_published_designs_compare_as_they_say(opened: Opening) -> None:
    assert first(opened, lines=200, preset="tempr").text != ANSWER
