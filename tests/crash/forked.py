"""Processes to kill, forked off one that is warm: to start anew takes each far longer."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["__main__", "tests.crash.warm"])

Say = Callable[[object], None]


class Doomed:
    """A process that says what it does until it is killed."""

    def __init__(self, work: Callable[..., None], *given: object) -> None:
        self._pipe, theirs = _PROCESSES.Pipe(duplex=False)
        self._process = _PROCESSES.Process(target=_work, args=(theirs, work, *given))
        self._process.start()
        theirs.close()

    def hear(self) -> Any:  # noqa: ANN401 - whatever it says
        """What it says next; EOFError when it is dead and all was heard."""
        return self._pipe.recv()

    def kill(self) -> list[Any]:
        """Kill it, as nothing can withstand; what it had said that was not heard yet."""
        self._process.kill()
        return list(self._rest())

    def _rest(self) -> Iterator[Any]:
        while True:
            try:
                yield self._pipe.recv()
            except EOFError:  # the last may have been cut off
                return

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()


def _work(pipe: Connection, work: Callable[..., None], *given: object) -> None:
    work(pipe.send, *given)


@contextmanager
def doomed(work: Callable[..., None], *given: object) -> Iterator[Doomed]:
    """A process that does `work(say, *given)`, and is gone in the end."""
    process = Doomed(work, *given)
    try:
        yield process
    finally:
        process.end()
