"""The best units by words: the same ones, whichever of the others are left out on the way."""

from __future__ import annotations

import numpy as np
import pytest

from scrubjay.store.base import WordQuery
from scrubjay.store.postgres.index.terms import matching
from scrubjay.store.postgres.tables.postings import Holders
from scrubjay.store.shared.bm25 import Corpus
from scrubjay.store.shared.ranked_rows import best

UNITS = 30_000
CORPUS = Corpus(UNITS, UNITS * 9)
LIMITS = (1, 20, 200, UNITS)


def holders(seed: int, shares: tuple[float, ...]) -> dict[str, Holders]:
    """Words that such shares of the units hold; most units are alike, so that many are equal."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(7, 12, UNITS + 1).astype(np.uint16)
    held: dict[str, Holders] = {}
    for n, share in enumerate(shares):
        rows = np.flatnonzero(rng.random(UNITS) < share).astype(np.int64) + 1
        counts = rng.choice(np.array([1, 1, 1, 2, 9], np.uint8), len(rows))
        held[f"word{n}"] = Holders(rows, counts, lengths[rows])
    return {term: found for term, found in held.items() if len(found.rows)}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(
    "shares",
    [
        (0.0001, 0.0002),
        (0.02, 0.4, 0.45),
        (0.01, 0.012, 0.06),
        (0.02, 0.2),
        (0.5, 0.5),
        (0.0005, 0.13),
        (0.005, 0.03, 0.1, 0.6, 0.7),
        (0.27,),
    ],
    ids=str,
)
def test_the_best_are_the_same_as_if_all_were_added_up(
    seed: int, limit: int, shares: tuple[float, ...]
) -> None:
    held = holders(seed, shares)
    query = WordQuery(tuple(f"word{n}" for n in range(len(shares))))
    rows, scores = best(*matching(query, CORPUS, held), limit)
    some_rows, some_scores = best(*matching(query, CORPUS, held, limit), limit)
    assert some_rows.tolist() == rows.tolist()
    assert some_scores.tolist() == scores.tolist()


def test_who_holds_frequent_words_alone_is_left_out() -> None:
    held = holders(0, (0.02, 0.4, 0.45))
    query = WordQuery(tuple(held))
    every, _ = matching(query, CORPUS, held)
    some, _ = matching(query, CORPUS, held, 200)
    assert 200 <= len(some) <= len(held["word0"].rows) < len(every)


@pytest.mark.parametrize("limit", [None, 20])
def test_conditions_are_kept_before_the_best_are_chosen(limit: int | None) -> None:
    held = holders(1, (0.02, 0.4, 0.45))
    phrase = WordQuery(tuple(held), phrases=(("word1", "word2"),), none_of=("word0",))
    rows, _ = matching(phrase, CORPUS, held, limit)
    both = np.intersect1d(held["word1"].rows, held["word2"].rows)
    assert rows.tolist() == np.setdiff1d(both, held["word0"].rows).tolist()


def test_a_word_that_nobody_holds_finds_nobody() -> None:
    rows, scores = matching(WordQuery(("reed",)), CORPUS, {}, 10)
    assert len(rows) == len(scores) == 0
