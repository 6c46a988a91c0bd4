"""Whom the turns before one were about, for a pronoun that its own turn gives no name to."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scrubjay.language.names import fold
from scrubjay.store.base import BankReader, NewMention
from scrubjay.types import StoredUnit, Unit

# How many turns back "she" reaches.
_TURNS = 3
_PLACED = re.compile(r"\b(?:for|at|in|from|to|of|on|into) (\w[\w-]{0,50})")


@dataclass(slots=True)
class SpokenOf:
    """The people of each session's last turns: of the batch, and before it of the bank."""

    bank: BankReader
    place: int  # the row that the first turn of the batch will have
    _turns: dict[str, deque[Sequence[NewMention]]] = field(default_factory=dict)

    def before(self, unit: Unit) -> NewMention | None:
        """The one person that the nearest turn with people was about; None where several were."""
        if unit.session is None:
            return None
        own = None if unit.speaker is None else fold(unit.speaker)
        for mentions in reversed(self._of(unit.session)):
            people = [one for one in mentions if one.folded != own]
            sure = [one for one in people if one.kind == "person"] or people
            if sure:
                return sure[0] if len(sure) == 1 else None
        return None

    def hear(self, unit: Unit, mentions: Sequence[NewMention]) -> None:
        """Keeps whom a turn of the batch is about."""
        if unit.session is not None:
            self._of(unit.session).append(_about(unit, mentions))

    def _of(self, session: str) -> deque[Sequence[NewMention]]:
        if session not in self._turns:
            self._turns[session] = deque(self._stored(session), maxlen=_TURNS)
        return self._turns[session]

    def _stored(self, session: str) -> list[Sequence[NewMention]]:
        rows = np.arange(max(0, self.place - _TURNS), self.place, dtype=np.int64)
        units = [u for u in self.bank.hydrate_rows(rows).values() if u.session == session]
        names = {fold(name) for unit in units for name in unit.entities}
        known = {
            match.alias: NewMention(match.name, match.alias, match.kind, match.entity, (), False)
            for match in (self.bank.lookup_aliases(sorted(names)) if names else ())
            if fold(match.name) == match.alias
        }
        return [
            _about(unit, [known[name] for name in map(fold, unit.entities) if name in known])
            for unit in units
        ]


def _about(unit: Unit | StoredUnit, mentions: Sequence[NewMention]) -> list[NewMention]:
    """The people a turn is about; who speaks is "I" there, and "you" in the next."""
    own = None if unit.speaker is None else fold(unit.speaker)
    placed = {fold(name) for name in _PLACED.findall(unit.text)}
    return [
        one
        for one in mentions
        if one.folded != own
        # What follows "for" or "at" is a person only where it is known for one.
        and (one.kind == "person" or (one.kind == "name" and one.folded not in placed))
    ]
