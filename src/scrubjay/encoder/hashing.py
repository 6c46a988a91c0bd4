"""An encoder without a model: texts that share words are close, nothing else is understood."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Sequence

import numpy as np

from scrubjay.encoder.late import TOKEN_NUMBERS, CodeArray, coded
from scrubjay.types.arrays import VectorArray

DIMENSION_DEFAULT = 384

# Words whose vectors are kept: 13 MB at 384 numbers each. When it is full the cache starts again,
# which costs a few microseconds per word.
CACHED_WORDS_MAX = 8_192

_WORDS = re.compile(r"\w+")


class HashingEncoder:
    """An Encoder that adds up one random ±1 vector per word; the same everywhere, for ever.

    The cosine of two texts is about the share of words they have in common, 0 for none. Case and
    punctuation do not count. Safe to use from many threads.
    """

    def __init__(self, dimension: int = DIMENSION_DEFAULT) -> None:
        self._dimension = dimension
        self._rows: dict[str, int] = {}
        self._table = np.empty((CACHED_WORDS_MAX, dimension), np.float32)
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """`hash`."""
        return "hash"

    @property
    def instant(self) -> bool:
        """It adds up what it remembers."""
        return True

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return self._dimension

    @property
    def fingerprint(self) -> str:
        """Changes with the dimension only."""
        return f"hash@1/f32/{self._dimension}"

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors, one row per text, in order; texts without words share one vector."""
        sums = np.empty((len(texts), self._dimension), np.float32)
        with self._lock:
            for row, text in enumerate(texts):
                # No text may need more rows than the table has.
                words = _WORDS.findall(text.lower())[:CACHED_WORDS_MAX] or [""]
                np.add.reduce(self._table.take(self._rows_of(words), axis=0), axis=0, out=sums[row])
            # Words that cancel out exactly leave no direction; give them that of no words.
            sums[~sums.any(axis=1)] = self._table[self._rows_of([""])]
        unit: VectorArray = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return unit

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """The same as `encode_documents`."""
        return self.encode_documents(texts)

    @property
    def head(self) -> str:
        """Words are their own tokens; the same for every dimension."""
        return "hash@1"

    def encode_documents_late(
        self, texts: Sequence[str], own: Sequence[int]
    ) -> tuple[VectorArray, list[CodeArray]]:
        """The same, and a vector for every word of each text's `own` last characters."""
        ends = [text[len(text) - count :] for text, count in zip(texts, own, strict=True)]
        return self.encode_documents(texts), [coded(_each_word(text)) for text in ends]

    def encode_queries_late(self, texts: Sequence[str]) -> tuple[VectorArray, list[VectorArray]]:
        """The same, and a vector for every word of each question; all weigh the same."""
        words = [_each_word(text) for text in texts]
        return self.encode_queries(texts), [each / np.float32(max(1, len(each))) for each in words]

    def _rows_of(self, words: Sequence[str]) -> list[int]:
        try:
            return [self._rows[word] for word in words]
        except KeyError:
            return self._remember(words)

    def _remember(self, words: Sequence[str]) -> list[int]:
        fresh = [word for word in dict.fromkeys(words) if word not in self._rows]
        if len(self._rows) + len(fresh) > CACHED_WORDS_MAX:
            self._rows.clear()
            fresh = list(dict.fromkeys(words))
        first = len(self._rows)
        self._table[first : first + len(fresh)] = word_vectors(fresh, self._dimension)
        self._rows.update(zip(fresh, range(first, first + len(fresh)), strict=True))
        return [self._rows[word] for word in words]


def _each_word(text: str) -> VectorArray:
    words = _WORDS.findall(text.lower())[:CACHED_WORDS_MAX]
    unit: VectorArray = word_vectors(words, TOKEN_NUMBERS) / np.sqrt(np.float32(TOKEN_NUMBERS))
    return unit


def word_vectors(words: Sequence[str], dimension: int) -> VectorArray:
    """For each word `dimension` numbers of ±1, drawn from its hash."""
    size = (dimension + 7) // 8
    digests = [hashlib.shake_256(word.encode("utf-8", "replace")).digest(size) for word in words]
    drawn = np.frombuffer(b"".join(digests), np.uint8).reshape(-1, size)
    return np.unpackbits(drawn, axis=1, count=dimension).astype(np.float32) * 2 - 1
