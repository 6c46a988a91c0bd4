"""The session log as the date grammar takes it, read only when a question speaks of sessions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import overload

from scrubjay.language.dates import SessionSpan
from scrubjay.store.base import BankReader
from scrubjay.store.shared.times import from_micros


class SessionLog(Sequence[SessionSpan]):
    """The bank's sessions, oldest first, without the one the question is asked in."""

    def __init__(self, bank: BankReader, current: str | None) -> None:
        self._bank = bank
        self._current = current

    @cached_property
    def _times(self) -> list[tuple[int, int]]:
        log = self._bank.session_times()
        times = list(zip(log.started_at, log.ended_at, strict=True))
        if self._current in log.names:
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


def _span(started_at: int, ended_at: int) -> SessionSpan:
    return SessionSpan(from_micros(started_at), from_micros(ended_at))
