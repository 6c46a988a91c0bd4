"""The files of a partition, and the manifest that says which of them are current."""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from scrubjay.store.embedded.index.vectors.codings import (
    Coding,
    OwnSteps,
    SharedSteps,
    load_coding,
)
from scrubjay.store.embedded.index.vectors.exact_scan import HalfArray, Halves, Kernel, Scan
from scrubjay.store.embedded.index.vectors.hnsw import Graph
from scrubjay.store.embedded.index.vectors.partition import Partition

MANIFEST = "vectors.json"
FORMAT = 1
SAVED_SUFFIXES = {".rows", ".halves", ".graph", ".coding", ".tmp"}

# Codes in a graph's file that are compared with the vectors they were made from.
CODES_CHECKED = 16


@dataclass(frozen=True, slots=True)
class SavedPartition:
    """One partition in a directory: its sizes, and the names of its files."""

    code: int
    count: int
    rows: str
    rows_crc: int
    halves: str
    graph: str | None  # None: no graph yet, all is scanned
    graph_bytes: int
    covered: int
    coding: str | None = None  # None: each vector in steps of its own


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a saved index consists of; written last, so that it never names a missing file."""

    format: int
    dimension: int
    fingerprint: str
    generation: int
    watermark: int
    serial: int
    partitions: tuple[SavedPartition, ...]


def save_partition(partition: Partition, directory: Path, code: int, serial: int) -> SavedPartition:
    """Write a partition to files of its own; each is whole or absent after a crash."""
    stem, count = f"{code:03d}-{serial}", partition.count
    # A dead slot keeps its place, since the graph knows it, and loses its row.
    rows = np.where(partition.live[:count], partition.rows[:count], -1)
    write_durably(directory / f"{stem}.rows", rows.tofile)
    write_durably(directory / f"{stem}.halves", lambda path: partition.halves.save(path, count))
    graph_path, coding_name = directory / f"{stem}.graph", None
    if partition.graph is not None:
        write_durably(graph_path, partition.graph.save)
        if isinstance(partition.graph.coding, SharedSteps):
            coding_name = f"{stem}.coding"
            write_durably(directory / coding_name, partition.graph.coding.save)
    return SavedPartition(
        code=code,
        count=count,
        rows=f"{stem}.rows",
        rows_crc=zlib.crc32(rows.tobytes()),
        halves=f"{stem}.halves",
        graph=None if partition.graph is None else graph_path.name,
        graph_bytes=0 if partition.graph is None else graph_path.stat().st_size,
        covered=partition.covered,
        coding=coding_name,
    )


def load_partition(
    directory: Path, saved: SavedPartition, kernel: Kernel, *, dimension: int, graphs: bool
) -> Partition:
    """A saved partition, large parts mapped; OSError or ValueError when a file disagrees.

    Without `graphs` a graph is left aside and everything is scanned.
    """
    rows = np.fromfile(directory / saved.rows, np.int64)
    if (len(rows), zlib.crc32(rows.tobytes())) != (saved.count, saved.rows_crc):
        raise ValueError(f"{saved.rows} is not what was saved")
    vectors = _mapped_halves(directory, saved, dimension)
    graph = _mapped_graph(directory, saved, vectors) if graphs else None
    covered = 0 if graph is None else graph.count
    tail = vectors[covered:].copy()
    halves = (
        Halves((tail,), (0,)) if graph is None else Halves((vectors[:covered], tail), (0, covered))
    )
    scan = Scan.empty(kernel, dimension).append(*kernel.encode(tail))
    live = rows >= 0
    return Partition(rows, live, halves, scan, graph, int(np.count_nonzero(~live)))


def remapped(partition: Partition, directory: Path, saved: SavedPartition) -> Partition:
    """The same partition, reading from its files what its graph covers; memory is given back."""
    vectors = _mapped_halves(directory, saved, partition.halves.pieces[0].shape[1])
    graph = _mapped_graph(directory, saved, vectors)
    if graph is None:
        return partition
    halves = Halves((vectors[: graph.count], partition.halves.pieces[-1]), (0, graph.count))
    return replace(partition, halves=halves, graph=graph)


def write_durably(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file, then sync it, give it its name and sync that too."""
    temporary = path.with_name(f"{path.name}.tmp")
    write(temporary)
    with temporary.open("r+b") as file:
        os.fsync(file.fileno())
    temporary.replace(path)
    if os.name == "posix":  # elsewhere a directory cannot be opened
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _mapped_halves(directory: Path, saved: SavedPartition, dimension: int) -> HalfArray:
    path, shape = directory / saved.halves, (saved.count, dimension)
    if path.stat().st_size != saved.count * dimension * 2:
        raise ValueError(f"{path} has the wrong size")
    return np.asarray(np.memmap(path, np.float16, "r", shape=shape))


def _mapped_graph(directory: Path, saved: SavedPartition, vectors: HalfArray) -> Graph | None:
    if saved.graph is None:
        return None
    path, dimension = directory / saved.graph, vectors.shape[1]
    if path.stat().st_size != saved.graph_bytes:
        raise ValueError(f"{path} has the wrong size")
    coding: Coding = OwnSteps()
    if saved.coding is not None:
        coding = load_coding(directory / saved.coding, dimension)
    graph = Graph.view(path, dimension, saved.covered, coding)
    # Where the library keeps the codes in its file is not promised, so some are compared.
    checked = np.linspace(0, saved.covered - 1, CODES_CHECKED, dtype=np.int64)
    expected = coding.encode(vectors.take(checked, axis=0))
    if graph.codes is not None and not np.array_equal(graph.codes.take(checked, axis=0), expected):
        return replace(graph, codes=None)
    return graph


def read_manifest(directory: Path) -> Manifest | None:
    """What was saved in a directory; None when nothing was, or it cannot be read."""
    try:
        told = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        partitions = tuple(SavedPartition(**entry) for entry in told.pop("partitions"))
        manifest = Manifest(**told, partitions=partitions)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return manifest if manifest.format == FORMAT else None


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Make the files it names the current ones, and remove those of earlier saves."""
    text = json.dumps(asdict(manifest), indent=1)
    write_durably(directory / MANIFEST, lambda path: path.write_bytes(text.encode()))
    current = {
        name
        for part in manifest.partitions
        for name in (part.rows, part.halves, part.graph, part.coding)
    }
    for path in directory.iterdir():
        if path.name not in current and path.suffix in SAVED_SUFFIXES:
            # Some systems refuse while a file is mapped; the next save tries again.
            with contextlib.suppress(PermissionError):
                path.unlink()
