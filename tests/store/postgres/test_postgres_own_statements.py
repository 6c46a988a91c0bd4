"""Statements that a bank has for itself: when it gets them, what they say, and what they answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from tests.store.postgres.postgres_server import sql

from scrubjay import Memory, Unit
from scrubjay.answers import RecallOptions
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.connection.own_statements import worded_for
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.testing import HashingEncoder
from scrubjay.types.values import Window

SCOPED = (
    "SELECT x FROM t WHERE bank_id = $1 AND ($2::TEXT IS NULL OR a = $2::TEXT)"
    " AND ($3::BIGINT IS NULL OR b < $3::BIGINT) ORDER BY c LIMIT $4"
)
MAY = Window(datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 5, 31, tzinfo=UTC))
QUESTIONS = (
    RecallOptions(),
    RecallOptions(window=MAY),
    RecallOptions(tags=("wet",)),
    RecallOptions(types=("event",)),
)
PREPARED = "SELECT statement, generic_plans FROM pg_prepared_statements"
ASKED = 40


@pytest.fixture(scope="module")
def memory(postgres_url: str) -> Iterator[Memory]:
    store = PostgresStore(f"{postgres_url}?scrubjay_pool=1&scrubjay_graph_from=100")
    with Memory(EngineBackend(store, Toolbox(HashingEncoder(), None))) as memory:
        for bank in ("own", "another"):
            memory.retain([unit(n, bank) for n in range(150)], bank=bank)
        store.settle()
        yield memory


def unit(n: int, bank: str) -> Unit:
    return Unit(
        f"Warden Brandt-{n % 7} read {bank} gauge {n} of the Jade dyke.",
        type="event" if n % 3 else "fact",
        tags=("wet",) if n % 4 else (),
        told_at=datetime(2026, 1 + n % 9, 1 + n % 28, tzinfo=UTC),
    )


@pytest.fixture
def session(memory: Memory, postgres_url: str) -> Iterator[Database]:
    """One session for all that is asked."""
    assert memory.stats(bank="own").units
    database = Database(read_address(f"{postgres_url}?scrubjay_pool=1"), read_only=True)
    try:
        yield database
    finally:
        database.close()


def number_of(bank: str, postgres_url: str) -> int:
    return int(sql(postgres_url, f"SELECT bank_id FROM scrubjay.banks WHERE name = '{bank}'"))


def test_what_a_plan_depends_on_is_written_into_a_statement_and_the_rest_stays_a_value() -> None:
    text, values = worded_for(7, SCOPED, [7, "wet", None, 20])
    assert text == (
        "SELECT x FROM t WHERE bank_id = 7::BIGINT AND (false OR a = $1::TEXT)"
        " AND (true OR b < NULL::BIGINT) ORDER BY c LIMIT 20"
    )
    assert values == ["wet"]


def test_types_are_written_out_for_a_small_one_is_found_by_its_index() -> None:
    statement = (
        "SELECT x FROM t WHERE bank_id = $1 AND type = ANY($2::SMALLINT[]) AND d <> $3::SMALLINT"
        " AND ($4::SMALLINT[] IS NULL OR type = ANY($4::SMALLINT[])) AND row = $5"
    )
    text, values = worded_for(7, statement, [7, (1, 3), -1, None, 40])
    assert text == (
        "SELECT x FROM t WHERE bank_id = 7::BIGINT AND type = ANY('{1,3}'::SMALLINT[])"
        " AND d <> -1::SMALLINT AND (true OR type = ANY(NULL::SMALLINT[])) AND row = $1"
    )
    assert values == [40]


def test_a_statement_of_no_bank_and_one_whose_nothing_has_no_type_keep_their_values() -> None:
    assert worded_for(7, "SELECT $1", ["seven"]) == ("SELECT $1", ["seven"])
    text, values = worded_for(7, "SELECT f($2) FROM t WHERE bank_id = $1", [7, None])
    assert (text, values) == ("SELECT f($1) FROM t WHERE bank_id = 7::BIGINT", [None])


def test_a_bank_that_is_asked_on_and_on_is_planned_once(
    session: Database, postgres_url: str
) -> None:
    bank = number_of("own", postgres_url)
    before = session.rows(bank, SQL["words_after"], bank, 0, 20)
    for _ in range(ASKED):
        assert session.rows(bank, SQL["words_after"], bank, 0, 20) == before
    plans = dict(session.rows(bank, PREPARED))
    assert [plans[text] > 0 for text in plans if f"bank_id = {bank}::BIGINT" in text] == [True]


def test_a_session_that_goes_from_bank_to_bank_has_the_statements_of_all(
    session: Database, postgres_url: str
) -> None:
    banks = [number_of(name, postgres_url) for name in ("own", "another")]
    for _ in range(ASKED):
        for bank in banks:
            assert session.rows(bank, SQL["words_after"], bank, 0, 20)
    texts = [text for text, _ in session.rows(banks[0], PREPARED)]
    assert SQL["words_after"] in texts and not any("::BIGINT ORDER" in text for text in texts)


def test_statements_of_its_own_answer_as_those_of_all_and_see_what_was_told_since(
    memory: Memory,
) -> None:
    bank = memory.bank("own")

    def answers() -> list[list[str]]:
        question = "which gauge did Brandt-3 read"
        return [[item.id for item in bank.recall(question, asked).items] for asked in QUESTIONS]

    first = answers()
    assert all(first) and len({tuple(ids) for ids in first}) == len(QUESTIONS)
    assert [answers() for _ in range(10)] == [first] * 10
    kept = memory.retain("Brandt-3 sealed the gauge of the sluice.", bank="own").id
    assert bank.recall("who sealed the gauge of the sluice").items[0].id == kept


def test_sessions_that_the_server_ends_leave_their_places_to_others(
    session: Database, postgres_url: str
) -> None:
    bank = number_of("own", postgres_url)
    for _ in range(3):
        assert session.rows(bank, SQL["created_at"], bank)
        sql(
            postgres_url,
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE application_name = 'scrubjay' AND datname = current_database()",
        )
    assert session.rows(bank, SQL["created_at"], bank)
