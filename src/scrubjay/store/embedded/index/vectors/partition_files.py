"""The files of a vector index, and the manifest that says which of them are current."""

from __future__ import annotations

import contextlib
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from scrubjay.store.embedded.directory.saved_files import (
    Files,
    NewFiles,
    NotAsSaved,
    SavedFile,
    SavedFiles,
    write_manifest,
)
from scrubjay.store.embedded.index.vectors.binary_codes import BinaryCodes, words_of
from scrubjay.store.embedded.index.vectors.codings import Coding, OwnSteps, SharedSteps, load_coding
from scrubjay.store.embedded.index.vectors.exact_scan import HalfVectors, Scan
from scrubjay.store.embedded.index.vectors.hnsw import Graph
from scrubjay.store.embedded.index.vectors.mapped import MappedVectors
from scrubjay.store.embedded.index.vectors.overview import Overview
from scrubjay.store.embedded.index.vectors.partition import Partition
from scrubjay.store.embedded.index.vectors.state import State
from scrubjay.store.shared.kernels import HalfArray, Kernel
from scrubjay.types.arrays import RowArray

MANIFEST = "vectors.json"
FORMAT = 2
SAVED_SUFFIXES = {".rows", ".halves", ".graph", ".coding", ".signs", ".centre", ".tmp"}

# Codes in a graph's file that are compared with the vectors they were made from.
CODES_CHECKED = 16


@dataclass(frozen=True, slots=True)
class SavedPartition:
    """One partition in a directory: its sizes, and the names of its files."""

    code: int
    count: int
    rows: str
    halves: str
    graph: str | None  # None: no graph yet, all is scanned
    covered: int
    coding: str | None  # None: each vector in steps of its own


@dataclass(frozen=True, slots=True)
class SavedCodes:
    """The codes of all vectors in a directory: of how many rows, and their files."""

    count: int
    bits: str
    centre: str


@dataclass(frozen=True, slots=True)
class SavedOverview:
    """The overview in a directory: its size, the last row it covers, and its files."""

    count: int
    last: int
    rows: str
    graph: str
    coding: str | None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a saved index consists of; written last, so that it never names a missing file."""

    format: int
    stamp: str  # of the save it is from
    dimension: int
    fingerprint: str
    generation: int
    watermark: int
    serial: int
    partitions: tuple[SavedPartition, ...]
    signs: SavedCodes | None  # the name that files have
    overview: SavedOverview | None
    files: tuple[SavedFile, ...]


def save_partition(partition: Partition, files: NewFiles, code: int, serial: int) -> SavedPartition:
    """Write a partition to files of its own."""
    stem, count = f"{code:03d}-{serial}", partition.count
    # A dead slot keeps its place, since the graph knows it, and loses its row.
    rows = np.where(partition.live[:count], partition.rows[:count], -1)
    graph = coding = None
    if partition.graph is not None:
        graph, coding = _save_graph(partition.graph, files, stem)
    return SavedPartition(
        code=code,
        count=count,
        rows=files.write(f"{stem}.rows", rows.tofile),
        halves=files.write(f"{stem}.halves", lambda path: partition.halves.save(path, count)),
        graph=graph,
        covered=partition.covered,
        coding=coding,
    )


def _save_graph(graph: Graph, files: NewFiles, stem: str) -> tuple[str, str | None]:
    """Write a graph and its coding; their names."""
    coding = None
    if isinstance(graph.coding, SharedSteps):
        coding = files.write(f"{stem}.coding", graph.coding.save)
    return files.write(f"{stem}.graph", graph.save), coding


def save_overview(
    overview: Overview | None, renewed: RowArray, files: NewFiles, serial: int
) -> SavedOverview | None:
    """Write the graph over all types, if there is one; rows with another vector lose their slot."""
    if overview is None:
        return None
    stem = f"all-{serial}"
    rows = np.where(np.isin(overview.rows, renewed), -1, overview.rows)
    graph, coding = _save_graph(overview.graph, files, stem)
    return SavedOverview(
        count=len(rows),
        last=overview.last,
        rows=files.write(f"{stem}.rows", rows.tofile),
        graph=graph,
        coding=coding,
    )


def load_overview(files: Files, saved: SavedOverview | None, *, dimension: int) -> Overview | None:
    """The saved overview, if there is one; OSError or ValueError when a file disagrees."""
    if saved is None:
        return None
    rows = _rows_in(files.path(saved.rows), saved.count, saved.last)
    coding = _coding_in(files, saved.coding, dimension)
    graph = Graph.view(files.path(saved.graph), dimension, saved.count, coding, in_memory=True)
    return Overview.over(graph, rows, saved.last)


def save_codes(
    codes: BinaryCodes | None, count: int, files: NewFiles, serial: int
) -> SavedCodes | None:
    """Write the codes of the first rows, if there are any."""
    if codes is None:
        return None
    bits = files.write(f"all-{serial}.signs", codes.bits[:count].tofile)
    return SavedCodes(count, bits, files.write(f"all-{serial}.centre", codes.centre.tofile))


def load_codes(files: Files, saved: SavedCodes, *, dimension: int) -> BinaryCodes:
    """The saved codes, mapped; OSError or ValueError when a file disagrees."""
    centre, bits = files.path(saved.centre), files.path(saved.bits)
    shape = (saved.count, words_of(dimension))
    _check_size(centre, 4 * dimension)
    _check_size(bits, 8 * shape[0] * shape[1])
    # Its own copy of whatever page is written to.
    mapped = np.memmap(bits, np.uint64, "c", shape=shape)
    return BinaryCodes(np.fromfile(centre, np.float32), np.asarray(mapped))


def load_partition(
    files: Files,
    saved: SavedPartition,
    kernel: Kernel,
    *,
    dimension: int,
    watermark: int,
    graphs: bool,
    in_memory: bool,
) -> Partition:
    """A saved partition, large parts mapped; OSError or ValueError when a file disagrees.

    Without `graphs` a graph is left aside and everything is scanned.
    """
    rows = _rows_in(files.path(saved.rows), saved.count, watermark)
    mapped = _mapped_halves(files, saved, dimension)
    vectors = mapped.vectors
    graph = _saved_graph(files, saved, vectors, in_memory=in_memory) if graphs else None
    covered = 0 if graph is None else graph.count
    tail = vectors[covered:].copy()
    halves = (
        HalfVectors((tail,), (0,))
        if graph is None
        else HalfVectors((vectors[:covered], tail), (0, covered), mapped)
    )
    scan = Scan.empty(kernel, dimension).append(*kernel.encode(tail))
    live = rows >= 0
    return Partition(rows, live, halves, scan, graph, int(np.count_nonzero(~live)))


def remapped(
    partition: Partition, files: Files, saved: SavedPartition, *, in_memory: bool
) -> Partition:
    """The same partition, reading from its files what its graph covers; memory is given back."""
    mapped = _mapped_halves(files, saved, partition.halves.pieces[0].shape[1])
    graph = _saved_graph(files, saved, mapped.vectors, in_memory=in_memory)
    if graph is None:
        return partition
    covered = mapped.vectors[: graph.count]
    halves = HalfVectors((covered, partition.halves.pieces[-1]), (0, graph.count), mapped)
    return replace(partition, halves=halves, graph=graph)


def _mapped_halves(files: Files, saved: SavedPartition, dimension: int) -> MappedVectors:
    path, shape = files.path(saved.halves), (saved.count, dimension)
    _check_size(path, saved.count * dimension * 2)
    return MappedVectors(path, shape)


def _rows_in(path: Path, count: int, last: int) -> RowArray:
    rows = np.fromfile(path, np.int64)
    if len(rows) != count or rows.max(initial=-1) > last:
        raise NotAsSaved(f"{path.name} has other rows than the manifest says")
    return rows


def _check_size(path: Path, size: int) -> None:
    if path.stat().st_size != size:
        raise NotAsSaved(f"{path.name} has another size than the manifest says")


def _coding_in(files: Files, name: str | None, dimension: int) -> Coding:
    return OwnSteps() if name is None else load_coding(files.path(name), dimension)


def _saved_graph(
    files: Files, saved: SavedPartition, vectors: HalfArray, *, in_memory: bool
) -> Graph | None:
    if saved.graph is None:
        return None
    path, dimension = files.path(saved.graph), vectors.shape[1]
    coding = _coding_in(files, saved.coding, dimension)
    graph = Graph.view(path, dimension, saved.covered, coding, in_memory=in_memory)
    # Where the library keeps the codes in its file is not promised, so some are compared.
    checked = np.linspace(0, saved.covered - 1, CODES_CHECKED, dtype=np.int64)
    graph = graph.checked(checked, vectors.take(checked, axis=0))
    graph.let_go()
    return graph


def with_first_looks(state: State, manifest: Manifest, files: SavedFiles, *, graphs: bool) -> State:
    """The state with its saved codes and overview; one that is damaged is soon made again."""
    if manifest.signs is not None:
        try:
            codes = load_codes(files, manifest.signs, dimension=manifest.dimension)
            state = state.with_kept_codes(codes)
        except (OSError, ValueError) as problem:
            files.report(problem, "the codes are made from the vectors again")
    try:
        whole = load_overview(files, manifest.overview, dimension=manifest.dimension)
    except (OSError, ValueError) as problem:
        files.report(problem, "the graph over all types is made again")
        return state
    overview = state.confirmed(whole) if graphs else None
    return state if overview is None else state.seen_in(overview)


def read_saved(files: SavedFiles) -> Manifest:
    """What was saved in a folder; NotAsSaved when the manifest cannot be relied on."""
    manifest = files.manifest(MANIFEST, Manifest)
    if manifest.format != FORMAT:
        raise NotAsSaved(f"{MANIFEST} is of another version")
    files.expect(manifest.files)
    return manifest


def next_serial(directory: Path) -> int:
    """A number that no file of the folder's manifest has in its name."""
    try:
        return read_saved(SavedFiles(directory)).serial + 1
    except NotAsSaved:
        return 1


def make_current(directory: Path, manifest: Manifest) -> None:
    """Make the files it names the current ones, and remove those of earlier saves."""
    write_manifest(directory / MANIFEST, asdict(manifest))
    current = {file.name for file in manifest.files}
    for path in directory.iterdir():
        if path.name not in current and path.suffix in SAVED_SUFFIXES:
            # Some systems refuse while a file is mapped; the next save tries again.
            with contextlib.suppress(OSError):
                path.unlink()
