"""Asking with fewer layers: the same bank, nearly the same question, less of the processor."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from training.references import REFERENCES

from scrubjay.encoder import open_encoder
from scrubjay.encoder.base import Encoder
from scrubjay.encoder.late import as_late, best_matches
from scrubjay.memory import Memory

CYRILLIC = re.compile("[а-я]")
QUESTIONS = [
    "Where does Nina work now?",
    "when is the plumber coming",
    "What did the doctor say about my knee?",
    "Wie heißt der Hund?",
    "How do I restart the staging server?",
]


@pytest.fixture(scope="module")
def whole() -> Encoder:
    return open_encoder("scrubjay-small")


@pytest.fixture(scope="module")
def fast() -> Encoder:
    return open_encoder("fast")


def test_questions_get_nearly_the_vectors_of_the_whole_model(whole: Encoder, fast: Encoder) -> None:
    asked = [*QUESTIONS, *REFERENCES]
    cosines = np.einsum("ij,ij->i", whole.encode_queries(asked), fast.encode_queries(asked))
    assert cosines.mean() > 0.95
    # The one in a script that neither was taught is the furthest off.
    taught = [not CYRILLIC.search(text) for text in asked]
    assert cosines[taught].min() > 0.85
    assert cosines.min() > 0.8
    assert fast.encode_queries([]).shape == (0, 384)


def test_units_get_the_very_same_vectors_so_that_a_bank_stays_as_it_is(
    whole: Encoder, fast: Encoder
) -> None:
    assert fast.fingerprint == whole.fingerprint
    same = whole.encode_documents(REFERENCES), fast.encode_documents(REFERENCES)
    assert same[0].tobytes() == same[1].tobytes()


def test_a_bank_is_told_with_one_and_asked_with_the_other(tmp_path: Path) -> None:
    with Memory.open(tmp_path, encoder="scrubjay-small", reranker=None) as memory:
        memory.retain(["The ferry to the island leaves at seven.", "Nadia painted the fence."])
    with Memory.open(tmp_path, encoder="fast", reranker=None) as memory:
        answer = memory.recall("When does the boat go?")
        assert answer.items[0].text == "The ferry to the island leaves at seven."
        assert "semantic" in answer.items[0].why.retrievers
        assert answer.degraded == ()
        memory.retain("The dog is called Waffle.")
    with Memory.open(tmp_path, encoder="scrubjay-small", reranker=None) as memory:
        assert memory.recall("What is the pet's name?").items[0].text == "The dog is called Waffle."


def test_a_question_finds_its_words_in_token_vectors_as_with_the_whole_model(
    whole: Encoder, fast: Encoder
) -> None:
    texts = ["Nina works for the harbour office now.", "The plumber comes on Tuesday at nine."]
    late = as_late(whole), as_late(fast)
    assert late[0] is not None
    assert late[1] is not None
    _, units = late[0].encode_documents_late(texts, [len(text) for text in texts])
    for question, right in zip(QUESTIONS[:2], (0, 1), strict=True):
        for encoder in (late[0], late[1]):
            vectors, tokens = encoder.encode_queries_late([question])
            assert vectors.tobytes() == encoder.encode_queries([question]).tobytes()
            assert best_matches(tokens[0], units).argmax() == right


def test_who_only_asks_does_not_load_the_whole_graph() -> None:
    code = (
        "from scrubjay.encoder import onnx_graph, open_encoder\n"
        "encoder = open_encoder('fast')\n"
        "encoder.encode_queries(['Where is it?'])\n"
        "assert [key[0].__name__ for key in onnx_graph._loaded] == ['AskingGraph']\n"
        "encoder.encode_documents(['It is here.'])\n"
        "assert len(onnx_graph._loaded) == 2\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_a_question_costs_less_of_the_processor(whole: Encoder, fast: Encoder) -> None:
    spent: dict[str, float] = {}
    for encoder in (whole, fast):
        encoder.encode_queries(QUESTIONS)
    for name, encoder in (("whole", whole), ("fast", fast)) * 3:
        started = time.process_time()
        for question in QUESTIONS:
            encoder.encode_queries([question])
        spent[name] = min(spent.get(name, 1e9), time.process_time() - started)
    assert spent["fast"] < 0.7 * spent["whole"]
