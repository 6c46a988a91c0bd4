"""Reads files that are lists of objects, or JSON lines, by a function for one object."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from scrubjay.importers.bundle import Bundle
from scrubjay.importers.elements import BrokenJson, elements
from scrubjay.importers.found import Found, NotRead, Object, Skipped, Wrong, json_lines

# The name of a file, and what was found in it.
Named = tuple[str, Found]
# Why a file of a bundle is left out that none of its kind reads.
OTHER_KIND = "file of another kind"
# Called with the list it stands in, its line, and the object.
ReadOne = Callable[[str, int, Object], Iterable[Found]]


def read_lists(
    bundle: Bundle, names: Iterable[str], read: ReadOne, within: Collection[str] = ()
) -> Iterator[Named]:
    """What is found in files that are one list each, or an object with lists `within`."""
    for name in names:
        try:
            with bundle.open(name) as file:
                for inside, line, element in elements(file, within):
                    yield from ((name, one) for one in _read(read, inside, line, element))
        except BrokenJson as broken:
            yield name, Wrong(broken.line, broken.reason)
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError) as error:
            yield name, Wrong(1, f"cannot be read: {error}")


def read_lines(bundle: Bundle, names: Iterable[str], read: ReadOne) -> Iterator[Named]:
    """What is found in files of JSON lines."""
    for name in names:
        for number, raw in enumerate(bundle.lines(name), 1):
            if isinstance(raw, Wrong):
                yield name, raw
                continue
            for shape in json_lines([raw], number):
                if isinstance(shape, Wrong):
                    yield name, shape
                else:
                    yield from ((name, one) for one in _read(read, "", *shape))


def _read(read: ReadOne, inside: str, line: int, element: object) -> Iterator[Found]:
    if not isinstance(element, Mapping):
        yield Wrong(line, "not a JSON object")
        return
    try:
        yield from read(inside, line, element)
    except NotRead as error:
        yield Wrong(line, str(error))


def other_files(bundle: Bundle, read: Collection[str]) -> Iterator[Named]:
    """The files that say nothing of this kind."""
    for name in bundle.names:
        if name not in read:
            yield name, Skipped(1, OTHER_KIND)
