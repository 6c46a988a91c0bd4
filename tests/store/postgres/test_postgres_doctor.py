"""The doctor of a database: says what disagrees with the units, and mends it."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

import pytest
from tests.store.postgres.postgres_server import sql

from scrubjay import Memory, Unit
from scrubjay.engine.upkeep.drift import Drifted, check
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.types.reports import Look

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


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
            check(bank, NOW)
            assert memory.stats(bank="lock").last_look == Look(NOW, ())
        sql(
            postgres_url,
            "SET search_path = scrubjay, public;"
            "DELETE FROM vectors WHERE row = 4;"
            "DELETE FROM postings WHERE term = '4'",
        )
        with store.using("lock") as bank:
            assert bank is not None
            with pytest.raises(Drifted):
                check(bank, NOW)
        seen = memory.stats(bank="lock").last_look
        assert seen is not None
        assert {one.check for one in seen.findings} == {"vectors", "words"}
        memory.doctor(bank="lock", fix=True)
        assert memory.stats(bank="lock").last_look is None
