"""Turns a question into what the retrievers can use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

from scrubjay.answers import AskedEdge, Parsed, ResolvedEntity
from scrubjay.engine.parse.birth import birth_of, speaks_of_age
from scrubjay.engine.parse.codes import unheard_codes
from scrubjay.engine.parse.kinship import kin_entities
from scrubjay.engine.parse.people import mentioned_entities, pronoun_entities
from scrubjay.engine.parse.session_log import SessionLog
from scrubjay.engine.shared.entities import USER
from scrubjay.language.analyzer import Analyzer, QueryTerms
from scrubjay.language.causes import asks_for_causes
from scrubjay.language.cued import Cued
from scrubjay.language.dates import (
    TimeContext,
    TimeKind,
    TimeMention,
    question_window,
)
from scrubjay.language.relations import asked_of_self, asked_relations, self_place
from scrubjay.language.stopwords import noise_words
from scrubjay.limits import QUESTION_CHARACTERS_MAX
from scrubjay.store.base import BankReader
from scrubjay.types.values import Window

# Words near time that name no interval; the temporal retriever then runs at half weight.
_SPECULATIVE = Cued(
    "latest newest recent last current currently date now",
    r"\b(latest|newest|most recent|recent|last time|current|currently|up to date|by now)\b",
)
# Words that ask for whatever took place or was said, and so are in no memory of it.
_ANY_EVENT = (
    "happen happened happening happens occur occurred occurs go going went anything everything "
    "something thing things topic topics subject subjects event events activity activities "
    "discuss discussed discusses discussing discussion discussions talk talked talking talks "
    "say said saying says speak spoke spoken speaking mention mentioned mentions mentioning "
    "tell told chat chatted chatting cover covered bring brought conversation conversations "
    "session sessions chats"
)
# "who does X work with who also knows Y": a relative clause about a second person.
_RELATIVE = re.compile(r"\b(?:who|that|whom)\b", re.IGNORECASE)
_MULTI_HOP = re.compile(
    r"\b(?:friend|manager|boss|colleague|sister|brother|mother|father"
    r"|partner|wife|husband|team|teammate|report)s?\s+of\s+\w+'?s?\b.*\bof\b"
    r"|(?<!\w)\w+'s\s+\w+'s\s+\w",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """What the caller knows beside the question's words."""

    now: datetime
    now_given: bool
    window: Window | None
    session: str | None
    analysis: str
    zone: ZoneInfo | None = None  # None: the bank's


def parse(question: str, bank: BankReader, options: ParseOptions) -> Parsed:
    """What the question says; the caller's window wins over the words'."""
    text = question[:QUESTION_CHARACTERS_MAX]
    mention = None if options.window is not None else _window(text, bank, options)
    window = options.window or (mention.window if mention else None)
    beside = text if mention is None else _cut_out(text, mention)
    own_words = _own_words(beside)
    entities: list[ResolvedEntity] = []
    if own_words or window is None or _has_capitals(beside):
        entities = mentioned_entities(text, bank, mention, options.session)
        entities += kin_entities(text, bank)
    if options.session is not None:
        entities += pronoun_entities(text, bank, options.session, entities)
    words = _without(text, mention)
    terms = _terms(words, bank, options.analysis)
    speculative = None if window is not None else _SPECULATIVE.search(text)
    return Parsed(
        question=text,
        now=options.now,
        window=window,
        window_kind=_kind(options, mention),
        window_confidence=1.0 if options.window else (mention.confidence if mention else 0.0),
        window_text=mention.text if mention else None,
        entities=tuple(entities),
        terms=terms.any_of,
        phrases=terms.phrases,
        none_of=terms.none_of,
        content_words=len(own_words - _spoken(entities)),
        speculative_time=speculative.group() if speculative else None,
        multi_hop=_is_multi_hop(text),
        asks_for=asks_for_causes(text),
        none_of_phrases=terms.none_of_phrases,
        relations=_asked_edges(text, entities) if entities else (),
        unheard=() if entities else unheard_codes(beside, own_words, bank),
    )


def _asked_edges(text: str, entities: Sequence[ResolvedEntity]) -> tuple[AskedEdge, ...]:
    """The relations asked for, as seen from those who are named and from whom they lead to."""
    asked = asked_relations(text)
    if not asked:
        return ()
    edges = list[AskedEdge]()
    for entity in entities:
        own = entity.name == USER
        place = self_place(text) if own else text.find(entity.mention)
        edges += [
            # Of whom a "brother-in-law" is one, the first step leads on, and says nothing yet.
            AskedEdge(said.relation, bearer, said.forward_from(place), said.final and not said.step)
            for bearer in dict.fromkeys((entity.entity, *(one for one, _ in entity.candidates)))
            for said in (asked_of_self(text) if own else asked)
            # "Where does my sister live" asks where someone lives, not whose sister she is; and to
            # a "brother-in-law" it is not the last step that leads from whoever asks.
            if not said.onward
            and (own or not (said.noun and place <= said.start < place + len(entity.mention)))
        ]
    edges += [AskedEdge(said.relation, None, not said.noun, said.final) for said in asked]
    return tuple(edges)


def _is_multi_hop(text: str) -> bool:
    folded = text.casefold()
    # Every form of it holds one of these, and few questions do.
    if "who" in folded and any(map(_has_relative_clause, text.split("\n"))):
        return True
    return any(part in folded for part in ("of", "'s")) and _MULTI_HOP.search(text) is not None


def _has_relative_clause(line: str) -> bool:
    """Whether "who" is followed by another such word, and that by something."""
    asked = False
    for word in _RELATIVE.finditer(line):
        if asked and word.end() < len(line):
            return True
        asked = asked or word.group().casefold() == "who"
    return False


def _kind(options: ParseOptions, mention: TimeMention | None) -> str | None:
    if options.window is not None:
        return "given"
    return None if mention is None else str(mention.kind)


def _window(text: str, bank: BankReader, options: ParseOptions) -> TimeMention | None:
    settings = bank.settings
    zone = options.zone or settings.zone
    context = TimeContext(
        now=options.now,
        zone=zone,
        sessions=SessionLog(bank, options.session, options.now),
        recent_days=settings.recent_days,
        born=birth_of(bank, zone) if speaks_of_age(text) else None,
    )
    found = question_window(text, context)
    if found is None or found.kind not in (TimeKind.FUZZY, TimeKind.ABSOLUTE):
        return found
    newest = bank.newest_told_at()
    if newest is None:
        return found
    if found.kind is TimeKind.ABSOLUTE:
        # "In November" is the one that the memories reach; most banks reach up to now.
        beyond = found.window.start is not None and found.window.start > newest
        return question_window(text, replace(context, newest=newest)) if beyond else found
    # "Lately" is about the newest memories: a bank left alone for a year has a lately too.
    return found if options.now_given else question_window(text, replace(context, now=newest))


def _without(text: str, mention: TimeMention | None) -> str:
    """The question without its time expression, which names no word a memory would hold."""
    if mention is None or mention.kind is TimeKind.ABSOLUTE:
        # "March 2024" may well stand in a memory; "last week" says nothing about its words.
        return text
    return _cut_out(text, mention)


def _cut_out(text: str, mention: TimeMention) -> str:
    return f"{text[: mention.start]} {text[mention.end :]}"


def _has_capitals(text: str) -> bool:
    """Whether any but the first letter is a capital, as in a name."""
    rest = text.lstrip()[1:]
    return rest != rest.lower()


def _terms(text: str, bank: BankReader, analysis: str) -> QueryTerms:
    chosen = bank.settings.analysis if analysis == "standard" else analysis
    return Analyzer(chosen).query_terms(text)


@cache
def _asking_words() -> frozenset[str]:
    """`_ANY_EVENT` in every form a question's terms have."""
    return frozenset(Analyzer("en").query_terms(_ANY_EVENT).any_of)


def _own_words(text: str) -> set[str]:
    """The words that say what is asked about, beside the asking itself."""
    asked = Analyzer().query_terms(text)
    noise = [noise_words(language) for language in asked.languages]
    return set(asked.any_of).difference(_asking_words(), *noise)


def _spoken(entities: Sequence[ResolvedEntity]) -> set[str]:
    """The words of the names that a question says."""
    names = [entity.mention for entity in entities]
    return {term for name in names for term in Analyzer().query_terms(name).any_of}
