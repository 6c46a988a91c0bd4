from collections.abc import Sequence

import numpy as np
import pytest

from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.engine.retain.embedding import vectors_of
from scrubjay.memory import Memory
from scrubjay.types.arrays import VectorArray
from scrubjay.types.units import Unit


class ReadsContext(HashingEncoder):
    """A hashing encoder that asks for the turn before, and keeps what it was given to read."""

    context_words = 8

    def __init__(self, dimension: int = 256) -> None:
        super().__init__(dimension)
        self.read: list[str] = []

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        self.read.extend(texts)
        return super().encode_documents(texts)


ASKED = Unit("When do you move to Porto?", speaker="Ada", session="one")
SHORT = Unit("In May, I hope.", speaker="Bo", session="one")
LONG = Unit("In May, if the papers come and the flat there is free by then.", session="one")
ELSEWHERE = Unit("In May, I hope.", session="two")


def test_a_short_turn_is_the_mean_of_itself_alone_and_after_the_turn_before() -> None:
    encoder = ReadsContext()
    alone, after = encoder.encode_documents(
        ["Bo: In May, I hope.", "Ada: When do you move to Porto?\nBo: In May, I hope."]
    )
    (vector,) = vectors_of([SHORT], [ASKED], encoder).vectors
    assert vector == pytest.approx((alone + after) / 2)
    assert np.linalg.norm(vector) < 1


@pytest.mark.parametrize("before", [None, ELSEWHERE])
def test_a_turn_that_follows_nothing_in_its_session_is_read_alone(before: Unit | None) -> None:
    encoder = ReadsContext()
    vectors_of([SHORT], [before], encoder)
    assert encoder.read == ["Bo: In May, I hope."]


def test_a_long_turn_is_read_alone() -> None:
    encoder = ReadsContext()
    vectors_of([LONG], [ASKED], encoder)
    assert encoder.read == [LONG.text]


def test_of_a_long_turn_before_only_the_end_is_read() -> None:
    encoder = ReadsContext()
    told = Unit("x" * 500 + " Shall we go to Porto?", session="one")
    vectors_of([SHORT], [told], encoder)
    assert encoder.read[1].endswith(" Shall we go to Porto?\nBo: In May, I hope.")
    assert len(encoder.read[1]) == 200 + len("\nBo: In May, I hope.")


def test_an_encoder_that_does_not_ask_for_it_reads_every_unit_once() -> None:
    encoder = HashingEncoder()
    (vector,) = vectors_of([SHORT], [ASKED], encoder).vectors
    assert vector == pytest.approx(encoder.encode_documents(["Bo: In May, I hope."])[0])


def test_context_reaches_over_two_calls_and_is_read_again_on_reembedding_and_on_a_change() -> None:
    encoder, other = ReadsContext(), ReadsContext(128)
    together = "Ada: When do you move to Porto?\nBo: In May, I hope."
    with Memory.open(":memory:", encoder=encoder, reranker=None) as memory:
        memory.retain(ASKED)
        unit = memory.retain(SHORT).id
        assert encoder.read[-1] == together
        memory.update(unit, text="In June, I hope.")
        assert encoder.read[-1] == "Ada: When do you move to Porto?\nBo: In June, I hope."
    with Memory.open(":memory:", encoder=encoder, reranker=None) as memory:
        memory.retain([ASKED, SHORT])
        memory.reembed(other)
        assert other.read[-1] == together
