"""What is done with memories: tell, list, look up, change, supersede, forget."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from scrubjay.engine import write_path
from scrubjay.engine.retain.checking import check_filter
from scrubjay.engine.retain.choosing import chosen_by
from scrubjay.engine.retain.reviewing import pending_among, shown, waiting
from scrubjay.engine.retain.stored import (
    check_superseded,
    chosen_units,
    lineage_of,
    read,
    refuse_pending,
)
from scrubjay.engine.upkeep.filling import fill_in
from scrubjay.engine.write_path import WriteTools
from scrubjay.errors import BadInput, EncoderError, StoreFull
from scrubjay.limits import TEXT_CHARACTERS_MAX
from scrubjay.marks import About, Day, Text
from scrubjay.operations.looking import look_after
from scrubjay.operations.operation import BANK, Address, Engine, KeyScope, operation
from scrubjay.store.base import BankStore
from scrubjay.types.filters import ListOrder, Offset, PageSize, UnitFilter
from scrubjay.types.graph import Link
from scrubjay.types.outcomes import Derived, Erasure, Extracted, Retained
from scrubjay.types.units import StoredUnit, Unit, UnitFields
from scrubjay.types.values import Identifier, UnitId
from scrubjay.types.views import Page, PendingUnits

if TYPE_CHECKING:
    from scrubjay.engine.extract import Extractor

MEMORIES = f"{BANK}/memories"
MEMORY = f"{MEMORIES}/{{unit}}"
PENDING = f"{BANK}/pending"


@operation(Address("POST", MEMORIES, KeyScope.WRITE, "Keep one memory, or many."), makes_bank=True)
def retain(engine: Engine, units: Sequence[Unit], pending: bool = False) -> Retained:
    """Keep units; `pending` ones are left out of everything until they are approved."""

    def told(bank: BankStore, tools: WriteTools) -> Retained:
        kept = write_path.retain(bank, units, tools, pending=pending or None)
        if tools.encoder is not None and not kept.degraded:
            with suppress(EncoderError):  # what waits goes on waiting, and recalls say so
                fill_in(bank, tools.encoder, engine.toolbox.waiting)
        return kept

    retained = engine.change("retain", told)
    look_after(engine, len(retained.ids))
    return retained


@operation(
    Address("POST", f"{MEMORIES}?extract=true", KeyScope.WRITE, "Keep memories, and their facts."),
    makes_bank=True,
)
def extract(engine: Engine, units: Sequence[Unit], extractor: Extractor | None) -> Extracted:
    """Keep units, and what a language model finds in them; the words are durable before."""
    from scrubjay.engine.extract import Extractor, LlmSettings

    if extractor is None:
        extractor = Extractor(LlmSettings.from_environment())
    if not callable(getattr(extractor, "extract", None)):
        raise BadInput("extractor", extractor, "Give an Extractor, or leave it out.")
    retained = retain.function(engine, units)
    # What waits to be approved must not come in by what it says.
    kept = dict.fromkeys(unit for unit in retained.ids if unit not in (retained.pending or ()))
    sources = [unit for one in kept if not (unit := get.function(engine, one)).pending]
    with engine.using() as bank:
        settings = bank.settings
    found = extractor.extract(sources, settings)
    facts = Retained((), (), (), (), Derived())
    if found.units:
        facts = retain.function(engine, found.units)
    return Extracted(retained, facts, found.troubles, found.usage)


@operation(Address("GET", MEMORY, KeyScope.READ, "One memory, every field."))
def get(engine: Engine, unit: Identifier) -> StoredUnit:
    """One unit by its id, also one that waits to be approved."""
    with engine.using() as bank:
        for one in bank.find_pending(ids=[unit]):
            return shown(one, bank.settings)
        return read(bank, unit)


@operation(
    Address("GET", MEMORIES, KeyScope.READ, "List memories that pass a filter, in an order.")
)
def list_units(
    engine: Engine,
    where: UnitFilter,
    limit: PageSize,
    cursor: str | None,
    order: ListOrder = "oldest",
    offset: Offset = 0,
) -> Page:
    """Units that pass a filter, in an order, a page at a time."""
    with engine.using() as bank:
        wanted, among = chosen_by(bank, where)
        return bank.list_units(
            wanted, limit=limit, cursor=cursor, order=order, offset=offset, among=among
        )


@operation(
    Address("GET", f"{MEMORY}/history", KeyScope.READ,
            "A memory among what it replaced and what replaced it, oldest first.", "units")
)  # fmt: skip
def history(engine: Engine, unit: Identifier) -> list[StoredUnit]:
    """A unit among what it replaced, in turn, and what replaced it; oldest first."""
    with engine.using() as bank:
        return lineage_of(bank, unit)


@operation(Address("PATCH", MEMORY, KeyScope.WRITE, "Change a memory in place."))
def update(engine: Engine, unit: UnitId, text: str | None, given: UnitFields) -> StoredUnit:
    """Change a unit in place; what is not given stays, its id too; None clears a field."""
    return engine.change(
        "update", lambda bank, tools: write_path.update(bank, unit, text, given, tools)
    )


@operation(
    Address("POST", f"{BANK}/supersede", KeyScope.WRITE,
            "Replace a memory by another; the old one stays.")
)  # fmt: skip
def supersede(
    engine: Engine,
    old: Identifier,
    new: Annotated[
        Annotated[str, Text(TEXT_CHARACTERS_MAX)] | Unit,
        About(
            "What is true now: a text, a memory, or the id of one.", "The office is on the pier."
        ),
    ],
    at: Annotated[datetime | None, Day("first"), About("Since when; now, if left out.")] = None,
) -> StoredUnit:
    """Say that `new` (an id, text, or a Unit) replaces `old`; the new unit."""
    return engine.change(
        "supersede", lambda bank, tools: write_path.supersede(bank, old, new, at, tools)
    )


@operation(
    Address("POST", f"{BANK}/supersede/undo", KeyScope.WRITE,
            "Let a memory hold again that was replaced.")
)  # fmt: skip
def undo_supersede(engine: Engine, unit: Identifier) -> StoredUnit:
    """Take back that a unit was superseded: it holds again, and what replaced it stays."""
    with engine.writing("undo_supersede") as (bank, tools), bank.writing():
        refuse_pending(bank, (unit,))
        stored = check_superseded(bank, unit)
        return write_path.update(bank, stored.id, None, UnitFields(valid_to=None), tools)


@operation(Address("POST", f"{BANK}/forget", KeyScope.WRITE, "Erase memories by id or filter."))
def forget(
    engine: Engine, ids: Sequence[UnitId] | None, filter: UnitFilter | None, compact: bool
) -> Erasure:
    """Erase units, by id or filter, from every table and index."""
    where = UnitFilter() if filter is None else filter
    with engine.doing("forget") as (bank, trace), bank.writing():
        with trace.stage("match"):
            chosen = chosen_units(bank, where if ids is None else ids)
            where = check_filter(where, bank.settings)
            if ids is None:
                waits = pending_among(bank, where)
            else:
                waits = [one.id for one in bank.find_pending(ids=chosen)]
                chosen = [unit for unit in chosen if unit not in waits]
        with trace.stage("erase"):
            named = where.entity_id if where.entity is None else where.entity
            report = bank.erase(chosen, session=where.session, entity=named)
            report = _with(report, waits, bank.drop_pending(waits) if waits else None)
        if not compact:
            return report
        with trace.stage("compact"):
            try:
                pending = bank.compact()
            except StoreFull as error:
                # What was to go is gone from every table; only the files are as long as before.
                pending = f"The bank's files could not be rewritten. {error}"
        return replace(report, compacted=pending is None, pending=pending)


def _with(report: Erasure, waited: Sequence[UnitId], left: str | None) -> Erasure:
    """A report that also counts what had waited to be approved; `left` is still on disk."""
    units, ids = report.units + len(waited), (*report.ids, *waited)
    return replace(report, units=units, ids=ids, pending=report.pending or left)


@operation(
    Address("GET", PENDING, KeyScope.READ, "Memories that wait to be approved, oldest first.")
)
def pending(engine: Engine, limit: PageSize = 100, offset: Offset = 0) -> PendingUnits:
    """Units that wait to be approved, oldest first."""
    with engine.using() as bank:
        found = bank.pending(limit=limit, offset=offset)
        units = tuple(shown(one, bank.settings) for one in found)
        return PendingUnits(units, bank.count_pending())


@operation(Address("POST", f"{PENDING}/approve", KeyScope.WRITE, "Let pending memories count."))
def approve(engine: Engine, ids: tuple[Identifier, ...]) -> Retained:
    """Keep units that waited, under their ids, as if they were told now; all, or none."""
    wanted = tuple(dict.fromkeys(ids))
    return engine.change("approve", lambda bank, tools: write_path.approve(bank, wanted, tools))


@operation(Address("POST", f"{PENDING}/reject", KeyScope.WRITE, "Erase pending memories."))
def reject(engine: Engine, ids: tuple[Identifier, ...]) -> Erasure:
    """Erase units that waited; all, or none."""
    with engine.doing("reject") as (bank, _), bank.writing():
        waited = [one.id for one in waiting(bank, tuple(dict.fromkeys(ids)))]
        left = bank.drop_pending(waited) if waited else None
        return _with(Erasure(0, 0, 0, 0, 0, 0, 0, compacted=False), waited, left)


@operation(
    Address("GET", f"{MEMORY}/links", KeyScope.READ, "The stored links of a memory.", "links")
)
def links(engine: Engine, unit: Identifier) -> list[Link]:
    """The stored links of one unit."""
    with engine.using() as bank:
        refuse_pending(bank, (unit,))
        return bank.links(unit)
