"""Units that wait to be approved: kept as they were told, apart from all that is searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from scrubjay.engine.retain.classify import classify
from scrubjay.engine.retain.drafts import drafts_of
from scrubjay.engine.retain.identity import identity_of
from scrubjay.engine.retain.naming import find_names
from scrubjay.errors import BadInput, NotFound
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.names import fold
from scrubjay.limits import PENDING_UNITS_MAX, UNIT_CHARACTERS_MAX
from scrubjay.settings import BankSettings
from scrubjay.store.base import BankStore
from scrubjay.store.records import PendingUnit
from scrubjay.types.filters import UnitFilter
from scrubjay.types.units import StoredUnit, Unit
from scrubjay.types.values import UnitId, Window

_PAGE = 500


def is_held(unit: Unit, settings: BankSettings) -> bool:
    """Whether a bank lets what this speaker, author or origin tells wait to be approved."""
    if not settings.pending_from:
        return False
    names = {fold(name) for name in settings.pending_from}
    told_by = (unit.speaker, unit.author, unit.origin)
    return any(name is not None and fold(name) in names for name in told_by)


def put_aside(bank: BankStore, units: Sequence[Unit], now: datetime) -> list[tuple[UnitId, bool]]:
    """Keep units until they are approved: each one's id, and whether it is new.

    What the bank holds already, or what waits already, is that; BadInput when too many wait.
    """
    identities = [identity_of(unit) for unit in units]
    known = {one.identity: one.id for one in bank.known(identities, [])}
    known |= {one.identity: one.id for one in bank.find_pending(identities=identities)}
    fresh: list[PendingUnit] = []
    report: list[tuple[UnitId, bool]] = []
    for unit, identity in zip(units, identities, strict=True):
        if identity in known:
            report.append((known[identity], False))
            continue
        waits = PendingUnit(bank.new_id(), identity, now, replace(unit, id=None))
        known[identity] = waits.id
        fresh.append(waits)
        report.append((waits.id, True))
    if fresh:
        if bank.count_pending() + len(fresh) > PENDING_UNITS_MAX:
            remedy = f"{PENDING_UNITS_MAX:,} may wait; approve or reject some first."
            raise BadInput("too many pending units", len(fresh), remedy)
        bank.put_pending(fresh)
    return report


def approved(waits: PendingUnit) -> Unit:
    """What was told, under the id it waited by, unless it becomes several units."""
    several = len(waits.unit.text) > UNIT_CHARACTERS_MAX
    return waits.unit if several else replace(waits.unit, id=waits.id)


def waiting(bank: BankStore, ids: Sequence[UnitId]) -> list[PendingUnit]:
    """What waits under these ids, in their order; NotFound if one does not."""
    found = {one.id: one for one in bank.find_pending(ids=ids)}
    for unit in ids:
        if unit not in found:
            raise NotFound("no such pending unit in this bank", unit, "List them with pending().")
    return [found[unit] for unit in ids]


def shown(pending: PendingUnit, settings: BankSettings) -> StoredUnit:
    """A unit that waits as it is shown: what was told, and its type as it would be."""
    unit = pending.unit
    (draft, *_) = classify(drafts_of([unit]), settings)
    return StoredUnit(
        id=pending.id, text=unit.text, type=draft.type, told_at=unit.told_at or pending.created_at,
        created_at=pending.created_at, predicate=unit.predicate, context=unit.context,
        occurred_start=unit.occurred_start, occurred_end=unit.occurred_end,
        valid_from=unit.valid_from, valid_to=unit.valid_to, entities=unit.entities,
        tags=unit.tags, metadata=unit.metadata, session=unit.session, speaker=unit.speaker,
        key=unit.key, author=unit.author, origin=unit.origin, pending=True,
    )  # fmt: skip


def pending_among(bank: BankStore, where: UnitFilter) -> list[UnitId]:
    """Those that wait and that a filter, whose entity is folded, is about; they are few."""
    return [
        one.id for one in _all(bank) if _passes(shown(one, bank.settings), where, bank.settings)
    ]


def _all(bank: BankStore) -> Iterator[PendingUnit]:
    offset = 0
    while page := bank.pending(limit=_PAGE, offset=offset):
        yield from page
        offset += len(page)


def _passes(unit: StoredUnit, where: UnitFilter, settings: BankSettings) -> bool:
    same = ("session", "speaker", "key", "author", "origin")
    happened = unit.occurred_start or unit.told_at
    return (
        (not where.ids or unit.id in where.ids)
        and (not where.types or unit.type in where.types)
        and set(where.tags) <= set(unit.tags)
        and all(
            key in unit.metadata and unit.metadata[key] == value
            for key, value in where.metadata.items()
        )
        and all(getattr(where, name) in (None, getattr(unit, name)) for name in same)
        and _touches(where.told, unit.told_at, unit.told_at)
        and _touches(where.occurred, happened, unit.occurred_end or happened)
        and where.entity_id is None  # what waits is no entity's yet
        and (where.as_of is None or _holds(unit, where.as_of))
        and (where.known_at is None or unit.told_at <= where.known_at)
        and (where.entity is None or where.entity in _names(unit))
        and (where.text is None or _says(unit.text, where.text, settings))
    )


def _touches(window: Window | None, start: datetime, end: datetime) -> bool:
    if window is None:
        return True
    return (window.start is None or end >= window.start) and (
        window.end is None or start <= window.end
    )


def _holds(unit: StoredUnit, at: datetime) -> bool:
    begun = unit.valid_from is None or unit.valid_from <= at
    return begun and (unit.valid_to is None or unit.valid_to > at)


def _names(unit: StoredUnit) -> set[str]:
    """The folded names of a unit: those that were told, and those its text has."""
    told = find_names(drafts_of([Unit(unit.text, speaker=unit.speaker)]))
    said = (mention.folded for draft in told for mention in draft.mentions)
    return {*map(fold, unit.entities), *said}


def _says(text: str, typed: str, settings: BankSettings) -> bool:
    analyzer = Analyzer(settings.analysis)
    words, beginning = analyzer.typed_terms(typed)
    held = set(analyzer.document_terms(text))
    begun = beginning is None or any(term.startswith(beginning) for term in held)
    return begun and held.issuperset(words)
