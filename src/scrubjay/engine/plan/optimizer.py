"""Chooses retrievers, depths, weights and deadlines, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.answers import Parsed, Plan, RetrieverPlan
from scrubjay.language.asked_types import type_hints
from scrubjay.preset import HOPS_EXPLICIT, GraphMethod, GraphSwitches, Preset, TemporalMethod

# Measured on two cores at 1,000,000 units: in threads a recall takes 5 % less time at the median
# and 14 % more CPU at p99, since the branches crowd each other out of the caches.
INLINE_UNITS_MAX = 2_000_000

# The weight of a retriever that runs on a hunch.
SPECULATIVE_WEIGHT = 0.5

# The retrievers that have a step of their own here.
BUILT_IN = ("semantic", "lexical", "graph", "temporal")

_DEFAULT_WEIGHT = 1.0

# What each method starts from, and the question or the bank may lack.
_STARTS = {
    GraphMethod.ENTITY_WALK: "no entity in the question",
    GraphMethod.ASKED_CAUSES: "it asks for no cause or effect",
    GraphMethod.LINK_EXPANSION: "no search by meaning",
    GraphMethod.SPREADING_ACTIVATION: "no search by meaning",
}

# What a retriever that a caller adds is asked for, as most presets ask the others.
_ADDED_PER_LIMIT = 5
_ADDED_AT_LEAST = 100


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the plan depends on beside the question: the bank and what the caller asked for."""

    units: int
    types: tuple[str, ...]
    limit: int
    has_vectors: bool
    lacking: str  # why there are no vectors to compare with, and the remedy
    types_given: bool
    deadline_ms: float | None
    foreign_retrievers: bool  # replaced or added ones, whose cost nobody knows
    added: tuple[str, ...] = ()  # retrievers beside the four, by name


def choose(parsed: Parsed, preset: Preset, around: Circumstances) -> Plan:
    """The plan for a question; pure, so the same question and bank give the same plan."""
    hints, hint_reason = _hints(parsed, preset, around)
    deadline_ms = around.deadline_ms if around.deadline_ms is not None else preset.deadline_ms
    steps = (
        _semantic(parsed, preset, around, deadline_ms),
        _lexical(parsed, preset, around, deadline_ms),
        _graph(parsed, preset, around, deadline_ms),
        _temporal(parsed, preset, deadline_ms),
        *(_added(name, preset, around, deadline_ms) for name in around.added),
    )
    mode, mode_reason = _mode(preset, around)
    excluded = parsed.excluded
    return Plan(preset.name, steps, hints, hint_reason, mode, mode_reason, excluded)


def _hints(parsed: Parsed, preset: Preset, around: Circumstances) -> tuple[tuple[str, ...], str]:
    if around.types_given:
        return (), "the caller chose the types"
    if not preset.type_filter:
        return (), "the preset does not filter by type"
    found = [hint for hint in type_hints(parsed.question) if hint.type in around.types]
    if not found:
        return (), "no word of the question implies a type"
    reason = ", ".join(f"{hint.trigger!r} implies {hint.type}" for hint in found)
    return tuple(dict.fromkeys(hint.type for hint in found)), reason


def _weight(preset: Preset, retriever: str) -> float:
    return preset.weights.get(retriever, _DEFAULT_WEIGHT)


def _semantic(
    parsed: Parsed, preset: Preset, around: Circumstances, deadline_ms: float
) -> RetrieverPlan:
    switches = preset.semantic
    depth, run, reason = 0, False, "the preset has no semantic retriever"
    if switches is not None:
        depth = max(int(switches.per_limit * around.limit), switches.at_least)
        run, reason = True, "meaning is always worth asking"
        if not around.has_vectors:
            run, reason = False, f"no search by meaning: {around.lacking}"
        elif preset.optimizer and _is_identifier_question(parsed):
            run, reason = False, "only an identifier is asked for; words find it exactly"
        elif preset.optimizer and _is_nothing_but_time(parsed, preset):
            run, reason = False, "a pure time question; nothing in it has a meaning to compare"
    return RetrieverPlan(
        "semantic", run, "nearest", depth, _weight(preset, "semantic"), deadline_ms, reason
    )


def _lexical(
    parsed: Parsed, preset: Preset, around: Circumstances, deadline_ms: float
) -> RetrieverPlan:
    switches = preset.lexical
    depth, run, reason = 0, False, "the preset has no lexical retriever"
    if switches is not None:
        depth = max(int(switches.per_limit * around.limit), switches.at_least)
        run, reason = True, f"{len(parsed.terms)} terms to look for"
        if not parsed.terms and not parsed.phrases:
            run, reason = False, "the question has no word to look for"
        elif preset.optimizer and _is_pure_time(parsed):
            run, reason = False, "a pure time question; its words are not in the memories"
    return RetrieverPlan(
        "lexical", run, "bm25", depth, _weight(preset, "lexical"), deadline_ms, reason
    )


def _graph(
    parsed: Parsed, preset: Preset, around: Circumstances, deadline_ms: float
) -> RetrieverPlan:
    switches = preset.graph
    if switches is None:
        reason = "the preset has no graph retriever"
        return RetrieverPlan("graph", False, "-", 0, 0.0, deadline_ms, reason)
    methods = [m for m in switches.methods if _can_walk(m, parsed, around)]
    run = bool(methods)
    reason = _graph_reason(parsed, switches, methods)
    if run and preset.optimizer and _is_identifier_question(parsed):
        run, reason = False, "only an identifier is asked for; words find it exactly"
    return RetrieverPlan(
        "graph",
        run,
        "+".join(methods) or str(switches.methods[0]),
        switches.nodes_max,
        _weight(preset, "graph"),
        deadline_ms,
        reason,
    )


def _can_walk(method: GraphMethod, parsed: Parsed, around: Circumstances) -> bool:
    if method is GraphMethod.ENTITY_WALK:
        return bool(parsed.entities)
    if method is GraphMethod.ASKED_CAUSES:
        return parsed.asks_for is not None
    # The other methods start from the units nearest in meaning.
    return around.has_vectors


def _graph_reason(parsed: Parsed, switches: GraphSwitches, methods: list[GraphMethod]) -> str:
    if not methods:
        lacking = dict.fromkeys(_STARTS[method] for method in switches.methods)
        return f"nowhere to start from: {', '.join(lacking)}"
    reasons = []
    if GraphMethod.ENTITY_WALK in methods:
        names = ", ".join(e.name or e.mention for e in parsed.entities)
        own = "1 hop" if switches.hops == 1 else f"{switches.hops} hops"
        asked = f"{HOPS_EXPLICIT} hops, the question asks for them"
        reasons.append(f"from {names}, {asked if parsed.multi_hop else own}")
    if GraphMethod.ASKED_CAUSES in methods:
        reasons.append(f"the question asks for {parsed.asks_for}s")
    return "; ".join(reasons) or "from the units nearest in meaning"


def _temporal(parsed: Parsed, preset: Preset, deadline_ms: float) -> RetrieverPlan:
    switches = preset.temporal
    weight = _weight(preset, "temporal")
    if switches is None:
        reason = "the preset has no temporal retriever"
        return RetrieverPlan("temporal", False, "-", 0, 0.0, deadline_ms, reason)
    run, reason = True, f"the question names a time: {parsed.window_text or 'given'}"
    if parsed.window is None:
        run, reason = False, "the question names no time"
        if parsed.speculative_time is not None:
            run, weight = True, weight * SPECULATIVE_WEIGHT
            reason = f"{parsed.speculative_time!r} hints at time without naming it"
    return RetrieverPlan(
        "temporal", run, str(switches.method), switches.depth, weight, deadline_ms, reason
    )


def _added(name: str, preset: Preset, around: Circumstances, deadline_ms: float) -> RetrieverPlan:
    depth = max(_ADDED_PER_LIMIT * around.limit, _ADDED_AT_LEAST)
    reason = "added when the memory was opened"
    return RetrieverPlan(name, True, "-", depth, _weight(preset, name), deadline_ms, reason)


def _is_nothing_but_time(parsed: Parsed, preset: Preset) -> bool:
    # A preset may take events alone.
    everything = preset.temporal is not None and preset.temporal.method is TemporalMethod.WINDOW
    # "Lately" and "since May" bound nothing, and must not leave anything out.
    bounded = parsed.window_kind not in ("fuzzy", "open")
    return everything and bounded and _is_pure_time(parsed)


def _is_pure_time(parsed: Parsed) -> bool:
    # Of someone named there is more to say than the time.
    named = parsed.content_words or parsed.phrases or parsed.entities
    return parsed.window is not None and not named


def _is_identifier_question(parsed: Parsed) -> bool:
    """Nothing but identifiers the bank knows: a number, a code, a ticket.

    One that it does not know may be misspelt, and meaning may still find what was meant.
    """
    names = [entity.mention for entity in parsed.entities]
    identifiers = [name for name in names if any(character.isdigit() for character in name)]
    alone = bool(names) and len(identifiers) == len(names) and parsed.content_words == 0
    return alone and parsed.window is None


def _mode(preset: Preset, around: Circumstances) -> tuple[str, str]:
    if preset.fanout != "auto":
        return preset.fanout, "the preset says so"
    if around.foreign_retrievers:
        return "threads", "a retriever of unknown cost takes part"
    if around.deadline_ms is not None:
        return "threads", "a deadline can only be kept beside the work"
    if around.units <= INLINE_UNITS_MAX:
        return "inline", f"{around.units} units are searched faster than threads are started"
    return "threads", f"{around.units} units are worth a thread each"
