"""A scope decided here, by the facts of rows, lets through what the server lets through."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from scrubjay import Memory, Unit
from scrubjay.store.base import Scope
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.types.values import Window

START = datetime(2025, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def store(postgres_url: str) -> Iterator[PostgresStore]:
    """Units of two types with every mixture of times given and left out, and one that is gone."""
    with Memory.open(postgres_url, encoder="hash", reranker=None) as memory:
        kept = memory.retain(
            [
                Unit(
                    f"Berth {n} was dredged.",
                    type="event" if n % 2 else "fact",
                    told_at=START + n * DAY,
                    occurred_start=START + n * 3 * DAY if n % 3 else None,
                    occurred_end=START + n * 4 * DAY if n % 3 == 2 else None,
                    valid_from=START + n * DAY if n % 5 else None,
                    valid_to=START + (2 * n + 9) * DAY if n % 4 == 1 else None,
                    tags=("deep",) if n % 7 == 0 else (),
                    metadata={"pier": n % 2} if n % 6 == 0 else {},
                    session=f"watch-{n % 3}",
                )
                for n in range(60)
            ],
            bank="harbour",
        )
        memory.forget(kept.ids[11], bank="harbour")
    opened = PostgresStore(postgres_url)
    try:
        yield opened
    finally:
        opened.close()


def day(number: int) -> datetime:
    return START + number * DAY


@pytest.mark.parametrize(
    "scope",
    [
        Scope(types=("event",)),
        Scope(types=("event", "opinion")),
        Scope(as_of=day(20)),
        Scope(not_ended_by=day(30)),
        Scope(known_at=day(25)),
        Scope(window=Window(day(10), day(40))),
        Scope(window=Window(None, day(5))),
        Scope(window=Window(day(55), None)),
        Scope(types=("fact",), not_ended_by=day(40), window=Window(day(30), day(90))),
        Scope(tags=("deep",)),
        Scope(metadata={"pier": 0}),
        Scope(session="watch-1", known_at=day(30)),
    ],
    ids=str,
)
def test_facts_and_server_agree(store: PostgresStore, scope: Scope) -> None:
    rows = np.arange(0, 70)
    with store.using("harbour") as here, store.using("harbour") as there:
        assert here is not None and there is not None
        inside = there.in_scope(scope)
        allowed = here.filter_rows(rows, scope)
    assert rows[allowed].tolist() == inside.tolist()
    assert 0 < len(inside) < 59


def test_the_same_rows_by_another_type_are_not_asked_for_again(store: PostgresStore) -> None:
    rows = np.arange(0, 70)
    scopes = [Scope(types=(name,), tags=("deep",)) for name in ("event", "fact", "opinion")]
    with store.using("harbour") as here, store.using("harbour") as there:
        assert here is not None and there is not None
        before = store.reads
        allowed = [rows[here.filter_rows(rows, scope)].tolist() for scope in scopes]
        assert store.reads - before == 1
        assert allowed == [there.in_scope(scope).tolist() for scope in scopes]
    assert allowed[0] and allowed[1] and not allowed[2]
