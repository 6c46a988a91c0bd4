"""Finds who and what each draft names, and which known entities they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from scrubjay.engine.retain.conversation import is_of_a_tool
from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.relating import SPEAKING_ROLES, Named, Roles, standing_names
from scrubjay.engine.retain.spoken_of import SpokenOf
from scrubjay.engine.shared.entities import THING, USER, Contexts, candidates_of, telling_words
from scrubjay.language.detection import detect_language
from scrubjay.language.names import (
    OtherName,
    derived_aliases,
    find_mentions,
    fold,
    other_names,
    resolve,
    same_entity,
)
from scrubjay.language.names.capitals import is_subject
from scrubjay.language.names.cases import base_forms
from scrubjay.language.names.everyday import looks_everyday, names_nothing
from scrubjay.language.names.lists import FUNCTION_WORDS, PLACES
from scrubjay.language.names.uncased import uncased_words
from scrubjay.language.relations import read_relations, role_phrases
from scrubjay.store.base import AliasMatch, BankReader, BankStore, NewMention
from scrubjay.types.units import Unit
from scrubjay.types.values import EntityId

# A bank names the same few again and again; half a kilobyte an entry.
_CACHED_NAMES_MAX = 16_384
_may_be_same = lru_cache(_CACHED_NAMES_MAX)(same_entity)

_CAPITALISED = re.compile(r"\b[^\W\d_a-z][\w'-]{0,50}+(?: [^\W\d_a-z][\w'-]{0,50}+){0,3}")

# A word in lower case of a length that names have; so many unusual ones of a unit are looked up.
_PLAIN = re.compile(r"(?<![\w.@/#-])[a-z]{3,20}(?![\w@/]|\.\w)")
_PLAIN_MAX = 32

# Whom a session spoke of last, that a short name may mean.
_SESSION_ENTITIES = 10

# Below this, a short name is kept as an entity of its own rather than given to the wrong one.
_RESOLVED_MIN = 0.7

# What a name in one of its cases must at least be to somebody.
_INFLECTED_MIN = 0.5

# A name that a text said someone has, or a caller: it needs no likeness to their own.
_TOLD = 0.9

# Kinds of entities that are called by one word of their name.
_BEARERS = ("person", "name")

# Someone a draft names: folded, text, kind.
_Named = tuple[str, str, str]


def find_names(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts with whom their texts mention, and how those are said to stand to each other."""
    return [draft if draft.as_stored else _read(draft) for draft in drafts]


def _read(draft: Draft) -> Draft:
    text = draft.unit.text
    mentions = find_mentions(text, speaker=draft.unit.speaker)
    return draft._replace(
        mentions=mentions,
        relations=read_relations(text, mentions),
        other_names=other_names(text, mentions),
        roles=role_phrases(text),
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
    _known: dict[str, list[AliasMatch]] = field(default_factory=dict)
    # By alias, then by the folded name of who answers to it.
    _new: dict[str, dict[str, NewMention]] = field(default_factory=dict)
    # Of each session the known entities that the batch named so far, last ones last.
    _spoken_of: dict[str, list[EntityId]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._contexts = Contexts(self.bank)

    def name_all(self, drafts: Sequence[Draft]) -> list[Named]:
        """For each draft the entities it mentions, each once; the bank is read once."""
        everyone = [_named(draft) for draft in drafts]
        perhaps = [
            _perhaps_named(draft, named) for draft, named in zip(drafts, everyone, strict=True)
        ]
        folded = {name for named in everyone for name, _, _ in named}
        for draft, named in zip(drafts, everyone, strict=True):
            folded.update(*(_base_forms(name, draft) for name, _, _ in named))
        standing = {name for draft in drafts for name in standing_names(draft)}
        place = self.bank.next_row() if self.place is None else self.place
        roles = Roles(self.bank, SpokenOf(self.bank, place))
        for match in self.bank.lookup_aliases(sorted(folded.union(*perhaps, standing))):
            if match.alias in standing:
                roles.known.setdefault(match.alias, []).append(match)
            if match.kind != "role" and match.alias != USER:
                self._known.setdefault(match.alias, []).append(match)
        return [
            self._name([*named, *self._recognised(words)], draft, roles)
            for draft, named, words in zip(drafts, everyone, perhaps, strict=True)
        ]

    def _recognised(self, words: Mapping[str, str]) -> list[_Named]:
        """Of the words that are not plainly names, those the bank has as somebody's."""
        found: list[_Named] = []
        for folded, text in words.items():
            matches = self._known.get(folded, ())
            # One that several bear is a guess, and makes nobody new.
            if (
                matches
                and matches[0].kind != THING
                and (
                    matches[0].confidence >= 1
                    or (len(matches) == 1 and _may_mean(folded, matches[0]))
                )
            ):
                found.append((folded, text, matches[0].kind))
        return found

    def _name(self, everyone: Sequence[_Named], draft: Draft, roles: Roles) -> Named:
        session = draft.unit.session or ""
        lately = self._spoken_of.setdefault(session, [])
        names = frozenset(folded for folded, _, _ in everyone)
        scene = _Scene(
            self.bank, draft, names, lately[-_SESSION_ENTITIES:] if session else (), self._contexts
        )  # fmt: skip
        # Everyone first: a name may be short for one that is made only after it.
        named = [self._mention(*someone, scene) for someone in everyone]
        for other in draft.other_names:
            named = self._also_called(other, draft, named)
        lately += [mention.entity for mention in named if mention.entity is not None]
        mentions = [self._as_stored(mention) for mention in named]
        return roles.joined(draft, mentions)

    def _also_called(
        self, other: OtherName, draft: Draft, named: Sequence[NewMention]
    ) -> list[NewMention]:
        """The mentions, where one is another name of one before it, and nobody else's so far."""
        whose, alias = draft.mentions[other.whose], draft.mentions[other.name]
        bearer = next((one for one in named if one.name == whose.text), None)
        called = next((one for one in named if one.name == alias.text), None)
        if bearer is None or called is None or called.entity not in (None, bearer.entity):
            return list(named)
        for folded, confidence in other.aliases:
            if bearer.entity is None:
                self._new[folded] = {bearer.folded: bearer}
            else:
                match = AliasMatch(folded, bearer.entity, bearer.name, bearer.kind, confidence, 0)
                self._known.setdefault(folded, []).append(match)
        told = bearer._replace(also=(*bearer.also, *other.aliases))
        return [told if one is bearer else one for one in named if one is not called]

    def _as_stored(self, mention: NewMention) -> NewMention:
        # A short form of an entity made in this batch is saved under that entity's own name.
        if mention.entity is None:
            for alias, made in self._new.get(mention.folded, {}).items():
                if alias != mention.folded:
                    return mention._replace(folded=alias, aliases=made.aliases)
        return mention

    def _mention(self, folded: str, text: str, kind: str, scene: _Scene) -> NewMention:
        # Not explicit: what only a unit names is forgotten with it.
        if text in self.meant:
            entity = self.meant[text]
            if entity is None:
                return self._make(folded, text, kind)
            return NewMention(text, folded, kind, entity, (), explicit=False)
        matches = _answering(text, self._known.get(folded, ()))
        match = _chosen(folded, text, matches, scene) if matches else None
        if match is not None:
            return NewMention(text, folded, match.kind, match.entity, (), explicit=False)
        if not matches and len(self._new.get(folded, ())) == 1:
            return NewMention(text, folded, kind, None, (), explicit=False)
        if not matches:
            inflected = self._base(folded, text, kind, scene.draft)
            if inflected is not None:
                return inflected
        return self._make(folded, text, kind)

    def _base(self, folded: str, text: str, kind: str, draft: Draft) -> NewMention | None:
        """The one whom an inflected name alone can mean; None where several, or nobody."""
        bases = _base_forms(folded, draft)
        known = {
            m.entity: m
            for base in bases
            for m in self._known.get(base, ())
            if m.confidence >= _INFLECTED_MIN
        }
        made = {one.folded: one for base in bases for one in self._new.get(base, {}).values()}
        if len(known) + len(made) != 1:
            return None
        for match in known.values():
            return NewMention(text, folded, match.kind, match.entity, (), explicit=False)
        (one,) = made.values()
        return NewMention(text, one.folded, kind, None, one.aliases, explicit=False)

    def _make(self, folded: str, text: str, kind: str) -> NewMention:
        aliases = derived_aliases(text, kind)
        mention = NewMention(text, folded, kind, None, aliases, explicit=False)
        for alias, _ in aliases:
            self._new.setdefault(alias, {}).setdefault(folded, mention)
        return mention


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

    def spoken_of(self) -> Sequence[EntityId]:
        """Whom the session spoke of last."""
        session = self.draft.unit.session
        if session is None or self.lately:
            return self.lately
        return self.bank.session_entities(session, limit=_SESSION_ENTITIES)


def _chosen(
    folded: str, text: str, matches: Sequence[AliasMatch], scene: _Scene
) -> AliasMatch | None:
    """The known entity that is meant; None when that is a guess."""
    if len(matches) == 1:
        return matches[0]
    exact = [m for m in matches if fold(m.name) == folded]
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


def _answering(text: str, matches: Iterable[AliasMatch]) -> list[AliasMatch]:
    """The entities that may be meant; a name the caller gave one outright needs no likeness."""
    return [
        m
        for m in matches
        if m.confidence >= _TOLD or _may_be_same(text, m.name) or _is_an_end(m.alias, m)
    ]


def _base_forms(folded: str, draft: Draft) -> tuple[str, ...]:
    """The names that a name of a draft may be a case of."""
    text = draft.unit.text
    # Whatever inflects names is hardly ever written in plain ASCII, and most texts are.
    return () if text.isascii() else base_forms(folded, detect_language(text))


def _may_mean(alias: str, match: AliasMatch) -> bool:
    """Whether a word that proves to be no name by itself may mean who answers to it."""
    return match.confidence >= _TOLD or _is_an_end(alias, match)


def _is_an_end(alias: str, match: AliasMatch) -> bool:
    """Whether one word is the first or last of someone's full name, whatever list it is on."""
    if " " in alias or match.kind not in _BEARERS or alias in PLACES:
        return False
    ends = fold(match.name).split()
    return len(ends) > 1 and alias in (ends[0], ends[-1])


def _perhaps_named(draft: Draft, named: Sequence[_Named]) -> dict[str, str]:
    """Words that may be names we know, folded and as told: first in a sentence, or lower case."""
    if draft.as_stored:
        return {}
    text = draft.unit.text
    # "Young" of "Young Tom" is no name beside it.
    taken = {word for folded, _, _ in named for word in (folded, *folded.split())}
    unusual = {word: word for word in _PLAIN.findall(text) if not looks_everyday(word)}
    found = dict(islice(unusual.items(), _PLAIN_MAX)) | _capitalised(text)
    found |= {fold(word): word for word in uncased_words(text)}
    return {
        folded: said
        for folded, said in found.items()
        if folded not in taken and not names_nothing(folded, text)
    }


def _capitalised(text: str) -> dict[str, str]:
    """Runs of capitalised words, folded, and as told."""
    runs: dict[str, int] = {run.group(): run.end() for run in _CAPITALISED.finditer(text)}
    # "Yesterday Sarah" is a run; its rest may be the name.
    rests = [run.partition(" ")[2] for run in runs if " " in run]
    return {
        folded: said
        for said in (*rests, *runs)
        # A lone everyday word at the start of a sentence is that word, whoever bears it, unless
        # it does something: "Biscuit needs a tablet".
        if (folded := fold(said))
        and (
            " " in said
            or not looks_everyday(folded)
            or (said in runs and folded not in FUNCTION_WORDS and is_subject(text, runs[said]))
        )
    }


def _given(draft: Draft) -> frozenset[str]:
    """The names a caller gives outright, folded."""
    unit = draft.unit
    ends = (end for relation in unit.relations for end in (relation.subject, relation.object))
    return frozenset(map(fold, (*unit.entities, *ends)))


def _named(draft: Draft) -> list[_Named]:
    """Everyone a draft names; each name once, as the caller spells it if he does."""
    unit = draft.unit
    named: dict[str, _Named] = {}
    for text, explicit, kind in _said(draft):
        folded = fold(text)
        if folded not in named or explicit:
            named[folded] = (folded, text, kind)
    if unit.speaker is not None and unit.speaker.casefold() in SPEAKING_ROLES:
        named.pop(fold(unit.speaker), None)
    return [*named.values(), *(_other_spellings(unit, named) if unit.relations else ())]


def _other_spellings(unit: Unit, named: Mapping[str, _Named]) -> list[_Named]:
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
    matches = _answering(text, bank.lookup_aliases([folded]))
    exact = [m for m in matches if fold(m.name) == folded]
    sure = exact or [m for m in matches if m.confidence >= 1]
    if sure or len(matches) == 1:
        match = (sure or matches)[0]
        return NewMention(match.name, match.alias, match.kind, match.entity, (), explicit=True)
    kind = _kind_of(text)
    return NewMention(text, folded, kind, None, derived_aliases(text, kind), explicit=True)
