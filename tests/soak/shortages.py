"""No room in the middle of every kind of write: it is said, and once there is room all goes on."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.soak.attempts import Attempt, Outcome, faults_of
from tests.soak.changes import WRITES, Performer, opened
from tests.soak.checks import Fault, closest, searched, settled
from tests.soak.interrupts import repeated
from tests.soak.kills import outcomes
from tests.soak.states import State, after, observed
from tests.soak.template import Template

from scrubjay import ScrubjayError

KINDS = WRITES

# Bytes a file may have, as powers of ten: from less than a page to more than any file has.
_SMALLEST, _LARGEST = 3.0, 6.0


@contextmanager
def file_bytes_max(most: int) -> Iterator[None]:
    """Let the system refuse to write any file beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def starved(attempt: Attempt, template: Template, folder: Path) -> Outcome:
    """Make a change where files may not grow, then again where they may."""
    store = shutil.copytree(template.whole, folder / "store")
    most = int(10 ** attempt.chance("room").uniform(_SMALLEST, _LARGEST))
    note = f"files up to {most} bytes"
    return Outcome(
        faults_of(lambda: _starved(attempt, store, folder, template.state, most), note), note
    )


def _starved(attempt: Attempt, store: Path, folder: Path, state: State, most: int) -> list[Fault]:
    chooser, check = attempt.chooser(folder), attempt.chance("check")
    change = chooser.choose(attempt.kind, state)
    place = opened(store)
    whole, ended = after(state, change), False
    with place.memory as memory:
        performer = Performer(place)
        performer.prepare(change)
        with file_bytes_max(most):
            try:
                performer.perform(change)
                ended = True
            except ScrubjayError:
                pass
        candidates = [whole] if ended else [state, *outcomes(state, change)]
        now, faults = closest(observed(memory), candidates)
        faults = faults or searched(place, now, check)
        faults = faults or repeated(place, change, now, whole) or searched(place, whole, check)
    return faults or settled(store, [whole], check)[0]
