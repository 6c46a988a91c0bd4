"""Interrupts a call at a chosen line of the store, as Ctrl-C would, without any timing."""

from __future__ import annotations

import _thread
import gc
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import scrubjay.store.embedded

STORE = str(Path(scrubjay.store.embedded.__file__).parent)


class _Bell:
    """`bell[SIGINT]` notes that a signal has come, and does nothing more.

    An index, not a call: after a call the interpreter looks for signals, and the handler would
    run inside the tracer. So it runs where a real one may: at the next such place in the store.
    """

    __getitem__ = staticmethod(_thread.interrupt_main)


def _run(call: Callable[[], object], moment: int = 0) -> list[tuple[str, int]]:
    """Run a call, interrupted when it comes to its `moment`-th line; the lines it came to."""
    came_to: list[tuple[str, int]] = []
    bell = _Bell()

    def within(frame: FrameType, event: str, _: object) -> object:
        if event == "line":
            came_to.append((frame.f_code.co_filename, frame.f_lineno))
            if len(came_to) == moment:
                sys.settrace(None)  # or the handler would run at the tracer's next call
                bell[signal.SIGINT]
        return within

    def entered(frame: FrameType, _event: str, _: object) -> object:
        return within if frame.f_code.co_filename.startswith(STORE) else None

    before = sys.gettrace()
    # What others hang on the collector may run between two lines, and would take the interrupt.
    gc.disable()
    sys.settrace(entered)  # type: ignore[arg-type]
    try:
        call()
    finally:
        sys.settrace(before)
        gc.enable()
    return came_to


def moments_of(call: Callable[[], object], *, repeats_max: int = 2) -> list[int]:
    """When, counted in lines, a call comes to each line of the store; the first few times."""
    seen: Counter[tuple[str, int]] = Counter()
    moments = []
    for moment, line in enumerate(_run(call), start=1):
        seen[line] += 1
        if seen[line] <= repeats_max:
            moments.append(moment)
    return moments


def interrupted(call: Callable[[], object], moment: int) -> bool:
    """Run a call with an interrupt at its `moment`-th line; whether it was cut off."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        _run(call, moment)
    except KeyboardInterrupt:
        return True
    finally:
        signal.signal(signal.SIGINT, handler)
    return False
