"""Says a question with the names of those whom it only describes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.answers import ResolvedEntity
from scrubjay.engine.shared.entities import USER
from scrubjay.language.names import fold
from scrubjay.language.names.people import person_name

# Surer than this, whoever is described is asked for by name; as sure as the walk commits.
_DESCRIBED_MIN = 0.7
_WHO = re.compile(
    r"^\W*(?:who|whom|whose|wer|wen|wem|wessen|qui|quién|quiénes|chi)\b"
    r"|\b(?:names?|called?|heißt|heisst|heißen|appelle|appellent|llaman?|nombre|nom|chiama)\b",
    re.IGNORECASE,
)


def asks_who(question: str) -> bool:
    """Whether a question asks who someone is, or what they are called."""
    return _WHO.search(question) is not None


def is_described(entity: ResolvedEntity) -> bool:
    """Whether a question says what someone is, and not their name: "my uncle"."""
    return (
        entity.confidence >= _DESCRIBED_MIN
        and not entity.by_pronoun
        and entity.name != USER
        and set(fold(entity.mention).split()).isdisjoint(fold(entity.name).split())
    )


def as_named(question: str, entities: Sequence[ResolvedEntity]) -> str:
    """The question with the names of those whom it only describes, where it does not ask for them.

    What was told of "my uncle" says his name; only what says who that is has the question's words.
    """
    described = list(filter(is_described, entities))
    if not described or asks_who(question):
        return question
    for entity in described:
        person = person_name(entity.name)
        called = entity.name.split()[0] if person is not None else entity.name
        question = question.replace(entity.mention, called, 1)
    return question
