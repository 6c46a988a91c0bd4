"""Decides whether a read may go to the replica, and says so when it may not."""

from __future__ import annotations

import logging
import time

from scrubjay.store.postgres.connection.faults import ERRORS
from scrubjay.store.postgres.connection.pool import Pool
from scrubjay.store.statements import statements

REGISTRY = statements("scrubjay.store.postgres", "registry_queries.sql")

logger = logging.getLogger("scrubjay.postgres")

# How long the replica's last answer about itself is believed, in seconds.
_BELIEVED_S = 0.5
# How long a replica that failed is left alone, in seconds.
_SHUNNED_S = 2.0
_NOWHERE = "0/0"


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
        self._was_near = False
        self._fit_until = 0.0
        self._unfit_until = 0.0

    def written(self, bank: int, position: str) -> None:
        """Note that this process wrote to a bank; the replica must have come that far."""
        self._written[bank] = position

    def failed(self, error: BaseException) -> None:
        """Note that the replica did not answer."""
        self._pass_over(f"it does not answer ({type(error).__name__}: {error})")

    async def fit_to_read(self, bank: int) -> bool:
        """Whether the replica is up, near enough, and has what this process wrote to the bank."""
        now = time.monotonic()
        if now < self._unfit_until:
            return False
        if now < self._fit_until and bank not in self._written:
            return True
        position = self._written.get(bank, _NOWHERE)
        if self._mark[0] == _NOWHERE:
            await self._take_mark(now)
        try:
            async with self.pool.connection(None) as (connection, _):
                state = await connection.fetch(REGISTRY["replica_state"], position, self._mark[0])
        except ERRORS as error:
            self.failed(error)
            return False
        ((has_ours, at_mark),) = state
        lag_s = 0.0 if at_mark else now - self._mark[1]
        if lag_s > self._lag_max_s:
            self._pass_over(f"it is {lag_s:.1f} s behind")
            return False
        if at_mark:
            self._was_near = True
            await self._take_mark(now)
        if not self._was_near:
            return False  # how old it is cannot be told before it was once where the primary was
        if has_ours:
            if self._written.get(bank) == position:
                del self._written[bank]
            self._take_up(now)
        return bool(has_ours)  # if not, it will in a moment; meanwhile the primary has it

    async def _take_mark(self, now: float) -> None:
        try:
            async with self._primary.connection(None) as (connection, _):
                self._mark = (str(await connection.fetchval(REGISTRY["position"])), now)
        except ERRORS:
            # Without a primary nothing is written that the replica could lack.
            self._mark = (_NOWHERE, now)

    def _take_up(self, now: float) -> None:
        if self._reason is not None:
            logger.warning("reads go to the replica again")
            self._reason = None
        self._fit_until = now + _BELIEVED_S

    def _pass_over(self, reason: str) -> None:
        if self._reason is None:
            logger.warning("reads go to the primary: the replica is passed over, %s", reason)
        self._reason = reason
        self._unfit_until = time.monotonic() + _SHUNNED_S
