import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.store.shared.ranked_rows import best, distinct, reached_by


@given(st.lists(st.integers(0, 50)))
def test_distinct_rows_ascend_and_none_is_lost(rows: list[int]) -> None:
    given_rows = np.array(rows, np.int64)
    assert distinct(given_rows).tolist() == sorted(set(rows))
    assert given_rows.tolist() == rows


@pytest.mark.parametrize("levels", [3, 1_000_000])
@pytest.mark.parametrize("limit", [1, 100, 700, 20_000])
@pytest.mark.parametrize("count", [0, 50, 5_000, 12_345])
def test_the_best_are_those_that_sorting_all_of_them_finds(
    count: int, limit: int, levels: int
) -> None:
    generator = np.random.default_rng(count)
    rows = np.arange(count) * 3
    scores = (generator.integers(0, levels, count) / levels).astype(np.float32)
    order = np.lexsort((rows, -scores))[:limit]
    found, found_scores = best(rows, scores, limit)
    assert found.tolist() == rows[order].tolist()
    assert found_scores.tolist() == scores[order].tolist()


@pytest.mark.parametrize("count", [1, 100, 3_000])
def test_enough_scores_reach_what_was_found_for_them_and_not_many_more(count: int) -> None:
    scores = np.random.default_rng(4).random(50_000).astype(np.float32)
    reaching = int((scores >= np.float32(reached_by(scores, count))).sum())
    assert count <= reaching <= 1.3 * count + 5
