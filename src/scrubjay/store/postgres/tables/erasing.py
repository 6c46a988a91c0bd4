"""Takes units out of every table, inside the caller's transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scrubjay.store.lineage import Move
from scrubjay.store.postgres.scoping import SQL
from scrubjay.store.postgres.tables.asking import BankSession
from scrubjay.store.postgres.tables.entity_table import drop_orphans
from scrubjay.store.postgres.tables.link_table import move_causal, unlink
from scrubjay.store.postgres.tables.postings import BLOCK_ROWS, without_rows
from scrubjay.store.postgres.tables.saving import Carried
from scrubjay.types import UnitId


@dataclass(frozen=True, slots=True)
class Erased:
    """How much went, by table; `links` counts edges, each once."""

    vectors: int
    words: int
    links: int
    mentions: int
    entities: int
    relations: int
    sessions: int
    left_closed: tuple[UnitId, ...] = ()  # what was superseded by units that went, and by no other


@dataclass(frozen=True, slots=True)
class Replaced:
    """What updated units keep, and the entities and sessions that their old rows held up."""

    kept: dict[UnitId, Carried]
    touched: set[int]
    sessions: list[int]


class Eraser:
    """Removes rows and everything that only they held up."""

    def __init__(self, session: BankSession) -> None:
        self._session = session

    def erase(
        self,
        rows: Sequence[int],
        ids: Sequence[UnitId],
        *,
        names: bool = False,
        session: str | None = None,
        entity: str | None = None,
    ) -> Erased:
        """Remove units for good; counts of what went with them.

        With `names`, sessions and entities the caller named go too when nothing holds them up:
        those of these units, and `session` and `entity`.
        """
        bank = self._session
        spoken = [number for (number,) in bank.rows(SQL["sessions_of_rows"], list(rows))]
        links = unlink(bank, rows)
        mentioned = self._unmention(rows)
        related = bank.rows(SQL["delete_relations_of_rows"], list(rows))
        words = self._drop_words(rows)
        bridged = self._bridge(ids)
        vectors = self._drop_rows(rows)
        named = [number for (number,) in bank.rows(SQL["unmentioned_by_alias"], entity)]
        for number in named:
            related = [*related, *bank.rows(SQL["delete_relations_of_entity"], number)]
        touched = {*mentioned, *named, *(end for ends in related for end in ends)}
        entities = drop_orphans(bank, touched, explicit=names)
        sessions = bank.run(SQL["delete_empty_sessions"], spoken if names else [], session)
        mentions = sum(mentioned.values())
        found = bank.rows(SQL["without_successor"], sorted(bridged)) if bridged else []
        left_closed = tuple(UnitId(unit) for (unit,) in found)
        return Erased(
            vectors, words, links, mentions, entities, len(related), sessions, left_closed
        )

    def _bridge(self, ids: Sequence[UnitId]) -> set[str]:
        """Join what units that go superseded with what superseded them; the former."""
        session, before = self._session, set[str]()
        for (unit,) in session.rows(SQL["in_lineage"], list(ids)):
            before.update(old for (old,) in session.rows(SQL["bridge_superseded"], unit))
            session.run(SQL["bridge_superseding"], unit)
        return before

    def replace_all(self, moves: Mapping[int, Move]) -> Replaced:
        """Clear the way for units' new rows; `moves` gives each old row its new one."""
        carried: dict[UnitId, Carried] = {}
        touched: set[int] = set()
        if not moves:
            return Replaced(carried, touched, [])
        spoken = self._session.rows(SQL["sessions_of_rows"], list(moves))
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
        return Replaced(carried, touched, [number for (number,) in spoken])

    def drop_unheld(self, replaced: Replaced) -> None:
        """Remove the entities and sessions that only the old rows held up."""
        drop_orphans(self._session, replaced.touched)
        if replaced.sessions:
            self._session.run(SQL["delete_empty_sessions"], replaced.sessions, None)

    def _replace(self, row: int, move: Move) -> tuple[Carried, set[int]]:
        session = self._session
        ((supersedes, superseded_by, created_at),) = session.rows(SQL["lineage"], row)
        causal = move_causal(session, row, move)
        unlink(session, [row])
        touched = set(self._unmention([row]))
        if "relations" in move.anew:
            related = session.rows(SQL["delete_relations_of_rows"], [row])
            touched.update(end for ends in related for end in ends)
        else:
            session.run(SQL["move_relation_rows"], move.row, row)
        self._drop_rows([row])
        return Carried(move.unit, supersedes, superseded_by, created_at, causal), touched

    def _drop_rows(self, rows: Sequence[int]) -> int:
        wanted = list(rows)
        vectors = self._session.run(SQL["delete_vectors"], wanted)
        for name in ("delete_next_vectors", "delete_tags", "delete_units"):
            self._session.run(SQL[name], wanted)
        return vectors

    def _unmention(self, rows: Sequence[int]) -> Counter[int]:
        named = self._session.rows(SQL["entities_of_rows"], list(rows))
        pairs = [(entity, row) for row, entities in named for entity in entities]
        counted = Counter(entity for entity, _ in pairs)
        if pairs:
            entities, mentioning = zip(*pairs, strict=True)
            self._session.run(SQL["delete_mentions"], list(entities), list(mentioning))
            less = [-count for count in counted.values()]
            self._session.run(SQL["count_mentions"], list(counted), less)
        return counted

    def _drop_words(self, rows: Sequence[int]) -> int:
        """Take units out of the blocks of their words and of the bank's totals."""
        session = self._session
        found = session.rows(SQL["words_of_rows"], list(rows))
        terms = sorted({term for _, _, words, _ in found for term in words})
        blocks = sorted({row // BLOCK_ROWS for row in rows})
        gone = np.array(rows, np.int64)
        held = session.rows(SQL["postings_of_blocks"], terms, blocks)
        if held:
            names, numbers, packed = zip(*sorted(tuple(row) for row in held), strict=True)
            left = [without_rows(n, old, gone) for n, old in zip(numbers, packed, strict=True)]
            session.run(SQL["set_postings"], list(names), list(numbers), left)
            session.run(SQL["drop_empty_postings"], list(names), list(numbers))
            session.run(SQL["drop_vocabulary"], terms)
        length = sum(length for _, length, _, _ in found)
        session.run(SQL["count_documents"], 0, -len(found), -length)
        return sum(len(words) for _, _, words, _ in found)
