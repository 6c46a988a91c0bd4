"""Says on standard error what a long run is doing."""

from __future__ import annotations

import sys
import time

_started = time.monotonic()


def say(text: str) -> None:
    """One line with the seconds since the program began."""
    sys.stderr.write(f"[{time.monotonic() - _started:6.1f}s] {text}\n")
    sys.stderr.flush()
