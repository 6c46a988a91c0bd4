"""The commands `copy` and `admin`, between directories and databases, as a script runs them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.store.postgres.postgres_server import fresh_database, sql
from tests.surface.cli.command_line import Ran

from scrubjay import Memory, Unit
from scrubjay.store.shared.statements import migrations
from scrubjay.surface.cli import run
from scrubjay.types.graph import Relation

Cli = Callable[..., Ran]
# Five batches of a copy.
MANY = 2_400


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command and returns its exit code, stdout and stderr."""

    def ran(*arguments: object) -> Ran:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return ran


def opened(address: str) -> Memory:
    return Memory.open(address, encoder="hash", reranker=None)


def tell(address: str, bank: str) -> None:
    with opened(address) as memory:
        memory.retain(
            [
                # Its type, its time and its names are read from the text, not told.
                Unit("Ilse moved the beehives to the orchard on 2025-05-04."),
                Unit("The queen of hive H-12 was replaced.", key="queen", tags=("bees",)),
                Unit(
                    "Ilse learned from Bram.",
                    relations=(Relation("Ilse", "learned-from", "Bram"),),
                    entities=("Bram",),
                ),
                *(Unit(f"Hive H-{n} gave {n} jars of honey.") for n in range(20, 40)),
            ],
            bank=bank,
        )
        memory.relate("Lena Ost", "taught", "Ilse", bank=bank)
        (lena,) = memory.entities(bank=bank, containing="lena")
        memory.alias_entity(lena.id, "Lenchen", bank=bank)


@pytest.mark.parametrize("backwards", [False, True], ids=["to the database", "from the database"])
def test_a_copied_store_knows_what_it_was_told(
    cli: Cli, postgres_url: str, tmp_path: Path, *, backwards: bool
) -> None:
    bank = f"apiary-{backwards}"
    places = [str(tmp_path / "store"), postgres_url]
    origin, target = reversed(places) if backwards else places
    tell(origin, bank)
    (copied,) = cli("copy", origin, target, "--bank", bank, "--json").json
    assert (copied["bank"], copied["units"], copied["present"]) == (bank, 24, 0)
    with opened(origin) as first, opened(target) as second:
        kept = [memory.list(bank=bank, limit=100).units for memory in (first, second)]
        assert kept[1] == kept[0]
        # No unit mentions her; she is known by what was told of her by hand.
        assert "Lena Ost" in {entity.name for entity in second.entities(bank=bank)}
        assert second.entities(bank=bank) == first.entities(bank=bank)
        assert second.relations(bank=bank) == first.relations(bank=bank)
        again = second.retain("Ilse moved the beehives to the orchard on 2025-05-04.", bank=bank)
        assert (len(again.new), len(again.duplicates)) == (0, 1)
        told = next(unit.id for unit in kept[1] if "learned" in unit.text)
        second.forget(told, bank=bank)
        # What she was told to have taught stays: no unit said it.
        assert [one.subject.name for one in second.relations(bank=bank)] == ["Lena Ost"]
        # Numbers that were taken over are not given twice.
        second.relate("Wim", "keeps", "Hive H-20", bank=bank)
        assert second.doctor(bank=bank) == []


def test_every_bank_is_copied_when_none_is_named(cli: Cli, tmp_path: Path) -> None:
    origin, target = str(tmp_path / "one"), str(tmp_path / "two")
    for bank in ("apiary", "orchard"):
        tell(origin, bank)
    assert [one["bank"] for one in cli("copy", origin, target, "--json").json] == [
        "apiary", "orchard",
    ]  # fmt: skip
    shown = cli("copy", origin, target)
    assert shown.code == 0
    assert "checksum" in shown.out and "24" in shown.out


def test_a_bank_with_other_units_is_left_as_it_is(
    cli: Cli, postgres_url: str, tmp_path: Path
) -> None:
    origin = str(tmp_path / "store")
    tell(origin, "guests")
    with opened(postgres_url) as memory:
        memory.retain("Somebody else's.", bank="guests")
        before = memory.stats(bank="guests")
    refused = cli("copy", origin, postgres_url, "--bank", "guests")
    assert refused.code == 2
    assert "empty bank" in refused.err
    with opened(postgres_url) as memory:
        assert memory.stats(bank="guests") == before


@pytest.mark.parametrize(
    ("source", "target", "code", "said"),
    [
        ("nowhere", "other", 3, "no store at"),
        ("store", "store", 1, ""),
        ("http://127.0.0.1:1", "other", 2, "directory or a database"),
    ],
)
def test_a_copy_that_cannot_be_says_why(
    cli: Cli, tmp_path: Path, source: str, target: str, code: int, said: str
) -> None:
    tell(str(tmp_path / "store"), "apiary")
    places = [name if ":" in name else str(tmp_path / name) for name in (source, target)]
    ran = cli("copy", *places)
    assert ran.code in (code, 2)
    assert said in ran.err and ran.out == ""


def test_a_bank_that_is_not_there_is_not_copied(cli: Cli, tmp_path: Path) -> None:
    tell(str(tmp_path / "store"), "apiary")
    ran = cli("copy", tmp_path / "store", tmp_path / "other", "--bank", "garden")
    assert ran.code == 3
    assert "garden" in ran.err and not (tmp_path / "other").exists()


@pytest.mark.slow
def test_a_copy_that_is_killed_goes_on_where_it_was(
    cli: Cli, postgres_server: tuple[str, str], tmp_path: Path
) -> None:
    server, template = postgres_server
    origin = str(tmp_path / "store")
    with opened(origin) as memory:
        memory.retain([Unit(f"Comb {n} of hive H-{n % 40} is full.") for n in range(MANY)])
    with fresh_database(server, template) as url:
        command = [sys.executable, "-m", "scrubjay.surface.cli", "copy", origin, url]
        copying = subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL)
        while int(sql(url, "SELECT COALESCE(MAX(documents), 0) FROM scrubjay.bank_state")) == 0:
            assert copying.poll() is None, "it ended before it began"
            time.sleep(0.01)
        copying.send_signal(signal.SIGKILL)
        copying.wait()
        half = int(sql(url, "SELECT documents FROM scrubjay.bank_state"))
        assert 0 < half < MANY
        (done,) = cli("copy", origin, url, "--json").json
        # What was acknowledged to the killed process is there; the rest came now.
        assert done["present"] >= half
        assert done["units"] + done["present"] == MANY
        (again,) = cli("copy", origin, url, "--json").json
        assert (again["units"], again["checksum"]) == (0, done["checksum"])
        with opened(url) as memory:
            assert memory.doctor() == []


def test_a_database_is_migrated_once_and_shows_its_state(
    cli: Cli, postgres_server: tuple[str, str]
) -> None:
    server, _ = postgres_server
    with fresh_database(server) as url:
        empty = cli("admin", "status", url, "--json").json
        assert (empty["schema"], empty["banks"], empty["distributed"]) == (0, [], False)
        assert cli("admin", "migrate", url, "--json").json["applied"] == [
            number for number, _ in migrations("scrubjay.store.postgres")
        ]
        assert cli("admin", "migrate", url, "--json").json["applied"] == []
        with opened(url) as memory:
            memory.retain("The smoker is lit.", bank="apiary")
        state = cli("admin", "status", url, "--json").json
        assert state["schema"] == (newest := state["newest"])
        assert [(bank["name"], bank["units"]) for bank in state["banks"]] == [("apiary", 1)]
        shown = cli("admin", "status", url)
        assert f"schema {newest} of {newest}, on one machine" in " ".join(shown.out.split())
        assert "apiary" in shown.out


def test_a_check_finds_a_table_that_isolates_no_bank(
    cli: Cli, postgres_server: tuple[str, str]
) -> None:
    server, template = postgres_server
    with fresh_database(server, template) as url:
        with opened(url) as memory:
            memory.retain("The smoker is lit.", bank="apiary")
        assert cli("admin", "check", url, "--json").json == {
            "healthy": True, "isolation": [], "walls": [], "banks": {"apiary": []},
        }  # fmt: skip
        sql(url, "ALTER TABLE scrubjay.links DISABLE ROW LEVEL SECURITY")
        broken = cli("admin", "check", url)
        assert broken.code == 4
        assert "table links shows every bank's rows" in broken.out


def test_a_check_finds_a_count_that_is_wrong(cli: Cli, postgres_server: tuple[str, str]) -> None:
    server, template = postgres_server
    with fresh_database(server, template) as url:
        with opened(url) as memory:
            memory.retain("The smoker is lit.", bank="apiary")
        sql(url, "UPDATE scrubjay.bank_state SET documents = 7")
        assert cli("admin", "check", url).code == 4


def test_without_citus_distributing_is_an_error_that_changes_nothing(
    cli: Cli, postgres_server: tuple[str, str]
) -> None:
    server, _ = postgres_server
    with fresh_database(server) as url:
        refused = cli("admin", "distribute", url)
        assert refused.code == 1
        assert "has no Citus" in refused.err
        # Not even the schema was made.
        assert sql(url, "SELECT to_regnamespace('scrubjay') IS NULL") == "t"


def test_the_statements_of_a_distribution_can_be_seen_first(cli: Cli, postgres_url: str) -> None:
    tables = "SELECT relname, relkind, relrowsecurity FROM pg_class WHERE relkind IN ('r', 'p')"
    before = sql(postgres_url, tables)
    shown = cli("admin", "distribute", postgres_url, "--dry-run")
    assert shown.code == 0
    plan = cli("admin", "distribute", postgres_url, "--dry-run", "--json").json
    assert plan["changed"] is False
    steps = plan["statements"]
    assert shown.out == "".join(f"{step};\n" for step in steps)
    assert steps[0] == "CREATE EXTENSION IF NOT EXISTS citus"
    spread = [step for step in steps if "create_distributed_table" in step]
    assert "shard_count := 64" in spread[0] and "bank_state" in spread[0]
    assert len(spread) == 15
    assert all("'bank_id'" in step for step in spread)
    assert all("colocate_with := 'scrubjay.bank_state'" in step for step in spread[1:])
    assert any("create_reference_table('scrubjay.banks')" in step for step in steps)
    # Partitions and policies go before, what points at entities is let go of and tied again, no
    # row stays behind, and then policies stand before every table again.
    assert steps.index(spread[0]) > max(n for n, s in enumerate(steps) if "DROP POLICY" in s)
    dropped = [s for s in steps if "DROP CONSTRAINT" in s]
    tied = [s for s in steps if "ADD CONSTRAINT" in s and "FOREIGN KEY" in s]
    assert len(dropped) == len(tied) > 0
    cleared = [s for s in steps if "truncate_local_data" in s]
    assert len(cleared) == len(spread) + 2
    assert len([s for s in steps if "CREATE POLICY own_bank" in s]) == len(spread) + 1
    assert "ALTER ROLE scrubjay_app LOGIN" in steps[1]
    assert "hnsw.ef_search" in steps[-1]
    assert sql(postgres_url, tables) == before


def test_a_plan_needs_a_schema(cli: Cli, postgres_server: tuple[str, str]) -> None:
    server, _ = postgres_server
    with fresh_database(server) as url:
        refused = cli("admin", "distribute", url, "--dry-run")
        assert refused.code == 1
        assert "admin migrate" in refused.err


@pytest.mark.parametrize("name", ["migrate", "status", "check", "distribute"])
def test_only_databases_are_administered(cli: Cli, tmp_path: Path, name: str) -> None:
    refused = cli("admin", name, tmp_path)
    assert refused.code == 2
    assert "postgresql://" in refused.err
