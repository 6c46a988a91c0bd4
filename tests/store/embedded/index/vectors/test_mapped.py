"""Of a large file of vectors only a part stays in memory, and reading is not harmed by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scrubjay.store.embedded.index.vectors.exact_scan import HalfVectors
from scrubjay.store.embedded.index.vectors.mapped import WHOLE_MAX, MappedVectors

ROWS, DIMENSION = 65_536, 384  # 48 MiB


def resident_mib(path: Path) -> float:
    """How much of a mapped file this process holds, as Linux counts it."""
    total, inside = 0, False
    for line in Path("/proc/self/smaps").read_text(encoding="ascii").splitlines():
        words = line.split()
        if "-" in words[0] and not words[0].endswith(":"):
            inside = words[-1] == str(path)
        elif inside and words[0] == "Rss:":
            total += int(words[1])
    return total / 1024


@pytest.fixture
def path(tmp_path: Path) -> Path:
    vectors = np.arange(ROWS, dtype=np.uint32)[:, None] % 2_000 + np.zeros(DIMENSION, np.float16)
    vectors.astype(np.float16).tofile(tmp_path / "halves")
    return tmp_path / "halves"


def read_everywhere(path: Path, whole_max: int) -> float:
    """Read rows everywhere, check them, and tell how much of the file is in memory then."""
    source = MappedVectors(path, (ROWS, DIMENSION), whole_max=whole_max, let_go_share=4)
    halves, random = HalfVectors((source.vectors,), (0,), source), np.random.default_rng(0)
    halves.take(np.arange(ROWS))
    for _ in range(1_000):
        slots = random.integers(ROWS, size=2)
        taken = halves.take(slots)
        assert (taken == (slots % 2_000).astype(np.float16)[:, None]).all()
    return resident_mib(path)


def test_a_file_that_is_too_large_is_never_in_memory_whole(path: Path) -> None:
    whole = read_everywhere(path, whole_max=WHOLE_MAX)
    assert whole > 40, "a smaller file is left in memory"
    assert read_everywhere(path, whole_max=1 << 20) < whole / 2
