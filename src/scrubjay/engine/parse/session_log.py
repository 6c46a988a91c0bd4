"""The session log as the date grammar takes it, read only when a question speaks of sessions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import overload

from scrubjay.language.dates import SessionSpan
from scrubjay.settings import SESSION_PAUSE_MINUTES
from scrubjay.store.base import BankReader, SessionTimes
from scrubjay.store.shared.times import from_micros, to_micros

_PAUSE_MICROS = SESSION_PAUSE_MINUTES * 60_000_000


class SessionLog(Sequence[SessionSpan]):
    """The bank's sessions, oldest first, without the one the question is asked in.

    Where the caller does not say which that is, it is the one that is going on, if any: it stands
    last in the log, and has no end.
    """

    def __init__(self, bank: BankReader, current: str | None, now: datetime) -> None:
        self._bank = bank
        self._current = current
        self._now = now

    @cached_property
    def _times(self) -> list[tuple[int, int | None]]:
        log = self._bank.session_times()
        times: list[tuple[int, int | None]] = [*zip(log.started_at, log.ended_at, strict=True)]
        if self._current is None:
            going_on = _going_on(log, to_micros(self._now))
            if going_on is not None:
                started_at, _ = times.pop(going_on)
                times.append((started_at, None))
        elif self._current in log.names:
            del times[log.names.index(self._current)]
        return times

    def __len__(self) -> int:
        return len(self._times)

    @overload
    def __getitem__(self, index: int) -> SessionSpan: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SessionSpan]: ...
    def __getitem__(self, index: int | slice) -> SessionSpan | Sequence[SessionSpan]:
        # A log is long and a question asks for a session or two of it.
        if isinstance(index, slice):
            return [_span(*times) for times in self._times[index]]
        return _span(*self._times[index])


def _going_on(log: SessionTimes, now: int) -> int | None:
    """The place of the session that nobody closed and that was active a moment ago."""
    active = (
        (last_at, place)
        for place, (last_at, is_open) in enumerate(zip(log.ended_at, log.is_open, strict=True))
        if is_open and now - _PAUSE_MICROS <= last_at <= now
    )
    return max(active, default=(0, None))[1]


def _span(started_at: int, ended_at: int | None) -> SessionSpan:
    return SessionSpan(from_micros(started_at), None if ended_at is None else from_micros(ended_at))
