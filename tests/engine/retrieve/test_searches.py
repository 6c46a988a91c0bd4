"""Retrievers that ask the same share one search."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from scrubjay.engine.retrieve.searches import Searches
from scrubjay.store.base import Hits, Scope


class Searched:
    """Counts how often it is asked for its hits."""

    def __init__(self, count: int) -> None:
        self.asked = 0
        self.hits = Hits(np.arange(count), np.linspace(1, 0.5, count, dtype=np.float32))

    def __call__(self) -> Hits:
        self.asked += 1
        return self.hits


def test_a_second_search_for_the_same_is_answered_by_the_first() -> None:
    searches, searched = Searches(), Searched(9)
    scope = Scope(types=("fact",), metadata={"place": "hut"})
    assert searches.best(scope, 9, searched).rows.tolist() == list(range(9))
    again = Scope(types=("fact",), metadata={"place": "hut"})
    assert searches.best(again, 4, searched).rows.tolist() == [0, 1, 2, 3]
    assert searched.asked == 1


def test_who_wants_more_or_something_else_searches_again() -> None:
    searches, few, many = Searches(), Searched(3), Searched(8)
    assert len(searches.best(Scope(), 3, few).rows) == 3
    assert len(searches.best(Scope(), 8, many).rows) == 8
    assert len(searches.best(Scope(), 8, few).rows) == 8
    assert len(searches.best(Scope(types=("event",)), 3, few).rows) == 3
    assert (few.asked, many.asked) == (2, 1)


def test_threads_that_ask_at_once_wait_for_one_search() -> None:
    searches, searched, both = Searches(), Searched(5), threading.Barrier(4)

    def ask(_: int) -> list[int]:
        both.wait(10)
        rows: list[int] = searches.best("same", 5, searched).rows.tolist()
        return rows

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(4)))
    assert answers == [[0, 1, 2, 3, 4]] * 4
    assert searched.asked == 1
