"""Says how sure a measured number is: bootstrap intervals and a paired permutation test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bench.evaluation.metrics import Scored

RESAMPLES = 2_000
FLIPS = 10_000
COVERED = 0.95
_CHUNK = 500

Interval = tuple[float, float]
Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


def interval_of_questions(scored: Sequence[Scored], metric: str, seed: int = 0) -> Interval:
    """The 95 % interval of the macro mean for other questions to the same banks.

    Questions are drawn anew inside each bank, and the categories' means are averaged again.
    """
    sizes = _bank_sizes(scored)
    random = np.random.default_rng(seed)
    drawn = [
        np.hstack([_draws(random, _CHUNK, size) for size in sizes])
        for _ in range(RESAMPLES // _CHUNK)
    ]
    return _interval(scored, metric, np.vstack(drawn))


def interval_of_banks(scored: Sequence[Scored], metric: str, seed: int = 0) -> Interval | None:
    """The 95 % interval of the macro mean for other banks of the kind; None for a single bank.

    Banks are drawn anew, then questions inside each bank that was drawn.
    """
    sizes = _bank_sizes(scored)
    if len(sizes) == 1:
        return None
    random = np.random.default_rng(seed)
    banks = _draws(random, RESAMPLES, len(sizes))
    drawn = [_repeated(random, banks[:, place], size) for place, size in enumerate(sizes)]
    return _interval(scored, metric, np.hstack(drawn))


def _bank_sizes(scored: Sequence[Scored]) -> list[int]:
    """How many questions each bank has, banks in the order of their names."""
    counted = Counter(one.bank_id for one in scored)
    return [counted[bank] for bank in sorted(counted)]


def _draws(random: np.random.Generator, times: int, size: int) -> Counts:
    """In each row, how often each of `size` things is among `size` draws with replacement."""
    picked = random.integers(0, size, (times, size)) + np.arange(times)[:, None] * size
    return np.bincount(picked.ravel(), minlength=times * size).reshape(times, size)


def _repeated(random: np.random.Generator, repeats: Counts, size: int) -> Counts:
    """The draws of one bank, as many times over in each row as the bank was drawn."""
    total = np.zeros((len(repeats), size), np.int64)
    for already in range(int(repeats.max())):
        rows = np.flatnonzero(repeats > already)
        total[rows] += _draws(random, len(rows), size)
    return total


def _interval(scored: Sequence[Scored], metric: str, counts: Counts) -> Interval:
    ordered = sorted(scored, key=lambda one: one.bank_id)
    values = np.array([one.values[metric] for one in ordered])
    names = sorted({one.category for one in ordered})
    member = np.array([[one.category == name for name in names] for one in ordered], np.float64)
    weights = counts.astype(np.float64)
    asked = weights @ member
    with np.errstate(invalid="ignore"):
        # A category of which nothing was drawn has no mean, and the others speak without it.
        means = np.nanmean((weights @ (member * values[:, None])) / asked, axis=1)
    tail = (1 - COVERED) / 2
    low, high = np.quantile(means, (tail, 1 - tail)).tolist()
    return low, high


def sign_flip_p(differences: Sequence[float], seed: int = 0) -> float:
    """The chance of a mean difference at least this large if A and B were the same system.

    Two-sided: under that hypothesis each question's difference may as well have the other sign.
    """
    values = np.asarray(differences, np.float64)
    values = values[values != 0]
    if not len(values):
        return 1.0
    random = np.random.default_rng(seed)
    observed = abs(values.sum())
    extreme = 0
    for _ in range(FLIPS // _CHUNK):
        signs = random.integers(0, 2, (_CHUNK, len(values))) * 2 - 1
        # Sums of the same numbers in another order differ in the last bits.
        extreme += int((np.abs(signs @ values) >= observed - 1e-9).sum())
    return (extreme + 1) / (FLIPS + 1)
