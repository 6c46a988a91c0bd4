"""Turns a labelled unit into what an application would retain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.evaluation.datasets import UnitRecord, texts
from scrubjay.types.graph import Cause, LinkKind, Relation, RelationClass
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

MESSAGE = "message"


def as_unit(record: UnitRecord) -> Unit:
    """The unit as a message: speaker, date and session, keyed by its label.

    What a shared picture shows is said in the text, because an agent that is handed a picture
    has only its caption to remember; where it was said (`place`) goes to the context.
    """
    meta = record.meta
    return Unit(
        text=_with_caption(record.text, meta.get("caption")),
        type=str(meta["type"]) if "type" in meta else MESSAGE,
        predicate=_optional(meta.get("predicate")),
        context=_optional(meta.get("place")),
        told_at=record.told_at,
        entities=texts(meta.get("entities")),
        relations=tuple(_relation(part) for part in _records(meta.get("relations"))),
        causes=tuple(
            Cause(str(part["other"]), LinkKind(str(part["kind"])))
            for part in _records(meta.get("causes"))
        ),
        session=record.session_id,
        speaker=record.speaker,
        key=record.unit_id,
    )


def unit_of_key(key: str, known: Mapping[str, object]) -> str:
    """The label of a stored unit; a long one is stored in pieces that add their number to it."""
    return key if key in known else key.rpartition("#")[0]


def _with_caption(text: str, caption: Json) -> str:
    return f"{text} [shares {caption}]" if caption else text


def _relation(record: Mapping[str, Json]) -> Relation:
    confidence = record.get("confidence", 1.0)
    assert isinstance(confidence, int | float), "a relation's confidence is a number"
    return Relation(
        str(record["subject"]),
        str(record["relation"]),
        str(record["object"]),
        RelationClass(str(record.get("relation_class", RelationClass.SEMANTIC))),
        float(confidence),
    )


def _records(value: Json) -> Sequence[Mapping[str, Json]]:
    if value is None or isinstance(value, str) or not isinstance(value, Sequence):
        return ()
    return [part for part in value if isinstance(part, Mapping)]


def _optional(value: Json) -> str | None:
    return None if value is None else str(value)
