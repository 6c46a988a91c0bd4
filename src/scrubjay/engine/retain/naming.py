"""Finds who and what each draft names, and which known entities they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from scrubjay.engine.retain.bearers import (
    answering,
    first_name,
    is_an_end,
    is_introduced,
    may_mean,
)
from scrubjay.engine.retain.conversation import is_of_a_tool
from scrubjay.engine.retain.drafts import Draft, filling
from scrubjay.engine.retain.known_names import KnownNames, Said
from scrubjay.engine.retain.perhaps_named import called_things, perhaps_named, unusual_words
from scrubjay.engine.retain.relating import SPEAKING_ROLES, Named, Roles, standing_names
from scrubjay.engine.retain.spoken_of import SpokenOf
from scrubjay.engine.shared.entities import THING, Contexts, candidates_of, telling_words
from scrubjay.language.detection import detect_language
from scrubjay.language.names import (
    OtherName,
    derived_aliases,
    find_mentions,
    fold,
    other_names,
    resolve,
)
from scrubjay.language.names.cases import base_forms
from scrubjay.language.relations import read_relations, role_phrases
from scrubjay.store.base import AliasMatch, BankReader, BankStore, NewMention
from scrubjay.types.units import Unit
from scrubjay.types.values import EntityId

# A bank names the same few again and again; half a kilobyte an entry.
_CACHED_NAMES_MAX = 16_384
# Whom a session spoke of last, that a short name may mean.
_SESSION_ENTITIES = 10

# Below this, a short name is kept as an entity of its own rather than given to the wrong one.
_RESOLVED_MIN = 0.7

_named_in = filling("mentions", "relations", "other_names", "roles")


def find_names(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts with whom their texts mention, and how those are said to stand to each other."""
    return [draft if draft.as_stored else _read(draft) for draft in drafts]


def _read(draft: Draft) -> Draft:
    text = draft.unit.text
    mentions = find_mentions(text, speaker=draft.unit.speaker)
    return _named_in(
        draft,
        mentions,
        read_relations(text, mentions),
        other_names(text, mentions),
        role_phrases(text),
    )


@dataclass(slots=True)
class Namer:
    """Resolves the mentions of one batch against the bank and against each other."""

    bank: BankStore
    # By name as told, who is meant, where the caller has looked that up; None: someone new.
    meant: Mapping[str, EntityId | None] = field(default_factory=dict)
    place: int | None = None  # the row of the first draft; None: it is told after all others
    # Nothing of the batch is in the bank before all of it is named, so that one reading serves.
    _contexts: Contexts = field(init=False)
    _names: KnownNames = field(default_factory=KnownNames)
    # Of each session the known entities that the batch named so far, last ones last.
    _spoken_of: dict[str, list[EntityId]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._contexts = Contexts(self.bank)

    def name_all(self, drafts: Sequence[Draft]) -> list[Named]:
        """For each draft the entities it mentions, each once; the bank is read once."""
        unusual = [unusual_words(draft) for draft in drafts]
        everyone = [_named(draft, words) for draft, words in zip(drafts, unusual, strict=True)]
        perhaps = [
            perhaps_named(draft, named, words)
            for draft, named, words in zip(drafts, everyone, unusual, strict=True)
        ]
        folded = {name for named in everyone for name, _, _ in named}
        for draft, named in zip(drafts, everyone, strict=True):
            if not draft.unit.text.isascii():  # nothing is inflected in one that is
                folded.update(*(_base_forms(name, draft) for name, _, _ in named))
        standing = {name for draft in drafts for name in standing_names(draft)}
        place = self.bank.next_row() if self.place is None else self.place
        roles = Roles(self.bank, self.bank.settings, SpokenOf(self.bank, place))
        asked = folded.union(*perhaps, standing)
        for match in self.bank.lookup_aliases(sorted(asked)):
            if match.alias in standing:
                roles.known.setdefault(match.alias, []).append(match)
            self._names.know(match)
        # Who is new may have been told before by the first name alone, as hardly anybody is.
        new = {
            first_name(name, kind)
            for named in everyone
            for name, _, kind in named
            if " " in name and not self._names.known(name)
        }
        firsts = self.bank.whole_names(sorted(new - asked - {""})) if new else []
        for match in self.bank.lookup_aliases(firsts) if firsts else ():
            self._names.know(match)
        return [
            self._name([*named, *self._recognised(words)], draft, roles)
            for draft, named, words in zip(drafts, everyone, perhaps, strict=True)
        ]

    def _recognised(self, words: Mapping[str, str]) -> list[Said]:
        """Of the words that are not plainly names, those the bank has as somebody's."""
        found: list[Said] = []
        for folded in self._names.among(words):
            text, matches = words[folded], self._names.known(folded)
            # One that several bear is a guess, and makes nobody new.
            if (
                matches
                and matches[0].kind != THING
                and (
                    matches[0].confidence >= 1
                    or (len(matches) == 1 and may_mean(folded, matches[0]))
                )
            ):
                found.append((folded, text, matches[0].kind))
            elif (
                not matches
                and (one := self._names.made_alone(folded)) is not None
                and (one.folded == folded or is_an_end(folded, one.name, one.kind))
            ):
                found.append((folded, text, one.kind))
        return found

    def _name(self, everyone: Sequence[Said], draft: Draft, roles: Roles) -> Named:
        session = draft.unit.session or ""
        lately = self._spoken_of.setdefault(session, [])
        names = frozenset(folded for folded, _, _ in everyone)
        scene = _Scene(
            self.bank, draft, names, lately[-_SESSION_ENTITIES:] if session else (), self._contexts
        )  # fmt: skip
        # Everyone first: a name may be short for one that is made only after it.
        named = self._mentions(everyone, scene)
        for other in draft.other_names:
            named = self._also_called(other, draft, named)
        lately += [mention.entity for mention in named if mention.entity is not None]
        mentions = [one if one.entity is not None else self._names.as_stored(one) for one in named]
        return roles.joined(draft, mentions)

    def _mentions(self, everyone: Sequence[Said], scene: _Scene) -> list[NewMention]:
        full = _named_in_full(everyone, scene)
        if not full:
            return [self._mention(*someone, scene) for someone in everyone]
        # The full form first: an entity that is made of both is called by that.
        whole = [(one, self._mention(*one, scene)) for one in everyone if one[0] not in full]
        by = {one[0]: mention for one, mention in whole}
        short = [
            by[full[folded]]._replace(name=text, also=())
            for folded, text, _ in everyone
            if folded in full
        ]
        return [*(mention for _, mention in whole), *short]

    def _also_called(
        self, other: OtherName, draft: Draft, named: Sequence[NewMention]
    ) -> list[NewMention]:
        """The mentions, where one is another name of one before it, and nobody else's so far."""
        whose, alias = draft.mentions[other.whose], draft.mentions[other.name]
        bearer = next((one for one in named if one.name == whose.text), None)
        called = next((one for one in named if one.name == alias.text), None)
        if bearer is None or called is None or called.entity not in (None, bearer.entity):
            return list(named)
        self._names.tell(bearer, other.aliases)
        told = bearer._replace(also=(*bearer.also, *other.aliases))
        return [told if one is bearer else one for one in named if one is not called]

    def _mention(self, folded: str, text: str, kind: str, scene: _Scene) -> NewMention:
        # Not explicit: what only a unit names is forgotten with it.
        if text in self.meant:
            entity = self.meant[text]
            if entity is None:
                return self._names.make(folded, text, kind)
            return NewMention(text, folded, kind, entity, (), explicit=False)
        said = scene.draft.unit.text
        known = self._names.known(folded)
        matches = answering(text, known, said) if known else []
        match = _chosen(folded, text, matches, scene) if matches else None
        if match is not None:
            return NewMention(text, folded, match.kind, match.entity, (), explicit=False)
        if not matches:
            if self._names.has_made(folded, text, said):
                return NewMention(text, folded, kind, None, (), explicit=False)
            other = self._names.inflected(_base_forms(folded, scene.draft), folded, text, kind)
            if other is None and " " in folded:
                first = self._names.first_name_alone(folded, kind)
                if first and not scene.gives(folded):
                    other = self._names.grown(first, folded, text, kind)
            if other is not None:
                return other
        return self._names.make(folded, text, kind)


@dataclass(slots=True)
class _Scene:
    """What a draft and its session say beside a name; read only when there is a choice to make."""

    bank: BankReader
    draft: Draft
    named: frozenset[str]  # folded
    lately: Sequence[EntityId]  # whom its session named before, in this batch
    contexts: Contexts

    def gives(self, folded: str) -> bool:
        """Whether the caller named one of them outright; such a one is who they are."""
        return folded in _given(self.draft)

    def words(self) -> frozenset[str]:
        """The words and names that may tell namesakes apart."""
        return self.named | telling_words(self.draft.unit.text)

    def speaks_for(self, match: AliasMatch) -> bool:
        """Whether someone has been seen with what the text says beside their name."""
        (seen,) = self.contexts.of([match.entity]).values()
        return not seen.isdisjoint(self.words() - set(fold(match.name).split()))

    def spoken_of(self) -> Sequence[EntityId]:
        """Whom the session spoke of last."""
        session = self.draft.unit.session
        if session is None or self.lately:
            return self.lately
        return self.bank.session_entities(session, limit=_SESSION_ENTITIES)


def _named_in_full(everyone: Sequence[Said], scene: _Scene) -> Mapping[str, str]:
    """Of the first names in a text those whose full form it has as well, with that."""
    short = {folded for folded, _, _ in everyone if " " not in folded}
    if not 0 < len(short) < len(everyone):
        return {}
    full = [one for one in everyone if " " in one[0] and one[0].partition(" ")[0] in short]
    firsts: dict[str, list[str]] = {}
    for folded, text, kind in full:
        apposed = f"{text.partition(' ')[0]}, {text}" in scene.draft.unit.text
        if apposed or first_name(folded, kind):  # "Sofie, Sofie Lammens"
            firsts.setdefault(folded.partition(" ")[0], []).append(folded)
    return {
        first: whole[0]
        for first, whole in firsts.items()
        if len(whole) == 1 and not scene.gives(first)
    }


def _chosen(
    folded: str, text: str, matches: Sequence[AliasMatch], scene: _Scene
) -> AliasMatch | None:
    """The known entity that is meant; None when that is a guess."""
    introduced = is_introduced(text, scene.draft.unit.text)
    if len(matches) == 1 and not introduced:
        return matches[0]
    exact = [m for m in matches if fold(m.name) == folded]
    if introduced and not exact:
        matches = [m for m in matches if scene.speaks_for(m)]
    if len(matches) <= 1:
        return matches[0] if matches else None
    sure = exact or [m for m in matches if m.confidence >= 1]
    if len(sure) == 1 and (" " in folded or scene.gives(folded)):
        return sure[0]
    # Someone called by one word stands beside those whose full name it opens or ends.
    candidates = candidates_of(
        scene.bank, matches, spoken_of=scene.spoken_of(), contexts=scene.contexts
    )
    chosen = resolve(text, (0, len(text)), candidates, scene.words() - {folded})
    if chosen is not None and chosen.confidence >= _RESOLVED_MIN:
        return next(m for m in matches if m.entity == chosen.entity_id)
    return sure[0] if len(sure) == 1 else None


def _base_forms(folded: str, draft: Draft) -> tuple[str, ...]:
    """The names that a name of a draft may be a case of."""
    text = draft.unit.text
    # Whatever inflects names is hardly ever written in plain ASCII, and most texts are.
    return () if text.isascii() else base_forms(folded, detect_language(text))


def _given(draft: Draft) -> frozenset[str]:
    """The names a caller gives outright, folded."""
    unit = draft.unit
    ends = (end for relation in unit.relations for end in (relation.subject, relation.object))
    return frozenset(map(fold, (*unit.entities, *ends)))


def _named(draft: Draft, unusual: Sequence[str]) -> list[Said]:
    """Everyone a draft names; each name once, as the caller spells it if he does."""
    unit = draft.unit
    named: dict[str, Said] = {}
    for text, explicit, kind in _said(draft):
        folded = fold(text)
        if folded not in named or explicit:
            named[folded] = (folded, text, kind)
    for thing in called_things(draft, unusual):
        named.setdefault(thing[0], thing)
    if unit.speaker is not None and unit.speaker.casefold() in SPEAKING_ROLES:
        named.pop(fold(unit.speaker), None)
    return [*named.values(), *(_other_spellings(unit, named) if unit.relations else ())]


def _other_spellings(unit: Unit, named: Mapping[str, Said]) -> list[Said]:
    # The store finds the ends of a relation by their names as told.
    ends = dict.fromkeys(end for r in unit.relations for end in (r.subject, r.object))
    found = [(fold(end), end) for end in ends]
    return [
        (folded, end, _kind_of(end))
        for folded, end in found
        if folded not in named or named[folded][1] != end
    ]


def _said(draft: Draft) -> Iterable[tuple[str, bool, str]]:
    unit = draft.unit
    for mention in draft.mentions:
        yield mention.text, False, mention.kind
    spoken = unit.speaker is not None and unit.speaker.casefold() not in SPEAKING_ROLES
    spoken = spoken and not is_of_a_tool(unit)
    if unit.speaker is not None and spoken and not draft.as_stored:
        yield unit.speaker, False, "person"
    for name in unit.entities:
        yield name, True, _kind_of(name)
    for relation in unit.relations:
        yield relation.subject, True, _kind_of(relation.subject)
        yield relation.object, True, _kind_of(relation.object)


@lru_cache(_CACHED_NAMES_MAX)
def _kind_of(name: str) -> str:
    found = find_mentions(name)
    return found[0].kind if len(found) == 1 else "name"


def explicit_mention(bank: BankReader, text: str) -> NewMention:
    """The entity a caller names outright: the one that answers to it, or a new one."""
    folded = fold(text)
    matches = answering(text, bank.lookup_aliases([folded]), said="")
    exact = [m for m in matches if fold(m.name) == folded]
    sure = exact or [m for m in matches if m.confidence >= 1]
    if sure or len(matches) == 1:
        match = (sure or matches)[0]
        return NewMention(match.name, match.alias, match.kind, match.entity, (), explicit=True)
    kind = _kind_of(text)
    return NewMention(text, folded, kind, None, derived_aliases(text, kind), explicit=True)
