"""Where a coding agent works: the bank of its repository, and that of its user."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from scrubjay.defaults import DEFAULT_BANK

# What holds wherever one works. It is the bank that the command line uses, too.
USER_BANK = DEFAULT_BANK
_NAME_CHARACTERS_MAX = 60


def bank_of(directory: Path) -> str:
    """The bank of the repository that a directory is in; the user's where it is in none."""
    root = repository_of(directory)
    if root is None:
        return USER_BANK
    name = re.sub(r"[^\w.-]+|\.\.+", "-", root.name).strip("-._")[:_NAME_CHARACTERS_MAX]
    digest = hashlib.blake2b(str(root).encode("utf-8", "surrogateescape"), digest_size=4)
    return f"repo-{name or 'root'}-{digest.hexdigest()}"


def repository_of(directory: Path) -> Path | None:
    """The root of a repository; of one with several work trees it is that of the first."""
    resolved = directory.resolve()
    for place in (resolved, *resolved.parents):
        mark = place / ".git"
        if mark.is_dir():
            return place
        if mark.is_file():
            return _first_tree(mark) or place
    return None


def _first_tree(mark: Path) -> Path | None:
    """Where the repository of a linked work tree is; None for a submodule, which is its own."""
    try:
        said = mark.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    folder = mark.parent / said.removeprefix("gitdir:").strip()
    if folder.parent.name != "worktrees" or folder.parent.parent.name != ".git":
        return None
    return folder.parent.parent.parent.resolve()
