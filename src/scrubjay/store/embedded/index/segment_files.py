"""The files of a word index: a few arrays in each, mapped."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scrubjay.store.embedded.directory.saved_files import (
    NotAsSaved,
    SavedFile,
    SavedFiles,
    write_durably,
    write_manifest,
)
from scrubjay.store.embedded.index.segments import Segment

FORMAT = 2
MANIFEST = "terms.json"
ALIGNMENT = 64

AnyArray = npt.NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class Layout:
    """The arrays in a file, which lie one after the other, aligned."""

    types: tuple[str, ...]
    lengths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Which files are current: one for each segment, and at the end one of statistics."""

    format: int
    stamp: str
    generation: int
    files: tuple[SavedFile, ...]
    layouts: tuple[Layout, ...]


Saved = dict[Segment, tuple[SavedFile, Layout]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was saved, mapped."""

    segments: Saved
    statistics: Sequence[AnyArray]
    generation: int


def save_segments(
    directory: Path,
    segments: Sequence[Segment],
    statistics: Sequence[AnyArray],
    saved: Saved,
    *,
    stamp: str,
    generation: int,
) -> Saved:
    """Write what is not `saved`, then the manifest; a crash leaves the old or the new."""
    names = _new_names(directory)
    kept: Saved = {}
    for each in segments:
        extent = np.array([each.average_length, each.first_row, each.last_row, each.documents])
        arrays = (each.terms, each.starts, each.rows, each.pairs, each.peaks, extent)
        kept[each] = saved.get(each) or _write_arrays(directory / next(names), arrays)
    used = [*kept.values(), _write_arrays(directory / next(names), statistics)]
    files, layouts = zip(*used, strict=True)
    manifest = Manifest(FORMAT, stamp, generation, files, layouts)
    write_manifest(directory / MANIFEST, asdict(manifest))
    for path in directory.glob("terms-*.bin*"):
        if path.name not in {file.name for file in files}:
            # Some systems keep a mapped file until its last reader is gone; a later save sweeps it.
            with contextlib.suppress(OSError):
                path.unlink()
    return kept


def read_saved(files: SavedFiles) -> Manifest:
    """What was saved in a folder; NotAsSaved when the manifest cannot be relied on."""
    manifest = files.manifest(MANIFEST, Manifest)
    if manifest.format != FORMAT or len(manifest.files) != len(manifest.layouts):
        raise NotAsSaved(f"{MANIFEST} is of another version")
    files.expect(manifest.files)
    return manifest


def load_segments(files: SavedFiles) -> Loaded:
    """The segments that were saved and the statistics; NotAsSaved when anything is amiss."""
    manifest = read_saved(files)
    entries = list(zip(manifest.files, manifest.layouts, strict=True))
    try:
        *segments, statistics = [_read_arrays(files.path(f.name), layout) for f, layout in entries]
        return Loaded(
            dict(zip(map(_restored, segments), entries, strict=False)),
            statistics,
            manifest.generation,
        )
    except (OSError, ValueError, TypeError) as error:
        raise NotAsSaved(str(error)) from error


def _new_names(directory: Path) -> Iterator[str]:
    ends = [path.stem.rpartition("-")[2] for path in directory.glob("terms-*.bin")]
    last = max((int(end) for end in ends if end.isascii() and end.isdecimal()), default=0)
    return (f"terms-{number}.bin" for number in itertools.count(last + 1))


def _restored(arrays: Sequence[AnyArray]) -> Segment:
    terms, starts, rows, pairs, peaks, extent = arrays
    average_length, *numbers = np.asarray(extent, np.float64).tolist()
    return Segment(
        np.asarray(terms, np.uint32),
        np.asarray(starts, np.int64),
        np.asarray(rows, np.int32),
        np.asarray(pairs, np.uint32) if pairs.itemsize > 2 else np.asarray(pairs, np.uint16),
        np.asarray(peaks, np.float32),
        average_length,
        *map(int, numbers),
    )


def _write_arrays(path: Path, arrays: Sequence[AnyArray]) -> tuple[SavedFile, Layout]:
    def write(target: Path) -> None:
        with target.open("wb") as file:
            for each in arrays:
                file.write(each.data)
                file.write(bytes(_padding(each.nbytes)))

    types, lengths = [each.dtype.str for each in arrays], [len(each) for each in arrays]
    return write_durably(path, write), Layout(tuple(types), tuple(lengths))


def _read_arrays(path: Path, layout: Layout) -> list[AnyArray]:
    content = np.asarray(np.memmap(path, np.uint8, "r"))
    arrays: list[AnyArray] = []
    start = 0
    for code, length in zip(layout.types, layout.lengths, strict=True):
        end = start + length * np.dtype(code).itemsize
        arrays.append(content[start:end].view(code))
        start = end + _padding(end)
    return arrays


def _padding(size: int) -> int:
    return ALIGNMENT - size % ALIGNMENT  # never 0: an empty file cannot be mapped
