"""Banks that keep units while the encoder fails, and make their vectors when it answers again."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from tests.contract.looking import Opening, found_by

from scrubjay import BadInput, EncoderError, Memory, UnitFilter
from scrubjay.settings import REEMBED_BATCH_UNITS
from scrubjay.testing import HashingEncoder
from scrubjay.types.arrays import VectorArray

TOLD = "The ferry to the island leaves at seven."
QUESTION = "When does the ferry to the island leave?"


class Endpoint:
    """An encoder that is not always there, and that asks for everything it knows of itself."""

    name = "endpoint"

    def __init__(self) -> None:
        self.down = False
        self._inner = HashingEncoder(64)

    def _asked(self) -> HashingEncoder:
        if self.down:
            raise EncoderError("http://models.example failed 3 times, last with HTTP 503.")
        return self._inner

    @property
    def dimension(self) -> int:
        return self._asked().dimension

    @property
    def fingerprint(self) -> str:
        return f"endpoint@remote/f32/{self.dimension}"

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        return self._asked().encode_documents(texts)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        return self._asked().encode_queries(texts)


@pytest.fixture
def endpoint() -> Endpoint:
    return Endpoint()


@pytest.fixture
def patient(opened: Opening, endpoint: Endpoint) -> Memory:
    memory = opened(endpoint)
    memory.bank("default", embed_later=True)
    return memory


def reasons(memory: Memory) -> list[str]:
    return [one.reason for one in memory.recall(QUESTION).degraded]


def mended(memory: Memory) -> list[tuple[str, bool]]:
    """What the doctor says of vectors, up to the detail, and whether it is mended."""
    found = [one for one in memory.doctor(fix=True) if one.check == "vectors"]
    return [(re.split("[,:]", one.detail)[0], one.fixed) for one in found]


def test_a_unit_is_kept_without_its_vector_and_says_why(
    patient: Memory, endpoint: Endpoint
) -> None:
    with patient as memory:
        memory.retain("The lamp is lit.")
        endpoint.down = True
        kept = memory.retain(TOLD)
        assert kept.new == kept.ids
        assert kept.degraded is not None
        assert (kept.degraded[0].retriever, len(kept.degraded)) == ("vectors", 1)
        assert "HTTP 503" in kept.degraded[0].reason
        assert memory.recall(QUESTION).items[0].text == TOLD
        assert memory.stats().vectors == 1


def test_the_next_telling_makes_the_vectors_that_wait(patient: Memory, endpoint: Endpoint) -> None:
    with patient as memory:
        memory.retain("The ferry to the island leaves at seven, not at eight.")
        endpoint.down = True
        told = memory.retain(TOLD, session="s", speaker="Ann", tags=["sea"], key="ferry")
        before = memory.get(told.id)
        endpoint.down = False
        assert any("wait for their vectors" in reason for reason in reasons(memory))
        assert memory.retain("The lamp is lit.").degraded is None
        assert memory.stats().vectors == 3
        assert reasons(memory) == []
        assert told.id in found_by(memory, QUESTION, "semantic")
        # It is the unit it was, with the links that it would have had.
        assert memory.get(told.id) == before
        assert [link.kind.value for link in memory.links(told.id)] == ["semantic"]
        assert memory.doctor() == []


def test_a_bank_whose_first_unit_was_told_to_nobody_gets_its_encoder_later(
    patient: Memory, endpoint: Endpoint
) -> None:
    with patient as memory:
        endpoint.down = True
        assert memory.retain(TOLD).degraded
        assert reasons(memory)
        endpoint.down = False
        memory.retain("The lamp is lit.")
        assert (memory.stats().vectors, reasons(memory)) == (2, [])


def test_the_doctor_makes_all_that_wait_and_says_so(patient: Memory, endpoint: Endpoint) -> None:
    count = REEMBED_BATCH_UNITS + 6
    with patient as memory:
        memory.retain("The lamp is lit.")
        endpoint.down = True
        memory.retain([f"Crate {n} holds {n + 2} lanterns." for n in range(count)])
        assert mended(memory) == [(f"{count} unit(s) without a vector", False)]
        endpoint.down = False
        assert mended(memory) == [(f"{count} unit(s) had no vector", True)]
        assert memory.stats().vectors == count + 1
        assert memory.doctor() == []


def test_what_is_changed_or_forgotten_while_it_waits_stays_so(
    patient: Memory, endpoint: Endpoint
) -> None:
    with patient as memory:
        memory.retain("The lamp is lit.")
        endpoint.down = True
        gone, kept = memory.retain(["The key is under the mat.", TOLD]).ids
        memory.update(kept, text="The ferry leaves at nine.")
        memory.forget(gone)
        endpoint.down = False
        memory.retain("The gate is shut.")
        assert memory.stats().vectors == 3
        texts = {unit.text for unit in memory.list(UnitFilter()).units}
        assert texts == {"The lamp is lit.", "The ferry leaves at nine.", "The gate is shut."}


def test_without_the_setting_nothing_is_kept(opened: Opening, endpoint: Endpoint) -> None:
    with opened(endpoint) as memory:
        memory.retain("The lamp is lit.")
        endpoint.down = True
        with pytest.raises(EncoderError, match="HTTP 503"):
            memory.retain(TOLD)
        assert memory.stats().units == 1
        with pytest.raises(BadInput, match="embed_later"):
            memory.bank("default", embed_later="yes")


def test_vectors_that_are_no_vectors_wait_too(opened: Opening) -> None:
    class Broken(HashingEncoder):
        def encode_documents(self, texts: Sequence[str]) -> VectorArray:
            return np.full_like(super().encode_documents(texts), np.nan)

    with opened(Broken()) as memory:
        memory.bank("default", embed_later=True)
        kept = memory.retain(TOLD)
        assert kept.degraded is not None
        assert "broke its promise" in kept.degraded[0].reason


def test_a_recall_does_without_an_encoder_that_cannot_say_what_it_is(
    opened: Opening, endpoint: Endpoint
) -> None:
    with opened(endpoint) as memory:
        memory.retain(TOLD)
        endpoint.down = True
        answer = memory.recall(QUESTION)
        assert answer.items[0].text == TOLD
        assert [one.retriever for one in answer.degraded] == ["semantic"]
        assert "HTTP 503" in answer.degraded[0].reason
