"""Reads what other programs keep: transcripts, exports, notes and tables, each as units."""

from __future__ import annotations

from scrubjay.importers.found import Found, Read, Skipped, Wrong, units_in
from scrubjay.importers.notes import write_notes
from scrubjay.importers.running import Brought, import_file
from scrubjay.importers.transcripts import read_claude_code, read_codex

__all__ = [
    "Brought", "Found", "Read", "Skipped", "Wrong", "import_file", "read_claude_code",
    "read_codex", "units_in", "write_notes",
]  # fmt: skip
