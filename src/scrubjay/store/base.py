"""The Store protocol and its promises: what the engine may ask of any place that keeps memories.

Promises every store keeps, held by the contract tests:

- What `save` returned is durable, and every search finds it at once.
- A bank never answers with another bank's data.
- Searches return rows best first; equal scores by row ascending, so a page never reshuffles.
- A failed write changes nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from scrubjay.settings import BankSettings
from scrubjay.store.lineage import Closing, Lineage
from scrubjay.store.records import BankCopying, BankPending
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray, VectorArray
from scrubjay.types.filters import UnitFilter
from scrubjay.types.graph import Entity, Link, LinkKind, Relation, StoredRelation
from scrubjay.types.outcomes import Erasure
from scrubjay.types.reports import BankInfo, Finding, Look, Stats
from scrubjay.types.units import Feedback, Session, Source, StoredUnit, Unit
from scrubjay.types.values import EntityId, UnitId, Window
from scrubjay.types.views import Page


@dataclass(frozen=True, slots=True)
class EncoderPin:
    """The encoder a bank's vectors were made with."""

    fingerprint: str
    dimension: int


# These are tuples: a dozen are made for every unit told, and a dataclass takes thrice the time.
class AliasMatch(NamedTuple):
    """An entity that answers to a folded name."""

    alias: str
    entity: EntityId
    name: str
    kind: str
    confidence: float
    mentions: int


class Saying(NamedTuple):
    """What a unit says, and the names of whom it mentions."""

    text: str
    entities: tuple[str, ...]


class NewMention(NamedTuple):
    """An entity named in a unit: one the bank knows (`entity`), or one to be made from `name`."""

    name: str
    folded: str
    kind: str
    entity: EntityId | None
    aliases: tuple[tuple[str, float], ...]
    explicit: bool  # the caller named it; it survives the unit that mentions it
    also: tuple[tuple[str, float], ...] = ()  # what else the unit says it answers to
    full: str = ""  # the full name of one that was made under a short form; empty otherwise


class NewRelation(NamedTuple):
    """A relation read from a unit's text; an end need not be mentioned by the unit itself."""

    relation: Relation
    ends: tuple[NewMention, NewMention]


@dataclass(frozen=True, slots=True)
class NewLink:
    """An edge from a unit about to be saved to a row, old or of the same batch."""

    row: int
    kind: LinkKind
    weight: float
    leads_here: bool = False  # the edge goes from that row to the unit


@dataclass(frozen=True, slots=True)
class PreparedUnit:
    """A unit with everything the write path decided, ready to be saved.

    `terms` counts each word of the text and, weighted, of the predicate; `length` is the number
    of words. `vector` is None when the bank has no encoder.
    """

    unit: Unit
    type: str
    told_at: datetime
    occurred: Window | None
    identity: int
    tokens: int
    terms: Mapping[str, int]
    length: int
    mentions: tuple[NewMention, ...]
    links: tuple[NewLink, ...]
    vector: npt.NDArray[np.float16] | None
    source: Source | None
    replaces: UnitId | None  # an update: the unit keeps this id
    lineage: Lineage | None = None  # None: it is new, and was made when it is saved
    closed_at: datetime | None = None  # when its end was told; None: with the unit
    # Of an update: "relations", "causes", "updates" where those told now replace those before, and
    # "text" where what was read from it before no longer stands there.
    anew: frozenset[str] = frozenset()
    read: tuple[NewRelation, ...] = ()  # from its text
    late: bytes | None = None  # vectors of its tokens, kept beside its vector; None: none


@dataclass(frozen=True, slots=True)
class Known:
    """A unit the bank already holds, found by its key or by its content."""

    id: UnitId
    row: int
    identity: int
    key: str | None


@dataclass(frozen=True, slots=True)
class Hits:
    """Rows best first with their scores."""

    rows: RowArray
    scores: ScoreArray
    # Found by words: the score of a unit of average length that holds every word once.
    ceiling: float = 1.0

    def take(self, places: slice | MaskArray) -> Hits:
        """Some of them, in their order."""
        return Hits(self.rows[places], self.scores[places], self.ceiling)


@dataclass(frozen=True, slots=True)
class WordQuery:
    """Words to look for: any of `terms`, whole `phrases` required, `none_of` forbidden."""

    terms: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...] = ()
    none_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Which rows a search may return; None means no limit of that sort.

    `as_of` keeps what was true then, by validity; `not_ended_by` only drops what has stopped
    being true; `known_at` keeps what had been told by then, and knows of no end told later;
    `window` keeps what happened or was told inside it.
    """

    types: tuple[str, ...] | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, object] | None = None
    session: str | None = None
    as_of: datetime | None = None
    not_ended_by: datetime | None = None
    known_at: datetime | None = None
    window: Window | None = None
    except_rows: tuple[int, ...] = ()  # ascending; they are left out, whatever else they have

    def without_types(self) -> Scope:
        """This scope for every type."""
        return self if self.types is None else replace(self, types=None)


@dataclass(frozen=True, slots=True)
class Prefetch:
    """Searches about to be made, so that a remote store can fetch for all of them at once.

    A hint: whatever it leaves out, or says wrongly, is fetched when it is asked for.
    """

    scope: Scope
    vector: VectorArray | None = None  # None: no search by meaning is coming
    limit: int = 0  # of the search by meaning
    per_type: bool = False  # it is one search of each type, each for `limit`
    terms: tuple[str, ...] = ()
    entities: tuple[EntityId, ...] = ()  # whose relations and newest mentions will be asked for
    mentions_max: int = 0  # of each of them
    in_scope: Scope | None = None  # all rows of which will be asked for
    neighbours: bool = False  # what words find will be compared with the rows next to it
    linked_entities: bool = False  # links will be followed, and then what the units mention


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Stored edges out of some rows, as parallel arrays; `sources` repeats the row asked for.

    `kinds` holds LinkKind positions; an edge that another unit made to this one comes with the
    kind as seen from here (a unit that was caused sees `caused_by`).
    """

    sources: RowArray
    targets: RowArray
    kinds: npt.NDArray[np.uint8]
    weights: ScoreArray

    def leading_on(self) -> Neighbours:
        """Without those that say which of two units holds, and lead to nothing else."""
        return self._those(self.kinds < _ORDERING)

    def updates(self) -> Neighbours:
        """Those that say which of two units changed the other."""
        return self._those((self.kinds == _UPDATES) | (self.kinds == _UPDATED_BY))

    def _those(self, on: MaskArray) -> Neighbours:
        return Neighbours(self.sources[on], self.targets[on], self.kinds[on], self.weights[on])


NO_NEIGHBOURS = Neighbours(
    np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.float32)
)


@dataclass(frozen=True, slots=True)
class EntityMentions:
    """Which rows mention which entities, as parallel arrays, with each entity's total use."""

    entities: npt.NDArray[np.int64]
    rows: RowArray
    totals: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class RelationEdge:
    """One relation touching an entity, seen from `origin`."""

    origin: EntityId
    other: EntityId
    other_name: str
    relation: str
    forward: bool
    relation_class: str
    confidence: float
    valid_from: datetime | None
    valid_to: datetime | None
    told: bool  # False: read from a text
    row: int | None  # of the unit that says it; None: it was told by itself
    number: int


class Line(NamedTuple):
    """What a caller said that a unit supersedes, and is superseded by."""

    supersedes: UnitId | None
    superseded_by: UnitId | None


@dataclass(frozen=True, slots=True)
class Columns:
    """Facts about some rows as aligned arrays; times in microseconds, NO_TIME if none."""

    rows: RowArray
    types: npt.NDArray[np.uint8]
    told_at: npt.NDArray[np.int64]
    occurred_start: npt.NDArray[np.int64]
    occurred_end: npt.NDArray[np.int64]
    valid_from: npt.NDArray[np.int64]
    valid_to: npt.NDArray[np.int64]
    sessions: npt.NDArray[np.int32]
    tokens: npt.NDArray[np.int32]

    def take(self, places: npt.NDArray[np.int64]) -> Columns:
        """Those of some of the rows, by their places."""
        return Columns(
            self.rows[places],
            self.types[places],
            self.told_at[places],
            self.occurred_start[places],
            self.occurred_end[places],
            self.valid_from[places],
            self.valid_to[places],
            self.sessions[places],
            self.tokens[places],
        )


@dataclass(frozen=True, slots=True)
class TimeBounds:
    """The times of some units: the first and the last, how many units, and how many say none."""

    first: datetime | None
    last: datetime | None
    units: int
    undated: int


@dataclass(frozen=True, slots=True)
class Speakers:
    """Who said each of some rows: a place in `names`, -1 where that is not known."""

    places: npt.NDArray[np.int32]
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class SessionTimes:
    """When each session of a log began and ended, in microseconds; side by side, oldest first.

    The end of a session that nobody closed is when its newest unit was told.
    """

    names: Sequence[str]
    started_at: Sequence[int]
    ended_at: Sequence[int]
    is_open: Sequence[bool]

    @classmethod
    def of(cls, rows: Sequence[tuple[str, int, int, bool]]) -> SessionTimes:
        """The log from its rows: name, start, end, and whether nobody closed it."""
        return cls(*zip(*rows, strict=True)) if rows else cls((), (), (), ())


NO_TIME = int(np.iinfo(np.int64).min)

# The order of LinkKind in `Neighbours.kinds`; stored, so that kinds are only added behind.
LINK_KINDS = tuple(LinkKind)
# From here on they say which of two units holds.
_ORDERING = _UPDATES = LINK_KINDS.index(LinkKind.UPDATES)
_UPDATED_BY = LINK_KINDS.index(LinkKind.UPDATED_BY)


class BankReader(Protocol):
    """The searches and look-ups of one bank."""

    @property
    def name(self) -> str: ...
    @property
    def settings(self) -> BankSettings: ...
    @property
    def encoder(self) -> EncoderPin | None: ...
    def encoder_now(self) -> EncoderPin | None: ...
    @property
    def max_wait_ms(self) -> float: ...
    @property
    def stale_ms(self) -> float | None: ...
    def refresh(self) -> None: ...
    def take_requests(self, minute: int, wanted: int, most: int) -> bool: ...
    @property
    def remote(self) -> bool: ...
    def prefetch(self, wanted: Prefetch) -> None: ...
    def within(self, deadline_ms: float, /) -> AbstractContextManager[None]: ...
    def unit_count(self) -> int: ...
    def row_limit(self) -> int: ...
    def filter_rows(self, rows: RowArray, scope: Scope) -> MaskArray: ...
    def nearest(self, vector: VectorArray, *, limit: int, floor: float, scope: Scope) -> Hits: ...
    def similarity(self, vector: VectorArray, rows: RowArray) -> ScoreArray: ...
    def middle(self) -> VectorArray | None: ...
    def late_of(self, rows: RowArray) -> dict[int, bytes]: ...
    def first_without_vector(self, *, after_row: int) -> int | None: ...
    def match_words(self, query: WordQuery, *, limit: int, scope: Scope) -> Hits: ...
    def holders(self, terms: Sequence[str]) -> dict[str, int]: ...
    def word_score(self, query: WordQuery, row: int) -> float: ...
    def neighbours(self, rows: RowArray) -> Neighbours: ...
    def updates_of(self, rows: RowArray, *, shown: bool) -> Neighbours: ...
    def entities_of(self, rows: RowArray) -> EntityMentions: ...
    def mentions_of(self, entities: Sequence[EntityId], *, limit: int) -> EntityMentions: ...
    def sayings_of(
        self, entities: Sequence[EntityId], *, limit: int, besides: Container[int] = ()
    ) -> tuple[EntityMentions, dict[int, Saying]]: ...
    def relations_of(self, entities: Sequence[EntityId]) -> list[RelationEdge]: ...
    def in_scope(self, scope: Scope) -> RowArray: ...
    def newest(self, *, limit: int, scope: Scope) -> RowArray: ...
    def columns(self, rows: RowArray) -> Columns: ...
    def speakers_of(self, rows: RowArray) -> Speakers: ...
    def hydrate(self, rows: RowArray) -> list[StoredUnit]: ...
    def hydrate_rows(self, rows: RowArray) -> dict[int, StoredUnit]: ...
    def texts_of(self, rows: RowArray) -> dict[int, str]: ...
    def lineage_of(self, rows: RowArray) -> dict[int, Line]: ...
    def rows_of(self, ids: Sequence[str]) -> dict[str, int]: ...
    def ids_of(self, rows: RowArray) -> dict[int, str]: ...
    def lookup_aliases(self, folded: Sequence[str]) -> list[AliasMatch]: ...
    def whole_names(self, folded: Sequence[str]) -> list[str]: ...
    def sessions(
        self, *, limit: int | None = None, offset: int = 0, newest: bool = False
    ) -> list[Session]: ...
    def session_times(self) -> SessionTimes: ...
    def session_entities(self, session: str, *, limit: int) -> list[EntityId]: ...
    def newest_told_at(self) -> datetime | None: ...


class BankWriter(Protocol):
    """The changes of one bank; each is one durable transaction."""

    def writing(self) -> AbstractContextManager[None]: ...
    def next_row(self) -> int: ...
    def known(self, identities: Sequence[int], keys: Sequence[str]) -> list[Known]: ...
    def nearest_many(self, vectors: VectorArray, *, limit: int, floor: float) -> list[Hits]: ...
    def save(
        self,
        batch: Sequence[PreparedUnit],
        *,
        erase: Sequence[UnitId] = (),
        closing: Closing | None = None,
    ) -> list[UnitId]: ...
    def erase(
        self,
        ids: Sequence[UnitId],
        *,
        session: str | None = None,
        entity: EntityId | str | None = None,
    ) -> Erasure: ...
    def compact(self) -> str | None: ...
    def link(self, cause: UnitId, effect: UnitId, kind: LinkKind, weight: float) -> None: ...
    def relate(
        self,
        relation: Relation,
        mentions: tuple[NewMention, NewMention],
        *,
        unit: UnitId | None = None,
        told: bool = True,
    ) -> int: ...
    def start_session(self, name: str, at: datetime) -> Session: ...
    def end_session(self, name: str, at: datetime) -> Session: ...
    def add_alias(self, entity: EntityId, folded: str, confidence: float) -> None: ...
    def merge_entities(self, keep: EntityId, drop: EntityId) -> Entity: ...
    def split_entity(self, entity: EntityId, new: NewMention, ids: Sequence[UnitId]) -> Entity: ...
    def judge(self, feedback: Feedback) -> None: ...
    def keep_look(self, look: Look | None) -> None: ...
    def change_settings(self, settings: BankSettings) -> None: ...
    def pin_encoder(self, pin: EncoderPin) -> None: ...


class BankStore(BankReader, BankWriter, BankCopying, BankPending, Protocol):
    """One bank of a store: everything the engine reads, writes and looks after."""

    def list_units(
        self,
        where: UnitFilter,
        *,
        limit: int,
        cursor: str | None,
        order: str = "oldest",
        offset: int = 0,
        among: RowArray | None = None,
    ) -> Page: ...
    def matching(self, where: UnitFilter, *, among: RowArray | None = None) -> list[UnitId]: ...
    def time_bounds(self, where: UnitFilter, *, by: str, among: RowArray | None) -> TimeBounds: ...
    def time_counts(
        self, where: UnitFilter, *, by: str, edges: Sequence[datetime], among: RowArray | None
    ) -> dict[tuple[int, int], int]: ...
    def holding(self, words: Sequence[str], beginning: str | None) -> RowArray: ...
    def entity(self, entity: EntityId) -> Entity | None: ...
    def entities(self, *, limit: int, offset: int, containing: str | None) -> list[Entity]: ...
    def relations(self, *, limit: int, offset: int) -> list[StoredRelation]: ...
    def relation_said_by(self, unit: UnitId, relation: str) -> int | None: ...
    def links(self, unit: UnitId) -> list[Link]: ...
    def judged(self) -> list[Feedback]: ...
    def stats(self) -> Stats: ...
    def info(self) -> BankInfo: ...
    def doctor(self, *, fix: bool) -> list[Finding]: ...
    def without_vector(self, *, after_row: int, limit: int) -> list[tuple[int, StoredUnit]]: ...
    def begin_reembed(self, pin: EncoderPin) -> None: ...
    def save_reembedded(
        self,
        pin: EncoderPin,
        rows: RowArray,
        vectors: npt.NDArray[np.float16],
        late: Sequence[bytes | None],
    ) -> None: ...
    def finish_reembed(self, pin: EncoderPin) -> None: ...
    def put_late(self, rows: RowArray, late: Sequence[bytes]) -> None: ...
    def scan(self, *, after_row: int, limit: int) -> Iterator[tuple[int, StoredUnit]]: ...


class Banks(Protocol):
    """Banks that can be used by their names."""

    @property
    def location(self) -> str: ...
    # `names` are those that will be looked up first, so that a remote store can do so at once.
    def using(
        self, name: str, names: Sequence[str] = (), /
    ) -> AbstractContextManager[BankStore | None]: ...


class Store(Banks, Protocol):
    """A place that keeps banks."""

    @property
    def read_only(self) -> bool: ...
    def bank_names(self) -> list[str]: ...
    def create_bank(self, name: str, settings: BankSettings) -> bool: ...
    def delete_bank(self, name: str) -> bool: ...
    def backup(self, target: str) -> None: ...
    def close(self) -> None: ...
