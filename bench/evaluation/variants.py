"""Presets to measure: the shipped ones, one retriever alone, and one part taken away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from scrubjay.engine.presets import PRESETS, preset_of
from scrubjay.errors import BadInput
from scrubjay.preset import (
    Fusion,
    GraphSwitches,
    LexicalSwitches,
    Preset,
    SemanticSwitches,
    TemporalMethod,
    TemporalSwitches,
)

ONLY = "only_"

# A benchmark shares its machine; a branch that is late there is no finding about the engine.
PATIENT_MS = 120_000.0


def all_presets() -> list[Preset]:
    """The shipped presets, `default` first."""
    return sorted(PRESETS.values(), key=lambda preset: preset.name != "default")


def single_retrievers() -> list[Preset]:
    """One retriever alone with the default's switches for it, fusion and boosts out of the way."""
    default = PRESETS["default"]
    alone = replace(
        default,
        semantic=None, lexical=None, graph=None, temporal=None, rerank=None,
        fusion=Fusion.RRF, type_filter=False, optimizer=False,
        recency_weight=0.0, temporal_weight=0.0, signs=None,
    )  # fmt: skip
    return [
        replace(alone, name=f"{ONLY}semantic", semantic=default.semantic or SemanticSwitches()),
        replace(alone, name=f"{ONLY}lexical", lexical=default.lexical or LexicalSwitches()),
        replace(alone, name=f"{ONLY}graph", graph=default.graph or GraphSwitches()),
        replace(
            alone,
            name=f"{ONLY}temporal",
            temporal=default.temporal or TemporalSwitches(TemporalMethod.WINDOW),
        ),
    ]


def find_preset(name: str) -> Preset:
    """A shipped preset, or `only_<retriever>`; BadInput for anything else."""
    singles = {preset.name: preset for preset in single_retrievers()}
    if name in singles:
        return singles[name]
    if name in PRESETS:
        return preset_of(name)
    raise BadInput("unknown preset", name, f"Known: {', '.join([*PRESETS, *singles])}.")


def ablations(preset: Preset) -> list[Preset]:
    """The preset without each of its retrievers and stages in turn, named `-part`."""
    without = [
        replace(preset, name="-semantic", semantic=None),
        replace(preset, name="-lexical", lexical=None),
        replace(preset, name="-graph", graph=None),
        replace(preset, name="-temporal", temporal=None),
        replace(preset, name="-rerank", rerank=None),
        replace(preset, name="-type_filter", type_filter=False),
        replace(preset, name="-optimizer", optimizer=False),
        replace(preset, name="-score_in_fusion", fusion=Fusion.RRF),
        replace(preset, name="-recency", recency_weight=0.0),
        replace(preset, name="-temporal_boost", temporal_weight=0.0),
        replace(preset, name="-signs", signs=None),
        *_sign_ablations(preset),
        *_retriever_ablations(preset),
    ]
    # A part the preset does not have cannot be taken away.
    return [variant for variant in without if replace(variant, name=preset.name) != preset]


def _sign_ablations(preset: Preset) -> Iterator[Preset]:
    if preset.signs is None:
        return
    for sign in fields(preset.signs):
        # Every sign is a weight; without weight it says nothing.
        without = replace(preset.signs, **{sign.name: 0.0})
        yield replace(preset, name=f"-sign_{sign.name}", signs=without)


def _retriever_ablations(preset: Preset) -> Iterator[Preset]:
    words, graph = preset.lexical, preset.graph
    if words is not None:
        alone = replace(words, neighbour_share=0.0)
        yield replace(preset, name="-lexical_neighbours", lexical=alone)
        yield replace(preset, name="-stems", lexical=replace(words, analysis="simple"))
    if graph is not None and len(graph.methods) > 1:
        for method in graph.methods:
            kept = tuple(other for other in graph.methods if other is not method)
            yield replace(preset, name=f"-{method}", graph=replace(graph, methods=kept))


def patient(preset: Preset) -> Preset:
    """The preset with deadlines that a busy machine keeps."""
    return replace(preset, deadline_ms=PATIENT_MS)


def deep(preset: Preset, depth: int) -> Preset:
    """The preset with every list `depth` long and no reranking, to see where a unit got lost."""
    changed = replace(preset, candidates_max=4 * depth, rerank=None, deadline_ms=PATIENT_MS)
    if preset.semantic is not None:
        changed = replace(
            changed, semantic=replace(preset.semantic, per_limit=0, at_least=depth, floor=0.0)
        )
    if preset.lexical is not None:
        changed = replace(changed, lexical=replace(preset.lexical, per_limit=0, at_least=depth))
    if preset.graph is not None:
        changed = replace(changed, graph=replace(preset.graph, nodes_max=depth))
    if preset.temporal is not None:
        changed = replace(changed, temporal=replace(preset.temporal, depth=depth))
    return changed
