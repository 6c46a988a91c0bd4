"""Whether the store answers, asked seldom however often anyone wants to know."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine

# Anyone may ask without a key, so that the answer must cost next to nothing.
_FRESH_SECONDS = 1.0


class Readiness:
    """Remembers for a moment that the store answered; all who ask meanwhile share one look."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._good_until = float("-inf")
        self._look: asyncio.Future[None] | None = None

    async def check(self, look: Callable[[], Coroutine[None, None, None]]) -> None:
        """Nothing when the store answers; what `look` raises when it does not."""
        if self._clock() < self._good_until:
            return
        if self._look is None or self._look.done():
            self._look = asyncio.ensure_future(look())
            # Those who asked may be gone before it fails.
            self._look.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        await asyncio.shield(self._look)
        self._good_until = self._clock() + _FRESH_SECONDS
