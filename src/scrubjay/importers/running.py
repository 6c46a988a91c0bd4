"""Brings a file into a bank: all of it is read once to check and count, then told in batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.codec.compiled import check
from scrubjay.engine.transfer import Progress, no_progress
from scrubjay.errors import BadInput, ImportFailed, Reason
from scrubjay.importers.bundle import Bundle, opened
from scrubjay.importers.found import Read, Skipped
from scrubjay.importers.kinds import OWN, Kind, guess, kind_of
from scrubjay.importers.listing import OTHER_KIND
from scrubjay.importers.tables import check_columns
from scrubjay.settings import IMPORT_BATCH_UNITS
from scrubjay.types.units import Unit

if TYPE_CHECKING:
    from scrubjay.bank import Bank

# Shown; a file that is wrong throughout is wrong in the same way.
_PROBLEMS_MAX = 1_000


@dataclass(frozen=True, slots=True)
class Problem:
    """Where a file cannot be read, and why."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Brought:
    """What an import found and did; `skipped` counts what was left out, by the reason."""

    kind: str
    units: int
    sessions: int
    skipped: Mapping[str, int]
    problems: tuple[Problem, ...]  # left out under keep_going
    # None: nothing was kept, because it was only tried.
    new: int | None = None
    duplicates: int | None = None
    updated: int | None = None


@dataclass(slots=True)
class _Tally:
    units: int = 0
    sessions: set[str] = field(default_factory=set)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)


def import_file(
    bank: Bank | None,
    path: str | Path,
    kind: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    dry_run: bool = False,
    keep_going: bool = False,
    progress: Progress = no_progress,
) -> Brought | None:
    """Bring a file, a zip or a folder into a bank; None for what `Bank.import_` reads itself.

    With `dry_run`, or without a bank, it is only read and counted.

    The kind is guessed where it is not said. A unit's key is its id in the source, so that what is
    there already is not kept again: run it once more after an interrupt, or with a newer export.
    With anything that cannot be read nothing is kept, unless `keep_going` keeps the rest.
    """
    given = {} if columns is None else check_columns(columns)
    with opened(Path(path)) as bundle:
        chosen = _chosen(bundle, kind, given)
        if chosen is None:
            return None
        tally = _Tally()
        for _ in _good(chosen, bundle, given, tally):
            pass
        if tally.problems and not keep_going:
            shown = [(one.line, _said(one, bundle)) for one in tally.problems]
            raise ImportFailed(str(path), shown)
        # A bundle may hold other files beside; one that holds nothing else was named wrongly.
        if not tally.units and not tally.problems and tally.skipped.keys() <= {OTHER_KIND}:
            raise BadInput(f"nothing of {chosen.name} in it", str(path), "Give another file.")
        counts = (0, 0, 0)
        if bank is not None and not dry_run:
            again = _good(chosen, bundle, given, _Tally())
            counts = _tell(bank, again, tally.units, progress)
    new, duplicates, updated = counts
    return Brought(
        chosen.name,
        tally.units,
        len(tally.sessions),
        dict(tally.skipped.most_common()),
        tuple(tally.problems),
        *((None, None, None) if dry_run or bank is None else (new, duplicates, updated)),
    )


def identify(path: Path, kind: str | None, columns: Mapping[str, str]) -> str:
    """The kind of a file; BadInput, as `import_file`, for one that is not read so."""
    with opened(path) as bundle:
        chosen = _chosen(bundle, kind, columns)
    return OWN if chosen is None else chosen.name


def look_through(
    path: str | Path, kind: str | None, columns: Mapping[str, str], seen: Callable[[Unit], None]
) -> Brought | None:
    """What an import of a file would find, and each unit shown to `seen`; None as `import_file`."""
    with opened(Path(path)) as bundle:
        chosen = _chosen(bundle, kind, columns)
        if chosen is None:
            return None
        tally = _Tally()
        for found in _good(chosen, bundle, columns, tally):
            seen(found.unit)
    skipped, problems = dict(tally.skipped.most_common()), tuple(tally.problems)
    return Brought(chosen.name, tally.units, len(tally.sessions), skipped, problems)


def _chosen(bundle: Bundle, kind: str | None, columns: Mapping[str, str]) -> Kind | None:
    """The kind that was said, or is guessed; None for our own lines."""
    chosen = guess(bundle) if kind is None else None if kind == OWN else kind_of(kind)
    name = OWN if chosen is None else chosen.name
    if columns and name not in ("csv", "jsonl"):
        raise BadInput("columns", name, "Only csv and jsonl have them.")
    return chosen


def _good(kind: Kind, bundle: Bundle, columns: Mapping[str, str], tally: _Tally) -> Iterator[Read]:
    """The units that can be kept; all that is found is counted."""
    for name, found in kind.read(bundle, columns):
        reason: str | None = None
        if isinstance(found, Read):
            try:
                check(found.unit, "unit")
            except BadInput as error:
                reason = Reason.of(error)
            else:
                tally.units += 1
                if found.unit.session is not None:
                    tally.sessions.add(found.unit.session)
                yield found
        elif isinstance(found, Skipped):
            tally.skipped[found.reason] += 1
        else:
            reason = found.reason
        if reason is not None and len(tally.problems) < _PROBLEMS_MAX:
            tally.problems.append(Problem(name, found.line, reason))


def _said(problem: Problem, bundle: Bundle) -> str:
    return problem.reason if len(bundle.names) == 1 else f"{problem.file}: {problem.reason}"


def _tell(
    bank: Bank, units: Iterator[Read], total: int, progress: Progress
) -> tuple[int, int, int]:
    """New, known and changed ones, told a batch at a time; what waits is new."""
    counts = [0, 0, 0]
    batches: dict[bool, list[Unit]] = {False: [], True: []}

    def flush(*, pending: bool) -> None:
        kept = bank.retain(batches[pending], pending=pending)
        new = (*kept.new, *(kept.pending or ()))
        for place, ids in enumerate((new, kept.duplicates, kept.updated)):
            counts[place] += len(ids)
        batches[pending].clear()

    for done, found in enumerate(units, 1):
        batches[found.pending].append(found.unit)
        if len(batches[found.pending]) == IMPORT_BATCH_UNITS:
            flush(pending=found.pending)
            progress(done, total)
    for pending in (False, True):
        if batches[pending]:
            flush(pending=pending)
    progress(total, total)
    return counts[0], counts[1], counts[2]
