"""Behind a pooler in transaction mode every answer is that of the server itself."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from urllib.parse import quote

import pytest
from tests.store.postgres.pooler import pooled
from tests.store.postgres.postgres_server import fresh_database

from scrubjay import Memory, StoreError
from scrubjay.store.postgres.store import PostgresStore

PEOPLE = ("Oda", "Bram", "Ilse", "Tomas", "Wendela")
THINGS = ("ladder", "kettle", "saw", "lantern", "bicycle", "anvil", "rope", "trowel")
TEXTS = [f"{who} keeps the {what} in barn {who[0]}{what[0]}." for who in PEOPLE for what in THINGS]
QUESTIONS = [f"Where does {who} keep the {what}?" for who in PEOPLE for what in THINGS]


@pytest.fixture(params=["", "application_name,extra_float_digits,search_path,lock_timeout,jit"])
def pooler_url(postgres_url: str, request: pytest.FixtureRequest) -> Iterator[str]:
    with pooled(postgres_url, ignored=request.param) as url:
        yield url


def opened(url: str) -> Memory:
    return Memory.open(url, encoder="hash", reranker=None)


def answers(memory: Memory, bank: str) -> list[list[str]]:
    def ask(question: str) -> list[str]:
        found = memory.recall(question, bank=bank, deadline_ms=600_000)
        assert not found.degraded
        return [item.text for item in found.items]

    with ThreadPoolExecutor(8) as callers:
        return list(callers.map(ask, QUESTIONS))


def test_many_callers_of_two_banks_are_answered_as_by_the_server_itself(
    postgres_url: str, pooler_url: str
) -> None:
    with opened(pooler_url) as memory:
        with ThreadPoolExecutor(4) as writers:
            told = [
                writers.submit(memory.retain, f"{text} It is in the {bank}.", bank=bank)
                for text in TEXTS
                for bank in ("north", "south")
            ]
            for each in told:
                each.result()
        pooled_answers = {bank: answers(memory, bank) for bank in ("north", "south")}
    with opened(postgres_url) as memory:
        for bank, found in pooled_answers.items():
            assert found == answers(memory, bank)
            assert all(found), "every question is answered"
            assert all(bank in text for texts in found for text in texts), "by its own bank"


def test_a_schema_is_made_and_tables_are_rewritten_by_the_server_itself(
    postgres_server: tuple[str, str],
) -> None:
    with fresh_database(postgres_server[0]) as url, pooled(url) as pooler:
        with pytest.raises(StoreError, match=r"is a pooler.*scrubjay_direct"):
            opened(pooler)
        with opened(f"{pooler}?scrubjay_direct={quote(url, safe='')}") as memory:
            (told,) = memory.retain("The trowel is in the shed.").ids
            memory.forget([told])
            memory.compact()
            assert not memory.recall("Where is the trowel?").items
        with opened(pooler) as memory, pytest.raises(StoreError, match="scrubjay_direct"):
            memory.compact()


def test_what_fails_or_comes_too_late_leaves_nothing_in_the_sessions_of_others(
    postgres_url: str,
) -> None:
    with pooled(postgres_url) as pooler, closing(PostgresStore(pooler)) as store:
        database = store._database
        for _ in range(8):
            with pytest.raises(StoreError, match="division by zero"):
                database.rows(None, "SELECT 1 / 0")
        for _ in range(4):
            with pytest.raises(StoreError, match="past its deadline"), database.within(50.0):
                database.rows(None, "SELECT pg_sleep(600)")
        for _ in range(8):
            assert database.rows(None, "SELECT $1::INTEGER", 7) == [(7,)]
            ((bank,),) = database.rows(None, "SELECT current_setting('scrubjay.bank_id', true)")
            assert not bank
