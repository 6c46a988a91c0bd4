"""Finds units by connections; four methods over the same links and relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from scrubjay.answers import Explained, Parsed, RetrieverPlan
from scrubjay.engine.retrieve.asked_causes import asked_causes
from scrubjay.engine.retrieve.described import described, describes
from scrubjay.engine.retrieve.entity_walk import (
    UNITS_PER_NAMED_ENTITY_MAX,
    entity_walk,
    roots,
)
from scrubjay.engine.retrieve.link_expansion import link_expansion
from scrubjay.engine.retrieve.query import NOTHING, Query, Retrieved, Walk
from scrubjay.engine.retrieve.retriever import Retriever, missed
from scrubjay.engine.retrieve.spreading import spreading_activation
from scrubjay.engine.shared.describing import as_named
from scrubjay.planning import PATH, Circumstances, Decision, is_identifier_question
from scrubjay.preset import HOPS_EXPLICIT, GraphMethod, GraphSwitches, Preset
from scrubjay.store.base import Prefetch

_METHODS: dict[GraphMethod, Callable[[Query, RetrieverPlan], Retrieved]] = {
    GraphMethod.LINK_EXPANSION: link_expansion,
    GraphMethod.SPREADING_ACTIVATION: spreading_activation,
    GraphMethod.ENTITY_WALK: entity_walk,
    GraphMethod.ASKED_CAUSES: asked_causes,
    GraphMethod.DESCRIBED: described,
}
# These start from the units nearest in meaning, and have nowhere to start without a vector. They
# follow links from unit to unit, and then what the units mention.
_FROM_MEANING = (GraphMethod.LINK_EXPANSION, GraphMethod.SPREADING_ACTIVATION)
# What each method starts from, and the question or the bank may lack.
_STARTS = {
    GraphMethod.ENTITY_WALK: "no entity in the question",
    GraphMethod.ASKED_CAUSES: "it asks for no cause or effect",
    GraphMethod.DESCRIBED: "it describes nothing",
    GraphMethod.LINK_EXPANSION: "no search by meaning",
    GraphMethod.SPREADING_ACTIVATION: "no search by meaning",
}


def search(query: Query, step: RetrieverPlan) -> Retrieved:
    """The units connected to what the question is about, by the plan's methods."""
    methods = _methods(step)
    others = [method for method in methods if method not in _FROM_MEANING]
    if others and len(others) < len(methods) and not query.vector.ready():
        # The semantic branch reports the encoder's failure; the other methods still answer.
        methods = others
    found = [_METHODS[method](query, step) for method in methods]
    whole = found[0] if len(found) == 1 else merged(found, step.depth)
    return whole if whole.paths is not None else replace(whole, paths={})


def _methods(step: RetrieverPlan) -> list[GraphMethod]:
    return [GraphMethod(name) for name in step.method.split("+")]


def merged(found: Sequence[Retrieved], depth: int) -> Retrieved:
    """Several methods' answers as one list: a unit keeps what counts most, its score x its weight.

    Best first by score x weight; equal ones stay in the order their methods gave them.
    """
    if not any(len(part.rows) for part in found):
        return NOTHING
    scores = np.concatenate([part.scores for part in found])
    weights = np.concatenate(
        [np.ones(len(p.rows), np.float32) if p.weights is None else p.weights for p in found]
    )
    every = np.concatenate([part.rows for part in found])
    # Stable: what comes first of a row's is the best, and of equals that of the first method.
    order = np.argsort(-scores * weights, kind="stable")
    _, first = np.unique(every[order], return_index=True)
    order = order[np.sort(first)][:depth]
    paths: dict[int, tuple[str, ...]] = {}
    starts = np.cumsum([0, *(len(part.rows) for part in found)])
    for place in order.tolist():
        part = found[int(np.searchsorted(starts, place, side="right")) - 1]
        way = (part.paths or {}).get(int(every[place]))
        if way is not None:
            paths[int(every[place])] = way
    return Retrieved(every[order], scores[order], weights[order], paths, _walked(found))


def _walked(found: Sequence[Retrieved]) -> Walk | None:
    walks = [part.walked for part in found if part.walked is not None]
    if not walks:
        return None
    return Walk(sum(walk.seeds for walk in walks), sum(walk.edges for walk in walks))


def plan(parsed: Parsed, preset: Preset, around: Circumstances) -> Decision:
    """Runs where one of the preset's methods has somewhere to start from."""
    switches = preset.graph
    if switches is None:
        return Decision(False, "the preset has no graph retriever", share=0.0)
    methods = [method for method in switches.methods if _can_start(method, parsed, around)]
    run, reason = bool(methods), _reason(parsed, switches, methods)
    if run and preset.optimizer and is_identifier_question(parsed):
        run, reason = False, "only an identifier is asked for; words find it exactly"
    shown = "+".join(methods) or str(switches.methods[0])
    return Decision(run, reason, shown, around.thinking_budget or switches.nodes_max)


def _can_start(method: GraphMethod, parsed: Parsed, around: Circumstances) -> bool:
    if method is GraphMethod.ENTITY_WALK:
        return bool(parsed.entities)
    if method is GraphMethod.ASKED_CAUSES:
        return parsed.asks_for is not None
    if method is GraphMethod.DESCRIBED:
        return around.has_vectors and (
            describes(parsed) or as_named(parsed.question, parsed.entities) != parsed.question
        )
    return around.has_vectors


def _reason(parsed: Parsed, switches: GraphSwitches, methods: Sequence[GraphMethod]) -> str:
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
    if GraphMethod.DESCRIBED in methods:
        reasons.append("from what the first hits name")
    return "; ".join(reasons) or "from the units nearest in meaning"


def needs(query: Query, step: RetrieverPlan, wanted: Prefetch) -> Prefetch:
    """Where the walks will go first, as far as the question says it."""
    methods = _methods(step)
    wanted = replace(wanted, linked_entities=any(method in _FROM_MEANING for method in methods))
    if GraphMethod.ENTITY_WALK not in methods:
        return wanted
    named = tuple(way.entity for way in roots(query.parsed))
    return replace(wanted, entities=named, mentions_max=UNITS_PER_NAMED_ENTITY_MAX)


def why_missed(_query: Query, step: RetrieverPlan, found: Retrieved, _row: int) -> Explained:
    """Whether the walk did not reach the unit, or reached too many."""
    taken = len(found.rows)
    if taken >= step.depth:
        return missed(None, f"it is not among the {taken} taken")
    return missed(None, f"the walk reached {taken}, not it")


GRAPH = Retriever("graph", search, plan, needs, why_missed, scoped=True, signal=PATH)
