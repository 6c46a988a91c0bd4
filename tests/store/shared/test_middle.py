"""Which rows tell where the middle of a bank lies."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from scrubjay.store.shared.middle import middle_of, sampled


def test_a_bank_of_few_rows_has_no_middle() -> None:
    assert not len(sampled(31))
    assert sampled(32).tolist() == [*range(32)]
    assert middle_of(np.empty((0, 4), np.float16)) is None


def test_the_rows_stay_until_a_bank_has_grown_by_a_third() -> None:
    limits = range(32, 5_000)
    changed = [limit for limit in limits if not np.array_equal(sampled(limit), sampled(limit - 1))]
    assert all(later >= earlier * 4 // 3 for earlier, later in pairwise(changed))
    assert len(changed) == 15


def test_a_sample_is_bounded_and_reaches_through_the_bank() -> None:
    for limit in (600, 1_000, 4_096, 10**6, 10**7):
        rows = sampled(limit)
        assert 256 <= len(rows) <= 512
        assert len(set(np.diff(rows).tolist())) == 1
        assert limit / 2 < rows[-1] < limit


def test_the_middle_is_the_mean() -> None:
    halves = np.array([[1, 0], [0, 1], [1, 0], [1, 0]], np.float16)
    middle = middle_of(halves)
    assert middle is not None and middle.tolist() == [0.75, 0.25]
