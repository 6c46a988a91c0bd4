"""Late interaction: a few numbers per token, by which a question's words find theirs in a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from scrubjay.encoder.base import Encoder
from scrubjay.types.arrays import ScoreArray, VectorArray

# Of a unit vector's token, a byte per number, stretched to the largest: the length is not kept,
# for all have length 1.
CodeArray = npt.NDArray[np.int8]

TOKEN_NUMBERS = 64
_CODE_MAX = 127
# With more products than this BLAS starts threads, and on a busy machine waits for them ten times
# as long as the work takes.
_PRODUCTS_MAX = 262_144


@runtime_checkable
class LateEncoder(Encoder, Protocol):
    """An Encoder that also gives, of the same reading, a vector for every token.

    `head` names what makes them of the layer: vectors of two heads cannot be compared. It is None
    where an encoder has none. Of a text, the tokens of its last `own` characters are kept; of a
    question all are, each row weighed by what the token says.
    """

    @property
    def head(self) -> str | None: ...
    def encode_documents_late(
        self, texts: Sequence[str], own: Sequence[int]
    ) -> tuple[VectorArray, list[CodeArray]]: ...
    def encode_queries_late(
        self, texts: Sequence[str]
    ) -> tuple[VectorArray, list[VectorArray]]: ...


def as_late(encoder: Encoder | None) -> LateEncoder | None:
    """The encoder, if it gives vectors of tokens."""
    # The head first: what has none may be an endpoint, which a look at its dimension would ask.
    if getattr(encoder, "head", None) is not None and isinstance(encoder, LateEncoder):
        return encoder
    return None


def coded(vectors: VectorArray) -> CodeArray:
    """Token vectors as bytes."""
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=1e-9)
    codes: CodeArray = np.rint(vectors * (_CODE_MAX / largest)).astype(np.int8)
    return codes


def product(first: VectorArray, second: VectorArray) -> VectorArray:
    """The product of two matrices, made on this thread alone."""
    step = max(1, _PRODUCTS_MAX // max(1, second.size))
    made = np.empty((len(first), second.shape[1]), np.float32)
    for start in range(0, len(first), step):
        np.matmul(first[start : start + step], second, out=made[start : start + step])
    return made


def best_matches(question: VectorArray, texts: Sequence[CodeArray]) -> ScoreArray:
    """For each text, the sum over the question's tokens of the cosine with their best match.

    The question's rows are weighed, their weights sum to 1; a text without tokens scores 0.
    """
    lengths = np.array([len(text) for text in texts], np.int64)
    scores = np.zeros(len(texts), np.float32)
    filled = np.flatnonzero(lengths)
    if not len(filled):
        return scores
    codes = np.concatenate([texts[place] for place in filled.tolist()]).astype(np.float32)
    codes /= np.sqrt(np.einsum("ij,ij->i", codes, codes))[:, None] + np.float32(1e-9)
    starts = np.concatenate([[0], np.cumsum(lengths[filled])[:-1]])
    scores[filled] = np.maximum.reduceat(product(codes, question.T), starts, axis=0).sum(axis=1)
    return scores
