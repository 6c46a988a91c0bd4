"""Joins a unit that says who someone's boss, firm or home is to the one that named another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.linking import Rows
from scrubjay.engine.retain.relating import Named
from scrubjay.engine.shared.entities import USER
from scrubjay.language.changes import changes_in, reader_of
from scrubjay.language.relations import is_same_relation, kind_of
from scrubjay.store.base import BankStore, NewLink, NewMention
from scrubjay.types.graph import LinkKind

# Of these someone has one at a time: seen from the subject, or from the object.
_ONE_OF_SUBJECT = frozenset(("reports to", "lives in", "works for", "married to", "owned by"))
_ONE_OF_OBJECT = frozenset(("manages", "owns", "responsible for"))
# That the text says that something changed, and not only names another, makes it sure.
_SAID_TO_CHANGE = 0.8
# Else it is possible, which orders two units and is no conflict to decide.
_POSSIBLE = 0.6


class _Standing(NamedTuple):
    """What someone has one of, and which one."""

    holder: NewMention
    relation: str
    forward: bool  # the holder is the subject
    other: NewMention


def successions(
    bank: BankStore, drafts: Sequence[Draft], named: Sequence[Named], rows: Rows
) -> list[list[NewLink]]:
    """For each draft, a link to the newest unit that names another of what someone has one of."""
    links: list[list[NewLink]] = [[] for _ in drafts]
    floor = bank.settings.update_floor
    if floor == 1 or not any(each.relations for each in named):
        return links
    told: dict[tuple[str, str], tuple[int, str]] = {}
    for place, (draft, each) in enumerate(zip(drafts, named, strict=True)):
        # One text may name two, "lives in Porto, at weekends in Braga", and does not follow itself.
        said: dict[tuple[str, str], tuple[int, str]] = {}
        for standing in _standings(each):
            key = (standing.holder.folded, _seen_from_holder(standing))
            before = _told_before(bank, standing, rows)
            if key in told and told[key][1] != standing.other.folded:
                before = _Before(told[key][0], ended=False)
            said[key] = (rows.first + place, standing.other.folded)
            if before is not None and not rows.leaving(before.row):
                surely = before.ended or _tells_of_change(bank, draft, standing)
                weight = _SAID_TO_CHANGE if surely else _POSSIBLE * floor
                links[place].append(NewLink(before.row, LinkKind.UPDATES, weight))
        told |= said
    return links


def surest(
    found: Sequence[Sequence[NewLink]], others: Sequence[Sequence[NewLink]]
) -> list[list[NewLink]]:
    """The links of both for each draft; of two to one row the surer."""
    if not any(others):
        return [*map(list, found)]
    joined: list[list[NewLink]] = []
    for one, other in zip(found, others, strict=True):
        by_row: dict[int, NewLink] = {}
        for link in (*one, *other):
            known = by_row.get(link.row)
            if known is None or known.weight < link.weight:
                by_row[link.row] = link
        joined.append([*by_row.values()])
    return joined


def _standings(named: Named) -> Iterator[_Standing]:
    for each in named.relations:
        relation, (subject, target) = kind_of(each.relation.relation), each.ends
        if relation in _ONE_OF_SUBJECT:
            yield _Standing(subject, relation, True, target)
        elif relation in _ONE_OF_OBJECT:
            yield _Standing(target, relation, False, subject)


def _seen_from_holder(standing: _Standing) -> str:
    """The relation by one name: to report to someone is to be managed by them."""
    same = {"manages": "reports to", "owns": "owned by"}
    return standing.relation if standing.forward else same.get(standing.relation, standing.relation)


class _Before(NamedTuple):
    """A row that says who was before, and whether that is known to have ended."""

    row: int
    ended: bool


def _told_before(bank: BankStore, standing: _Standing, rows: Rows) -> _Before | None:
    """The newest row that says the same of the holder with another at the other end."""
    if standing.holder.entity is None:
        return None
    found = [
        _Before(edge.row, edge.valid_to is not None)
        for edge in bank.relations_of([standing.holder.entity])
        if edge.row is not None
        and edge.row < rows.first
        and edge.other != standing.other.entity
        and is_same_relation(
            edge.relation,
            forward=edge.forward,
            asked=standing.relation,
            asked_forward=standing.forward,
        )
    ]
    return max(found, default=None)


def _tells_of_change(bank: BankStore, draft: Draft, standing: _Standing) -> bool:
    """Whether a draft says that something changed, and names both right where it says so."""
    text, terms = draft.unit.text, draft.words.terms
    reader = reader_of(bank.settings.analysis, text, terms)
    changes = changes_in(text, terms, reader)
    ends = (standing.holder.name, standing.other.name)
    named = [frozenset(reader.key_terms(name)) for name in ends if changes and name != USER]
    return any(not any(change.about.isdisjoint(name) for name in named) for change in changes)
