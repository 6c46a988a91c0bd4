"""Questions about units of the clustered corpus: in their words, with their names and times."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from bench.corpus import lexicon
from bench.corpus.clustered import NOW, Block, Corpus
from bench.corpus.vector_space import question_vectors

from scrubjay.types.arrays import VectorArray

QUESTION_KINDS = ("plain", "entity", "temporal", "identifier", "time", "mixed")

# Units asked about lie in so many blocks at most: making one is most of a question's cost.
_BLOCKS_MAX = 100
_RECENT_DAYS = 45
_BACK_FROM_NOW = ("yesterday", "last week", "last month", "three days ago", "two weeks ago")


@dataclass(frozen=True, slots=True)
class VectorQuestion:
    """Something to ask, its vector, and the unit it was made from."""

    kind: str
    text: str
    vector: VectorArray
    about: int


def questions(corpus: Corpus, count: int, *, seed: int = 2) -> list[VectorQuestion]:
    """`count` questions of all kinds in turn, about units from everywhere in the corpus."""
    source = np.random.default_rng([seed, corpus.seed, corpus.units])
    blocks = source.choice(corpus.blocks, min(corpus.blocks, _BLOCKS_MAX), replace=False)
    each = -(-count // len(blocks))
    made: list[VectorQuestion] = []
    for number in blocks.tolist():
        made += _about(corpus.block(number), min(each, count - len(made)), len(made), source)
    # In the order made, neighbours are about neighbours, which no reader's cache should know.
    return [made[place] for place in source.permutation(len(made)).tolist()]


def _about(
    block: Block, count: int, first: int, source: np.random.Generator
) -> Iterator[VectorQuestion]:
    places = source.integers(0, block.count, count)
    vectors = question_vectors(block.vectors[places], source)
    for offset, (place, vector) in enumerate(zip(places.tolist(), vectors, strict=True)):
        kind = QUESTION_KINDS[(first + offset) % len(QUESTION_KINDS)]
        yield VectorQuestion(kind, _ask(block, place, kind, source), vector, block.first + place)


def _ask(block: Block, place: int, kind: str, source: np.random.Generator) -> str:
    telling = [word for word in block.words[place] if word >= lexicon.function_words()]
    picked = source.choice(telling or block.words[place], 3).tolist()
    first, second, third = (lexicon.vocabulary()[word] for word in picked)
    match kind:
        case "plain":
            return f"what do we know about the {first} and the {second} {third}"
        case "entity":
            return f"what did {_name(block, place)} say about the {first} {second}"
        case "temporal":
            return f"what was decided about the {first} {_month(block, place)}"
        case "identifier":
            return lexicon.entity(int(source.choice(_identifiers(block)))).text
        case "time":
            return f"what happened {_moment(block, place, source)}"
        case _:
            name, when = _name(block, place), _month(block, place)
            return f"why did {name} want the {first} {second} {when}"


def _name(block: Block, place: int) -> str:
    """Whom the unit names, or the unit before it, as far back as it takes."""
    named = next((names[0] for names in block.names[place::-1] if names), 1)
    return lexicon.entity(named).text


def _identifiers(block: Block) -> list[int]:
    named = [name for names in block.names for name in names]
    return [name for name in named if lexicon.is_identifier(name)] or named or [0]


def _month(block: Block, place: int) -> str:
    told_at = block.corpus.told_at(block.first + place)
    if (NOW - told_at).days < _RECENT_DAYS:
        return "last month"
    return f"in {calendar.month_name[told_at.month]} {told_at.year}"


def _moment(block: Block, place: int, source: np.random.Generator) -> str:
    """Half of those who ask for nothing but a time count back from today."""
    if source.random() < 0.5:
        return str(source.choice(_BACK_FROM_NOW))
    told_at = block.corpus.told_at(block.first + place)
    return f"on {told_at.day} {calendar.month_name[told_at.month]} {told_at.year}"
