"""Joins the entities of drafts by the relations their texts say, and finds who bears a role."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.holding import held
from scrubjay.engine.retain.spoken_of import SpokenOf
from scrubjay.engine.shared.entities import THING, USER, bearers_of
from scrubjay.language.names import fold
from scrubjay.language.relations import IS, End
from scrubjay.settings import BankSettings
from scrubjay.store.base import AliasMatch, BankReader, NewMention, NewRelation
from scrubjay.types.graph import Relation, RelationClass

# Roles, not names: every bank has a user, and linking units by one would link everything.
SPEAKING_ROLES = frozenset({"user", "assistant", "system", "human", "ai", "agent", "bot", "tool"})
# Who speaks of themselves in these turns is the bank's user.
_USERS = frozenset({"user", "human"})

_SEPARATORS = re.compile(r"[\s_-]+")

# What lasts; "uses" and "lives in" change more often.
_STRUCTURAL = frozenset(
    ("parent of", "child of", "sibling of", "married to", "manages", "reports to", "works for",
     "part of", IS)
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """Whom a draft mentions, and the relations its text says."""

    mentions: tuple[NewMention, ...]
    relations: tuple[NewRelation, ...] = ()


def said_in_words(relation: Relation) -> str:
    """A relation as a sentence: "Nadia reports to Ada Brandt."."""
    words = _SEPARATORS.sub(" ", relation.relation).strip()
    return f"{relation.subject} {words} {relation.object}."


def relation_key(relation: Relation) -> str:
    """The key of the unit that says a relation and nothing else."""
    said = "\0".join(map(fold, (relation.subject, relation.relation, relation.object)))
    return f"relation:{hashlib.blake2b(said.encode(), digest_size=12).hexdigest()}"


def standing_names(draft: Draft) -> Iterable[str]:
    """The folded names of the user and of roles that a draft speaks of."""
    if draft.relations or draft.roles:
        yield USER
        yield from map(fold, draft.roles)
        for read in draft.relations:
            yield from (fold(end.role) for end in (read.subject, read.object) if end.role)


@dataclass(slots=True)
class Roles:
    """Who the user is and who bears which role, by what the bank and the batch have said."""

    bank: BankReader
    settings: BankSettings
    spoken_of: SpokenOf
    # By folded name, the user, the roles and the things the bank has.
    known: dict[str, list[AliasMatch]] = field(default_factory=dict)
    # By folded role, those who were said to bear it in this batch.
    _borne: dict[str, list[NewMention]] = field(default_factory=dict)

    def joined(self, draft: Draft, mentions: Sequence[NewMention]) -> Named:
        """The draft's mentions, with those who are meant by a role, and its relations."""
        relations = tuple(self._relations(draft, mentions)) if draft.relations else ()
        self.spoken_of.hear(draft.unit, mentions)
        if not draft.roles:
            return Named(tuple(mentions), relations)
        here = {mention.folded for mention in mentions}
        meant: dict[str, NewMention] = {}
        defined = {fold(read.object.role) for read in draft.relations if read.relation == IS}
        for role in map(fold, draft.roles):
            if role not in defined:
                meant |= {one.folded: one for one in self._bearers(role) if one.folded not in here}
        return Named((*mentions, *meant.values()), relations)

    def _relations(self, draft: Draft, mentions: Sequence[NewMention]) -> Iterable[NewRelation]:
        for read in draft.relations:
            # Who bears a role is meant by it, but where it is said who bears it.
            bears = read.relation == IS
            subject, target = (
                self._end(end, draft, mentions, bears=bears) for end in (read.subject, read.object)
            )
            if subject is None or target is None or subject.folded == target.folded:
                continue
            if read.relation == IS and read.object.role:
                self._borne.setdefault(target.folded, []).append(subject)
            kind = (
                RelationClass.STRUCTURAL if read.relation in _STRUCTURAL else RelationClass.SEMANTIC
            )
            relation = Relation(
                subject.name, read.relation, target.name, kind, read.confidence,
                *held(draft, read, self.settings),
            )  # fmt: skip
            yield NewRelation(relation, (subject, target))

    def _end(
        self, end: End, draft: Draft, mentions: Sequence[NewMention], *, bears: bool
    ) -> NewMention | None:
        if end.kind == "name":
            named = draft.mentions[end.place]
            return next((m for m in mentions if m.name == named.text), None) or next(
                (m for m in mentions if m.folded == named.folded), None
            )
        if end.kind == "before":
            return self.spoken_of.before(draft.unit)
        speaker = draft.unit.speaker
        named_speaker = speaker is not None and speaker.casefold() not in SPEAKING_ROLES
        if end.kind == "role":
            # "My sister" of one of many speakers is a sister of theirs, not of the bank's user.
            own = not end.role.startswith("the ")
            if own and (named_speaker or not _is_user(speaker)):
                return None
            bearers = [] if bears else self._bearers(fold(end.role))
            return bearers[0] if bearers else self._standing(end.role, "role")
        if end.kind == "thing":
            return self._standing(end.role, THING)
        if end.kind != "self":
            return None
        if named_speaker and speaker is not None:
            folded = fold(speaker)
            return next((m for m in mentions if m.name == speaker or m.folded == folded), None)
        return self._standing(USER, "person") if _is_user(speaker) else None

    def _standing(self, name: str, kind: str) -> NewMention:
        """The user, a role or a thing, which no unit mentions: it would link all that do."""
        folded = fold(name)
        match = next((m for m in self.known.get(folded, ()) if m.confidence >= 1), None)
        entity = None if match is None else match.entity
        return NewMention(name, folded, kind, entity, ((folded, 1.0),), explicit=False)

    def _bearers(self, role: str) -> list[NewMention]:
        """The one who bears a role; none where several do, or nobody."""
        if role in self._borne:
            named = {mention.folded: mention for mention in self._borne[role]}
            return list(named.values()) if len(named) == 1 else []
        roles = [match.entity for match in self.known.get(role, ())]
        found = bearers_of(self.bank, roles) if roles else []
        return [
            NewMention(bearer.name, fold(bearer.name), "person", bearer.entity, (), explicit=False)
            for bearer in found
            if len(found) == 1
        ]


def _is_user(speaker: str | None) -> bool:
    return speaker is None or speaker.casefold() in _USERS
