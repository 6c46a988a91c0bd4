"""Remembers on disk what a model said, so that a benchmark pays for each text once."""

from __future__ import annotations

import hashlib
import re
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import platformdirs

from scrubjay.encoder import Calibration, Encoder, Reranker, calibration_of
from scrubjay.encoder.base import context_words_of
from scrubjay.encoder.fast_encoder import FastEncoder
from scrubjay.encoder.late import TOKEN_NUMBERS, CodeArray, as_late
from scrubjay.types.arrays import ScoreArray, VectorArray

# Texts handed to the model before what it said is written down; an interrupt loses no more.
BATCH = 256
_UNSAFE = re.compile(r"[^\w.-]+")


def default_directory() -> Path:
    """Where model answers are kept unless `--cache` says otherwise."""
    return Path(platformdirs.user_cache_dir("scrubjay")) / "bench"


class DiskCache:
    """Rows of float32 by the hash of a text, in one SQLite file; safe for several processes."""

    def __init__(self, directory: Path, name: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / f"{_UNSAFE.sub('_', name)}.db"
        self._connection = sqlite3.connect(path, check_same_thread=False, timeout=60)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS answers (hash BLOB PRIMARY KEY, numbers BLOB) WITHOUT ROWID"
        )
        self._lock = threading.Lock()
        self.hits = 0
        self.misses = 0

    def get(
        self, keys: Sequence[str], compute: Callable[[list[int]], Sequence[VectorArray]]
    ) -> list[VectorArray]:
        """One row per key; `compute` is asked, in batches, for the positions not known yet."""
        hashes = [hashlib.blake2b(key.encode(), digest_size=16).digest() for key in keys]
        known = self._read(hashes)
        missing = list(
            {h: n for n, h in reversed(list(enumerate(hashes))) if h not in known}.values()
        )
        self.hits += len(keys) - len(missing)
        self.misses += len(missing)
        for start in range(0, len(missing), BATCH):
            positions = sorted(missing)[start : start + BATCH]
            fresh = {
                hashes[n]: np.asarray(row, np.float32)
                for n, row in zip(positions, compute(positions), strict=True)
            }
            self._write(fresh)
            known |= fresh
        return [known[h] for h in hashes]

    def _read(self, hashes: Sequence[bytes]) -> dict[bytes, VectorArray]:
        found: dict[bytes, VectorArray] = {}
        statement = "SELECT numbers FROM answers WHERE hash = ?"
        with self._lock:
            for h in set(hashes):
                row = self._connection.execute(statement, (h,)).fetchone()
                if row is not None:
                    found[h] = np.frombuffer(row[0], np.float32)
        return found

    def _write(self, rows: dict[bytes, VectorArray]) -> None:
        with self._lock, self._connection:
            self._connection.executemany(
                "INSERT OR REPLACE INTO answers VALUES (?, ?)",
                [(h, row.tobytes()) for h, row in rows.items()],
            )

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()


class WrappedEncoder:
    """The same Encoder; what wraps it changes how it is asked."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

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

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """As the inner encoder does."""
        return self._encoder.encode_documents(texts)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """As the inner encoder does."""
        return self._encoder.encode_queries(texts)


class CachedEncoder(WrappedEncoder):
    """The same Encoder, except that it reads a text it has seen before from disk."""

    def __init__(self, encoder: Encoder, directory: Path) -> None:
        super().__init__(encoder)
        self._late = as_late(encoder)
        # `fast` reads units as the whole model does, and has its fingerprint, but not questions.
        self._asked = "query by fast" if isinstance(encoder, FastEncoder) else "query"
        self.cache = DiskCache(directory, encoder.fingerprint)

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """As the inner encoder does."""
        return self._encode("document", self._encoder.encode_documents, texts)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """As the inner encoder does."""
        return self._encode(self._asked, self._encoder.encode_queries, texts)

    def _encode(
        self, kind: str, encode: Callable[[Sequence[str]], VectorArray], texts: Sequence[str]
    ) -> VectorArray:
        if not texts:
            return encode(texts)

        def compute(positions: list[int]) -> list[VectorArray]:
            return list(encode([texts[n] for n in positions]))

        return np.stack(self.cache.get([f"{kind}\0{text}" for text in texts], compute))

    @property
    def head(self) -> str | None:
        """The inner encoder's head, None if it has none."""
        return None if self._late is None else self._late.head

    def encode_documents_late(
        self, texts: Sequence[str], own: Sequence[int]
    ) -> tuple[VectorArray, list[CodeArray]]:
        """As the inner encoder does."""
        late = self._late
        assert late is not None, "who has no head is not asked for token vectors"

        def compute(places: list[int]) -> list[VectorArray]:
            found = late.encode_documents_late([texts[n] for n in places], [own[n] for n in places])
            return [*map(_joined, *found)]

        keys = [f"{late.head}\0{count}\0{text}" for text, count in zip(texts, own, strict=True)]
        vectors, tokens = self._parted(self.cache.get(keys, compute))
        return vectors, [each.astype(np.int8) for each in tokens]

    def encode_queries_late(self, texts: Sequence[str]) -> tuple[VectorArray, list[VectorArray]]:
        """As the inner encoder does."""
        late = self._late
        assert late is not None, "who has no head is not asked for token vectors"

        def compute(places: list[int]) -> list[VectorArray]:
            return [*map(_joined, *late.encode_queries_late([texts[n] for n in places]))]

        keys = [f"{late.head}\0{self._asked}\0{text}" for text in texts]
        return self._parted(self.cache.get(keys, compute))

    def _parted(self, rows: Sequence[VectorArray]) -> tuple[VectorArray, list[VectorArray]]:
        vectors = np.stack([row[: self.dimension] for row in rows])
        return vectors, [row[self.dimension :].reshape(-1, TOKEN_NUMBERS) for row in rows]


def _joined(vector: VectorArray, tokens: VectorArray | CodeArray) -> VectorArray:
    return np.concatenate([vector, tokens.ravel().astype(np.float32)])


class CachedReranker:
    """The same Reranker, except that it reads a pair it has seen before from disk.

    It does not tell what a pair costs, so a preset's CPU budget does not bind and every run
    reads the preset's `top` candidates: results must not depend on how busy the machine is.
    """

    def __init__(self, reranker: Reranker, directory: Path) -> None:
        self._reranker = reranker
        fingerprint = getattr(reranker, "fingerprint", reranker.name)
        self.cache = DiskCache(directory, f"pairs-{fingerprint}")

    @property
    def name(self) -> str:
        """The inner reranker's name."""
        return self._reranker.name

    def score(self, question: str, texts: Sequence[str]) -> ScoreArray:
        """As the inner reranker does."""
        if not texts:
            return self._reranker.score(question, texts)

        def compute(positions: list[int]) -> list[VectorArray]:
            scores = self._reranker.score(question, [texts[n] for n in positions])
            return list(np.asarray(scores, np.float32).reshape(-1, 1))

        rows = self.cache.get([f"{question}\0{text}" for text in texts], compute)
        return np.concatenate(rows)
