"""Finds units by the rare words they share with a question."""

from __future__ import annotations

import multiprocessing
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RARE_WORDS_MAX = 5
# A word in more units than this says nothing about one of them.
UNITS_PER_WORD_MAX = 20_000
_QUESTIONS_PER_TASK = 500

_WORD = re.compile(r"[a-z0-9]{2,}")
_STOP_WORDS = """
    what when where who why how which did does do is are was were the an of to in on for and or
    with that this it its be as at by from has have had he she they his her their you your my me we
    not can will would about after before into than then there these those been being if so such
    some any more most other own same
"""
_STOP = frozenset(_STOP_WORDS.split())
_ENDINGS = ("ing", "ed", "es", "s")

IntArray = npt.NDArray[np.int32]


def stem(word: str) -> str:
    """`word` without a common English ending, if enough is left of it."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word[: -len(ending)]
    return word


def content_words(text: str) -> frozenset[str]:
    """The stems of the words that say something."""
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP)


@dataclass(frozen=True, slots=True)
class WordIndex:
    """Posting lists of every word that is not too common, and the units' lengths in words."""

    postings: dict[str, IntArray]
    lengths: npt.NDArray[np.float32]

    def best(self, question: str, limit: int) -> list[int]:
        """At most `limit` units, best first: summed idf of the rarest words, shorter first."""
        words = sorted(
            (word for word in content_words(question) if word in self.postings),
            key=lambda word: (len(self.postings[word]), word),
        )[:RARE_WORDS_MAX]
        if not words:
            return []
        lists = [self.postings[word] for word in words]
        weights = [np.full(len(p), np.log(1 + len(self.lengths) / len(p))) for p in lists]
        units, inverse = np.unique(np.concatenate(lists), return_inverse=True)
        length = 1.2 + 0.3 * np.log1p(self.lengths[units] / 20)
        scores = np.bincount(inverse, np.concatenate(weights)) / length
        order = np.argsort(-scores, kind="stable")[:limit]
        return [int(unit) for unit in units[order]]


def index_words(texts: Sequence[str]) -> WordIndex:
    """An index over `texts`."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        for word in content_words(text):
            places[word].append(number)
    postings = {
        word: np.array(units, np.int32)
        for word, units in places.items()
        if len(units) < UNITS_PER_WORD_MAX
    }
    return WordIndex(postings, np.array([len(text) / 5 for text in texts], np.float32))


_shared: list[WordIndex] = []  # what forked workers read without copying


def _best_of(task: tuple[Sequence[str], int]) -> list[list[int]]:
    questions, limit = task
    return [_shared[0].best(question, limit) for question in questions]


def best_of_all(
    index: WordIndex, questions: Sequence[str], limit: int, processes: int
) -> list[list[int]]:
    """`index.best` of every question, in order."""
    _shared[:] = [index]
    tasks = [
        (questions[start : start + _QUESTIONS_PER_TASK], limit)
        for start in range(0, len(questions), _QUESTIONS_PER_TASK)
    ]
    if processes == 1:
        return [found for task in tasks for found in _best_of(task)]
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        return [found for part in pool.imap(_best_of, tasks) for found in part]
