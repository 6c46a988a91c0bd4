"""Remembering the vectors of recent questions, because agents ask the same thing again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from scrubjay.encoder.base import Calibration, Encoder, calibration_of, context_words_of, is_instant
from scrubjay.encoder.checking import check_vectors
from scrubjay.encoder.late import CodeArray, as_late
from scrubjay.encoder.side_calls import SideCalls
from scrubjay.errors import EncoderError, ScrubjayError
from scrubjay.trace import UNOBSERVED, Observer
from scrubjay.types.arrays import VectorArray

Answer = TypeVar("Answer")

# 1.5 MB of vectors at 384 numbers each.
CACHED_QUERIES_DEFAULT = 1_024


class CachedQueries:
    """The same Encoder, with the vectors of its last `capacity` questions kept.

    Documents pass through. Safe to use from many threads; the arrays returned are the caller's.
    The observer is told how many questions were remembered and how many not.
    """

    def __init__(
        self,
        encoder: Encoder,
        capacity: int = CACHED_QUERIES_DEFAULT,
        observer: Observer = UNOBSERVED,
    ) -> None:
        self._encoder = encoder
        self._capacity = capacity
        self._vectors: OrderedDict[str, VectorArray] = OrderedDict()
        self._late = as_late(encoder)
        self._tokens: dict[str, VectorArray] = {}  # of the same questions, if it gives them
        self._observer = observer
        self._lock = threading.Lock()
        self._instant = is_instant(encoder)
        self._calls = SideCalls("scrubjay-encoder")

    @property
    def name(self) -> str:
        """The inner encoder's name."""
        return self._encoder.name

    @property
    def dimension(self) -> int:
        """The inner encoder's dimension."""
        return self._encoder.dimension

    @property
    def fingerprint(self) -> str:
        """The inner encoder's fingerprint."""
        return self._encoder.fingerprint

    @property
    def calibration(self) -> Calibration:
        """The inner encoder's calibration, or the identity."""
        return calibration_of(self._encoder)

    @property
    def context_words(self) -> int:
        """As the inner encoder has it."""
        return context_words_of(self._encoder)

    @property
    def head(self) -> str | None:
        """The inner encoder's head, None if it has none."""
        return None if self._late is None else self._late.head

    def load(self) -> None:
        """Let the inner encoder load what it has to, if it says how."""
        load = getattr(self._encoder, "load", None)
        if load is not None:
            load()

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """As the inner encoder does."""
        return self._asked(lambda: self._encoder.encode_documents(texts))

    def _asked(self, encode: Callable[[], Answer]) -> Answer:
        """What the encoder answers; whatever it raises, callers know one error."""
        try:
            return encode()
        except (ScrubjayError, MemoryError):
            raise
        except Exception as error:
            said = f"Encoder {self._encoder.name!r} failed with {type(error).__name__}: {error}."
            raise EncoderError(f"{said} Nothing was changed; look at the encoder.") from error

    def encode_documents_late(
        self, texts: Sequence[str], own: Sequence[int]
    ) -> tuple[VectorArray, list[CodeArray]]:
        """As the inner encoder does, which has a head."""
        late = self._late
        assert late is not None, "who has no head is not asked for token vectors"
        return self._asked(lambda: late.encode_documents_late(texts, own))

    def encode_queries_late(self, texts: Sequence[str]) -> tuple[VectorArray, list[VectorArray]]:
        """As the inner encoder does, asking it only for what is not remembered."""
        vectors = self.encode_queries(texts)
        with self._lock:
            known = {text: self._tokens[text] for text in texts if text in self._tokens}
        late = self._late
        assert late is not None, "who has no head is not asked for token vectors"
        if len(known) < len(set(texts)):  # forgotten meanwhile
            return self._asked(lambda: late.encode_queries_late(texts))
        return vectors, [known[text] for text in texts]

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors, asking the inner encoder only for what is not remembered.

        EncoderError where what it gives are none; that is not remembered.
        """
        if not texts:
            return self._asked(lambda: self._encoder.encode_queries(texts))
        found = self._recall(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        self._observer.looked_up(hits=len(found), misses=len(missing))
        if missing:
            # A head takes a small part of what the reading does, so its part is always kept.
            late, tokens = self._late, list[VectorArray]()
            if late is None:
                vectors = self._asked(lambda: self._encoder.encode_queries(missing))
            else:
                vectors, tokens = self._asked(lambda: late.encode_queries_late(missing))
            # Looked at once, and not again each time that they are remembered.
            fresh = dict(zip(missing, check_vectors(self, missing, vectors), strict=True))
            self._remember(fresh, dict(zip(missing, tokens, strict=bool(tokens))))
            found |= fresh
        # For one question, as there mostly is, `np.stack` takes five times as long.
        return np.array([found[text] for text in texts])

    def encode_within(self, texts: Sequence[str], seconds: float) -> VectorArray:
        """The same, waiting at most so long; TooLate then, and what comes later is remembered."""
        if self._instant or self._remembers(texts):
            return self.encode_queries(texts)
        return self._calls.within(seconds, lambda: self.encode_queries(texts))

    def _remembers(self, texts: Sequence[str]) -> bool:
        with self._lock:
            return all(text in self._vectors for text in texts)

    def _recall(self, texts: Sequence[str]) -> dict[str, VectorArray]:
        with self._lock:
            found = {text: self._vectors[text] for text in texts if text in self._vectors}
            for text in found:
                self._vectors.move_to_end(text)
            return found

    def _remember(
        self, fresh: Mapping[str, VectorArray], tokens: Mapping[str, VectorArray]
    ) -> None:
        with self._lock:
            self._tokens |= tokens
            for text, vector in fresh.items():
                # A row of a batch would keep the whole batch alive.
                self._vectors[text] = vector.copy()
                self._vectors.move_to_end(text)
            while len(self._vectors) > self._capacity:
                text, _ = self._vectors.popitem(last=False)
                self._tokens.pop(text, None)
