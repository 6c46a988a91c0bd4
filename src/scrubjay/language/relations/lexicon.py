"""How each language speaks of relations, read once from `data/relations`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from scrubjay.language.alternatives import any_of
from scrubjay.language.detection import detect_language
from scrubjay.language.names.lists import FUNCTION_WORDS, TITLES
from scrubjay.language.relations.forms import (
    CHIEF,
    ROLE,
    Predicate,
    Verb,
    between,
    cues,
    predicates,
    verb_of,
)
from scrubjay.language.word_memory import WordMemory

_FOLDER = Path(__file__).parents[1] / "data" / "relations"
LANGUAGES = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))

# A name in a text whose names are numbered; the signs stand in no other text.
NAME = "\x02\\d+\x03"
_WORD = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)?")
_NOT_BEHIND_HYPHEN = re.compile(rf"(?<![^\W\d_])(?<!-){_WORD.pattern}")
_LISTED = (
    "asking", "where", "no", "clause", "at", "beside", "article", "who", "also", "called", "be",
    "have", "helping", "will", "begins", "acting", "indefinite", "once",
)  # fmt: skip
_ROLE_LETTERS_MIN = 5  # of a word that is one by its ending alone
# Words that are remembered to say nothing, at a hundred bytes each.
_REMEMBERED_WORDS_MAX = 16_384
_REMEMBERED_CHARACTERS_MAX = 40
_ENDED_REACH = 60  # characters from what is said to that it is over
_NO_KINDS: frozenset[str] = frozenset()
_KIN = frozenset({"kin"})
_OFFICE = "manages"  # of what people are to each other, what they are paid for: "manager at"
_NAMES_MAX = 5  # that are the subject, or the object, together
# The cue of rules in which "kin" stands before a name, with no more than so many words between.
KIN_BEFORE = "kin before"
BETWEEN_WORDS_MAX = 5


@dataclass(frozen=True, slots=True)
class Rule:
    """One form of a sentence that says a relation."""

    cue: str  # the kind of words without which it says nothing
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words and expressions of one language."""

    self_subject: frozenset[str]
    several: frozenset[str]  # of them, those that speak for more than one: "we"
    self_object: frozenset[str]
    self_owner: frozenset[str]
    them: frozenset[str]
    them_subject: frozenset[str]
    them_object: frozenset[str]
    theirs: frozenset[str]  # of several: "their"
    asking: frozenset[str]  # one of which is among the first words of who asks for a relation
    where: frozenset[str]  # of them, those that ask for a place
    no: frozenset[str]
    ended: re.Pattern[str]  # behind what is said, that it is so no more
    once: frozenset[str]  # before who is somebody's boss: who was
    clause: frozenset[str]  # what a denial does not reach over
    at: frozenset[str]  # what stands before a place or a thing, not before whom a sentence is about
    beside: frozenset[str]  # nor this, though it may stand before a person
    article: frozenset[str]
    indefinite: frozenset[str]  # of them, "a"
    and_: frozenset[str]
    who: frozenset[str]
    also: frozenset[str]  # what may stand between a subject, its verb and the object
    called: frozenset[str]
    naming: frozenset[str]  # the last words of what says who someone is: "is", "called"
    be: frozenset[str]
    have: frozenset[str]
    helping: frozenset[str]
    will: frozenset[str]  # of them, those of what is still to come
    acting: frozenset[str]  # "took over as": who does so is one
    begins: frozenset[str]  # "he starts in May": so does what was agreed before
    groups: frozenset[str]
    dwellings: frozenset[str]
    workplaces: frozenset[str]
    software: frozenset[str]
    alone: Mapping[str, frozenset[str]]  # of a relative, the only words that may stand before it
    chiefs: frozenset[str]
    passing: frozenset[str]  # words before a role that are no part of it: "the new landlord"
    kin: Mapping[str, str]  # relative: what they are to whose they are
    same: Mapping[str, str]  # relative: the usual word for it
    callings: Mapping[str, str]  # "Mum", with a capital, and the role: "my mother"
    calling: re.Pattern[str]
    plural: frozenset[str]  # of the relatives, the words for several
    each_other: Mapping[str, str]  # what several are to each other: the relation
    verbs: Sequence[Verb]
    heads: Mapping[str, Sequence[Predicate]]  # by the word that shows it
    between: Sequence[tuple[re.Pattern[str], Sequence[str], Verb]]
    asked: Mapping[str, Sequence[str]]  # a verb's word in questions: the relations it asks for
    asked_turned: frozenset[str]  # of those words, "employs": what stands behind is the subject
    asked_nouns: Mapping[str, Sequence[str]]  # the same of nouns for what is asked for
    composed: Mapping[str, Sequence[Sequence[str]]]  # "uncle": the ways that lead to one
    of: frozenset[str]
    genitive: frozenset[str]  # what says "of my" in one word: "meiner"
    in_law: Mapping[str, Sequence[str]]  # of a relative by law, the relations that lead there
    rules: Sequence[Rule]
    cues: Mapping[str, frozenset[str]]  # by kind of rule, words one of which it needs
    kinds: Mapping[str, Sequence[str]]  # by word, the kinds of rules that it is a cue for
    listed: frozenset[str]  # words that say something by themselves, in lower case
    endings: tuple[str, ...]  # of words that are roles
    no_roles: frozenset[str]  # words with such an ending that are none
    role: re.Pattern[str]  # "my sister", "the landlord", in any text
    # Words seen so far that say nothing, in lower case.
    silent: set[str] = field(default_factory=set, init=False)
    # The kinds of rules for which words are cues, as they are written.
    cued: WordMemory[frozenset[str]] = field(init=False)
    # The nouns that ask for a relation, all together: most questions have none.
    asking_nouns: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cued", WordMemory(self._kinds_of))
        nouns = frozenset[str]().union(self.kin, self.asked_nouns, self.in_law)
        object.__setattr__(self, "asking_nouns", nouns)

    def is_role(self, noun: str) -> bool:
        """Whether a noun, in lower case, says what someone is to somebody."""
        return noun in self.cues["kin"] or (
            len(noun) >= _ROLE_LETTERS_MIN
            and noun.endswith(self.endings)
            and noun.isalpha()
            and noun not in self.no_roles
            and noun not in FUNCTION_WORDS
        )

    def telling(self, words: Iterable[str]) -> frozenset[str]:
        """Of some words, in lower case, those that may say something: verbs, and roles."""
        perhaps = frozenset(words) - self.silent
        known = perhaps & self.listed
        if len(known) == len(perhaps):
            return known
        told = known.union(word for word in perhaps - known if self.is_role(word))
        _remember(self.silent, perhaps - told)
        return told

    def predicates_of(self, word: str) -> Sequence[Predicate]:
        """What a word, in lower case, may say: a verb, or a noun such as "engineer at"."""
        return (*self.heads.get(word, ()), *self._offices(word))

    def _offices(self, word: str) -> Sequence[Predicate]:
        """What a noun may say of where someone works: "engineer at", "head of"."""
        if self.kin.get(word, _OFFICE) != _OFFICE or not self.is_role(word):
            return ()
        chief = self.heads.get(CHIEF, ()) if word in self.chiefs else ()
        return (*self.heads.get(ROLE, ()), *chief)

    def relation_said(self, said: str) -> str | None:
        """The relation that an expression is one way to say: "managed by", "works at"."""
        words = said.removeprefix("is ").split()
        for predicate in self.heads.get(words[0], ()) if words else ():
            follows = predicate.follows or ((),)
            if not predicate.turned and tuple(words[1:]) in follows:
                return predicate.verb.relation
        found = (verb for pattern, _, verb in self.between if pattern.fullmatch(f"{said} "[:-1]))
        return next((verb.relation for verb in found), None)

    def kinds_in(self, text: str) -> frozenset[str]:
        """The kinds of rules for which a text has cues."""
        return _NO_KINDS.union(*self.cued.said(text))

    def _kinds_of(self, written: str) -> frozenset[str]:
        """The kinds of rules for which what stands between two spaces holds cues."""
        words = _WORD.findall(written)
        kinds = _NO_KINDS.union(*(self.kinds.get(word.lower(), ()) for word in words))
        # By its ending alone: with a capital it is a name, Fischer or Denver.
        roles = {word for word in words if word.islower() and self.is_role(word)}
        # Behind a hyphen it is of a thing.
        return kinds if roles.isdisjoint(_NOT_BEHIND_HYPHEN.findall(written)) else kinds | _KIN


def _remember(seen: set[str], words: Iterable[str]) -> None:
    if len(seen) >= _REMEMBERED_WORDS_MAX:
        seen.clear()
    seen.update(word for word in words if len(word) <= _REMEMBERED_CHARACTERS_MAX)


def lexicon_for(text: str) -> Lexicon:
    """The words of the language a text is written in; English, where there are none for it.

    A short text full of names may pass for Dutch, and a Dutch one says nothing in English.
    """
    return lexicon(_language_of(text))


def _language_of(text: str) -> str:
    language = detect_language(text)
    return language if language in LANGUAGES else "en"


# A text is asked about twice, for its relations and for its roles.
@lru_cache(64)
def rules_for(text: str) -> frozenset[str]:
    """The kinds of rules that may say something in a text: it has words without which they do not.

    Most texts have none of them, and a word is looked at once: reading must stay cheap.
    """
    return lexicon_for(text).kinds_in(text)


@cache
def lexicon(language: str) -> Lexicon:
    """The words of one of LANGUAGES."""
    with (_FOLDER / f"{language}.toml").open("rb") as file:
        return _compiled(tomllib.load(file))


def _any(words: Iterable[str]) -> str:
    # The longest first: "is called" before "is".
    return any_of(sorted(words, key=lambda word: (-len(word), word)))


def _compiled(data: Mapping[str, Any]) -> Lexicon:
    words, own, them, roles = data["words"], data["self"], data["them"], data["roles"]
    kin = {word: relation for relation, known in data["kin"].items() for word in known}
    kin |= {word: kin[usual] for word, usual in data["same"].items()}
    kin |= {word: kin[usual] for word, usual in data.get("plural", {}).items()}
    each_other = {
        word: name for name, known in data.get("each-other", {}).items() for word in known
    }
    job = _job(roles)
    # What stands between whose and what: "my older sister".
    head = rf"(?P<head>(?:[^\W\d_][\w-]{{1,15}} ){{0,2}}?(?:{_any(kin)}|{job}))\b"
    told = [(given, verb_of(given)) for given in data["verbs"]]
    heads: dict[str, list[Predicate]] = {}
    for given, verb in told:
        for word, predicate in predicates(given, verb, words["article"]):
            heads.setdefault(word, []).append(predicate)
    rules = [
        *_of_people(data, head, job, _any(kin), _any(each_other)),
        *_of_owners(data, kin),
        *_of_roles(data, kin),
    ]
    return Lexicon(
        self_subject=frozenset(own["subject"]),
        several=frozenset(own["subject"][1:]),
        self_object=frozenset(own["object"]),
        self_owner=frozenset(own["owner"]),
        them=frozenset([*them["subject"], *them["owner"]]),
        them_subject=frozenset(them["subject"]),
        them_object=frozenset(them.get("object", ())),
        theirs=frozenset(them.get("several", ())),
        and_=frozenset(words["and"]),
        ended=_ended(words),
        **_sets(data, [verb for _, verb in told]),
        alone={word: frozenset(before) for word, before in data.get("alone", {}).items()},
        kin=kin,
        same=data["same"],
        callings=(callings := _callings(data["same"], kin, min(own["owner"]))),
        calling=re.compile(rf"\b{_any(callings)}\b"),
        plural=frozenset(data.get("plural", ())),
        each_other=each_other,
        verbs=[verb for _, verb in told],
        heads=heads,
        between=between(told),
        asked=_asked((verb.relation, verb.asks) for _, verb in told),
        asked_nouns=_asked((verb.relation, verb.nouns) for _, verb in told),
        composed=data.get("composed", {}),
        in_law=data.get("in-law", {}),
        rules=[Rule(cue, re.compile(pattern, re.IGNORECASE)) for cue, pattern in rules],
        cues=(cues_of := _cues(data, kin, each_other)),
        kinds={
            word: [kind for kind in cues_of if word in cues_of[kind]]
            for word in chain.from_iterable(cues_of.values())
        },
        listed=cues_of["kin"].union(heads),
        endings=tuple(roles["endings"]),
        role=re.compile(
            rf"\b(?P<owner>{_any([*own['owner'], *words['article']])}) {head}(?!['’])",
            re.IGNORECASE,
        ),
    )


def _sets(data: Mapping[str, Any], verbs: Iterable[Verb]) -> dict[str, frozenset[str]]:
    """The fields of a lexicon that are plain sets of words."""
    words, roles = data["words"], data["roles"]
    return {name: frozenset(words.get(name, ())) for name in _LISTED} | {
        "naming": frozenset(_last(words["is"])),
        "of": frozenset(words["of"]),
        "genitive": frozenset(data["self"].get("genitive", ())),
        "groups": frozenset(data.get("groups", {}).get("words", ())),
        "software": frozenset(data.get("software", {}).get("words", ())),
        "workplaces": frozenset(data.get("workplaces", {}).get("words", ())),
        "dwellings": frozenset(data.get("dwellings", {}).get("words", ())),
        "passing": frozenset(roles.get("passing", ())),
        "chiefs": frozenset(roles.get("chiefs", ())),
        "no_roles": frozenset(roles["not"]),
        "asked_turned": frozenset(word for verb in verbs if verb.turned for word in verb.asks),
    }


def _ended(words: Mapping[str, Any]) -> re.Pattern[str]:
    """What says behind a predicate, in its own clause, that it is over: "no longer", "until May".

    At the end of a clause, since "no longer" may also open the next one, or with a time that is
    over.
    """
    # "Das" before a noun opens no clause.
    joining = {*words["who"], *words["where"], *words["and"]}.difference(words["article"])
    stop = _any([*sorted(joining), *words.get("clause", ())])
    over = rf"{_any(words['ended'])}(?=\W*(?:$|[.,;:!?)\n–—]| {_any(words['and'])} ))"
    until = rf"{_any(words['until'])} (?:[^\s.,;:!?]+ ){{0,2}}?{_any(words['past'])}\b"
    reach = rf"(?:(?!\b{stop}\b)[^.,;:!?\n]){{0,{_ENDED_REACH}}}?"
    return re.compile(rf"{reach}(?:,? ?\b{over}|\b{until})", re.IGNORECASE)


def _cues(
    data: Mapping[str, Any], kin: Collection[str], each_other: Collection[str]
) -> dict[str, frozenset[str]]:
    words = data["words"]
    small = {*words["article"], *words["at"]}
    return {
        "introducing": frozenset(am.split()[0] for am in words["am"]),
        "kin": frozenset([*kin, *_last(kin), *_last(each_other), *_last(data["roles"]["words"])]),
        "relative": frozenset(_last(kin)),
        "each other": frozenset(_last(each_other)),
        "business": frozenset(data.get("workplaces", {}).get("businesses", ())),
        "verb": frozenset(cue for given in data["verbs"] for cue in cues(given, small)),
    }


def _callings(same: Mapping[str, str], kin: Collection[str], own: str) -> dict[str, str]:
    return {word.capitalize(): f"{own} {usual}" for word, usual in same.items() if usual in kin}


def _last(expressions: Iterable[str]) -> list[str]:
    return [said.split()[-1] for said in expressions]


def _asked(asked: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    relations: dict[str, list[str]] = {}
    for relation, words in asked:
        for word in words:
            known = relations.setdefault(word, [])
            if relation not in known:
                known.append(relation)
    return relations


def _job(roles: Mapping[str, Sequence[str]]) -> str:
    """A word for what someone does for somebody."""
    never = _any(roles["not"]) if roles["not"] else r"(?!)"
    # Looking back from the end of a word, since trying every end of it takes its square.
    endings = "|".join(f"(?<={ending})" for ending in roles["endings"])
    return rf"(?!{never}\b)(?:{_any(roles['words'])}|[^\W\d_]{{3,22}}+(?:{endings}))"


def _of_people(
    data: Mapping[str, Any], head: str, job: str, kin: str, each_other: str
) -> list[tuple[str, str]]:
    """The forms of sentences that say who someone is, and to whom, each with its cue."""
    words = data["words"]
    own = _any([*data["self"]["owner"], *data["them"]["owner"]])
    joint = rf"(?:,|,? {_any(words['and'])})"
    names = rf"{NAME}(?:{joint} {NAME}){{0,{_NAMES_MAX - 1}}}"
    name, titled = rf"(?P<name>{names})", rf"(?:{_any(TITLES)}\.? )?(?P<name>{names})"
    the, is_, who = _any(words["article"]), _any(words["is"]), _any(words["who"])
    # "My mother's", "Mum's": of a role, where it is not known who bears it.
    mine = _any(data["self"]["owner"])
    of_role = rf"\b(?:{mine} )?{kin}['’]s"
    owner, owner_or_the = (
        rf"(?P<owner>{of_role}|\b{whose}|{NAME}['’]s?)" for whose in (own, f"(?:{own}|{the})")
    )
    # What stands before a name is looked up afterwards: it may be any word.
    any_head = r"(?P<head>(?:[^\W\d_][\w-]{0,15}+ ){0,2}?[^\W\d_][\w-]{0,21}+)"
    # After "the" or "a", only what is set off by signs on both sides is the name of that someone.
    set_off = rf"(?=[,.;:!?)]|$| {_any(words['at'])}\b)"
    of, called = _any(words["of"]), _any(words["called"])
    self_is = _any(["i'm", "i’m", "i am"] if "i" in data["self"]["subject"] else ())
    return [
        # "I'm Ana"
        ("introducing", rf"(?:^|[.!?:,;] ){_any(words['am'])} {name}(?!['’])"),
        # "my sister Ana", "our kids, Ana and Ben"
        (KIN_BEFORE, rf"{owner} {any_head}[,:]?(?: {called})? {titled}"),
        # "the landlord, Mr Brandsma,"
        (KIN_BEFORE, rf"(?P<owner>\b{the}) {any_head},? {titled}{set_off}"),
        # "Ana, my sister", and "Ana is our dentist"
        (
            "kin",
            rf"{name}(?:,(?: {who} {is_})?| ?{is_}| \() ?{owner_or_the} {head}(?!['’-]| {job}\b)",
        ),
        # "I'm Ana's mother"
        ("kin", rf"(?P<self>\b{self_is}) (?P<owner>{NAME}['’]s?) {head}(?!['’])"),
        # "my sister is Ana", "our children are Ana and Ben"
        (KIN_BEFORE, rf"{owner_or_the} {any_head}(?:['’]s name)? ?{is_} {name}"),
        # "Ana is the sister of Ben", "Ana is mum to Ben and Cleo"
        (
            "relative",
            rf"{name}(?:,| ?{is_})(?: {the})? (?P<head>{kin}) {of}(?: {the})? (?P<owner>{names})",
        ),
        # "the owner of Whiskerfield is Ana"
        (
            "relative",
            rf"\b{the} (?P<head>{kin}) {of}(?: {the})? (?P<owner>{NAME}) {is_} {name}",
        ),
        # "Ana and Ben are siblings", "Ana and I got married"
        (
            "each other",
            rf"(?P<name>{NAME}(?:{joint} {NAME}){{0,3}}{joint} (?:{NAME}|I\b))"
            rf" (?:are|got|were|have been)(?: {_any(words['also'])})? (?P<head>{each_other})\b",
        ),
    ]


def _of_owners(data: Mapping[str, Any], known: Mapping[str, str]) -> list[tuple[str, str]]:
    """The forms of sentences that name whom or what somebody has, each with its cue."""
    words = data["words"]
    joint = rf"(?:,|,? {_any(words['and'])})"
    name = rf"(?P<name>{NAME}(?:{joint} {NAME}){{0,{_NAMES_MAX - 1}}})"
    subjects = _any([*data["self"]["subject"], *data["them"]["subject"]])
    is_, has, called = (_any(words.get(said, ())) for said in ("is", "has", "called"))
    owned = _any(word for word, relation in known.items() if relation == "owned by")
    gets = _any([*words.get("has", ()), *words.get("gets", ())])
    # "Edith is eighty, has a budgie called Pip"
    aside = rf" ?{is_} [^,.;:!?\n\x02]{{1,20}},"
    businesses = _any(data.get("workplaces", {}).get("businesses", ()))
    return [
        # "Ana has two sons, Ben and Cleo", "I have a daughter called Ana"
        (
            "relative",
            rf"(?P<owner>{NAME}|\b{subjects})(?:{aside})?(?: ?{verb}) (?:[\w-]{{1,15}} ){{0,3}}?"
            rf"(?P<head>{whom})(?:,|:| {called}|, {called}) {name}",
        )
        for verb, whom in ((has, _any(known)), (gets, owned))
    ] + [
        # "Vera's bakery, Golden Crumb,"
        (
            "business",
            rf"(?P<owner>{NAME}['’]s?) (?:[\w-]{{1,15}} ){{0,2}}?{businesses},? "
            rf"(?P<name>{NAME})(?=[,.;:!?)]|$| {_any(words['at'])}\b)",
        ),
    ]


def _of_roles(data: Mapping[str, Any], kin: Mapping[str, str]) -> list[tuple[str, str]]:
    """The forms that name whoever is called by a role alone, each with its cue."""
    words, mine = data["words"], _any(data["self"]["owner"])
    whose = _any([*data["self"]["owner"], *data["them"]["owner"], *words["article"]])
    the, is_, of = _any(words["article"]), _any(words["is"]), _any(words["of"])
    owned = _any(word for word, relation in kin.items() if relation == "owned by")
    named = _any(words.get("names", ()))
    name = rf"(?P<name>{NAME})"
    return [
        # "Mum's name is Ana", "Dad is called Ben"
        (
            KIN_BEFORE,
            rf"(?:^|[.!?:;,] )(?P<owner>)(?P<head>{_any(data['same'])})"
            rf"(?:['’]s name)? ?{is_} {name}",
        ),
        # What we got and how we named it: "a rabbit and named her Pepper".
        (
            "kin",
            rf"(?P<owner>\b{whose}) (?P<head>{owned})\b[^.!?\n]{{0,40}}? {named}"
            rf"(?: {_any(words.get('them', ()))})?:? {name}",
        ),
        # "the brother of my mother is Ana", and in German "der Bruder meiner Mutter heißt Ana"
        (
            "relative",
            rf"\b(?:{the} )?(?P<head>{_any(kin)}) (?:{of} )?(?P<owner>{mine} {_any(kin)}),? ?"
            rf"(?:{is_} )?{name}",
        ),
    ]
