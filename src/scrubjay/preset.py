"""The switches of a preset: which design recalls how, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import get_origin, get_type_hints

from scrubjay.errors import BadInput, shorten

# The presets that there are by name; engine/presets.py says what each is.
PRESET_NAMES = ("dense_fts", "polyant", "tempr", "hindsight", "recall5", "default")

# Relations followed when a question asks for several in a row; the walk has no score beyond.
HOPS_EXPLICIT = 3

# Far above what makes sense, far below what arithmetic refuses.
_NUMBER_MAX = 10**9

# "auto" runs small banks inline and large ones, or what may be slow, in threads.
FANOUTS = ("auto", "inline", "threads")


class GraphMethod(StrEnum):
    """How the graph retriever walks."""

    LINK_EXPANSION = "link_expansion"
    SPREADING_ACTIVATION = "spreading_activation"
    ENTITY_WALK = "entity_walk"
    ASKED_CAUSES = "asked_causes"  # only when the question asks for causes or effects
    DESCRIBED = "described"  # only when the question names nobody but says who or what is meant


class TemporalMethod(StrEnum):
    """How the temporal retriever uses the window."""

    EVENTS = "events"  # event units in the window, in the order told
    ENTRY_POINTS = "entry_points"  # similar units in the window, and their neighbours in it
    WINDOW = "window"  # everything in the window, by similarity, words and closeness


class Fusion(StrEnum):
    """How ranked lists become one."""

    RRF = "rrf"
    WEIGHTED_RRF = "weighted_rrf"
    SPREAD = "spread"  # each list's scores spread over [0, 1], weighed and added
    EVIDENCE = "evidence"  # scores as they stand, weighed and added


@dataclass(frozen=True, slots=True)
class SemanticSwitches:
    """Search by meaning: candidates = max(per_limit x limit, at_least), calibrated floor."""

    per_limit: float = 5
    at_least: int = 100
    floor: float = 0.3
    # Under this score one unit is hardly less an answer than another: in EVIDENCE fusion a tenth
    # counts of what it lacks to the last that has it.
    telling: float = 0.0
    # How far the question is moved away from the middle of a large bank's vectors, as a share of
    # the middle: what is near to every question to the bank says little about this one.
    background: float = 0.0
    per_type: bool = False  # so many of each type, instead of all together


@dataclass(frozen=True, slots=True)
class LexicalSwitches:
    """Search by words; `analysis` is how the question is cut ("simple" takes it as it stands)."""

    per_limit: float = 5
    at_least: int = 100
    analysis: str = "standard"
    per_type: bool = False
    # The share of a unit's score that its neighbours in the same session add (0 to 1).
    neighbour_share: float = 0.0
    # By what share the weight grows with each word of the question beyond the fifth, and shrinks
    # with each that it lacks; from the twentieth word on it stays.
    per_word: float = 0.0
    # How many times its weight it has for a question that is not English.
    foreign: float = 1.0


@dataclass(frozen=True, slots=True)
class GraphSwitches:
    """Search by connections."""

    methods: tuple[GraphMethod, ...] = (GraphMethod.LINK_EXPANSION,)
    seeds: int = 20
    seed_floor: float = 0.3
    nodes_max: int = 100
    decay: float = 0.8
    causal_factor: float = 2.0
    hops: int = 2
    # Weigh an entity by its rarity, so that a hub name counts less than a specific one.
    entity_rarity: bool = False
    multi_hop_weight: float = 1.0
    # Of a unit that has the name which a nearer unit gives to what the question describes.
    described_weight: float = 1.0


@dataclass(frozen=True, slots=True)
class TemporalSwitches:
    """Search by time."""

    method: TemporalMethod = TemporalMethod.ENTRY_POINTS
    depth: int = 100
    spread: bool = True


@dataclass(frozen=True, slots=True)
class RerankSwitches:
    """The cross-encoder stage: how many candidates, within how much CPU, and how it counts.

    `blend` is the cross-encoder's share of the final score, 1 replaces the fused order.
    """

    top: int = 300
    budget_ms: float | None = None  # None: no bound
    blend: float = 1.0
    before: bool = False  # the turn before, in the same session, stands in front of the text


@dataclass(frozen=True, slots=True)
class SignSwitches:
    """What speaks for a unit, or against it, beside its own score; added to its fused score.

    On the scale of EVIDENCE fusion, where a text that says just what is asked for gets 1, and one
    about something else about 0.2.
    """

    window: float = 0.0  # told inside a window the question states ("on May 8th", "last week")
    window_fuzzy: float = 0.0  # inside a vague one ("recently")
    window_open: float = 0.0  # inside one with an open end ("since January")
    window_alone: float = 0.0  # the question asks for nothing but the time
    happened_share: float = 0.0  # of these, for units that happened, but were not told, inside
    afterwards_share: float = 0.0  # of these, for units told soon after: fading over a week
    before_share: float = 0.0  # of these, for units told before a window that is over
    held_share: float = 0.0  # the same where the question asks what held in it
    speaker: float = 0.0  # said by the one person the question names
    hinted: float = 0.0  # of a type the question's words imply, also when the filter was dropped
    # Says what to do step by step, where it is asked how; half for a reason, where it is asked why.
    form: float = 0.0
    # The share of what the turns around it score above the usual, in the same session; two on
    # either side. A long unit has less of it: it says by itself what it is about.
    neighbours: float = 0.0
    question: float = 0.0  # taken from turns of a conversation that only ask something
    # Taken from such as say no time, or no amount, where one is asked for.
    lacking: float = 0.0
    # The share of what such a turn scores above the usual that the turn right after it gets.
    reply: float = 0.0
    # Taken from what the assistant said, when the question speaks of "I" and "my".
    assistant: float = 0.0
    impersonal_share: float = 0.0  # of that, when it speaks of neither "I" nor "you"
    brief: float = 0.0  # taken from units of hardly any words, the more the fewer they have
    # Of the mean cosine of the question's tokens with their best matches, above the worst of the
    # first candidates; in banks with `late`.
    late: float = 0.0
    per_year: float = 0.0  # taken for each year since a unit was told: decides among near-equals
    # The same where the question says that it is about now: who says so knows of a change.
    per_year_now: float = 0.0


@dataclass(frozen=True, slots=True)
class Preset:
    """One whole way to recall; None switches a part off."""

    name: str
    semantic: SemanticSwitches | None = field(default_factory=SemanticSwitches)
    lexical: LexicalSwitches | None = field(default_factory=LexicalSwitches)
    graph: GraphSwitches | None = field(default_factory=GraphSwitches)
    temporal: TemporalSwitches | None = field(default_factory=TemporalSwitches)
    type_filter: bool = False
    optimizer: bool = False
    fusion: Fusion = Fusion.RRF
    rank_constant: int = 60
    weights: Mapping[str, float] = field(default_factory=dict)
    rerank: RerankSwitches | None = None
    recency_weight: float = 0.0  # hindsight: 0.2
    temporal_weight: float = 0.0
    # Fused candidates kept for what follows.
    candidates_max: int = 300
    deadline_ms: float = 2_000.0
    fanout: str = "auto"  # one of FANOUTS
    # Hold back units whose validity has ended, when the question is not about the past.
    hide_ended: bool = True
    # Put a unit that updates another before it; see docs/updates.md.
    newest_first: bool = False
    # Where a question asks to do something, show the standing instructions nearest to it, too.
    instructions: bool = False
    signs: SignSwitches | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.fanout, str) or self.fanout not in FANOUTS:
            raise BadInput("fanout", self.fanout, f"Use one of {', '.join(FANOUTS)}.")
        for name, kind in _kinds().items():
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise BadInput(f"preset's {name}", value, f"Give {_shown(kind)}.")
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not least <= value <= _NUMBER_MAX:
                raise BadInput(
                    f"preset's {name}", value, f"Give a number from {least} to {_NUMBER_MAX}."
                )
        for name, weight in self.weights.items():
            number = isinstance(weight, int | float) and not isinstance(weight, bool)
            if not number or not 0 <= weight <= _NUMBER_MAX:
                raise BadInput(
                    f"weight of {shorten(name)}", weight, f"Give a number from 0 to {_NUMBER_MAX}."
                )


_LEAST = {
    "rank_constant": 0,
    "recency_weight": 0,
    "temporal_weight": 0,
    "candidates_max": 1,
    "deadline_ms": 0,
}


@cache
def _kinds() -> Mapping[str, type | UnionType]:
    """What each field of a preset must be, as it is declared; a whole number is a number too."""
    kinds: dict[str, type | UnionType] = {}
    for name, hint in get_type_hints(Preset).items():
        whole = hint if isinstance(hint, UnionType) else get_origin(hint) or hint
        kinds[name] = int | float if whole is float else whole
    return kinds


def _shown(kind: type | UnionType) -> str:
    return kind.__name__ if isinstance(kind, type) else str(kind).replace("scrubjay.preset.", "")
