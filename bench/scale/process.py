"""What this process and its files take: resident memory, disk, and the system's page cache."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from scrubjay.types.values import Json

_MEBIBYTE = 1 << 20
_FIELDS = {
    "VmRSS": "resident_mib",
    "VmHWM": "resident_peak_mib",
    "RssAnon": "own_mib",
    "RssFile": "mapped_files_mib",
}


def memory_mib() -> dict[str, float]:
    """Resident memory: all of it, its peak, this process's own, and pages of mapped files."""
    found: dict[str, float] = {}
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    for line in lines:
        name, _, value = line.partition(":")
        if name in _FIELDS:
            found[_FIELDS[name]] = round(int(value.split()[0]) / 1024, 1)
    return found


def open_banks() -> int:
    """How many banks of embedded stores this process has open, by its open files."""
    folder = Path("/proc/self/fd")
    targets = set()
    for link in folder.iterdir() if folder.exists() else ():
        try:
            targets.add(link.readlink())
        except OSError:
            continue  # closed since it was listed
    return sum(target.name == "bank.db" for target in targets)


def disk_mib(store: Path) -> dict[str, Json]:
    """The store's files: all together, and by what they hold."""
    sizes: dict[str, int] = {}
    for path in files_of(store):
        what = "rows" if path.name.startswith("bank.db") else path.suffix.lstrip(".")
        sizes[what] = sizes.get(what, 0) + path.stat().st_size
    total = sum(sizes.values())
    parts = {what: round(size / _MEBIBYTE, 1) for what, size in sorted(sizes.items())}
    return {"all": round(total / _MEBIBYTE, 1), "by_kind": parts}


def drop_from_cache(store: Path) -> bool:
    """Ask the system to forget the store's pages; False where it cannot be asked."""
    if not hasattr(os, "posix_fadvise"):
        return False
    for path in files_of(store):
        with path.open("rb") as file:
            # Pages that wait to be written would stay.
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return True


def files_of(store: Path) -> Iterator[Path]:
    """Every file of a store."""
    return (path for path in sorted(store.rglob("*")) if path.is_file())
