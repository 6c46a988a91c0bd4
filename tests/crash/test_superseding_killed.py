"""kill -9 while units are superseded: a successor is stored and linked, or it is not stored."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from scrubjay import Memory

# Supersedes the last of a line of units for ever, and says so when it begins and after each.
SUPERSEDER = """
import sys
from scrubjay import Memory

with Memory.open(sys.argv[1], encoder=None, reranker=None) as memory:
    units = memory.list(limit=1000).units
    last = [unit.id for unit in units if unit.superseded_by is None]
    last = last[-1] if last else memory.retain("The rent is 0.").id
    for number in range(len(units) + 1, 10**6):
        last = memory.supersede(last, f"The rent is {number}.").id
        print(last, flush=True)
"""


def test_a_kill_leaves_one_unit_that_stands(tmp_path: Path) -> None:
    moments = random.Random(11)
    for _ in range(8):
        child = subprocess.Popen(
            [sys.executable, "-c", SUPERSEDER, str(tmp_path)], stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        for _ in range(moments.randint(1, 4)):
            assert child.stdout.readline()
        time.sleep(moments.random() * 0.01)  # anywhere in the change that is under way
        child.kill()
        child.communicate()
        with Memory.open(tmp_path, encoder=None, reranker=None) as memory:
            units = {unit.id: unit for unit in memory.list(limit=1000).units}
            standing = [unit for unit in units.values() if unit.valid_to is None]
            assert len(standing) == 1
            for unit in units.values():
                assert (unit.superseded_by is None) == (unit.valid_to is None)
                if unit.superseded_by is not None:
                    later = units[unit.superseded_by]
                    assert (later.supersedes, later.valid_from) == (unit.id, unit.valid_to)
            assert memory.doctor() == []
