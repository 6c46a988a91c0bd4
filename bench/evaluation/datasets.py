"""Reads evaluation sets: banks, units and questions with their evidence, as JSON lines."""

from __future__ import annotations

import calendar
import json
import random
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from scrubjay.errors import BadInput
from scrubjay.types.values import Json

FILES = ("banks.jsonl", "units.jsonl", "queries.jsonl")
Record = Mapping[str, Json]


class Split(StrEnum):
    """What a bank is for: weights are chosen on OPEN ones, and HELD ones are only measured."""

    OPEN = "dev"
    HELD = "held"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class BankRecord:
    """One bank of a set; `now` is when its questions are asked unless they say otherwise."""

    bank_id: str
    now: datetime | None  # None: ask at the newest unit
    split: Split  # of a set that keeps no bank apart, all are OPEN


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """One labelled unit, as the file has it."""

    bank_id: str
    unit_id: str
    session_id: str | None
    index: int
    told_at: datetime | None  # None: the set gives no dates
    speaker: str | None
    text: str
    meta: Record


@dataclass(frozen=True, slots=True)
class Question:
    """One question with the units, and where labelled the sessions, that answer it.

    Without an answer it may still have labelled evidence; such questions are reported apart, not
    as part of the macro averages. Without evidence it only shows how sure the engine is of what
    it found.
    """

    query_id: str
    bank_id: str
    text: str
    category: str
    now: datetime
    gold: tuple[str, ...]
    gold_sessions: tuple[str, ...]
    answerable: bool
    stale: tuple[str, ...] = ()  # superseded units and decoys, which must not come before the gold
    absence: str | None = None  # of one without an answer: how far the bank is from it, if labelled


@dataclass(frozen=True, slots=True)
class Dataset:
    """One set: units in the order they were told, by bank, and the questions."""

    name: str
    units: Mapping[str, tuple[UnitRecord, ...]]
    questions: tuple[Question, ...]


def find_sets(directories: Sequence[Path], wanted: Sequence[str] = ()) -> list[Path]:
    """The sets in some directories, each of which may be one itself, all of them or `wanted`.

    BadInput names a directory without a set, a name that is not there, and one that is there twice.
    """
    found: dict[str, Path] = {}
    for directory in directories:
        inside = [directory] if is_set(directory) else sorted(filter(is_set, directory.glob("*")))
        if not inside:
            raise BadInput("no evaluation set in", str(directory), f"It takes {', '.join(FILES)}.")
        for path in inside:
            other = found.setdefault(path.name, path)
            if other != path:
                raise BadInput("two sets of one name", path.name, f"Leave out {path} or {other}.")
    for name in wanted:
        if name not in found:
            raise BadInput("no such set", name, f"There are: {', '.join(found)}.")
    return [found[name] for name in wanted or found]


def is_set(directory: Path) -> bool:
    """Whether all three files are there."""
    return all((directory / name).is_file() for name in FILES)


def load_set(directory: Path) -> Dataset:
    """A set as data; answerable questions without labelled evidence are left out."""
    units: dict[str, list[UnitRecord]] = {}
    for record in _lines(directory / "units.jsonl"):
        unit = _unit(record)
        # Nothing can be remembered of an empty turn; no set marks one as the only evidence.
        if unit.text.strip():
            units.setdefault(unit.bank_id, []).append(unit)
    ordered = {bank: tuple(sorted(told, key=lambda u: u.index)) for bank, told in units.items()}
    banks = [_bank(record) for record in _lines(directory / "banks.jsonl")]
    nows = {bank.bank_id: bank.now or _newest(ordered[bank.bank_id]) for bank in banks}
    questions = [
        _question(record, nows[_text(record, "bank_id")])
        for record in _lines(directory / "queries.jsonl")
        if record.get("gold_unit_ids") or not record.get("answerable")
    ]
    return Dataset(directory.name, ordered, tuple(questions))


def split_of(directory: Path) -> dict[str, Split]:
    """What each bank of a set is for."""
    banks = [_bank(record) for record in _lines(directory / "banks.jsonl")]
    return {bank.bank_id: bank.split for bank in banks}


def only(dataset: Dataset, banks: Container[str]) -> Dataset:
    """The set with some of its banks."""
    units = {bank: told for bank, told in dataset.units.items() if bank in banks}
    questions = tuple(question for question in dataset.questions if question.bank_id in banks)
    return replace(dataset, units=units, questions=questions)


def choose(dataset: Dataset, *, sample: int | None, limit: int | None, seed: int = 0) -> Dataset:
    """The set with fewer questions: a random `sample`, the first `limit`, and only their banks."""
    questions: Sequence[Question] = dataset.questions
    if sample is not None and sample < len(questions):
        picked = sorted(random.Random(seed).sample(range(len(questions)), sample))
        questions = [questions[n] for n in picked]
    if limit is not None:
        questions = questions[:limit]
    if len(questions) == len(dataset.questions):
        return dataset
    asked = {question.bank_id for question in questions}
    return only(replace(dataset, questions=tuple(questions)), asked)


def moment(text: str, *, last: bool = False) -> datetime:
    """An ISO time, taken as UTC; of a partial date ("2025-01") the first or the last instant."""
    parts = text.split("T")[0].split("-")
    if len(parts) == 3:
        found = datetime.fromisoformat(text)
        if last and "T" not in text:
            found = found.replace(hour=23, minute=59, second=59)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found
    year = int(parts[0])
    month = int(parts[1]) if len(parts) == 2 else (12 if last else 1)
    if not last:
        return datetime(year, month, 1, tzinfo=UTC)
    day = calendar.monthrange(year, month)[1]
    return datetime(year, month, day, 23, 59, 59, tzinfo=UTC)


def _lines(path: Path) -> Iterator[Record]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def _bank(record: Record) -> BankRecord:
    meta = _mapping(record, "meta")
    known = meta.get("now") or meta.get("last_date")
    return BankRecord(
        _text(record, "bank_id"),
        moment(str(known), last=True) if known else None,
        Split(str(record.get("split", Split.OPEN))),
    )


def _unit(record: Record) -> UnitRecord:
    date, index = record.get("date"), record["index"]
    assert isinstance(index, int), "index is the unit's place in its bank"
    return UnitRecord(
        _text(record, "bank_id"),
        _text(record, "unit_id"),
        _optional(record, "session_id"),
        index,
        moment(str(date)) if date else None,
        _optional(record, "speaker"),
        _text(record, "text"),
        _mapping(record, "meta"),
    )


def _question(record: Record, bank_now: datetime) -> Question:
    asked = record.get("question_date")
    return Question(
        _text(record, "query_id"),
        _text(record, "bank_id"),
        _text(record, "question"),
        _text(record, "category"),
        # A question dated by its month may be about any day of it.
        moment(str(asked), last=True) if asked else bank_now,
        texts(record.get("gold_unit_ids")),
        texts(record.get("gold_session_ids")),
        answerable=bool(record.get("answerable")),
        stale=texts(record.get("stale_unit_ids")),
        absence=_optional(_mapping(record, "meta"), "kind"),
    )


def _newest(units: Sequence[UnitRecord]) -> datetime:
    dated = [unit.told_at for unit in units if unit.told_at is not None]
    return max(dated, default=UNDATED)


# When units without a date are told, and their questions asked: any fixed moment will do.
UNDATED = datetime(2025, 1, 1, tzinfo=UTC)


def _text(record: Record, name: str) -> str:
    return str(record[name])


def _optional(record: Record, name: str) -> str | None:
    value = record.get(name)
    return None if value is None or value == "" else str(value)


def _mapping(record: Record, name: str) -> Record:
    value = record.get(name)
    return value if isinstance(value, Mapping) else {}


def texts(value: Json) -> tuple[str, ...]:
    """A JSON list as a tuple of texts, empty if there is none."""
    if value is None or isinstance(value, str) or not isinstance(value, Sequence):
        return ()
    return tuple(str(part) for part in value)
