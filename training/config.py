"""Every number of a training run, read from a TOML file."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

Section = TypeVar("Section")


@dataclass(frozen=True, slots=True)
class Paths:
    """Where things lie, from the directory the command is run in."""

    pairs: Path
    base: Path  # directory of the encoder that is trained on: model.onnx, tokenizer.json
    teacher: Path  # directory of the cross-encoder
    work: Path  # everything a run writes
    sets: tuple[Path, ...] = ()  # what is measured, never trained on

    @property
    def corpus(self) -> Path:
        """What `prepare` writes."""
        return self.work / "corpus.jsonl.gz"

    @property
    def lists(self) -> Path:
        """What `mine` writes."""
        return self.work / "lists.npz"

    @property
    def scores(self) -> Path:
        """What `teach` writes."""
        return self.work / "teacher.npy"

    def weights(self, name: str) -> Path:
        """The weights called `name`."""
        return self.work / f"{name}.pt"

    def graph(self, name: str) -> Path:
        """The exported int8 graph called `name`."""
        return self.work / f"{name}.onnx"


@dataclass(frozen=True, slots=True)
class CorpusNumbers:
    """How much text, and of which kinds."""

    seed: int = 1
    pairs_max: int | None = None  # None: all
    memories: int = 18_000  # questions about memories written by rule
    near_miss_share: float = 0.2
    wordless_share: float = 0.15


@dataclass(frozen=True, slots=True)
class ListNumbers:
    """What a question is shown, and how long texts may be, in tokens."""

    size: int = 32
    gold_max: int = 8
    rejected_max: int = 8
    bank_rejected_max: int = 14  # of a bank's own units, the hardest
    question_tokens: int = 48
    unit_tokens: int = 160
    speaker_tokens: int = 8
    previous_tokens: int = 48
    neighbours: int = 160  # of the base encoder, to draw hard negatives from
    word_matches: int = 60
    processes: int = 1
    batch_tokens: int = 200_000  # per forward pass without gradients


@dataclass(frozen=True, slots=True)
class TrainingNumbers:
    """One fine-tuning run."""

    seeds: tuple[int, ...] = (1, 2, 3)
    layers: int = 12  # of base and teacher; fewer only to try the pipeline out
    steps: int = 1_000
    lists: int = 96  # per step
    documents: int = 10  # per list
    chunks: int = 6  # forward passes per step, by length, so that little is padding
    rate: float = 4e-5
    scale_rate: float = 1e-3
    weight_decay: float = 0.01
    warmup_share: float = 0.06
    temperature: float = 2.0  # of the teacher's logits
    previous_share: float = 0.35  # of the documents read after the unit before them
    memory_share: float = 0.2  # of the lists ask about memories written by rule
    bank_share: float = 0.25  # ... and about banks
    contrastive_weight: float = 0.2
    absolute_weight: float = 0.2
    anchor_weight: float = 0.5
    anchor_questions: int = 64
    anchor_units: int = 128
    anchor_scale: float = 30.0
    gradient_norm_max: float = 1.0


@dataclass(frozen=True, slots=True)
class AverageNumbers:
    """How far the trained weights are kept; the rest is the original."""

    share: float = 0.5


@dataclass(frozen=True, slots=True)
class HeadNumbers:
    """The token vectors' projection, trained on the averaged body."""

    dimension: int = 64
    steps: int = 400
    lists: int = 64
    rate: float = 1e-3


@dataclass(frozen=True, slots=True)
class StudentNumbers:
    """Encoders of few layers that give questions the averaged one's vectors."""

    layers: tuple[int, ...] = (3,)
    rounds: tuple[int, ...] = (4_200, 8_600)  # steps; each begins with the full rate again
    questions: int = 2_048  # per step
    units: int = 256  # that their cosines are compared with
    rate: float = 5e-4


@dataclass(frozen=True, slots=True)
class Config:
    """One run: `name` is what its weights are called."""

    name: str
    paths: Paths
    corpus: CorpusNumbers = field(default_factory=CorpusNumbers)
    lists: ListNumbers = field(default_factory=ListNumbers)
    training: TrainingNumbers = field(default_factory=TrainingNumbers)
    average: AverageNumbers = field(default_factory=AverageNumbers)
    head: HeadNumbers = field(default_factory=HeadNumbers)
    students: StudentNumbers = field(default_factory=StudentNumbers)


def read_config(path: Path) -> Config:
    """The configuration in a TOML file; an unknown key is an error, paths are as written."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    paths = dict(table.pop("paths"))
    sets = tuple(Path(one) for one in paths.pop("sets", ()))
    return Config(
        name=table.pop("name"),
        paths=Paths(**{key: Path(value) for key, value in paths.items()}, sets=sets),
        corpus=_section(CorpusNumbers, table.pop("corpus", {})),
        lists=_section(ListNumbers, table.pop("lists", {})),
        training=_section(TrainingNumbers, table.pop("training", {})),
        average=_section(AverageNumbers, table.pop("average", {})),
        head=_section(HeadNumbers, table.pop("head", {})),
        students=_section(StudentNumbers, table.pop("students", {})),
    )


def _section(kind: type[Section], table: Mapping[str, object]) -> Section:
    known = set(inspect.signature(kind).parameters)
    unknown = set(table) - known
    if unknown:
        raise ValueError(f"{kind.__name__} has no {sorted(unknown)}; it has {sorted(known)}.")
    given = {key: tuple(v) if isinstance(v, list) else v for key, v in table.items()}
    return kind(**given)
