"""The encoder of our own: in its package, as it was trained, and the same in any company."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest
from training.references import REFERENCES

from scrubjay.encoder import best_available, open_encoder
from scrubjay.encoder.base import Encoder
from scrubjay.encoder.catalogue import Model, find_model
from scrubjay.encoder.model_files import folder_of, is_present, verify
from scrubjay.memory import Memory
from scrubjay.types.arrays import VectorArray

NAME = "scrubjay-small"
FULL_PRECISION = Path(__file__).parent / "references" / f"{NAME}.npy"
DOWNLOADED_BYTES_MAX = 40_000_000


@pytest.fixture(scope="module")
def model() -> Model:
    found = find_model(NAME)
    if not is_present(found, Path("/nonexistent")):
        pytest.fail("scrubjay-model is not installed: run `make env` first.")
    return found


@pytest.fixture(scope="module")
def encoder(model: Model) -> Encoder:
    return open_encoder(model.name, models_directory=Path("/nonexistent"))


def test_auto_needs_no_models_directory(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCRUBJAY_ENCODER", raising=False)
    monkeypatch.setenv("SCRUBJAY_MODELS", str(tmp_path / "none"))
    found = best_available()
    assert found is not None
    assert found.fingerprint == model.fingerprint
    with Memory.open(":memory:") as memory:
        memory.retain("The ferry to the island leaves at seven.")
        memory.retain("Nadia painted the fence.")
        answer = memory.recall("When does the boat go?")
    assert answer.items[0].text == "The ferry to the island leaves at seven."
    assert answer.degraded == ()
    assert "semantic" in answer.items[0].why.retrievers
    assert not (tmp_path / "none").exists()


def test_the_package_is_small_and_its_card_names_every_file(model: Model) -> None:
    verify(model, Path("/nonexistent"))
    folder = folder_of(model, Path("/nonexistent"))
    files = [path for path in folder.parent.rglob("*") if path.is_file()]
    assert sum(len(zlib.compress(path.read_bytes(), 1)) for path in files) <= DOWNLOADED_BYTES_MAX
    card = (folder / "CARD.md").read_text(encoding="utf-8")
    assert all(f"`{file.sha256}`" in card for file in model.files)


def test_int8_agrees_with_full_precision(encoder: Encoder) -> None:
    own = np.concatenate([encoder.encode_queries(REFERENCES), encoder.encode_documents(REFERENCES)])
    cosines = np.einsum("ij,ij->i", own, np.load(FULL_PRECISION))
    # The further the weights are from those it began as, the more is lost in bytes: half the way
    # kept .998 and no text below .995. What it costs in answers is in the card.
    assert cosines.mean() > 0.997
    assert cosines.min() > 0.99


def test_a_text_has_one_vector_alone_and_in_any_batch(encoder: Encoder) -> None:
    texts = [f"{text} {n}" for n in range(4) for text in REFERENCES]
    alone = np.concatenate([encoder.encode_documents([text]) for text in texts])
    assert _same(alone, encoder.encode_documents(texts))
    assert _same(alone[::-1], encoder.encode_documents(texts[::-1]))
    assert _same(alone[7:29], encoder.encode_documents(texts[7:29]))


def test_threads_do_not_change_vectors(model: Model) -> None:
    one, three = (open_encoder(model.name, threads=count) for count in (1, 3))
    texts = [*REFERENCES, *REFERENCES]
    assert _same(one.encode_queries(texts), three.encode_queries(texts))


def test_a_bank_moves_over_from_another_model_and_answers_by_meaning_all_the_while(
    model: Model, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUBJAY_MODELS", str(models))
    with Memory.open(tmp_path, encoder="e5-small-v2", reranker=None) as memory:
        memory.retain(["The ferry to the island leaves at seven.", "Nadia painted the fence."])
        memory.retain([f"Box {n} holds winter clothes." for n in range(120)])
    answered: list[str] = []
    with Memory.open(tmp_path, reranker=None) as memory:

        def ask(_done: int, _total: int) -> None:
            answer = memory.recall("When does the boat go?")
            assert answer.degraded == ()
            assert "semantic" in answer.items[0].why.retrievers
            answered.append(answer.items[0].text)

        assert memory.stats().encoder == find_model("e5-small-v2").fingerprint
        assert memory.reembed(NAME, progress=ask) == 122
        ask(1, 1)
        assert memory.stats().encoder == model.fingerprint
    assert len(answered) > 2
    assert set(answered) == {"The ferry to the island leaves at seven."}


def _same(first: VectorArray, second: VectorArray) -> bool:
    return first.tobytes() == second.tobytes()
