"""Tells a day that is meant from what is so on all of them: "are shops open on Sunday in Wales"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scrubjay.language.dates.place import Place
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.values import Bare, Grain, Pointing
from scrubjay.language.dates.syntax.tokens import Token

_ROUND = frozenset(("MONTH", "DOW", "SEASON", "HOLIDAY"))
_YEARLY = frozenset(("MONTH", "SEASON"))
# What counts from now, or says of which year it is.
_ONCE = frozenset(("DEICTIC", "TODAYPART"))
_NEVER_ROUND = (TimeKind.SESSION, TimeKind.OPEN)
_DAY_DIGITS = 2
_RANKED = frozenset(("INT", "ORDINAL", "ENDMOST", "SHIFT", "HALFTH"))
_STOPS = frozenset(".!;")
# A sentence is looked at so far before the time, and so far behind it.
_REACH = 30
# Between the opening of a question and its verb: "in which month is".
_OPENING = 4
# Shorter words that end like a plural are none: "is", "gas".
_PLURAL_MIN = 4
# "How do I" and "comment on peut" open a question about how something is done.
_ASKED = 3
# Chinese and Japanese are cut into characters: so many behind a month say what it is like.
_CJK_REACH = 16


def is_general(place: Place) -> bool:
    """Whether a question in the present asks what is so whenever the time comes round.

    It says so by a word ("always", "annual"), by comparing months or seasons, by asking of things
    of a kind ("where do swallows go in winter"), or of a place what is done there.
    """
    if place.language.cjk:
        return _is_like_that(place)
    if not _is_present(place) or not _comes_round(place):
        return False
    before = _sentence_before(place)
    after = place.tokens[place.match.end : place.match.end + _REACH]
    sets = place.language.sets
    words = {token.word for token in (*before, *after)}
    yearly = not words.isdisjoint(sets["always"])
    if not sets["future"].isdisjoint(words):
        return False
    # "What is the annual fair held in June": a past by its form, but for "did" and "was".
    past = sets["past"] & sets["inverting"] if yearly and _is_said(place) else sets["past"]
    if not past.isdisjoint(words):
        return False
    if _has_done(place, before):
        return False
    if yearly or _is_feast_defined(place, before):
        return True
    if _is_advised(place, before, words) or _is_done_by_any(place, before):
        return True
    if _is_of_persons(place, words):
        return False
    if _is_compared(place, words) or _is_climate(place, words):
        return True
    return _is_of_a_kind(place, before) and (
        not _is_weekday(place) or _is_placed(place, before, after)
    )


def _is_of_persons(place: Place, words: set[str]) -> bool:
    """ "Do we ski more in March", "¿gastamos más en mayo?": of some who are meant."""
    sets = place.language.sets
    endings = tuple(sets["person_endings"])
    known = not sets["persons_meant"].isdisjoint(words)
    return known or (bool(endings) and any(word.endswith(endings) for word in words))


def _is_present(place: Place) -> bool:
    """Whether the sentence tells of what is so; one without a verb looks back in English."""
    if place.pointing is Pointing.PRESENT:
        return True
    if place.pointing is Pointing.BACK:
        return _is_said(place)
    if place.pointing is not Pointing.NOWHERE:
        return False
    return place.language.lower_names or place.language.plain_names or _has_verb(place)


def _is_said(place: Place) -> bool:
    """ "Is the slope exposed to more sun in May": "is" opens the question, and no past does."""
    be = place.language.sets["be"]
    return any(token.word in be for token in place.tokens[:_OPENING])


def _has_verb(place: Place) -> bool:
    """ "Which hemisphere has", "which brother sees": a verb of one, behind what is asked for."""
    if place.match.start < _OPENING - 1 or place.word(0) not in place.language.sets["openers"]:
        return False
    verb = place.tokens[2]
    return verb.word.isalpha() and verb.word.endswith("s") and not verb.entries


def _has_done(place: Place, before: Sequence[Token]) -> bool:
    """ "A-t-il plus neigé en mai": a perfect, however far apart its two words are."""
    participle, sets = place.language.participle, place.language.sets
    if participle is None:
        return False
    helping = sets["perfect"] - sets["be"]
    if all(token.written not in helping for token in before):
        return False
    return any(participle.search(token.written) and not token.entries for token in before)


def _comes_round(place: Place) -> bool:
    """Whether the time has no year, and is not counted from now."""
    if place.match.interval.kind in _NEVER_ROUND:
        return False
    named = within = shifted = False
    for token in place.tokens[place.match.start : place.match.end]:
        entries = token.entries
        if not entries:
            continue
        if not _ONCE.isdisjoint(entries) or ("YEAR" in entries and len(token.word) > _DAY_DIGITS):
            return False
        shifted = shifted or "SHIFT" in entries or "BACK" in entries
        within = within or (named and "MONTH" in entries)
        named = named or not _ROUND.isdisjoint(entries)
    # "The last Sunday in May" is one of each May, "last May" is not.
    return named and (within or not shifted)


def _sentence_before(place: Place) -> Sequence[Token]:
    first = max(0, place.match.start - _REACH)
    for at in range(place.match.start - 1, first - 1, -1):
        if place.tokens[at].word in _STOPS:
            return place.tokens[at + 1 : place.match.start]
    return place.tokens[first : place.match.start]


def _is_weekday(place: Place) -> bool:
    return "DOW" in place.tokens[place.match.end - 1].entries and not _is_yearly(place)


def _is_yearly(place: Place) -> bool:
    tokens = place.tokens[place.match.start : place.match.end]
    return any("HOLIDAY" in t.entries or not _YEARLY.isdisjoint(t.entries) for t in tokens)


def _is_of_a_year(place: Place) -> bool:
    """Whether the time is a month or season, and no day of it."""
    tokens = place.tokens[place.match.start : place.match.end]
    named = any(not _YEARLY.isdisjoint(token.entries) for token in tokens)
    return named and all("INT" not in token.entries for token in tokens)


def _is_climate(place: Place, words: set[str]) -> bool:
    """ "How hot is Dubai in July", "quel fruit est de saison en octobre": in every one."""
    sets = place.language.sets
    climate = not sets["climate"].isdisjoint(words) or (
        not sets["in_season"].isdisjoint(words)
        and any(
            following.word in sets["in_season"]
            and (token.word in sets["prepositions"] or token.word in sets["sources"])
            for token, following in pairwise(place.tokens)
        )
    )
    return climate and _is_of_a_year(place)


def _is_done_by_any(place: Place, before: Sequence[Token]) -> bool:
    """ "¿Qué se come en Navidad?", "was macht man an Fasching": at every such feast.

    "Dónde se reúne la familia" has somebody who does it.
    """
    sets = place.language.sets
    if "HOLIDAY" not in place.tokens[place.match.end - 1].entries:
        return False
    for at, token in enumerate(before):
        if token.word in sets["impersonal"]:
            return True
        if token.word in sets["anybody"] and 0 < at <= len(before) - 2:
            asked = before[at - 1].word in sets["asking"] - sets["roles"]
            rest = before[at + 2 :]
            linking = sets["prepositions"] | sets["articles"]
            return asked and all(each.word in linking for each in rest)
    return False


def _is_advised(place: Place, before: Sequence[Token], words: set[str]) -> bool:
    """ "Can I sow carrots in April", "how do I protect roses in winter": what to do in any."""
    sets = place.language.sets
    if not _is_of_a_year(place):
        return False
    if not sets["climate_verbs"].isdisjoint(words) and not sets["advising"].isdisjoint(words):
        return True
    asked = [token.word for token in before[:_ASKED]]
    how = len(asked) == _ASKED and asked[0] in sets["manner"] and asked[1] in sets["how_to"]
    season = "SEASON" in place.tokens[place.match.end - 1].entries
    return how and season and asked[2] in sets["advised"]


def _is_like_that(place: Place) -> bool:
    """ "奥斯陆一月有多冷": of a month or season without a year, by the words behind it."""
    if place.match.interval.kind in _NEVER_ROUND:
        return False
    tokens, end = place.tokens, place.match.end
    if place.match.interval.grain < Grain.MONTH or place.match.interval.bare is not Bare.NAME:
        return False
    following = "".join(token.word for token in tokens[end : end + _CJK_REACH])
    return any(phrase in following for phrase in place.language.sets["climate"])


def _is_compared(place: Place, words: set[str]) -> bool:
    """ "Is it warmer in August or in February": one month or season with others."""
    sets = place.language.sets
    if not _is_of_a_year(place) or sets["comparatives"].isdisjoint(words):
        return False
    # "Are there more meetings in May": of those that are to come.
    return sets["events"].isdisjoint(words) and sets["reports"].isdisjoint(words)


def _is_of_a_kind(place: Place, before: Sequence[Token]) -> bool:
    """ "Where do swallows go", "can people fish": things of a kind, or nobody in particular."""
    sets = place.language.sets
    asking = sets["openers"] | sets["asking"]
    at = 0
    while at < len(before) and before[at].word in asking:
        at += 1
    if at + 1 >= len(before) or before[at].word not in sets["kind_verbs"]:
        return False
    subject, *rest = before[at + 1 :]
    if subject.word in sets["anyone"]:
        return bool(rest) and rest[0].word not in sets["seeking"] and _has_no_thing(place, rest)
    if subject.capital and place.language.code != "de" and not _is_people(before, at, rest):
        return False
    # "Are liquor stores", "do leaves": the plural may be the second of two nouns.
    for token in (subject, *rest[:1]):
        if token.entries or not token.word.isalpha() or _is_function(place, token.word):
            return False
        if _is_plural(place, token):
            return not _is_planned(place, token.word)
    return False


def _is_people(before: Sequence[Token], at: int, rest: Sequence[Token]) -> bool:
    """ "What do Germans do": several, as the verb says; but not "what do James and Ann do"."""
    joined = any("list" in token.entries for token in rest[:1])
    return before[at].word in ("do", "are") and not joined


def _is_planned(place: Place, word: str) -> bool:
    """ "Do lessons start", "are tickets on sale": what has a day of its own."""
    sets, one = place.language.sets, word.removesuffix("s")
    planned = ("events", "reports", "intent", "arranged", "planning")
    return any(word in sets[name] or one in sets[name] for name in planned)


def _has_no_thing(place: Place, rest: Sequence[Token]) -> bool:
    """Whether nothing that is known or new is spoken of: no "the", "my", "a table"."""
    sets = place.language.sets
    meant = sets["articles"] | sets["owners"] | sets["per"] | sets["events"] | sets["reports"]
    return all(token.word not in meant for token in rest)


def _is_function(place: Place, word: str) -> bool:
    sets = place.language.sets
    plain = ("articles", "owners", "determiners", "prepositions", "followers", "subjects")
    return any(word in sets[name] for name in plain)


def _is_plural(place: Place, token: Token) -> bool:
    endings = tuple(place.language.sets["plural_endings"])
    word = token.word
    if not endings or len(word) < _PLURAL_MIN or word.endswith("ss"):
        return False
    return word.endswith(endings)


def _is_placed(place: Place, before: Sequence[Token], after: Sequence[Token]) -> bool:
    """ "In Wales": where something is done says that the day is any."""
    where = place.language.sets["where"]
    words = (*before, *after)
    return any(
        token.word in where and following.word.isalpha() and not following.entries
        for token, following in pairwise(words)
    )


def _is_feast_defined(place: Place, before: Sequence[Token]) -> bool:
    """ "Is Mother's Day the second Sunday in May", "is June 12 a holiday": the calendar knows."""
    sets, tokens = place.language.sets, place.tokens
    if not before or before[0].word not in sets["be"]:
        return False
    if len(before) == 1:
        end = place.match.end
        kind = [token.word for token in tokens[end : end + 4]]
        if kind and kind[0] in sets["per"] and not sets["feast_kinds"].isdisjoint(kind):
            return True
    # The feast stands right behind "is", and behind it which of several days it is said to be.
    at = place.match.start - len(before) + 1
    lengths = [length for length, _ in tokens[at].entries.get("HOLIDAY", ())]
    if not lengths:
        return False
    at += max(lengths)
    at += at < len(tokens) and tokens[at].word in sets["articles"]
    return at < len(tokens) and not _RANKED.isdisjoint(tokens[at].entries)
