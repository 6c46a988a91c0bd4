"""Row security: a statement that forgets its bank sees nothing, and no role goes around it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.store.postgres.postgres_server import fresh_database, sql

from scrubjay import BadInput, Memory
from scrubjay.store.postgres import administration
from scrubjay.types.filters import UnitFilter

PROTECTED = (
    "bank_state", "sessions", "units", "unit_tags", "vectors", "vectors_next", "postings", "links",
    "entities", "aliases", "mentions", "relations", "judgements", "pending", "requests",
)  # fmt: skip
OWN = "bank_id = (SELECT NULLIF(current_setting('scrubjay.bank_id', true), '')::BIGINT)"
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
            memory.retain(f"The {tenant} vault has a new lock.", bank=tenant, pending=True)
            memory.bank(tenant, requests_per_minute_max=1_000_000)
            found = memory.recall("brass key", bank=tenant)
            memory.feedback(found, used=[found[0].id], bank=tenant)
        yield memory


def number(url: str, name: str) -> str:
    return sql(url, f"SELECT bank_id FROM scrubjay.banks WHERE name = '{name}'")


@pytest.mark.parametrize("table", PROTECTED)
def test_a_forgotten_where_returns_nothing(tenants: Memory, postgres_url: str, table: str) -> None:
    assert len(tenants.banks()) == 2
    for setting in ("", "SET scrubjay.bank_id = '';", "SET scrubjay.bank_id = '999';"):
        assert sql(postgres_url, f"{AS_APP}{setting} SELECT count(*) FROM {table}") == "0"


@pytest.mark.parametrize("table", [table for table in PROTECTED if table != "vectors_next"])
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


def test_a_session_cannot_delete_another_banks_name(tenants: Memory, postgres_url: str) -> None:
    own, other = number(postgres_url, "amber"), number(postgres_url, "basil")
    for setting in ("", f"SET scrubjay.bank_id = '{own}';"):
        sql(postgres_url, f"{AS_APP}{setting} DELETE FROM banks WHERE bank_id = {other}")
        sql(postgres_url, f"{AS_APP}{setting} DELETE FROM banks WHERE name = 'basil'")
    for change in (
        "INSERT INTO banks (bank_id, name) VALUES (77, 'crept in')",
        "UPDATE banks SET name = 'renamed'",
    ):
        with pytest.raises(AssertionError, match="permission denied"):
            sql(postgres_url, f"{AS_APP} SET scrubjay.bank_id = '{own}'; {change}")
    assert [bank.name for bank in tenants.banks()] == ["amber", "basil"]


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
    # Five of the tables have 64 partitions; the list of names is walled too.
    assert forced == str(len(PROTECTED) + 5 * 64 + 1)


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
        found = tenants.recall(question, bank=bank, preset=preset, limit=50, deadline_ms=600_000)
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


@pytest.fixture(scope="module")
def owned(postgres_server: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """A database made by a plain owner who may not take the role, and its superuser's address."""
    server, _ = postgres_server
    sql(server, "CREATE ROLE wall_keeper LOGIN")
    with fresh_database(server) as admin:
        name = admin.rsplit("/", 1)[1]
        sql(admin, f"CREATE EXTENSION vector; ALTER DATABASE {name} OWNER TO wall_keeper")
        url = admin.replace("postgres@", "wall_keeper@")
        with Memory.open(url, encoder="hash", reranker=None) as memory:
            for bank in ("amber", "basil"):
                memory.retain(f"Ursula keeps the {bank} ledger.", bank=bank, tags=["vault"])
        yield url, admin
    sql(server, "REVOKE scrubjay_app FROM wall_keeper; DROP ROLE wall_keeper")


def test_an_owner_at_work_sees_one_bank_through_every_partition(owned: tuple[str, str]) -> None:
    url, _ = owned
    own = number(url, "amber")
    reached = sql(
        url,
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
        "WHERE c.relnamespace = 'scrubjay'::regnamespace AND c.relkind IN ('r', 'p') "
        "AND a.attname = 'bank_id' AND c.relname <> 'banks'",
    ).split()
    assert len(reached) == len(PROTECTED) + 5 * 64
    every = " UNION ALL ".join(f"SELECT bank_id FROM scrubjay.{name}" for name in reached)
    assert sql(url, f"SELECT count(*) FROM ({every}) x") == "0"
    assert (
        sql(url, f"SET scrubjay.bank_id = '{own}'; SELECT DISTINCT bank_id FROM ({every}) x") == own
    )


def test_a_check_says_that_the_role_cannot_be_taken_until_it_can(owned: tuple[str, str]) -> None:
    url, admin = owned
    (said,) = [finding.detail for finding in administration.row_security_of(url)]
    assert "works as wall_keeper" in said and "scrubjay_app cannot be taken" in said
    sql(admin, "GRANT scrubjay_app TO wall_keeper")
    assert administration.row_security_of(url) == []
    with Memory.open(url, encoder="hash", reranker=None) as memory:
        assert memory.recall("ledger", bank="amber").items


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        ("ALTER TABLE scrubjay.units_3 NO FORCE ROW LEVEL SECURITY", "table units_3 shows"),
        ("DROP POLICY own_bank ON scrubjay.links_9", "table links_9 shows"),
        ("CREATE POLICY hole ON scrubjay.units USING (true)", "sees other banks' rows in units"),
        (
            "ALTER POLICY own_bank ON scrubjay.postings USING (bank_id > 0)",
            "scrubjay_app, set to bank none, sees other banks' rows in postings",
        ),
        ("ALTER POLICY own_bank ON scrubjay.banks USING (true)", "can delete other banks' names"),
        ("ALTER ROLE scrubjay_app BYPASSRLS", "whom no policy binds"),
    ],
)
def test_a_check_tries_the_wall_and_finds_a_gap(
    tenants: Memory, postgres_url: str, gap: str, said: str
) -> None:
    assert administration.row_security_of(postgres_url) == []
    undo = {
        "NO FORCE": "ALTER TABLE scrubjay.units_3 FORCE ROW LEVEL SECURITY",
        "links_9": f"CREATE POLICY own_bank ON scrubjay.links_9 USING ({OWN})",
        "hole": "DROP POLICY hole ON scrubjay.units",
        "postings": f"ALTER POLICY own_bank ON scrubjay.postings USING ({OWN})",
        "banks": f"ALTER POLICY own_bank ON scrubjay.banks USING ({OWN})",
        "BYPASSRLS": "ALTER ROLE scrubjay_app NOBYPASSRLS",
    }
    sql(postgres_url, gap)
    try:
        found = [finding.detail for finding in administration.row_security_of(postgres_url)]
    finally:
        sql(postgres_url, next(text for part, text in undo.items() if part in gap))
    assert [text for text in found if said in text], found
    assert len(tenants.banks()) == 2
    assert administration.row_security_of(postgres_url) == []
