"""The vectors in a file, mapped; of a large one only a part stays in memory."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
import numpy.typing as npt

# A file up to this size may be in memory whole.
WHOLE_MAX = 1 << 30

# Reading a row brings in the pages around it, up to 2 MiB of them. Each reading lets go of such a
# share of a larger file, one stretch after the other. At ten million units 13.3 GB are resident
# then instead of 16.8, and a search takes a millisecond longer, for pages that come back.
LET_GO_SHARE = 512

LETS_GO = hasattr(mmap, "MADV_DONTNEED")


class MappedVectors:
    """Vectors in the order of a file.

    The system itself lets go of pages only when memory runs short, and until then a bank of ten
    million would hold all of its vectors, though a search reads a few hundred.
    """

    def __init__(
        self,
        path: Path,
        shape: tuple[int, int],
        *,
        whole_max: int = WHOLE_MAX,
        let_go_share: int = LET_GO_SHARE,
    ) -> None:
        with path.open("rb") as file:
            self._room = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.vectors: npt.NDArray[np.float16] = np.frombuffer(self._room, np.float16).reshape(shape)
        self._whole = len(self._room) <= whole_max
        self._stretch = len(self._room) // let_go_share // mmap.PAGESIZE * mmap.PAGESIZE
        self._next = 0

    def note_reading(self) -> None:
        """Some rows are read: let go of others."""
        if not LETS_GO or self._whole:
            return
        # Two threads that come here at once let go of the same stretch, which harms nobody.
        start, end = self._next, self._next + self._stretch
        self._room.madvise(mmap.MADV_DONTNEED, start, min(end, len(self._room)) - start)
        self._next = end if end < len(self._room) else 0
