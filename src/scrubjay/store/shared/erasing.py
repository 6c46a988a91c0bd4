"""Takes units out of every table, in one order and by statements of the same names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from scrubjay.store.base import PreparedUnit
from scrubjay.store.shared.links import LinkRows, move_causal, unlink
from scrubjay.store.shared.replacing import Move
from scrubjay.store.shared.unit_rows import Carried
from scrubjay.types.outcomes import Erasure
from scrubjay.types.values import EntityId, UnitId


@dataclass(frozen=True, slots=True)
class Replaced:
    """What updated units keep, and the entities and sessions that their old rows held up."""

    kept: dict[UnitId, Carried]
    touched: set[int]
    sessions: list[int]

    def carried_by(self, batch: Sequence[PreparedUnit]) -> list[Carried | None]:
        """What each unit of a batch keeps; None where it is new."""
        return [None if p.replaces is None else self.kept[p.replaces] for p in batch]


class Statements(Protocol):
    """Runs a bank's statements by their names, which both stores share; a list is one value."""

    def rows(self, name: str, *values: object) -> list[Any]: ...
    def run(self, name: str, *values: object) -> int: ...


class Eraser(ABC):
    """Removes rows and everything that only they held up, inside the caller's transaction."""

    # What takes rows out of the tables that have one for each unit, beside their vectors.
    DROPPING: tuple[str, ...] = ("delete_next_vectors", "delete_tags", "delete_units")

    def __init__(self, statements: Statements, links: LinkRows) -> None:
        self._statements = statements
        self._links = links

    @abstractmethod
    def _unmention(self, rows: Sequence[int]) -> Counter[int]:
        """Take units out of the mentions; how many of each entity went."""

    @abstractmethod
    def _drop_words(self, rows: Sequence[int]) -> int:
        """Take units out of what is counted of their words; how many words they held."""

    def _column(self, name: str, *values: object) -> list[Any]:
        return [found for (found,) in self._statements.rows(name, *values)]

    def erase(
        self,
        rows: Mapping[UnitId, int],
        *,
        names: bool = False,
        session: str | None = None,
        entity: EntityId | str | None = None,
    ) -> Erasure:
        """Remove units for good; counts of what went with them.

        With `names`, sessions and entities the caller named go too when nothing holds them up:
        those of these units, and `session` and `entity`.
        """
        ids, gone = list(rows), sorted(rows.values())
        spoken = self._column("sessions_of_rows", gone)
        links = unlink(self._links, gone)
        mentioned = self._unmention(gone)
        related = self._statements.rows("delete_relations_of_rows", gone)
        words = self._drop_words(gone)
        bridged = self._bridge(ids)
        self._statements.run("delete_judgements", ids)
        vectors = self._drop_rows(gone)
        told = "unmentioned_by_alias" if isinstance(entity, str) else "unmentioned_by_number"
        named = self._column(told, entity)
        for number in named:
            related += self._statements.rows("delete_relations_of_entity", number)
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
            sessions=self._statements.run(
                "delete_empty_sessions", spoken if names else [], session
            ),
            left_closed=tuple(
                self._column("without_successor", sorted(bridged)) if bridged else ()
            ),
        )

    def _bridge(self, ids: Sequence[UnitId]) -> set[str]:
        """Join what units that go superseded with what superseded them; the former."""
        before = set[str]()
        for unit in self._column("in_lineage", list(ids)):
            before.update(self._column("bridge_superseded", unit))
            self._statements.run("bridge_superseding", unit)
        return before

    def _drop_rows(self, rows: list[int]) -> int:
        """Remove the rows themselves, their tags and vectors; how many vectors there were."""
        vectors = self._statements.run("delete_vectors", rows)
        for name in self.DROPPING:
            self._statements.run(name, rows)
        return vectors

    def _drop_orphans(self, entities: set[int], *, explicit: bool) -> int:
        """Remove entities that nothing mentions or relates any more; how many.

        Those the caller named outright only if `explicit`.
        """
        orphans = self._column("orphan_entities", sorted(entities), explicit) if entities else []
        if orphans:
            self._statements.run("delete_aliases", orphans)
            self._statements.run("delete_entities", orphans)
        return len(orphans)

    def replace_all(self, moves: Mapping[int, Move]) -> Replaced:
        """Clear the way for units' new rows; `moves` gives each old row its new one."""
        if not moves:
            return Replaced({}, set(), [])
        carried: dict[UnitId, Carried] = {}
        touched: set[int] = set()
        spoken = self._column("sessions_of_rows", list(moves))
        # All at once: a word that two of them shared is known to be unused only together.
        self._drop_words(list(moves))
        for row, move in moves.items():
            kept, entities = self._replace(row, move)
            # The far end of a causal edge may be moving too.
            causal = tuple(
                (moves[other].row if other in moves else other, kind, weight)
                for other, kind, weight in kept.causal
            )
            carried[move.unit] = kept._replace(causal=causal)
            touched |= entities
        return Replaced(carried, touched, spoken)

    def _replace(self, row: int, move: Move) -> tuple[Carried, set[int]]:
        ((supersedes, superseded_by, created_at),) = self._statements.rows("lineage", row)
        causal = move_causal(self._links, row, move.row, move.anew)
        unlink(self._links, [row])
        touched = set(self._unmention([row]))
        if "text" in move.anew:
            read = self._statements.rows("delete_read_relations", [row])
            touched.update(end for ends in read for end in ends)
        if "relations" in move.anew:
            related = self._statements.rows("delete_relations_of_rows", [row])
            touched.update(end for ends in related for end in ends)
        else:
            self._statements.run("move_relation_rows", move.row, row)
        self._drop_rows([row])
        return Carried(move.unit, supersedes, superseded_by, created_at, causal), touched

    def drop_unheld(self, replaced: Replaced) -> None:
        """Remove the entities and sessions that only the old rows held up."""
        self._drop_orphans(replaced.touched, explicit=False)
        if replaced.sessions:
            self._statements.run("delete_empty_sessions", replaced.sessions, None)
