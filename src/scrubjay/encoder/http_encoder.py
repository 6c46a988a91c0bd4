"""Embedding through any OpenAI-compatible `/v1/embeddings` endpoint."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

import numpy as np

from scrubjay.encoder.base import Calibration
from scrubjay.encoder.calibration import CALIBRATION_TEXTS, mean_pair_cosine
from scrubjay.encoder.http_client import JsonClient, parse_endpoint
from scrubjay.errors import BadInput, EncoderError
from scrubjay.patience import Patience
from scrubjay.types.arrays import VectorArray
from scrubjay.types.values import Json

EMBEDDINGS_PATH = "/v1/embeddings"

# Most servers refuse or slow down above this; a request also has to fit their body limits.
TEXTS_PER_REQUEST_MAX = 64
CHARACTERS_PER_REQUEST_MAX = 100_000


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """What the endpoint's model asks of its texts; `name` is how banks know it.

    Give a `name` of your own when the address may change while the model stays.
    """

    name: str | None = None  # None: the address
    query_prefix: str = ""
    document_prefix: str = ""
    calibration: Calibration | None = None  # None: measured on first use


@dataclass(frozen=True, slots=True)
class _Nature:
    dimension: int
    calibration: Calibration


class HttpEncoder:
    """An Encoder over HTTP; vectors are brought to unit length here.

    The endpoint is not asked before it is needed. The first question about its dimension,
    fingerprint or calibration costs one request that answers all three (two with prefixes).
    """

    def __init__(
        self,
        address: str,
        *,
        model: RemoteModel | None = None,
        api_key: str | None = None,
        patience: Patience | None = None,
        client: JsonClient | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`address` is `http(s)://host/v1#model-name`; `client` replaces the one built from it."""
        self._endpoint = parse_endpoint(address, EMBEDDINGS_PATH)
        self._model = model or RemoteModel()
        if "@" in (self._model.name or ""):
            raise BadInput("Name of an encoder", self._model.name, "Leave out the '@'.")
        self._client = client or JsonClient(self._endpoint.url, api_key=api_key, patience=patience)
        self._nature: _Nature | None = None  # None: the endpoint was not asked yet
        self._failure = (0.0, EncoderError(""))  # when it last did not say what it is, and why
        self._asking = threading.Lock()
        self._clock = clock

    @property
    def name(self) -> str:
        """The given name, or the address, which opens the encoder again."""
        if self._model.name is not None:
            return self._model.name
        # A fingerprint ends its name at the first "@", so one in the model's name is quoted.
        asked = quote(self._endpoint.model or "", safe="/:")
        return f"{self._endpoint.url}#{asked}" if asked else self._endpoint.url

    @property
    def dimension(self) -> int:
        """Numbers per vector, as the endpoint gives them."""
        return self._learn().dimension

    @property
    def fingerprint(self) -> str:
        """`name@remote/f32/dimension`; an endpoint does not tell its revision or precision."""
        return f"{self.name}@remote/f32/{self.dimension}"

    @property
    def calibration(self) -> Calibration:
        """The scale of the endpoint's cosines: given, or measured on built-in sentences."""
        return self._learn().calibration

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors of texts to be stored, one row each, in order."""
        return self._encode(self._model.document_prefix, texts)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors of questions, one row each, in order."""
        return self._encode(self._model.query_prefix, texts)

    def _learn(self) -> _Nature:
        begun = self._clock()
        with self._asking:
            if self._nature is not None:
                return self._nature
            failed, why = self._failure
            if failed > begun:
                # It failed while we stood in line; each waiting its own time would add them up.
                raise EncoderError(str(why))
            try:
                self._nature = self._probe()
            except EncoderError as error:
                self._failure = self._clock(), error
                raise
            return self._nature

    def _probe(self) -> _Nature:
        told, asked = self._model.document_prefix, self._model.query_prefix
        documents = self._request([told + text for text in CALIBRATION_TEXTS])
        given = self._model.calibration
        if given is None:
            alike = told == asked
            queries = documents if alike else self._request([asked + t for t in CALIBRATION_TEXTS])
            given = Calibration(mean_pair_cosine(queries, documents))
        return _Nature(documents.shape[1], given)

    def _encode(self, prefix: str, texts: Sequence[str]) -> VectorArray:
        dimension = self.dimension
        parts = [np.zeros((0, dimension), np.float32)]
        for batch in batches([prefix + text for text in texts]):
            vectors = self._request(batch)
            if vectors.shape[1] != dimension:
                raise EncoderError(
                    f"{self._endpoint.url} gave vectors of {vectors.shape[1]} numbers after "
                    f"vectors of {dimension}. Check which model it serves."
                )
            parts.append(vectors)
        return np.concatenate(parts)

    def _request(self, texts: Sequence[str]) -> VectorArray:
        body: dict[str, Json] = {"input": list(texts), "encoding_format": "float"}
        if self._endpoint.model is not None:
            body["model"] = self._endpoint.model
        try:
            vectors = read_vectors(self._client.post(body), len(texts))
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            if not np.isfinite(lengths).all() or not lengths.all():
                raise ValueError("a vector that is zero or not finite")
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise EncoderError(
                f"{self._endpoint.url} gave no usable embeddings for {len(texts)} texts: {error}. "
                "Check that it speaks the OpenAI embeddings format."
            ) from error
        unit: VectorArray = vectors / lengths
        return unit


def batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """`texts` in order, cut by count and by characters; a text too long goes alone."""
    batch: list[str] = []
    characters = 0
    for text in texts:
        full = len(batch) == TEXTS_PER_REQUEST_MAX
        if batch and (full or characters + len(text) > CHARACTERS_PER_REQUEST_MAX):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch


def read_vectors(answer: Json, count: int) -> VectorArray:
    """The matrix in an embeddings answer, rows by `index`; ValueError or TypeError if not there."""
    rows = answer["data"] if isinstance(answer, Mapping) else None
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise TypeError("there is no list called data")
    if len(rows) != count:
        raise ValueError(f"{len(rows)} vectors came back")
    placed: list[Json] = [None] * count
    for position, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise TypeError("an entry of data is no object")
        index = row.get("index", position)
        if not isinstance(index, int) or not 0 <= index < count or placed[index] is not None:
            raise ValueError(f"the index {index!r} is wrong or repeated")
        placed[index] = row["embedding"]
    vectors = np.array(placed, np.float32)
    if vectors.ndim != 2 or vectors.shape[1] == 0:
        raise ValueError("the embeddings are no matrix of numbers")
    return vectors
