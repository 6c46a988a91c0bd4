"""Reads how the people and things of a text stand to each other, by rule."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scrubjay.language.names import Mention
from scrubjay.language.relations.clauses import PRONOUN, SELF, Clauses, End, Said, has_code_names
from scrubjay.language.relations.lexicon import (
    BETWEEN_WORDS_MAX,
    KIN_BEFORE,
    Lexicon,
    lexicon_for,
    rules_for,
)
from scrubjay.language.relations.roles import IS, role_of

RELATIONS_READ_MAX = 16  # of one text

# How far each way of saying it is trusted; whom "she" stands for is a guess.
_SAID = 0.9
_BY_PRONOUN = 0.7
_BY_TURN_BEFORE = 0.6

_PEOPLE = ("person", "name")
_NUMBER = re.compile("\x02(\\d+)\x03")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SENTENCE_END = re.compile(r"[.!?\n。？！]")
_REACH = 1_000  # characters back to whom "she" may stand for
_BEFORE = 24  # characters before what is said in which it may be denied

# What someone is to somebody for a time.
_OF_A_TIME = ("manages", "works with")

BEFORE = End("before")


class ReadRelation(NamedTuple):
    """A relation that a text says."""

    subject: End
    relation: str
    object: End
    confidence: float
    at: int = 0  # the character of the text where it is said
    ahead: bool = False  # it is said to begin later: "will report to", "is moving to"


def read_relations(text: str, mentions: Sequence[Mention]) -> tuple[ReadRelation, ...]:
    """The relations a text says of those it mentions, each once, at most RELATIONS_READ_MAX."""
    if not mentions and not has_code_names(text):
        return ()
    kinds = rules_for(text)
    if not kinds:
        return ()
    reader = _Reader(_numbered(text, mentions), mentions, lexicon_for(text))
    found = dict[tuple[End, str, End], ReadRelation]()
    for relation in reader.read(kinds):
        key = relation[:3]
        if relation.subject != relation.object and key not in found:
            found[key] = relation._replace(at=_unnumbered(relation.at, mentions))
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


def _unnumbered(at: int, mentions: Sequence[Mention]) -> int:
    """Where a place of a text whose names are numbered is in the text itself."""
    for place, mention in enumerate(mentions):
        if mention.start >= at:
            break
        at += mention.end - mention.start - len(f"\x02{place}\x03")
    return max(at, 0)


def _between(name: End, relation: str, whose: End, confidence: float, at: int) -> ReadRelation:
    """What someone's noun for a name says, with the relation's own direction."""
    if relation == "owned by":
        return ReadRelation(whose, "owns", name, confidence, at)
    if relation == "home of":
        return ReadRelation(whose, "from", name, confidence, at)
    return ReadRelation(name, relation, whose, confidence, at)


class _Reader:
    """Reads one text whose names are numbered."""

    __slots__ = ("_mentions", "_text", "_words")

    def __init__(self, text: str, mentions: Sequence[Mention], words: Lexicon) -> None:
        self._text = text
        self._mentions = mentions
        self._words = words

    def read(self, kinds: frozenset[str]) -> Iterator[ReadRelation]:
        """Everything the text says by some kinds of rules, in their order."""
        if "kin" in kinds and self._has_kin_before_name():
            kinds |= {KIN_BEFORE}
        for rule in self._words.rules:
            if rule.cue in kinds:
                for match in rule.pattern.finditer(self._text):
                    if self._holds(match):
                        yield from self._claims(rule.cue, match)
        if "verb" in kinds or "kin" in kinds:
            for said in Clauses(self._text, self._mentions, self._words).said():
                yield from self._said(said)

    def _has_kin_before_name(self) -> bool:
        """Whether a role stands shortly before a name; where none does, many rules say nothing."""
        before = self._text.casefold().replace("’", "'").split("\x02")[:-1]
        return any(
            self._words.is_role(word.partition("'")[0].rstrip(","))
            for part in before
            for word in part.split()[-BETWEEN_WORDS_MAX - 1 :]
        )

    def _claims(self, cue: str, match: re.Match[str]) -> Iterator[ReadRelation]:
        if cue == "each other":
            return self._each_other(match)
        if cue in ("kin", KIN_BEFORE, "relative"):
            return self._relatives(match)
        if cue == "business":
            ends = [*self._names(match["owner"], _PEOPLE), *self._names(match["name"])]
            return (ReadRelation(ends[0], "owns", each, _SAID, match.start()) for each in ends[1:])
        names = self._names(match["name"], _PEOPLE)
        return (ReadRelation(name, IS, SELF, _SAID, match.start()) for name in names[:1])

    def _holds(self, match: re.Match[str]) -> bool:
        """Whether something is said to be so: neither asked, nor denied, nor supposed."""
        start = max(0, match.start() - _BEFORE)
        before = _SENTENCE_END.split(self._text[start : match.start()])[-1]
        said = _WORD.findall(f"{before} {match.group()}".lower())
        if not self._words.no.isdisjoint(said):
            return False
        stated = not self._words.naming.isdisjoint(said)
        if stated and self._words.ended.match(self._text, match.end()):
            return False
        end = _SENTENCE_END.search(self._text, match.end())
        return end is None or end.group() not in "?？"

    def _said(self, said: Said) -> Iterator[ReadRelation]:
        for subject in said.subjects:
            meant, sure = self._meant(subject, said.start)
            for one, (target, _) in itertools.product(meant, said.objects):
                others, likely = self._meant(target, self._before(said.subjects, said.start))
                for other in others:
                    ends = (other, one) if said.turned else (one, other)
                    confidence = _SAID * sure * likely
                    yield ReadRelation(
                        ends[0], said.verb.relation, ends[1], confidence, said.start, said.ahead
                    )

    def _meant(self, end: End, start: int) -> tuple[list[End], float]:
        """Whom an end of a predicate stands for, looking back from a place if it is a pronoun."""
        return self._spoken_of(start) if end == PRONOUN else ([end], 1.0)

    def _before(self, subjects: Sequence[End], start: int) -> int:
        """Where a clause begins: "her" in it is none of those that it is about."""
        places = [end.place for end in subjects if end.kind == "name"]
        return min([self._text.find(f"\x02{place}\x03") for place in places], default=start)

    def _relatives(self, match: re.Match[str]) -> Iterator[ReadRelation]:
        """What "my sister Ana" says: whose sister Ana is, and whom "my sister" means."""
        owner, head = match["owner"], self._office(match["head"])
        # "Home town" is a word of two.
        relative = head.casefold()
        while relative not in self._words.kin and " " in relative:
            relative = relative.partition(" ")[2]
        relation = self._words.kin.get(relative)
        before = head.casefold().removesuffix(relative).split()
        if not self._words.is_role(relative) or not self._is_so(match, relative, before):
            return
        several = relative in self._words.plural
        whose = owner or min(self._words.self_owner)
        anothers = relation == "owned by" and self._is_anothers(match.start(), owner.casefold())
        role = None if several or anothers else role_of(whose, head, self._words)
        for name in self._bearers(match, relative, relation)[: None if several else 1]:
            if role is not None and name != SELF:
                yield ReadRelation(name, IS, End("role", role=role), _SAID, match.start())
            if relation is None:
                continue
            owners, sure = self._owners(owner, match.start())
            for whose in owners:
                yield _between(name, relation, whose, _SAID * sure, match.start())

    def _is_so(self, match: re.Match[str], relative: str, before: Sequence[str]) -> bool:
        """Whether a name and a role stand for one, by the words before the role and the name."""
        words = self._words
        # "My old boss" is none any more, "my old dad" is.
        if words.kin.get(relative) in _OF_A_TIME and not words.once.isdisjoint(before):
            return False
        if relative in words.alone and not words.alone[relative].issuperset(before):
            return False
        return "," not in match.group() or not self._is_complement(match)

    def _office(self, head: str) -> str:
        """The role alone: "head of design" is one of those that "the head" may mean."""
        first, *rest = head.split()
        named = len(rest) > 1 and rest[0] in self._words.of
        return first if named and first.casefold() in self._words.chiefs else head

    def _is_complement(self, match: re.Match[str]) -> bool:
        """Whether someone else was just said to be it: "Bex is our head nurse, Moira runs"."""
        before = self._text[max(0, match.start("owner") - _BEFORE) : match.start("owner")]
        return match.start("owner") < match.start("name") and any(
            before.rstrip().endswith(f"\x03{gap}{is_}")
            for is_ in self._words.naming
            for gap in (" ", "")
        )

    def _is_anothers(self, start: int, owner: str) -> bool:
        """Whether what "a cat" is about is somebody else: whoever is spoken of last before it.

        Of "the cat" it is only who is spoken of by a pronoun: "she keeps the dog, Rex".
        """
        if owner not in self._words.article:
            return False
        indefinite = owner in self._words.indefinite
        words, before = self._words, _SENTENCE_END.split(self._text[:start])[-1]
        for word in reversed(re.findall(rf"\x02|{_WORD.pattern}", before.lower())):
            if word in words.self_subject:
                return False
            if word in words.them or (indefinite and (word == "\x02" or word in words.article)):
                return True
        return False

    def _bearers(self, match: re.Match[str], relative: str, relation: str | None) -> list[End]:
        """Those who are said to be someone's relative, or theirs."""
        if match.groupdict().get("self"):
            return [SELF]
        if relation == "home of":
            return self._names(match["name"], ("place", "name"))
        kinds = _PEOPLE if relation != "owned by" else (*_PEOPLE, "project", "place")
        # A noun that is a role by its ending alone may be none, unless someone is known to bear it.
        listed = relative in self._words.cues["kin"]
        found = self._names(match["name"], kinds if listed else ("person",))
        if match["owner"].casefold() not in self._words.article:
            return found
        # "In the school on Elm Row, the caretaker Ana lets us in"
        return [end for end in found if not self._is_placed(end, match.start("name"))]

    def _is_placed(self, end: End, start: int) -> bool:
        """Whether a name behind "on" or "in" is most likely a place."""
        before = self._text[max(0, start - _BEFORE) : start].split()
        named = self._mentions[end.place].kind == "name"
        return named and bool(before) and before[-1].casefold() in self._words.at

    def _each_other(self, match: re.Match[str]) -> Iterator[ReadRelation]:
        """What "Ana and Ben are siblings" says of each of them."""
        relation = self._words.each_other[match["head"].casefold()]
        ends = self._names(match["name"], _PEOPLE)
        if not match["name"].endswith("\x03"):
            ends.append(SELF)
        for first, second in itertools.pairwise(ends):
            yield ReadRelation(first, relation, second, _SAID, match.start())

    def _owners(self, owner: str, start: int) -> tuple[list[End], float]:
        named = self._names(owner)
        if named:
            return named, 1.0
        # "Mum is called Ana": whose mum is not said, and so the speaker's.
        if not owner:
            return [SELF], 1.0
        role = self._role_in(owner)
        if role is not None:
            return [End("role", role=role)], 1.0
        if owner.casefold() in self._words.self_owner | self._words.self_subject:
            return [SELF], 1.0
        if owner.casefold() in self._words.them:
            several = owner.casefold() in self._words.theirs
            return self._spoken_of_several(start) if several else self._spoken_of(start)
        return [], 0.0

    def _role_in(self, owner: str) -> str | None:
        """The role that an owner is: "my mother's", "Mum's", "meiner Mutter"."""
        words = self._words
        whose, _, relative = owner.casefold().removesuffix("'s").removesuffix("’s").rpartition(" ")
        if relative not in words.kin or (not whose and relative not in words.same):
            return None
        return role_of(whose or min(words.self_owner), relative, words)

    def _spoken_of(self, start: int) -> tuple[list[End], float]:
        """Whom "she" or "her" stands for before a place: the last person named, or before."""
        named = reversed(list(_NUMBER.finditer(self._text, max(0, start - _REACH), start)))
        people = [match for match in named if self._is_person(match)]
        sure = [match for match in people if self._mentions[int(match[1])].kind == "person"]
        for match in sure or people:
            return [End("name", int(match[1]))], _BY_PRONOUN
        return [BEFORE], _BY_TURN_BEFORE

    def _spoken_of_several(self, start: int) -> tuple[list[End], float]:
        """Whom "their" stands for: all who are named in the sentence before, or in its own."""
        ends = [match.end() for match in _SENTENCE_END.finditer(self._text, 0, start)]
        for first, last in itertools.pairwise([start, *reversed(ends), 0][: 3 + 1]):
            named = [
                End("name", int(match[1]))
                for match in _NUMBER.finditer(self._text, last, first)
                if self._is_person(match)
            ]
            if len(named) > 1:
                return named, _BY_PRONOUN
            if named:
                break
        return self._spoken_of(start)

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
