"""The frozen data of a recall, in the order it is born: options, parse, plan, items, answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from importlib import import_module
from typing import Annotated, ClassVar, TypedDict, overload

from scrubjay import limits
from scrubjay.marks import About, As, Between, Day, Flat, KeyedBy, OneOf, Rounded, Unsaid
from scrubjay.preset import PRESET_NAMES, Preset
from scrubjay.trace import Span
from scrubjay.types.outcomes import Degraded
from scrubjay.types.units import Source
from scrubjay.types.values import (
    EntityId,
    Json,
    JsonObject,
    Measure,
    Name,
    Tag,
    TypeName,
    UnitId,
    Window,
)


class Step(StrEnum):
    """The stages of a recall, in order; a unit that is not returned fell out at one of them."""

    SCOPE = "scope"
    RETRIEVE = "retrieve"
    FUSE = "fuse"
    RERANK = "rerank"
    MIN_SCORE = "min_score"
    BUDGET = "budget"
    LIMIT = "limit"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """How to recall; what the caller gives always wins over what the engine infers.

    `min_score` is compared with an item's `relevance`, a probability, the same for every preset.
    """

    limit: Annotated[
        int, Between(1, limits.RECALL_ITEMS_MAX), About("At most so many items.", 10)
    ] = 10
    max_tokens: Annotated[
        int, Between(1, limits.RECALL_TOKENS_MAX), About("At most so much text.", 4096)
    ] = 4096
    types: Annotated[tuple[TypeName, ...] | None, About("Only of these types.")] = None
    tags: Annotated[tuple[Tag, ...], About("Only with all of these tags.")] = ()
    metadata: Annotated[JsonObject, About("Only with these values.")] = field(default_factory=dict)
    window: Annotated[Window | None, About("Only what happened or was told in it.")] = None
    as_of: Annotated[datetime | None, Day("noon"), About("What was true then.")] = None
    known_at: Annotated[datetime | None, Day("last"), About("What was known then.")] = None
    now: Annotated[datetime | None, Day("noon"), About("From where 'yesterday' is counted.")] = None
    preset: Annotated[
        str | Preset,
        As(Annotated[str, OneOf(PRESET_NAMES)]),
        About("A way to recall by its name.", "default"),
    ] = "default"
    rerank: Annotated[bool | None, About("Whether a cross-encoder reads along.")] = None
    min_score: Annotated[Annotated[float, Between(0, 1)] | None, About("Least relevance.")] = None
    session: Annotated[Name | None, About("The conversation that asks.")] = None
    deadline_ms: Annotated[
        Annotated[float, Between(0.001, limits.RECALL_DEADLINE_MS_MAX)] | None,
        About("How long each search may take; the preset's own, if left out."),
    ] = None
    thinking_budget: Annotated[
        Annotated[int, Between(1, limits.GRAPH_NODES_MAX)] | None,
        About("How many units a search along links may visit; the preset's own, if left out."),
    ] = None
    strict: Annotated[bool, About("Fail when every search fails.")] = False
    trace: Annotated[bool, About("Give the whole way along.")] = False


class RecallKeywords(TypedDict, total=False):
    """The keyword form of RecallOptions.

    Times may be ISO text, and plain days: a `window` is a Window, a (start, end) pair or one day;
    `as_of` a day means its noon, `known_at` its end, all in UTC.
    """

    limit: int
    max_tokens: int
    types: Sequence[str] | None
    tags: Sequence[str]
    metadata: Mapping[str, Json]
    window: Window | date | str | tuple[date | str | None, date | str | None] | None
    as_of: date | str | None
    known_at: date | str | None
    now: date | str | None
    preset: str | Preset
    rerank: bool | None
    min_score: float | None
    session: str | None
    deadline_ms: float | None
    thinking_budget: int | None
    strict: bool
    trace: bool


@dataclass(frozen=True, slots=True)
class ResolvedEntity:
    """A name in the question and the entity it stands for; candidates when it is not sure."""

    json_keys: ClassVar = {
        "mention": "mention",
        "id": "entity",
        "name": "name",
        "confidence": "confidence",
        "by_pronoun": "by_pronoun",
    }

    mention: str
    entity: EntityId
    name: str
    confidence: Measure
    candidates: tuple[tuple[EntityId, Measure], ...]  # best first, confidences in (0, 1]
    by_pronoun: bool = False


@dataclass(frozen=True, slots=True)
class AskedEdge:
    """A relation that the question asks for, seen from an entity it names.

    `entity` is None for whoever such a relation leads to: "where does Ana's sister work".
    """

    relation: str
    entity: EntityId | None
    forward: bool  # the entity is the one it goes out from
    final: bool  # it is what is asked for, not the way there


@dataclass(frozen=True, slots=True)
class Parsed:
    """What the question says: when, about whom, in which words."""

    json_keys: ClassVar = {
        "window": "window",
        "kind": "window_kind",
        "confidence": "window_confidence",
        "entities": "entities",
        "now": "now",
    }

    question: str
    now: datetime
    window: Window | None
    window_kind: str | None
    window_confidence: Measure
    window_text: str | None
    entities: tuple[ResolvedEntity, ...]
    terms: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    none_of: tuple[str, ...]
    content_words: int  # words left when the time expression and names are taken away
    speculative_time: str | None  # "latest" and the like, which give no window
    multi_hop: bool
    asks_for: str | None  # "cause", "effect", or None
    none_of_phrases: tuple[tuple[str, ...], ...] = ()
    relations: tuple[AskedEdge, ...] = ()
    unheard: tuple[str, ...] = ()  # codes that are all it asks for, and that nobody ever told

    @property
    def excluded(self) -> tuple[str, ...]:
        """What the question does not want said, a word or a phrase each."""
        return (*self.none_of, *(" ".join(phrase) for phrase in self.none_of_phrases))


@dataclass(frozen=True, slots=True)
class RetrieverPlan:
    """Whether and how one retriever runs, and why."""

    retriever: str
    run: bool
    method: str
    depth: int
    weight: Measure
    deadline_ms: Measure
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What the optimizer chose; prints as a table."""

    preset: str
    retrievers: tuple[RetrieverPlan, ...]
    type_hints: tuple[str, ...]
    hint_reason: str
    mode: str  # "inline" or "threads"
    mode_reason: str
    excluded: tuple[str, ...] = ()  # words and phrases whose units no retriever may return

    def __str__(self) -> str:
        rows = [("retriever", "run", "method", "depth", "weight", "deadline", "why")]
        rows += [
            (
                step.retriever,
                "yes" if step.run else "no",
                step.method,
                str(step.depth),
                f"{step.weight:g}",
                f"{step.deadline_ms:g} ms",
                step.reason,
            )
            for step in self.retrievers
        ]
        widths = [max(len(row[column]) for row in rows) for column in range(6)]
        lines = [
            "  ".join([*(cell.ljust(widths[n]) for n, cell in enumerate(row[:6])), row[6]])
            for row in rows
        ]
        hints = ", ".join(self.type_hints) or "none"
        lines.append(f"types: {hints} ({self.hint_reason}); {self.mode} ({self.mode_reason})")
        if self.excluded:
            lines.append(f"without: {', '.join(map(repr, self.excluded))}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one retriever said of a unit: its rank there, from 1, and its score in [0, 1]."""

    rank: int
    score: Measure
    # How it was reached; None: its retriever follows no paths.
    path: Annotated[tuple[str, ...] | None, Unsaid()] = None


@dataclass(frozen=True, slots=True)
class Why:
    """Everything that gave an item its place."""

    json_keys: ClassVar = {
        name: name for name in ("retrievers", "rerank", "recency", "temporal_boost", "fused")
    }

    retrievers: Annotated[Mapping[str, Evidence], Flat()]  # in the order of the plan
    fused: Measure
    rerank: Measure | None  # None: not reranked
    recency: Measure
    temporal_boost: Measure
    signs: Mapping[str, Measure] = field(default_factory=dict)  # bonuses added, by sign
    # The newest unit that changed what this one says; None: none is known to.
    updated_by: Annotated[UnitId | None, Unsaid()] = None


@dataclass(frozen=True, slots=True)
class Item:
    """One memory in the answer: of a stored unit what is shown, then what the answer adds."""

    json_keys: ClassVar = {name: name for name in ("id", "text", "type", "score", "relevance")}

    id: UnitId
    text: str
    type: str
    occurred_start: datetime | None
    occurred_end: datetime | None
    told_at: datetime
    context: str | None
    tags: tuple[str, ...]
    metadata: Mapping[str, Json]
    source: Source | None
    entities: tuple[str, ...]
    tokens: int
    predicate: str | None
    speaker: str | None
    session: str | None
    key: str | None
    author: str | None
    origin: str | None
    score: Measure  # what the preset ranks by; comparable within one answer
    relevance: Measure  # how likely it is about the question, in [0, 1]; what min_score cuts
    why: Why
    # The bank it is in, where several were asked; None: one was.
    bank: Annotated[str | None, Unsaid()] = None
    # From when until when it is true, as its unit says it; None: it does not.
    valid_from: Annotated[datetime | None, Unsaid()] = None
    valid_to: Annotated[datetime | None, Unsaid()] = None


@dataclass(frozen=True, slots=True)
class Recall(Sequence[Item]):
    """The answer: a sequence of items, best first, and how they came to be."""

    items: tuple[Item, ...]
    plan: Plan
    window: Window | None
    # Retrievers in the order of the plan, then stages by name.
    timings: Annotated[Mapping[str, Span], KeyedBy("name")]
    widened: bool
    degraded: tuple[Degraded, ...]
    # The bank was searched, and none of what it holds is likely enough an answer: it does not pass
    # `min_score`, or, where that is not given, the floor that was fitted; see docs/relevance.md.
    nothing_relevant: bool
    tokens: int
    max_wait_ms: Measure
    question: str
    parsed: Parsed
    reranked: int  # how many candidates the reranker read
    # The kind of value that is asked for and that no item gives ("a price"); None: none is known
    # to be missing.
    missing: Annotated[str | None, Unsaid()] = None
    # Words of the question that stand in no item, by their stems; None: none.
    missing_words: Annotated[tuple[str, ...] | None, Unsaid()] = None
    # None unless asked for.
    trace: Annotated[Mapping[str, Json] | None, Rounded(), Unsaid()] = None
    # How old what was read may be, while only a replica answers; None: it is current.
    stale_ms: Annotated[Measure | None, Unsaid()] = None

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, place: int | slice) -> Item | tuple[Item, ...]:
        return self.items[place]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def to_dict(self) -> dict[str, Json]:
        """The whole answer as plain values, as the server sends it."""
        # The codec compiles shapes such as this one, and so stands above them.
        encoded: dict[str, Json] = import_module("scrubjay.codec.compiled").encode_object(self)
        return encoded

    def to_json(self) -> str:
        """The same as one line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @property
    def relevant(self) -> tuple[Item, ...]:
        """The items that are worth showing: none where nothing is relevant."""
        return () if self.nothing_relevant else self.items

    def as_context(self) -> str:
        """The relevant items as text for a prompt: delimited, dated, attributed, and inert.

        Every memory stands between markers it cannot forge, and the preamble says that what
        is inside is data; a memory that contains instructions stays a quotation.
        """
        from scrubjay.prompt_text import render_context

        return render_context(self)


@dataclass(frozen=True, slots=True)
class Quality:
    """How well questions are answered, on average; each in [0, 1]."""

    recall: Measure  # of what answers them, the share among the first ten
    ndcg: Measure  # the same, by how early it comes
    first: Measure  # the share of questions whose first item answers


@dataclass(frozen=True, slots=True)
class Tuning:
    """What a bank's feedback says about what evidence counts in it.

    `after` is what weights do that were fitted without the question they are judged by.
    """

    questions: int
    before: Quality
    after: Quality
    weights: Mapping[str, Measure]  # by kind of evidence, times what it counts by default
    changed: bool  # False: not better, so the bank keeps what it had


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a unit was, or was not, in the answer to a question."""

    unit: UnitId
    question: str
    returned: bool
    step: Step  # the stage it fell out at, or `returned`
    reason: str
    rank: int | None  # its place in the answer
    retrievers: Mapping[str, Explained]  # in the order of the plan
    fused_rank: int | None
    fused_score: Measure | None
    rerank: Measure | None
    score: Measure | None
    relevance: Measure | None
    recency: Measure | None = None  # the factors around 1 on the fused score
    temporal_boost: Measure | None = None
    signs: Mapping[str, Measure] = field(default_factory=dict)  # bonuses added, by sign
    # What each search, factor and sign adds; the sum is its score.
    contributions: Mapping[str, Measure] = field(default_factory=dict)
    # Whom it is compared with: the last that went further, or, if it is in the answer, the one
    # before it; None: there is none.
    rival: Rival | None = None
    # What would have let it through; None: it is in the answer, or nothing of the sort is known.
    change: str | None = None


@dataclass(frozen=True, slots=True)
class Rival:
    """A unit that another one is compared with, and what its score is made of."""

    unit: UnitId
    score: Measure
    contributions: Mapping[str, Measure]


@dataclass(frozen=True, slots=True)
class Explained:
    """What one retriever makes of one unit, also when it did not return it."""

    ran: bool
    rank: int | None  # None: not among what it returned
    score: Measure | None  # None: cannot be scored by it
    reason: str
