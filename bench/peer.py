"""Loads the corpus that a neighbouring project was measured on, from a file outside this one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Protocol, TypedDict

import numpy as np

from bench.corpus.generated import Question
from scrubjay.errors import BadInput
from scrubjay.types.arrays import VectorArray
from scrubjay.types.units import Unit

DIMENSION = 384

# The peer tells two kinds of facts apart; these are ours.
_TYPES = {"world": "fact", "experience": "experience"}


class _Name(TypedDict):
    text: str


class _Fact(TypedDict):
    text: str
    event_date: datetime
    entities: Sequence[_Name]
    fact_type: str


class _Asked(TypedDict):
    kind: str
    text: str


class _Embedder(Protocol):
    def encode(self, texts: list[str]) -> VectorArray: ...


class _Corpus(Protocol):
    """What the file offers, as far as it is used here."""

    NOW: datetime

    def facts(self, n: int) -> Iterator[_Fact]: ...
    def queries(self, m: int) -> list[_Asked]: ...
    def HashEmbedder(self, dim: int) -> _Embedder: ...  # noqa: N802  its name there


class PeerEncoder:
    """The corpus's own embedder behind our protocol."""

    def __init__(self, embedder: _Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """`peer-hash`."""
        return "peer-hash"

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return DIMENSION

    @property
    def fingerprint(self) -> str:
        """Fixed: the file is."""
        return f"peer-hash@1/f32/{DIMENSION}"

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors, one row per text."""
        return np.asarray(self._embedder.encode(list(texts)), np.float32)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """The same as `encode_documents`."""
        return self.encode_documents(texts)


@dataclass(frozen=True, slots=True)
class PeerCorpus:
    """Units and questions exactly as the peer was given them."""

    corpus: _Corpus

    @property
    def now(self) -> datetime:
        """The time its questions are asked at."""
        return self.corpus.NOW

    def units(self, count: int) -> Iterator[Unit]:
        """Its facts, with the names and the date it states."""
        for fact in self.corpus.facts(count):
            yield Unit(
                fact["text"],
                type=_TYPES[fact["fact_type"]],
                entities=tuple(name["text"] for name in fact["entities"]),
                # It knows one date of a fact: when it happened, and so when it was told.
                occurred_start=fact["event_date"],
                told_at=fact["event_date"],
            )

    def questions(self, count: int) -> list[Question]:
        """Its queries."""
        return [Question(asked["kind"], asked["text"]) for asked in self.corpus.queries(count)]

    def encoder(self) -> PeerEncoder:
        """Its embedder, with an empty cache."""
        return PeerEncoder(self.corpus.HashEmbedder(DIMENSION))


def load(path: Path) -> PeerCorpus:
    """The corpus in a Python file; BadInput when there is none."""
    spec = spec_from_file_location("peer_corpus", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise BadInput("no peer corpus at", str(path), "Give its file with --peer-corpus.")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return PeerCorpus(module)
