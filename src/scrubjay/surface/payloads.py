"""The JSON shapes of answers and reports: one for the command line and every server.

Keys come in a fixed order, times are ISO text in UTC, and scores and durations are rounded to six
digits, so that equal answers are equal text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import UTC, tzinfo
from functools import singledispatch

from scrubjay.answers import (
    Evidence,
    Explanation,
    Item,
    Parsed,
    Plan,
    Recall,
    ResolvedEntity,
    RetrieverPlan,
    Why,
)
from scrubjay.shapes import iso, unit_to_json
from scrubjay.trace import Span
from scrubjay.types import (
    BankInfo,
    Entity,
    Erasure,
    Finding,
    Json,
    Link,
    Page,
    Retained,
    Session,
    Stats,
    StoredRelation,
    StoredUnit,
    Window,
)

Shape = dict[str, Json]

_DIGITS = 6


@singledispatch
def to_json(result: object) -> Json:
    """The JSON of anything a Memory returns; a list becomes a list."""
    raise TypeError(f"{type(result).__name__} has no JSON shape; add one to payloads.py.")


@to_json.register(list)
def list_to_json(results: list[object]) -> list[Json]:
    """Each result in order."""
    return [to_json(result) for result in results]


to_json.register(StoredUnit)(unit_to_json)


@to_json.register(Recall)
def recall_to_json(recall: Recall) -> Shape:
    """The answer to a question; `trace` is there only when it was asked for."""
    shape: Shape = {
        "items": [item_to_json(item) for item in recall.items],
        "plan": plan_to_json(recall.plan),
        "window": window_to_json(recall.window),
        "timings": {name: _span(span) for name, span in recall.timings.items()},
        "widened": recall.widened,
        "degraded": [asdict(part) for part in recall.degraded],
        "nothing_relevant": recall.nothing_relevant,
        "tokens": recall.tokens,
        "max_wait_ms": _rounded(recall.max_wait_ms),
        "question": recall.question,
        "parsed": _read_from(recall.parsed, UTC),
        "reranked": recall.reranked,
    }
    if recall.trace is not None:
        shape["trace"] = _rounded_deep(recall.trace)
    return shape


@to_json.register(Item)
def item_to_json(item: Item) -> Shape:
    """One memory of an answer, and why it is there."""
    source = item.source
    return {
        "id": item.id,
        "text": item.text,
        "type": item.type,
        "score": _rounded(item.score),
        "relevance": _rounded(item.relevance),
        "occurred_start": iso(item.occurred_start),
        "occurred_end": iso(item.occurred_end),
        "told_at": iso(item.told_at),
        "context": item.context,
        "tags": list(item.tags),
        "metadata": dict(item.metadata),
        "source": None if source is None else asdict(source),
        "entities": list(item.entities),
        "tokens": item.tokens,
        "predicate": item.predicate,
        "speaker": item.speaker,
        "session": item.session,
        "key": item.key,
        "why": _why(item.why),
    }


def _why(why: Why) -> Shape:
    """The retrievers that found it, each with rank and score, then what was done to its score."""
    shape: Shape = {name: _evidence(found) for name, found in why.retrievers.items()}
    return shape | {
        "rerank": _rounded(why.rerank),
        "recency": _rounded(why.recency),
        "temporal_boost": _rounded(why.temporal_boost),
        "fused": _rounded(why.fused),
        "signs": {name: _rounded(bonus) for name, bonus in why.signs.items()},
    }


def _evidence(evidence: Evidence) -> Shape:
    shape: Shape = {"rank": evidence.rank, "score": _rounded(evidence.score)}
    if evidence.path is not None:
        shape["path"] = list(evidence.path)
    return shape


def _span(span: Span) -> Shape:
    return {
        "start_ms": _rounded(span.start_ms),
        "end_ms": _rounded(span.end_ms),
        "cpu_ms": _rounded(span.cpu_ms),
    }


@to_json.register(Plan)
def plan_to_json(plan: Plan) -> Shape:
    """What the optimizer chose, with its reasons."""
    return {
        "preset": plan.preset,
        "retrievers": [_retriever_plan(step) for step in plan.retrievers],
        "type_hints": list(plan.type_hints),
        "hint_reason": plan.hint_reason,
        "mode": plan.mode,
        "mode_reason": plan.mode_reason,
        "excluded": list(plan.excluded),
    }


def _retriever_plan(step: RetrieverPlan) -> Shape:
    return {
        "retriever": step.retriever,
        "run": step.run,
        "method": step.method,
        "depth": step.depth,
        "weight": _rounded(step.weight),
        "deadline_ms": _rounded(step.deadline_ms),
        "reason": step.reason,
    }


def window_to_json(window: Window | None, zone: tzinfo = UTC) -> Json:
    """[start, end], both inclusive, null at an open end, in `zone`."""
    if window is None:
        return None
    return [iso(edge and edge.astimezone(zone)) for edge in (window.start, window.end)]


def parsed_to_json(parsed: Parsed, plan: Plan, zone: tzinfo) -> Shape:
    """What a question says: when (in `zone`), about whom, and the types its words hint at."""
    when = _when(parsed, zone)
    return {**when, "hints": list(plan.type_hints), **_read_from(parsed, zone)}


def _when(parsed: Parsed, zone: tzinfo) -> Shape:
    return {
        "window": window_to_json(parsed.window, zone),
        "kind": parsed.window_kind,
        "confidence": _rounded(parsed.window_confidence),
        "entities": [_resolved(entity) for entity in parsed.entities],
    }


# Fields of a parse that are shown as they are; the others have names and forms of their own.
_PLAIN_OF_PARSED = tuple(
    one.name
    for one in fields(Parsed)
    if one.name not in ("now", "window", "window_kind", "window_confidence", "entities")
)


def _read_from(parsed: Parsed, zone: tzinfo) -> Shape:
    """Everything that was read from a question."""
    plain = {name: _listed(getattr(parsed, name)) for name in _PLAIN_OF_PARSED}
    return {**_when(parsed, zone), "now": iso(parsed.now), **plain}


def _listed(value: object) -> Json:
    """Tuples as lists, however deep; anything else as it is."""
    if isinstance(value, tuple):
        return [_listed(one) for one in value]
    assert value is None or isinstance(value, bool | int | float | str), value
    return value


def _resolved(entity: ResolvedEntity) -> Shape:
    return {
        "mention": entity.mention,
        "id": entity.entity,
        "name": entity.name,
        "confidence": _rounded(entity.confidence),
        "by_pronoun": entity.by_pronoun,
        "candidates": [[number, _rounded(sure)] for number, sure in entity.candidates],
    }


@to_json.register(Explanation)
def explanation_to_json(explanation: Explanation) -> Shape:
    """Why a unit was, or was not, in an answer."""
    return {
        "unit": explanation.unit,
        "question": explanation.question,
        "returned": explanation.returned,
        "step": str(explanation.step),
        "reason": explanation.reason,
        "rank": explanation.rank,
        "retrievers": {
            name: {
                "ran": seen.ran,
                "rank": seen.rank,
                "score": _rounded(seen.score),
                "reason": seen.reason,
            }
            for name, seen in explanation.retrievers.items()
        },
        "fused_rank": explanation.fused_rank,
        "fused_score": _rounded(explanation.fused_score),
        "rerank": _rounded(explanation.rerank),
        "score": _rounded(explanation.score),
        "relevance": _rounded(explanation.relevance),
        "recency": _rounded(explanation.recency),
        "temporal_boost": _rounded(explanation.temporal_boost),
        "signs": {name: _rounded(value) for name, value in explanation.signs.items()},
    }


@to_json.register(Page)
def page_to_json(page: Page) -> Shape:
    """One page of a listing."""
    return {"units": [unit_to_json(unit) for unit in page.units], "cursor": page.cursor}


@to_json.register(Retained)
def retained_to_json(retained: Retained) -> Shape:
    """What retaining did."""
    return {
        "ids": list(retained.ids),
        "new": list(retained.new),
        "duplicates": list(retained.duplicates),
        "updated": list(retained.updated),
        "derived": asdict(retained.derived),
    }


@to_json.register(Erasure)
def erasure_to_json(erasure: Erasure) -> Shape:
    """What forgetting removed, and from where."""
    left_closed = list(erasure.left_closed)
    return {**asdict(erasure), "ids": list(erasure.ids), "left_closed": left_closed}


@to_json.register(Entity)
def entity_to_json(entity: Entity) -> Shape:
    """An entity and its names."""
    return {**asdict(entity), "aliases": list(entity.aliases)}


@to_json.register(StoredRelation)
def stored_relation_to_json(relation: StoredRelation) -> Shape:
    """A relation, its ends by name and number."""
    return {
        "id": relation.id,
        "subject": relation.subject.name,
        "relation": relation.relation,
        "object": relation.object.name,
        "relation_class": str(relation.relation_class),
        "confidence": _rounded(relation.confidence),
        "valid_from": iso(relation.valid_from),
        "valid_to": iso(relation.valid_to),
        "subject_id": relation.subject.id,
        "object_id": relation.object.id,
        "subject_entity": entity_to_json(relation.subject),
        "object_entity": entity_to_json(relation.object),
    }


@to_json.register(Link)
def link_to_json(link: Link) -> Shape:
    """An edge between two units."""
    return {
        "source": link.source,
        "target": link.target,
        "kind": str(link.kind),
        "weight": _rounded(link.weight),
    }


@to_json.register(Session)
def session_to_json(session: Session) -> Shape:
    """One conversation of the log."""
    return {
        "name": session.name,
        "started_at": iso(session.started_at),
        "last_at": iso(session.last_at),
        "ended_at": iso(session.ended_at),
        "units": session.units,
    }


@to_json.register(BankInfo)
def bank_to_json(bank: BankInfo) -> Shape:
    """A bank's identity card."""
    return {
        "name": bank.name,
        "created_at": iso(bank.created_at),
        "encoder": bank.encoder,
        "units": bank.units,
    }


@to_json.register(Stats)
def stats_to_json(stats: Stats) -> Shape:
    """Counts and sizes of a bank."""
    return {
        **asdict(stats),
        "by_type": dict(stats.by_type),
        "oldest_told_at": iso(stats.oldest_told_at),
        "newest_told_at": iso(stats.newest_told_at),
    }


@to_json.register(Finding)
def finding_to_json(finding: Finding) -> Shape:
    """One thing doctor found."""
    return asdict(finding)


def error_to_json(kind: str, message: str) -> Shape:
    """An error: the name of its class, and what it says."""
    return {"error": {"kind": kind, "message": message}}


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(float(number), _DIGITS)


def _rounded_deep(value: Json) -> Json:
    if isinstance(value, float):
        return _rounded(value)
    if isinstance(value, Mapping):
        return {key: _rounded_deep(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded_deep(inner) for inner in value]
    return value
