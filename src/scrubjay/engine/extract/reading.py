"""Reads what a language model answered; whatever is not exactly a fact is refused with a reason."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from scrubjay.codec.compiled import decode
from scrubjay.engine.extract.prompt import FACTS_MAX
from scrubjay.engine.retain.checking import check_units
from scrubjay.errors import BadInput, shorten
from scrubjay.settings import BankSettings
from scrubjay.types.graph import Cause, LinkKind
from scrubjay.types.units import StoredUnit, Unit
from scrubjay.types.values import Json

# A fact says no more than these; who said it, when and where is the source's to say.
_FIELDS = frozenset({
    "text", "predicate", "type", "occurred_start", "occurred_end", "valid_from", "valid_to",
    "entities", "relations", "causes",
})  # fmt: skip
_KINDS = ("causes", "enables", "prevents")
_FENCE = re.compile(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*", re.DOTALL)


class Unusable(Exception):
    """The answer as a whole cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Read:
    """Facts of one answer, and the reasons why others were left out."""

    units: tuple[Unit, ...]
    reasons: tuple[str, ...]


def content_of(answer: Json) -> str:
    """The text of a chat completion; Unusable for refusals, cut answers and other shapes."""
    choices = answer.get("choices") if isinstance(answer, Mapping) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise Unusable(f"not a chat completion: {shorten(answer)}")
    if message.get("refusal"):
        raise Unusable(f"the model refused: {shorten(message['refusal'])}")
    if choice.get("finish_reason") == "length":
        raise Unusable("the answer was cut off; give the model more tokens")
    content = message.get("content")
    if not isinstance(content, str) or not content.strip():
        raise Unusable("the model answered nothing")
    return content


def read_facts(content: str, source: StoredUnit, settings: BankSettings) -> Read:
    """The facts of an answer, as units that name their source; Unusable if it is not our JSON."""
    shape = _json(content)
    facts = shape.get("facts") if isinstance(shape, Mapping) else None
    if not isinstance(facts, list) or not isinstance(shape, Mapping) or set(shape) != {"facts"}:
        raise Unusable(f'not {{"facts": [...]}}: {shorten(content)}')
    if len(facts) > FACTS_MAX:
        raise Unusable(f"{len(facts)} facts from one note; at most {FACTS_MAX} are believable")
    units: dict[int, Unit] = {}
    reasons: list[str] = []
    for number, fact in enumerate(facts):
        try:
            units[number] = _fact(fact, number, source, settings)
        except BadInput as error:
            reasons.append(f"fact {number}: {error}")
    linked = [_linked(units, facts, number, source, reasons) for number in units]
    return Read(tuple(linked), tuple(reasons))


def fact_key(source: StoredUnit, number: int) -> str:
    """The key of a fact, so that extracting again updates it."""
    return f"fact:{source.id}:{number}"


def _json(content: str) -> Json:
    fenced = _FENCE.fullmatch(content)
    try:
        value: Json = json.loads(fenced.group(1) if fenced else content)
    except (ValueError, RecursionError):
        raise Unusable(f"not JSON: {shorten(content)}") from None
    return value


def _fact(fact: Json, number: int, source: StoredUnit, settings: BankSettings) -> Unit:
    if not isinstance(fact, Mapping):
        raise BadInput("fact", fact, "Give an object.")
    unknown = sorted(set(fact) - _FIELDS)
    if unknown:
        raise BadInput("unknown field", unknown[0], f"Known: {', '.join(sorted(_FIELDS))}.")
    told = decode(
        Unit, {n: value for n, value in fact.items() if n != "causes" and value is not None}, "fact"
    )
    unit = replace(
        told,
        told_at=source.told_at,
        context=source.context,
        tags=source.tags,
        session=source.session,
        speaker=source.speaker,
        key=fact_key(source, number),
        metadata={"extracted_from": source.id},
    )
    (checked,) = check_units([unit], settings)
    return checked


def _linked(
    units: Mapping[int, Unit],
    facts: list[Json],
    number: int,
    source: StoredUnit,
    reasons: list[str],
) -> Unit:
    """A fact with its causes; one that names no other fact of this answer is left out."""
    fact = facts[number]
    assert isinstance(fact, Mapping), "it was read already"
    causes: list[Cause] = []
    given = fact.get("causes") or []
    for one in given if isinstance(given, list) else [given]:
        other = one.get("fact") if isinstance(one, Mapping) else None
        kind = one.get("kind", "causes") if isinstance(one, Mapping) else None
        known = isinstance(other, int) and not isinstance(other, bool) and other in units
        if not known or other == number or kind not in _KINDS:
            reasons.append(f"fact {number}: cause {shorten(one)} names no other fact")
            continue
        causes.append(Cause(fact_key(source, int(str(other))), LinkKind(str(kind))))
    return replace(units[number], causes=tuple(causes))
