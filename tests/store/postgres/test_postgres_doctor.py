"""The doctor of a database: says what disagrees with the units, and mends it."""

from __future__ import annotations

from contextlib import closing

from tests.store.postgres.postgres_server import sql

from scrubjay import Memory, Unit
from scrubjay.engine.upkeep.drift import look
from scrubjay.store.postgres.store import PostgresStore


def test_what_disagrees_with_the_units_is_said_and_mended(postgres_url: str) -> None:
    with Memory.open(postgres_url, encoder="hash", reranker=None) as memory:
        told = memory.retain(
            [
                Unit("The cable was worn.", key="worn"),
                Unit("The crane broke.", key="broke", entities=("Crane Seven",)),
            ],
            bank="quay",
        )
        memory.link(told.ids[0], told.ids[1], bank="quay")
        assert memory.doctor(bank="quay") == []
        sql(
            postgres_url,
            "SET search_path = scrubjay, public;"
            "DELETE FROM units WHERE key = 'worn';"
            "DELETE FROM mentions;"
            "UPDATE entities SET mentions = 5",
        )
        said = memory.doctor(bank="quay", fix=True)
        assert {finding.check for finding in said} >= {"links", "mentions", "entities", "words"}
        details = [finding.detail for finding in said]
        assert "1 row(s) of no unit: 1" in details
        assert "row 2 points to 1, which are gone" in details
        assert "the mention table and the units' own lists differ" in details
        assert memory.doctor(bank="quay") == []
        assert memory.links(told.ids[1], bank="quay") == []


def test_a_look_at_a_few_units_tells_what_parted_from_them(postgres_url: str) -> None:
    with (
        Memory.open(postgres_url, encoder="hash", reranker=None) as memory,
        closing(PostgresStore(postgres_url)) as store,
    ):
        memory.retain([f"Heron {n} stood by lock {n}." for n in range(6)], bank="lock")
        with store.using("lock") as bank:
            assert bank is not None
            assert look(bank) == []
        sql(
            postgres_url,
            "SET search_path = scrubjay, public;"
            "DELETE FROM vectors WHERE row = 4;"
            "DELETE FROM postings WHERE term = '4'",
        )
        with store.using("lock") as bank:
            assert bank is not None
            assert {one.check for one in look(bank)} == {"vectors", "words"}
