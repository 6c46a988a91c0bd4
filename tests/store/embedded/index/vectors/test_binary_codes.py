"""A first look by one bit a component leaves the nearest of many listed rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.store.embedded.index.vectors.vector_sets import topical

from scrubjay.store.embedded.index.vectors.binary_codes import LISTED_MAX, BinaryCodes
from scrubjay.store.embedded.index.vectors.vector_index import VectorIndex
from scrubjay.types.arrays import RowArray, VectorArray

COUNT, DIMENSION, LIMIT = 12_000, 100, 20
VECTORS = topical(COUNT, DIMENSION)
QUERIES = VECTORS[::600] * 0.95 + topical(COUNT, DIMENSION, seed=1)[::600] * 0.3
QUERIES /= np.linalg.norm(QUERIES, axis=1, keepdims=True)
STRETCH = np.arange(1_000, 11_000)
SCATTERED = np.flatnonzero(np.arange(COUNT) % 5 < 2)


def codes() -> BinaryCodes:
    halves = VECTORS.astype(np.float16)
    return BinaryCodes.around(halves[::10], COUNT).with_rows(COUNT, np.arange(COUNT), halves)


def best(query: VectorArray, rows: RowArray, vectors: VectorArray = VECTORS) -> set[int]:
    return set(rows[np.argsort(-(vectors[rows] @ query))[:LIMIT]].tolist())


@pytest.mark.parametrize("rows", [STRETCH, SCATTERED, np.flip(STRETCH), STRETCH[::2]])
def test_few_are_kept_and_the_best_are_among_them(rows: RowArray) -> None:
    assert len(rows) > LISTED_MAX
    made, shares = codes(), []
    for query in QUERIES:
        kept = made.promising(query, rows, LIMIT)
        assert len(kept) < len(rows) / 2
        assert set(kept.tolist()) <= set(rows.tolist())
        shares.append(len(best(query, rows) & set(kept.tolist())) / LIMIT)
    assert np.mean(shares) > 0.98


def test_few_rows_are_all_kept() -> None:
    rows = np.arange(LISTED_MAX)
    assert codes().promising(QUERIES[0], rows, 1) is rows


def test_rows_that_are_not_there_are_left_out() -> None:
    rows = np.concatenate((np.arange(-3, 0), STRETCH, np.arange(COUNT, COUNT + 100)))
    kept = codes().promising(QUERIES[0], rows, LIMIT)
    assert (kept >= 0).all()
    assert (kept < COUNT).all()


def test_a_component_beyond_a_whole_word_counts() -> None:
    vectors = np.zeros((LISTED_MAX + 1, 70), np.float16)
    vectors[:, 69] = -1
    vectors[7, 69] = 1
    made = BinaryCodes(np.zeros(70, np.float32), np.zeros((len(vectors), 2), np.uint64))
    rows = np.arange(len(vectors))
    made = made.with_rows(len(rows), rows, vectors)
    asked = np.zeros(70, np.float32)
    asked[69] = 1
    assert made._apart(made._bits_of(asked[None]), rows).argmin() == 7


@pytest.fixture(scope="module")
def index() -> VectorIndex:
    made = VectorIndex(DIMENSION, exact_max=4_000)
    types = (np.arange(COUNT) % 2).astype(np.uint8)
    made.add(np.arange(COUNT), types, VECTORS.astype(np.float16))
    while made.build_step():
        pass
    return made


def check(index: VectorIndex, rows: RowArray, vectors: VectorArray) -> None:
    shares = [
        len(
            best(query, rows, vectors)
            & set(index.nearest(query, limit=LIMIT, among=rows)[0].tolist())
        )
        / LIMIT
        for query in QUERIES
    ]
    assert np.mean(shares) > 0.98


def test_an_index_finds_the_best_of_listed_rows_also_from_its_files(
    index: VectorIndex, tmp_path: Path
) -> None:
    check(index, STRETCH, VECTORS)
    index.save(tmp_path, fingerprint="test", generation=1)
    loaded = VectorIndex.load(tmp_path, dimension=DIMENSION, fingerprint="test", exact_max=4_000)
    assert loaded is not None
    check(loaded, STRETCH, VECTORS)


@pytest.mark.parametrize("suffix", ["signs", "centre"])
@pytest.mark.parametrize("harm", [lambda whole: whole[:-8], lambda whole: b"\x2a" * len(whole)])
def test_codes_whose_file_is_damaged_are_made_again(
    index: VectorIndex, tmp_path: Path, suffix: str, harm: Callable[[bytes], bytes]
) -> None:
    index.save(tmp_path, fingerprint="test", generation=1)
    (path,) = tmp_path.glob(f"*.{suffix}")
    path.write_bytes(harm(path.read_bytes()))
    mended = VectorIndex.load(tmp_path, dimension=DIMENSION, fingerprint="test", exact_max=4_000)
    assert mended is not None
    check(mended, STRETCH, VECTORS)


def test_what_was_told_or_changed_later_is_found_among_listed_rows(
    index: VectorIndex, tmp_path: Path
) -> None:
    index.save(tmp_path, fingerprint="test", generation=1)
    loaded = VectorIndex.load(tmp_path, dimension=DIMENSION, fingerprint="test", exact_max=4_000)
    assert loaded is not None
    vectors = np.concatenate((VECTORS, topical(500, DIMENSION, seed=4)))
    vectors[::100] = topical(len(vectors[::100]), DIMENSION, seed=5)
    changed = np.union1d(np.arange(0, len(vectors), 100), np.arange(COUNT, len(vectors)))
    types = np.ones(len(changed), np.uint8)
    loaded.add(changed, types, vectors[changed].astype(np.float16))
    rows = np.arange(1_000, len(vectors))
    check(loaded, rows, vectors)
    for row in changed[changed >= 1_000][::25].tolist():
        assert loaded.nearest(vectors[row], limit=1, among=rows)[0].tolist() == [row]
