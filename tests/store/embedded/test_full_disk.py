"""A full disk is relieved with scrubjay's own means, and nothing that was acknowledged is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.embedded.small_disk import run_on_a_small_disk

RELIEVED = """
memory = opened()
memory.retain("Told in another bank.", bank="other")
told = tell(memory, each=BATCH)
assert memory.stats().units == len(told) > 500
with suppress(StoreFull):
    told += memory.retain([f"{n} " + "more " * 300 for n in range(50)]).new
assert memory.forget(told[:150]).units == 150
assert memory.doctor() == []
report = memory.forget(told[150:160], compact=True)
assert report.units == 10 and (report.compacted or "could not be rewritten" in report.pending)
assert memory.retain("Told when there was room again.").new
memory.delete_bank("other")
assert [bank.name for bank in memory.banks()] == ["default"]
memory.close()

with opened() as memory:
    assert memory.stats().units == len(told) - 160 + 1
    assert memory.doctor() == []
    assert memory.recall("grey heron").items
print("relieved")
"""


@pytest.mark.parametrize(("megabytes", "batch"), [(3, 1), (3, 20), (5, 20)])
def test_a_disk_that_a_store_filled_is_relieved_by_forgetting(
    tmp_path: Path, megabytes: int, batch: int
) -> None:
    program = RELIEVED.replace("BATCH", str(batch))
    assert run_on_a_small_disk(program, tmp_path, megabytes=megabytes) == "relieved\n"


FILLED_BY_ANOTHER = """
memory = opened()
told = memory.retain([f"The grey heron {n} stands by boat {n * 7}." for n in range(300)]).new
fill()
assert memory.forget(told[:100]).units == 100
assert memory.doctor() == []
memory.close()
fill()
with opened() as memory:
    assert memory.forget(told[100:150]).units == 50
    assert memory.delete_bank("default") is None
    assert memory.banks() == []
print("relieved")
"""


def test_so_is_one_that_another_program_filled(tmp_path: Path) -> None:
    assert run_on_a_small_disk(FILLED_BY_ANOTHER, tmp_path, megabytes=4) == "relieved\n"


WITHOUT_RESERVE = """
memory = opened()
told = memory.retain([f"The grey heron {n} stands by boat {n * 7}." for n in range(300)]).new
memory.retain("Told in another bank.", bank="other")
(DISK / "store" / "scrubjay.reserve").unlink()
fill()
refused = ""
try:
    memory.forget(told)
except StoreFull as error:
    refused = str(error)
assert "forget less at once" in refused, refused
assert all(finding.check == "erasure" for finding in memory.doctor())
assert memory.stats().units == 300
memory.delete_bank("other")
assert [bank.name for bank in memory.banks()] == ["default"]
assert memory.forget(told[:20]).units == 20
memory.close()
with opened() as memory:
    assert memory.stats().units == 280 and memory.doctor() == []
print("relieved")
"""


def test_without_any_room_at_all_a_bank_can_be_deleted_and_doctor_reports(tmp_path: Path) -> None:
    assert run_on_a_small_disk(WITHOUT_RESERVE, tmp_path, megabytes=4) == "relieved\n"


ROOMY = """
memory = opened()
memory.retain("Told on a disk with room.")
assert not (DISK / "store" / "scrubjay.reserve").exists()
(DISK / "much").write_bytes(bytes(90_000_000))
memory.retain("Told when it was low.")
assert (DISK / "store" / "scrubjay.reserve").stat().st_size >= 2_000_000
(DISK / "much").unlink()
memory.retain("Told with room again.")
assert not (DISK / "store" / "scrubjay.reserve").exists()
print("kept")
"""


def test_room_is_kept_back_only_where_the_disk_is_low(tmp_path: Path) -> None:
    assert run_on_a_small_disk(ROOMY, tmp_path, megabytes=100) == "kept\n"
