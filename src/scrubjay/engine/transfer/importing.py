"""Reads JSON lines into a bank: checked before the first is kept, resumable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from scrubjay.defaults import Progress, no_progress
from scrubjay.engine.retain.identity import identity_of
from scrubjay.engine.retain.naming import explicit_mention
from scrubjay.engine.transfer.lines import (
    AliasLine,
    FeedbackLine,
    Line,
    LinkLine,
    PendingLine,
    RelationLine,
    SessionLine,
    SupersedeLine,
    UnitLine,
    names_of,
    read_lines,
    refers_to,
)
from scrubjay.engine.transfer.paths import reading_twice
from scrubjay.engine.write_path import WriteTools, relate, restore_succession, retain
from scrubjay.errors import BadInput, ImportFailed, NotFound, Reason
from scrubjay.language.names import fold
from scrubjay.settings import IMPORT_BATCH_UNITS, BankSettings
from scrubjay.store.base import BankStore, NewMention
from scrubjay.store.records import PendingUnit
from scrubjay.types.units import Feedback, Unit
from scrubjay.types.values import UnitId

# Names looked up in the bank at a time.
_PAGE = 500


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did; `problems` are bad lines left out under keep_going."""

    lines: int
    new: int
    duplicates: int
    updated: int
    problems: tuple[tuple[int, str], ...] = ()


@dataclass(slots=True)
class _Tally:
    lines: int = 0
    new: int = 0
    duplicates: int = 0
    updated: int = 0
    problems: dict[int, str] = field(default_factory=dict)
    # Units of the file that the bank already had under another id.
    known_as: dict[str, UnitId] = field(default_factory=dict)

    def name(self, unit: UnitId) -> UnitId:
        """The id in the bank of a unit the file speaks of."""
        return self.known_as.get(unit, unit)


def import_file(
    bank: BankStore,
    path: Path,
    tools: WriteTools,
    *,
    keep_going: bool = False,
    progress: Progress = no_progress,
) -> Imported:
    """Read a file of units (plain or exported) into a bank; telling it twice stores it once.

    Every line is checked before the first is kept: with a bad line nothing is, unless
    `keep_going`, which keeps the rest. Interrupted, run it again: what is there is skipped.
    """
    tally = _Tally()
    with reading_twice(path) as file:
        _check_all(bank, file, tally)
        if tally.problems and not keep_going:
            raise ImportFailed(str(path), sorted(tally.problems.items()))
        file.seek(0)
        for batch in _batched(_good_lines(file, bank.settings, tally)):
            _keep(bank, batch, tools, tally, keep_going=keep_going)
            progress(batch[-1][0], tally.lines)
    problems = tuple(sorted(tally.problems.items()))
    return Imported(tally.lines, tally.new, tally.duplicates, tally.updated, problems)


def _check_all(bank: BankStore, file: Iterable[bytes], tally: _Tally) -> None:
    named: set[str] = set()
    unresolved: list[tuple[int, str]] = []
    for number, line in read_lines(file, bank.settings):
        tally.lines += 1
        if isinstance(line, str):
            tally.problems[number] = line
            continue
        own, others = names_of(line), refers_to(line)
        if set(own) & set(others):
            remedy = "Name another unit."
            tally.problems[number] = Reason.of(
                BadInput("a unit cannot cause itself", own[0], remedy)
            )
            continue
        unresolved.extend((number, name) for name in others if name not in named)
        named.update(own)
    here = _in_bank(bank, sorted({name for _, name in unresolved}))
    for number, name in unresolved:
        if name not in here:
            remedy = "Give the id or key of a unit in the bank, or of one on a line before."
            tally.problems[number] = Reason.of(NotFound("no such unit", name, remedy))


def _in_bank(bank: BankStore, names: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for start in range(0, len(names), _PAGE):
        some = names[start : start + _PAGE]
        found.update(bank.rows_of(some))
        found.update(unit.key for unit in bank.known([], some) if unit.key is not None)
    return found


def _good_lines(
    file: Iterable[bytes], settings: BankSettings, tally: _Tally
) -> Iterator[tuple[int, Line]]:
    for number, line in read_lines(file, settings):
        if not isinstance(line, str) and number not in tally.problems:
            yield number, line


def _batched(lines: Iterable[tuple[int, Line]]) -> Iterator[Sequence[tuple[int, Line]]]:
    batch: list[tuple[int, Line]] = []
    for number, line in lines:
        # Units travel together; anything else may refer to the units before it.
        together = not batch or isinstance(line, UnitLine) == isinstance(batch[-1][1], UnitLine)
        if not together or len(batch) >= IMPORT_BATCH_UNITS:
            yield batch
            batch = []
        batch.append((number, line))
    if batch:
        yield batch


def _keep(
    bank: BankStore,
    batch: Sequence[tuple[int, Line]],
    tools: WriteTools,
    tally: _Tally,
    *,
    keep_going: bool,
) -> None:
    units = [line for _, line in batch if isinstance(line, UnitLine)]
    try:
        if units:
            _keep_units(bank, units, tools, tally)
            return
        for _, line in batch:
            _join(bank, line, tools, tally)
    except BadInput as error:
        # Something only the bank can tell, such as a unit that another thread has erased.
        if not keep_going:
            raise
        if len(batch) == 1:
            tally.problems[batch[0][0]] = Reason.of(error)
            return
        for one in batch:
            _keep(bank, [one], tools, tally, keep_going=True)


def _keep_units(
    bank: BankStore, lines: Sequence[UnitLine], tools: WriteTools, tally: _Tally
) -> None:
    units = [_renamed(line.unit, tally) for line in lines]
    copied = {line.unit.id: line.copied for line in lines if line.copied and line.unit.id}
    kept = retain(bank, units, tools, copied)
    tally.new += len(kept.new)
    tally.duplicates += len(kept.duplicates)
    tally.updated += len(kept.updated)
    if len(kept.ids) == len(units):
        pairs = zip(units, kept.ids, strict=True)
        tally.known_as |= {unit.id: kept for unit, kept in pairs if unit.id not in (None, kept)}


def _renamed(unit: Unit, tally: _Tally) -> Unit:
    if not unit.causes or not tally.known_as:
        return unit
    causes = tuple(replace(cause, other=tally.name(UnitId(cause.other))) for cause in unit.causes)
    return replace(unit, causes=causes)


def _end(bank: BankStore, name: str) -> NewMention:
    """An end of a relation that a unit says; it is held up by that unit alone."""
    return explicit_mention(bank, name)._replace(explicit=False)


def _log(bank: BankStore, line: SessionLine) -> None:
    bank.start_session(line.name, line.started_at)
    if line.ended_at is not None:
        bank.end_session(line.name, line.ended_at)


def _put_aside(bank: BankStore, line: PendingLine) -> None:
    with bank.writing():
        if line.id not in bank.rows_of([line.id]):
            bank.put_pending(
                [PendingUnit(line.id, identity_of(line.told), line.created_at, line.told)]
            )


def _join(bank: BankStore, line: Line, tools: WriteTools, tally: _Tally) -> None:
    match line:
        case SessionLine():
            _log(bank, line)
        case PendingLine():
            _put_aside(bank, line)
        case AliasLine(entity, alias, confidence):
            with bank.writing():
                known = explicit_mention(bank, entity).entity
                if known is not None:  # else none of its units was kept
                    bank.add_alias(known, fold(alias), confidence)
        case RelationLine(relation, None):
            relate(bank, relation, tools)
        case RelationLine(relation, str(unit), told):
            with bank.writing():
                ends = _end(bank, relation.subject), _end(bank, relation.object)
                bank.relate(relation, ends, unit=tally.name(unit), told=told)
        case LinkLine(cause, effect, kind, weight):
            bank.link(tally.name(cause), tally.name(effect), kind, weight)
        case FeedbackLine(question, asked_at, used, missed):
            named = (tuple(map(tally.name, units)) for units in (used, missed))
            bank.judge(Feedback(question, asked_at, *named))
        case SupersedeLine(old, new, at, told_at):
            restore_succession(bank, tally.name(old), tally.name(new), at, told_at)
