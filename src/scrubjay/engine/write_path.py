"""The way in: units -> types -> times -> names -> words -> vectors -> links -> save."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from itertools import groupby, islice

import numpy as np

from scrubjay.codec.making import maker
from scrubjay.encoder.base import Encoder, calibration_of
from scrubjay.engine.retain.checking import check_moment, check_units
from scrubjay.engine.retain.classify import classify, without_tag
from scrubjay.engine.retain.conversation import is_of_a_tool
from scrubjay.engine.retain.dating import date_drafts, without_said
from scrubjay.engine.retain.drafts import Copied, Draft, as_stored, drafts_of
from scrubjay.engine.retain.duplicates import Duplicates, find_duplicates, leftovers
from scrubjay.engine.retain.earlier import Earlier
from scrubjay.engine.retain.embedding import embed, told_last, unembedded
from scrubjay.engine.retain.inputs import changed, moment
from scrubjay.engine.retain.linking import (
    LinkRules,
    Rows,
    found_causes,
    semantic_links,
    told_causes,
)
from scrubjay.engine.retain.naming import Namer, explicit_mention, find_names
from scrubjay.engine.retain.relating import Named, relation_key, said_in_words
from scrubjay.engine.retain.restating import restatements
from scrubjay.engine.retain.reviewing import approved, is_held, put_aside, waiting
from scrubjay.engine.retain.stored import (
    as_told,
    check_successor,
    is_told_again,
    moment_of,
    named_or_told,
    read,
)
from scrubjay.engine.retain.succeeding import successions, surest
from scrubjay.engine.retain.turns import turn_causes
from scrubjay.engine.retain.updating import LIKE, Updates
from scrubjay.engine.retain.wording import count_words
from scrubjay.engine.retrieve.neighbours import turns_before
from scrubjay.errors import BadInput, EncoderMismatch
from scrubjay.language.analyzer import Analyzer
from scrubjay.limits import UNIT_CHARACTERS_MAX
from scrubjay.store.base import BankStore, NewLink, NewMention, PreparedUnit
from scrubjay.store.lineage import Closing
from scrubjay.trace import Trace
from scrubjay.types.graph import LinkKind, Relation
from scrubjay.types.outcomes import Degraded, Derived, Retained
from scrubjay.types.units import StoredUnit, Unit, UnitFields
from scrubjay.types.values import UnitId

# What an update tells anew: of a copy nothing, for it says the same as before, and of any other all
# that is read from its text, what it changes among it.
_NOTHING: frozenset[str] = frozenset()
_TEXT = frozenset({"text", "updates"})


@dataclass(frozen=True, slots=True)
class WriteTools:
    """What the write path is given from outside: the encoder (None: no vectors) and the clock.

    The stages write their times into `trace`.
    """

    encoder: Encoder | None
    clock: Callable[[], datetime]
    trace: Trace
    unembedded: str | None = None  # why there is no encoder while the bank waits for one


def retain(
    bank: BankStore,
    told: Sequence[Unit],
    tools: WriteTools,
    copied: Mapping[str, Copied] | None = None,
    ends: Sequence[NewMention] = (),
    *,
    pending: bool | None = None,
) -> Retained:
    """Keep what was told; when this returns it is durable and every retriever can find it.

    `copied` names the units of `told` that are copies of stored ones; `ends` says who is meant
    by names that the caller has looked up. What is `pending` is put aside instead, until it is
    approved; None leaves that to the bank's settings.
    """
    with tools.trace.stage("check"):
        units = check_units(told, bank.settings)
        kept = [unit for unit in units if bank.settings.tool_messages or not is_of_a_tool(unit)]
        left_out = len(units) - len(kept) or None
        held = [_is_held(unit, bank, copied, pending=pending) for unit in kept]
        if any(held):
            report = _put_aside(bank, kept, held, tools, copied)
            return replace(report, left_out=left_out)
        drafts = drafts_of(kept, copied)
    if not drafts:
        return Retained((), (), (), (), Derived(), left_out)
    # The slow work comes first and outside the bank's lock; only drafts that are new get it.
    with tools.trace.stage("recognise"):
        row = None if bank.remote else bank.next_row()  # of a server it would be asked for
        found = find_duplicates(bank, drafts)
        new = set(found.fresh())
    before = told_last(bank, tools.encoder)
    ready = _derive([draft for n, draft in enumerate(drafts) if n in new], before, bank, tools)
    by_position = dict(zip(sorted(new), ready, strict=True))
    with bank.writing():
        _check_encoder(bank, tools)
        # Another thread may have told the same meanwhile, or erased what was known.
        if row is None or found.any_known() or row != bank.next_row():
            found = find_duplicates(bank, drafts)
        fresh = found.fresh()
        # And another may have erased what was a duplicate a moment ago.
        late = [n for n in fresh if n not in by_position]
        if late:
            again = _derive([drafts[n] for n in late], before, bank, tools)
            by_position |= zip(late, again, strict=True)
        erased = leftovers(bank, drafts, found)
        changes = Changes([found.updates[n] for n in fresh], erased)
        prepared = _connect([by_position[n] for n in fresh], changes, bank, tools, ends=ends)
        with tools.trace.stage("save"):
            saved = bank.save(prepared, erase=erased) if prepared else []
    unsure = sum(by_position[n].unsure for n in fresh)
    by_place = dict(zip(fresh, saved, strict=True))
    report = _report(drafts, found, by_place, prepared, unsure, bank.settings.update_floor)
    waits = dict.fromkeys(why for n in fresh if (why := by_position[n].unembedded) is not None)
    degraded = tuple(Degraded("vectors", f"kept without a vector: {why}") for why in waits)
    return replace(report, left_out=left_out, degraded=degraded or None)


def _is_held(
    unit: Unit, bank: BankStore, copied: Mapping[str, Copied] | None, *, pending: bool | None
) -> bool:
    if pending is not None:
        return pending
    return is_held(unit, bank.settings) and not (copied and unit.id in copied)


def _put_aside(
    bank: BankStore,
    units: Sequence[Unit],
    held: Sequence[bool],
    tools: WriteTools,
    copied: Mapping[str, Copied] | None,
) -> Retained:
    """Put the units aside that are held, and keep the others; one id per unit, in order."""
    with bank.writing():
        with tools.trace.stage("put_aside"):
            waits = [unit for unit, wait in zip(units, held, strict=True) if wait]
            aside = put_aside(bank, waits, tools.clock())
        rest = [unit for unit, wait in zip(units, held, strict=True) if not wait]
        done = retain(bank, rest, tools, copied, pending=False)
    known, put = iter(done.ids), iter(aside)
    ids: list[UnitId] = []
    for unit, wait in zip(units, held, strict=True):
        # A long text has an id for each of its pieces.
        ids += [next(put)[0]] if wait else islice(known, len(drafts_of([unit], copied)))
    return replace(
        done,
        ids=tuple(ids),
        duplicates=(*done.duplicates, *(unit for unit, new in aside if not new)),
        pending=tuple(unit for unit, new in aside if new),
    )


def approve(bank: BankStore, ids: Sequence[UnitId], tools: WriteTools) -> Retained:
    """Keep what waits under some ids as if it were told now; its time is that of its telling."""
    with bank.writing():
        reports = []
        for told_at, group in groupby(waiting(bank, ids), key=lambda one: one.created_at):
            then = replace(tools, clock=partial(_same, told_at))
            reports.append(retain(bank, [*map(approved, group)], then, pending=False))
        bank.drop_pending(ids)
    return _together(reports)


def _same(moment: datetime) -> datetime:
    return moment


def _together(reports: Sequence[Retained]) -> Retained:
    def every(name: str) -> tuple[UnitId, ...]:
        return tuple(unit for report in reports for unit in getattr(report, name))

    counts = {
        one.name: sum(getattr(report.derived, one.name) for report in reports)
        for one in fields(Derived)
    }
    return Retained(
        every("ids"), every("new"), every("duplicates"), every("updated"), Derived(**counts),
        degraded=tuple(dict.fromkeys(d for r in reports for d in r.degraded or ())) or None,
    )  # fmt: skip


def _check_encoder(bank: BankStore, tools: WriteTools) -> None:
    """The bank may have been given another encoder's vectors while ours were made."""
    stored, given = bank.encoder, tools.encoder
    if given is not None and stored is not None and stored.fingerprint != given.fingerprint:
        raise EncoderMismatch(bank=bank.name, stored=stored.fingerprint, given=given.fingerprint)


def update(
    bank: BankStore, unit: str, text: str | None, given: UnitFields, tools: WriteTools
) -> StoredUnit:
    """Change a unit in place; what is not given stays, its id too; None clears a field."""
    # One writer from reading to saving, or the changes of two would not add up.
    with bank.writing():
        stored = read(bank, unit)
        anew = frozenset(given.keys() & {"relations", "causes"})
        told = as_told(stored, text)
        # What is no text is refused below, by its name.
        if isinstance(told.text, str) and told.text != stored.text:
            told = without_tag(without_said(told, stored, bank.settings), stored)
        _put(bank, stored, changed(told, given), anew, tools)
        return read(bank, unit)


def supersede(
    bank: BankStore, old: str, new: object, at: datetime | str | None, tools: WriteTools
) -> StoredUnit:
    """Let `new`, an id or something to retain, take over from `old`; the new unit.

    One transaction: what is told, the end of the old unit, and the lineage; or nothing of it.
    """
    ending = None if at is None else check_moment(moment(at, "at"), "at")
    with bank.writing():
        before, told = read(bank, old), named_or_told(bank, new)
        if isinstance(told, StoredUnit):
            return _take_over(bank, before, told, ending, tools)
        drafts = drafts_of(check_units([told], bank.settings))
        found = find_duplicates(bank, drafts)
        known = found.duplicate_of[0]
        if known is not None:
            return _take_over(bank, before, read(bank, known), ending, tools)
        updated = found.updates[0]
        check_successor(bank, before, None if updated is None else read(bank, updated))
        _check_encoder(bank, tools)
        fresh = found.fresh()
        ready = _derive([drafts[n] for n in fresh], told_last(bank, tools.encoder), bank, tools)
        first, told_at = ready[0].unit, ready[0].told_at
        assert told_at is not None, "the dating stage sets it"
        begins = moment_of(before, (first.valid_from, first.valid_to), told_at, ending)
        changes = Changes([found.updates[n] for n in fresh], leftovers(bank, drafts, found))
        prepared = _connect(_begun(ready, begins), changes, bank, tools)
        with tools.trace.stage("save"):
            saved = bank.save(
                prepared,
                erase=changes.erased,
                closing=Closing(before.id, None, begins, told_at),
            )
        return read(bank, saved[0])


def _begun(drafts: Sequence[Draft], at: datetime) -> list[Draft]:
    """Drafts that begin at a moment, all pieces of a long text alike, unless they say when."""
    return [
        draft._replace(unit=replace(draft.unit, valid_from=draft.unit.valid_from or at))
        for draft in drafts
    ]


def _take_over(
    bank: BankStore, old: StoredUnit, new: StoredUnit, ending: datetime | None, tools: WriteTools
) -> StoredUnit:
    """Let a stored unit take over from another, which is told now."""
    if is_told_again(old, new, ending):
        return new
    check_successor(bank, old, new)
    at = moment_of(old, (new.valid_from, new.valid_to), new.told_at, ending)
    with tools.trace.stage("supersede"):
        bank.save([], closing=Closing(old.id, new.id, at, tools.clock()))
    return read(bank, new.id)


def relate(bank: BankStore, told: Relation, tools: WriteTools) -> int:
    """Keep a relation, and a unit that says it, so that every search finds it; its number.

    Told again, both are changed in place.
    """
    with bank.writing():
        subject, target = explicit_mention(bank, told.subject), explicit_mention(bank, told.object)
        relation = replace(told, subject=subject.name, object=target.name)
        said = Unit(
            said_in_words(relation),
            relations=(relation,),
            valid_from=relation.valid_from,
            valid_to=relation.valid_to,
            key=relation_key(relation),
        )
        (unit,) = retain(bank, [said], tools, ends=(subject, target)).ids
        number = bank.relation_said_by(unit, told.relation)
        assert number is not None, "the unit that was kept says the relation"
        return number


def restore_succession(
    bank: BankStore, old: str, new: str, at: datetime, told_at: datetime | None
) -> None:
    """Record a succession that another bank had; unless it was told there, with the new unit."""
    with bank.writing():
        before, after = read(bank, old), read(bank, new)
        if not is_told_again(before, after, at):
            check_successor(bank, before, after)
            told = told_at or max(before.told_at, after.told_at)
            # A line by hand, or of an older export, does not say when the new unit begins.
            begins = told_at is None
            bank.save([], closing=Closing(before.id, after.id, at, told, begins))


def _put(
    bank: BankStore, stored: StoredUnit, unit: Unit, anew: frozenset[str], tools: WriteTools
) -> None:
    (unit,) = check_units([replace(unit, id=None)], bank.settings)
    if (unit.text, unit.speaker) == (stored.text, stored.speaker):
        drafts = [as_stored(unit, stored.source)]
    else:
        drafts = drafts_of([unit])
    if len(drafts) > 1:
        raise BadInput(
            f"text of {len(unit.text):,} characters",
            unit.text,
            f"A unit holds {UNIT_CHARACTERS_MAX:,}; forget this one and retain the longer text.",
        )
    if unit.key is not None:
        for known in bank.known([], [unit.key]):
            if known.id != stored.id:
                raise BadInput("key of another unit", unit.key, f"Unit {known.id} has it.")
    _check_encoder(bank, tools)
    row = bank.rows_of([stored.id])[stored.id]
    before = turns_before(bank, np.array([row], np.int64)).get(row)
    ready = _derive(drafts, before, bank, tools)
    closed_at = stored.closed_at
    if unit.valid_to != stored.valid_to:
        closed_at = None if unit.valid_to is None else tools.clock()
    closed = [draft._replace(closed_at=closed_at) for draft in ready]
    connected = _connect(closed, Changes([stored.id], []), bank, tools, row)
    with tools.trace.stage("save"):
        bank.save([replace(each, anew=anew | each.anew) for each in connected])


def _derive(
    drafts: Sequence[Draft], before: StoredUnit | None, bank: BankStore, tools: WriteTools
) -> list[Draft]:
    stage = tools.trace.stage
    with stage("types"):
        typed = classify(drafts, bank.settings)
    with stage("times"):
        dated = date_drafts(typed, bank.settings, tools.clock())
    with stage("names"):
        named = find_names(dated)
    with stage("words"):
        worded = count_words(named, Analyzer(bank.settings.analysis))
    with stage("vectors"):
        if tools.unembedded is not None:
            return unembedded(worded, tools.unembedded)
        return embed(worded, tools.encoder, before, settings=bank.settings)


@dataclass(frozen=True, slots=True)
class Changes:
    """What drafts do to stored units: for each the one it updates, if any, and those that go."""

    updates: Sequence[UnitId | None]
    erased: Sequence[UnitId]


def _connect(
    drafts: Sequence[Draft],
    changes: Changes,
    bank: BankStore,
    tools: WriteTools,
    place: int | None = None,  # the row a changed unit had; None: told after all others
    ends: Sequence[NewMention] = (),
) -> list[PreparedUnit]:
    if not drafts:
        return []
    settings, rows = bank.settings, _rows(bank, changes)
    with tools.trace.stage("entities"):
        named = Namer(bank, {end.name: end.entity for end in ends}, place).name_all(drafts)
    floor, like = settings.link_floor, LIKE
    # An encoder that failed may not know its own scale, and nothing is compared then.
    if tools.encoder is not None and any(draft.vector is not None for draft in drafts):
        calibration = calibration_of(tools.encoder)
        floor, like = calibration.cosine_at(floor), calibration.cosine_at(like)
    with tools.trace.stage("links"):
        near = semantic_links(bank, drafts, LinkRules(settings.links_per_unit_max, floor), rows)
        told = told_causes(bank, drafts, rows)
        analyzer, earlier = Analyzer(settings.analysis), Earlier(rows.first, drafts)
        found = found_causes(bank, drafts, analyzer, rows, earlier)
        taken_up = turn_causes(bank, drafts, rows, rows.first if place is None else place)
        changed = Updates(bank, drafts, rows, earlier, like).found()
        changed = surest(changed, successions(bank, drafts, named, rows))
        changed = surest(changed, restatements(bank, drafts, near, rows))
    return [
        # Told causes last: where the rules found the same, the caller's weight counts.
        _prepared(
            draft,
            changes.updates[n],
            named[n],
            (*near[n], *changed[n], *taken_up[n], *found[n], *told[n]),
        )
        for n, draft in enumerate(drafts)
    ]


def _rows(bank: BankStore, changes: Changes) -> Rows:
    first = bank.next_row()
    updated = {unit: first + n for n, unit in enumerate(changes.updates) if unit is not None}
    old = bank.rows_of([*updated, *changes.erased]) if updated else {}
    return Rows(
        first,
        {old[unit]: row for unit, row in updated.items() if unit in old},
        frozenset(old[unit] for unit in changes.erased),
    )


def _prepared(
    draft: Draft,
    update: UnitId | None,
    named: Named,
    links: tuple[NewLink, ...],
) -> PreparedUnit:
    assert draft.told_at is not None, "the dating stage sets it"
    # In the order of a PreparedUnit's fields.
    return _prepared_unit(
        draft.unit,
        draft.type,
        draft.told_at,
        draft.occurred,
        draft.identity,
        draft.words.tokens,
        draft.words.terms,
        draft.words.length,
        named.mentions,
        links,
        None if draft.vector is None else draft.vector.astype(np.float16),
        draft.source,
        update,
        None,
        draft.closed_at,
        _NOTHING if draft.as_stored else _TEXT,
        named.relations,
        draft.late,
    )


_prepared_unit = maker(PreparedUnit)


def _report(
    drafts: Sequence[Draft],
    found: Duplicates,
    saved: dict[int, UnitId],
    prepared: Sequence[PreparedUnit],
    unsure: int,
    update_floor: float,
) -> Retained:
    ids: list[UnitId] = []
    for n in range(len(drafts)):
        position = found.repeats_draft[n]
        at = n if position is None else position
        known = found.duplicate_of[at]
        ids.append(saved[at] if known is None else known)
    updated = tuple(saved[n] for n in saved if found.updates[n] is not None)
    links = [link for unit in prepared for link in unit.links]
    semantic = sum(link.kind is LinkKind.SEMANTIC for link in links)
    updates = [link.weight for link in links if link.kind is LinkKind.UPDATES]
    return Retained(
        ids=tuple(ids),
        new=tuple(saved[n] for n in saved if found.updates[n] is None),
        duplicates=tuple(ids[n] for n in range(len(drafts)) if n not in saved),
        updated=updated,
        derived=Derived(
            entities=sum(len({m.folded for m in unit.mentions}) for unit in prepared),
            relations=sum(len(unit.unit.relations) + len(unit.read) for unit in prepared),
            semantic_links=semantic,
            causal_links=len(links) - semantic - len(updates),
            updates=sum(weight >= update_floor for weight in updates),
            dated=sum(unit.occurred is not None for unit in prepared)
            - sum(unit.unit.occurred_start is not None for unit in prepared),
            typed=sum(unit.unit.type is None for unit in prepared),
            unsure=unsure,
        ),
    )
