"""Reads how the people and things of a text stand to each other, by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scrubjay.language.names import Mention
from scrubjay.language.relations.lexicon import Lexicon, Rule, lexicon_for, rules_for
from scrubjay.language.relations.roles import IS, role_of

RELATIONS_READ_MAX = 16  # of one text

# How far each way of saying it is trusted; whom "she" stands for is a guess.
_SAID = 0.9
_BY_PRONOUN = 0.7
_BY_TURN_BEFORE = 0.6

_PEOPLE = ("person", "name")
_OF_ONE = frozenset(("lives in", "from", "married to"))
_NUMBER = re.compile("\x02(\\d+)\x03")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SENTENCE_END = re.compile(r"[.!?\n。？！]")
_BEFORE = 24  # characters before what is said in which it may be denied


class End(NamedTuple):
    """One end of a relation: a mention, by its place; the speaker; a role; whom the turn before
    was about."""

    kind: str  # "name", "self", "role", "before"
    place: int = -1
    role: str = ""


SELF = End("self")
BEFORE = End("before")


class ReadRelation(NamedTuple):
    """A relation that a text says."""

    subject: End
    relation: str
    object: End
    confidence: float


def read_relations(text: str, mentions: Sequence[Mention]) -> tuple[ReadRelation, ...]:
    """The relations a text says of those it mentions, each once, at most RELATIONS_READ_MAX."""
    if not mentions:
        return ()
    kinds = rules_for(text)
    if not kinds:
        return ()
    lexicon = lexicon_for(text)
    rules = [rule for rule in lexicon.rules if rule.kind in kinds]
    reader = _Reader(_numbered(text, mentions), mentions, lexicon)
    found = dict[tuple[End, str, End], ReadRelation]()
    for relation in reader.read(rules):
        key = relation[:3]
        if relation.subject != relation.object and key not in found:
            found[key] = relation
            if len(found) == RELATIONS_READ_MAX:
                break
    return tuple(found.values())


def _numbered(text: str, mentions: Sequence[Mention]) -> str:
    """The text with its names as numbers."""
    parts, at = [], 0
    for place, mention in enumerate(mentions):
        parts += [text[at : mention.start], f"\x02{place}\x03"]
        at = mention.end
    return "".join([*parts, text[at:]])


class _Reader:
    """Reads one text whose names are numbered."""

    __slots__ = ("_mentions", "_text", "_words")

    def __init__(self, text: str, mentions: Sequence[Mention], words: Lexicon) -> None:
        self._text = text
        self._mentions = mentions
        self._words = words

    def read(self, rules: Sequence[Rule]) -> Iterator[ReadRelation]:
        """Everything the text says by some rules, in their order."""
        for rule in rules:
            for match in rule.pattern.finditer(self._text):
                if self._holds(match):
                    yield from self._claims(rule.kind, match)

    def _claims(self, kind: str, match: re.Match[str]) -> Iterator[ReadRelation]:
        if kind == "verb":
            return self._said(match)
        if kind == "kin":
            return self._relatives(match)
        names = self._names(match["name"], _PEOPLE)
        return (ReadRelation(name, IS, SELF, _SAID) for name in names)

    def _holds(self, match: re.Match[str]) -> bool:
        """Whether something is said to be so: neither asked, nor denied, nor supposed."""
        start = max(0, match.start() - _BEFORE)
        before = _SENTENCE_END.split(self._text[start : match.start()])[-1]
        said = _WORD.findall(f"{before} {match.group()}".lower())
        if not self._words.no.isdisjoint(said):
            return False
        end = _SENTENCE_END.search(self._text, match.end())
        return end is None or end.group() not in "?？"

    def _said(self, match: re.Match[str]) -> Iterator[ReadRelation]:
        subjects, sure = self._subjects(match)
        verb = match["verb"]
        fitting = [each for each in self._words.verbs if each.says.fullmatch(verb)]
        targets = self._names(match["object"]) or [SELF]
        several = match["subject"].casefold() in self._words.several
        for subject in subjects:
            for target in targets:
                kind = "person" if target is SELF else self._mentions[target.place].kind
                chosen = next((each for each in fitting if each.allows(kind)), None)
                # Where "we" move to may be where an office does.
                if chosen is None or (several and chosen.relation in _OF_ONE):
                    continue
                ends = (target, subject) if chosen.turned else (subject, target)
                yield ReadRelation(ends[0], chosen.relation, ends[1], _SAID * sure)

    def _subjects(self, match: re.Match[str]) -> tuple[list[End], float]:
        """Whoever is meant by the subject, and how sure that is."""
        named = self._names(match["subject"])
        if named:
            return named, 1.0
        if match["subject"].casefold() in self._words.self_subject:
            return [SELF], 1.0
        return self._spoken_of(match.start())

    def _relatives(self, match: re.Match[str]) -> Iterator[ReadRelation]:
        """What "my sister Ana" says: whose sister Ana is, and whom "my sister" means."""
        owner, head = match["owner"], match["head"]
        relative = head.casefold().rpartition(" ")[2]
        relation = self._words.kin.get(relative)
        if not self._words.is_role(relative):
            return
        kinds = _PEOPLE if relation != "owned by" else (*_PEOPLE, "project", "place")
        # A noun that is a role by its ending alone may be none, unless someone is known to bear it.
        listed = relative in self._words.cues["kin"]
        names = self._names(match["name"], kinds if listed else ("person",))
        role = role_of(owner, head, self._words)
        for name in names:
            if role is not None:
                yield ReadRelation(name, IS, End("role", role=role), _SAID)
            if relation is None:
                continue
            owners, sure = self._owners(owner, match.start())
            for whose in owners:
                if relation == "owned by":
                    yield ReadRelation(whose, "owns", name, _SAID * sure)
                else:
                    yield ReadRelation(name, relation, whose, _SAID * sure)

    def _owners(self, owner: str, start: int) -> tuple[list[End], float]:
        named = self._names(owner)
        if named:
            return named, 1.0
        if owner.casefold() in self._words.self_owner:
            return [SELF], 1.0
        if owner.casefold() in self._words.them:
            return self._spoken_of(start)
        return [], 0.0

    def _spoken_of(self, start: int) -> tuple[list[End], float]:
        """Whom "she" or "her" stands for before a place: the last person named, or before."""
        named = reversed(list(_NUMBER.finditer(self._text, 0, start)))
        people = [match for match in named if self._is_person(match)]
        sure = [match for match in people if self._mentions[int(match[1])].kind == "person"]
        for match in sure or people:
            return [End("name", int(match[1]))], _BY_PRONOUN
        return [BEFORE], _BY_TURN_BEFORE

    def _is_person(self, match: re.Match[str]) -> bool:
        """Whether a name may be whom "she" means; what follows "in" or "from" is hardly."""
        place = int(match[1])
        if place >= len(self._mentions) or self._mentions[place].kind not in _PEOPLE:
            return False
        before = self._text[max(0, match.start() - _BEFORE) : match.start()].split()
        return not before or before[-1].casefold() not in self._words.at

    def _names(self, written: str, kinds: Sequence[str] = ()) -> list[End]:
        return [
            End("name", place)
            for place in self._places(written)
            if not kinds or self._mentions[place].kind in kinds
        ]

    def _places(self, written: str) -> list[int]:
        found = (int(number) for number in _NUMBER.findall(written))
        return [place for place in found if place < len(self._mentions)]
