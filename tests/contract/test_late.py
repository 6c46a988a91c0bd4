"""Banks that keep a vector of every token: written once, searched, switched on and off, mended."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.contract.looking import Opening

from scrubjay import BadInput, Memory
from scrubjay.testing import HashingEncoder
from scrubjay.types.arrays import VectorArray

TOLD = [
    "The heron by the old mill has a ring.",
    "The heron by the pond, which is old, has none.",
    "Agnes sold the mill.",
]
QUESTION = "Which heron by the old mill has a ring?"


class Reads(HashingEncoder):
    """A hash encoder that counts its readings."""

    def __init__(self) -> None:
        super().__init__()
        self.readings = 0

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        self.readings += len(texts)
        return super().encode_documents(texts)


class Headless:
    """An encoder without token vectors."""

    name, dimension, fingerprint = "headless", 2, "headless@1/f32/2"

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        return np.tile(np.array([0.6, 0.8], np.float32), (len(texts), 1))

    encode_queries = encode_documents


def late_signs(memory: Memory) -> list[float]:
    """What the units of the answer have of it, in the order they were told; 0: nothing."""
    found = {item.id: item.why.signs.get("late") for item in memory.recall(QUESTION).items}
    values = (found[unit.id] for unit in memory.list().units)
    return [0.0 if value is None else float(value) for value in values]


def test_tokens_that_match_speak_for_a_unit_and_explain_says_so(memory: Memory) -> None:
    memory.bank("default", late=True)
    units = memory.retain(TOLD).ids
    signs = late_signs(memory)
    # What the worst of them has counts for nobody.
    assert signs[0] > signs[1] > signs[2] == 0
    why = memory.explain(QUESTION, units[0])
    assert why.contributions["late"] == pytest.approx(signs[0])
    assert memory.recall(QUESTION).items[0].id == units[0]
    assert memory.doctor() == []


def test_a_bank_keeps_none_unless_it_is_asked_to(memory: Memory) -> None:
    memory.retain(TOLD)
    assert late_signs(memory) == [0, 0, 0]
    with pytest.raises(BadInput, match="late"):
        memory.bank("default", late="yes")


def test_a_unit_is_read_once_for_its_vector_and_its_tokens(opened: Opening) -> None:
    encoder = Reads()
    with opened(encoder) as memory:
        memory.bank("default", late=True)
        memory.retain(TOLD)
        assert encoder.readings == len(TOLD)
        assert len(set(late_signs(memory))) == 3


def test_switched_on_units_that_are_there_get_theirs_by_reembedding(memory: Memory) -> None:
    memory.retain(TOLD)
    memory.bank("default", late=True)
    assert late_signs(memory) == [0, 0, 0]
    memory.retain(["The heron by the mill left.", "The heron left the pond."])
    # Those that wait have what the others have in the mean.
    told = late_signs(memory)
    assert told[0] == told[1] == told[2] == pytest.approx((told[3] + told[4]) / 2)
    assert told[3] > told[4] == 0
    assert memory.reembed("hash") == 5
    assert len(set(late_signs(memory))) == 5
    assert memory.doctor() == []


def test_doctor_makes_those_that_lack(memory: Memory) -> None:
    memory.retain(TOLD)
    memory.bank("default", late=True)
    (found,) = memory.doctor()
    assert (found.check, found.fixed) == ("late", False)
    assert "3 unit(s)" in found.detail
    (mended,) = memory.doctor(fix=True)
    assert mended.fixed
    assert memory.doctor() == []
    assert len(set(late_signs(memory))) == 3


def test_switched_off_they_are_gone(memory: Memory) -> None:
    memory.bank("default", late=True)
    memory.retain(TOLD)
    memory.bank("default", late=False)
    assert late_signs(memory) == [0, 0, 0]
    memory.bank("default", late=True)
    (found,) = memory.doctor(fix=True)
    assert "3 unit(s)" in found.detail


def test_a_changed_unit_has_the_tokens_of_its_new_text(memory: Memory) -> None:
    memory.bank("default", late=True)
    units = memory.retain(TOLD).ids
    before = late_signs(memory)
    memory.update(units[2], text=TOLD[0] + " Agnes saw it.")
    # It keeps its place in the list, and is no longer the worst.
    assert before[2] == 0 < late_signs(memory)[2]
    assert memory.doctor() == []


def test_an_encoder_without_a_head_is_told_of_and_the_rest_works(opened: Opening) -> None:
    with opened(Headless()) as memory:
        memory.bank("default", late=True)
        memory.retain(TOLD)
        answer = memory.recall(QUESTION)
        assert len(answer.items) == 3
        (lacking,) = [one for one in answer.degraded if one.retriever == "late"]
        assert "headless has no token vectors; reembed" in lacking.reason
