"""What a call takes when nothing is given; light, since `import scrubjay` brings it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

DEFAULT_BANK = "default"
AUTO = "auto"  # an encoder or reranker: the bank's own, or the best that is there

Clock = Callable[[], datetime]
# Called with what is done and how much there is in all (0 when that is not known yet).
Progress = Callable[[int, int], None]


def utc_now() -> datetime:
    """The default clock."""
    return datetime.now(UTC)


def no_progress(_done: int, _total: int) -> None:
    """Reports to nobody."""
