"""What a call did to a bank, or would do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from scrubjay.marks import Rounded, Unsaid
from scrubjay.types.graph import Entity
from scrubjay.types.values import UnitId


@dataclass(frozen=True, slots=True)
class Derived:
    """What retaining added beside the text, counted."""

    entities: int = 0
    relations: int = 0
    semantic_links: int = 0
    causal_links: int = 0
    updates: int = 0  # links to units that these say are no longer so
    dated: int = 0
    typed: int = 0
    # Of those typed by rule, how many are facts because no rule was sure.
    unsure: int = 0


@dataclass(frozen=True, slots=True)
class Degraded:
    """A part that could not do its work, and why."""

    retriever: str
    reason: str


@dataclass(frozen=True, slots=True)
class Retained:
    """What `retain` did: an id per unit told, in order; new, a duplicate, an update, or pending."""

    ids: tuple[UnitId, ...]
    new: tuple[UnitId, ...]
    duplicates: tuple[UnitId, ...]
    updated: tuple[UnitId, ...]
    derived: Derived
    # Messages of tools that the bank does not keep; None: none.
    left_out: Annotated[int | None, Unsaid()] = None
    # Those that wait to be approved; None: none do.
    pending: Annotated[tuple[UnitId, ...] | None, Unsaid()] = None
    # Why new units wait for their vectors, in a bank with `embed_later`; None: all have theirs.
    degraded: Annotated[tuple[Degraded, ...] | None, Unsaid()] = None

    @property
    def id(self) -> UnitId:
        """The id of the first unit, for the common case of telling one thing."""
        return self.ids[0]


@dataclass(frozen=True, slots=True)
class EntityChange:
    """What a merge, a split or an alias would do; an entity that would be made has number 0.

    `mentions` and `relations` would move; `also` answer to a name that is given or taken, so
    that it stands for several.
    """

    before: tuple[Entity, ...]
    after: tuple[Entity, ...]
    mentions: int
    relations: int
    also: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Erasure:
    """What `forget` removed, and from where; `compacted` says whether no byte is left on disk.

    `sessions` counts conversations taken out of the log, name and all, with their last unit.
    `left_closed` are units that stay ended though what replaced them is gone: that they ended was
    told, and `update(id, valid_to=None)` takes it back.
    `pending` says what is left on disk, why and until when; None: nothing that was to go.
    """

    units: int
    vectors: int
    words: int
    links: int
    mentions: int
    entities: int
    relations: int
    compacted: bool
    ids: tuple[UnitId, ...] = ()
    sessions: int = 0
    left_closed: tuple[UnitId, ...] = ()
    pending: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What the language model was asked; `cost` is None where no prices were given."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: Annotated[float | None, Rounded(8)] = None

    def plus(self, other: Usage) -> Usage:
        """Both together."""
        known = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            sum(known) if known else None,
        )


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a unit, or one fact of it, gave nothing."""

    unit: str
    reason: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """What `Memory.extract` did: the words, kept whatever happened, and the facts found in them."""

    retained: Retained
    facts: Retained
    troubles: tuple[Trouble, ...]
    usage: Usage
