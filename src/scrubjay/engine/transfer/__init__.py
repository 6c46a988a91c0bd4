"""Moves banks in and out as JSON lines: streaming, resumable, all or nothing on bad lines."""

from scrubjay.defaults import Progress, no_progress
from scrubjay.engine.transfer.exporting import export_file
from scrubjay.engine.transfer.importing import Imported, import_file
from scrubjay.engine.transfer.paths import outside, reading_twice

__all__ = [
    "Imported",
    "Progress",
    "export_file",
    "import_file",
    "no_progress",
    "outside",
    "reading_twice",
]
