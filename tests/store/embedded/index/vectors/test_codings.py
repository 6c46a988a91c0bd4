"""Codes order vectors as cosines do, and graphs keep the coding they were built with."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from scrubjay.store.embedded.index.vectors.codings import (
    Coding,
    OwnSteps,
    SharedSteps,
    chosen_for,
    load_coding,
)
from scrubjay.store.embedded.index.vectors.partition_files import MANIFEST
from scrubjay.store.embedded.index.vectors.vector_index import VectorIndex
from scrubjay.types.arrays import VectorArray

HalfArray = npt.NDArray[np.float16]
DIMENSION = 48


def unit(vectors: npt.NDArray[np.float64]) -> VectorArray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: VectorArray = (vectors / lengths).astype(np.float32)
    return units


def crowded(count: int, *, seed: int = 0) -> HalfArray:
    """Unit vectors about one direction, as encoders of text make them."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((40, DIMENSION))
    noise = 0.5 * random.standard_normal((count, DIMENSION))
    shared = 2.0 * np.sqrt(DIMENSION) * random.standard_normal(DIMENSION) / np.sqrt(DIMENSION)
    return unit(centres[random.integers(40, size=count)] + noise + shared).astype(np.float16)


def spiky(count: int) -> HalfArray:
    """Half of them one large component, half of them many small ones."""
    random = np.random.default_rng(1)
    vectors = random.standard_normal((count, DIMENSION * 40)) * 0.05
    vectors[np.arange(count // 2), random.integers(DIMENSION, size=count // 2)] += 400.0
    return unit(vectors).astype(np.float16)


@pytest.mark.parametrize("coding", [OwnSteps(), chosen_for(crowded(2_000))])
def test_the_nearest_codes_are_those_of_the_nearest_vectors(coding: Coding) -> None:
    vectors = crowded(2_000)
    codes = coding.encode(vectors)
    shares = []
    for place in range(0, 2_000, 100):
        cosines = vectors.astype(np.float32) @ vectors[place].astype(np.float32)
        nearest = np.argsort(coding.distances(codes[place], codes))[:60]
        shares.append(np.isin(np.argsort(-cosines)[:30], nearest).mean())
    assert np.mean(shares) > 0.98


def test_text_is_coded_in_shared_steps_and_what_they_would_blur_is_not() -> None:
    assert isinstance(chosen_for(crowded(500)), SharedSteps)
    assert isinstance(chosen_for(spiky(500)), OwnSteps)
    assert isinstance(chosen_for(np.ones((3, 4), np.float16)), OwnSteps)


def test_a_vector_far_from_the_sampled_ones_is_clipped_not_wrapped() -> None:
    coding = SharedSteps(np.zeros(2, np.float32), 0.001)
    assert coding.encode(np.array([[0.9, -0.9]], np.float32)).tolist() == [[127, -127]]


def test_a_coding_comes_back_from_its_file(tmp_path: Path) -> None:
    coding = chosen_for(crowded(200))
    assert isinstance(coding, SharedSteps)
    coding.save(tmp_path / "coding")
    loaded = load_coding(tmp_path / "coding", DIMENSION)
    np.testing.assert_array_equal(loaded.encode(crowded(50)), coding.encode(crowded(50)))
    with pytest.raises(ValueError, match="not a coding"):
        load_coding(tmp_path / "coding", DIMENSION + 1)


def short(count: int, *, seed: int = 0) -> HalfArray:
    """Means of two unit vectors, alike for some and unlike for others."""
    first, second = crowded(count, seed=seed), crowded(count, seed=seed)[::-1]
    alike = np.random.default_rng(seed).random((count, 1)) < 0.5
    mean: HalfArray = (np.where(alike, first, first / 2 + second / 2)).astype(np.float16)
    return mean


def test_vectors_of_several_lengths_are_found_by_dot_product_not_by_angle(tmp_path: Path) -> None:
    vectors = short(6_000)
    index = graphed(vectors)
    assert chosen_for(vectors).added == 1
    full = vectors.astype(np.float32)
    for each in (index, saved(index, tmp_path)):
        shares = []
        for query in crowded(20, seed=9).astype(np.float32):
            query = query / np.linalg.norm(query)
            exact = np.argsort(-(full @ query), kind="stable")[:50]
            rows, scores = each.nearest(query, limit=50)
            shares.append(np.isin(exact, rows).mean())
            np.testing.assert_allclose(scores, full[rows] @ query, atol=1e-5)
        assert np.mean(shares) > 0.97


def graphed(vectors: HalfArray) -> VectorIndex:
    index = VectorIndex(vectors.shape[1], exact_max=500)
    index.add(np.arange(len(vectors)), np.zeros(len(vectors), np.uint8), vectors)
    while index.build_step():
        pass
    return index


def saved(index: VectorIndex, folder: Path) -> VectorIndex:
    index.save(folder, fingerprint="f", generation=1)
    loaded = VectorIndex.load(folder, dimension=index.dimension, fingerprint="f", exact_max=500)
    assert loaded is not None
    return loaded


def test_listed_rows_are_searched_as_a_mask_of_them_is(tmp_path: Path) -> None:
    vectors = crowded(6_000)
    index = graphed(vectors)
    index.add(np.arange(6_000, 6_300), np.ones(300, np.uint8), crowded(300, seed=2))
    all_vectors = np.concatenate((vectors, crowded(300, seed=2))).astype(np.float32)
    query = crowded(1, seed=5)[0].astype(np.float32)
    for among in (np.arange(0, 6_300, 3), np.arange(5_900, 6_100), np.array([9_999, 7])):
        known = among[among < 6_300]
        exact = known[np.argsort(-(all_vectors[known] @ query), kind="stable")[:20]]
        for each in (index, saved(index, tmp_path)):
            rows, scores = each.nearest(query, limit=20, among=among)
            assert np.isin(exact, rows).mean() >= 0.9
            assert np.isin(rows, known).all()
            np.testing.assert_allclose(scores, all_vectors[rows] @ query, atol=1e-5)
    rows, _ = index.nearest(query, limit=20, among=np.arange(6_300), types=[1])
    assert (rows >= 6_000).all() and len(rows) == 20
    assert not len(index.nearest(query, limit=0, among=np.arange(50))[0])


def test_files_saved_before_they_had_checksums_are_not_trusted(tmp_path: Path) -> None:
    index = graphed(spiky(1_200))
    saved(index, tmp_path)
    manifest = json.loads((tmp_path / MANIFEST).read_text(encoding="utf-8"))
    del manifest["checksum"]
    (tmp_path / MANIFEST).write_text(json.dumps({**manifest, "format": 1}), encoding="utf-8")
    old = VectorIndex.load(tmp_path, dimension=index.dimension, fingerprint="f", exact_max=500)
    assert old is None


def test_a_small_type_that_has_most_of_the_best_is_searched_more_widely() -> None:
    random = np.random.default_rng(3)
    many = crowded(6_000)
    query = crowded(1, seed=9)[0].astype(np.float32)
    near = unit(query + 0.05 * random.standard_normal((900, DIMENSION))).astype(np.float16)
    index = VectorIndex(DIMENSION, exact_max=500)
    index.add(np.arange(6_000), np.zeros(6_000, np.uint8), many)
    index.add(np.arange(6_000, 6_900), np.ones(900, np.uint8), near)
    while index.build_step():
        pass
    exact = 6_000 + np.argsort(-(near.astype(np.float32) @ query), kind="stable")[:150]
    rows, _ = index.nearest(query, limit=150)
    assert np.isin(exact, rows).mean() > 0.95
