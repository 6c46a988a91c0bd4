"""What a newcomer gets wrong first is answered with the place, the value and the remedy."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scrubjay import BadInput, EncoderError, Memory, Unit
from scrubjay.testing import HashingEncoder
from scrubjay.types.arrays import VectorArray


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (Unit("x", type="beacon"), "unknown type"),
        (Unit("  "), "empty text"),
        (Unit("x", tags=("t" * 5000,)), "tags of 5,000 characters"),
    ],
    ids=["type", "text", "tag"],
)
def test_an_error_in_a_batch_names_the_unit_and_nothing_is_kept(wrong: Unit, what: str) -> None:
    with Memory.open(":memory:", encoder="hash") as memory:
        with pytest.raises(BadInput) as raised:
            memory.retain(["The lamp is lit.", wrong, "The well is deep."])
        assert raised.value.what == f"units[1]: {what}"
        assert memory.stats().units == 0
        with pytest.raises(BadInput) as alone:
            memory.retain(wrong)
        assert alone.value.what == what


def test_what_cannot_be_retained_is_named_by_its_place() -> None:
    with Memory.open(":memory:", encoder="hash") as memory:
        with pytest.raises(BadInput, match=r"cannot retain \[1\]: 5\."):
            memory.retain(["The lamp is lit.", 5])  # type: ignore[list-item]
        with pytest.raises(BadInput, match=r"cannot retain: 5\."):
            memory.retain(5)  # type: ignore[arg-type]


def test_one_text_is_no_batch_of_questions() -> None:
    with (
        Memory.open(":memory:", encoder="hash") as memory,
        pytest.raises(BadInput, match="Give a list"),
    ):
        memory.recall_batch("Where is the lamp?")


class Broken(HashingEncoder):
    """Somebody's encoder on a bad day."""

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        raise ZeroDivisionError(f"{len(texts)} texts")

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        return self.encode_documents(texts)


def test_whatever_an_encoder_raises_is_an_encoder_error_and_keeps_its_cause() -> None:
    with Memory.open(":memory:", encoder=Broken()) as memory:
        with pytest.raises(EncoderError, match="ZeroDivisionError: 1 texts") as raised:
            memory.retain("The lamp is lit.")
        assert isinstance(raised.value.__cause__, ZeroDivisionError)
        assert memory.stats().units == 0


class BreaksWhenAsked(HashingEncoder):
    """Reads what is told, and fails at questions."""

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        raise ZeroDivisionError(f"{len(texts)} texts")


def test_an_encoder_that_breaks_in_a_recall_is_named_and_the_rest_answers() -> None:
    with Memory.open(":memory:", encoder=BreaksWhenAsked()) as memory:
        memory.retain("The lamp is lit.")
        answers = [memory.recall("lamp"), *memory.recall_batch(["lamp", "a lamp"])]
        for answer in answers:
            assert answer[0].text == "The lamp is lit."
            (part,) = answer.degraded
            assert part.retriever == "semantic"
            assert "ZeroDivisionError" in part.reason


def test_none_in_words_does_without_as_none_does() -> None:
    with Memory.open(":memory:", encoder="none", reranker="none") as memory:
        memory.retain("The lamp is lit.")
        assert memory.info().encoder is None
        assert "encoder=None" in memory.recall("lamp").degraded[0].reason
