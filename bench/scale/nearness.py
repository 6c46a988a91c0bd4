"""Measures how many of the truly nearest vectors the store finds, at 10 and at 100."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path

import numpy as np

from bench import machine
from bench.corpus.clustered import Corpus
from bench.corpus.clustered_questions import questions
from bench.machine import rounded, summary
from bench.scale.building import open_bank
from bench.scale.subject import Subject
from scrubjay.store.base import Scope
from scrubjay.types.arrays import RowArray, VectorArray
from scrubjay.types.values import Json

DEPTHS = (10, 100)
# Comparing with every vector is what this costs; more questions change the third digit.
QUESTIONS_MAX = 200
# Scores kept of each question before they are cut to the best.
COMPARED_AT_ONCE = 20_000


def measure(subject: Subject) -> dict[str, Json]:
    """Recall against an exhaustive comparison, and the CPU of the store's search alone."""
    asked = questions(subject.corpus, min(subject.questions, QUESTIONS_MAX), seed=3)
    vectors = np.stack([question.vector for question in asked])
    exact = _exact(subject.corpus, vectors, subject.folder)
    deep = exact.shape[1]
    found: list[RowArray] = []
    spent: list[float] = []
    with open_bank(subject.store) as bank:
        for vector in vectors:
            search = partial(bank.nearest, vector, limit=deep, floor=-1.0, scope=Scope())
            hits, cpu = machine.cpu_of(search)
            found.append(hits.rows)
            spent.append(1e3 * cpu)
    return {
        **{f"recall@{depth}": rounded(recall_at(found, exact, depth)) for depth in DEPTHS},
        "questions": len(asked),
        "search_cpu_ms": summary(spent),
    }


def recall_at(found: list[RowArray], exact: RowArray, depth: int) -> float:
    """The mean share of each row of `exact`, as far as `depth`, that its `found` has that far."""
    depth = min(depth, exact.shape[1])
    shares = [
        len(np.intersect1d(rows[:depth], truth[:depth])) / depth
        for rows, truth in zip(found, exact, strict=True)
    ]
    return float(np.mean(shares))


def exact_nearest(corpus: Corpus, vectors: VectorArray, depth: int) -> RowArray:
    """For each vector the rows of its `depth` nearest units, nearest first, all compared."""
    depth = min(depth, corpus.units)
    rows = np.zeros((len(vectors), 0), np.int64)
    scores = np.zeros((len(vectors), 0), np.float32)
    progress = machine.Progress("exact neighbours, blocks", corpus.blocks)
    for number in range(corpus.blocks):
        block = corpus.block(number)
        # As the store keeps them.
        kept = block.vectors.astype(np.float16).astype(np.float32)
        fresh = np.arange(block.first + 1, block.first + block.count + 1)
        scores = np.hstack([scores, vectors @ kept.T])
        rows = np.hstack([rows, np.broadcast_to(fresh, (len(vectors), block.count))])
        if scores.shape[1] > COMPARED_AT_ONCE:
            best = np.argpartition(-scores, depth, axis=1)[:, :depth]
            rows, scores = np.take_along_axis(rows, best, 1), np.take_along_axis(scores, best, 1)
        progress(number + 1)
    order = np.lexsort((rows, -scores), axis=1)[:, :depth]
    rows = np.take_along_axis(rows, order, 1)
    return rows


def _exact(corpus: Corpus, vectors: VectorArray, folder: Path) -> RowArray:
    """The exact neighbours, kept in the folder: at ten million units they take minutes."""
    mark = hashlib.blake2b(vectors.tobytes(), digest_size=8).hexdigest()
    kept = folder / f"exact-{mark}.npy"
    if kept.exists():
        known: RowArray = np.load(kept)
        return known
    exact = exact_nearest(corpus, vectors, max(DEPTHS))
    np.save(kept, exact)
    return exact
