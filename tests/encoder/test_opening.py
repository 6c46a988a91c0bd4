"""A name becomes an encoder or a reranker, or an error that says what to do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.encoder.scripted_server import Asked, Reply, Serve, as_json

from scrubjay.encoder.catalogue import ENCODERS, Carrier, find_model
from scrubjay.encoder.model_files import file_path
from scrubjay.encoder.opening import (
    best_available,
    best_available_reranker,
    open_encoder,
    open_reranker,
)
from scrubjay.errors import BadInput, ModelMissing
from scrubjay.testing import HashingEncoder, OverlapReranker
from scrubjay.types.arrays import VectorArray


class HalfEncoder:
    """Has a name and nothing else."""

    name = "half"

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        return np.zeros((len(texts), 2), np.float32)


def pretend_present(name: str, directory: Path) -> None:
    """Files of the right sizes and nothing in them."""
    model = find_model(name)
    for file in model.files:
        path = file_path(model, file, directory)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as sink:
            sink.truncate(file.size)


def test_hash_needs_nothing() -> None:
    assert open_encoder("hash").fingerprint == HashingEncoder().fingerprint


def test_an_object_with_the_protocol_is_itself() -> None:
    encoder, reranker = HashingEncoder(8), OverlapReranker()
    assert open_encoder(encoder) is encoder
    assert open_reranker(reranker) is reranker


def test_an_object_without_the_protocol_is_bad_input() -> None:
    with pytest.raises(BadInput, match="Not an encoder"):
        open_encoder(HalfEncoder())  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="Not a reranker"):
        open_reranker(HalfEncoder())  # type: ignore[arg-type]


def test_unknown_names_list_what_there_is() -> None:
    with pytest.raises(BadInput) as caught:
        open_encoder("word2vec")
    assert all(model.name in str(caught.value) for model in ENCODERS)
    with pytest.raises(BadInput, match="ms-marco-MiniLM-L-12-v2"):
        open_reranker("e5-small-v2")


def test_an_absent_model_names_the_command(tmp_path: Path) -> None:
    for name in ("e5-small-v2", "bge-small-en-v1.5", "potion-base-8M"):
        with pytest.raises(ModelMissing, match=f"`scrubjay models pull {name}`"):
            open_encoder(name, models_directory=tmp_path)
    with pytest.raises(ModelMissing, match="`scrubjay models pull ms-marco-MiniLM-L-12-v2`"):
        open_reranker("ms-marco-MiniLM-L-12-v2", models_directory=tmp_path)


def test_auto_takes_the_best_model_that_is_present(tmp_path: Path) -> None:
    pulled = tuple(model for model in ENCODERS if isinstance(model.carrier, Carrier))
    assert best_available(tmp_path, among=pulled) is None
    for name in ("potion-base-8M", "bge-small-en-v1.5", "e5-small-v2"):
        pretend_present(name, tmp_path)
        found = best_available(tmp_path, among=pulled)
        assert found is not None
        assert found.name == name


def test_auto_is_what_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUBJAY_ENCODER", "hash")
    found = best_available(tmp_path)
    assert found is not None
    assert found.fingerprint == HashingEncoder().fingerprint
    monkeypatch.setenv("SCRUBJAY_ENCODER", "none")
    assert best_available(tmp_path) is None
    monkeypatch.setenv("SCRUBJAY_ENCODER", "word2vec")
    with pytest.raises(BadInput, match="'word2vec'"):
        best_available(tmp_path)


def test_auto_takes_a_reranker_only_when_there_is_one(tmp_path: Path) -> None:
    assert best_available_reranker(tmp_path) is None
    pretend_present("ms-marco-MiniLM-L-12-v2", tmp_path)
    found = best_available_reranker(tmp_path)
    assert found is not None
    assert found.name == "ms-marco-MiniLM-L-12-v2"


def test_files_with_the_right_sizes_and_wrong_content_are_not_loaded(tmp_path: Path) -> None:
    pretend_present("potion-base-8M", tmp_path)
    encoder = open_encoder("potion-base-8M", models_directory=tmp_path)
    with pytest.raises(ModelMissing, match="not the pinned file"):
        encoder.encode_queries(["anything"])


def test_the_number_of_threads_is_checked() -> None:
    for threads in (0, -1, 1_000):
        with pytest.raises(BadInput, match="Threads"):
            open_encoder("hash", threads=threads)
        with pytest.raises(BadInput, match="Threads"):
            best_available(threads=threads)


def test_addresses_open_endpoints_with_the_key_of_the_environment(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(asked: Asked) -> Reply:
        if asked.path.endswith("/rerank"):
            return as_json({"results": [{"index": 0, "relevance_score": 0.5}]})
        texts = asked.body["input"]
        assert isinstance(texts, list)
        return as_json({"data": [{"embedding": [1.0, float(n)]} for n in range(len(texts))]})

    server = serve(script)
    monkeypatch.setenv("SCRUBJAY_ENCODER_KEY", "key-e")
    monkeypatch.setenv("SCRUBJAY_RERANKER_KEY", "key-r")
    encoder = open_encoder(f"{server.url}/v1#small")
    assert encoder.dimension == 2
    assert encoder.name == f"{server.url}/v1/embeddings#small"
    assert open_reranker(server.url).score("q", ["t"]).tolist() == [0.0]
    keys = [asked.headers["Authorization"] for asked in server.asked]
    assert keys == ["Bearer key-e", "Bearer key-r"]
    assert "key-e" not in encoder.fingerprint
