"""Bank: one memory space, and everything a caller can do with it."""

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

# What does the work is imported with the first call, not with the name of the class.
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
    from scrubjay.backend import Backend
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


class Bank:
    """One bank of a Memory; made by `Memory.bank(name)`. Safe to use from many threads.

    What is wrong whatever the bank holds is refused here, by what operations declare and by what
    only Python can get wrong; the rest is the backend's to do.
    """

    def __init__(self, backend: Backend, target: Target) -> None:
        self._backend = backend
        self._target = target

    def _run(self, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        declared.check_arguments(operation, args)
        return self._backend.run(operation, self._target, *args, **kwargs)

    @property
    def name(self) -> str:
        """The bank's name."""
        return self._target.bank

    @property
    def settings(self) -> BankSettings:
        """The bank's settings."""
        return self._run(banks.settings)

    def retain(self, told: Told, *, pending: bool = False, **given: Unpack[UnitFields]) -> Retained:
        """Keep text, a Unit, a chat message, or a list of them; keywords apply to each.

        Durable and findable when it returns. The same telling twice is stored once and reported
        as a duplicate; a known `key` updates that unit. Bad input changes nothing.

        What is `pending`, or told by someone the bank's `pending_from` names, is kept apart: no
        search, count or listing has it until `approve`.
        """
        return self._run(memories.retain, inputs.units_of(told, given), pending)

    def pending(self, *, limit: int = 100, offset: int = 0) -> PendingUnits:
        """Units that wait to be approved, oldest first."""
        return self._run(memories.pending, limit, offset)

    def approve(self, ids: str | Iterable[str]) -> Retained:
        """Keep units that waited, under their ids, as if they were told now; all, or none."""
        return self._run(memories.approve, checking.ids_of(ids))

    def reject(self, ids: str | Iterable[str]) -> Erasure:
        """Erase units that waited; all, or none. A report of what went."""
        return self._run(memories.reject, checking.ids_of(ids))

    def extract(
        self, told: Told, *, extractor: Extractor | None = None, **given: Unpack[UnitFields]
    ) -> Extracted:
        """Retain, then also keep the facts a language model finds in it, each naming its source.

        The words are durable before the model is asked; whatever it does is reported in
        `troubles` and loses nothing. Without `extractor` the endpoint is SCRUBJAY_LLM_URL.
        """
        return self._run(memories.extract, inputs.units_of(told, given), extractor)

    def recall(
        self, question: str, options: RecallOptions | None = None, **given: Unpack[RecallKeywords]
    ) -> Recall:
        """What the bank remembers that the question needs, best first; see RecallOptions.

        A retriever that fails or is late is dropped and named in `degraded`; the others'
        results come back. `strict=True` raises RecallFailed when all of them failed.
        """
        return self._run(recalling.recall, question, recall_options.options_of(given, options))

    def recall_batch(
        self,
        questions: Sequence[str],
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> builtins.list[Recall]:
        """One recall per question, in order; the questions are embedded together."""
        asked = inputs.listed(questions, "questions")
        return self._run(recalling.recall_batch, asked, recall_options.options_of(given, options))

    def explain(
        self,
        question: str,
        unit: str,
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Explanation:
        """Why a unit is, or is not, in the answer: its place in every retriever and its fate."""
        return self._run(
            recalling.explain,
            question,
            checking.check_id(unit),
            recall_options.options_of(given, options),
        )

    def feedback(
        self,
        question: Recall | str,
        *,
        used: Sequence[str] = (),
        missed: Sequence[str] = (),
        asked_at: date | str | None = None,
    ) -> None:
        """Say of an answer, or of a question, which units were of use and which it lacked; by id.

        It is kept in the bank, for `tune`; what is said of a unit is forgotten with it.
        """
        if isinstance(question, answers.Recall):
            asked_at = asked_at or question.parsed.now
            question = question.question
        useful = tuple(checking.check_id(unit) for unit in inputs.listed(used, "used"))
        lacking = tuple(checking.check_id(unit) for unit in inputs.listed(missed, "missed"))
        at = None if asked_at is None else inputs.moment(asked_at, "asked_at")
        self._run(recalling.feedback, question, useful, lacking, at)

    def tune(self) -> Tuning:
        """Fit what each kind of evidence counts in this bank to its feedback; what that changes.

        The bank's own weights apply to the `default` preset, once they are better on questions
        that had no part in them. BadInput where there is too little feedback.
        """
        return self._run(recalling.tune)

    def undo_tune(self) -> None:
        """Let evidence count as it does by default again; feedback stays."""
        self._run(recalling.undo_tune)

    def parse(
        self,
        question: str,
        options: RecallOptions | None = None,
        *,
        timezone: str | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Parsed:
        """What a question says, in the bank's time zone unless another is given."""
        return self._run(
            recalling.parse, question, timezone, recall_options.options_of(given, options)
        )

    def plan(
        self,
        question: str,
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Plan:
        """How a question would be recalled, and why so."""
        return self._run(recalling.plan, question, recall_options.options_of(given, options))

    def get(self, unit: str) -> StoredUnit:
        """One unit by its id; NotFound if this bank has none."""
        return self._run(memories.get, checking.check_id(unit))

    def list(
        self,
        where: UnitFilter | None = None,
        *,
        limit: int = 100,
        cursor: str | None = None,
        order: str = "oldest",
        offset: int = 0,
        **given: Unpack[FilterFields],
    ) -> Page:
        """Units that pass a filter and keywords laid over it; `Page.total` counts them all.

        `order` is "oldest" or "newest" (as they were stored), "told" or "occurred" (happened, or
        else told), or with "-" in front latest first. `Page.cursor` continues it, `offset` jumps.
        """
        if cursor is not None:
            checking.check_words(cursor, "cursor")
        wanted = choosing.filter_of(where, given)
        return self._run(memories.list_units, wanted, limit, cursor, order, offset)

    def histogram(
        self,
        where: UnitFilter | None = None,
        *,
        by: str = "told",
        grain: str = "auto",
        **given: Unpack[FilterFields],
    ) -> Histogram:
        """How many units that pass a filter were told, or happened (`by="occurred"`), when.

        `grain` is "day", "week", "month", "year", in the bank's own time zone, or "auto": the
        finest that takes no more than 400 spans.
        """
        return self._run(views.histogram, choosing.filter_of(where, given), by, grain)

    def neighbourhood(
        self, unit: str | None = None, *, entity: int | str | None = None, limit: int = 60
    ) -> Neighbourhood:
        """What stands next to a unit or an entity, the strongest first; at most 200 nodes."""
        known = None if unit is None else checking.check_id(unit)
        around = None if entity is None else inputs.entity_ref(entity)
        return self._run(views.neighbourhood, known, around, limit)

    def history(self, unit: str) -> builtins.list[StoredUnit]:
        """A unit among what it replaced, in turn, and what replaced it; oldest first."""
        return self._run(memories.history, checking.check_id(unit))

    def update(self, unit: str, **given: Unpack[UnitChanges]) -> StoredUnit:
        """Change a unit in place; what is not given stays, its id too; None clears a field."""
        return self._run(memories.update, checking.check_id(unit), *inputs.text_and_rest(given))

    def supersede(self, old: str, new: str | Unit, *, at: date | str | None = None) -> StoredUnit:
        """Say that `new` (an id, text, or a Unit) replaces `old`; the new unit.

        The old unit stays, closed at `at` (default: when the new one began to be true, or was
        told), where the new one begins; all of it is kept, or nothing. One word that is no id is
        NotFound; what was superseded already is BadInput, unless the very same call is repeated.
        """
        ending, known = (
            None if at is None else inputs.moment(at, "at", "first"),
            checking.check_id(old),
        )
        if not isinstance(new, str | unit_shapes.Unit):
            raise BadInput("new", new, "Give a unit's id, text, or a Unit.")
        return self._run(memories.supersede, known, new, ending)

    def undo_supersede(self, unit: str) -> StoredUnit:
        """Take back that a unit was superseded: it holds again, and what replaced it stays.

        What was forgotten does not come back: it is erased.
        """
        return self._run(memories.undo_supersede, checking.check_id(unit))

    def forget(self, what: str | Iterable[str] | UnitFilter, *, compact: bool = False) -> Erasure:
        """Erase units, by id or filter, from every table and index; a report of what went.

        Entities and sessions go with the last unit that held them up. A filter by `session` or
        `entity` erases that name also where no unit is left of it: the session's place in the
        log, the entity with its aliases and what `relate` said of it. What an erased unit
        superseded stays closed; `left_closed` names what has no successor now.

        With `compact` the files are rewritten too, so that no byte of them is left on disk. Where
        a reader keeps a byte there, `pending` says so, and it goes when that reader is gone.
        """
        if isinstance(what, filters.UnitFilter):
            return self._run(memories.forget, None, what, compact)
        return self._run(memories.forget, [*checking.ids_of(what)], None, compact)

    def compact(self) -> str | None:
        """Rewrite the bank's files without what was erased; what is still pending, else None."""
        return self._run(banks.compact)

    def sessions(
        self, *, limit: int | None = None, offset: int = 0, newest: bool = False
    ) -> builtins.list[Session]:
        """The session log, oldest first, or with `newest` newest first; all without a `limit`."""
        return self._run(connections.sessions, limit, offset, newest)

    def start_session(self, name: str, *, at: date | str | None = None) -> Session:
        """Log that a conversation began (now, unless told otherwise)."""
        begun = None if at is None else inputs.moment(at, "at")
        return self._run(connections.start_session, name, begun)

    def end_session(self, name: str, *, at: date | str | None = None) -> Session:
        """Log that a conversation ended."""
        ended = None if at is None else inputs.moment(at, "at")
        return self._run(connections.end_session, name, ended)

    def entities(
        self, *, containing: str | None = None, limit: int = 100, offset: int = 0
    ) -> builtins.list[Entity]:
        """Entities, most mentioned first, optionally those with a name that contains a word."""
        if containing is not None:
            checking.check_words(containing, "containing")
        return self._run(connections.entities, containing, limit, offset)

    def entity(self, entity: int | str) -> EntityCard:
        """One entity, how it stands to others, and who shares a name with it."""
        return self._run(views.entity, inputs.entity_ref(entity))

    def preview_alias(self, entity: int | str, alias: str) -> EntityChange:
        """What `alias_entity` would do."""
        return self._run(views.preview_alias, inputs.entity_ref(entity), alias)

    def preview_merge(self, keep: int | str, drop: int | str) -> EntityChange:
        """What `merge_entities` would do."""
        return self._run(views.preview_merge, inputs.entity_ref(keep), inputs.entity_ref(drop))

    def preview_split(self, entity: int | str, name: str, units: Sequence[str]) -> EntityChange:
        """What `split_entity` would do."""
        chosen = tuple(checking.check_id(unit) for unit in inputs.listed(units, "units"))
        return self._run(views.preview_split, inputs.entity_ref(entity), name, chosen)

    def alias_entity(self, entity: int | str, alias: str) -> Entity:
        """Let an entity, given by its number or a name, answer to another name."""
        return self._run(connections.alias_entity, inputs.entity_ref(entity), alias)

    def merge_entities(self, keep: int | str, drop: int | str) -> Entity:
        """Make two entities one; the first keeps its name, the second's names become aliases.

        Each is given by its number, or by a name that only one entity answers to.
        """
        return self._run(
            connections.merge_entities, inputs.entity_ref(keep), inputs.entity_ref(drop)
        )

    def split_entity(self, entity: int | str, name: str, units: Sequence[str]) -> Entity:
        """Give the mentions in `units` to a new entity called `name`."""
        chosen = tuple(checking.check_id(unit) for unit in inputs.listed(units, "units"))
        return self._run(connections.split_entity, inputs.entity_ref(entity), name, chosen)

    def relate(
        self,
        subject: str,
        relation: str,
        object: str,
        **given: Unpack[RelationFields],
    ) -> int:
        """Say how two entities stand to each other; both are made if new. Its number."""
        told = checking.check_relation(inputs.relation_of(subject, relation, object, given))
        return self._run(connections.relate, told)

    def relations(self, *, limit: int = 100, offset: int = 0) -> builtins.list[StoredRelation]:
        """Relations in the order they were told."""
        return self._run(connections.relations, limit, offset)

    def link(
        self, cause: str, effect: str, kind: LinkKind | str = "causes", weight: float = 1.0
    ) -> None:
        """Say that one unit causes, enables or prevents another."""
        checking.check_link(kind, weight)
        self._run(
            connections.link,
            checking.check_id(cause),
            checking.check_id(effect),
            graph.LinkKind(kind),
            weight,
        )

    def links(self, unit: str) -> builtins.list[Link]:
        """The stored links of one unit."""
        return self._run(memories.links, checking.check_id(unit))

    def conflicts(self, *, limit: int = 100, offset: int = 0) -> builtins.list[Conflict]:
        """Pairs of units of which one seems to change the other, and nobody decided; newest first.

        `accept_conflict` or `reject_conflict` decides; an explicit `supersede` does too.
        """
        return self._run(connections.conflicts, limit, offset)

    def accept_conflict(self, old: str, new: str) -> StoredUnit:
        """Decide that `new` replaces `old`, as `supersede` does; the new unit."""
        return self._run(
            connections.accept_conflict, checking.check_id(old), checking.check_id(new)
        )

    def reject_conflict(self, old: str, new: str) -> None:
        """Decide that both units hold; the pair is not proposed again."""
        self._run(connections.reject_conflict, checking.check_id(old), checking.check_id(new))

    def info(self) -> BankInfo:
        """The bank's identity card."""
        return self._run(banks.info)

    def stats(self) -> Stats:
        """Counts and sizes."""
        return self._run(banks.stats)

    def export(self, path: str | Path, *, progress: Progress = no_progress) -> int:
        """Write the bank to a file of JSON lines; how many."""
        return self._run(banks.export, checking.check_path(path), progress)

    def import_(
        self, path: str | Path, *, keep_going: bool = False, progress: Progress = no_progress
    ) -> Imported:
        """Read a file of JSON lines; interrupted, run it again and it goes on."""
        return self._run(banks.import_, checking.check_path(path), keep_going, progress)

    def reembed(self, encoder: str | Encoder, *, progress: Progress = no_progress) -> int:
        """Give every unit the vector of another encoder, then switch to it at once; how many."""
        return self._run(banks.reembed, encoder, progress)

    def doctor(self, *, fix: bool = False) -> builtins.list[Finding]:
        """Check words against texts, and every index against the rows; empty when all is well."""
        return self._run(banks.doctor, fix)

    def configure(self, changes: Mapping[str, object]) -> BankSettings:
        """Change the bank's settings."""
        return self._run(banks.configure, changes)
