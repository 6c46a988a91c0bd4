"""How the suite runs: its files in memory, its workers, patience, and the long files first."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# A store waits for the disk at each commit, which is most of what a test of it would wait for. No
# test can tell: what is killed here are processes, and the system keeps what they wrote.
_IN_MEMORY = Path("/dev/shm")
_BYTES_WANTED = 4 << 30

if (
    "TMPDIR" not in os.environ
    and _IN_MEMORY.is_dir()
    and shutil.disk_usage(_IN_MEMORY).free >= _BYTES_WANTED
):
    # For processes that tests start, too.
    os.environ["TMPDIR"] = tempfile.tempdir = str(_IN_MEMORY)

# An example may take as long as the machine makes it: no test is about wall-clock time.
settings.register_profile("patient", settings.default, deadline=None)
settings.load_profile("patient")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as cores: tests also wait, for a process, a server or a deadline."""
    cores = os.cpu_count() or 1
    return cores + (cores + 1) // 2


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests come first; one at the end would keep a single core busy."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
