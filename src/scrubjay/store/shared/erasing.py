"""Takes units out of every table: the order of it, in which each store makes every step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scrubjay.store.base import PreparedUnit
from scrubjay.store.shared.links import LinkRows, move_causal, unlink
from scrubjay.store.shared.replacing import Move
from scrubjay.store.shared.unit_rows import Carried
from scrubjay.types import Erasure, UnitId

Ends = tuple[int, int]  # the two entities of a relation


@dataclass(frozen=True, slots=True)
class Replaced:
    """What updated units keep, and the entities and sessions that their old rows held up."""

    kept: dict[UnitId, Carried]
    touched: set[int]
    sessions: list[int]

    def carried_by(self, batch: Sequence[PreparedUnit]) -> list[Carried | None]:
        """What each unit of a batch keeps; None where it is new."""
        return [None if p.replaces is None else self.kept[p.replaces] for p in batch]


class Eraser(ABC):
    """Removes rows and everything that only they held up, inside the caller's transaction."""

    def __init__(self, links: LinkRows) -> None:
        self._links = links

    @abstractmethod
    def _sessions_of(self, rows: Sequence[int]) -> list[int]:
        """The sessions that some units were told in."""

    @abstractmethod
    def _unmention(self, rows: Sequence[int]) -> Counter[int]:
        """Take units out of the mentions; how many of each entity went."""

    @abstractmethod
    def _unrelate(self, rows: Sequence[int]) -> list[Ends]:
        """Remove the relations that units told; their ends."""

    @abstractmethod
    def _unrelate_entity(self, entity: int) -> list[Ends]:
        """Remove the relations of an entity; their ends."""

    @abstractmethod
    def _unmentioned(self, alias: str | None) -> list[int]:
        """The entities that answer to a name, and that nobody mentions."""

    @abstractmethod
    def _drop_words(self, rows: Sequence[int]) -> int:
        """Take units out of what is counted of their words; how many words they held."""

    @abstractmethod
    def _bridge(self, ids: Sequence[UnitId]) -> set[str]:
        """Join what units that go superseded with what superseded them; the former."""

    @abstractmethod
    def _without_successor(self, ids: Iterable[str]) -> list[UnitId]:
        """Those of some units that nothing supersedes any more."""

    @abstractmethod
    def _drop_rows(self, rows: Sequence[int]) -> int:
        """Remove the rows themselves, their tags and vectors; how many vectors there were."""

    @abstractmethod
    def _drop_orphans(self, entities: set[int], *, explicit: bool) -> int:
        """Remove entities that nothing mentions or relates any more; how many.

        Those the caller named outright only if `explicit`.
        """

    @abstractmethod
    def _drop_sessions(self, sessions: Sequence[int], name: str | None) -> int:
        """Remove those of some sessions that have no unit any more; how many."""

    @abstractmethod
    def _lineage(self, row: int) -> tuple[str | None, str | None, int]:
        """What a unit supersedes, what superseded it, and when it was made."""

    @abstractmethod
    def _move_relations(self, row: int, new_row: int) -> None:
        """Let the relations that a unit told be its new row's."""

    def erase(
        self,
        rows: Mapping[UnitId, int],
        *,
        names: bool = False,
        session: str | None = None,
        entity: str | None = None,
    ) -> Erasure:
        """Remove units for good; counts of what went with them.

        With `names`, sessions and entities the caller named go too when nothing holds them up:
        those of these units, and `session` and `entity`.
        """
        ids, gone = list(rows), sorted(rows.values())
        spoken = self._sessions_of(gone)
        links = unlink(self._links, gone)
        mentioned = self._unmention(gone)
        related = self._unrelate(gone)
        words = self._drop_words(gone)
        bridged = self._bridge(ids)
        vectors = self._drop_rows(gone)
        named = self._unmentioned(entity)
        for number in named:
            related += self._unrelate_entity(number)
        touched = {*mentioned, *named, *(end for ends in related for end in ends)}
        return Erasure(
            units=len(rows),
            vectors=vectors,
            words=words,
            links=links,
            mentions=sum(mentioned.values()),
            entities=self._drop_orphans(touched, explicit=names),
            relations=len(related),
            compacted=False,
            ids=tuple(ids),
            sessions=self._drop_sessions(spoken if names else [], session),
            left_closed=tuple(self._without_successor(bridged)),
        )

    def replace_all(self, moves: Mapping[int, Move]) -> Replaced:
        """Clear the way for units' new rows; `moves` gives each old row its new one."""
        if not moves:
            return Replaced({}, set(), [])
        carried: dict[UnitId, Carried] = {}
        touched: set[int] = set()
        spoken = self._sessions_of(list(moves))
        # All at once: a word that two of them shared is known to be unused only together.
        self._drop_words(list(moves))
        for row, move in moves.items():
            kept, entities = self._replace(row, move)
            # The far end of a causal edge may be moving too.
            causal = tuple(
                (moves[other].row if other in moves else other, kind, weight)
                for other, kind, weight in kept.causal
            )
            carried[move.unit] = replace(kept, causal=causal)
            touched |= entities
        return Replaced(carried, touched, spoken)

    def _replace(self, row: int, move: Move) -> tuple[Carried, set[int]]:
        supersedes, superseded_by, created_at = self._lineage(row)
        causal = move_causal(self._links, row, move.row, move.anew)
        unlink(self._links, [row])
        touched = set(self._unmention([row]))
        if "relations" in move.anew:
            touched.update(end for ends in self._unrelate([row]) for end in ends)
        else:
            self._move_relations(row, move.row)
        self._drop_rows([row])
        return Carried(move.unit, supersedes, superseded_by, created_at, causal), touched

    def drop_unheld(self, replaced: Replaced) -> None:
        """Remove the entities and sessions that only the old rows held up."""
        self._drop_orphans(replaced.touched, explicit=False)
        if replaced.sessions:
            self._drop_sessions(replaced.sessions, None)
