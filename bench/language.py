"""Measures reading text: times, names, types, causes and words, and what a question costs.

Protocols, each over one file of labelled rows (JSON lines) that is not part of this project:

- dates.jsonl: the window `question_window` finds must equal an accepted interval of whole days in
  the row's time zone (of moments, where the row's grain is finer); null means it must find none.
- dates_phrases.jsonl: the window must equal the half-open interval, or an accepted alternative.
- dates_negatives.jsonl: a false alarm is any window at all.
- entities.jsonl: folded names, each once per text, counted over all texts. `as_told` are the
  mentions of a text by itself, `as_asked` those a bank finds that knows every name of the file.
- resolution.jsonl: a merge is `same_entity(mention, canonical)`.
- types.jsonl: `guess_type` must name the type.
- causes.jsonl: a claim is found when cause and effect each share more than half of their words
  with the judged ones; precision is over the claims found.
- lexical_multilingual.jsonl: the unit must be the first that words alone find in a bank of all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NotRequired, TypedDict, TypeVar
from zoneinfo import ZoneInfo

from bench import machine, parsing
from bench.machine import Result, rounded
from scrubjay.backend import IN_MEMORY
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.causes import find_causes
from scrubjay.language.dates import SessionSpan, TimeContext, question_window, told_window
from scrubjay.language.detection import detect_language
from scrubjay.language.names import alias_candidates, find_mentions, fold, same_entity
from scrubjay.language.sentences import cut_text
from scrubjay.language.tokens import estimate_tokens
from scrubjay.language.unit_types import guess_type
from scrubjay.memory import Memory
from scrubjay.preset import Preset
from scrubjay.types.units import Unit
from scrubjay.types.values import Json, Window

DATA = machine.ROOT.parent / "shared" / "data" / "language"
WORDS_ONLY = Preset("words", semantic=None, graph=None, temporal=None)

_T = TypeVar("_T")
_MICROSECOND = timedelta(microseconds=1)
_Span = Sequence[str | None]


class _Dated(TypedDict):
    q: str
    now: str
    tz: str
    cat: str
    grain: str
    accept: Sequence[_Span] | None
    or_none: NotRequired[bool]
    ctx: NotRequired[dict[str, str]]


class _Phrase(TypedDict):
    text: str
    ref: str
    kind: str
    start: str
    end: str
    alternatives: NotRequired[Sequence[_Span]]


class _Plain(TypedDict):
    text: str
    ref: str


class _Named(TypedDict):
    text: str
    kind: str
    entities: Sequence[str]


class _Pair(TypedDict):
    mention: str
    canonical: str
    same: bool


class _Typed(TypedDict):
    text: str
    type: str


class _Claim(TypedDict):
    sentence: str
    cause: str
    effect: str
    correct: bool


class _Worded(TypedDict):
    doc: str
    query: str
    lang: str


def main(arguments: list[str]) -> int:
    """Run the benchmark; 0 when it could be measured."""
    parser = argparse.ArgumentParser(
        prog="scrubjay bench language",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIRECTORY")
    parser.add_argument("--entities", type=int, default=100_000, help="known to the bank asked")
    parser.add_argument("--questions", type=int, default=400, help="parsed in that bank")
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    numbers = {
        "accuracy": accuracy(options.data),
        "cpu_us_per_text": costs(options.data),
        "parse": parsing.measure(options.entities, options.questions),
    }
    parameters: dict[str, Json] = {"entities": options.entities, "questions": options.questions}
    machine.report(Result("language", arguments, parameters, numbers), options.json)
    return 0


def accuracy(data: Path) -> dict[str, Json]:
    """How often each part reads the labelled rows right."""
    return {
        "dates": _dates(_rows(data, "dates")),
        "dates_phrases": _phrases(_rows(data, "dates_phrases")),
        "dates_negatives": _negatives(_rows(data, "dates_negatives")),
        "entities": _entities(_rows(data, "entities")),
        "resolution": _resolution(_rows(data, "resolution")),
        "types": _types(_rows(data, "types")),
        "causes": _causes(_rows(data, "causes")),
        "lexical": _lexical(_rows(data, "lexical_multilingual")),
    }


def _rows(data: Path, name: str) -> list[_T]:
    lines = (data / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def _share(right: Iterable[bool]) -> dict[str, Json]:
    judged = list(right)
    return {"n": len(judged), "right": rounded(sum(judged) / max(len(judged), 1))}


def _dates(rows: Sequence[_Dated]) -> dict[str, Json]:
    judged = [(row["cat"], _is_dated(row)) for row in rows]
    by_category = {
        category: _share(right for kind, right in judged if kind == category)
        for category in sorted({category for category, _ in judged})
    }
    alarms = [not right for row, (_, right) in zip(rows, judged, strict=True) if not row["accept"]]
    return {
        "all": _share(right for _, right in judged),
        "with_a_time": _share(
            right for row, (_, right) in zip(rows, judged, strict=True) if row["accept"]
        ),
        "false_alarms": rounded(sum(alarms) / max(len(alarms), 1)),
        "by_category": by_category,
    }


def _is_dated(row: _Dated) -> bool:
    found = question_window(row["q"], _context(row))
    if found is None:
        return row["accept"] is None or row.get("or_none", False)
    zone = ZoneInfo(row["tz"])
    return any(
        _same(found.window, span, zone, days=row["grain"] == "day") for span in row["accept"] or ()
    )


def _context(row: _Dated) -> TimeContext:
    sessions = tuple(
        SessionSpan(datetime.fromisoformat(ended), datetime.fromisoformat(ended))
        for name, ended in row.get("ctx", {}).items()
        if name == "last_session_end"
    )
    return TimeContext(datetime.fromisoformat(row["now"]), ZoneInfo(row["tz"]), sessions)


def _same(window: Window, span: _Span, zone: ZoneInfo, *, days: bool) -> bool:
    edges = (_edge(window.start, zone, days), _edge(window.end, zone, days))
    return edges == tuple(span)


def _edge(moment: datetime | None, zone: ZoneInfo, days: bool) -> str | None:
    if moment is None:
        return None
    local = moment.astimezone(zone)
    return local.date().isoformat() if days else local.replace(tzinfo=None).isoformat()


def _phrases(rows: Sequence[_Phrase]) -> dict[str, Json]:
    judged = [(row["kind"], _is_phrase(row)) for row in rows]
    kinds = sorted({kind for kind, _ in judged})
    return {
        "all": _share(right for _, right in judged),
        **{kind: _share(right for at, right in judged if at == kind) for kind in kinds},
    }


def _is_phrase(row: _Phrase) -> bool:
    found = question_window(row["text"], _plain_context(row["ref"]))
    if found is None or found.window.start is None or found.window.end is None:
        return False
    start, end = found.window.start, found.window.end
    # Closed at the last microsecond, or a moment: the rows give the first moment after it.
    after = end if start == end else end + _MICROSECOND
    edges = tuple(edge.replace(tzinfo=None).isoformat() for edge in (start, after))
    accepted = [(row["start"], row["end"]), *(tuple(a) for a in row.get("alternatives", ()))]
    return edges in accepted


def _plain_context(now: str) -> TimeContext:
    return TimeContext(datetime.fromisoformat(now).replace(tzinfo=UTC), UTC)


def _negatives(rows: Sequence[_Plain]) -> dict[str, Json]:
    alarms = [question_window(row["text"], _plain_context(row["ref"])) is not None for row in rows]
    return {"n": len(rows), "false_alarms": rounded(sum(alarms) / max(len(alarms), 1))}


def _entities(rows: Sequence[_Named]) -> dict[str, Json]:
    gold = [{fold(name) for name in row["entities"]} for row in rows]
    told = [{mention.folded for mention in find_mentions(row["text"])} for row in rows]
    with Memory.open(IN_MEMORY, encoder=None, reranker=None) as memory:
        everyone = sorted({name for row in rows for name in row["entities"]})
        memory.retain([Unit(f"They know {name}.", entities=(name,)) for name in everyone])
        asked = [
            {fold(entity.mention) for entity in memory.parse(row["text"]).entities} for row in rows
        ]
    kinds = sorted({row["kind"] for row in rows})
    places = {kind: [n for n, row in enumerate(rows) if row["kind"] == kind] for kind in kinds}
    places["all"] = list(range(len(rows)))
    return {
        name: {kind: _f1([(gold[n], found[n]) for n in places[kind]]) for kind in places}
        for name, found in (("as_told", told), ("as_asked", asked))
    }


def _f1(pairs: Sequence[tuple[set[str], set[str]]]) -> dict[str, Json]:
    right = sum(len(gold & found) for gold, found in pairs)
    precision = right / max(sum(len(found) for _, found in pairs), 1)
    recall = right / max(sum(len(gold) for gold, _ in pairs), 1)
    return {
        "n": len(pairs),
        "precision": rounded(precision),
        "recall": rounded(recall),
        "f1": rounded(2 * precision * recall / max(precision + recall, 1e-9)),
    }


def _resolution(rows: Sequence[_Pair]) -> dict[str, Json]:
    merged = [same_entity(row["mention"], row["canonical"]) for row in rows]
    pairs = list(zip(rows, merged, strict=True))
    return {
        "true_merges": _share(found for row, found in pairs if row["same"]),
        "false_merges": _share(found for row, found in pairs if not row["same"]),
    }


def _types(rows: Sequence[_Typed]) -> dict[str, Json]:
    judged = [(row["type"], guess_type(row["text"]).type == row["type"]) for row in rows]
    return {
        "all": _share(right for _, right in judged),
        **{
            name: _share(right for at, right in judged if at == name)
            for name in dict.fromkeys(at for at, _ in judged)
        },
    }


def _causes(rows: Sequence[_Claim]) -> dict[str, Json]:
    found = [_finds(row) for row in rows]
    right = sum(row["correct"] for row, seen in zip(rows, found, strict=True) if seen)
    return {
        "n": len(rows),
        "found": sum(found),
        "precision": rounded(right / max(sum(found), 1)),
        "recall": rounded(right / max(sum(row["correct"] for row in rows), 1)),
    }


def _finds(row: _Claim) -> bool:
    return any(
        _alike(claim.cause, row["cause"]) and _alike(claim.effect, row["effect"])
        for claim in find_causes(row["sentence"])
    )


def _alike(one: str, other: str) -> bool:
    left, right = set(one.casefold().split()), set(other.casefold().split())
    return 2 * len(left & right) > max(len(left), len(right))


def _lexical(rows: Sequence[_Worded]) -> dict[str, Json]:
    with Memory.open(IN_MEMORY, encoder=None, reranker=None) as memory:
        memory.retain([row["doc"] for row in rows])
        first = [memory.recall(row["query"], preset=WORDS_ONLY, limit=1).items for row in rows]
    judged = [
        (row["lang"], bool(items) and items[0].text == row["doc"])
        for row, items in zip(rows, first, strict=True)
    ]
    languages = sorted({language for language, _ in judged})
    return {
        "hit_at_1": _share(right for _, right in judged),
        "by_language": {
            language: _share(right for at, right in judged if at == language)
            for language in languages
        },
    }


def costs(data: Path) -> dict[str, Json]:
    """Microseconds of CPU per text of each part, on the rows it is judged by."""
    asked: list[_Dated] = _rows(data, "dates")
    named: list[_Named] = _rows(data, "entities")
    pairs: list[_Pair] = _rows(data, "resolution")
    questions, texts = [row["q"] for row in asked], [row["text"] for row in named]
    context = TimeContext(datetime(2026, 3, 2, 9, tzinfo=UTC), UTC)
    analyzer = Analyzer()
    return {
        "question_window": _cost(lambda text: question_window(text, context), questions),
        "told_window": _cost(lambda text: told_window(text, context), texts),
        "find_mentions": _cost(find_mentions, texts),
        "alias_candidates": _cost(alias_candidates, questions),
        "same_entity": _cost(lambda pair: same_entity(pair["mention"], pair["canonical"]), pairs),
        "guess_type": _cost(guess_type, texts),
        "find_causes": _cost(find_causes, texts),
        "detect_language": _cost(detect_language, texts),
        "document_terms": _cost(analyzer.document_terms, texts),
        "query_terms": _cost(analyzer.query_terms, questions),
        "estimate_tokens": _cost(estimate_tokens, texts),
        "cut_text": _cost(partial(cut_text, characters_max=2_000), texts),
    }


def _cost(read: Callable[[_T], object], texts: Sequence[_T]) -> dict[str, Json]:
    for text in texts:
        read(text)
    spent = [1e6 * machine.cpu_of(partial(read, text))[1] for text in texts for _ in range(3)]
    return machine.summary(spent)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
