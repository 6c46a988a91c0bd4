"""A graph grows with like vectors together, and its slots are renumbered without a trace."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.store.embedded.index.vectors.vector_sets import topical

from scrubjay.store.base import EncoderPin
from scrubjay.store.embedded.index.indexes import Indexes
from scrubjay.store.embedded.index.vectors.growth import alike_together
from scrubjay.store.embedded.index.vectors.vector_index import VectorIndex
from scrubjay.types.arrays import VectorArray


def grown(vectors: VectorArray, *, exact_max: int) -> VectorIndex:
    index = VectorIndex(vectors.shape[1], exact_max=exact_max)
    index.add(np.arange(len(vectors)), np.zeros(len(vectors), np.uint8), vectors.astype(np.float16))
    while index.build_step():
        pass
    return index


def test_like_vectors_follow_each_other_and_none_is_lost() -> None:
    vectors = topical(4_000)
    order = alike_together(vectors.astype(np.float16))
    assert sorted(order.tolist()) == list(range(4_000))
    along = (vectors[order][1:] * vectors[order][:-1]).sum(axis=1).mean()
    by_chance = (vectors[1:] * vectors[:-1]).sum(axis=1).mean()
    assert along > by_chance + 0.3


def test_a_few_vectors_keep_their_order() -> None:
    assert alike_together(topical(100).astype(np.float16)).tolist() == list(range(100))


def test_every_row_keeps_its_vector_while_its_graph_is_extended() -> None:
    vectors = topical(3_000)
    index = grown(vectors[:1_500], exact_max=500)
    index.add(
        np.arange(1_500, 3_000), np.zeros(1_500, np.uint8), vectors[1_500:].astype(np.float16)
    )
    index.remove(np.arange(0, 3_000, 7))
    while index.build_step():
        pass
    left = np.array([row for row in range(3_000) if row % 7])
    assert index.covered >= len(left)
    for row in left[::97].tolist():
        rows, scores = index.nearest(vectors[row], limit=1)
        assert rows.tolist() == [row]
        assert scores[0] > 0.99
    query = vectors[1]
    np.testing.assert_allclose(index.similarity(query, left), vectors[left] @ query, atol=2e-3)


def test_files_are_written_again_when_the_graphs_have_grown_by_half(tmp_path: Path) -> None:
    vectors, pin = topical(2_000), EncoderPin("test", 24)
    indexes = Indexes(pin)
    indexes.vectors = grown(vectors[:1_000], exact_max=100)
    assert indexes.worth_saving()
    assert indexes.outgrew_files()
    indexes.save(tmp_path)
    assert not indexes.worth_saving()
    assert not indexes.outgrew_files()
    for start, worth in ((1_000, False), (1_250, True)):
        rows = np.arange(start, start + 250)
        indexes.vectors.add(rows, np.zeros(250, np.uint8), vectors[rows].astype(np.float16))
        while indexes.vectors.build_step():
            pass
        assert indexes.worth_saving() is worth
        assert indexes.outgrew_files() is worth


def test_files_without_graphs_are_written_when_the_work_is_done_and_not_before() -> None:
    indexes = Indexes(EncoderPin("test", 24))
    assert indexes.worth_saving()
    assert not indexes.outgrew_files()


def test_the_type_with_the_most_to_scan_gets_its_graph_first() -> None:
    vectors, index = topical(3_000), VectorIndex(24, exact_max=100)
    types = np.array([0] * 1_000 + [1] * 2_000, np.uint8)
    index.add(np.arange(3_000), types, vectors.astype(np.float16))
    while index.covered == 0:
        index.build_step()
    assert index.covered == 2_000
