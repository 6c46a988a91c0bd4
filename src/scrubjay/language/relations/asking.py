"""Reads which relation a question asks for, and from which end."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from scrubjay.language.relations.lexicon import lexicon_for

_WORD = re.compile(r"[^\W\d_]+(?:['’]s)?")
_ASKED_MAX = 4
_IN_LAW = "-in-law"
_BY = frozenset(("by", "von", "por", "par"))
# "For which company": a question word is one of the first.
_OPENING_WORDS = 3


@dataclass(frozen=True, slots=True)
class AskedRelation:
    """A relation that a question speaks of, and where."""

    relation: str
    start: int
    noun: bool  # "Ana's manager", not "manages"
    passive: bool = False  # "managed by"
    final: bool = True  # what is asked for in the end, not on the way there
    of_it: bool = (
        False  # "Ana's employer", "the address of Ana": what she works for, where she lives
    )

    step: bool = False  # one of several that one word stands for: "brother-in-law"
    onward: bool = False  # of these not the first

    def forward_from(self, place: int) -> bool:
        """Whether someone named at a place is the one it goes out from."""
        # Whose manager is asked for is managed, wherever they are named.
        return self.of_it or (not self.noun and (place < self.start) != self.passive)


# One question is looked at for whom it names, for the user, and for its relations.
@lru_cache(4)
def asked_relations(question: str) -> tuple[AskedRelation, ...]:
    """The relations a question asks for, in its order; those of one word are alternatives."""
    words = lexicon_for(question)
    said = list(_WORD.finditer(question))
    if words.asking.isdisjoint(match.group().casefold() for match in said[:_OPENING_WORDS]):
        return ()
    found: list[AskedRelation] = []
    for match, following in zip(said, [*said[1:], None], strict=True):
        word = match.group().casefold()
        relative = word if word.isalpha() else word.removesuffix("'s").removesuffix("’s")
        # Most words ask for nothing.
        if word not in words.asked and relative not in words.asking_nouns:
            continue
        # A "brother-in-law" is no brother, but whom a sister is married to.
        compound = question[match.end() : match.end() + 1] == "-"
        if compound and _in_law(question, match.end()):
            steps = words.in_law.get(relative, ())
            found += [
                AskedRelation(
                    relation,
                    match.start(),
                    noun=True,
                    final=relation == steps[-1],
                    step=True,
                    onward=relation != steps[0],
                )
                for relation in steps
            ]
            continue
        if relative in words.kin and not compound:
            found.append(AskedRelation(words.kin[relative], match.start(), noun=True))
            continue
        where = said[0].group().casefold() in words.where or (
            len(said) > 1 and said[1].group().casefold() in words.where
        )
        passive = following is not None and following.group().casefold() in _BY
        passive = passive != (word in words.asked_turned)
        found += [
            # Where someone lives is said of them, wherever the question names them.
            AskedRelation(relation, match.start(), noun=False, passive=passive, of_it=where)
            for relation in words.asked.get(word, ())
        ]
        found += [
            AskedRelation(relation, match.start(), noun=False, of_it=True)
            for relation in words.asked_nouns.get(relative, ())
        ]
    by_verb = any(not asked.noun for asked in found)
    last = max((asked.start for asked in found), default=0)
    ended = (
        replace(asked, final=asked.final and (asked.start == last or (not asked.noun and by_verb)))
        for asked in found
    )
    return tuple(dict.fromkeys(ended))[:_ASKED_MAX]


def asked_of_self(question: str) -> tuple[AskedRelation, ...]:
    """Those that a question asks of whoever asks it: "who do I work for", "who is my sister"."""
    words = lexicon_for(question)
    asked = asked_relations(question)
    if not asked:
        return ()
    said = [(match.start(), match.group().casefold()) for match in _WORD.finditer(question)]
    own = words.self_subject | words.self_object
    speaks = any(word in own for _, word in said)
    # Whose relative it is stands right before it, or with one word between.
    owned = {
        start
        for place, (start, _) in enumerate(said)
        if any(word in words.self_owner for _, word in said[max(0, place - 2) : place])
    }
    return tuple(
        one
        for one in asked
        if (one.start in owned if one.noun else speaks or (one.of_it and one.start in owned))
    )


def _in_law(question: str, end: int) -> bool:
    return question[end : end + len(_IN_LAW)].casefold() == _IN_LAW


def self_place(question: str) -> int:
    """Where a question speaks of whoever asks it; -1 if it does not."""
    words = lexicon_for(question)
    own = words.self_subject | words.self_object
    found = (match.start() for match in _WORD.finditer(question) if match.group().casefold() in own)
    return next(found, -1)
