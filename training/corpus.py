"""What training reads: units, and questions that know which units answer them."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Unit:
    """A text as a memory would hold it."""

    text: str
    source: str
    previous: int | None = None  # the unit told right before; None: nothing was
    speaks: bool = False  # who says it already stands in the text


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the units that answer it and those that only look as if they did.

    `trust` weighs the teacher's score, which knows English only, against the labels; `label` is
    what a label is worth in the teacher's logits.
    """

    text: str
    source: str
    group: str  # document or dialogue; training and validation never share one
    gold: tuple[int, ...]
    rejected: tuple[int, ...] = ()
    unjudged: tuple[int, ...] = ()  # whether they answer depends on more than the texts
    trust: float = 1.0
    label: float = 2.0
    speaker: str | None = None  # in front of every gold unit that does not speak; None: nothing
    other: str | None = None  # in front of some of the others
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Everything `prepare` made; positions in `units` are what questions refer to."""

    units: tuple[Unit, ...]
    questions: tuple[Question, ...]

    def save(self, path: Path) -> None:
        """Write one JSON object per line: the counts, the units, the questions."""
        with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as out:
            counts = {"units": len(self.units), "questions": len(self.questions)}
            for row in (counts, *map(asdict, self.units), *map(asdict, self.questions)):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


def load_corpus(path: Path) -> Corpus:
    """What `Corpus.save` wrote."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        counts = json.loads(next(lines))
        units = tuple(Unit(**json.loads(next(lines))) for _ in range(counts["units"]))
        questions = tuple(_question(line) for line in lines)
    assert len(questions) == counts["questions"], f"{path} was cut short; run `prepare` again"
    return Corpus(units, questions)


def _question(line: str) -> Question:
    row = json.loads(line)
    places = {key: tuple(row[key]) for key in ("gold", "rejected", "unjudged")}
    return Question(**{**row, **places})
