"""What was taken or made is given back when the rest of a step fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def undone_by(undo: Callable[[], object]) -> Iterator[None]:
    """Call `undo` if what is done inside fails; an interrupt leaves as much behind."""
    try:
        yield
    except BaseException:
        undo()
        raise
