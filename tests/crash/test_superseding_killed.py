"""kill -9 while units are superseded: a successor is stored and linked, or it is not stored."""

from __future__ import annotations

import random
import time
from pathlib import Path

from tests.crash.forked import Say, doomed

from scrubjay import Memory


def supersede(say: Say, store: Path) -> None:
    """Supersede the last of a line of units for ever, and say so after each."""
    with Memory.open(store, encoder=None, reranker=None) as memory:
        units = memory.list(limit=1000).units
        standing = [unit.id for unit in units if unit.superseded_by is None]
        last = standing[-1] if standing else memory.retain("The rent is 0.").id
        for number in range(len(units) + 1, 10**6):
            last = memory.supersede(last, f"The rent is {number}.").id
            say(last)


def test_a_kill_leaves_one_unit_that_stands(tmp_path: Path) -> None:
    moments = random.Random(11)
    for _ in range(8):
        with doomed(supersede, tmp_path) as child:
            for _ in range(moments.randint(1, 4)):
                child.hear()
            time.sleep(moments.random() * 0.01)  # anywhere in the change that is under way
            child.kill()
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
