"""Finds whom and what a question is about: names by the alias table, pronouns by the session."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from scrubjay.answers import ResolvedEntity
from scrubjay.engine.shared.entities import (
    THING,
    USER,
    Contexts,
    bearers_of,
    candidates_of,
    foremost,
    telling_words,
)
from scrubjay.language.dates import TimeMention
from scrubjay.language.names import alias_candidates, fold, resolve
from scrubjay.language.names.typos import may_be_mistyped, near_spellings
from scrubjay.language.relations import asked_of_self, asked_relations, role_phrases, self_place
from scrubjay.limits import QUESTION_CHARACTERS_MAX
from scrubjay.store.base import AliasMatch, BankReader, Scope
from scrubjay.types.values import EntityId

_SOMEONE = frozenset(["he", "him", "his", "she", "her", "hers", "they", "them", "their", "theirs"])
_SOMETHING = frozenset(["it", "its"])
_PRONOUN = re.compile(rf"\b({'|'.join(sorted(_SOMEONE | _SOMETHING))})\b", re.IGNORECASE)
# Kinds of entities a person's pronoun may stand for; a bare name may be anyone's.
_PERSONS = ("person", "name")
# How far back in a session a pronoun reaches, in units, and among how many entities.
_SESSION_UNITS = 20
_SESSION_ENTITIES = 10
# Words of a question that may be a mistyped name, and how far such a reading is trusted.
_MISTYPED_MAX = 2
_MISTYPED_LETTERS_MIN = 4
_MISTYPED_TRUST = 0.6
# Of those who bear one role, so many are candidates.
_BEARERS_MAX = 4
# A pronoun is a guess: below the 0.7 at which the walk commits to one entity. Newest first.
_PRONOUN_CONFIDENCE = (0.6, 0.25, 0.15)
# A question is looked through before its bank is opened, and again when it is parsed.
_QUESTIONS_KEPT = 16


class _Called(NamedTuple):
    """Whom a question may call by a name: by its words with their places, by a role, or itself."""

    spans: tuple[tuple[str, int, int], ...]
    roles: Mapping[str, str]
    standing: frozenset[str]


@lru_cache(maxsize=_QUESTIONS_KEPT)
def _called(question: str) -> _Called:
    roles = {fold(role): said for role, said in role_phrases(question, asked=True).items()}
    standing = frozenset({USER} if asked_of_self(question) else ())
    return _Called(alias_candidates(question), roles, standing)


def names_asked(question: str) -> list[str]:
    """All names that a question may be found to have in a bank, sorted; nothing is checked."""
    if not isinstance(question, str):
        return []
    called = _called(question[:QUESTION_CHARACTERS_MAX])
    return sorted({*(name for name, *_ in called.spans), *called.roles, *called.standing})


def mentioned_entities(
    question: str, bank: BankReader, time: TimeMention | None = None, session: str | None = None
) -> list[ResolvedEntity]:
    """The entities named in a question, longest names first, each stretch of text once.

    Words of its time expression alone are no name: "in June" is not about June. Of namesakes the
    one is likelier that the session spoke of.
    """
    spans: dict[str, list[tuple[int, int]]] = {}
    called = _called(question)
    for folded, start, end in called.spans:
        if time is not None and time.start <= start and end <= time.end:
            continue
        spans.setdefault(folded, []).append((start, end))
    matches: dict[str, list[AliasMatch]] = {}
    roles = called.roles
    borne: list[AliasMatch] = []
    wanted = sorted({*spans, *roles, *called.standing})
    for match in bank.lookup_aliases(wanted) if wanted else ():
        if match.kind == "role" or match.alias == USER:
            borne.append(match)
        elif match.alias in spans and (match.kind != THING or asked_relations(question)):
            matches.setdefault(match.alias, []).append(match)
    matches |= _mistyped(question, bank, spans, matches)
    named = _apart((start, end, alias) for alias in matches for start, end in spans[alias])
    chosen: list[ResolvedEntity] = []
    words = telling_words(question) if named else frozenset()
    shared = session is not None and any(len(bearers) > 1 for bearers in matches.values())
    spoken_of = (
        bank.session_entities(session, limit=_SESSION_ENTITIES) if shared and session else ()
    )
    contexts = Contexts(bank)
    each = (foremost(matches[alias]) for alias in dict.fromkeys(alias for *_, alias in named))
    namesakes = [bearers for bearers in each if len(bearers) > 1]
    if len(namesakes) > 1:
        # One read for all names that several share; of one it may come with what else is read.
        contexts.of([one.entity for bearers in namesakes for one in bearers])
    for start, end, alias in named:
        others = _others(matches, alias)
        bearers = candidates_of(bank, matches[alias], others, spoken_of, contexts)
        found = resolve(question[start:end], (start, end), bearers, words - {alias})
        if found is not None:
            chosen.append(
                ResolvedEntity(
                    found.mention, found.entity_id, found.name, found.confidence, found.candidates
                )
            )
    return _each_once([*chosen, *_standing(question, bank, borne, roles)])


def _apart(named: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Names with where they stand, longest first, less those that overlap another."""
    apart: list[tuple[int, int, str]] = []
    for start, end, alias in sorted(named, key=lambda n: (n[0] - n[1], n[0], n[2])):
        if not any(start < last and first < end for first, last, _ in apart):
            apart.append((start, end, alias))
    return apart


def _standing(
    question: str, bank: BankReader, borne: Sequence[AliasMatch], roles: Mapping[str, str]
) -> Iterator[ResolvedEntity]:
    """Who bears the roles a question speaks of, and whom its "I" and "my" mean."""
    known = False
    for match in borne:
        found = bearers_of(bank, [match.entity])[:_BEARERS_MAX] if match.alias in roles else []
        if found:
            known = True
            best, said = found[0], roles[match.alias]
            shares = tuple((one.entity, one.confidence / len(found)) for one in found)
            yield ResolvedEntity(said, best.entity, best.name, shares[0][1], shares)
    for match in borne:
        # Where it is known who "my sister" is, nothing is asked of whose sister she is.
        if match.alias == USER and (not known or self_place(question) >= 0):
            yield ResolvedEntity(USER, match.entity, match.name, 1.0, ((match.entity, 1.0),))


def _mistyped(
    question: str,
    bank: BankReader,
    spans: Mapping[str, Sequence[tuple[int, int]]],
    matches: Mapping[str, Sequence[AliasMatch]],
) -> dict[str, list[AliasMatch]]:
    """Whom words may mean that nobody answers to and that are one slip from a name, by the word.

    Where someone is named, or the bank is remote, only words with a capital are tried; one look-up.
    """
    taken = [span for alias in matches for span in spans[alias]]
    tried = [
        word
        for word, ((start, end), *_) in spans.items()
        # Another trip to a server is worth it only for what is written like a name.
        if (question[start].isupper() or not (matches or bank.remote))
        and may_be_mistyped(word)
        and not any(start < last and first < end for first, last in taken)
    ]
    meant = {near: word for word in tried[:_MISTYPED_MAX] for near in near_spellings(word)}
    found: dict[str, list[AliasMatch]] = {}
    for match in bank.lookup_aliases(sorted(meant)) if meant else ():
        if match.kind != "identifier" and len(match.alias) >= _MISTYPED_LETTERS_MIN:
            slipped = match._replace(
                alias=meant[match.alias], confidence=match.confidence * _MISTYPED_TRUST
            )
            found.setdefault(slipped.alias, []).append(slipped)
    return found


def _others(matches: Mapping[str, Sequence[AliasMatch]], alias: str) -> set[EntityId]:
    own = {match.entity for match in matches[alias]}
    return {match.entity for found in matches.values() for match in found} - own


def pronoun_entities(
    question: str, bank: BankReader, session: str, named: Sequence[ResolvedEntity]
) -> list[ResolvedEntity]:
    """Whom "she" or "it" may mean: the people, or things, the session spoke of last."""
    pronoun = _PRONOUN.search(question)
    if pronoun is None or named:
        return []
    recent = _recent(bank, session)
    someone = pronoun.group().casefold() in _SOMEONE
    fitting = [match for match in recent if (match.kind in _PERSONS) == someone] or recent
    if not fitting:
        return []
    guesses = list(zip(fitting, _PRONOUN_CONFIDENCE, strict=False))
    best, confidence = guesses[0]
    candidates = tuple((match.entity, share) for match, share in guesses)
    return [
        ResolvedEntity(
            pronoun.group(), best.entity, best.name, confidence, candidates, by_pronoun=True
        )
    ]


def _recent(bank: BankReader, session: str) -> list[AliasMatch]:
    """The entities a session spoke of last, newest first, with their names and kinds."""
    newest = bank.session_entities(session, limit=_SESSION_ENTITIES)
    rows = bank.in_scope(Scope(session=session))[-_SESSION_UNITS:]
    names = {fold(name) for unit in bank.hydrate(rows) for name in unit.entities}
    known = {match.entity: match for match in bank.lookup_aliases(sorted(names))}
    return [known[entity] for entity in newest if entity in known]


def _each_once(entities: Sequence[ResolvedEntity]) -> list[ResolvedEntity]:
    return list({entity.entity: entity for entity in reversed(entities)}.values())[::-1]
