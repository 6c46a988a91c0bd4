"""A question's language is taken out of its vector, so that what it says decides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tools.derive_directions import directions, parallel_questions

from scrubjay.encoder import open_encoder
from scrubjay.encoder.base import Encoder
from scrubjay.encoder.directions import without_language
from scrubjay.memory import Memory
from scrubjay.types.arrays import VectorArray

GERMAN = [
    "Die Waschmaschine hat zwei Jahre Garantie.",
    "Im Supermarkt gibt es wieder Erdbeeren.",
    "Der Film gestern war langweilig.",
    "Die Bibliothek hat montags geschlossen.",
    "Der neue Nachbar spielt Cello im Orchester.",
]
ENGLISH = [
    "The gym membership ends in December.",
    "A parcel came for the neighbours.",
    "The train was crowded.",
    "The lamp in the hall flickers.",
    "My boss wants the report in landscape format.",
]
ANSWER = "I decided to stop drinking coffee after lunch."
QUESTION = "Ab wann trinke ich keinen Kaffee mehr?"


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return open_encoder("scrubjay-small", models_directory=Path("/nonexistent"))


def favour(question: VectorArray, encoder: Encoder) -> float:
    """How much nearer a question is to unrelated German texts than to unrelated English ones."""
    german, english = (encoder.encode_documents(texts) @ question for texts in (GERMAN, ENGLISH))
    return float(german.mean() - english.mean())


def test_without_its_language_a_question_favours_no_texts_for_being_in_it(encoder: Encoder) -> None:
    question = encoder.encode_queries([QUESTION])[0]
    plain = without_language(question, encoder.fingerprint, "de")
    assert favour(question, encoder) > 0.04
    assert abs(favour(plain, encoder)) < 0.5 * favour(question, encoder)


def test_a_question_finds_the_note_in_another_language_among_those_in_its_own(
    encoder: Encoder,
) -> None:
    with Memory.open(":memory:", encoder=encoder) as memory:
        memory.retain([*GERMAN, *ENGLISH, ANSWER])
        assert memory.recall(QUESTION).items[0].text == ANSWER


@pytest.mark.parametrize(("model", "language"), [("hash", "de"), ("own", "en"), ("own", "und")])
def test_a_question_stays_as_it_is_where_no_direction_is_known(
    encoder: Encoder, model: str, language: str
) -> None:
    question = encoder.encode_queries([QUESTION])[0]
    fingerprint = encoder.fingerprint if model == "own" else model
    assert without_language(question, fingerprint, language) is question


def test_the_directions_are_those_of_the_model_that_ships(encoder: Encoder) -> None:
    texts = {code: parallel_questions()[code] for code in ("en", "de")}
    way = directions(encoder, texts)["de"]
    # What stands across the way stays; what leans to it leans less.
    question = encoder.encode_queries([QUESTION])[0]
    across = question - (question @ way) * way
    across /= np.linalg.norm(across)
    plain = without_language(across, encoder.fingerprint, "de")
    assert plain @ across > 0.999
    assert abs(plain @ way) < 0.01
    leaning = without_language(question, encoder.fingerprint, "de")
    assert 0 < leaning @ way < 0.35 * (question @ way)
