"""Bank: one memory space, and everything a caller can do with it."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Unpack

from scrubjay.answers import Explanation, Parsed, Plan, Recall, RecallOptions
from scrubjay.encoder.base import Encoder
from scrubjay.encoder.opening import open_encoder
from scrubjay.engine import doctoring, explaining, read_path, transfer, write_path
from scrubjay.engine.recall_options import RecallKeywords, check_options, options_of
from scrubjay.engine.reembedding import reembed
from scrubjay.engine.retain.checking import (
    check_analysis,
    check_filter,
    check_id,
    check_link,
    check_number,
    check_page,
    check_path,
    check_relation,
    check_text,
    check_words,
)
from scrubjay.engine.retain.naming import explicit_mention
from scrubjay.engine.retain.stored import chosen_units, read
from scrubjay.engine.retain.told import (
    RelationFields,
    Told,
    UnitFields,
    listed,
    relation_of,
    units_of,
)
from scrubjay.engine.toolbox import Toolbox
from scrubjay.errors import BadInput, NotFound
from scrubjay.language.names import fold
from scrubjay.limits import NAME_CHARACTERS_MAX
from scrubjay.settings import BankSettings
from scrubjay.store.base import Banks, BankStore
from scrubjay.trace import Trace
from scrubjay.types import (
    BankInfo,
    Entity,
    EntityId,
    Erasure,
    Finding,
    Link,
    LinkKind,
    Page,
    Retained,
    Session,
    Stats,
    StoredRelation,
    StoredUnit,
    Unit,
    UnitFilter,
    UnitId,
)


class Bank:
    """One bank of a Memory; made by `Memory.bank(name)`. Safe to use from many threads."""

    def __init__(self, store: Banks, name: str, toolbox: Toolbox) -> None:
        self._store = store
        self._name = name
        self._toolbox = toolbox

    @property
    def name(self) -> str:
        """The bank's name."""
        return self._name

    @property
    def settings(self) -> BankSettings:
        """The bank's settings."""
        with self._using() as bank:
            return bank.settings

    @contextmanager
    def _using(self) -> Iterator[BankStore]:
        with self._store.using(self._name) as bank:
            if bank is None:
                raise NotFound("no such bank", self._name, "Create it with memory.bank(name).")
            yield bank

    @contextmanager
    def _doing(self, operation: str) -> Iterator[tuple[BankStore, Trace]]:
        with self._toolbox.observed(operation, self._name) as trace, self._using() as bank:
            yield bank, trace

    @contextmanager
    def _writing(self, operation: str) -> Iterator[tuple[BankStore, write_path.WriteTools]]:
        with self._doing(operation) as (bank, trace):
            yield bank, self._toolbox.writing(bank, trace)

    def retain(self, told: Told, **given: Unpack[UnitFields]) -> Retained:
        """Keep text, a Unit, a chat message, or a list of them; keywords apply to each.

        Durable and findable when it returns. The same telling twice is stored once and reported
        as a duplicate; a known `key` updates that unit. Bad input changes nothing.
        """
        units = units_of(told, given)
        with self._writing("retain") as (bank, tools):
            return write_path.retain(bank, units, tools)

    @contextmanager
    def _reading(self) -> Iterator[tuple[BankStore, read_path.ReadTools]]:
        with self._using() as bank:
            yield bank, self._toolbox.reading(bank)

    def recall(
        self, question: str, options: RecallOptions | None = None, **given: Unpack[RecallKeywords]
    ) -> Recall:
        """What the bank remembers that the question needs, best first; see RecallOptions.

        A retriever that fails or is late is dropped and named in `degraded`; the others'
        results come back. `strict=True` raises RecallFailed when all of them failed.
        """
        chosen = options_of(given, options)
        with self._reading() as (bank, tools):
            checked = check_options(question, chosen, bank.settings)
            return read_path.recall(bank, question, checked, tools)

    def recall_batch(
        self,
        questions: Sequence[str],
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> builtins.list[Recall]:
        """One recall per question, in order; the questions are embedded together."""
        with self._reading() as (bank, tools):
            chosen, asked = options_of(given, options), listed(questions, "questions")
            for question in asked:
                chosen = check_options(question, chosen, bank.settings)
            return read_path.recall_batch(bank, [str(one) for one in asked], chosen, tools)

    def explain(
        self,
        question: str,
        unit: str,
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Explanation:
        """Why a unit is, or is not, in the answer: its place in every retriever and its fate."""
        chosen = options_of(given, options)
        with self._reading() as (bank, tools):
            chosen = check_options(question, chosen, bank.settings)
            rows = bank.rows_of([check_id(unit)])
            if unit not in rows:
                raise NotFound("no such unit in this bank", unit, "List the units for their ids.")
            run = read_path.run(bank, question, chosen, tools)
            return explaining.explain(bank, run, UnitId(unit), rows[unit])

    def parse(
        self,
        question: str,
        *,
        timezone: str | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Parsed:
        """What a question says, in the bank's time zone unless another is given."""
        return self._understand(question, timezone, given)[0]

    def plan(self, question: str, **given: Unpack[RecallKeywords]) -> Plan:
        """How a question would be recalled, and why so."""
        return self._understand(question, None, given)[1]

    def _understand(
        self, question: str, timezone: str | None, given: RecallKeywords
    ) -> tuple[Parsed, Plan]:
        chosen = options_of(given)
        with self._reading() as (bank, tools):
            chosen = check_options(question, chosen, bank.settings)
            return read_path.understand(bank, question, chosen, tools, timezone=timezone)

    def get(self, unit: str) -> StoredUnit:
        """One unit by its id; NotFound if this bank has none."""
        with self._using() as bank:
            return read(bank, unit)

    def list(
        self, where: UnitFilter | None = None, *, limit: int = 100, cursor: str | None = None
    ) -> Page:
        """Units that pass a filter, oldest row first; `Page.cursor` continues."""
        check_page(limit, offset=0)
        if cursor is not None:
            check_words(cursor, "cursor")
        with self._using() as bank:
            wanted = check_filter(UnitFilter() if where is None else where, bank.settings)
            return bank.list_units(wanted, limit=limit, cursor=cursor)

    def update(
        self, unit: str, *, text: str | None = None, **given: Unpack[UnitFields]
    ) -> StoredUnit:
        """Change a unit in place; what is not given stays, its id too; None clears a field."""
        with self._writing("update") as (bank, tools):
            return write_path.update(bank, unit, text, given, tools)

    def supersede(
        self, old: str, new: str | Unit, *, at: datetime | str | None = None
    ) -> StoredUnit:
        """Say that `new` (an id, text, or a Unit) replaces `old`; the new unit.

        The old unit stays, closed at `at` (default: when the new one began to be true, or was
        told), where the new one begins; all of it is kept, or nothing. One word that is no id is
        NotFound; what was superseded already is BadInput, unless the very same call is repeated.
        """
        with self._writing("supersede") as (bank, tools):
            return write_path.supersede(bank, old, new, at, tools)

    def forget(self, what: str | Iterable[str] | UnitFilter, *, compact: bool = False) -> Erasure:
        """Erase units, by id or filter, from every table and index; a report of what went.

        Entities and sessions go with the last unit that held them up. A filter by `session` or
        `entity` erases that name also where no unit is left of it: the session's place in the
        log, the entity with its aliases and what `relate` said of it. What an erased unit
        superseded stays closed; `left_closed` names what has no successor now.

        With `compact` the files are rewritten too, so that no byte of them is left on disk. Where
        a reader keeps a byte there, `pending` says so, and it goes when that reader is gone.
        """
        with self._doing("forget") as (bank, trace), bank.writing():
            with trace.stage("match"):
                ids = chosen_units(bank, what)
            with trace.stage("erase"):
                where = what if isinstance(what, UnitFilter) else UnitFilter()
                named = where.entity and fold(where.entity)
                report = bank.erase(ids, session=where.session, entity=named)
            if not compact:
                return report
            with trace.stage("compact"):
                pending = bank.compact()
            return replace(report, compacted=pending is None, pending=pending)

    def compact(self) -> str | None:
        """Rewrite the bank's files without what was erased; what is still pending, else None."""
        with self._doing("compact") as (bank, _):
            return bank.compact()

    def sessions(self) -> builtins.list[Session]:
        """The session log, oldest first."""
        with self._using() as bank:
            return bank.sessions()

    def start_session(self, name: str, *, at: datetime | None = None) -> Session:
        """Log that a conversation began (now, unless told otherwise)."""
        check_text(name, "session", NAME_CHARACTERS_MAX)
        with self._using() as bank:
            return bank.start_session(name, self._toolbox.moment(at))

    def end_session(self, name: str, *, at: datetime | None = None) -> Session:
        """Log that a conversation ended."""
        check_text(name, "session", NAME_CHARACTERS_MAX)
        with self._using() as bank:
            return bank.end_session(name, self._toolbox.moment(at))

    def entities(
        self, *, containing: str | None = None, limit: int = 100, offset: int = 0
    ) -> builtins.list[Entity]:
        """Entities, most mentioned first, optionally those with a name that contains a word."""
        check_page(limit, offset)
        with self._using() as bank:
            wanted = None if containing is None else fold(check_words(containing, "containing"))
            return bank.entities(limit=limit, offset=offset, containing=wanted)

    def alias_entity(self, entity: int, alias: str) -> Entity:
        """Let an entity answer to another name."""
        check_text(alias, "alias", NAME_CHARACTERS_MAX)
        check_number(entity, "entity")
        with self._using() as bank:
            bank.add_alias(EntityId(entity), fold(alias), 1.0)
            found = bank.entity(EntityId(entity))
            assert found is not None, "an entity that just took an alias exists"
            return found

    def merge_entities(self, keep: int, drop: int) -> Entity:
        """Make two entities one; the first keeps its name, the second's names become aliases."""
        check_number(keep, "entity")
        check_number(drop, "entity")
        if keep == drop:
            raise BadInput("an entity cannot be merged with itself", keep, "Give two entities.")
        with self._using() as bank:
            return bank.merge_entities(EntityId(keep), EntityId(drop))

    def split_entity(self, entity: int, name: str, units: Sequence[str]) -> Entity:
        """Give the mentions in `units` to a new entity called `name`."""
        check_text(name, "name", NAME_CHARACTERS_MAX)
        check_number(entity, "entity")
        chosen = listed(units, "units")
        with self._using() as bank, bank.writing():
            new = explicit_mention(bank, name)._replace(entity=None, name=name, folded=fold(name))
            new = new._replace(aliases=((fold(name), 1.0), *new.aliases))
            return bank.split_entity(EntityId(entity), new, [check_id(unit) for unit in chosen])

    def relate(
        self,
        subject: str,
        relation: str,
        object: str,
        **given: Unpack[RelationFields],
    ) -> int:
        """Say how two entities stand to each other; both are made if new. Its number."""
        told = relation_of(subject, relation, object, given)
        check_relation(told)
        with self._using() as bank, bank.writing():
            return bank.relate(
                told, (explicit_mention(bank, subject), explicit_mention(bank, object))
            )

    def relations(self, *, limit: int = 100, offset: int = 0) -> builtins.list[StoredRelation]:
        """Relations in the order they were told."""
        check_page(limit, offset)
        with self._using() as bank:
            return bank.relations(limit=limit, offset=offset)

    def link(
        self, cause: str, effect: str, kind: LinkKind | str = LinkKind.CAUSES, weight: float = 1.0
    ) -> None:
        """Say that one unit causes, enables or prevents another."""
        check_link(kind, weight)
        first, second = check_id(cause), check_id(effect)
        if first == second:
            raise BadInput("a unit cannot cause itself", cause, "Give two units.")
        with self._using() as bank:
            bank.link(first, second, LinkKind(kind), weight)

    def links(self, unit: str) -> builtins.list[Link]:
        """The stored links of one unit."""
        with self._using() as bank:
            return bank.links(check_id(unit))

    def info(self) -> BankInfo:
        """The bank's identity card."""
        with self._using() as bank:
            return bank.info()

    def stats(self) -> Stats:
        """Counts and sizes."""
        with self._using() as bank:
            return bank.stats()

    def export(
        self, path: str | Path, *, progress: transfer.Progress = transfer.no_progress
    ) -> int:
        """Write the bank to a file of JSON lines; how many."""
        with self._doing("export") as (bank, _):
            target = transfer.outside(check_path(path), self._store.location)
            return transfer.export_file(bank, target, progress)

    def import_(
        self,
        path: str | Path,
        *,
        keep_going: bool = False,
        progress: transfer.Progress = transfer.no_progress,
    ) -> transfer.Imported:
        """Read a file of JSON lines; interrupted, run it again and it goes on."""
        with self._writing("import") as (bank, tools):
            return transfer.import_file(
                bank, check_path(path), tools, keep_going=keep_going, progress=progress
            )

    def reembed(
        self,
        encoder: str | Encoder,
        *,
        progress: transfer.Progress = transfer.no_progress,
    ) -> int:
        """Give every unit the vector of another encoder, then switch to it at once; how many."""
        with self._doing("reembed") as (bank, _):
            opened = open_encoder(encoder)
            done = reembed(bank, opened, progress)
            self._toolbox.adopt(opened)
            return done

    def doctor(self, *, fix: bool = False) -> builtins.list[Finding]:
        """Check words against texts, and every index against the rows; empty when all is well."""
        with self._using() as bank:
            return doctoring.examine(bank, fix=fix)

    def configure(self, changes: Mapping[str, object]) -> BankSettings:
        """Change the bank's settings."""
        with self._using() as bank, bank.writing():
            changed = bank.settings.changed(changes)
            check_analysis(changed.analysis, bank.settings.analysis, bank.unit_count())
            if changed != bank.settings:
                bank.change_settings(changed)
            return changed
