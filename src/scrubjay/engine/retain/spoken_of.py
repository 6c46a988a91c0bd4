"""Whom the turns before one were about, for a pronoun that its own turn gives no name to."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from scrubjay.language.names import fold
from scrubjay.store.base import BankReader, NewMention
from scrubjay.types.units import StoredUnit, Unit

# How many turns back "she" reaches.
_TURNS = 3
_PLACED = re.compile(r"\b(?:for|at|in|from|to|of|on|into) (\w[\w-]{0,50})")


_Turn = tuple[Unit, Sequence[NewMention]]


@dataclass(slots=True)
class SpokenOf:
    """The people of each session's last turns: of the batch, and before it of the bank."""

    bank: BankReader
    place: int  # the row that the first turn of the batch will have
    # Few turns have such a pronoun: what the others said is read when one of those asks for it.
    _heard: dict[str, deque[_Turn]] = field(default_factory=dict)
    _before: dict[str, list[Sequence[NewMention]]] = field(default_factory=dict)

    def before(self, unit: Unit) -> NewMention | None:
        """The one person that the nearest turn with people was about; None where several were."""
        if unit.session is None:
            return None
        own = None if unit.speaker is None else fold(unit.speaker)
        for mentions in self._newest_first(unit.session):
            people = [one for one in mentions if one.folded != own]
            sure = [one for one in people if one.kind == "person"] or people
            if sure:
                return sure[0] if len(sure) == 1 else None
        return None

    def hear(self, unit: Unit, mentions: Sequence[NewMention]) -> None:
        """Keeps what a turn of the batch said."""
        if unit.session is not None:
            turns = self._heard.get(unit.session)
            if turns is None:
                turns = self._heard[unit.session] = deque(maxlen=_TURNS)
            turns.append((unit, mentions))

    def _newest_first(self, session: str) -> Iterator[Sequence[NewMention]]:
        heard = self._heard.get(session, ())
        for unit, mentions in reversed(heard):
            yield _about(unit, mentions)
        if len(heard) < _TURNS:
            if session not in self._before:
                self._before[session] = self._stored(session)
            yield from self._before[session][::-1][: _TURNS - len(heard)]

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
