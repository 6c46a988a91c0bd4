"""Writes a bank as JSON lines: sessions, units, then what joins them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from scrubjay.codec.compiled import encode_object
from scrubjay.codec.values import iso
from scrubjay.defaults import Progress, no_progress
from scrubjay.engine.transfer.lines import RelationLine
from scrubjay.engine.transfer.paths import writing
from scrubjay.errors import NotFound
from scrubjay.language.names import derived_aliases, fold
from scrubjay.store.base import BankStore
from scrubjay.types.filters import UnitFilter
from scrubjay.types.graph import JOINING_KINDS, Entity, Link, LinkKind, Relation
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import Json

_PAGE = 500


def export_file(bank: BankStore, target: Path, progress: Progress = no_progress) -> int:
    """Write a bank to a file, which appears when it is whole, or to a stream; how many lines."""
    with writing(target) as out:
        return export_bank(bank, out, progress)


def export_bank(bank: BankStore, out: IO[bytes], progress: Progress = no_progress) -> int:
    """Write a bank: sessions, units, what joins them, what was said of answers; how many lines."""
    lines = 0
    total = bank.unit_count()
    for shape in _exported(bank):
        out.write(json.dumps(shape, ensure_ascii=False).encode() + b"\n")
        lines += 1
        if lines % _PAGE == 0:
            progress(lines, total)
    progress(lines, lines)
    return lines


def _exported(bank: BankStore) -> Iterator[dict[str, Json]]:
    for session in bank.sessions():
        yield {
            "kind": "session",
            "name": session.name,
            "started_at": iso(session.started_at),
            "ended_at": iso(session.ended_at),
        }
    # Others may write meanwhile. A unit they move is not written twice, and nothing is said of
    # one that was not written.
    written: set[str] = set()
    for unit in _units(bank):
        if unit.id not in written:
            written.add(unit.id)
            yield {"kind": "unit", **encode_object(unit)}
    yield from _exported_pending(bank)
    yield from _exported_aliases(bank)
    yield from _exported_relations(bank)
    for unit in _units(bank):
        if unit.id in written:
            yield from _exported_links(bank, unit, written)
    for said in bank.judged():
        if written.issuperset((*said.used, *said.missed)):
            yield {"kind": "feedback", **encode_object(said)}


def _units(bank: BankStore) -> Iterator[StoredUnit]:
    cursor: str | None = None
    while True:
        page = bank.list_units(UnitFilter(), limit=_PAGE, cursor=cursor)
        yield from page.units
        if page.cursor is None:
            return
        cursor = page.cursor


def _exported_pending(bank: BankStore) -> Iterator[dict[str, Json]]:
    offset = 0
    while page := bank.pending(limit=_PAGE, offset=offset):
        for waits in page:
            said = {"id": waits.id, "created_at": iso(waits.created_at)}
            yield {"kind": "pending", **said, **encode_object(waits.unit)}
        offset += len(page)


def _exported_relations(bank: BankStore) -> Iterator[dict[str, Json]]:
    offset = 0
    while relations := bank.relations(limit=_PAGE, offset=offset):
        for told in relations:
            relation = Relation(
                told.subject.name, told.relation, told.object.name, told.relation_class,
                told.confidence, told.valid_from, told.valid_to,
            )  # fmt: skip
            line = RelationLine(relation, told.unit, told.told)
            yield {"kind": "relation", **encode_object(line)}
        offset += len(relations)


def _exported_aliases(bank: BankStore) -> Iterator[dict[str, Json]]:
    offset = 0
    while entities := bank.entities(limit=_PAGE, offset=offset, containing=None):
        for entity in entities:
            for alias, confidence in _given_aliases(bank, entity):
                yield {
                    "kind": "alias",
                    "entity": entity.name,
                    "alias": alias,
                    "confidence": confidence,
                }
        offset += len(entities)


def _given_aliases(bank: BankStore, entity: Entity) -> list[tuple[str, float]]:
    """The names an entity was given, but for those that its own name gives it anyway."""
    derived = {
        fold(entity.name),
        *(alias for alias, _ in derived_aliases(entity.name, entity.kind)),
    }
    given = [alias for alias in entity.aliases if alias not in derived]
    found = bank.lookup_aliases(given) if given else []
    return [(match.alias, match.confidence) for match in found if match.entity == entity.id]


def _exported_links(
    bank: BankStore, unit: StoredUnit, written: set[str]
) -> Iterator[dict[str, Json]]:
    links: list[Link] = []
    with contextlib.suppress(NotFound):  # forgotten meanwhile
        links = bank.links(unit.id)
    for link in links:
        # Semantic links are found again; an effect's view of its cause is the same edge.
        told = link.kind in JOINING_KINDS and link.kind is not LinkKind.CAUSED_BY
        told = told and link.source == unit.id
        if told and link.target in written:
            yield {
                "kind": "link",
                "cause": link.source,
                "effect": link.target,
                "link": str(link.kind),
                "weight": round(link.weight, 4),
            }
    if unit.superseded_by in written:
        yield {
            "kind": "supersede",
            "old": unit.id,
            "new": unit.superseded_by,
            "at": iso(unit.valid_to or unit.told_at),
            "told_at": iso(unit.closed_at),
        }
