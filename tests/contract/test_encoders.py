"""Pinned encoders, encoders that misbehave, and changing from one to another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from tests.contract.looking import Opening, contents, found_by

from scrubjay import BadInput, EncoderError, EncoderMismatch, Item, Memory, Recall
from scrubjay.encoder.opening import open_encoder
from scrubjay.testing import HashingEncoder
from scrubjay.types.arrays import VectorArray


class Scripted(HashingEncoder):
    """A hash encoder with a name of its own, that may fail and counts what it is given."""

    def __init__(self, name: str = "scripted", dimension: int = 64) -> None:
        super().__init__(dimension)
        self.label = name
        self.given: list[str] = []
        self.spoil: Callable[[VectorArray], VectorArray] = lambda vectors: vectors
        self.fails_after = 10**9
        self.before: Callable[[], None] = lambda: None
        self.asked: Callable[[], None] = lambda: None

    @property
    def fingerprint(self) -> str:
        return f"{self.label}@1/f32/{self.dimension}"

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        self.before()
        if len(self.given) + len(texts) > self.fails_after:
            raise EncoderError("The model went away.")
        self.given.extend(texts)
        return self.spoil(super().encode_documents(texts))

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        self.asked()
        return super().encode_documents(texts)


class Turned(Scripted):
    """Other vectors of the same length: compared with another encoder's they mean nothing."""

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        return np.roll(super().encode_documents(texts), 7, axis=1)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        return np.roll(super().encode_queries(texts), 7, axis=1)


def nearest(found: Recall) -> Item:
    """The item that is nearest by meaning."""
    ranks = [
        (item.why.retrievers["semantic"].rank, item)
        for item in found.items
        if "semantic" in item.why.retrievers
    ]
    return min(ranks, key=lambda one: one[0])[1]


def check_done(units: int) -> None:
    assert units == 100


def nan(vectors: VectorArray) -> VectorArray:
    return np.where(np.arange(vectors.shape[1]) == 3, np.float32("nan"), vectors)


SPOILED: dict[str, Callable[[VectorArray], VectorArray]] = {
    "too short": lambda vectors: vectors[:, :-1],
    "too few": lambda vectors: vectors[:-1],
    "NaN": nan,
    "infinite": lambda vectors: vectors * np.float32("inf"),
    "not of unit length": lambda vectors: vectors * 3,
    "zero": lambda vectors: vectors * 0,
}


@pytest.mark.parametrize("case", SPOILED)
def test_a_bad_vector_is_an_error_and_stores_nothing(
    opened: Opening, tmp_path: Path, case: str
) -> None:
    encoder = Scripted()
    with opened(encoder) as memory:
        unit = memory.retain("Fine.").id
        before = contents(memory, tmp_path)
        encoder.spoil = SPOILED[case]
        with pytest.raises(EncoderError, match="'hash' broke its promise"):
            memory.retain("Bad.")
        with pytest.raises(EncoderError, match="'hash' broke its promise"):
            memory.update(unit, text="Bad.")
        assert contents(memory, tmp_path) == before
        encoder.spoil = lambda vectors: vectors
        assert memory.retain("Good again.").new


def test_a_bank_is_pinned_to_its_encoder(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "s", encoder=Scripted("one"), reranker=None) as memory:
        memory.retain("Ann met Ben.")
    with Memory.open(tmp_path / "s", encoder=Scripted("two"), reranker=None) as memory:
        for call in (
            lambda: memory.retain("More."),
            lambda: memory.recall("Who?"),
            lambda: memory.update(memory.list().units[0].id, text="More."),
        ):
            with pytest.raises(EncoderMismatch, match=r"'one@1/f32/64'.*'two@1/f32/64'.*reembed"):
                call()
        assert memory.stats().units == 1
        assert memory.retain("Another bank.", bank="other").new


def test_a_bank_of_a_former_model_of_a_name_says_how_to_go_on(tmp_path: Path) -> None:
    former, now = HashingEncoder(32), open_encoder("hash")
    mend = "`scrubjay reembed --bank default --encoder hash`"
    with Memory.open(tmp_path / "s", encoder=former, reranker=None) as memory:
        memory.retain("Ann met Ben.")
    with Memory.open(tmp_path / "s", encoder=now, reranker=None) as memory:
        with pytest.raises(EncoderMismatch) as raised:
            memory.recall("Who?")
        assert f"Run {mend}" in str(raised.value)
        assert "Open it with" not in str(raised.value)
    with Memory.open(tmp_path / "s", reranker=None) as memory:
        answer = memory.recall("Who met Ben?")
        assert [item.text for item in answer.items] == ["Ann met Ben."]
        (degraded,) = answer.degraded
        assert degraded.reason == (
            f"the bank has {former.fingerprint}, and here is {now.fingerprint}; run {mend}"
        )
        memory.reembed("hash")
        assert not memory.recall("Who met Ben?").degraded


def test_a_bank_without_vectors_works_by_words_and_takes_vectors_later(
    opened: Opening,
) -> None:
    with opened(None) as memory:
        unit = memory.retain("The gate code is 7391.").id
        assert found_by(memory, "gate code", "lexical") == [unit]
        assert memory.stats().vectors == 0
        assert memory.bank().reembed(HashingEncoder()) == 1
        assert memory.stats().vectors == 1
        assert memory.doctor() == []


def test_a_bank_that_was_told_nothing_says_so_first(memory: Memory) -> None:
    (semantic,) = [
        step for step in memory.plan("Where is the key?").retrievers if step.retriever == "semantic"
    ]
    assert not semantic.run
    assert semantic.reason == "no search by meaning: nothing has been told yet"


def test_reembedding_gives_every_unit_the_new_vectors(
    opened: Opening,
) -> None:
    with opened(Scripted("old", 32)) as memory:
        memory.retain([f"the heron number {n} stands still" for n in range(150)])
        new = Scripted("new", 64)
        shown: list[tuple[int, int]] = []
        assert memory.reembed(new, progress=lambda done, total: shown.append((done, total))) == 150
        assert memory.stats().encoder == "new@1/f32/64"
        assert memory.stats().vectors == len(new.given) == 150
        assert shown[-1] == (150, 150)
        assert memory.doctor() == []
        assert len(found_by(memory, "heron", "semantic")) > 0


def test_an_interrupted_reembedding_goes_on_and_the_old_vectors_serve_meanwhile(
    tmp_path: Path,
) -> None:
    old, new = Scripted("old", 32), Scripted("new", 64)
    with Memory.open(tmp_path / "s", encoder=old, reranker=None) as memory:
        kept = memory.retain([f"the heron number {n} stands still" for n in range(200)])
        new.fails_after = 140
        with pytest.raises(EncoderError, match="went away"):
            memory.reembed(new)
        done = len(new.given)
        assert 0 < done <= 140
        assert memory.stats().encoder == "old@1/f32/32"
        assert found_by(memory, "the heron number 7 stands still", "semantic")[0] == kept.ids[7]
        changed = memory.update(kept.ids[0], text="the heron is gone").id
        told = memory.retain("a stork came instead").id
        memory.forget(kept.ids[1])

    new.fails_after = 10**9
    with Memory.open(tmp_path / "s", encoder=old, reranker=None) as memory:
        # The unit changed meanwhile is done again, the forgotten one is not.
        assert memory.reembed(new) == 200 - done + 2
        assert len(set(new.given)) == 202
    with Memory.open(tmp_path / "s", encoder=new, reranker=None) as memory:
        assert memory.stats().vectors == memory.stats().units == 200
        assert memory.doctor() == []
        assert found_by(memory, "the heron is gone", "semantic")[0] == changed
        assert found_by(memory, "a stork came instead", "semantic")[0] == told


def test_a_unit_told_while_the_encoder_changes_never_gets_a_vector_of_the_wrong_one(
    opened: Opening,
) -> None:
    old, new = Scripted("old"), Scripted("new")
    with opened(old) as memory:
        memory.retain("Before.")
        encoding, switched = threading.Event(), threading.Event()

        def wait_for_the_switch() -> None:
            encoding.set()
            assert switched.wait(30)

        old.before = wait_for_the_switch
        told: list[str] = []
        teller = threading.Thread(target=lambda: told.append(memory.retain("During.").id))
        teller.start()
        assert encoding.wait(30)
        memory.reembed(new)
        switched.set()
        teller.join()
        assert memory.stats().units == memory.stats().vectors == 2
        assert new.given == ["Before.", "During."]
        assert found_by(memory, "During.", "semantic")[0] == told[0]


def test_a_unit_told_while_the_encoder_changes_twice_is_kept(opened: Opening) -> None:
    old, new, newest = Scripted("old"), Scripted("new"), Scripted("newest")
    with opened(old) as memory:
        memory.retain("Before.")

        def change_again() -> None:
            new.before = lambda: None
            memory.reembed(newest)

        def change() -> None:
            old.before = lambda: None
            memory.reembed(new)
            new.before = change_again

        old.before = change
        told = memory.retain("During.").id
        assert memory.stats().encoder == newest.fingerprint
        assert memory.stats().units == memory.stats().vectors == 2
        assert found_by(memory, "During.", "semantic")[0] == told


@pytest.mark.parametrize("dimension", [64, 32])
def test_a_question_read_before_the_switch_is_not_compared_with_the_vectors_after_it(
    opened: Opening, dimension: int
) -> None:
    old, new = Scripted("old"), Turned("new", dimension)
    with opened(old) as memory:
        told = memory.retain([f"the heron number {n} stands still" for n in range(40)]).ids

        def switch() -> None:
            old.asked = lambda: None
            memory.reembed(new)

        old.asked = switch
        found = memory.recall("the heron number 7 stands still")
        assert memory.stats().encoder == new.fingerprint
        assert nearest(found).id == told[7]
        assert found.degraded == ()


def test_a_bank_is_reembedded_while_many_tell_and_ask(opened: Opening) -> None:
    encoders = [Scripted("old", 256), Turned("new", 256), Scripted("newest", 128)]
    with opened(encoders[0]) as memory:
        memory.retain([f"the heron number {n} stands still" for n in range(80)])
        over = threading.Event()

        def tell(number: int) -> list[tuple[str, str]]:
            told: list[tuple[str, str]] = []
            while not over.is_set() and len(told) < 40:
                text = f"writer {number} saw {len(told)} storks"
                told.append((memory.retain(text).id, text))
            return told

        def ask(number: int) -> int:
            asked = 0
            while not over.is_set() and asked < 60:
                text = f"the heron number {(number * 40 + asked) % 80} stands still"
                found = memory.recall(text)
                assert nearest(found).text == text
                assert found.degraded == ()
                asked += 1
            return asked

        with ThreadPoolExecutor(4) as pool:
            writers = [pool.submit(tell, n) for n in range(2)]
            readers = [pool.submit(ask, n) for n in range(2)]
            try:
                for encoder in encoders[1:]:
                    assert memory.reembed(encoder) >= 80
            finally:
                over.set()
            told = [one for writer in writers for one in writer.result()]
            assert all(reader.result() for reader in readers)
        stats = memory.stats()
        assert stats.units == stats.vectors == 80 + len(told)
        assert stats.encoder == encoders[-1].fingerprint
        kept = memory.list(limit=1000, order="newest").units
        assert set(told) <= {(unit.id, unit.text) for unit in kept}
        for unit, text in told[:: max(1, len(told) // 5)]:
            # Among others that say nearly the same.
            assert unit in found_by(memory, text, "semantic")[:10]
        assert memory.doctor() == []


def test_a_second_reembedding_takes_over_from_the_first(
    opened: Opening,
) -> None:
    first, second = Scripted("first"), Scripted("second")
    with opened(Scripted("old")) as memory:
        memory.retain([f"note {n}" for n in range(100)])
        first.before = lambda: check_done(memory.reembed(second))
        with pytest.raises(BadInput, match="first@1"):
            memory.reembed(first)
        assert memory.stats().encoder == "second@1/f32/64"
        assert memory.stats().vectors == 100
        assert memory.doctor() == []


def test_a_memory_goes_on_with_the_encoder_a_bank_was_given(opened: Opening) -> None:
    old, new = Scripted("one"), Scripted("two", dimension=32)
    with opened(old) as memory:
        unit = memory.retain("Rowan was seen in Aberdeen.").id
        assert found_by(memory, "Aberdeen", "semantic") == [unit]
        memory.reembed(new)
        assert found_by(memory, "Aberdeen", "semantic") == [unit]
        told = memory.retain("Rowan left Aberdeen.").id
        assert set(found_by(memory, "Aberdeen", "semantic")) == {unit, told}
        assert "Rowan left Aberdeen." in new.given
        memory.reembed("hash")
        assert set(found_by(memory, "Aberdeen", "semantic")) == {unit, told}
        # A bank that is new gets the encoder the memory was opened with.
        memory.retain("Elsewhere.", bank="other")
        assert memory.bank("other").info().encoder == old.fingerprint


def test_another_handle_goes_on_or_says_what_to_do(tmp_path: Path) -> None:
    store, old = tmp_path / "store", Scripted("one")
    with Memory.open(store, encoder=old, reranker=None) as writer:
        unit = writer.retain("Rowan was seen in Aberdeen.").id
        with Memory.open(store, encoder=old, reranker=None, read_only=True) as reader:
            assert found_by(reader, "Aberdeen", "semantic") == [unit]
            writer.reembed("hash")  # which anyone can open by its name
            assert found_by(reader, "Aberdeen", "semantic") == [unit]
            writer.reembed(Scripted("two"))
            with pytest.raises(EncoderMismatch, match="Open it with encoder='two'"):
                reader.recall("Aberdeen")
        # Who opens it later, with an encoder that was never right, has made a mistake.
        with (
            Memory.open(store, encoder=old, reranker=None, read_only=True) as late,
            pytest.raises(EncoderMismatch),
        ):
            late.recall("Aberdeen")
