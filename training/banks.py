"""Reads banks written to be learnt from: what is told in one, and what it is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from training.corpus import Question, Unit
from training.measured import embedded_text

BANKS = Path(__file__).parent / "data" / "banks"
SOURCE = "bank"

# Whoever wrote a bank knows what answers better than the teacher, who reads each text alone.
ENGLISH_TRUST, ENGLISH_LABEL = 0.25, 4.0
FOREIGN_LABEL = 6.0
# Which of two values holds, or held, no text says by itself: it is told by when each was told.
_BY_TIME = frozenset({"update", "before"})

Record = Mapping[str, object]


def read_banks(directory: Path, first_unit: int) -> tuple[list[Unit], list[Question]]:
    """Units, the first of them at `first_unit` of the corpus, and the questions with an answer.

    All of a bank that does not answer a question is rejected: nowhere else is a look-alike so
    close. Only what holds no longer, or not yet, is not judged.
    """
    languages = {str(bank["bank_id"]): str(bank["language"]) for bank in _lines(directory, "banks")}
    units: list[Unit] = []
    places: dict[str, dict[str, int]] = {bank: {} for bank in languages}
    before: tuple[str, object] | None = None
    for record in _lines(directory, "units"):
        bank, session = str(record["bank_id"]), record.get("session_id")
        place = first_unit + len(units)
        follows = session is not None and before == (bank, session)
        # Who said it stands in the text, as the engine embeds it.
        text = embedded_text(record)
        units.append(Unit(text, f"{SOURCE}/{bank}", place - 1 if follows else None, speaks=True))
        places[bank][str(record["unit_id"])] = place
        before = (bank, session)
    asked = (record for record in _lines(directory, "queries") if record["gold_unit_ids"])
    return units, [_question(record, places, languages) for record in asked]


def _question(
    record: Record, places: Mapping[str, Mapping[str, int]], languages: Mapping[str, str]
) -> Question:
    bank = str(record["bank_id"])
    own, english = places[bank], languages[bank] == "en"
    gold = _units(record, "gold_unit_ids", own)
    unjudged = _units(record, "stale_unit_ids", own) if record["category"] in _BY_TIME else ()
    apart = {*gold, *unjudged}
    return Question(
        text=str(record["question"]),
        source=f"{SOURCE}/{bank}",
        group=f"{SOURCE}/{bank}",
        gold=gold,
        rejected=tuple(unit for unit in own.values() if unit not in apart),
        unjudged=unjudged,
        trust=ENGLISH_TRUST if english else 0.0,
        label=ENGLISH_LABEL if english else FOREIGN_LABEL,
        language=languages[bank],
    )


def _units(record: Record, name: str, places: Mapping[str, int]) -> tuple[int, ...]:
    given = record[name]
    assert isinstance(given, list)
    return tuple(places[str(unit)] for unit in given)


def _lines(directory: Path, name: str) -> Iterator[Record]:
    with (directory / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
