"""Finds what a text says about causes, by the words that join cause and effect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Literal

from scrubjay.language.alternatives import any_said
from scrubjay.language.clauses import (
    Span,
    ends_so,
    first_clause,
    last_clause,
    sentences_in,
    trimmed,
)
from scrubjay.language.literals import Literals
from scrubjay.limits import QUESTION_CHARACTERS_MAX
from scrubjay.types.graph import LinkKind


@dataclass(frozen=True, slots=True)
class CausalClaim:
    """One claim of a text: `cause` brings about, enables or prevents `effect`.

    Both are cut from the text, each is what its span holds; they do not overlap.
    """

    kind: LinkKind  # CAUSES, ENABLES or PREVENTS
    cause: str
    effect: str
    connective: str  # as written
    confidence: float  # in (0, 1]
    cause_span: tuple[int, int]
    effect_span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Connective:
    kind: LinkKind
    build: str  # effect_cause, cause_effect, clause, back_reference
    confidence: float
    literals: tuple[str, ...]  # without one of them the expression cannot match
    expression: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Joint:
    """A connective at its place, with the texts on both sides that may be cause and effect."""

    connective: _Connective
    start: int
    end: int
    left: Span
    right: Span
    before: Span | None  # the sentence before, unless it is a question or there is none


CLAIMS_MAX = 20  # a text that joins more clauses than this is a list, not an account
_CHARACTERS_MAX = 20_000  # read of one text
_REACH_CHARACTERS = 500  # of a clause, from its connective; what is farther away is another matter
_CLAUSE_WORDS_MIN = 3  # fewer are an interjection, not a reason
_PRONOUN_FACTOR = 0.7  # "it helped": the cause is somewhere else

_FOLDER = Path(__file__).parent / "data" / "causes"


def _read_connectives(text: str) -> tuple[_Connective, ...]:
    rows, lists = [], {}
    for line in text.splitlines():
        if line.startswith("@"):
            name, _, words = line[1:].partition("\t")
            lists["{" + name + "}"] = words
        elif line and not line.startswith("#"):
            kind, build, confidence, literals, expression = line.split("\t")
            for name, words in lists.items():
                expression = expression.replace(name, words)
            edge = "" if expression[0] in ",，是" else r"\b"
            pattern = re.compile(edge + f"(?:{expression})", re.IGNORECASE)
            needed = tuple(literals.split("|"))
            rows.append(_Connective(LinkKind(kind), build, float(confidence), needed, pattern))
    return tuple(rows)


def _read_questions(text: str) -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    rows = [line.split("\t") for line in lines]
    return tuple(
        (wanted, tuple(literals.split("|")), re.compile(pattern, re.IGNORECASE))
        for wanted, literals, pattern in rows
    )


_CONNECTIVES = _read_connectives((_FOLDER / "connectives.tsv").read_text(encoding="utf-8"))
_QUESTIONS = _read_questions((_FOLDER / "questions.tsv").read_text(encoding="utf-8"))
_QUESTION_LITERALS = frozenset(literal for _, literals, _ in _QUESTIONS for literal in literals)
_PLACES: dict[str, list[int]] = {}  # by literal, which connectives need it
for _place, _connective in enumerate(_CONNECTIVES):
    for _literal in _connective.literals:
        _PLACES.setdefault(_literal, []).append(_place)
_LITERALS = Literals(_PLACES)

_FIRST_COMMA = re.compile(r"[,，]\s?")
# "This month, due to CAUSE, EFFECT": what stands before is neither.
_INTRODUCTION = re.compile(
    r"\s*(?:during|in|on|at|this|last|next|today|yesterday|for|after|before|when|while|since|by)\b"
    r"[^,]*(?:,[^,]*)?,\s*",
    re.IGNORECASE,
)
_SUPPOSING = (
    "if", "hopefully", "hope", "hoping", "wish", "maybe", "perhaps", "might", "would", "could",
    "imagine", "unless", "wonder", "whether", "why(?<!reason why)", "suppose", "i['’]m sure",
    "probably", "afraid", "worried", "let['’]s", "don['’]t know",
)  # fmt: skip
_UNREAL = re.compile(rf"\b{any_said(_SUPPOSING)}\b", re.IGNORECASE)
_NEGATED = re.compile(
    r"(?:\b(?:not|never|no longer|will|would|may|might|could|should|must|shall|to|without|what|who"
    r"|whatever|how|cannot|good|great|important|worthy|many|such|other)|n['’]t|['’]ll)\s*$",
    re.IGNORECASE,
)
_UNREASONED = re.compile(
    r"(?:\b(?:not|just|only|simply|merely|least|or|and|but|say|saying|give|gave|send|sent|owe|express|with"
    r"|big|special|huge|many)|n['’]t)\s*$",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"\s*(?:it['’]s|it is|it was|how) (?:so |really |very )?"
    r"(?:great|good|nice|awesome|amazing|important|cool) (?:to|when|that|how)\b",
    re.IGNORECASE,
)
_AGREEMENT = re.compile(
    r"\b(?:agree|agreed|get it|hear you|know|understand|think so|guess so)$", re.I
)
_PRONOUN = re.compile(
    r"(?:it|this|that|they|these|those|he|she|which|them|him|her|i|we|you|me|us)(?:['’]\w+)?", re.I
)
_FIRST_PERSON = re.compile(r"(?:i|we|you)(?:['’]\w+)?", re.IGNORECASE)


def find_causes(text: str) -> tuple[CausalClaim, ...]:
    """The causal claims a text makes in so many words, in order, at most `CLAIMS_MAX`.

    Only what is claimed to be: no questions, wishes, conditions or denials. A cause that is only
    a pronoun lowers the confidence.
    """
    return tuple(islice(_claims(text), CLAIMS_MAX))


def gives_cause(text: str) -> bool:
    """Whether a text makes any causal claim: it is read as far as the first."""
    return _known_cause(text) if len(text) <= _REMEMBERED_CHARACTERS_MAX else _gives_cause(text)


def _gives_cause(text: str) -> bool:
    return next(_claims(text), None) is not None


# Questions why come one behind the other, and find the same units; a megabyte at most.
_REMEMBERED_CHARACTERS_MAX = 1_000
_known_cause = lru_cache(1_024)(_gives_cause)


def _claims(text: str) -> Iterator[CausalClaim]:
    # Most texts hold none, and here that shows in a moment.
    held = _LITERALS.held_by(text[:_CHARACTERS_MAX].lower())
    if not held:
        return
    # In the order of the list: of two that overlap the first counts.
    present = sorted({place for literal in held for place in _PLACES[literal]})
    for joint in _joints(text, [_CONNECTIVES[place] for place in present]):
        claim = _claim(text, joint)
        if claim is not None:
            yield claim


def asks_for_causes(question: str) -> Literal["cause", "effect"] | None:
    """Whether a question asks why something came about, or what came of it; None for neither."""
    asked = question[:QUESTION_CHARACTERS_MAX].strip()
    folded = asked.casefold()
    present = {literal for literal in _QUESTION_LITERALS if literal in folded}
    for wanted, literals, pattern in _QUESTIONS if present else ():
        if not present.isdisjoint(literals) and pattern.search(asked):
            return "cause" if wanted == "cause" else "effect" if wanted == "effect" else None
    return None


def _joints(text: str, present: list[_Connective]) -> Iterator[_Joint]:
    """Every connective in a sentence that states something, with what stands around it."""
    before: Span | None = None
    for start, end, asks in sentences_in(text, _CHARACTERS_MAX):
        places = [] if asks else _places(text, start, end, present)
        left_start = start
        for index, (connective, at, after) in enumerate(places):
            upcoming = places[index + 1][1] if index + 1 < len(places) else end
            right = (after, min(upcoming, after + _REACH_CHARACTERS))
            whole = connective.build in ("clause", "back_reference")
            left_end = _end_of_subject(places, index)
            left = (max(start if whole else left_start, left_end - _REACH_CHARACTERS), left_end)
            yield _Joint(connective, at, after, left, right, None if index else before)
            # "It made me laugh and helped me relax": one subject, so the left side stays.
            if connective.build != "cause_effect":
                left_start = after
        before = None if asks else (start, end)


def _end_of_subject(places: list[tuple[_Connective, int, int]], index: int) -> int:
    """Where the subject of a verb ends: before the first of the verbs it shares."""
    while index and places[index][0].build == places[index - 1][0].build == "cause_effect":
        index -= 1
    return places[index][1]


def _places(
    text: str, start: int, end: int, present: list[_Connective]
) -> list[tuple[_Connective, int, int]]:
    """The connectives of one sentence in order; of two that overlap the one listed first."""
    found: list[tuple[_Connective, int, int]] = []
    for connective in present:
        for match in connective.expression.finditer(text, start, end):
            if len(found) == CLAIMS_MAX:
                break
            if all(match.end() <= at or match.start() >= after for _, at, after in found):
                found.append((connective, *match.span()))
    return sorted(found, key=lambda place: place[1])


def _claim(text: str, joint: _Joint) -> CausalClaim | None:
    sides = _BUILDS[joint.connective.build](text, joint)
    if sides is None:
        return None
    cause, effect = sides
    if cause[0] >= cause[1] or effect[0] >= effect[1]:
        return None
    confidence = joint.connective.confidence
    if _PRONOUN.fullmatch(text, *cause) or _PRONOUN.fullmatch(text, *effect):
        confidence = round(confidence * _PRONOUN_FACTOR, 3)
    return CausalClaim(
        joint.connective.kind,
        text[cause[0] : cause[1]],
        text[effect[0] : effect[1]],
        text[joint.start : joint.end].strip(" ,"),
        confidence,
        cause,
        effect,
    )


def _effect_cause(text: str, joint: _Joint) -> tuple[Span, Span] | None:
    """Cause and effect of "EFFECT because CAUSE" and of "Because CAUSE, EFFECT"."""
    clause = last_clause(text, joint.left)
    effect = trimmed(text, clause)
    if effect[0] == effect[1] or _INTRODUCTION.fullmatch(text, *clause):
        comma = _FIRST_COMMA.search(text, *joint.right)
        if comma is None:
            return None
        cause = trimmed(text, (joint.right[0], comma.start()))
        if _UNREAL.match(text, *cause):
            return None
        return cause, first_clause(text, (comma.end(), joint.right[1]))
    written = text[clause[0] : clause[1]]
    if _UNREAL.search(written) or ends_so(_UNREASONED, written):
        return None
    said = text[effect[0] : effect[1]]
    passive = text[joint.start : joint.end].lower().endswith(" by")
    if len(said.split()) < 2 and not _stands_alone(said, passive):
        return None
    return first_clause(text, joint.right), effect


def _cause_effect(text: str, joint: _Joint) -> tuple[Span, Span] | None:
    """Cause and effect of "CAUSE led to EFFECT"."""
    clause = last_clause(text, joint.left)
    cause = trimmed(text, clause)
    written = text[clause[0] : joint.start]
    if _UNREAL.search(written) or ends_so(_NEGATED, written) or _VERDICT.match(written):
        return None
    return cause, first_clause(text, joint.right)


def _clause(text: str, joint: _Joint) -> tuple[Span, Span] | None:
    """Cause and effect of "CAUSE, so EFFECT"."""
    clause = last_clause(text, joint.left)
    cause = trimmed(text, clause)
    said = text[cause[0] : cause[1]]
    too_short = said.isascii() and len(said.split()) < _CLAUSE_WORDS_MIN
    if too_short or _AGREEMENT.search(said) or _UNREAL.search(text, *clause):
        return None
    return cause, first_clause(text, joint.right)


def _back_reference(text: str, joint: _Joint) -> tuple[Span, Span] | None:
    """Cause and effect of "CAUSE, that's why EFFECT" and of "CAUSE. As a result, EFFECT"."""
    cause = trimmed(text, joint.left)
    if len(text[cause[0] : cause[1]].split()) < _CLAUSE_WORDS_MIN:
        if joint.before is None or cause[0] < cause[1]:
            return None
        cause = trimmed(text, joint.before)
    if _UNREAL.search(text, *cause):
        return None
    return cause, first_clause(text, joint.right)


_BUILDS = {
    "effect_cause": _effect_cause,
    "cause_effect": _cause_effect,
    "clause": _clause,
    "back_reference": _back_reference,
}


def _stands_alone(said: str, passive: bool) -> bool:
    """Whether a single word can be an effect: a name or "it", and not "I" in "I'm inspired by"."""
    if passive and _FIRST_PERSON.fullmatch(said):
        return False
    return said[:1].isupper() and said.lower() not in ("not", "only", "just", "mainly", "maybe")
