"""Vectors for tests of their index."""

from __future__ import annotations

import numpy as np

from scrubjay.types.arrays import VectorArray


def topical(count: int, dimension: int = 24, *, seed: int = 0) -> VectorArray:
    """Unit vectors around a few topics, in no order."""
    random = np.random.default_rng(seed)
    topics = random.standard_normal((12, dimension))
    drawn = topics[random.integers(12, size=count)] + 0.4 * random.standard_normal(
        (count, dimension)
    )
    vectors: VectorArray = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    return vectors
