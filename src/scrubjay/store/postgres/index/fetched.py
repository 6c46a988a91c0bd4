"""What was fetched to answer a question, so that no part of it is fetched twice."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from scrubjay.store.base import EntityMentions, RelationEdge, Saying
from scrubjay.store.postgres.index.arms import Pairs, Search, SearchResults, pairs, searched
from scrubjay.store.postgres.index.columns import Along, Facts, with_more
from scrubjay.store.postgres.index.kept import Kept
from scrubjay.store.postgres.index.kept_words import NOT_HELD, NOT_KNOWN, KnownWord
from scrubjay.store.postgres.index.selection import NO_LABELS, Labels, ScopeValues
from scrubjay.store.postgres.index.vectors import cosines
from scrubjay.store.postgres.tables.asking import Ask, listed
from scrubjay.store.postgres.tables.postings import Holders
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.postgres.tables.unit_table import ids_of_rows
from scrubjay.store.postgres.tables.vector_bytes import float_bytes
from scrubjay.store.shared.other_rows import relation_edge
from scrubjay.store.shared.ranked_rows import among, distinct
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray, VectorArray
from scrubjay.types.values import EntityId, UnitId

# Facts of rows that searches found are fetched along with those asked for, up to so many.
_ALONG_MAX = 3_000
_WALK_KEEPS = 100
# The newest mentions fetched along with an entity's relations, enough for the next hop of a walk.
_MENTIONS_ALONG = 50
# Above so many rows the server adds up, instead of sending the vectors.
_VECTORS_SENT_MAX = 1_000
# Links of up to so many rows are fetched with the ids of the rows.
_NAMED_ALONG_MAX = 10
# Two cosines that the server added up may be told apart by so much where they are equal, or stand
# the wrong way round. A sum of 384 numbers was off by 1.2e-7.
_DOUBT = 5e-7
# Up to so many rows of a window are compared with the question along with other facts.
_COMPARED_ALONG_MAX = 2_000
# A bank that is asked many questions while it is open does not keep the words and facts of all.
_POSTINGS_KEPT_MAX = 2_000_000
_FACTS_KEPT_MAX = 50_000
# Of up to so many entities whose mentions are asked for, the relations come along.
_RELATED_ALONG_MAX = 16
_MENTION_ARMS = ("arm_mentions", "arm_mention_vectors", "arm_named_mentions")
_NO_ROWS = np.empty(0, np.int64)
_NO_SCORES = _NO_ROWS, np.empty(0, np.float32)

Cosines = tuple[RowArray, ScoreArray]


@dataclass(frozen=True, slots=True)
class Near:
    """One search by meaning: of which types, in which scope, how many, and what was found."""

    types: tuple[int, ...]
    scope: ScopeValues
    limit: int
    rows: RowArray
    scores: ScoreArray


@dataclass(slots=True)
class _Question:
    """The searches by meaning for one question, and how like it each row is that was seen."""

    vector: bytes
    near: list[Near] = field(default_factory=list)
    # Rows, ascending, and the cosine of each: from their vectors, and as the server added up.
    exact: Cosines = _NO_SCORES
    summed: Cosines = _NO_SCORES
    awaited: tuple[VectorArray, RowArray] | None = None  # rows that will be compared with it
    lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, rows: RowArray, scores: ScoreArray, *, exact: bool = True) -> None:
        """Remember how like some rows are; what their vectors say outweighs the server's sums."""
        with self.lock:
            if exact:
                self.exact = _with(self.exact, rows, scores)
            else:
                self.summed = _with(self.summed, rows, scores)

    def inexact(self, rows: RowArray) -> RowArray:
        """Those of some rows whose vectors were not compared."""
        return rows[~among(rows, self.exact[0])]

    def lacking(self, rows: RowArray) -> RowArray:
        """Those of some rows of which it is not known at all."""
        rows = self.inexact(rows)
        return rows[~among(rows, self.summed[0])]

    def cosines_of(self, rows: RowArray) -> ScoreArray:
        """The cosine of each row; -1 where it is not known."""
        found = np.full(len(rows), -1.0, np.float32)
        for known, scores in (self.summed, self.exact):
            there = among(rows, known)
            found[there] = scores[known.searchsorted(rows[there])]
        return found

    def in_doubt(self, rows: RowArray) -> RowArray:
        """Those of some rows whose order is not known for sure, the likest first."""
        rough = ~among(rows, self.exact[0]) & among(rows, self.summed[0])
        if not np.count_nonzero(rough):
            return _NO_ROWS
        scores = self.cosines_of(rows)
        order = np.argsort(-scores, kind="stable")
        close = np.diff(-scores[order]) <= _DOUBT
        beside = np.concatenate([close, [False]]) | np.concatenate([[False], close])
        doubtful: RowArray = rows[order[beside & rough[order]]]
        return doubtful


def _with(older: Cosines, rows: RowArray, scores: ScoreArray) -> Cosines:
    """The cosines with others; what is said last of a row holds."""
    both = np.concatenate([rows, older[0]])
    order = np.argsort(both, kind="stable")
    ordered = both[order]
    first = np.concatenate(([True], ordered[1:] != ordered[:-1]))[: len(ordered)]
    return ordered[first], np.concatenate([scores, older[1]])[order][first]


class Fetched:
    """Everything a bank fetched since it was opened or last changed; `ask` runs a statement."""

    def __init__(self, ask: Ask, kept: Kept, next_row: int) -> None:
        self._ask = ask
        self.clear(kept, next_row)

    def clear(self, kept: Kept, next_row: int) -> None:
        """Forget it all, for the bank was written to, but what is still known to hold.

        Rows before the next one are there.
        """
        self.kept = kept
        self._next_row = next_row
        self.inside: dict[ScopeValues, RowArray] = {}  # all rows of a scope, ascending
        self._facts = Facts()
        self._seen: list[RowArray] = []  # rows whose facts will be needed, in order
        self._passing: tuple[object, Pairs] = (None, pairs(b""))
        self._words: dict[str, Holders] = {}
        self._known_words: dict[str, KnownWord] = {}  # which are to be asked for the rest
        self._mentions: dict[int, tuple[int, RowArray]] = {}
        self._totals: dict[int, int] = {}
        self._relations: dict[int, list[Sequence[Any]]] = {}
        self._named: dict[int, list[int]] = {}
        self._ids: dict[int, UnitId] = {}
        self._sayings: dict[int, Saying] = {}
        self._told: dict[int, int] = {}  # by entity, of how many units it is known what they say
        self._question = _Question(b"")

    def search(self, search: Search) -> SearchResults:
        """Run a search and keep what it found."""
        known = {term: self._known_words.get(term, NOT_KNOWN) for term in search.terms}
        blocks = tuple(word.next_block for word in known.values())
        found = searched(self._ask, replace(search, terms=tuple(known), blocks=blocks))
        held = {t: word.with_later(found.words.get(t, NOT_HELD)) for t, word in known.items()}
        self._words |= held
        self.kept.words.keep(held, before=self._next_row)
        self._totals |= found.totals
        self._ids |= found.ids
        if "arm_relations" in search.arms:
            relations: dict[int, list[Sequence[Any]]] = {entity: [] for entity in search.entities}
            for forward, number, origin, *said in found.relations:
                relations[origin].append((forward, number, origin, *said))
            self._relations |= relations
        if any(arm in _MENTION_ARMS for arm in search.arms):
            self._keep_mentions(search, found)
        if "arm_named" in search.arms:
            named: dict[int, list[int]] = {row: [] for row in search.rows}
            for row, entity in found.named.tolist():
                named[row].append(entity)
            self._named |= named
        if search.vector is not None:
            self._keep_likeness(search.vector, search.entities, found)
        return found

    def _keep_likeness(
        self, vector: VectorArray, entities: Sequence[int], found: SearchResults
    ) -> None:
        question = self._about(vector)
        vectors = self.kept.vectors
        for near in found.near:
            question.keep(near.rows, cosines(near.vectors, vector))
            vectors.keep(near.rows, near.vectors)
        for rows, halves in found.beside:
            vectors.keep(rows, halves)
        if found.likened is not None:
            compared, exact = [found.likened], False
        else:
            beside, exact = found.beside or [vectors.of(distinct(found.mentions[:, 1]))], True
            compared = [(rows, cosines(halves, vector)) for rows, halves in beside if len(rows)]
        for rows, scores in compared:
            question.keep(rows, scores, exact=exact)
            # A walk keeps those most like the question, of all that mention an entity, or of those
            # that mention the first, for the first is likeliest to be meant.
            likest = rows[np.argsort(-scores, kind="stable")]
            of_first = found.mentions[found.mentions[:, 0] == entities[0], 1]
            self.will_need(likest[:_WALK_KEEPS])
            self.will_need(likest[among(likest, np.sort(of_first))][:_WALK_KEEPS])

    def _keep_mentions(self, search: Search, found: SearchResults) -> None:
        named = found.named[:, 1].tolist() if "arm_named_mentions" in search.arms else ()
        entities, rows = found.mentions[:, 0], found.mentions[:, 1]
        for entity in {*search.entities, *named}:
            if self._has_mentions(entity, search.mentions_max):
                continue
            newest_first = np.sort(rows[entities == entity])[::-1]
            self._mentions[entity] = search.mentions_max, newest_first

    def _about(self, vector: VectorArray) -> _Question:
        """The question of that vector; a new one begins when another is asked."""
        asked, question = float_bytes(vector), self._question
        if question.vector != asked:
            # Kept apart: a late search for the question before may still be writing to it.
            self._question = question = _Question(asked)
            self.inside = {}
            if len(self._facts.asked) > _FACTS_KEPT_MAX:
                self._facts = Facts()
        return question

    def near(
        self, vector: VectorArray, types: tuple[int, ...], scope: ScopeValues, limit: int
    ) -> Near | None:
        """A search by meaning that was made, for at least so many."""
        for made in self._about(vector).near:
            if made.types == types and made.scope == scope and made.limit >= limit:
                return made
        return None

    def keep_near(self, vector: VectorArray, made: Near) -> None:
        """Remember a search by meaning."""
        self._about(vector).near.append(made)

    def passing(self, rows: RowArray, scope: ScopeValues) -> MaskArray:
        """Which of many rows are in a scope; the same rows by another type are not asked again."""
        asked = scope[1:], rows.tobytes()
        before, inside = self._passing
        if before != asked:
            ((packed,),) = self._ask(SQL["rows_passing"], None, *scope[1:], listed(rows.tolist()))
            inside = pairs(packed or b"")
            self._passing = asked, inside
        if scope[0] is not None:
            inside = inside[np.isin(inside[:, 1], np.array(scope[0], np.int64))]
        return np.isin(rows, inside[:, 0])

    def will_need(self, rows: RowArray) -> None:
        """Say that the facts of some rows will be asked for soon."""
        self._seen.append(self._facts.lacking(rows))

    def will_compare(self, vector: VectorArray, rows: RowArray) -> None:
        """Say that some rows will be compared with the question, when others were looked at."""
        if len(rows) <= _COMPARED_ALONG_MAX:
            self._about(vector).awaited = vector, rows

    def holders(self, terms: Iterable[str]) -> dict[str, Holders]:
        """Who holds some words; words that nobody holds are left out."""
        wanted = set(terms)
        if sum(len(held.rows) for held in self._words.values()) > _POSTINGS_KEPT_MAX:
            self._words.clear()
        lacking = self.unknown(sorted(wanted))
        if lacking:
            self.search(Search(("arm_words",), terms=lacking))
        held = {term: self._words[term] for term in wanted}
        return {term: found for term, found in held.items() if len(found.rows)}

    def unknown(self, terms: Iterable[str]) -> tuple[str, ...]:
        """Those of some words of which it is not known who holds them."""
        lacking = tuple(term for term in terms if term not in self._words)
        for term, known in self.kept.words.of(lacking).items():
            if known.before >= self._next_row:
                self._words[term] = known.held
            else:
                self._known_words[term] = known
        return tuple(term for term in lacking if term not in self._words)

    def mentions_of(self, entities: Sequence[int], limit: int) -> EntityMentions:
        """The newest rows of each entity, at most `limit` each, and how many there are in all."""
        lacking = [e for e in dict.fromkeys(entities) if not self._has_mentions(e, limit)]
        if lacking:
            arms: tuple[str, ...] = ("arm_mentions", "arm_totals")
            if len(lacking) <= _RELATED_ALONG_MAX:
                # Who bears a name that several bear is told by both.
                arms += ("arm_relations",)
            self.search(Search(arms, entities=tuple(lacking), mentions_max=limit))
        rows = [self._mentions[entity][1][:limit] for entity in entities]
        sizes = [len(part) for part in rows]
        return EntityMentions(
            np.repeat(np.array(entities, np.int64), sizes),
            np.concatenate([_NO_ROWS, *rows]),
            {entity: self._totals[entity] for entity in entities if entity in self._totals},
        )

    def sayings_of(
        self, entities: Sequence[int], limit: int
    ) -> tuple[EntityMentions, dict[int, Saying]]:
        """The newest rows of each entity, at most `limit` each, and what they say."""
        lacking = [e for e in dict.fromkeys(entities) if self._told.get(e, 0) < limit]
        if lacking:
            arms: tuple[str, ...] = ("arm_mentions", "arm_totals", "arm_sayings")
            if len(lacking) <= _RELATED_ALONG_MAX:
                # Who bears a name that several bear is told by both.
                arms += ("arm_relations",)
            most = max(limit, _MENTIONS_ALONG)
            asked = Search(arms, entities=tuple(lacking), mentions_max=most, sayings_max=limit)
            self._sayings |= self.search(asked).sayings
            self._told |= dict.fromkeys(lacking, limit)
        found = self.mentions_of(entities, limit)
        rows: list[int] = distinct(found.rows).tolist()
        return found, {row: self._sayings[row] for row in rows if row in self._sayings}

    def _has_mentions(self, entity: int, limit: int) -> bool:
        limited, rows = self._mentions.get(entity, (0, _NO_ROWS))
        return entity in self._mentions and (limited >= limit or len(rows) < limited)

    def relations_of(self, entities: Sequence[int]) -> list[RelationEdge]:
        """Relations touching some entities, seen from them, outgoing first."""
        # A walk comes to one by two ways; asked twice, it would be told each mention twice.
        lacking = [e for e in dict.fromkeys(entities) if e not in self._relations]
        if lacking:
            # Whoever asks how entities relate asks next which units mention them.
            arms = ("arm_relations", "arm_mentions", "arm_totals")
            asked = Search(arms, entities=tuple(lacking), mentions_max=_MENTIONS_ALONG)
            self.search(asked)
        told = [edge for entity in set(entities) for edge in self._relations[entity]]
        # Outgoing first, and in the order they were told.
        told.sort(key=lambda edge: (not edge[0], edge[1]))
        return [relation_edge(said, forward=forward) for forward, _, *said in told]

    def arms_about(self, entities: Sequence[EntityId], *, with_vectors: bool) -> tuple[str, ...]:
        """The arms that fetch all a walk from some entities starts with."""
        if not entities:
            return ()
        # Of a bank that is asked on and on, the vectors are here, or soon will be.
        sent = with_vectors and not self.kept.of_vectors
        mentions = "arm_mention_vectors" if sent else "arm_mentions"
        known = all(entity in self._relations for entity in entities)
        return (*(() if known else ("arm_relations",)), mentions, "arm_totals")

    def links_of(self, rows: RowArray, mentions_max: int | None) -> list[tuple[int, bytes]]:
        """The packed edges of some rows; with `mentions_max`, what the rows mention comes along."""
        arms: tuple[str, ...] = ("arm_links",)
        asked = tuple(rows.tolist())
        if mentions_max is not None:
            arms += ("arm_named", "arm_named_mentions", "arm_named_totals")
        elif len(asked) <= _NAMED_ALONG_MAX:
            # Where the links of a few units lead is told next, by the ids of those units.
            arms += ("arm_ids",)
        found = self.search(Search(arms, rows=asked, mentions_max=mentions_max or 0))
        return found.links

    def ids_of(self, rows: Sequence[int]) -> dict[int, UnitId]:
        """The ids of those of some rows that are there."""
        known = {row: self._ids[row] for row in rows if row in self._ids}
        lacking = [row for row in rows if row not in known]
        return known | (ids_of_rows(self._ask, lacking) if lacking else {})

    def entities_of(self, rows: Sequence[int]) -> EntityMentions:
        """What some rows mention, rows ascending, and how often each is mentioned in all."""
        lacking = [row for row in rows if row not in self._named]
        if lacking:
            self._name(tuple(lacking))
        named = [(row, entity) for row in sorted(set(rows)) for entity in self._named[row]]
        entities = np.array([entity for _, entity in named], np.int64)
        return EntityMentions(
            entities,
            np.array([row for row, _ in named], np.int64),
            {e: self._totals[e] for e in np.unique(entities).tolist() if e in self._totals},
        )

    def _name(self, rows: tuple[int, ...]) -> None:
        arms: tuple[str, ...] = ("arm_named", "arm_named_totals")
        if len(rows) <= _NAMED_ALONG_MAX:
            # From what a few units mention one goes on to others that do, by the ids of the first.
            arms += ("arm_named_mentions", "arm_ids")
        self.search(Search(arms, rows=rows, mentions_max=_MENTIONS_ALONG))

    def facts_of(self, rows: RowArray) -> Facts:
        """The facts of some rows, and perhaps of others."""
        facts = self._facts
        lacking = facts.lacking(rows)
        # Another thread may take in facts meanwhile; what is returned has those asked for here.
        return self._fetch(lacking, Along()) if len(lacking) else facts

    def tell_labelled(self, labels: Labels) -> None:
        """From now on facts say of each row whether it has these tags, metadata and session."""
        if labels not in (NO_LABELS, self._facts.labels):
            self._facts = Facts(labels=labels)

    def facts_lacking(self, rows: RowArray) -> int:
        """How many facts would have to be fetched."""
        return len(self._facts.lacking(rows))

    def _fetch(self, rows: RowArray, along: Along, question: _Question | None = None) -> Facts:
        seen, self._seen = self._seen, []
        wanted = [rows, np.concatenate([_NO_ROWS, *seen])[-_ALONG_MAX:]]
        if question is None and (awaited := self._question.awaited) is not None:
            question, along = self._question, self._compared(*awaited)
            question.awaited = None
            wanted.append(awaited[1])
        more = np.concatenate(wanted)
        facts, vectors, scored = with_more(self._facts, self.kept.facts, self._ask, more, along)
        self._facts = facts
        if vectors is not None:
            self.kept.vectors.keep(*vectors)
        if question is not None and vectors is not None and along.question is not None:
            question.keep(vectors[0], cosines(vectors[1], along.question))
        if question is not None and scored is not None:
            question.keep(*scored, exact=False)
        return facts

    def similarity(self, vector: VectorArray, rows: RowArray) -> ScoreArray:
        """The cosine of each row; -1 where a row has no vector."""
        question = self._about(vector)
        along = self._compared(vector, rows)
        if along.vectors_of or along.cosines_of:
            # Who is compared by meaning is next compared by time, session or speaker.
            self._fetch(rows, along, question)
        doubtful: list[int] = question.in_doubt(rows)[:_VECTORS_SENT_MAX].tolist()
        if doubtful:
            # Equal vectors are equally like, whoever adds up, and the files know the order of all.
            self._fetch(_NO_ROWS, Along(vectors_of=doubtful, question=vector), question)
        return question.cosines_of(rows)

    def _compared(self, vector: VectorArray, rows: RowArray) -> Along:
        """What must be asked for to compare some rows, beside what is kept."""
        question, sent = self._about(vector), _VECTORS_SENT_MAX
        known, halves = self.kept.vectors.of(question.inexact(rows))
        if len(known):
            question.keep(known, cosines(halves, vector))
        lacking: list[int] = question.lacking(rows).tolist()
        if self.kept.of_vectors:
            return Along(lacking[:sent], lacking[sent:], vector)
        if len(lacking) > sent:
            return Along(cosines_of=lacking, question=vector)
        return Along(vectors_of=lacking, question=vector)
