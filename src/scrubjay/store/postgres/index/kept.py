"""What a process keeps of units from one question to the next: facts, vectors and words."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import NO_TIME, EncoderPin
from scrubjay.store.postgres.index.kept_words import KEPT_POSTINGS_MAX, KeptWords
from scrubjay.store.postgres.tables.vector_bytes import HalfArray
from scrubjay.types.arrays import RowArray, VectorArray

TIMES = ("occurred_start", "occurred_end", "valid_from", "valid_to", "closed_at")
FACT = np.dtype(
    [
        ("row", "i4"), ("type", "i2"), ("told_at", "i8"), ("session", "i4"), ("tokens", "i4"),
        ("speaker", "i4"), *((name, "i8") for name in TIMES),
    ]
)  # fmt: skip
NOBODY = -1
# The columns of a row that was erased; no type has this code.
GONE_TYPE = 255
GONE = np.array([(0, GONE_TYPE, NO_TIME, -1, 0, NOBODY, *([NO_TIME] * len(TIMES)))], FACT)[0]

FactArray = npt.NDArray[np.void]
# Which server, how often units of the bank had been changed or erased there, and what made its
# vectors.
Past = tuple[str, int, EncoderPin | None]

# Of so many rows, of all banks together, the facts are kept: 18 MB.
KEPT_ROWS_MAX = 1 << 18
# A bank is given at least so much room, for it grows.
_ROOM_MIN = 1 << 10
# So many bytes of vectors, of all banks together: those of 131,072 units with 384 numbers each.
KEPT_VECTOR_BYTES_MAX = 96 << 20
# Of so many banks it is known where the middle of their vectors lies: 6 MB.
_MIDDLES_MAX = 1 << 12
# A bank that was opened so often is asked on and on.
_OPENED_OFTEN = 16


class KeptFacts:
    """The facts of one bank's units, as they are until one of them is changed or erased.

    Each row has one place, and whoever comes later takes it: a table that a large bank does not
    fit into keeps what was looked at last.
    """

    def __init__(self, next_row: int = 0, room: int = 1) -> None:
        self.room = room
        # Rows before this one that are not there never will be again.
        self._next_row = next_row
        self._table = np.zeros(room, FACT)
        # Nothing is in row 0, by which the other places are known to be empty.
        self._table[0] = GONE
        self._speakers: dict[str, int] = {}
        self._lock = threading.Lock()

    def facts_of(self, rows: RowArray) -> FactArray:
        """Those facts of some rows that are kept, in the order of the rows."""
        with self._lock:
            found = self._table.take(rows & (self.room - 1))
        here = found["row"] == rows
        kept: FactArray = found if np.count_nonzero(here) == len(rows) else found[here]
        return kept

    def keep(self, asked: RowArray, found: FactArray) -> None:
        """Remember the facts of those of some rows that are there, and that the others are not."""
        gone = np.full(len(asked), GONE)
        gone["row"] = asked
        gone = gone[(asked < self._next_row) & ~np.isin(asked, found["row"])]
        with self._lock:
            for facts in (found, gone):
                self._table[facts["row"] & (self.room - 1)] = facts

    def speakers(self, said: Sequence[str | None]) -> list[int]:
        """The numbers of those who said something; NOBODY where that is not known."""
        with self._lock:
            known = self._speakers
            return [NOBODY if s is None else known.setdefault(s, len(known)) for s in said]

    @property
    def crowded(self) -> bool:
        """Whether more spoke than there are places, of whose words most are forgotten again."""
        return len(self._speakers) > self.room

    @property
    def names(self) -> Sequence[str]:
        """Who has which number."""
        with self._lock:
            return list(self._speakers)


class KeptVectors:
    """The vectors of one bank's units, by row; memory is taken up as they come."""

    def __init__(self, room: int = 0, dimension: int = 0) -> None:
        self._there = np.zeros(room, np.bool_)
        self._halves: HalfArray = np.empty((room, dimension), np.float16)
        self._lock = threading.Lock()

    @property
    def room(self) -> int:
        """How many rows there is room for; 0: none are kept."""
        return len(self._there)

    @property
    def size(self) -> int:
        """How many bytes all would take."""
        return self._halves.nbytes

    def of(self, rows: RowArray) -> tuple[RowArray, HalfArray]:
        """Those of some rows whose vectors are kept, and these."""
        inside = rows[rows < self.room]
        with self._lock:
            known = inside[self._there[inside]]
            return known, self._halves.take(known, axis=0)

    def keep(self, rows: RowArray, halves: HalfArray) -> None:
        """Remember the vectors of some rows."""
        new = rows < self.room
        with self._lock:
            new[new] = ~self._there[rows[new]]
            if np.count_nonzero(new):
                self._halves[rows[new]] = halves[new]
                self._there[rows[new]] = True


@dataclass(slots=True)
class Kept:
    """What is kept of a bank that has not been changed since."""

    past: Past
    facts: KeptFacts
    vectors: KeptVectors
    words: KeptWords
    opened: int = 0

    @classmethod
    def nothing(cls) -> Kept:
        """What is kept where nothing may be."""
        return cls(("", 0, None), KeptFacts(), KeptVectors(), KeptWords())

    @property
    def of_vectors(self) -> bool:
        """Whether vectors are worth their way here, for others will ask for them again."""
        return self.opened > _OPENED_OFTEN and self.vectors.room > 0


class KeptBanks:
    """What is kept of the banks that were asked last."""

    def __init__(
        self,
        rows_max: int = KEPT_ROWS_MAX,
        vector_bytes_max: int = KEPT_VECTOR_BYTES_MAX,
        postings_max: int = KEPT_POSTINGS_MAX,
    ) -> None:
        self._rows_max = rows_max
        self._vector_bytes_max = vector_bytes_max
        self._postings_max = postings_max
        self._banks: OrderedDict[int, Kept] = OrderedDict()
        self._middles: OrderedDict[int, tuple[tuple[Past, int], VectorArray]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, bank: int, past: Past, next_row: int) -> Kept:
        """What is kept of a bank with that past, the next unit of which gets that row."""
        room = max(_ROOM_MIN, 1 << next_row.bit_length())
        with self._lock:
            kept = self._banks.get(bank)
            small = kept is None or kept.facts.room < min(room, self._rows_max)
            if kept is None or small or kept.past != past or kept.facts.crowded:
                kept = self._banks[bank] = self._new(past, next_row, room)
            kept.opened += 1
            self._banks.move_to_end(bank)
            while self._too_much():
                self._banks.popitem(last=False)
        return kept

    def middle(
        self, bank: int, made_of: tuple[Past, int], make: Callable[[], VectorArray | None]
    ) -> VectorArray | None:
        """The middle of a bank's vectors, made anew when what it is made of has changed."""
        with self._lock:
            known = self._middles.get(bank)
        if known is not None and known[0] == made_of:
            return known[1]
        made = make()
        with self._lock:
            self._middles.pop(bank, None)
            if made is not None:
                self._middles[bank] = made_of, made
            while len(self._middles) > _MIDDLES_MAX:
                self._middles.popitem(last=False)
        return made

    def forget(self, bank: int) -> None:
        """Keep nothing of a bank any more: it was deleted."""
        with self._lock:
            self._banks.pop(bank, None)
            self._middles.pop(bank, None)

    def _new(self, past: Past, next_row: int, room: int) -> Kept:
        dimension = 0 if past[2] is None else past[2].dimension
        # Of a larger bank most would come in vain.
        fits = 2 * dimension * room <= self._vector_bytes_max
        vectors = KeptVectors(room, dimension) if dimension and fits else KeptVectors()
        facts = KeptFacts(next_row, min(room, self._rows_max))
        return Kept(past, facts, vectors, KeptWords(self._postings_max))

    def _too_much(self) -> bool:
        banks = self._banks.values()
        return (
            sum(kept.facts.room for kept in banks) > self._rows_max
            or sum(kept.vectors.size for kept in banks) > self._vector_bytes_max
            or sum(kept.words.size for kept in banks) > self._postings_max
        )
