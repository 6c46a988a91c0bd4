"""Decides whether a read may go to the replica, and says so when it may not."""

from __future__ import annotations

import asyncio
import logging
import time

from scrubjay.store.postgres.connection.faults import ERRORS, is_down
from scrubjay.store.postgres.connection.pool import Pool
from scrubjay.store.shared.statements import statements

REGISTRY = statements("scrubjay.store.postgres", "registry_queries.sql")

logger = logging.getLogger("scrubjay.postgres")

# How long the replica's last answer about itself is believed, in seconds.
_BELIEVED_S = 0.5
# How long a server that failed is left alone by reads, in seconds.
_SHUNNED_S = 2.0
_NOWHERE = "0/0"
# Written to, but where is not known: the commit's answer did not arrive.
_SOMEWHERE = "FFFFFFFF/FFFFFFFF"


class Replica:
    """A second server for reading; what this process wrote is never missing from its answers."""

    def __init__(self, pool: Pool, primary: Pool, lag_max_s: float) -> None:
        self.pool = pool
        self._primary = primary
        self._lag_max_s = lag_max_s
        self._reason: str | None = None  # why it is passed over; None while it is read from
        self._written: dict[int, str] = {}
        # Where the primary was, and when; the replica's lag is since when it has not been there.
        self._mark = (_NOWHERE, time.monotonic())
        self._marking: asyncio.Task[None] | None = None
        self._was_near = False
        self._fit_until = 0.0
        self._unfit_until = 0.0
        self._behind = False  # passed over for its age, not for its silence
        self._alone = False  # while the primary does not answer
        self._look_again_at = 0.0
        self._there_at = time.monotonic()  # when the primary last answered

    def writing(self, bank: int) -> None:
        """Note that this process is about to commit to a bank."""
        self._written[bank] = _SOMEWHERE

    def written(self, bank: int, position: str) -> None:
        """Note how far the replica must have come to have what was written to a bank."""
        self._written[bank] = position

    def failed(self, error: BaseException) -> None:
        """Note that the replica did not answer."""
        self._pass_over(f"it does not answer ({type(error).__name__}: {error})")

    def stands_alone(self) -> bool:
        """Whether the primary did not answer when it was last asked; it is asked again soon."""
        if self._alone:
            self._look_soon()
        return self._alone

    def primary_failed(self) -> None:
        """Note that the primary does not answer: reads go to the replica, however old it is."""
        if not self._alone:
            logger.warning("the primary does not answer; reads go to the replica, writes fail")
            if self._behind:
                self._unfit_until = 0.0
        self._alone = True
        self._look_again_at = time.monotonic() + _SHUNNED_S

    def primary_answered(self) -> None:
        """Note that the primary is there."""
        if self._alone:
            logger.warning("the primary answers again")
            self._alone = False
        self._there_at = time.monotonic()

    def primary_silent_ms(self) -> float | None:
        """How long ago the primary was last known to be there; None while it is."""
        return (time.monotonic() - self._there_at) * 1e3 if self._alone else None

    async def fit_to_read(self, bank: int | None) -> bool:
        """Whether the replica is up, near enough, and has what this process wrote to the bank.

        Without a primary to compare it with it is near enough.
        """
        now = time.monotonic()
        if now < self._unfit_until:
            return False
        if now < self._fit_until and bank not in self._written:
            return True
        position = _NOWHERE if bank is None else self._written.get(bank, _NOWHERE)
        if not self._alone and self._mark[0] == _NOWHERE:
            await self._take_mark()
        try:
            async with self.pool.connection(None, 1) as (connection, _):
                state = await connection.fetch(REGISTRY["replica_state"], position, self._mark[0])
        except ERRORS as error:
            self.failed(error)
            return False
        ((has_ours, at_mark),) = state
        if not self.stands_alone() and not self._near(at_mark, now):
            return False
        if has_ours:
            if bank is not None and self._written.get(bank) == position:
                del self._written[bank]
            self._take_up(now)
        elif position == _SOMEWHERE and not self._alone:
            await self._take_mark()
            if not self._alone and bank is not None:
                self._written[bank] = self._mark[0]
        return bool(has_ours)  # if not, it will in a moment; meanwhile the primary has it

    def _near(self, at_mark: bool, now: float) -> bool:
        lag_s = 0.0 if at_mark else now - self._mark[1]
        if lag_s > self._lag_max_s:
            self._pass_over(f"it is {lag_s:.1f} s behind", behind=True)
            return False
        if at_mark and self._mark[0] != _NOWHERE:
            self._was_near = True
            self._look_soon()
        # How old it is cannot be told before it was once where the primary was.
        return self._was_near

    def _look_soon(self) -> None:
        """Ask the primary where it is, beside whoever reads meanwhile."""
        if self._marking is None or self._marking.done():
            if self._alone and time.monotonic() < self._look_again_at:
                return
            self._marking = asyncio.ensure_future(self._take_mark())

    async def _take_mark(self) -> None:
        now = time.monotonic()
        try:
            async with self._primary.connection(None, 1) as (connection, _):
                self._mark = (await self._primary.position(connection), now)
        except ERRORS as error:
            if is_down(error):
                self.primary_failed()
        else:
            self.primary_answered()

    def _take_up(self, now: float) -> None:
        if self._reason is not None:
            logger.warning("reads go to the replica again")
            self._reason = None
        self._fit_until = now + _BELIEVED_S

    def _pass_over(self, reason: str, *, behind: bool = False) -> None:
        if self._reason is None:
            logger.warning("reads go to the primary: the replica is passed over, %s", reason)
        self._reason, self._behind = reason, behind
        self._unfit_until = time.monotonic() + _SHUNNED_S
