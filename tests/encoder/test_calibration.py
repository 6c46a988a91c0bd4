"""After calibration one scale fits all models: unrelated texts below the floor, paraphrases above.

The sentences here are not the ones the calibration was measured on.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scrubjay.encoder.base import UNRELATED_SCORE, Calibration, Encoder, calibration_of
from scrubjay.encoder.calibration import (
    CALIBRATION_TEXTS,
    mean_pair_cosine,
    measure_calibration,
)
from scrubjay.encoder.catalogue import ENCODERS, find_model
from scrubjay.encoder.model_files import is_present
from scrubjay.encoder.opening import open_encoder
from scrubjay.types.arrays import ScoreArray

FLOOR = 0.3  # below it the semantic retriever returns nothing

# Each line says one thing twice.
PARAPHRASES = (
    (
        "I moved to a flat in Utrecht in January.",
        "At the start of the year I relocated to Utrecht.",
    ),
    ("Tom can't eat shellfish.", "Tom is allergic to prawns and crab."),
    ("The deployment failed at midnight.", "The release broke around twelve at night."),
    ("My sister is expecting twins.", "My sister is pregnant with two babies."),
    ("We should meet on Wednesday instead.", "Let's reschedule our meeting to Wednesday."),
    ("The roof leaks when it rains.", "Water comes through the ceiling in bad weather."),
    ("He quit his job at the bank.", "He resigned from his position with the bank."),
    ("She collects old radios.", "Her hobby is gathering vintage radio sets."),
    ("The car would not start this morning.", "This morning the engine of the car was dead."),
    ("I love hiking in the Alps.", "Walking in the Alpine mountains is my favourite thing."),
    ("The contract ends in December.", "The agreement expires at the end of the year."),
    ("Our teacher speaks five languages.", "The teacher we have is fluent in five tongues."),
)


def present(models: Path) -> list[Encoder]:
    """An encoder for every catalogue model on this machine; e5-small-v2 always is."""
    return [
        open_encoder(model.name, models_directory=models)
        for model in ENCODERS
        if is_present(model, models)
    ]


def calibrated(encoder: Encoder) -> tuple[ScoreArray, ScoreArray]:
    """Similarities of the paraphrases, and of every other pairing of their sentences."""
    asked = encoder.encode_queries([first for first, _ in PARAPHRASES])
    told = encoder.encode_documents([second for _, second in PARAPHRASES])
    similarity = calibration_of(encoder).apply(asked @ told.T)
    same = np.eye(len(PARAPHRASES), dtype=bool)
    return similarity[same], similarity[~same]


def test_unrelated_pairs_fall_under_the_floor_and_paraphrases_above(models: Path) -> None:
    for encoder in present(models):
        related, unrelated = calibrated(encoder)
        assert unrelated.mean() < FLOOR, encoder.name
        assert (unrelated < FLOOR).mean() > 0.8, encoder.name
        assert related.min() > FLOOR, encoder.name
        assert related.mean() > 0.5, encoder.name


def test_the_catalogues_calibration_is_what_is_measured_today(models: Path) -> None:
    for encoder in present(models):
        measured = measure_calibration(encoder).random_pair_cosine
        embedding = find_model(encoder.name).embedding
        assert embedding is not None
        assert measured == pytest.approx(embedding.random_pair_cosine, abs=0.02), encoder.name


def test_most_unrelated_sentences_are_under_the_floor_in_every_language(models: Path) -> None:
    encoder = open_encoder("e5-small-v2", models_directory=models)
    asked = encoder.encode_queries(CALIBRATION_TEXTS)
    told = encoder.encode_documents(CALIBRATION_TEXTS)
    similarity = calibration_of(encoder).apply(asked @ told.T)
    others = similarity[~np.eye(len(CALIBRATION_TEXTS), dtype=bool)]
    assert others.mean() == pytest.approx(UNRELATED_SCORE, abs=0.03)
    assert (others < FLOOR).mean() > 0.8


def test_the_mean_leaves_each_texts_own_pair_out() -> None:
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    assert mean_pair_cosine(vectors, vectors) == pytest.approx((0 + 0.6 + 0.8) / 3)


def test_calibration_keeps_order_and_can_be_undone() -> None:
    calibration = Calibration(0.72)
    cosines = np.array([0.5, 0.72, 0.8, 0.95, 1.0], np.float32)
    similarity = calibration.apply(cosines)
    assert similarity.tolist() == sorted(similarity.tolist())
    assert similarity[1] == pytest.approx(UNRELATED_SCORE)
    assert similarity[-1] == 1.0
    assert calibration.cosine_at(float(similarity[2])) == pytest.approx(0.8, abs=1e-6)
