"""Keeps a forked process from using, or closing, what its parent has open."""

from __future__ import annotations

import ctypes
import os
from typing import Protocol
from weakref import WeakSet

from scrubjay.errors import StoreForked


class Opened(Protocol):
    """Something that belongs to the process that opened it."""

    def forked(self) -> None:
        """Now in another process: refuse all use, and touch nothing."""


_opened: WeakSet[Opened] = WeakSet()


def watch(thing: Opened) -> None:
    """Have `thing.forked()` called in every process that is forked off this one."""
    _opened.add(thing)


def keep(thing: object) -> None:
    """Never let go of an object in this process, not even when the interpreter ends.

    What a forked process inherited must not be closed there: SQLite would take the log of a
    later writer for its own and delete it, and a lock would be released for the parent too.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def refusal(place: object) -> StoreForked:
    """The error for using, in a forked process, what its parent opened."""
    return StoreForked(
        f"{place} was opened in the process that this one ({os.getpid()}) was forked off. Open the "
        "store in each process after the fork, or start processes with 'spawn'."
    )


def _tell() -> None:
    for thing in list(_opened):
        thing.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_tell)
