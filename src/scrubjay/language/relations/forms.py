"""The forms of verbs and of expressions that say a relation, as the words of a text show them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

# simple: "works"; ing: "working", behind a form of "to be"; past: "worked", behind "has" unless it
# says what holds now; state: "based", "managed by", behind a form of "to be" or a comma.
Form = Literal["simple", "ing", "past", "state"]

ROLE, CHIEF = "{role}", "{chief}"
_HISSING = ("s", "x", "z", "ch", "sh")
_ROLE_GAP = 4  # words between what someone is and where: "engineer on the night shift at"
_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Verb:
    """One way to say a relation, between its ends."""

    relation: str
    asks: frozenset[str]
    nouns: frozenset[str]  # what a question calls its object: "employer"
    object_not: frozenset[str]
    object_only: frozenset[str]  # empty: any kind
    subject_not: frozenset[str]
    turned: bool  # what stands behind it is the subject: "is managed by"
    things: bool  # an end of it may be no name: "handles payroll"
    code: bool  # such an end must be written like a name of code: "auth-service"
    done: bool  # its past says what holds now: "joined"
    carries: bool  # of what is moved it is said, not of who moves it
    only_carries: bool  # where nothing is moved it says nothing: "we moved to the harbour"
    led: bool  # a thing behind it needs an article: "runs the front desk"
    places: bool  # its object may be a workplace without a name: "works at the creamery"

    def allows(self, kind: str) -> bool:
        """Whether an entity of this kind may be its object."""
        return kind not in self.object_not and (not self.object_only or kind in self.object_only)


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a text says where it has a certain word: a verb in one of its forms."""

    verb: Verb
    form: Form
    follows: tuple[tuple[str, ...], ...]  # one of which must stand behind it; empty: none
    gap: int  # words that may stand before that
    turned: bool


def verb_of(given: Mapping[str, Any]) -> Verb:
    """The verb of one entry of the data."""
    return Verb(
        given["relation"],
        frozenset(given.get("asks", ())),
        frozenset(given.get("nouns", ())),
        frozenset(given.get("object_not", ())),
        frozenset(given.get("object_only", ())),
        frozenset(given.get("subject_not", ())),
        given.get("turned", False),
        given.get("things", False),
        given.get("code", False),
        given.get("done", False),
        "carries" in given,
        given.get("carries") == "only",
        given.get("led", False),
        given.get("places", False),
    )


def predicates(
    given: Mapping[str, Any], verb: Verb, articles: Iterable[str]
) -> Iterator[tuple[str, Predicate]]:
    """Each predicate of one entry of the data, with the word that shows it."""
    follows = tuple(tuple(said.split()) for said in given.get("with", ()))
    gap = given.get("gap", 0)
    for told in given.get("does", ()):
        base, third, ing, past, participle = _inflected(told.split())
        for word in (base, third):
            yield word, Predicate(verb, "simple", follows, gap, verb.turned)
        yield ing, Predicate(verb, "ing", follows, gap, verb.turned)
        for word in dict.fromkeys((past, participle)):
            yield word, Predicate(verb, "past", follows, gap, verb.turned)
        if not follows:
            yield participle, Predicate(verb, "state", (("by",),), 0, not verb.turned)
    for said in given.get("so", ()):
        words = said.split()
        # The walk to the subject skips an article.
        first, *rest = words[1:] if words[0] in articles else words
        where = _ROLE_GAP if first in (ROLE, CHIEF) else 0
        yield first, Predicate(verb, "state", (tuple(rest),) if rest else (), where, verb.turned)


def between(
    given: Iterable[tuple[Mapping[str, Any], Verb]],
) -> Sequence[tuple[re.Pattern[str], Sequence[str], Verb]]:
    """The expressions that stand between two ends as they are, with words each needs one of."""
    return [
        (
            re.compile(rf"\b(?:{'|'.join(entry['says'])})(?= )", re.IGNORECASE),
            entry["cues"],
            verb,
        )
        for entry, verb in given
        if "says" in entry
    ]


def cues(given: Mapping[str, Any], small: Collection[str]) -> Iterator[str]:
    """Words one of which a text has that says what an entry of the data says; no `small` ones."""
    if "cues" in given:
        yield from given["cues"]
        return
    for told in given.get("does", ()):
        yield from _inflected(told.split())
    for said in given.get("so", ()):
        words = said.split()
        cue = next((word for word in words if word not in small), words[-1])
        if cue not in (ROLE, CHIEF):
            yield cue


def _inflected(told: Sequence[str]) -> tuple[str, str, str, str, str]:
    """Base, third person, -ing, past and participle; of one word, the regular ones."""
    if len(told) > 1:
        base, third, ing, past, participle = told
        return base, third, ing, past, participle
    base = told[0]
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base, f"{base[:-1]}ies", f"{base}ing", f"{base[:-1]}ied", f"{base[:-1]}ied"
    third = f"{base}es" if base.endswith(_HISSING) else f"{base}s"
    stem = base.removesuffix("e")
    return base, third, f"{stem}ing", f"{stem}ed", f"{stem}ed"
