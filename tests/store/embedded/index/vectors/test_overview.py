"""A graph over all types answers what is asked of no type in particular."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.store.embedded.index.vectors.vector_sets import topical

from scrubjay.store.embedded.index.vectors.state import GONE_SHARE_MAX, OVERVIEW_MAX
from scrubjay.store.embedded.index.vectors.vector_index import BUILD_STEP_VECTORS, VectorIndex
from scrubjay.types.arrays import MaskArray, RowArray, VectorArray

COUNT, DIMENSION, EXACT_MAX = 3_000, 24, 400
TYPES = (np.arange(COUNT) % 3).astype(np.uint8)
VECTORS = topical(COUNT, DIMENSION)
ALL = np.ones(COUNT, np.bool_)
QUERIES = VECTORS[::75] * 0.95 + topical(COUNT, DIMENSION, seed=1)[::75] * 0.3
QUERIES /= np.linalg.norm(QUERIES, axis=1, keepdims=True)


def added(
    rows: RowArray, vectors: VectorArray = VECTORS, index: VectorIndex | None = None
) -> VectorIndex:
    index = index or VectorIndex(DIMENSION, exact_max=EXACT_MAX)
    index.add(rows, TYPES[rows], vectors[rows].astype(np.float16))
    return index


def built(index: VectorIndex) -> VectorIndex:
    while index.build_step():
        pass
    return index


@pytest.fixture
def whole() -> VectorIndex:
    """Three types with a graph each, and one over all of them."""
    index = built(added(np.arange(COUNT)))
    assert index.covered == 2 * COUNT
    return index


def best(vector: VectorArray, usable: MaskArray, vectors: VectorArray = VECTORS) -> list[int]:
    scores = np.where(usable, vectors.astype(np.float16).astype(np.float32) @ vector, -2)
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    return order[: min(20, int(np.count_nonzero(usable)))]


def recall(
    index: VectorIndex, usable: MaskArray, vectors: VectorArray = VECTORS, *, masked: bool = False
) -> float:
    shares = []
    for query in QUERIES:
        wanted = best(query, usable, vectors)
        found = index.nearest(query, limit=20, allowed=usable if masked else None)[0]
        shares.append(len(set(wanted) & set(found.tolist())) / len(wanted))
    return float(np.mean(shares))


def test_the_best_of_all_types_are_found_and_none_twice(whole: VectorIndex) -> None:
    assert recall(whole, ALL) > 0.98
    for query in QUERIES:
        rows, scores = whole.nearest(query, limit=200)
        assert len(set(rows.tolist())) == len(rows) == 200
        np.testing.assert_allclose(scores, whole.similarity(query, rows), atol=1e-6)
        assert (np.diff(scores) <= 0).all()


def test_a_type_filter_asks_the_graph_of_the_type(whole: VectorIndex) -> None:
    for query in QUERIES[:10]:
        rows, _ = whole.nearest(query, limit=20, types=[1])
        assert (TYPES[rows] == 1).all()
        assert len(set(rows.tolist()) & set(best(query, TYPES == 1))) >= 19


def test_a_bank_of_one_type_has_no_second_graph() -> None:
    index = VectorIndex(DIMENSION, exact_max=EXACT_MAX)
    index.add(np.arange(COUNT), np.zeros(COUNT, np.uint8), VECTORS.astype(np.float16))
    assert built(index).covered == COUNT


@pytest.mark.parametrize("share", [0.9, 0.6, 0.3, 0.01, 0.0])
def test_only_what_is_allowed_is_found(whole: VectorIndex, share: float) -> None:
    usable = np.random.default_rng(2).random(COUNT) < share
    if share:
        assert recall(whole, usable, masked=True) > 0.98
    for query in QUERIES:
        assert usable[whole.nearest(query, limit=50, allowed=usable)[0]].all()


def test_a_mask_that_ends_early_allows_nothing_behind_its_end(whole: VectorIndex) -> None:
    for query in QUERIES:
        assert whole.nearest(query, limit=50, allowed=ALL[:2_000])[0].max() < 2_000


def test_rows_told_later_are_found_before_and_after_the_graph_has_them() -> None:
    index = built(added(np.arange(2_500)))
    added(np.arange(2_500, COUNT), index=index)
    assert recall(index, ALL) > 0.98
    built(index)
    assert recall(index, ALL) > 0.98


def changed(index: VectorIndex) -> tuple[MaskArray, VectorArray]:
    """Forget some rows, give others another vector and others another type as well."""
    rows = np.arange(COUNT)
    vectors = VECTORS.copy()
    vectors[rows % 50 == 1] = topical(COUNT // 50, DIMENSION, seed=9)
    index.remove(rows[rows % 50 == 0])
    added(rows[rows % 50 == 1], vectors, index)
    moved = rows[rows % 50 == 2]
    types = ((TYPES[moved] + 1) % 3).astype(np.uint8)
    index.add(moved, types, VECTORS[moved].astype(np.float16))
    return rows % 50 != 0, vectors


def check_changed(index: VectorIndex, usable: MaskArray, vectors: VectorArray) -> None:
    assert recall(index, usable, vectors) > 0.98
    for row in range(1, COUNT, 50):
        rows, scores = index.nearest(vectors[row], limit=1)
        assert (rows.tolist(), scores[0] > 0.99) == ([row], True)
    for query in QUERIES:
        assert usable[index.nearest(query, limit=100)[0]].all()


def test_changes_are_seen_at_once_and_after_files_and_growth(
    whole: VectorIndex, tmp_path: Path
) -> None:
    usable, vectors = changed(whole)
    check_changed(whole, usable, vectors)
    whole.save(tmp_path, fingerprint="test", generation=1)
    check_changed(whole, usable, vectors)
    loaded = VectorIndex.load(
        tmp_path, dimension=DIMENSION, fingerprint="test", exact_max=EXACT_MAX
    )
    assert loaded is not None
    assert loaded.covered == whole.covered
    check_changed(loaded, usable, vectors)
    more = topical(COUNT + 600, DIMENSION, seed=3)
    later = np.arange(COUNT, COUNT + 600)
    loaded.add(later, np.zeros(600, np.uint8), more[later].astype(np.float16))
    built(loaded)
    for row in later[::50].tolist():
        assert loaded.nearest(more[row], limit=1)[0].tolist() == [row]
    for row in range(1, COUNT, 50):
        assert loaded.nearest(vectors[row], limit=1)[0].tolist() == [row]


@pytest.mark.parametrize("steps", [1, 2, COUNT // BUILD_STEP_VECTORS])
def test_changes_while_the_graph_grows_are_not_lost(steps: int) -> None:
    index = added(np.arange(COUNT))
    while index.covered < COUNT:
        index.build_step()
    for _ in range(steps):
        assert index.build_step()
    usable, vectors = changed(index)
    built(index)
    assert index.covered > 1.9 * COUNT
    check_changed(index, usable, vectors)


def test_a_graph_that_has_lost_much_is_made_anew(whole: VectorIndex) -> None:
    gone = np.flatnonzero(np.arange(COUNT) % 10 < 3)
    assert len(gone) / COUNT > GONE_SHARE_MAX
    whole.remove(gone)
    usable = ALL.copy()
    usable[gone] = False
    assert recall(whole, usable) > 0.98
    assert built(whole).covered == 2 * (COUNT - len(gone))
    assert recall(whole, usable) > 0.98


def test_an_overview_that_cannot_be_read_is_made_again(whole: VectorIndex, tmp_path: Path) -> None:
    whole.save(tmp_path, fingerprint="test", generation=1)
    name = json.loads((tmp_path / "vectors.json").read_text())["overview"]["graph"]
    with (tmp_path / name).open("r+b") as file:
        file.truncate(1_000)
    loaded = VectorIndex.load(
        tmp_path, dimension=DIMENSION, fingerprint="test", exact_max=EXACT_MAX
    )
    assert loaded is not None
    assert loaded.covered == COUNT
    assert recall(loaded, ALL) > 0.98
    assert built(loaded).covered == 2 * COUNT


def test_a_bank_that_outgrows_it_goes_on_with_the_graphs_of_its_types(whole: VectorIndex) -> None:
    whole.add(np.array([OVERVIEW_MAX]), np.ones(1, np.uint8), VECTORS[:1].astype(np.float16))
    assert not whole.build_step()
    assert whole.covered == COUNT
    assert recall(whole, ALL) > 0.95
    assert set(whole.nearest(VECTORS[0], limit=2)[0].tolist()) == {0, OVERVIEW_MAX}
