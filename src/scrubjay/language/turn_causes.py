"""Finds causes across turns: what a turn takes up from the one before, or gives as its reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from scrubjay.language.causes import asks_for_causes
from scrubjay.language.clauses import sentences_in
from scrubjay.language.statements import CHARACTERS_READ, statements_of


@dataclass(frozen=True, slots=True)
class TurnClaim:
    """What a turn says of the one before: that it is the cause, or the effect, of this one."""

    before_is_cause: bool
    confidence: float  # in (0, 1]
    words: str  # that say so


class _Opening(NamedTuple):
    before_is_cause: bool
    own: bool  # in others' mouths it argues, or goes on, more often than it explains
    confidence: float
    literals: tuple[str, ...]
    expression: re.Pattern[str]


def _read_openings(text: str) -> tuple[_Opening, ...]:
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(
        _Opening(
            before == "cause",
            whose == "own",
            float(confidence),
            tuple(literals.split("|")),
            re.compile(expression, re.IGNORECASE),
        )
        for before, whose, confidence, literals, expression in rows
    )


_FILE = Path(__file__).parent / "data" / "causes" / "turns.tsv"
_OPENINGS = _read_openings(_FILE.read_text(encoding="utf-8"))
_PLACES = {
    literal: [n for n, one in enumerate(_OPENINGS) if literal in one.literals]
    for literal in sorted({literal for one in _OPENINGS for literal in one.literals})
}
_INTERJECTION = re.compile(
    r"(?:\W|(?:yeah|yes|yep|yup|oh|ooh|wow|well|and|but|also|hey|haha|ok|okay|right|exactly|totally"
    r"|true|sure|no|nah|um|uh|mm|hm+|i guess|i think|i suppose|actually|honestly|definitely)\b)*",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"\W*(?:i (?:really )?(?:don['’]t|do not) (?:know|remember|care)|no idea|(?:i['’]m )?not sure"
    r"|good question|who knows|hard to say|never mind|it['’]s a secret|i can['’]t (?:say|tell)"
    r"|maybe)\b",
    re.IGNORECASE,
)
# Asked of what will be, or in passing, nobody gives a reason: "why don't we", "why not".
_UNREAL = re.compile(r"\b(?:if|would|should|could|might|maybe|wonder)\b", re.IGNORECASE)
_ASKED_CONFIDENCE = 0.75
# Fewer are an interjection, not a reason; a word of Chinese has no spaces around it.
_WORDS_MIN = 3


def cause_across_turns(
    text: str, before: str, *, own: bool, asked: Callable[[], bool]
) -> TurnClaim | None:
    """How a turn and the one right before it are cause and effect, if their words say so.

    By how it begins ("Because of that, we ...", "That's why ...", "Because ..."), with nothing of
    its own to refer to; some words count only where the turn before is the speaker's `own`. Or
    because the turn before asks why; of whom, `asked` says when it comes to that.
    """
    question = None if own else _asked_for_reason(before)
    if question is not None and asked():
        return _answer(text, question)
    return _taken_up(text, before, own)


def _answer(text: str, question: str) -> TurnClaim | None:
    stated = next(statements_of(text[:CHARACTERS_READ]), "")
    if not _says_enough(stated) or _NO_ANSWER.match(stated):
        return None
    return TurnClaim(False, _ASKED_CONFIDENCE, question)


def _taken_up(text: str, before: str, own: bool) -> TurnClaim | None:
    lowered = text[:_OPENING_CHARACTERS].lower()
    held = {n for literal, places in _PLACES.items() if literal in lowered for n in places}
    perhaps = [_OPENINGS[n] for n in sorted(held) if own or not _OPENINGS[n].own]
    if not perhaps:
        return None
    first = next(statements_of(text[:CHARACTERS_READ]), "")
    start = _INTERJECTION.match(first)
    at = start.end() if start is not None else 0
    for opening in perhaps:
        found = opening.expression.match(first, at)
        if found is not None:
            break
    else:
        return None
    told = [*statements_of(before[-CHARACTERS_READ:])]
    rest = first[found.end() :]
    if not told or not _says_enough(told[-1]) or len(rest.split()) < _REST_WORDS_MIN:
        return None
    if _UNREAL.search(first) or _UNREAL.search(told[-1]):
        return None
    return TurnClaim(opening.before_is_cause, opening.confidence, found.group())


_OPENING_CHARACTERS = 120
_REST_WORDS_MIN = 2


def _asked_for_reason(before: str) -> str | None:
    """The question for a reason that a turn ends with."""
    ending = before[-CHARACTERS_READ:].rstrip()
    if not ending.endswith(("?", "？")):
        return None
    sentences = [(start, end, asks) for start, end, asks in sentences_in(ending, len(ending))]
    for start, end, asks in sentences[-1:]:
        question = ending[start:end]
        if not asks or _UNREAL.search(question) or asks_for_causes(question) != "cause":
            continue
        # "Why is the minister silent on all this?" is a reproach, and gets no reason.
        words = len(question.split())
        fits = words <= _QUESTION_WORDS_MAX and _YOU.search(question) is not None
        if fits or _SHORT_MIN <= words <= _SHORT_MAX:
            return question.strip()
    return None


# Words of a question, where it speaks to the other, and where it does not.
_QUESTION_WORDS_MAX, _SHORT_MIN, _SHORT_MAX = 15, 3, 6
_YOU = re.compile(
    r"\b(?:you|your|yours|du|dich|dein\w*|ihr|sie|tu|te|toi|vous|votre|tú|usted|você)\b|你|您",
    re.IGNORECASE,
)


def _says_enough(stated: str) -> bool:
    return not stated.isascii() or len(stated.split()) >= _WORDS_MIN
