"""Makes directories and files that other users of the machine cannot read."""

from __future__ import annotations

import os
from pathlib import Path


def make_private(directory: Path) -> None:
    """Make a directory, and those above it that are missing, for its owner alone.

    One that is there stays as it is: whoever made it said who may look in.
    """
    missing = [each for each in (directory, *directory.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
    directory.mkdir(exist_ok=True)  # says so where it is a file


def owners_alone(path: str, flags: int) -> int:
    """Open a file, as `opener` of `open`; a new one is for its owner alone."""
    return os.open(path, flags, 0o600)
