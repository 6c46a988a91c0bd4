"""The five designs and ours, as data."""

from __future__ import annotations

import json
from pathlib import Path

from scrubjay.errors import BadInput
from scrubjay.preset import (
    PRESET_NAMES,
    Fusion,
    GraphMethod,
    GraphSwitches,
    LexicalSwitches,
    Preset,
    RerankSwitches,
    SemanticSwitches,
    SignSwitches,
    TemporalMethod,
    TemporalSwitches,
)

# What each kind of evidence counts in `default`, and how that was found: `scrubjay bench fit`.
WEIGHTS_FILE = Path(__file__).parent / "data" / "weights.json"
_WEIGHTS: dict[str, float] = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["weights"]

DENSE_FTS = Preset(
    name="dense_fts",
    semantic=SemanticSwitches(per_limit=3, at_least=0, floor=0.0, per_type=True),
    lexical=LexicalSwitches(per_limit=3, at_least=0, analysis="standard", per_type=True),
    graph=None,
    temporal=None,
)

POLYANT = Preset(
    name="polyant",
    semantic=SemanticSwitches(per_limit=2, at_least=20, floor=0.0),
    lexical=LexicalSwitches(per_limit=2, at_least=20, analysis="simple"),
    graph=None,
    temporal=None,
)

TEMPR = Preset(
    name="tempr",
    semantic=SemanticSwitches(per_limit=0, at_least=100, floor=0.3),
    lexical=LexicalSwitches(per_limit=0, at_least=100, analysis="standard"),
    graph=GraphSwitches(
        methods=(GraphMethod.SPREADING_ACTIVATION,),
        seeds=5,
        # The design's 0.5 is a cosine of an encoder whose unrelated pairs have 0.4.
        seed_floor=0.33,
        nodes_max=100,
    ),
    temporal=TemporalSwitches(TemporalMethod.ENTRY_POINTS),
    rerank=RerankSwitches(top=300),
)

HINDSIGHT = Preset(
    name="hindsight",
    semantic=SemanticSwitches(per_limit=5, at_least=100, floor=0.3),
    lexical=LexicalSwitches(per_limit=5, at_least=100, analysis="standard"),
    graph=GraphSwitches(methods=(GraphMethod.LINK_EXPANSION,), seeds=20),
    temporal=TemporalSwitches(TemporalMethod.ENTRY_POINTS),
    rerank=RerankSwitches(top=300),
    recency_weight=0.2,
    temporal_weight=0.2,
)

RECALL5 = Preset(
    name="recall5",
    semantic=SemanticSwitches(per_limit=5, at_least=100, floor=0.3),
    lexical=LexicalSwitches(per_limit=5, at_least=100, analysis="simple"),
    graph=GraphSwitches(methods=(GraphMethod.ENTITY_WALK,), hops=2, multi_hop_weight=0.8),
    temporal=TemporalSwitches(TemporalMethod.EVENTS),
    type_filter=True,
    optimizer=True,
    fusion=Fusion.WEIGHTED_RRF,
    # The design's rerank is optional; ask for it with rerank=True.
    rerank=None,
)

DEFAULT = Preset(
    name="default",
    # An answer in other words throughout is no nearer than what is unrelated: it is found all the
    # same, if nothing better is.
    semantic=SemanticSwitches(per_limit=5, at_least=200, floor=0.0, telling=0.3, background=0.3),
    lexical=LexicalSwitches(
        per_limit=5,
        at_least=200,
        analysis="standard",
        neighbour_share=0.35,
        per_word=0.07,
        foreign=2.0,
    ),
    graph=GraphSwitches(
        methods=(GraphMethod.ENTITY_WALK, GraphMethod.ASKED_CAUSES, GraphMethod.DESCRIBED),
        # Half of what a question mentions mentions it; a relation or a cause that leads from it
        # to a unit is rare, and says much more.
        multi_hop_weight=5.0,
        causal_factor=45.0,
        # A quarter of what the unit that says who is meant has more of meaning: with half of it
        # what else is said of them came before the answer.
        described_weight=15.0,
    ),
    temporal=TemporalSwitches(TemporalMethod.WINDOW),
    optimizer=True,
    fusion=Fusion.EVIDENCE,
    weights={name: _WEIGHTS[name] for name in ("semantic", "lexical", "graph", "temporal")},
    # Measured: the cross-encoder gained a point on one set, lost four on another, and costs a
    # hundred times the rest. `rerank=True` asks for it.
    rerank=None,
    newest_first=True,
    instructions=True,
    signs=SignSwitches(
        window=_WEIGHTS["window"],
        window_fuzzy=_WEIGHTS["window_fuzzy"],
        window_open=_WEIGHTS["window_open"],
        window_alone=_WEIGHTS["window_alone"],
        happened_share=0.8,
        afterwards_share=0.5,
        before_share=0.3,
        held_share=0.8,
        speaker=_WEIGHTS["speaker"],
        hinted=_WEIGHTS["hinted"],
        form=_WEIGHTS["form"],
        neighbours=_WEIGHTS["neighbours"],
        question=_WEIGHTS["question"],
        lacking=_WEIGHTS["lacking"],
        reply=_WEIGHTS["reply"],
        assistant=_WEIGHTS["assistant"],
        impersonal_share=0.3,
        brief=_WEIGHTS["brief"],
        per_year=_WEIGHTS["per_year"],
        per_year_now=_WEIGHTS["per_year_now"],
        late=_WEIGHTS["late"],
    ),
)

PRESETS = {
    preset.name: preset for preset in (DENSE_FTS, POLYANT, TEMPR, HINDSIGHT, RECALL5, DEFAULT)
}
assert tuple(PRESETS) == PRESET_NAMES

# What `rerank=True` means for a preset that does not rerank by itself: the design of recall5
# reads 50 and takes the cross-encoder's order; blended, it keeps what the searches agree on.
_READ_ON_REQUEST = RerankSwitches(top=50)
_BLENDED_ON_REQUEST = RerankSwitches(top=30, budget_ms=400.0, blend=0.5, before=True)


def preset_of(given: str | Preset) -> Preset:
    """The preset a caller names or brings."""
    if isinstance(given, Preset):
        return given
    if not isinstance(given, str) or given not in PRESETS:
        raise BadInput("unknown preset", given, f"Known: {', '.join(PRESETS)}.")
    return PRESETS[given]


def rerank_on_request(preset: Preset) -> RerankSwitches:
    """How a preset reranks that does not do so by itself."""
    by_score = preset.fusion in (Fusion.SPREAD, Fusion.EVIDENCE)
    return _BLENDED_ON_REQUEST if by_score else _READ_ON_REQUEST
