"""AsyncBank: Bank, awaitable. Derived from bank.py by `python -m tools.derive_facade`."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from scrubjay.defaults import Progress, no_progress
from scrubjay.errors import BadInput
from scrubjay.later import later
from scrubjay.operations.operation import Operation, P, T, Target

if TYPE_CHECKING:
    from scrubjay import answers
    from scrubjay.answers import (
        Explanation,
        Parsed,
        Plan,
        Recall,
        RecallKeywords,
        RecallOptions,
        Tuning,
    )
    from scrubjay.backend import AsyncBackend
    from scrubjay.encoder.base import Encoder
    from scrubjay.engine import recall_options
    from scrubjay.engine.extract import Extracted, Extractor
    from scrubjay.engine.retain import checking, choosing, inputs
    from scrubjay.engine.retain.inputs import Told
    from scrubjay.engine.transfer import Imported
    from scrubjay.operations import banks, connections, declared, memories, recalling, views
    from scrubjay.settings import BankSettings
    from scrubjay.types import filters, graph
    from scrubjay.types import units as unit_shapes
    from scrubjay.types.filters import FilterFields, UnitFilter
    from scrubjay.types.graph import Entity, Link, LinkKind, RelationFields, StoredRelation
    from scrubjay.types.outcomes import EntityChange, Erasure, Retained
    from scrubjay.types.reports import BankInfo, Finding, Stats
    from scrubjay.types.units import Session, StoredUnit, Unit, UnitChanges, UnitFields
    from scrubjay.types.views import (
        Conflict,
        EntityCard,
        Histogram,
        Neighbourhood,
        Page,
        PendingUnits,
    )
else:
    answers = later("scrubjay.answers")
    filters = later("scrubjay.types.filters")
    graph = later("scrubjay.types.graph")
    unit_shapes = later("scrubjay.types.units")
    recall_options = later("scrubjay.engine.recall_options")
    checking = later("scrubjay.engine.retain.checking")
    choosing = later("scrubjay.engine.retain.choosing")
    inputs = later("scrubjay.engine.retain.inputs")
    banks = later("scrubjay.operations.banks")
    connections = later("scrubjay.operations.connections")
    declared = later("scrubjay.operations.declared")
    memories = later("scrubjay.operations.memories")
    recalling = later("scrubjay.operations.recalling")
    views = later("scrubjay.operations.views")


class AsyncBank:
    """A Bank, awaitable; made by `AsyncMemory.bank`."""

    def __init__(self, backend: AsyncBackend, target: Target) -> None:
        self._backend = backend
        self._target = target

    async def _run(self, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        declared.check_arguments(operation, args)
        return await self._backend.run(operation, self._target, *args, **kwargs)

    @property
    def name(self) -> str:
        """See Bank.name."""
        return self._target.bank

    async def settings(self) -> BankSettings:
        """See Bank.settings."""
        return await self._run(banks.settings)

    async def retain(
        self, told: Told, *, pending: bool = False, **given: Unpack[UnitFields]
    ) -> Retained:
        """See Bank.retain."""
        return await self._run(memories.retain, inputs.units_of(told, given), pending)

    async def pending(self, *, limit: int = 100, offset: int = 0) -> PendingUnits:
        """See Bank.pending."""
        return await self._run(memories.pending, limit, offset)

    async def approve(self, ids: str | Iterable[str]) -> Retained:
        """See Bank.approve."""
        return await self._run(memories.approve, checking.ids_of(ids))

    async def reject(self, ids: str | Iterable[str]) -> Erasure:
        """See Bank.reject."""
        return await self._run(memories.reject, checking.ids_of(ids))

    async def extract(
        self, told: Told, *, extractor: Extractor | None = None, **given: Unpack[UnitFields]
    ) -> Extracted:
        """See Bank.extract."""
        return await self._run(memories.extract, inputs.units_of(told, given), extractor)

    async def recall(
        self, question: str, options: RecallOptions | None = None, **given: Unpack[RecallKeywords]
    ) -> Recall:
        """See Bank.recall."""
        return await self._run(
            recalling.recall, question, recall_options.options_of(given, options)
        )

    async def recall_batch(
        self,
        questions: Sequence[str],
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> builtins.list[Recall]:
        """See Bank.recall_batch."""
        asked = inputs.listed(questions, "questions")
        return await self._run(
            recalling.recall_batch, asked, recall_options.options_of(given, options)
        )

    async def explain(
        self,
        question: str,
        unit: str,
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Explanation:
        """See Bank.explain."""
        return await self._run(
            recalling.explain,
            question,
            checking.check_id(unit),
            recall_options.options_of(given, options),
        )

    async def feedback(
        self,
        question: Recall | str,
        *,
        used: Sequence[str] = (),
        missed: Sequence[str] = (),
        asked_at: date | str | None = None,
    ) -> None:
        """See Bank.feedback."""
        if isinstance(question, answers.Recall):
            asked_at = asked_at or question.parsed.now
            question = question.question
        useful = tuple(checking.check_id(unit) for unit in inputs.listed(used, "used"))
        lacking = tuple(checking.check_id(unit) for unit in inputs.listed(missed, "missed"))
        at = None if asked_at is None else inputs.moment(asked_at, "asked_at")
        await self._run(recalling.feedback, question, useful, lacking, at)

    async def tune(self) -> Tuning:
        """See Bank.tune."""
        return await self._run(recalling.tune)

    async def undo_tune(self) -> None:
        """See Bank.undo_tune."""
        await self._run(recalling.undo_tune)

    async def parse(
        self,
        question: str,
        options: RecallOptions | None = None,
        *,
        timezone: str | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Parsed:
        """See Bank.parse."""
        return await self._run(
            recalling.parse, question, timezone, recall_options.options_of(given, options)
        )

    async def plan(
        self, question: str, options: RecallOptions | None = None, **given: Unpack[RecallKeywords]
    ) -> Plan:
        """See Bank.plan."""
        return await self._run(recalling.plan, question, recall_options.options_of(given, options))

    async def get(self, unit: str) -> StoredUnit:
        """See Bank.get."""
        return await self._run(memories.get, checking.check_id(unit))

    async def list(
        self,
        where: UnitFilter | None = None,
        *,
        limit: int = 100,
        cursor: str | None = None,
        order: str = "oldest",
        offset: int = 0,
        **given: Unpack[FilterFields],
    ) -> Page:
        """See Bank.list."""
        if cursor is not None:
            checking.check_words(cursor, "cursor")
        wanted = choosing.filter_of(where, given)
        return await self._run(memories.list_units, wanted, limit, cursor, order, offset)

    async def histogram(
        self,
        where: UnitFilter | None = None,
        *,
        by: str = "told",
        grain: str = "auto",
        **given: Unpack[FilterFields],
    ) -> Histogram:
        """See Bank.histogram."""
        return await self._run(views.histogram, choosing.filter_of(where, given), by, grain)

    async def neighbourhood(
        self, unit: str | None = None, *, entity: int | str | None = None, limit: int = 60
    ) -> Neighbourhood:
        """See Bank.neighbourhood."""
        known = None if unit is None else checking.check_id(unit)
        around = None if entity is None else inputs.entity_ref(entity)
        return await self._run(views.neighbourhood, known, around, limit)

    async def history(self, unit: str) -> builtins.list[StoredUnit]:
        """See Bank.history."""
        return await self._run(memories.history, checking.check_id(unit))

    async def update(self, unit: str, **given: Unpack[UnitChanges]) -> StoredUnit:
        """See Bank.update."""
        return await self._run(
            memories.update, checking.check_id(unit), *inputs.text_and_rest(given)
        )

    async def supersede(
        self, old: str, new: str | Unit, *, at: date | str | None = None
    ) -> StoredUnit:
        """See Bank.supersede."""
        ending, known = (
            None if at is None else inputs.moment(at, "at", "first"),
            checking.check_id(old),
        )
        if not isinstance(new, str | unit_shapes.Unit):
            raise BadInput("new", new, "Give a unit's id, text, or a Unit.")
        return await self._run(memories.supersede, known, new, ending)

    async def undo_supersede(self, unit: str) -> StoredUnit:
        """See Bank.undo_supersede."""
        return await self._run(memories.undo_supersede, checking.check_id(unit))

    async def forget(
        self, what: str | Iterable[str] | UnitFilter, *, compact: bool = False
    ) -> Erasure:
        """See Bank.forget."""
        if isinstance(what, filters.UnitFilter):
            return await self._run(memories.forget, None, what, compact)
        return await self._run(memories.forget, [*checking.ids_of(what)], None, compact)

    async def compact(self) -> str | None:
        """See Bank.compact."""
        return await self._run(banks.compact)

    async def sessions(
        self, *, limit: int | None = None, offset: int = 0, newest: bool = False
    ) -> builtins.list[Session]:
        """See Bank.sessions."""
        return await self._run(connections.sessions, limit, offset, newest)

    async def start_session(self, name: str, *, at: date | str | None = None) -> Session:
        """See Bank.start_session."""
        begun = None if at is None else inputs.moment(at, "at")
        return await self._run(connections.start_session, name, begun)

    async def end_session(self, name: str, *, at: date | str | None = None) -> Session:
        """See Bank.end_session."""
        ended = None if at is None else inputs.moment(at, "at")
        return await self._run(connections.end_session, name, ended)

    async def entities(
        self, *, containing: str | None = None, limit: int = 100, offset: int = 0
    ) -> builtins.list[Entity]:
        """See Bank.entities."""
        if containing is not None:
            checking.check_words(containing, "containing")
        return await self._run(connections.entities, containing, limit, offset)

    async def entity(self, entity: int | str) -> EntityCard:
        """See Bank.entity."""
        return await self._run(views.entity, inputs.entity_ref(entity))

    async def preview_alias(self, entity: int | str, alias: str) -> EntityChange:
        """See Bank.preview_alias."""
        return await self._run(views.preview_alias, inputs.entity_ref(entity), alias)

    async def preview_merge(self, keep: int | str, drop: int | str) -> EntityChange:
        """See Bank.preview_merge."""
        return await self._run(
            views.preview_merge, inputs.entity_ref(keep), inputs.entity_ref(drop)
        )

    async def preview_split(
        self, entity: int | str, name: str, units: Sequence[str]
    ) -> EntityChange:
        """See Bank.preview_split."""
        chosen = tuple(checking.check_id(unit) for unit in inputs.listed(units, "units"))
        return await self._run(views.preview_split, inputs.entity_ref(entity), name, chosen)

    async def alias_entity(self, entity: int | str, alias: str) -> Entity:
        """See Bank.alias_entity."""
        return await self._run(connections.alias_entity, inputs.entity_ref(entity), alias)

    async def merge_entities(self, keep: int | str, drop: int | str) -> Entity:
        """See Bank.merge_entities."""
        return await self._run(
            connections.merge_entities, inputs.entity_ref(keep), inputs.entity_ref(drop)
        )

    async def split_entity(self, entity: int | str, name: str, units: Sequence[str]) -> Entity:
        """See Bank.split_entity."""
        chosen = tuple(checking.check_id(unit) for unit in inputs.listed(units, "units"))
        return await self._run(connections.split_entity, inputs.entity_ref(entity), name, chosen)

    async def relate(
        self, subject: str, relation: str, object: str, **given: Unpack[RelationFields]
    ) -> int:
        """See Bank.relate."""
        told = checking.check_relation(inputs.relation_of(subject, relation, object, given))
        return await self._run(connections.relate, told)

    async def relations(
        self, *, limit: int = 100, offset: int = 0
    ) -> builtins.list[StoredRelation]:
        """See Bank.relations."""
        return await self._run(connections.relations, limit, offset)

    async def link(
        self, cause: str, effect: str, kind: LinkKind | str = "causes", weight: float = 1.0
    ) -> None:
        """See Bank.link."""
        checking.check_link(kind, weight)
        await self._run(
            connections.link,
            checking.check_id(cause),
            checking.check_id(effect),
            graph.LinkKind(kind),
            weight,
        )

    async def links(self, unit: str) -> builtins.list[Link]:
        """See Bank.links."""
        return await self._run(memories.links, checking.check_id(unit))

    async def conflicts(self, *, limit: int = 100, offset: int = 0) -> builtins.list[Conflict]:
        """See Bank.conflicts."""
        return await self._run(connections.conflicts, limit, offset)

    async def accept_conflict(self, old: str, new: str) -> StoredUnit:
        """See Bank.accept_conflict."""
        return await self._run(
            connections.accept_conflict, checking.check_id(old), checking.check_id(new)
        )

    async def reject_conflict(self, old: str, new: str) -> None:
        """See Bank.reject_conflict."""
        await self._run(connections.reject_conflict, checking.check_id(old), checking.check_id(new))

    async def info(self) -> BankInfo:
        """See Bank.info."""
        return await self._run(banks.info)

    async def stats(self) -> Stats:
        """See Bank.stats."""
        return await self._run(banks.stats)

    async def export(self, path: str | Path, *, progress: Progress = no_progress) -> int:
        """See Bank.export."""
        return await self._run(banks.export, checking.check_path(path), progress)

    async def import_(
        self, path: str | Path, *, keep_going: bool = False, progress: Progress = no_progress
    ) -> Imported:
        """See Bank.import_."""
        return await self._run(banks.import_, checking.check_path(path), keep_going, progress)

    async def reembed(self, encoder: str | Encoder, *, progress: Progress = no_progress) -> int:
        """See Bank.reembed."""
        return await self._run(banks.reembed, encoder, progress)

    async def doctor(self, *, fix: bool = False) -> builtins.list[Finding]:
        """See Bank.doctor."""
        return await self._run(banks.doctor, fix)

    async def configure(self, changes: Mapping[str, object]) -> BankSettings:
        """See Bank.configure."""
        return await self._run(banks.configure, changes)
