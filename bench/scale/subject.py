"""What every measurement is given: a built store, its corpus, questions and recall options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bench.corpus.clustered import NOW, Corpus
from bench.corpus.clustered_questions import VectorQuestion, questions
from bench.recall import preset_with
from bench.scale.encoder import GivenVectors
from scrubjay.answers import RecallOptions
from scrubjay.memory import Memory
from scrubjay.types.arrays import VectorArray

# Asked first and not counted: pages are read, caches filled, threads started.
WARM_QUESTIONS = 100


@dataclass(frozen=True, slots=True)
class Subject:
    """One size: where it lies, and how it is asked."""

    folder: Path
    units: int
    questions: int
    candidates: int = 100
    max_tokens: int = 4_096
    limit: int = 10
    ingest_units: int = 1_000
    banks: int = 1

    @property
    def store(self) -> Path:
        """The store itself."""
        return self.folder / "store"

    @property
    def corpus(self) -> Corpus:
        """What the store was filled with."""
        return Corpus(self.units)

    @property
    def options(self) -> RecallOptions:
        """The default preset with so many candidates from each retriever, and no reranker."""
        return RecallOptions(
            preset=replace(preset_with(self.candidates), name="default"),
            limit=self.limit,
            max_tokens=self.max_tokens,
        )

    def asked(self) -> tuple[list[VectorQuestion], list[VectorQuestion]]:
        """The questions that warm up, and those that count."""
        made = questions(self.corpus, WARM_QUESTIONS + self.questions)
        return made[:WARM_QUESTIONS], made[WARM_QUESTIONS:]

    def open(
        self,
        asked: list[VectorQuestion],
        *,
        told: Mapping[str, VectorArray] | None = None,
        store: Path | None = None,
    ) -> Memory:
        """The store, with an encoder that knows these questions, and texts to be told."""
        vectors = {question.text: question.vector for question in asked} | dict(told or {})
        return Memory.open(
            store or self.store, encoder=GivenVectors(vectors), reranker=None, clock=lambda: NOW
        )
