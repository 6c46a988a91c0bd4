"""The second wall: a statement that forgets its bank sees nothing, and no role goes around it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.store.postgres.postgres_server import sql

from scrubjay import BadInput, Memory
from scrubjay.types import UnitFilter

WALLED = (
    "bank_state", "sessions", "units", "unit_tags", "vectors", "vectors_next", "postings", "links",
    "entities", "aliases", "mentions", "relations",
)  # fmt: skip
AS_APP = "SET search_path = scrubjay, public; SET ROLE scrubjay_app;"


@pytest.fixture(scope="module")
def tenants(postgres_url: str) -> Iterator[Memory]:
    """Two banks, alike but for one word."""
    with Memory.open(postgres_url, encoder="hash", reranker=None) as memory:
        for tenant in ("amber", "basil"):
            memory.retain(
                [
                    f"The {tenant} vault opens with the brass key.",
                    f"Ursula keeps the {tenant} ledger because the vault opens with the brass key.",
                ],
                bank=tenant,
                tags=["vault"],
                session="audit",
            )
            memory.relate("Ursula", "guards", tenant.title(), bank=tenant)
        yield memory


def number(url: str, name: str) -> str:
    return sql(url, f"SELECT bank_id FROM scrubjay.banks WHERE name = '{name}'")


@pytest.mark.parametrize("table", WALLED)
def test_a_forgotten_where_returns_nothing(tenants: Memory, postgres_url: str, table: str) -> None:
    assert len(tenants.banks()) == 2
    for setting in ("", "SET scrubjay.bank_id = '';", "SET scrubjay.bank_id = '999';"):
        assert sql(postgres_url, f"{AS_APP}{setting} SELECT count(*) FROM {table}") == "0"


@pytest.mark.parametrize("table", [table for table in WALLED if table != "vectors_next"])
def test_a_session_sees_one_bank(tenants: Memory, postgres_url: str, table: str) -> None:
    own = number(postgres_url, "amber")
    assert len(tenants.banks()) == 2
    seen = sql(
        postgres_url,
        f"{AS_APP} SET scrubjay.bank_id = '{own}'; SELECT DISTINCT bank_id FROM {table}",
    )
    assert seen == own


def test_a_session_cannot_write_into_another_bank(tenants: Memory, postgres_url: str) -> None:
    assert len(tenants.banks()) == 2
    own, other = number(postgres_url, "amber"), number(postgres_url, "basil")
    before = sql(postgres_url, "SELECT count(*) FROM scrubjay.unit_tags")
    with pytest.raises(AssertionError, match="row-level security"):
        sql(
            postgres_url,
            f"{AS_APP} SET scrubjay.bank_id = '{own}'; "
            f"INSERT INTO unit_tags VALUES ({other}, 'x', 1)",
        )
    sql(postgres_url, f"{AS_APP} SET scrubjay.bank_id = '{own}'; "
        f"DELETE FROM unit_tags WHERE bank_id = {other}")  # fmt: skip
    assert sql(postgres_url, "SELECT count(*) FROM scrubjay.unit_tags") == before


def test_the_application_cannot_reach_a_partition_behind_the_wall(
    tenants: Memory, postgres_url: str
) -> None:
    assert len(tenants.banks()) == 2
    with pytest.raises(AssertionError, match="permission denied"):
        sql(postgres_url, f"{AS_APP} SELECT count(*) FROM units_0")


def test_the_store_works_in_a_role_that_policies_bind(tenants: Memory, postgres_url: str) -> None:
    tenants.recall("brass key", bank="amber")
    roles = sql(
        postgres_url,
        "SELECT rolsuper, rolbypassrls, rolcanlogin FROM pg_roles WHERE rolname = 'scrubjay_app'",
    )
    assert roles == "f|f|f"
    forced = sql(
        postgres_url,
        "SELECT count(*) FROM pg_class WHERE relnamespace = 'scrubjay'::regnamespace "
        "AND relrowsecurity AND relforcerowsecurity",
    )
    assert forced == str(len(WALLED))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    question=st.text(max_size=40) | st.sampled_from(["amber vault", "Ursula", "who guards it"]),
    preset=st.sampled_from(["default", "hindsight", "tempr", "recall5", "polyant", "dense_fts"]),
    bank=st.sampled_from(["amber", "basil"]),
)
def test_no_question_reaches_another_bank(
    tenants: Memory, question: str, preset: str, bank: str
) -> None:
    other = "basil" if bank == "amber" else "amber"
    try:
        found = tenants.recall(question, bank=bank, preset=preset, limit=50)
    except BadInput:
        return
    assert not found.degraded
    assert not [item for item in found.items if other in item.text.lower()]


def test_what_one_bank_lists_erases_or_looks_up_is_its_own(tenants: Memory) -> None:
    other = tenants.list(bank="basil").units[0]
    with pytest.raises(BadInput):
        tenants.get(other.id, bank="amber")
    with pytest.raises(BadInput):
        tenants.forget(other.id, bank="amber")
    listed = tenants.list(UnitFilter(tags=("vault",)), bank="amber").units
    assert listed and not [unit for unit in listed if "basil" in unit.text]
    assert {e.name for e in tenants.entities(bank="amber")} >= {"Ursula"}
    assert not tenants.entities(bank="amber", containing="basil")
