"""Measures what it costs to verify index files: `python -m bench.verifying --mib 2400`.

The files hold random bytes, and are of the sizes that a bank has in the same proportions: half
graphs, a third vectors, the rest words, columns and signs. The alternative, comparing vectors one
by one until graphs are verified, needs a code of each, which is measured beside it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from bench import machine
from bench.machine import Result, rounded
from bench.scale.process import drop_from_cache
from scrubjay.store.embedded.directory.saved_files import (
    TICK_NS,
    SavedFile,
    SavedFiles,
    write_durably,
)
from scrubjay.store.shared.kernels import NativeKernel
from scrubjay.types.values import Json

_MEBIBYTE = 1 << 20
_SHARES = {"types.graph": 0.275, "all.graph": 0.275, "types.halves": 0.32, "terms.bin": 0.13}
_DIGESTS: dict[str, Callable[[memoryview], object]] = {
    "crc32": zlib.crc32,
    "adler32": zlib.adler32,
    "sha1": lambda content: hashlib.sha1(content, usedforsecurity=False).digest(),
    "blake2b": lambda content: hashlib.blake2b(content).digest(),
    "sum": lambda content: np.frombuffer(content, np.uint64).sum(),
}
_CODED_VECTORS = 50_000
_DIMENSION = 384


def measure(mib: int) -> dict[str, Json]:
    """CPU and time of a first verification, warm and cold, and of one that is remembered."""
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        began = time.process_time()
        saved = [_written(directory / name, int(mib * part)) for name, part in _SHARES.items()]
        writing = time.process_time() - began
        time.sleep(TICK_NS / 1e9)  # only what has not just changed is remembered
        warm, files = _verified(directory, saved)
        dropped = drop_from_cache(directory)
        cold, _ = _verified(directory, saved)
        files.remember()
        remembered, _ = _verified(directory, saved)
    return {
        "bytes": sum(file.size for file in saved),
        "writing_cpu_s": rounded(writing),
        "warm": warm,
        "cold": {"dropped_from_cache": dropped, **cold},
        "remembered": remembered,
        "codes_of_a_million_cpu_s": rounded(_coding() * 1e6 / _CODED_VECTORS),
        "gigabytes_per_cpu_s": {name: rounded(_rate(each)) for name, each in _DIGESTS.items()},
    }


def _written(path: Path, mib: int) -> SavedFile:
    block = os.urandom(_MEBIBYTE)

    def write(target: Path) -> None:
        with target.open("wb") as file:
            for _ in range(mib):
                file.write(block)

    return write_durably(path, write)


def _verified(directory: Path, saved: Sequence[SavedFile]) -> tuple[dict[str, Json], SavedFiles]:
    files = SavedFiles(directory)
    files.expect(saved)
    began = time.perf_counter(), time.process_time()
    for file in saved:
        files.path(file.name)
    spent = time.perf_counter() - began[0], time.process_time() - began[1]
    return {"wall_s": rounded(spent[0]), "cpu_s": rounded(spent[1])}, files


def _rate(digest: Callable[[memoryview], object]) -> float:
    content = np.random.default_rng(0).integers(0, 1 << 63, 8 * _MEBIBYTE, np.uint64)
    return float(content.nbytes / 1e9 / machine.cpu_of(partial(digest, content.data))[1])


def _coding() -> float:
    vectors = np.random.default_rng(0).standard_normal((_CODED_VECTORS, _DIMENSION))
    return machine.cpu_of(partial(NativeKernel().encode, vectors.astype(np.float16)))[1]


def main(arguments: Sequence[str]) -> None:
    """Measure, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mib", type=int, default=2_400, help="size of all files together")
    machine.add_json_option(parser)
    asked = parser.parse_args(arguments)
    numbers = measure(asked.mib)
    machine.report(Result("verifying", arguments, {"mib": asked.mib}, numbers), asked.json)


if __name__ == "__main__":
    main(sys.argv[1:])
