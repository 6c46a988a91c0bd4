"""How each language speaks of relations, read once from `data/relations`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from scrubjay.language.detection import detect_language
from scrubjay.language.names.lists import FUNCTION_WORDS, TITLES

_FOLDER = Path(__file__).parents[1] / "data" / "relations"
LANGUAGES = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))

# A name in a text whose names are numbered; the signs stand in no other text.
NAME = "\x02\\d+\x03"
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CACHED_WORDS_MAX = 16_384
_ROLE_LETTERS_MIN = 5  # of a word that is one by its ending alone
_NAMES_MAX = 5  # that are the subject, or the object, together


@dataclass(frozen=True, slots=True)
class Verb:
    """One way to say a relation, between its ends."""

    relation: str
    says: re.Pattern[str]
    asks: frozenset[str]
    object_not: frozenset[str]
    object_only: frozenset[str]  # empty: any kind
    turned: bool  # what stands behind it is the subject: "is managed by"

    def allows(self, kind: str) -> bool:
        """Whether an entity of this kind may be its object."""
        return kind not in self.object_not and (not self.object_only or kind in self.object_only)


@dataclass(frozen=True, slots=True)
class Rule:
    """One form of a sentence that says a relation."""

    kind: str  # "introducing", "kin" or "verb"
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words and expressions of one language."""

    self_subject: frozenset[str]
    several: frozenset[str]  # of them, those that speak for more than one: "we"
    self_object: frozenset[str]
    self_owner: frozenset[str]
    them: frozenset[str]
    asking: frozenset[str]  # one of which is among the first words of who asks for a relation
    no: frozenset[str]
    at: frozenset[str]  # what stands before a place or a thing, not before whom a sentence is about
    kin: Mapping[str, str]  # relative: what they are to whose they are
    same: Mapping[str, str]  # relative: the usual word for it
    verbs: Sequence[Verb]
    asked: Mapping[str, Sequence[str]]  # a verb's word in questions: the relations it asks for
    rules: Sequence[Rule]
    cues: Mapping[str, frozenset[str]]  # by kind of rule, words one of which it needs
    endings: tuple[str, ...]  # of words that are roles
    no_roles: frozenset[str]  # words with such an ending that are none
    role: re.Pattern[str]  # "my sister", "the landlord", in any text

    def is_role(self, noun: str) -> bool:
        """Whether a noun, in lower case, says what someone is to somebody."""
        return noun in self.cues["kin"] or (
            len(noun) >= _ROLE_LETTERS_MIN
            and noun.endswith(self.endings)
            and noun not in self.no_roles
            and noun not in FUNCTION_WORDS
        )

    def kinds_of(self, word: str) -> tuple[str, ...]:
        """The kinds of rules for which a word, as it is written, is a cue."""
        kinds = [kind for kind, cues in self.cues.items() if word.lower() in cues]
        # With a capital it is a name, Fischer or Denver.
        if word.islower() and "kin" not in kinds and self.is_role(word):
            kinds.append("kin")
        return tuple(kinds)


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
    language = _language_of(text)
    said = set(_WORD.findall(text))
    return frozenset().union(*[_cued(language, word) for word in said])


@lru_cache(_CACHED_WORDS_MAX)
def _cued(language: str, word: str) -> tuple[str, ...]:
    return lexicon(language).kinds_of(word)


@cache
def lexicon(language: str) -> Lexicon:
    """The words of one of LANGUAGES."""
    with (_FOLDER / f"{language}.toml").open("rb") as file:
        return _compiled(tomllib.load(file))


def _any(words: Iterable[str]) -> str:
    # The longest first: "is called" before "is".
    return f"(?:{'|'.join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))})"


def _compiled(data: Mapping[str, Any]) -> Lexicon:
    words, own, them, roles = data["words"], data["self"], data["them"], data["roles"]
    kin = {word: relation for relation, known in data["kin"].items() for word in known}
    kin |= {word: kin[usual] for word, usual in data["same"].items()}
    job = _job(roles)
    # What stands between whose and what: "my older sister".
    head = rf"(?P<head>(?:[^\W\d_][\w-]{{1,15}} ){{0,2}}?(?:{_any(kin)}|{job}))\b"
    verbs = [_verb(given, job) for given in data["verbs"]]
    between = "|".join(dict.fromkeys(verb.says.pattern for verb in verbs))
    rules = [*_of_people(data, head, _any(kin)), ("verb", _of_anyone(data, between))]
    return Lexicon(
        self_subject=frozenset(own["subject"]),
        several=frozenset(own["subject"][1:]),
        self_object=frozenset(own["object"]),
        self_owner=frozenset(own["owner"]),
        them=frozenset([*them["subject"], *them["owner"]]),
        asking=frozenset(words["asking"]),
        no=frozenset(words["no"]),
        at=frozenset(words["at"]),
        kin=kin,
        same=data["same"],
        verbs=verbs,
        asked=_asked(verbs),
        rules=[Rule(kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in rules],
        cues={
            "introducing": frozenset(am.split()[0] for am in words["am"]),
            "kin": frozenset([*kin, *(word.split()[-1] for word in roles["words"])]),
            "verb": frozenset(cue for given in data["verbs"] for cue in given["cues"]),
        },
        endings=tuple(roles["endings"]),
        no_roles=frozenset(roles["not"]),
        role=re.compile(
            rf"\b(?P<owner>{_any([*own['owner'], *words['article']])}) {head}(?!['’])",
            re.IGNORECASE,
        ),
    )


def _asked(verbs: Iterable[Verb]) -> dict[str, list[str]]:
    relations: dict[str, list[str]] = {}
    for verb in verbs:
        for word in verb.asks:
            relations.setdefault(word, []).append(verb.relation)
    return relations


def _job(roles: Mapping[str, Sequence[str]]) -> str:
    """A word for what someone does for somebody."""
    never = _any(roles["not"]) if roles["not"] else r"(?!)"
    # Looking back from the end of a word, since trying every end of it takes its square.
    endings = "|".join(f"(?<={ending})" for ending in roles["endings"])
    return rf"(?!{never}\b)(?:{_any(roles['words'])}|[^\W\d_]{{3,22}}+(?:{endings}))"


def _of_people(data: Mapping[str, Any], head: str, kin: str) -> list[tuple[str, str]]:
    """The forms of sentences that say who someone is, and to whom."""
    words = data["words"]
    own = _any([*data["self"]["owner"], *data["them"]["owner"]])
    name, titled = rf"(?P<name>{NAME})", rf"(?:{_any(TITLES)}\.? )?(?P<name>{NAME})"
    the, is_, who = _any(words["article"]), _any(words["is"]), _any(words["who"])
    owner, owner_or_the = (
        rf"(?P<owner>\b{whose}|{NAME}['’]s?)" for whose in (own, f"(?:{own}|{the})")
    )
    # What stands before a name is looked up afterwards: it may be any word.
    any_head = r"(?P<head>(?:[^\W\d_][\w-]{0,15}+ ){0,2}?[^\W\d_][\w-]{0,21}+)"
    # After "the" or "a", only what is set off by signs on both sides is the name of that someone.
    set_off = rf"(?=[,.;:!?)]|$| {_any(words['at'])}\b)"
    return [
        ("introducing", rf"(?:^|[.!?:,;] ){_any(words['am'])} {name}(?!['’])"),  # "I'm Ana"
        # "my sister Ana"
        ("kin", rf"{owner} {any_head},?(?: {_any(words['called'])})? {titled}"),
        # "the landlord, Mr Brandsma,"
        ("kin", rf"(?P<owner>\b{the}) {any_head},? {titled}{set_off}"),
        # "Ana, my sister", "Ana is our dentist"
        ("kin", rf"{name}(?:,(?: {who} {is_})?| ?{is_}) {owner_or_the} {head}(?!['’])"),
        # "my sister is Ana"
        ("kin", rf"{owner_or_the} {any_head}(?:['’]s name)? ?{is_} {name}"),
        # "Ana is the sister of Ben"
        (
            "kin",
            rf"{name}(?:,| ?{is_})(?: {the})? (?P<head>{kin}) {_any(words['of'])} "
            rf"(?P<owner>{NAME})",
        ),
    ]


def _of_anyone(data: Mapping[str, Any], between: str) -> str:
    """The form of a sentence with a verb: subject, an aside, the verb, object."""
    words, own, them = data["words"], data["self"], data["them"]
    names = rf"{NAME}(?:(?:,|,? {_any(words['and'])}) {NAME}){{0,{_NAMES_MAX - 1}}}"
    subject = rf"(?P<subject>{names}|\b{_any([*own['subject'], *them['subject']])}\b)"
    aside = (
        rf"(?:, [^,.;:\x02]{{1,60}},|,)?(?: {_any(words['who'])}\b)?(?: {_any(words['also'])}\b)?"
    )
    articles = _any([*words["article"], *own["owner"]])
    target = rf"(?P<object>{names}|{_any(own['object'])}\b)"
    return rf"{subject}{aside} ?(?P<verb>{between})(?: {articles})? {target}"


def _verb(given: Mapping[str, Any], job: str) -> Verb:
    says = [said.replace("{role}", job) for said in given["says"]]
    return Verb(
        given["relation"],
        re.compile(rf"(?:{'|'.join(says)})", re.IGNORECASE),
        frozenset(given["asks"]),
        frozenset(given.get("object_not", ())),
        frozenset(given.get("object_only", ())),
        given.get("turned", False),
    )
