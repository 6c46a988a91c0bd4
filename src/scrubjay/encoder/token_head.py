"""What makes token vectors of a transformer's last layer: a projection, and weights of tokens."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence

import numpy as np

from scrubjay.encoder.late import CodeArray, coded, product
from scrubjay.types.arrays import MaskArray, VectorArray

_SAYS_SOMETHING = re.compile(r"[A-Za-z0-9]")
_LATIN_END = 0x250


class TokenHead:
    """The head that `python -m training head` trained on an encoder's body."""

    def __init__(self, content: bytes, vocabulary: Mapping[str, int]) -> None:
        with np.load(io.BytesIO(content)) as arrays:
            self._project = np.ascontiguousarray(arrays["project_weight"].T, np.float32)
            self._weigh = arrays["weigh_weight"][0].astype(np.float32)
            self._bias = arrays["weigh_bias"][0].astype(np.float32)
        self._silent = silent_tokens(vocabulary)

    def document(self, layer: VectorArray, ids: Sequence[int], first: int) -> CodeArray:
        """The vectors of a text's tokens from the `first` on, but for punctuation and the end."""
        kept = first + np.flatnonzero(~self._silent[np.array(ids[first:-1], np.int64)])
        return coded(self._projected(layer[kept]))

    def question(self, layer: VectorArray, prefix: int) -> VectorArray:
        """The vectors of a question's tokens, weighed; those of its `prefix` are left out."""
        counted = np.delete(layer, np.s_[1 : 1 + prefix], axis=0)
        weights = np.logaddexp(0.0, counted @ self._weigh + self._bias)
        weighed: VectorArray = self._projected(counted) * (weights / weights.sum())[:, None]
        return weighed.astype(np.float32)

    def _projected(self, layer: VectorArray) -> VectorArray:
        vectors = product(layer, self._project)
        unit: VectorArray = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)
        return unit


def silent_tokens(vocabulary: Mapping[str, int]) -> MaskArray:
    """Which tokens are punctuation only; they are not kept."""
    silent = np.zeros(1 + max(vocabulary.values()), np.bool_)
    for word, place in vocabulary.items():
        bare = word.removeprefix("##")
        silent[place] = not _SAYS_SOMETHING.search(bare) and ord(word[0]) < _LATIN_END
    return silent
