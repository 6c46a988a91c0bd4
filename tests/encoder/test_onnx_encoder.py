"""The real embedder gives vectors that can be pinned, stored and searched."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scrubjay.encoder.base import Encoder, calibration_of
from scrubjay.encoder.catalogue import Pooling, find_model
from scrubjay.encoder.onnx_encoder import OnnxEncoder
from scrubjay.encoder.onnx_graph import OnnxGraph, shared_graph
from scrubjay.encoder.opening import open_encoder
from scrubjay.errors import ModelMissing
from scrubjay.types.arrays import VectorArray

TEXTS = (
    "The ferry to Hydra leaves at seven from gate E8.",
    "ok",
    "",
    "Wir haben den Zaun am Samstag grün gestrichen.",
    "Nadia keeps the spare laptop charger in the second drawer of her desk at the office.",
    "会議は午後三時に始まります。",
)


@pytest.fixture(scope="module")
def encoder(models: Path) -> Encoder:
    return open_encoder("e5-small-v2", models_directory=models)


def test_vectors_are_unit_rows_in_the_order_of_the_texts(encoder: Encoder) -> None:
    vectors = encoder.encode_documents(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    backwards = encoder.encode_documents(TEXTS[::-1])
    np.testing.assert_array_equal(vectors, backwards[::-1])


def test_a_texts_vector_does_not_depend_on_its_neighbours_or_on_threads(models: Path) -> None:
    one, three = (open_encoder("e5-small-v2", models_directory=models, threads=n) for n in (1, 3))
    alone = np.concatenate([one.encode_documents([text]) for text in TEXTS])
    np.testing.assert_array_equal(one.encode_documents(TEXTS), alone)
    np.testing.assert_array_equal(three.encode_documents(TEXTS), alone)


def test_many_threads_share_one_graph_and_get_the_same_vectors(models: Path) -> None:
    expected = open_encoder("e5-small-v2", models_directory=models).encode_queries(TEXTS)
    model = find_model("e5-small-v2")

    def encode(_turn: int) -> tuple[OnnxGraph, VectorArray]:
        own = open_encoder("e5-small-v2", models_directory=models)
        return shared_graph(model, models), own.encode_queries(TEXTS)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(encode, range(4)))
    assert len({id(graph) for graph, _ in answers}) == 1
    for _, vectors in answers:
        np.testing.assert_array_equal(vectors, expected)


def test_the_pinned_model_still_gives_the_vectors_it_gave(encoder: Encoder) -> None:
    # The first numbers, as measured once; int8 arithmetic differs a little between processors.
    vector = encoder.encode_documents(["The ferry leaves at seven."])[0]
    np.testing.assert_allclose(vector[:4], [-0.0709, 0.0205, 0.0286, 0.0237], atol=0.015)


def test_questions_and_documents_get_their_own_prefix(encoder: Encoder) -> None:
    text = "When does the ferry leave?"
    asked, told = encoder.encode_queries([text])[0], encoder.encode_documents([text])[0]
    assert 0.8 < float(asked @ told) < 0.99


def test_a_question_is_nearest_to_its_answer(encoder: Encoder) -> None:
    sentences = [TEXTS[0], TEXTS[3], TEXTS[4]]
    questions = ["What time is the boat to the island?", "Where can I borrow a power supply?"]
    similarity = encoder.encode_queries(questions) @ encoder.encode_documents(sentences).T
    assert similarity.argmax(axis=1).tolist() == [0, 2]


def test_no_texts_give_no_rows(encoder: Encoder) -> None:
    assert encoder.encode_documents([]).shape == (0, 384)
    assert encoder.encode_queries([]).shape == (0, 384)


def test_what_is_beyond_the_documented_length_is_not_read(encoder: Encoder) -> None:
    page = "harbour " * 600
    assert find_model("e5-small-v2").tokens_max == 512
    np.testing.assert_array_equal(
        encoder.encode_documents([page]), encoder.encode_documents([page + "volcano"])
    )


def test_text_that_is_not_valid_unicode_is_still_encoded(encoder: Encoder) -> None:
    vectors = encoder.encode_documents(["a broken \ud83d emoji", "null \x00 inside"])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_the_calibration_comes_with_the_encoder(encoder: Encoder) -> None:
    embedding = find_model("e5-small-v2").embedding
    assert embedding is not None
    assert calibration_of(encoder).random_pair_cosine == embedding.random_pair_cosine


def test_name_fingerprint_and_dimension_load_nothing(models: Path) -> None:
    program = (
        "import sys, pathlib\n"
        "from scrubjay.encoder import open_encoder, open_reranker\n"
        f"here = pathlib.Path({str(models)!r})\n"
        "encoder = open_encoder('e5-small-v2', models_directory=here)\n"
        "open_reranker('ms-marco-MiniLM-L-12-v2', models_directory=here)\n"
        "print(encoder.fingerprint, encoder.dimension)\n"
        "loaded = {'onnxruntime', 'tokenizers', 'urllib.request'} & set(sys.modules)\n"
        "sys.exit(f'loaded {loaded}' if loaded else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [find_model("e5-small-v2").fingerprint, "384"]


def test_a_damaged_graph_is_never_loaded(models: Path, tmp_path: Path) -> None:
    shutil.copytree(models / "e5-small-v2", tmp_path / "e5-small-v2")
    path = tmp_path / "e5-small-v2" / "model.onnx"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    encoder = open_encoder("e5-small-v2", models_directory=tmp_path)
    with pytest.raises(ModelMissing, match=r"model\.onnx is not the pinned file"):
        encoder.encode_queries(["anything"])


def test_an_absent_model_is_refused_at_once(tmp_path: Path) -> None:
    model = find_model("e5-small-v2")
    assert model.embedding is not None
    with pytest.raises(ModelMissing, match="`scrubjay models pull e5-small-v2`"):
        OnnxEncoder(model, model.embedding, tmp_path)


def test_pooling_over_the_first_token_differs_from_the_mean(models: Path) -> None:
    model = find_model("e5-small-v2")
    assert model.embedding is not None
    first = OnnxEncoder(model, replace(model.embedding, pooling=Pooling.CLS), models)
    mean = OnnxEncoder(model, model.embedding, models)
    similarity = float(first.encode_queries(["blue"])[0] @ mean.encode_queries(["blue"])[0])
    assert similarity < 0.999
