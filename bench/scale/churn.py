"""Measures many banks of unequal size under the limit of open ones: cold recalls, memory."""

from __future__ import annotations

import contextlib
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from bench import machine
from bench.corpus.clustered import BLOCK_UNITS, NOW, Corpus, MadeUnit
from bench.corpus.clustered_questions import VectorQuestion, questions
from bench.machine import rounded, summary
from bench.scale.encoder import PIN
from bench.scale.process import disk_mib, memory_mib, open_banks
from bench.scale.recalling import Asked, ask
from bench.scale.subject import Subject
from bench.scale.writing import UnitWriter
from scrubjay.memory import Memory
from scrubjay.settings import OPEN_BANKS_MAX, BankSettings
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.types.values import Json

# The largest has a tenth of all units; most have a handful.
_SIZE_EXPONENT, _SIZE_SHIFT = 1.0, 1.0
_QUESTIONS = 200
_LOOK_EVERY = 20
# Rebuilding a bank's indexes takes memory that is given back late, and not all of it.
_BOUND_SLACK = 1.15
_SEED = 5


@dataclass(frozen=True, slots=True)
class Visit:
    """One recall on one bank, and whether the store had to open the bank for it."""

    bank: int
    units: int
    cold: bool
    asked: Asked


def bank_sizes(banks: int, units: int) -> list[int]:
    """Zipf sizes, the largest first, each at least one; together about `units`."""
    weights = (np.arange(banks) + _SIZE_SHIFT) ** -_SIZE_EXPONENT
    sizes = np.maximum(1, np.round(units * weights / weights.sum()))
    return [int(size) for size in sizes]


def build(subject: Subject) -> dict[str, Json]:
    """Every bank that is not there or not whole; a bank that was cut off is made again."""
    began = time.perf_counter(), time.process_time()
    sizes = bank_sizes(subject.banks, subject.units)
    firsts = np.cumsum([0, *sizes]).tolist()
    progress = machine.Progress(f"{subject.banks:,} banks", subject.banks)
    with contextlib.closing(EmbeddedStore(subject.store, clock=lambda: NOW)) as store:
        start = _whole_banks(store, sizes)
        made = Corpus(firsts[-1]).units_from(firsts[start])
        for number in range(start, subject.banks):
            store.delete_bank(bank_name(number))
            _fill(store, bank_name(number), islice(made, sizes[number]), firsts[number])
            progress(number + 1)
    return {
        "banks_built": subject.banks - start,
        "wall_s": rounded(time.perf_counter() - began[0]),
        "cpu_s": rounded(time.process_time() - began[1]),
    }


def _whole_banks(store: EmbeddedStore, sizes: Sequence[int]) -> int:
    """How many banks are finished: all that are there, but for the last if it is not whole."""
    there = len(store.bank_names())
    if not there:
        return 0
    with store.using(bank_name(there - 1)) as bank:
        whole = bank is not None and bank.unit_count() == sizes[there - 1]
    return there if whole else there - 1


def _fill(store: EmbeddedStore, name: str, units: Iterator[MadeUnit], first: int) -> None:
    store.create_bank(name, BankSettings())
    with store.using(name) as bank:
        assert bank is not None, "it was just made"
        bank.pin_encoder(PIN)
        writer = UnitWriter(bank, first=first)
        while batch := list(islice(units, BLOCK_UNITS)):
            writer.write(batch)


def bank_name(number: int) -> str:
    """The name of a bank by its rank in size."""
    return f"bank-{number:06d}"


def measure(subject: Subject) -> dict[str, Json]:
    """The largest banks first, all open at once; then banks at random, each asked once."""
    sizes = bank_sizes(subject.banks, subject.units)
    asked = questions(subject.corpus, _QUESTIONS)
    source = np.random.default_rng(_SEED)
    with subject.open(asked) as memory:
        largest = list(range(min(OPEN_BANKS_MAX, len(sizes))))
        opened = _Opened()
        list(_visits(memory, largest, sizes, asked, subject, opened))
        bound, seen, most_open = memory_mib(), list[float](), open_banks()
        wanted = source.integers(0, len(sizes), subject.questions).tolist()
        visits: list[Visit] = []
        for visit in _visits(memory, wanted, sizes, asked, subject, opened):
            visits.append(visit)
            if len(visits) % _LOOK_EVERY == 0:
                seen.append(memory_mib().get("resident_mib", 0.0))
                most_open = max(most_open, open_banks())
    return {
        "banks": len(sizes),
        "units": sum(sizes),
        "largest_bank": sizes[0],
        "median_bank": sizes[len(sizes) // 2],
        "open_banks_max": OPEN_BANKS_MAX,
        "open_banks_seen": most_open,
        "resident_largest_open": dict(bound),
        "resident_mib_by_visits": seen,
        "bound_held": max(seen, default=0.0) <= _BOUND_SLACK * bound.get("resident_mib", 0.0),
        "cold": _costs([visit for visit in visits if visit.cold]),
        "warm": _costs([visit for visit in visits if not visit.cold]),
        "cold_by_units": _by_size([visit for visit in visits if visit.cold]),
        "disk": disk_mib(subject.store),
    }


class _Opened:
    """Which banks the store has open, by its own rule: those used last."""

    def __init__(self) -> None:
        self._banks: OrderedDict[int, None] = OrderedDict()

    def use(self, bank: int) -> bool:
        """Whether the bank was open; it is now."""
        known = bank in self._banks
        self._banks[bank] = None
        self._banks.move_to_end(bank)
        while len(self._banks) > OPEN_BANKS_MAX:
            self._banks.popitem(last=False)
        return known


def _visits(
    memory: Memory,
    wanted: Sequence[int],
    sizes: Sequence[int],
    asked: Sequence[VectorQuestion],
    subject: Subject,
    opened: _Opened,
) -> Iterator[Visit]:
    for turn, number in enumerate(wanted):
        cold = not opened.use(number)
        bank = memory.bank(bank_name(number))
        question = asked[turn % len(asked)]
        yield Visit(number, sizes[number], cold, ask(bank, question, subject.options))


def _costs(visits: Sequence[Visit]) -> dict[str, Json]:
    if not visits:
        return {"n": 0}
    return {
        "n": len(visits),
        "cpu_ms": summary([visit.asked.cpu_ms for visit in visits]),
        "wall_ms": summary([visit.asked.wall_ms for visit in visits]),
    }


def _by_size(visits: Sequence[Visit]) -> dict[str, Json]:
    """Cold recalls by the size of the bank, in powers of ten."""
    groups: dict[int, list[float]] = {}
    for visit in visits:
        groups.setdefault(len(str(visit.units)) - 1, []).append(visit.asked.wall_ms)
    return {
        f"{10**power}-{10 ** (power + 1) - 1}": {"n": len(spent), "wall_ms": summary(spent)}
        for power, spent in sorted(groups.items())
    }
