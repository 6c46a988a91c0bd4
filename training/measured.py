"""Reads labelled sets as the engine would embed them; they are measured, never trained on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

# As the engine does: a short turn is also read after the end of the one before it.
CONTEXT_WORDS = 40
CONTEXT_CHARACTERS = 200
HALVES = ("chosen_by", "kept_apart")

# Two sets tell of the same conversations under names that end in the same number.
_NUMBERED = re.compile(r"(?:conv-|file_)(\d+)")

Record = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class MeasuredUnit:
    """One text, and the same after the turn before it; None: it is read alone only."""

    unit_id: str
    text: str
    in_context: str | None


@dataclass(frozen=True, slots=True)
class MeasuredQuestion:
    """A question with its evidence; without any, nothing that was told answers it."""

    text: str
    bank: str
    category: str
    gold: frozenset[str]
    counted: bool  # in the averages


@dataclass(frozen=True, slots=True)
class MeasuredSet:
    """A set: units by bank in the order they were told, and questions."""

    name: str
    banks: Mapping[str, tuple[MeasuredUnit, ...]]
    questions: tuple[MeasuredQuestion, ...]

    def half_of(self, bank: str) -> str:
        """Which half a bank belongs to; sets about the same people are halved alike."""
        numbered = _NUMBERED.fullmatch(bank)
        place = int(numbered[1]) if numbered else sorted(self.banks).index(bank)
        return HALVES[place % 2]


def read_set(directory: Path) -> MeasuredSet:
    """The set in a directory of JSON lines, without the banks that it holds apart."""
    banked = _lines(directory / "banks.jsonl")
    held = {str(bank["bank_id"]) for bank in banked if bank.get("split") == "held"}
    told: dict[str, list[Record]] = {}
    for record in _lines(directory / "units.jsonl"):
        if str(record["text"]).strip() and record["bank_id"] not in held:
            told.setdefault(str(record["bank_id"]), []).append(record)
    banks = {bank: _units(records) for bank, records in told.items()}
    asked = _lines(directory / "queries.jsonl")
    questions = tuple(_question(one) for one in asked if one["bank_id"] not in held)
    return MeasuredSet(directory.name, banks, questions)


def _units(records: list[Record]) -> tuple[MeasuredUnit, ...]:
    units = []
    before: Record | None = None
    for record in sorted(records, key=lambda one: int(str(one["index"]))):
        text = embedded_text(record)
        context = None
        if before is not None and _follows(record, before, text):
            context = f"{embedded_text(before)[-CONTEXT_CHARACTERS:]}\n{text}"
        units.append(MeasuredUnit(str(record["unit_id"]), text, context))
        before = record
    return tuple(units)


def embedded_text(record: Record) -> str:
    """What the engine's encoder reads of a unit: predicate, speaker, text, a picture's caption."""
    meta = record.get("meta")
    extra = meta if isinstance(meta, Mapping) else {}
    text = str(record["text"])
    if extra.get("caption"):
        text = f"{text} [shares {extra['caption']}]"
    said = f"{record['speaker']}: {text}" if record.get("speaker") else text
    return f"{extra['predicate']}. {said}" if extra.get("predicate") else said


def _follows(record: Record, before: Record, text: str) -> bool:
    together = record.get("session_id") and record["session_id"] == before.get("session_id")
    return bool(together) and len(text.split()) < CONTEXT_WORDS


def _question(record: Record) -> MeasuredQuestion:
    gold = record.get("gold_unit_ids")
    evidence = frozenset(str(unit) for unit in gold) if isinstance(gold, list) else frozenset[str]()
    return MeasuredQuestion(
        text=str(record["question"]),
        bank=str(record["bank_id"]),
        category=str(record["category"]),
        gold=evidence,
        counted=bool(record.get("answerable")) and bool(evidence),
    )


def _lines(path: Path) -> Iterator[Record]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)
