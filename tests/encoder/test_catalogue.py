"""The catalogue is data; these hold what banks and users rely on."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from scrubjay.encoder.catalogue import CATALOGUE, ENCODERS, RERANKERS, Carrier, find_model
from scrubjay.errors import BadInput

# A bank is pinned to these: a change here makes every bank written before unreadable without
# `scrubjay reembed`, so it must be on purpose.
FINGERPRINTS = {
    "scrubjay-small": "scrubjay-small@8abb353b2f68/int8/384",
    "e5-small-v2": "e5-small-v2@82f61888ee63/int8/384",
    "bge-small-en-v1.5": "bge-small-en-v1.5@8724d9c7fd95/int8/384",
    "potion-base-8M": "potion-base-8M@259072cce526/f32/256",
}


def test_fingerprints_are_what_banks_were_written_with() -> None:
    assert {model.name: model.fingerprint for model in ENCODERS} == FINGERPRINTS


def test_a_fingerprint_starts_with_the_name_that_opens_the_model() -> None:
    for model in ENCODERS:
        assert find_model(model.fingerprint.split("@")[0]) is model


def test_anything_that_changes_vectors_changes_the_revision() -> None:
    model = ENCODERS[0]
    assert model.embedding is not None
    other_weights = replace(model, weights=replace(model.weights, sha256="0" * 64))
    other_length = replace(model, tokens_max=256)
    other_prefix = replace(model, embedding=replace(model.embedding, query_prefix="q: "))
    revisions = {m.revision for m in (model, other_weights, other_length, other_prefix)}
    assert len(revisions) == 4


def test_a_new_calibration_keeps_the_fingerprint() -> None:
    model = ENCODERS[0]
    assert model.embedding is not None
    recalibrated = replace(model, embedding=replace(model.embedding, random_pair_cosine=0.5))
    assert recalibrated.fingerprint == model.fingerprint


def test_every_hash_is_a_whole_sha256_and_every_licence_is_named() -> None:
    for model in CATALOGUE:
        hashes = [file.sha256 for file in model.files]
        if isinstance(model.carrier, Carrier):
            hashes.append(model.carrier.sha256)
        assert all(re.fullmatch("[0-9a-f]{64}", found) for found in hashes)
        assert model.licence in ("MIT", "Apache-2.0")


def test_names_are_found_whatever_their_case() -> None:
    assert find_model("E5-Small-V2").name == "e5-small-v2"


def test_an_unknown_name_lists_the_names_there_are() -> None:
    with pytest.raises(BadInput) as caught:
        find_model("e6-huge")
    assert "'e6-huge'" in str(caught.value)
    assert all(model.name in str(caught.value) for model in CATALOGUE)


def test_only_embedders_say_what_a_vector_means() -> None:
    assert all(model.embedding is not None for model in ENCODERS)
    assert all(model.embedding is None for model in RERANKERS)
