"""Child processes made by fork, what they say, and faults put into them at a chosen line."""

from __future__ import annotations

import linecache
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

import scrubjay

PACKAGE = str(Path(scrubjay.__file__).parent)
# Where a change is written down, and where most of it can be cut off: reading the text of one
# takes ten times as many lines.
STORE = str(Path(PACKAGE, "store", "embedded"))

# A child that says nothing for so long is stuck.
STUCK_S = 120.0

Say = Callable[[object], None]


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that a child let escape, as text."""

    kind: str
    story: str


class Child:
    """A forked process that runs `work(say)`; what it says can be heard until it ends.

    Nothing of scrubjay is open in the process that forks, so the child starts as a fresh one
    would, without the second that importing takes.
    """

    def __init__(self, work: Callable[[Say], None]) -> None:
        self._pipe, mouth = Pipe(duplex=False)
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self._pipe.close()
            _live(work, mouth)
        mouth.close()
        self._ended: int | None = None

    def hear(self, timeout_s: float = STUCK_S) -> Iterator[object]:
        """What it says, until it has ended or is silent for too long."""
        while self._pipe.poll(timeout_s):
            try:
                yield self._pipe.recv()
            except (EOFError, OSError):
                return

    def silent(self) -> bool:
        """Whether nothing can be heard just now."""
        return not self._pipe.poll(0)

    @property
    def pipe(self) -> Connection:
        return self._pipe

    def kill(self) -> None:
        self.interrupt(signal.SIGKILL)

    def interrupt(self, number: signal.Signals) -> None:
        if self._ended is None:
            os.kill(self.pid, number)

    def ended(self) -> int | None:
        """Its exit code if it has ended, negative for a signal."""
        if self._ended is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._ended = os.waitstatus_to_exitcode(status)
        return self._ended

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        if self._ended is None:
            self._ended = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self._ended

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait()
        self._pipe.close()


def _live(work: Callable[[Say], None], mouth: Connection) -> None:
    code = 1
    try:
        work(mouth.send)
        code = 0
    # Whatever the child was not ready for is told to its parent.
    except BaseException as error:  # noqa: BLE001
        mouth.send(Raised(type(error).__name__, traceback.format_exc(limit=-6)))
    finally:
        mouth.close()
        os._exit(code)


class AtLine:
    """Counts the lines of scrubjay that this thread runs, and acts at one of them, or soon after.

    It does so once, at `line`, counted from 1; 0 is never.
    """

    def __init__(self, line: int, act: Callable[[], None], within: str = PACKAGE) -> None:
        self.seen = 0
        self.where = ""
        self._line, self._act, self._within = line, act, within

    def _on_call(self, frame: FrameType, _event: str, _argument: object) -> object:
        return self._on_line if frame.f_code.co_filename.startswith(self._within) else None

    def _on_line(self, frame: FrameType, event: str, _argument: object) -> object:
        if event == "line":
            self.seen += 1
            if self._line and self.seen >= self._line and not self.where and _interruptible(frame):
                place = frame.f_code.co_filename.removeprefix(PACKAGE)
                self.where = f"{place}:{frame.f_lineno}"
                self._act()
        return self._on_line

    def __enter__(self) -> Self:
        sys.settrace(self._on_call)  # type: ignore[arg-type]
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        sys.settrace(None)


def _interruptible(frame: FrameType) -> bool:
    """Whether a signal could strike here.

    The line of a `with` is also shown when its block is left, before what it holds is let go of.
    There no signal is looked for, so none may strike.
    """
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    return not line.lstrip().startswith("with ")


def interrupt() -> None:
    """What Ctrl-C does, here and now."""
    raise KeyboardInterrupt


def run_out() -> None:
    """What a lack of memory does, here and now."""
    raise MemoryError


def die() -> None:
    """What kill -9 does, here and now."""
    os.kill(os.getpid(), signal.SIGKILL)


class AtMoment:
    """Raises KeyboardInterrupt from a signal handler after some seconds of real time."""

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s

    def __enter__(self) -> Self:
        signal.signal(signal.SIGALRM, lambda *_: interrupt())
        signal.setitimer(signal.ITIMER_REAL, max(self._after_s, 1e-5))
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)


def measured(work: Callable[[], object], within: str = PACKAGE) -> tuple[int, float]:
    """How many lines of scrubjay some work runs, and about its seconds without counting."""
    started = time.perf_counter()
    with AtLine(0, interrupt, within) as counted:
        work()
    # Tracing makes it about five times as slow.
    return counted.seen, (time.perf_counter() - started) / 5
