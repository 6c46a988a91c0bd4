"""Joins each draft to the units it resembles, and to the causes and effects it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.earlier import Earlier
from scrubjay.engine.retain.wording import spoken
from scrubjay.errors import BadInput, NotFound
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.causes import find_causes
from scrubjay.store.base import LINK_KINDS, BankStore, Hits, NewLink, Scope, WordQuery
from scrubjay.types.arrays import RowArray, ScoreArray, VectorArray
from scrubjay.types.graph import LinkKind

# A unit stands for a clause when it holds at least this share of the clause's words.
_CLAUSE_COVERED_MIN = 0.6
_CLAUSE_TERMS_MIN = 2
_CLAIM_CONFIDENCE_MIN = 0.6

# Drafts of one batch compared with those before them at a time; bounds the memory of a large one.
_VECTORS_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class LinkRules:
    """How many neighbours a unit gets, and how similar (as a cosine) they must be."""

    neighbours_max: int
    cosine_floor: float


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the drafts will stand: row `first` and on; `moved` are updated units, by old row."""

    first: int
    moved: Mapping[int, int]
    erased: frozenset[int]

    def leaving(self, row: int) -> bool:
        """Whether a stored row is about to go."""
        return row in self.moved or row in self.erased


def kept_apart(bank: BankStore, rows: Rows, own: int) -> frozenset[int]:
    """The units that the caller wants kept beside one that is told anew, in row `own`."""
    old = [row for row, new in rows.moved.items() if new == own]
    if not old:
        return frozenset()
    edges = bank.neighbours(np.array(old, np.int64))
    apart = edges.kinds == LINK_KINDS.index(LinkKind.DISTINCT)
    return frozenset(rows.moved.get(row, row) for row in edges.targets[apart].tolist())


def semantic_links(
    bank: BankStore, drafts: Sequence[Draft], rules: LinkRules, rows: Rows
) -> list[list[NewLink]]:
    """For each draft its nearest units, stored ones and those before it in the batch."""
    links: list[list[NewLink]] = [[] for _ in drafts]
    with_vector = [n for n, draft in enumerate(drafts) if draft.vector is not None]
    if not with_vector or rules.neighbours_max == 0:
        return links
    vectors = np.stack([v for n in with_vector if (v := drafts[n].vector) is not None])
    # An updated unit is most like what it was, which is about to go.
    leaving = np.array([*rows.moved, *rows.erased], np.int64)
    limit = rules.neighbours_max + min(len(leaving), rules.neighbours_max)
    stored = bank.nearest_many(vectors, limit=limit, floor=rules.cosine_floor)
    told = _told_before(vectors, rules.cosine_floor)
    places = np.array(with_vector, np.int64) + rows.first
    for n, hits, (near, scores) in zip(with_vector, stored, told, strict=True):
        best = _staying(hits, leaving, rules.neighbours_max) if len(leaving) else hits
        if len(near):
            best = _merged(best, Hits(places[near], scores), rules.neighbours_max)
        links[n] = [
            NewLink(row, LinkKind.SEMANTIC, score)
            for row, score in zip(best.rows.tolist(), best.scores.tolist(), strict=True)
        ]
    return links


def _told_before(vectors: VectorArray, floor: float) -> Iterator[tuple[RowArray, ScoreArray]]:
    """For each vector, the places and cosines of the similar ones before it in the batch."""
    if len(vectors) == 1:
        yield np.empty(0, np.int64), np.empty(0, np.float32)
        return
    for start in range(0, len(vectors), _VECTORS_AT_ONCE):
        block = vectors[start : start + _VECTORS_AT_ONCE]
        # Not `@`: after a product of this size the threads of a BLAS spin for 50 ms of CPU.
        cosines = np.einsum("ij,kj->ik", block, vectors[: start + len(block)])
        # Only earlier drafts: each pair is joined once, and none to itself.
        similar = np.tril(cosines >= floor, start - 1)
        drafts, places = np.nonzero(similar)
        scores = cosines[drafts, places]
        ends = np.searchsorted(drafts, np.arange(len(block) + 1)).tolist()
        for first, last in pairwise(ends):
            yield places[first:last], scores[first:last]


def _staying(hits: Hits, leaving: RowArray, limit: int) -> Hits:
    stays = np.flatnonzero(~np.isin(hits.rows, leaving))[:limit]
    return Hits(hits.rows[stays], hits.scores[stays])


def _merged(hits: Hits, others: Hits, limit: int) -> Hits:
    rows = np.concatenate([hits.rows, others.rows])
    scores = np.concatenate([hits.scores, others.scores])
    best = np.lexsort((rows, -scores))[:limit]
    return Hits(rows[best], scores[best])


def told_causes(bank: BankStore, drafts: Sequence[Draft], rows: Rows) -> list[list[NewLink]]:
    """The causal links callers gave, to units by id or key; an unknown one is NotFound."""
    wanted = sorted({cause.other for draft in drafts for cause in draft.unit.causes})
    if not wanted:
        return [[] for _ in drafts]
    at: dict[str, int] = dict(bank.rows_of(wanted))
    at |= {unit.key: unit.row for unit in bank.known([], wanted) if unit.key}
    at = {name: rows.moved.get(row, row) for name, row in at.items() if row not in rows.erased}
    for n, draft in enumerate(drafts):
        names = (name for name in (draft.unit.id, draft.unit.key) if name is not None)
        at |= dict.fromkeys(names, rows.first + n)
    for other in wanted:
        if other not in at:
            raise NotFound("cause names no unit", other, "Give a unit's id or its key.")
    links = [[NewLink(at[c.other], c.kind, c.weight) for c in d.unit.causes] for d in drafts]
    for n, draft in enumerate(drafts):
        if any(link.row == rows.first + n for link in links[n]):
            raise BadInput("a unit cannot cause itself", draft.unit.text, "Name another unit.")
    return links


def found_causes(
    bank: BankStore, drafts: Sequence[Draft], analyzer: Analyzer, rows: Rows, earlier: Earlier
) -> list[list[NewLink]]:
    """Causal links by rule: a clause after "because" that another unit already tells."""
    claims = [
        (row, claim)
        for row, draft in enumerate(drafts, rows.first)
        if not draft.as_stored
        for claim in find_causes(draft.unit.text)
        if claim.confidence >= _CLAIM_CONFIDENCE_MIN
    ]
    found: dict[int, NewLink] = {}
    # This unit tells of both; the one that tells only of the cause (or effect) is its partner.
    for is_cause in (True, False):
        left = [number for number in range(len(claims)) if number not in found]
        clauses = [
            _Clause(row, claim.cause if is_cause else claim.effect)
            for row, claim in map(claims.__getitem__, left)
        ]
        for number, told in zip(left, _telling(bank, clauses, analyzer, earlier), strict=True):
            if told is not None:
                claim = claims[number][1]
                found[number] = NewLink(told, claim.kind, claim.confidence, leads_here=is_cause)
    links: list[list[NewLink]] = [[] for _ in drafts]
    for number, (row, _) in enumerate(claims):
        if number in found and not rows.leaving(found[number].row):
            links[row - rows.first].append(found[number])
    return links


class _Clause(NamedTuple):
    row: int  # of the draft that says it
    text: str


def _telling(
    bank: BankStore, clauses: Sequence[_Clause], analyzer: Analyzer, earlier: Earlier
) -> list[int | None]:
    """For each clause the row that tells it, of a draft before or a stored one; read at once."""
    found: list[int | None] = [None] * len(clauses)
    stored: dict[int, tuple[int, frozenset[str]]] = {}
    for place, clause in enumerate(clauses):
        terms = frozenset(analyzer.query_terms(clause.text).any_of)
        if len(terms) < _CLAUSE_TERMS_MIN:
            continue
        enough = _CLAUSE_COVERED_MIN * len(terms)
        found[place] = earlier.latest_with(terms, enough, before=clause.row)
        if found[place] is None:
            query = WordQuery(tuple(sorted(terms)))
            for row in bank.match_words(query, limit=1, scope=Scope()).rows.tolist():
                stored[place] = (row, terms)
    if stored:
        best = sorted({row for row, _ in stored.values()})
        units = bank.hydrate_rows(np.array(best, np.int64))
        held = {
            row: frozenset(analyzer.document_terms(spoken(unit))) for row, unit in units.items()
        }
        for place, (row, terms) in stored.items():
            if len(terms & held.get(row, frozenset())) >= _CLAUSE_COVERED_MIN * len(terms):
                found[place] = row
    return found
