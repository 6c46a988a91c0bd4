"""The files of a vector index, and the manifest that says which of them are current."""

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
from scrubjay.store.embedded.index.vectors.mapped import MappedHalves
from scrubjay.store.embedded.index.vectors.overview import Overview
from scrubjay.store.embedded.index.vectors.partition import Partition
from scrubjay.store.embedded.index.vectors.sign_bits import SignBits, words_of
from scrubjay.types import RowArray

MANIFEST = "vectors.json"
FORMAT = 1
SAVED_SUFFIXES = {".rows", ".halves", ".graph", ".coding", ".signs", ".centre", ".tmp"}

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
class SavedSigns:
    """The signs of all vectors in a directory: of how many rows, and their files."""

    count: int
    bits: str
    centre: str


@dataclass(frozen=True, slots=True)
class SavedOverview:
    """The overview in a directory: its size, the last row it covers, and its files."""

    count: int
    last: int
    rows: str
    rows_crc: int
    graph: str
    graph_bytes: int
    coding: str | None


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
    signs: SavedSigns | None = None
    overview: SavedOverview | None = None


def save_partition(partition: Partition, directory: Path, code: int, serial: int) -> SavedPartition:
    """Write a partition to files of its own; each is whole or absent after a crash."""
    stem, count = f"{code:03d}-{serial}", partition.count
    # A dead slot keeps its place, since the graph knows it, and loses its row.
    rows = np.where(partition.live[:count], partition.rows[:count], -1)
    write_durably(directory / f"{stem}.rows", rows.tofile)
    write_durably(directory / f"{stem}.halves", lambda path: partition.halves.save(path, count))
    graph, graph_bytes, coding = None, 0, None
    if partition.graph is not None:
        graph, graph_bytes, coding = _save_graph(partition.graph, directory, stem)
    return SavedPartition(
        code=code,
        count=count,
        rows=f"{stem}.rows",
        rows_crc=zlib.crc32(rows.tobytes()),
        halves=f"{stem}.halves",
        graph=graph,
        graph_bytes=graph_bytes,
        covered=partition.covered,
        coding=coding,
    )


def _save_graph(graph: Graph, directory: Path, stem: str) -> tuple[str, int, str | None]:
    """Write a graph and its coding; their names, and the size of the graph's file."""
    path, coding = directory / f"{stem}.graph", None
    write_durably(path, graph.save)
    if isinstance(graph.coding, SharedSteps):
        coding = f"{stem}.coding"
        write_durably(directory / coding, graph.coding.save)
    return path.name, path.stat().st_size, coding


def save_overview(
    overview: Overview | None, renewed: RowArray, directory: Path, serial: int
) -> SavedOverview | None:
    """Write the graph over all types, if there is one; rows with another vector lose their slot."""
    if overview is None:
        return None
    stem = f"all-{serial}"
    rows = np.where(np.isin(overview.rows, renewed), -1, overview.rows)
    write_durably(directory / f"{stem}.rows", rows.tofile)
    graph, graph_bytes, coding = _save_graph(overview.graph, directory, stem)
    return SavedOverview(
        count=len(rows),
        last=overview.last,
        rows=f"{stem}.rows",
        rows_crc=zlib.crc32(rows.tobytes()),
        graph=graph,
        graph_bytes=graph_bytes,
        coding=coding,
    )


def load_overview(
    directory: Path, saved: SavedOverview | None, *, dimension: int
) -> Overview | None:
    """The saved overview; None if there is none or a file disagrees: it is soon made again."""
    if saved is None:
        return None
    try:
        rows = _rows_in(directory / saved.rows, saved.count, saved.rows_crc)
        path = directory / saved.graph
        _check_size(path, saved.graph_bytes)
        coding = _coding_in(directory, saved.coding, dimension)
        graph = Graph.view(path, dimension, saved.count, coding, in_memory=True)
    except (OSError, ValueError):
        return None
    return Overview.over(graph, rows, saved.last)


def save_signs(
    signs: SignBits | None, count: int, directory: Path, serial: int
) -> SavedSigns | None:
    """Write the signs of the first rows, if there are any."""
    if signs is None:
        return None
    bits, centre = f"all-{serial}.signs", f"all-{serial}.centre"
    write_durably(directory / bits, signs.bits[:count].tofile)
    write_durably(directory / centre, signs.centre.tofile)
    return SavedSigns(count, bits, centre)


def load_signs(directory: Path, saved: SavedSigns | None, *, dimension: int) -> SignBits | None:
    """The saved signs, mapped; None if there are none or a file disagrees: they are made again."""
    if saved is None:
        return None
    try:
        centre = np.fromfile(directory / saved.centre, np.float32)
        shape = (saved.count, words_of(dimension))
        _check_size(directory / saved.centre, 4 * dimension)
        _check_size(directory / saved.bits, 8 * shape[0] * shape[1])
        # Its own copy of whatever page is written to.
        bits = np.memmap(directory / saved.bits, np.uint64, "c", shape=shape)
    except (OSError, ValueError):
        return None
    return SignBits(centre, np.asarray(bits))


def load_partition(
    directory: Path,
    saved: SavedPartition,
    kernel: Kernel,
    *,
    dimension: int,
    graphs: bool,
    in_memory: bool,
) -> Partition:
    """A saved partition, large parts mapped; OSError or ValueError when a file disagrees.

    Without `graphs` a graph is left aside and everything is scanned.
    """
    rows = _rows_in(directory / saved.rows, saved.count, saved.rows_crc)
    mapped = _mapped_halves(directory, saved, dimension)
    vectors = mapped.vectors
    graph = _saved_graph(directory, saved, vectors, in_memory=in_memory) if graphs else None
    covered = 0 if graph is None else graph.count
    tail = vectors[covered:].copy()
    halves = (
        Halves((tail,), (0,))
        if graph is None
        else Halves((vectors[:covered], tail), (0, covered), mapped)
    )
    scan = Scan.empty(kernel, dimension).append(*kernel.encode(tail))
    live = rows >= 0
    return Partition(rows, live, halves, scan, graph, int(np.count_nonzero(~live)))


def remapped(
    partition: Partition, directory: Path, saved: SavedPartition, *, in_memory: bool
) -> Partition:
    """The same partition, reading from its files what its graph covers; memory is given back."""
    mapped = _mapped_halves(directory, saved, partition.halves.pieces[0].shape[1])
    graph = _saved_graph(directory, saved, mapped.vectors, in_memory=in_memory)
    if graph is None:
        return partition
    covered = mapped.vectors[: graph.count]
    halves = Halves((covered, partition.halves.pieces[-1]), (0, graph.count), mapped)
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


def _mapped_halves(directory: Path, saved: SavedPartition, dimension: int) -> MappedHalves:
    path, shape = directory / saved.halves, (saved.count, dimension)
    _check_size(path, saved.count * dimension * 2)
    return MappedHalves(path, shape)


def _rows_in(path: Path, count: int, crc: int) -> RowArray:
    rows = np.fromfile(path, np.int64)
    if (len(rows), zlib.crc32(rows.tobytes())) != (count, crc):
        raise ValueError(f"{path} is not what was saved")
    return rows


def _check_size(path: Path, size: int) -> None:
    if path.stat().st_size != size:
        raise ValueError(f"{path} has the wrong size")


def _coding_in(directory: Path, name: str | None, dimension: int) -> Coding:
    return OwnSteps() if name is None else load_coding(directory / name, dimension)


def _saved_graph(
    directory: Path, saved: SavedPartition, vectors: HalfArray, *, in_memory: bool
) -> Graph | None:
    if saved.graph is None:
        return None
    path, dimension = directory / saved.graph, vectors.shape[1]
    _check_size(path, saved.graph_bytes)
    coding = _coding_in(directory, saved.coding, dimension)
    graph = Graph.view(path, dimension, saved.covered, coding, in_memory=in_memory)
    # Where the library keeps the codes in its file is not promised, so some are compared.
    checked = np.linspace(0, saved.covered - 1, CODES_CHECKED, dtype=np.int64)
    graph = graph.checked(checked, vectors.take(checked, axis=0))
    graph.let_go()
    return graph


def read_manifest(directory: Path) -> Manifest | None:
    """What was saved in a directory; None when nothing was, or it cannot be read."""
    try:
        told = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        partitions = tuple(SavedPartition(**entry) for entry in told.pop("partitions"))
        signs, overview = told.pop("signs", None), told.pop("overview", None)
        manifest = Manifest(
            **told,
            partitions=partitions,
            signs=None if signs is None else SavedSigns(**signs),
            overview=None if overview is None else SavedOverview(**overview),
        )
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
    if manifest.signs is not None:
        current |= {manifest.signs.bits, manifest.signs.centre}
    if manifest.overview is not None:
        current |= {manifest.overview.rows, manifest.overview.graph, manifest.overview.coding}
    for path in directory.iterdir():
        if path.name not in current and path.suffix in SAVED_SUFFIXES:
            # Some systems refuse while a file is mapped; the next save tries again.
            with contextlib.suppress(PermissionError):
                path.unlink()
