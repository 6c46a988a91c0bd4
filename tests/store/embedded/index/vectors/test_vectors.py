"""The vector index gives what comparing with every vector would give."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.store.embedded.index.vectors.codings import OwnSteps
from scrubjay.store.embedded.index.vectors.exact_scan import HalfVectors
from scrubjay.store.embedded.index.vectors.hnsw import Graph, GraphGrowth
from scrubjay.store.embedded.index.vectors.vector_index import VectorIndex
from scrubjay.store.shared.kernels import NativeKernel, NumpyKernel
from scrubjay.testing import HashingEncoder
from scrubjay.types.arrays import MaskArray, RowArray, VectorArray

HalfArray = npt.NDArray[np.float16]
TypeArray = npt.NDArray[np.uint8]


def clustered(count: int, dimension: int, *, seed: int = 0, clusters: int = 20) -> VectorArray:
    """Unit vectors in clusters, as texts on a few subjects are."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((clusters, dimension))
    noise = 0.6 * random.standard_normal((count, dimension))
    return unit(centres[random.integers(clusters, size=count)] + noise)


def unit(vectors: npt.NDArray[np.float64]) -> VectorArray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def types_of(count: int, kinds: int) -> TypeArray:
    return (np.arange(count) % kinds).astype(np.uint8)


def brute_force(
    query: VectorArray, halves: HalfArray, limit: int, usable: MaskArray, floor: float = -1.0
) -> tuple[RowArray, VectorArray]:
    scores = halves.astype(np.float64) @ query.astype(np.float64)
    rows = np.flatnonzero(usable & (scores >= floor))
    order = rows[np.lexsort((rows, -scores[rows]))[:limit]]
    return order, scores[order].astype(np.float32)


def assert_same(
    found: tuple[RowArray, VectorArray],
    query: VectorArray,
    halves: HalfArray,
    wanted: tuple[RowArray, VectorArray],
) -> None:
    """Equal scores place by place, and each row has its score; near ties may change places."""
    rows, scores = found
    assert len(rows) == len(wanted[0])
    np.testing.assert_allclose(scores, wanted[1], atol=2e-6)
    np.testing.assert_allclose(scores, halves[rows].astype(np.float32) @ query, atol=2e-6)
    assert len(set(rows.tolist())) == len(rows)
    assert (np.diff(scores) <= 0).all()


def built(index: VectorIndex) -> VectorIndex:
    while index.build_step():
        pass
    return index


def recall(index: VectorIndex, queries: VectorArray, halves: HalfArray, usable: MaskArray) -> float:
    shares = []
    for query in queries:
        wanted = set(brute_force(query, halves, 10, usable)[0].tolist())
        found = index.nearest(query, limit=10, allowed=usable)[0]
        shares.append(len(wanted & set(found.tolist())) / len(wanted))
    return float(np.mean(shares))


@settings(max_examples=60, deadline=None)
@given(
    count=st.integers(1, 1500),
    dimension=st.sampled_from([8, 16, 33, 64, 100, 384]),
    limit=st.sampled_from([1, 3, 10, 100, 2000]),
    kinds=st.integers(1, 5),
    share=st.sampled_from([None, 0.0, 0.02, 0.4, 1.0]),
    floor=st.sampled_from([-1.0, 0.0, 0.3]),
    native=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_nearest_equals_comparing_with_every_vector(
    count: int,
    dimension: int,
    limit: int,
    kinds: int,
    share: float | None,
    floor: float,
    native: bool,
    seed: int,
) -> None:
    random = np.random.default_rng(seed)
    halves = clustered(count, dimension, seed=seed).astype(np.float16)
    types = random.integers(kinds, size=count).astype(np.uint8)
    index = VectorIndex(dimension, native=native)
    index.add(np.arange(count), types, halves)
    allowed = None if share is None else random.random(count) < share
    wanted_types = sorted({0, kinds - 1})
    usable = np.isin(types, wanted_types)
    if allowed is not None:
        usable &= allowed
    query = clustered(1, dimension, seed=seed + 1)[0]
    found = index.nearest(query, limit=limit, types=wanted_types, allowed=allowed, floor=floor)
    assert_same(found, query, halves, brute_force(query, halves, limit, usable, floor))


@pytest.mark.parametrize("dimension", [8, 64, 384])
def test_a_large_scan_misses_nothing(dimension: int) -> None:
    halves = clustered(20_000, dimension).astype(np.float16)
    index = VectorIndex(dimension)
    index.add(np.arange(len(halves)), types_of(len(halves), 1), halves)
    everything = np.ones(len(halves), np.bool_)
    for query in clustered(20, dimension, seed=1):
        found = index.nearest(query, limit=50)
        assert_same(found, query, halves, brute_force(query, halves, 50, everything))


def test_vectors_of_a_few_large_components_are_ranked_exactly() -> None:
    random = np.random.default_rng(5)
    counts = np.zeros((5_000, 256))
    for row in counts:
        np.add.at(row, random.zipf(1.3, size=random.integers(1, 30)) % 256, 1)
    halves = unit(counts).astype(np.float16)
    index = VectorIndex(256)
    index.add(np.arange(len(halves)), types_of(len(halves), 1), halves)
    everything = np.ones(len(halves), np.bool_)
    for query in unit(counts[:50]):
        wanted = brute_force(query, halves, 10, everything)
        assert_same(index.nearest(query, limit=10), query, halves, wanted)


def test_a_vector_of_zeros_is_similar_to_nothing() -> None:
    index = VectorIndex(8)
    index.add(np.array([4]), types_of(1, 1), np.zeros((1, 8), np.float16))
    rows, scores = index.nearest(clustered(1, 8)[0], limit=3)
    assert (rows.tolist(), scores.tolist()) == ([4], [0.0])


@pytest.mark.parametrize("native", [True, False])
def test_equal_vectors_come_in_the_order_of_their_rows(native: bool) -> None:
    same = np.repeat(clustered(1, 384), 3_000, axis=0).astype(np.float16)
    index = VectorIndex(384, native=native)
    index.add(np.arange(len(same)), types_of(len(same), 3), same)
    rows, scores = index.nearest(same[0].astype(np.float32), limit=40)
    assert rows.tolist() == list(range(40))
    assert len(set(scores.tolist())) == 1


def test_heaps_of_equal_vectors_are_cut_to_the_earliest() -> None:
    same = np.repeat(clustered(1, 384), 9_000, axis=0).astype(np.float16)
    index = VectorIndex(384)
    index.add(np.arange(len(same)), types_of(len(same), 1), same)
    assert index.nearest(same[0].astype(np.float32), limit=5)[0].tolist() == [0, 1, 2, 3, 4]


def test_nearest_of_nothing_is_empty() -> None:
    index = VectorIndex(8)
    query = clustered(1, 8)[0]
    assert len(index.nearest(query, limit=5)[0]) == 0
    assert index.nearest_many(clustered(2, 8), limit=5, floor=0.0)[1][0].tolist() == []
    assert index.nearest_many(np.empty((0, 8), np.float32), limit=5, floor=0.0) == []
    index.add(np.array([0]), types_of(1, 1), query[None].astype(np.float16))
    assert len(index.nearest(query, limit=0)[0]) == 0
    assert len(index.nearest(query, limit=0, types=[0])[0]) == 0
    assert len(index.nearest(query, limit=5, types=[7])[0]) == 0
    assert len(index.nearest(query, limit=5, allowed=np.empty(0, np.bool_))[0]) == 0


@pytest.mark.parametrize("native", [True, False])
def test_asking_for_many_equals_asking_one_by_one(native: bool) -> None:
    halves = clustered(3_000, 48).astype(np.float16)
    index = VectorIndex(48, native=native)
    index.add(np.arange(len(halves)), types_of(len(halves), 4), halves)
    queries = clustered(70, 48, seed=1)
    together = index.nearest_many(queries, limit=7, floor=0.4)
    assert len(together) == 70
    for query, found in zip(queries, together, strict=True):
        alone = index.nearest(query, limit=7, floor=0.4)
        assert found[0].tolist() == alone[0].tolist()
        assert found[1].tolist() == alone[1].tolist()


def test_the_numpy_kernel_agrees_with_the_native_one() -> None:
    halves = clustered(4_000, 384).astype(np.float16)
    found = []
    for native in (True, False):
        index = VectorIndex(384, native=native)
        index.add(np.arange(len(halves)), types_of(len(halves), 2), halves)
        found.append([index.nearest(query, limit=30) for query in clustered(10, 384, seed=1)])
    for fast, plain in zip(*found, strict=True):
        assert fast[0].tolist() == plain[0].tolist()
        np.testing.assert_allclose(fast[1], plain[1], atol=2e-6)


def test_adding_one_by_one_equals_adding_at_once() -> None:
    halves = clustered(700, 24).astype(np.float16)
    types = types_of(700, 3)
    slow, fast = VectorIndex(24), VectorIndex(24)
    fast.add(np.arange(700), types, halves)
    for row in range(700):
        slow.add(np.array([row]), types[row : row + 1], halves[row : row + 1])
        assert row in slow.rows()
        assert (len(slow), slow.watermark) == (row + 1, row)
    for query in clustered(10, 24, seed=1):
        assert (
            slow.nearest(query, limit=20)[0].tolist() == fast.nearest(query, limit=20)[0].tolist()
        )


def test_rows_may_have_gaps_and_come_out_of_order() -> None:
    halves = clustered(4, 16).astype(np.float16)
    index = VectorIndex(16)
    index.add(np.array([900, 17]), types_of(2, 1), halves[:2])
    index.add(np.array([40, 1200]), types_of(2, 2), halves[2:])
    assert (len(index), index.watermark) == (4, 1200)
    assert index.rows().tolist() == [17, 40, 900, 1200]
    for row, vector in zip([900, 17, 40, 1200], halves, strict=True):
        assert index.nearest(vector.astype(np.float32), limit=1)[0].tolist() == [row]


def test_a_repeated_row_in_one_addition_is_refused() -> None:
    halves = clustered(2, 16).astype(np.float16)
    with pytest.raises(AssertionError, match="repeat"):
        VectorIndex(16).add(np.array([3, 3]), types_of(2, 1), halves)


@pytest.mark.parametrize("native", [True, False])
def test_removed_rows_are_gone_and_the_rest_stays_exact(native: bool) -> None:
    halves = clustered(2_000, 32).astype(np.float16)
    index = VectorIndex(32, native=native)
    index.add(np.arange(2_000), types_of(2_000, 2), halves)
    usable = np.ones(2_000, np.bool_)
    random = np.random.default_rng(1)
    query = clustered(1, 32, seed=2)[0]
    # The last rounds pass the share of dead slots at which a partition is compacted.
    for _ in range(12):
        gone = random.choice(2_000, 150)
        usable[gone] = False
        index.remove(gone)
        index.remove(np.array([-5, 5_000, int(gone[0])]))
        assert len(index) == np.count_nonzero(usable)
        assert int(gone[0]) not in index.rows()
        assert_same(
            index.nearest(query, limit=25), query, halves, brute_force(query, halves, 25, usable)
        )
        kept = np.flatnonzero(usable)
        scores = index.similarity(query, kept)
        np.testing.assert_allclose(scores, halves[kept].astype(np.float32) @ query, atol=2e-6)


def test_an_index_emptied_by_removal_can_be_filled_again() -> None:
    halves = clustered(10, 16).astype(np.float16)
    index = VectorIndex(16)
    index.add(np.arange(10), types_of(10, 2), halves)
    index.remove(np.arange(10))
    assert (len(index), index.watermark) == (0, 9)
    index.add(np.array([3]), types_of(1, 1), halves[:1])
    assert index.nearest(halves[0].astype(np.float32), limit=5)[0].tolist() == [3]


def test_adding_a_known_row_replaces_its_vector() -> None:
    halves = clustered(3, 16, clusters=3).astype(np.float16)
    index = VectorIndex(16)
    index.add(np.arange(2), types_of(2, 1), halves[:2])
    index.add(np.array([0]), np.array([4], np.uint8), halves[2:])
    assert len(index) == 2
    assert index.similarity(halves[2].astype(np.float32), np.array([0]))[0] > 0.99
    assert index.nearest(halves[2].astype(np.float32), limit=9, types=[4])[0].tolist() == [0]
    assert index.nearest(halves[2].astype(np.float32), limit=9, types=[0])[0].tolist() == [1]


def test_similarity_is_minus_one_without_a_vector() -> None:
    halves = clustered(5, 16).astype(np.float16)
    index = VectorIndex(16)
    query = halves[1].astype(np.float32)
    assert index.similarity(query, np.array([0, 3])).tolist() == [-1.0, -1.0]
    index.add(np.arange(5), types_of(5, 2), halves)
    index.remove(np.array([2]))
    scores = index.similarity(query, np.array([4, -1, 1, 99, 2, 0]))
    assert scores[[1, 3, 4]].tolist() == [-1.0, -1.0, -1.0]
    wanted = halves[[4, 1, 0]].astype(np.float32) @ query
    np.testing.assert_allclose(scores[[0, 2, 5]], wanted, atol=2e-6)


def test_a_mask_shorter_than_the_rows_allows_none_behind_it() -> None:
    halves = clustered(50, 16).astype(np.float16)
    index = VectorIndex(16)
    index.add(np.arange(50), types_of(50, 1), halves)
    rows, _ = index.nearest(halves[40].astype(np.float32), limit=50, allowed=np.ones(20, np.bool_))
    assert sorted(rows.tolist()) == list(range(20))


def test_a_graph_finds_what_a_scan_finds() -> None:
    halves = clustered(4_000, 64).astype(np.float16)
    index = VectorIndex(64, exact_max=1_000)
    index.add(np.arange(4_000), types_of(4_000, 2), halves)
    queries = clustered(40, 64, seed=0)
    everything = np.ones(4_000, np.bool_)
    assert index.build_step(10)
    assert recall(index, queries, halves, everything) == 1.0  # scanned until the graph is whole
    built(index)
    assert not index.build_step()
    shares = [
        len(
            set(index.nearest(query, limit=10)[0].tolist())
            & set(brute_force(query, halves, 10, everything)[0].tolist())
        )
        for query in queries
    ]
    assert np.mean(shares) >= 9.5
    many = index.nearest_many(queries, limit=10, floor=-1.0)
    assert many[3][0].tolist() == index.nearest(queries[3], limit=10)[0].tolist()


@pytest.mark.parametrize("share", [0.01, 0.3, 0.9])
def test_a_graph_obeys_a_mask(share: float) -> None:
    halves = clustered(3_000, 32).astype(np.float16)
    index = VectorIndex(32, exact_max=1_000)
    index.add(np.arange(3_000), types_of(3_000, 1), halves)
    built(index)
    usable = np.random.default_rng(3).random(3_000) < share
    queries = clustered(20, 32, seed=0)
    assert recall(index, queries, halves, usable) >= 0.95
    for query in queries:
        assert usable[index.nearest(query, limit=10, allowed=usable)[0]].all()


def test_a_graph_fetches_more_until_enough_are_usable() -> None:
    vectors = clustered(6_000, 16, clusters=60).astype(np.float16)
    growth = GraphGrowth(16, OwnSteps())
    growth.add(vectors)
    graph = growth.finish()
    codes = graph.coding.encode(vectors)
    usable = np.random.default_rng(3).random(6_000) < 0.5
    found = graph.nearest_usable(codes[7], 20, lambda slots: usable[slots])
    assert found is not None
    assert len(found) == 20
    assert usable[found].all()
    nothing = np.zeros(6_000, np.bool_)
    assert graph.nearest_usable(codes[7], 20, lambda slots: nothing[slots]) is None


def test_rows_added_and_removed_beside_a_growing_graph_are_seen() -> None:
    halves = clustered(3_000, 32).astype(np.float16)
    index = VectorIndex(32, exact_max=500)
    usable = np.zeros(3_000, np.bool_)
    for start in range(0, 3_000, 200):
        rows = np.arange(start, start + 200)
        index.add(rows, types_of(200, 1), halves[rows])
        index.remove(rows[:20])
        usable[rows[20:]] = True
        index.build_step(150)
        query = halves[start + 100].astype(np.float32)
        assert index.nearest(query, limit=1)[0].tolist() == [start + 100]
        assert len(index) == np.count_nonzero(usable)
    built(index)
    queries = clustered(20, 32, seed=0)
    assert recall(index, queries, halves, usable) >= 0.95
    scores = index.similarity(queries[0], np.arange(3_000))
    wanted = np.where(usable, halves.astype(np.float32) @ queries[0], -1.0)
    np.testing.assert_allclose(scores, wanted, atol=2e-6)


def test_a_graph_with_many_dead_is_built_anew() -> None:
    halves = clustered(3_000, 32).astype(np.float16)
    index = VectorIndex(32, exact_max=500)
    index.add(np.arange(3_000), types_of(3_000, 1), halves)
    built(index)
    usable = np.arange(3_000) % 3 > 0
    index.remove(np.flatnonzero(~usable))
    queries = clustered(20, 32, seed=0)
    assert recall(index, queries, halves, usable) >= 0.95
    assert index.build_step(100)
    index.remove(np.array([1]))
    usable[1] = False
    built(index)
    assert not index.build_step()
    assert recall(index, queries, halves, usable) >= 0.95
    kept = np.flatnonzero(usable)
    wanted = halves[kept].astype(np.float32) @ queries[0]
    np.testing.assert_allclose(index.similarity(queries[0], kept), wanted, atol=2e-6)


def test_a_graph_begun_before_its_partition_was_compacted_is_thrown_away() -> None:
    halves = clustered(2_000, 16).astype(np.float16)
    index = VectorIndex(16, exact_max=500)
    index.add(np.arange(2_000), types_of(2_000, 1), halves)
    assert index.build_step(1_900)
    index.remove(np.arange(1_000))
    built(index)
    usable = np.arange(2_000) >= 1_000
    assert recall(index, clustered(20, 16, seed=0), halves, usable) >= 0.95


def test_without_native_parts_no_graph_is_due() -> None:
    index = VectorIndex(8, exact_max=10, native=False)
    index.add(np.arange(50), types_of(50, 1), clustered(50, 8).astype(np.float16))
    assert not index.build_step()


def saved_index(directory: Path, *, seed: int = 0) -> tuple[VectorIndex, HalfArray]:
    halves = clustered(1_500, 32, seed=seed).astype(np.float16)
    types = np.where(np.arange(1_500) < 1_200, 0, 3).astype(np.uint8)
    index = VectorIndex(32, exact_max=500)
    index.add(np.arange(1_000), types[:1_000], halves[:1_000])
    built(index)
    index.add(np.arange(1_000, 1_500), types[1_000:], halves[1_000:])
    index.remove(np.array([10, 1_100, 1_400]))
    index.save(directory, fingerprint="test@1", generation=41)
    return index, halves


def test_a_loaded_index_answers_as_the_saved_one(tmp_path: Path) -> None:
    index, _ = saved_index(tmp_path)
    loaded = VectorIndex.load(tmp_path, dimension=32, fingerprint="test@1", exact_max=500)
    assert loaded is not None
    assert (len(loaded), loaded.watermark, loaded.generation) == (1_497, 1_499, 41)
    assert 10 not in loaded.rows()
    for query in clustered(20, 32, seed=0):
        rows, scores = index.nearest(query, limit=20)
        assert loaded.nearest(query, limit=20)[0].tolist() == rows.tolist()
        assert loaded.nearest(query, limit=20)[1].tolist() == scores.tolist()


def test_a_loaded_index_can_be_changed_and_saved_again(tmp_path: Path) -> None:
    _, halves = saved_index(tmp_path)
    loaded = VectorIndex.load(tmp_path, dimension=32, fingerprint="test@1", exact_max=500)
    assert loaded is not None
    more = clustered(900, 32, seed=8).astype(np.float16)
    loaded.add(np.arange(1_500, 2_400), types_of(900, 1), more)
    loaded.remove(np.array([0, 2_000]))
    built(loaded)
    loaded.save(tmp_path, fingerprint="test@1", generation=42)
    again = VectorIndex.load(tmp_path, dimension=32, fingerprint="test@1", exact_max=500)
    assert again is not None
    assert (len(again), again.generation) == (2_395, 42)
    usable = np.ones(2_400, np.bool_)
    usable[[0, 10, 1_100, 1_400, 2_000]] = False
    every = np.concatenate((halves, more))
    assert recall(again, clustered(20, 32, seed=8), every, usable) >= 0.95
    # Only the files of the last save are left.
    assert len(list(tmp_path.iterdir())) == 1 + 4 + 2 + 2


def test_a_saved_index_keeps_taking_changes(tmp_path: Path) -> None:
    index, halves = saved_index(tmp_path)
    more = clustered(700, 32, seed=8).astype(np.float16)
    index.add(np.arange(1_500, 2_200), types_of(700, 1), more)
    built(index)
    usable = np.ones(2_200, np.bool_)
    usable[[10, 1_100, 1_400]] = False
    every = np.concatenate((halves, more))
    assert recall(index, clustered(20, 32, seed=8), every, usable) >= 0.95


def test_an_index_loads_without_native_parts(tmp_path: Path) -> None:
    _, halves = saved_index(tmp_path)
    plain = VectorIndex.load(tmp_path, dimension=32, fingerprint="test@1", native=False)
    assert plain is not None
    usable = np.ones(1_500, np.bool_)
    usable[[10, 1_100, 1_400]] = False
    assert recall(plain, clustered(10, 32, seed=0), halves, usable) == 1.0


def test_another_encoder_or_dimension_loads_nothing(tmp_path: Path) -> None:
    saved_index(tmp_path)
    assert VectorIndex.load(tmp_path, dimension=32, fingerprint="test@2") is None
    assert VectorIndex.load(tmp_path, dimension=64, fingerprint="test@1") is None
    assert VectorIndex.load(tmp_path / "nowhere", dimension=32, fingerprint="test@1") is None


def test_a_truncated_or_missing_file_loads_nothing(tmp_path: Path) -> None:
    saved_index(tmp_path)
    for path in [*tmp_path.glob("0*"), tmp_path / "vectors.json"]:
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        assert VectorIndex.load(tmp_path, dimension=32, fingerprint="test@1") is None, path
        path.unlink()
        assert VectorIndex.load(tmp_path, dimension=32, fingerprint="test@1") is None, path
        path.write_bytes(whole)
    assert VectorIndex.load(tmp_path, dimension=32, fingerprint="test@1") is not None


def test_a_garbled_graph_or_row_file_loads_nothing(tmp_path: Path) -> None:
    saved_index(tmp_path)
    for path in [*tmp_path.glob("*.graph"), *tmp_path.glob("*.rows")]:
        whole = path.read_bytes()
        path.write_bytes(b"\xff" * len(whole))
        assert VectorIndex.load(tmp_path, dimension=32, fingerprint="test@1") is None, path
        path.write_bytes(whole)


def test_files_of_an_unfinished_save_do_not_matter(tmp_path: Path) -> None:
    saved_index(tmp_path)
    (tmp_path / "000-2.halves.tmp").write_bytes(b"half")
    (tmp_path / "000-2.rows").write_bytes(b"written, but never named")
    loaded = VectorIndex.load(tmp_path, dimension=32, fingerprint="test@1", exact_max=500)
    assert loaded is not None
    loaded.save(tmp_path, fingerprint="test@1", generation=1)
    assert len(list(tmp_path.iterdir())) == 1 + 4 + 2 + 2
    assert VectorIndex.load(tmp_path, dimension=32, fingerprint="test@1") is not None


def test_a_graph_of_another_shape_is_not_mapped(tmp_path: Path) -> None:
    growth, coding = GraphGrowth(16, OwnSteps()), OwnSteps()
    growth.add(clustered(30, 16).astype(np.float16))
    growth.finish().save(tmp_path / "graph")
    assert Graph.view(tmp_path / "graph", 16, 30, coding, in_memory=True).count == 30
    with pytest.raises(ValueError, match="another graph"):
        Graph.view(tmp_path / "graph", 16, 31, coding, in_memory=True)
    (tmp_path / "junk").write_bytes(b"junk" * 100)
    with pytest.raises(ValueError, match="not a graph"):
        Graph.view(tmp_path / "junk", 16, 30, coding, in_memory=True)


def test_pieces_of_vectors_are_taken_in_the_order_asked() -> None:
    vectors = clustered(30, 8).astype(np.float16)
    halves = HalfVectors((vectors[:20].copy(),), (0,)).split(12, 20).append(20, vectors[20:])
    assert len(halves.pieces) == 2
    slots = np.array([29, 0, 12, 11, 19, 0])
    assert (halves.take(slots) == vectors[slots]).all()


@pytest.mark.parametrize("kernel", [NativeKernel(), NumpyKernel()])
def test_codes_are_as_close_to_the_vectors_as_they_claim(
    kernel: NativeKernel | NumpyKernel,
) -> None:
    vectors = clustered(500, 48)
    codes, steps = kernel.encode(vectors)
    estimates = (codes * steps[:, None]) @ (codes[0] * steps[0])
    error = np.abs(estimates - vectors @ vectors[0])
    assert (error <= [kernel.error(float(step), float(steps[0])) for step in steps]).all()


def test_codes_of_word_counts_are_as_close_to_the_vectors_as_they_claim() -> None:
    # The largest number of one is 17 times the smallest, so that odd multiples are rounded down.
    vectors = HashingEncoder().encode_documents([
        "Jordan Paris is the sister of Ana Lund about the harvest. Ana met Ana until last Friday. "
        "Line 525.",
        "Ana: Jonas Vik is married to Jordan Paris instead of Ben. Ana is now called Ana about the "
        "harvest. Line 192.",
    ])  # fmt: skip
    kernel = NativeKernel()
    codes, steps = kernel.encode(vectors)
    estimate = float((codes[0] * steps[0]) @ (codes[1] * steps[1]))
    cosine = float(vectors[0] @ vectors[1])
    assert abs(estimate - cosine) <= kernel.error(float(steps[0]), float(steps[1]))


def searched_rightly(
    index: VectorIndex, halves: HalfArray, queries: VectorArray, removed: set[int]
) -> bool:
    """Whether searches leave out what is removed already and score what they return."""
    for query in queries:
        gone = set(removed)
        rows, scores = index.nearest(query, limit=20)
        wanted = halves[rows].astype(np.float32) @ query
        again = index.similarity(query, rows)
        right = (
            len(rows) == 20
            and not gone & set(rows.tolist())
            and np.allclose(scores, wanted, atol=2e-6)
            and (np.isclose(again, wanted, atol=2e-6) | (again == -1.0)).all()
        )
        if not right:
            return False
    return True


def test_searches_beside_a_writer_never_fail_nor_return_what_was_removed() -> None:
    halves = clustered(4_000, 32).astype(np.float16)
    index = VectorIndex(32, exact_max=600)
    index.add(np.arange(1_000), types_of(1_000, 2), halves[:1_000])
    removed: set[int] = set()
    done = threading.Event()

    def search(seed: int) -> bool:
        right = True
        while right and not done.is_set():
            right = searched_rightly(index, halves, clustered(20, 32, seed=seed), removed)
        return right

    def build() -> bool:
        while not done.is_set():
            index.build_step(50)
        return True

    random = np.random.default_rng(0)
    with ThreadPoolExecutor(5) as pool:
        working = [pool.submit(build), *(pool.submit(search, seed) for seed in range(4))]
        try:
            for row in range(1_000, 4_000, 5):
                index.add(np.arange(row, row + 5), types_of(5, 2), halves[row : row + 5])
                gone = random.integers(row, size=2)
                index.remove(gone)
                removed.update(gone.tolist())
        finally:
            done.set()
        assert all(work.result() for work in working)
    assert len(index) == 4_000 - len(removed)
