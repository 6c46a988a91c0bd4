"""The session log as the date grammar takes it, read only when a question speaks of sessions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import overload

from scrubjay.language.dates import SessionSpan
from scrubjay.store.base import BankReader


class SessionLog(Sequence[SessionSpan]):
    """The bank's sessions, oldest first, without the one the question is asked in."""

    def __init__(self, bank: BankReader, current: str | None) -> None:
        self._bank = bank
        self._current = current

    @cached_property
    def _spans(self) -> list[SessionSpan]:
        return [
            SessionSpan(session.started_at, session.ended_at or session.last_at)
            for session in self._bank.sessions()
            if session.name != self._current
        ]

    def __len__(self) -> int:
        return len(self._spans)

    @overload
    def __getitem__(self, index: int) -> SessionSpan: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SessionSpan]: ...
    def __getitem__(self, index: int | slice) -> SessionSpan | Sequence[SessionSpan]:
        return self._spans[index]
