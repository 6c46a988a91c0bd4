"""Decides whether a match is a time or only looks like one: "in May" is, "May I" is not."""

from __future__ import annotations

from collections.abc import Callable

from scrubjay.language.dates.liking import is_liked
from scrubjay.language.dates.namesakes import (
    is_attribute,
    is_called,
    is_given_to,
    is_person,
    is_titled,
    owns_nothing,
)
from scrubjay.language.dates.numerals import is_day, is_year, numbers_a_thing
from scrubjay.language.dates.place import ENDS, Place
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.values import Bare, Grain, Pointing
from scrubjay.language.dates.wholes import is_cut
from scrubjay.language.dates.wording import is_only_worded

_CLOSING = ENDS | {""}
_QUOTES = frozenset('"“”„«»')
_COUNTING = frozenset(("ORDINAL", "INT", "NUMBER"))
_DAY_WORDS = frozenset(("DOW", "DAYPART", "HALFDAY"))
_FROM_NOW = frozenset(("SHIFT", "SHIFTED", "UNIT", "DEICTIC", "TODAYPART", "WEEKEND"))
_NUMBERED = frozenset(("WEEKEND", "SEASON", "HOLIDAY"))


# Before "may", where that is a verb: "this may help", "the following may".
_PASSING = frozenset(("SHIFT", "next"))
_OF_KINDS = (Bare.NO, Bare.NAME)
_HOWS = ["how", "'", "s"]
_BEING = frozenset(("be", "been"))
# How far before its rate a question asks for it: "how many steps did I walk in a day".
_ASKED_REACH = 10
# The shortest question about how long something takes: "how to lose weight in".
_ASKED_MIN = 4
# How far before its verb a helping verb stands: "does the new warranty last".
_HELPING_REACH = 4
# Between a season and the record of it, and what else is of one season.
_DATED_REACH = 3
_TERMS = frozenset(("term", "terms", "semester", "half"))
# Between "Mondays" and the verb of what is Monday's.
_OWNED_REACH = 4


def stands(place: Place) -> bool:
    """Whether the words around a match let it be a time."""
    interval = place.match.interval
    if interval.bare is Bare.NEVER or (place.before in _QUOTES and place.after in _QUOTES):
        return False
    if _habit(place) and interval.kind is not TimeKind.OPEN:
        return False
    if _verb(place) or _elsewhere(place) or numbers_a_thing(place) or is_titled(place):
        return False
    if _opens_otherwise(place) or is_cut(place) or _noun_after_season(place):
        return False
    if _street(place) or _recurs(place) or _compounded(place):
        return False
    named = place.language.cjk or interval.bare is Bare.NAME
    kind = is_attribute if named else _of_a_kind
    if is_liked(place) or (interval.bare in _OF_KINDS and kind(place)):
        return False
    if (place.cues or place.language.cjk) and is_only_worded(place):
        return False
    if interval.bare is Bare.NO or _whole(place):
        return True
    if place.language.cjk:
        named = interval.bare is Bare.NAME and place.before_in("titles")
        return not named and not place.after_in("blockers")
    return _CHECKS[interval.bare](place)


def _opens_otherwise(place: Place) -> bool:
    """Whether a word that opens the match belongs to a verb, a rate or a length."""
    first = place.tokens[place.match.start]
    # Most times open with a name or a number, of which none of these is asked.
    if first.word not in place.language.sets["placing"] and "during" not in first.entries:
        return False
    if _busy(place) or _rate(place) or _lasting(place) or _takes(place):
        return True
    return _tending(place) or _took(place)


def _verb(place: Place) -> bool:
    """ "This may help", "who is coming Friday": a word of the match is the sentence's verb."""
    match, sets = place.match, place.language.sets
    arriving = sets["arriving"]
    for at in range(match.start, match.end):
        # "Can't do Friday, coming Monday".
        if place.tokens[at].word in arriving and (
            place.word(at - 1) == "," or place.word(at - 1) in sets["be"]
        ):
            return True
    last = place.tokens[match.end - 1]
    if last.word in sets["verbs"] and place.word(match.end - 3) in sets["manner"]:
        # "How late may guests arrive"; but "how was March" asks for one.
        return place.word(match.end - 2) not in sets["be"] | sets["inverting"]
    if match.end - match.start < 2 or _opens_as_verb(place):
        return match.end - match.start > 1
    if last.capital:
        return False
    if last.word in sets["present"] and place.after_in("subjects"):
        return True  # "tomorrow am I free"
    return last.word in sets["verbs"] and _closes_as_verb(place)


def _opens_as_verb(place: Place) -> bool:
    """ "What may happen next year", "why may one slip", "it falls earlier in the year"."""
    start, sets = place.match.start, place.language.sets
    first, second = place.tokens[start : start + 2]
    if first.word not in sets["verbs"] or first.capital:
        return False
    if second.word in sets["impersonal"]:
        return not place.ends
    if first.word in sets["names"] and first.word.endswith("s"):  # "falls", "springs"
        placed = place.before_in("prepositions") or place.before_in("articles")
        return place.before.isalpha() and not placed
    known = second.entries or second.word in place.language.joiners
    return second.word.isalpha() and not known and "HOLIDAY" not in first.entries


def _closes_as_verb(place: Place) -> bool:
    """ "This may help", "which one may or may not", "sample 12 may be": and no month."""
    sets, before = place.language.sets, place.tokens[place.match.end - 2]
    if before.word in sets["impersonal"] or place.after_in("after_modal"):
        return True
    return not _PASSING.isdisjoint(before.entries) and not place.ends


def _habit(place: Place) -> bool:
    """ "Every Friday", "every second Friday"."""
    if place.before_in("habits"):
        return True
    start, habits = place.match.start, place.language.sets["habits"]
    if start < 2 or place.word(start - 2) not in habits:
        return False
    before = place.tokens[start - 1].entries
    # "毎週月曜日": the week and its day are written as one.
    return not _COUNTING.isdisjoint(before) or (place.language.cjk and "UNIT" in before)


def _street(place: Place) -> bool:
    """ "Rue du 4 Septembre", "Straße des 17. Juni", "17 May Street": where, not when."""
    start, end = place.match.start, place.match.end
    if place.after_in("roads") and place.tokens[end].capital and place.tokens[end - 1].capital:
        return True
    if place.after_in("roads") and place.before == "at" and place.word(end + 1) in _CLOSING:
        return True  # "we live at 12 june close"
    sets = place.language.sets
    if not sets["streets"]:
        return False
    # "Straße des 17. Juni": what is left of it is no time either.
    if place.before == ".":
        start -= 1
    start -= place.word(start - 1) in sets["sources"] and start > 1
    if start and "INT" in place.tokens[start - 1].entries:
        start -= 1
    named = any(token.word in sets["streets"] for token in place.tokens[max(0, start - 2) : start])
    return named and not _is_counted_from_now(place)


def _is_counted_from_now(place: Place) -> bool:
    """ "Ho corso questa settimana", "sur place lundi": streets bear dates and feasts."""
    tokens = place.tokens[place.match.start : place.match.end]
    if any(not _FROM_NOW.isdisjoint(token.entries) for token in tokens):
        return True
    return any("DOW" in token.entries and not token.capital for token in tokens)


def _recurs(place: Place) -> bool:
    """ "Los martes", "le mardi": every Tuesday, told by the article alone; "Mon-Fri 9-5"."""
    start, end, sets = place.match.start, place.match.end, place.language.sets
    if "DOW" in place.tokens[start].entries and (_hyphened(place) or _is_opened(place)):
        return True
    plural = sets["plural_articles"] | sets["habit_articles"]
    at = start + (place.word(start) in plural)
    article = place.word(at - 1)
    if article not in plural or at >= end or "DOW" not in place.tokens[at].entries:
        return False
    return article in sets["plural_articles"] or at + 1 == end


def _is_opened(place: Place) -> bool:
    """ "Open mon to fri 9-5": the range, or what is left of it."""
    start, tokens, opened = place.match.start, place.tokens, place.language.sets["opened"]
    if not start or place.pointing is Pointing.BACK:
        return False
    if place.before in opened:
        days = [token for token in tokens[start : place.match.end] if "DOW" in token.entries]
        following = tokens[place.match.end : place.match.end + 2]
        goes_on = len(following) > 1 and "to" in following[0].entries
        return len(days) > 1 or (goes_on and "DOW" in following[1].entries)
    ranged = "to" in tokens[start - 1].entries and "DOW" in tokens[start - 2].entries
    return ranged and place.word(start - 3) in opened


def _busy(place: Place) -> bool:
    """ "What have I been up to this week": the verb, not a limit."""
    first = place.tokens[place.match.start]
    if first.word == "through":
        return place.before_in("falling")  # "the deal fell through last quarter"
    if first.word == "by" and place.before_in("calling_in"):
        return True  # "who came by the Friday before last"
    return first.word == "up" and place.before_in("busy")


def _tending(place: Place) -> bool:
    """ "Who looks after the cat in July": whom, not since when."""
    start, sets = place.match.start, place.language.sets
    if place.tokens[start].word != "after" or not place.before_in("tending"):
        return False
    return all(token.word not in sets["manner"] for token in place.tokens[:start])


def _rate(place: Place) -> bool:
    """ "840 a month from December", "how many steps in a day": so much in every one.

    "Combien de jours dans une année bissextile" is asked of the calendar.
    """
    first, sets = place.tokens[place.match.start], place.language.sets
    inside = first.word in sets["firm"] or "during" in first.entries
    if inside and place.word(place.match.start + 1) in sets["per"]:
        reach = max(0, place.match.start - _ASKED_REACH)
        return any(
            token.word in sets["how_many"] for token in place.tokens[reach : place.match.start]
        )
    if first.word not in sets["per"] or not place.match.start:
        return False
    before = place.tokens[place.match.start - 1]
    return before.word[0].isdecimal() or place.before_in("money")


def _lasting(place: Place) -> bool:
    """ "Does the warranty last 2 years": a verb, if a helping verb stands before it."""
    start = place.match.start
    if place.tokens[start].word not in place.language.sets["lasting"]:
        return False
    counted = place.tokens[start + 1].entries.keys() if start + 1 < len(place.tokens) else ()
    if not {"INT", "NUMBER", "QUANT"}.intersection(counted):
        return False
    if place.before_in("prepositions"):
        return False
    sets = place.language.sets
    before = [token.word for token in place.tokens[max(0, start - _HELPING_REACH) : start]]
    helped = [at for at, word in enumerate(before) if word in sets["inverting"] | sets["modals"]]
    if not helped:
        return False
    # "What did we spend last 7 days": the subject has its verb, so this is none.
    subject = before[helped[-1] + 1 :]
    return len(subject) < 2 or subject[0] not in sets["subjects"]


def _takes(place: Place) -> bool:
    """ "How do I lose 5 kilos in a month", "can you learn it in three weeks": how long it takes."""
    start, tokens, sets = place.match.start, place.tokens, place.language.sets
    matched = tokens[start : place.match.end]
    if place.telling or start < _ASKED_MIN or "UNIT" not in matched[-1].entries:
        return False
    if any("SHIFT" in token.entries or "next" in token.entries for token in matched):
        return False
    how = place.word(0) in sets["manner"] and place.word(1) in sets["how_to"]
    if not how and not (place.word(0) in sets["enabling"] and place.word(1) in sets["anyone"]):
        return False
    # "How do we get there in two weeks" is a journey, "can you call me in two hours" a request.
    words = {token.word for token in tokens[2:start]}
    return how or words.isdisjoint(sets["persons_meant"])


def _took(place: Place) -> bool:
    """ "10 km in 52 minutes", "a mile in four minutes": how long it takes, not when."""
    start, sets = place.match.start, place.language.sets
    if place.word(start) not in sets["firm"] or place.before not in sets["counted"]:
        return False
    if place.match.interval.kind is not TimeKind.RELATIVE or start < 2:
        return False
    number = place.tokens[start - 2]
    return number.word in sets["per"] or not _COUNTING.isdisjoint(number.entries)


def _of_a_kind(place: Place) -> bool:
    """ "Ein Mai Tai", "80s music", "the year-end bonus"."""
    grain = place.match.interval.grain
    if grain is Grain.DAY:
        return _is_one(place) or _of_edge(place)
    return grain is Grain.DECADE and _of_decade(place)


def _is_one(place: Place) -> bool:
    """ "Was kostet ein Mai Tai", "un mars": an article before a name, and not the first of May."""
    start, end, tokens = place.match.start, place.match.end, place.tokens
    if end - start != 2 or "MONTH" not in tokens[end - 1].entries:
        return False
    return "NUMBER" in tokens[start].entries and place.word(start) in place.language.sets["per"]


def _of_decade(place: Place) -> bool:
    """ "Some 80s music", "that 90s film": of what kind, where a noun takes a name before it."""
    if place.language.plain_names:
        return False
    last = place.tokens[place.match.end - 1]
    if last.word != "s" and "DECADE" not in last.entries:
        return False  # "the 2022/23 season"
    if place.language.lower_names or place.ends or not place.after.isalpha():
        return False
    if place.tokens[place.match.end].capital or place.before_in("prepositions"):
        return False
    if place.word(place.match.start) in place.language.sets["prepositions"]:
        return False
    plain = ("followers", "prepositions", "past", "present", "be", "future", "reports", "openers")
    return not any(map(place.after_in, plain))


def _of_edge(place: Place) -> bool:
    """ "The year-end bonus", "month-end close": what something is called by, and not a day."""
    at = place.match.start
    if "EDGE" not in place.tokens[at].entries:
        at += 1  # "the year-end"
    edges = place.tokens[at].entries.get("EDGE", ()) if at < place.match.end else ()
    if not any(length > 1 and at + length == place.match.end for length, _ in edges):
        return False
    sets = place.language.sets
    if place.before in sets["firm"] - sets["arranged_for"] or place.ends or place.topical:
        return False  # "paused over month end"
    return place.after.isalpha() and not (place.after_in("followers") or place.after_in("past"))


def _elsewhere(place: Place) -> bool:
    """ "My last conversation with Sarah" is not in our log; with you, it is."""
    if place.match.interval.kind is not TimeKind.SESSION:
        return False
    if place.word(place.match.end + 1) == "you":
        return False
    return place.after_in("partners") or place.before_in("others")


def _whole(place: Place) -> bool:
    if place.match.start:
        return False
    return all(token.word in ENDS for token in place.tokens[place.match.end :])


def _name(place: Place) -> bool:
    """A month, weekday, season or holiday by its name."""
    # What follows "of" would have joined the match if it were a time: "the fall of Rome".
    if place.after_in("blockers") or place.after_in("of"):
        return False
    if _counted(place) or _attribute(place) or _evenings(place) or is_called(place):
        return False
    if _hyphened(place) or _marching(place) or owns_nothing(place):
        return False
    if place.match.listed or _backed(place):
        return True
    return not (_unnamed(place) or _is_feast_itself(place)) and _placed(place)


def _placed(place: Place) -> bool:
    """Whether what stands beside a name that nothing else backs says when."""
    sets = place.language.sets
    words = {token.word for token in place.tokens[place.match.start : place.match.end]}
    first = place.tokens[place.match.start]
    if not words.isdisjoint(sets["weak"]) and not (_several(place) or _feast(place)):
        if "DOW" in first.entries and (place.before_in("agenda") or _is_day_of_rank(place)):
            return True
        if words.isdisjoint(sets["names"]):
            season = "SEASON" in first.entries
            return place.before_in("prepositions") or (place.heads and not season)
        small = not first.capital and place.before_in("sources")
        person = is_person(place) or is_given_to(place)
        return (small or place.before_in("firm")) and not person
    if place.before_in("prepositions"):
        return True
    if not words.isdisjoint(sets["unplaced"]) and not (place.telling and place.ends):
        return place.heads
    return _goes_on(place)


def _is_day_of_rank(place: Place) -> bool:
    """ "Quem vem terça-feira", "o que fiz segunda": no ordinal, which has its noun or article."""
    sets = place.language.sets
    if not sets["ranks"] or not place.match.start or not _goes_on(place):
        return False
    if place.match.end - place.match.start > 1:
        return True
    return place.ends and not any(map(place.before_in, ("be", "ranking", "owners")))


def _is_dated_by(place: Place) -> bool:
    """ "In winter heating bills", "in autumn half term": a record, an event or a term of it."""
    sets, end = place.language.sets, place.match.end
    following = place.tokens[end : end + _DATED_REACH]
    return any(
        token.word in sets["reports"] or token.word in sets["events"] or token.word in _TERMS
        for token in following
    )


def _unnamed(place: Place) -> bool:
    """ "Mild winters", "histone H1": several seasons, and half a year without a preposition."""
    first = place.tokens[place.match.start].word
    if first == "h" and place.match.interval.grain is Grain.HALF:
        return not (place.before_in("prepositions") or place.heads)
    return place.tokens[place.match.end - 1].word in place.language.sets["several_seasons"]


def _is_feast_itself(place: Place) -> bool:
    """ "Do they have Mother's Day", "the meaning of Christmas": the feast, and nothing on it.

    "Photos of Christmas" were taken then, and "we have Christmas dinner at Ann's" is of a dinner.
    """
    start, sets = place.match.start, place.language.sets
    if start < 2 or "HOLIDAY" not in place.tokens[start].entries or place.topical:
        return False
    if place.before_in("keeping"):
        return True
    kept = place.word(start - 2)
    if not place.before_in("of") or kept in sets["reports"] or kept in sets["dated"]:
        return False
    return kept.isalpha() and kept not in sets["events"]


def _noun_after_season(place: Place) -> bool:
    """ "Study winter sports", "came after winter soldier": the first half of what it describes.

    A season that opens its sentence may have its subject behind it: "in winter water freezes".
    """
    end, tokens = place.match.end, place.tokens
    start = end - 1
    if "SEASON" not in tokens[start].entries or place.ends or not place.after.isalpha():
        return False
    if place.language.plain_names or place.language.lower_names or place.language.cjk:
        return False
    if tokens[start].capital or tokens[end].entries or start < 2:
        return False
    prepositions = place.language.sets["prepositions"]
    placed = place.word(start - 1) in prepositions
    if end - place.match.start > 1 + placed or (placed and place.word(start - 2) in _CLOSING):
        return False
    if place.after.endswith("ly") or _is_dated_by(place):
        return False
    plain = ("followers", "prepositions", "past", "present", "be", "future", "openers", "modals")
    return not any(map(place.after_in, plain))


def _goes_on(place: Place) -> bool:
    """Whether a name without a preposition ends its clause, or something else begins."""
    goes_on = place.ends or place.after_in("followers") or place.goes_on_plainly
    if place.before_in("determiners"):
        placed = place.word(place.match.start - 2) in place.language.sets["prepositions"]
        return place.before_in("articles") and placed and goes_on
    return goes_on


def _marching(place: Place) -> bool:
    """ "The march was loud": no month has an article."""
    first, last = place.tokens[place.match.start], place.tokens[place.match.end - 1]
    if place.match.end - place.match.start > 2 or last.word not in place.language.sets["verbs"]:
        return False
    articled = first.word if first is not last else place.before
    return articled in place.language.sets["articles"] and not last.capital


def _predicate(place: Place) -> bool:
    """ "The call is Thursday", "it's Thursday": a weekday that is said of something."""
    sets, start = place.language.sets, place.match.start
    if "DOW" not in place.tokens[start].entries or place.word(start) in sets["weak"]:
        return False
    if not (place.ends or place.changes):
        return False
    if not place.before_in("be") and place.before not in sets["past"]:
        return False
    contracted = place.word(start - 2) == "'"
    subject = place.word(start - (3 if contracted else 2))
    if contracted and subject not in sets["pronouns"]:
        # "Who is Crusoe's Friday": the sentence has its verb, so this is a possessive.
        verbs = sets["be"] | sets["inverting"]
        if any(token.word in verbs for token in place.tokens[: start - 3]):
            return False
    return subject.isalpha() and subject not in sets["openers"] | sets["beings"] | sets["works"]


def _backed(place: Place) -> bool:
    """Whether a record, an event or the question itself says that the name is a time."""
    if place.topical or place.topic_before:
        return True
    if place.after_in("occupied") and place.before_in("be"):
        return place.match.interval.grain <= Grain.DAY  # "was ist Freitag los"
    return _owned_month(place) or _how(place) or _predicate(place) or _offered(place)


def _how(place: Place) -> bool:
    """ "How was march for the team", "how did q1 go": asks for a time, unless it is a person's."""
    sets = place.language.sets
    # "How's my Friday looking": whose it is makes it no person.
    owned = place.before_in("owners") and place.before not in sets["articles"]
    start = place.match.start - owned
    verb = place.word(start - 2) == "how" and place.word(start - 1) in sets["inverting"]
    contracted = [token.word for token in place.tokens[max(0, start - 3) : start]] == _HOWS
    if not (verb or contracted or place.word(start - 1) == "hows"):
        return False
    if owned:
        return place.after_in("going")
    goes = place.ends or place.after_in("going") or place.after_in("prepositions")
    return goes and not place.tokens[place.match.start].capital


def _offered(place: Place) -> bool:
    """ "How about Monday", "does Tuesday suit you": a day that is put forward."""
    start, sets = place.match.start, place.language.sets
    entries = place.tokens[start].entries
    if place.before == "about" and place.word(start) not in sets["names"]:
        return place.ends and place.word(start - 2) in sets["openers"]
    if "DOW" not in entries:
        return False
    # "Has Friday been confirmed", "will Monday be ok": of a day, not of somebody.
    return place.before_in("inverting") and (place.after_in("suiting") or place.after in _BEING)


def _compounded(place: Place) -> bool:
    """ "Der Mai-Verein", "die 10er-Karte": the first half of a noun that is no event."""
    end = place.match.end
    if not place.language.plain_names or place.after != "-" or not place.word(end + 1).isalpha():
        return False
    last, dash, noun = place.tokens[end - 1 : end + 2]
    if last.end != dash.start or dash.end != noun.start or noun.entries:
        return False
    if "DEICTIC" in last.entries:
        return noun.word not in place.language.sets["events"]  # "die heute-show"
    return noun.capital and noun.word not in place.language.sets["events"]


def _hyphened(place: Place) -> bool:
    """ "Mon-Wed" read from its second half only, "post-Easter"."""
    start = place.match.start
    if start < 2 or place.before != "-":
        return False
    left, dash, right = place.tokens[start - 2 : start + 1]
    return left.end == dash.start and dash.end == right.start


def _feast(place: Place) -> bool:
    """ "The August bank holiday": several words that are one name are no coincidence either."""
    tokens = place.tokens[place.match.start : place.match.end]
    entries = (token.entries.get("HOLIDAY", ()) for token in tokens)
    return any(length > 1 for found in entries for length, _ in found)


def _several(place: Place) -> bool:
    """ "Mon & Tue", "sat morning", "jul/aug": two short names are no coincidence."""
    tokens = place.tokens[place.match.start : place.match.end]
    if "MONTH" in tokens[0].entries:
        months = [token.word for token in tokens if "MONTH" in token.entries]
        return len(months) > 1 and not place.language.sets["names"].issuperset(months)
    if "DOW" not in tokens[0].entries:
        return False
    return sum(not _DAY_WORDS.isdisjoint(token.entries) for token in tokens) > 1


def _counted(place: Place) -> bool:
    """ "After three winters": how many, not which; but "agenda 4 monday" is for one."""
    before = place.match.start - 1
    if place.before_in("how_many") and place.word(before - 1) in place.language.sets["manner"]:
        return True  # "how many summers have we lived here"
    if "DOW" in place.tokens[place.match.start].entries:
        return False
    # "Our first weekend in Trieste": which of how many, with nothing they are counted from.
    if before >= 0 and not _NUMBERED.isdisjoint(place.tokens[place.match.start].entries):
        return not _COUNTING.isdisjoint(place.tokens[before].entries)
    return before >= 0 and not place.tokens[before].entries.keys().isdisjoint(("NUMBER", "INT"))


def _evenings(place: Place) -> bool:
    """ "Thursday evenings", "on weekends": more than one."""
    return place.tokens[place.match.end - 1].word in place.language.sets["blockers"]


def _attribute(place: Place) -> bool:
    """ "For the spring feast", "the may queen": the article belongs to the noun after it."""
    first, last = place.tokens[place.match.start], place.tokens[place.match.end - 1]
    if place.ends or place.after_in("followers"):
        return False
    named = last.word in place.language.sets["names"] and not last.capital and not place.topical
    if "SEASON" not in last.entries and not named:
        return False
    return first.word in place.language.sets["articles"] or place.before_in("articles")


def _owned_month(place: Place) -> bool:
    """ "At my March appointment", "our Q3 roadmap": a capital month or quarter of something."""
    first = place.tokens[place.match.start]
    if first.word == "q":
        return place.before_in("owners")
    placed = place.word(place.match.start - 2) in place.language.sets["prepositions"]
    return first.capital and "MONTH" in first.entries and placed and place.before_in("owners")


def _owner(place: Place) -> bool:
    """ "Mondays standup" is one, "on Mondays" and "open Mondays" are all."""
    if place.topical:
        return not place.before_in("prepositions")
    return place.telling and not place.match.start and _is_owned_then(place)


def _is_owned_then(place: Place) -> bool:
    """ "Mondays fasting glucose came back 5.4": a thing of one Monday, as a past verb tells."""
    end, sets = place.match.end, place.language.sets
    if not place.after.isalpha() or any(
        place.after in sets[name] for name in ("followers", "past", "present", "be", "future")
    ):
        return False
    following = [token.word for token in place.tokens[end + 1 : end + 1 + _OWNED_REACH]]
    return not sets["past"].isdisjoint(following) and sets["subjects"].isdisjoint(following)


def _clock(place: Place) -> bool:
    """A time of day without a day; after "on Tuesdays" it is a habit."""
    start = place.match.start
    if any("DOWS" in token.entries for token in place.tokens[max(0, start - 2) : start]):
        return False
    first = place.tokens[place.match.start].word
    # "4 pm" is no "for pm".
    prepositions = place.language.sets["prepositions"]
    placed = first in prepositions and not first.isdecimal()
    return place.opened or placed or place.before_in("prepositions")


def _present(place: Place) -> bool:
    """Now, at the end of a clause; elsewhere the word only links sentences."""
    return place.ends


_CHECKS: dict[Bare, Callable[[Place], bool]] = {
    Bare.NAME: _name,
    Bare.YEAR: is_year,
    Bare.DAY: is_day,
    Bare.NUMBERS: is_day,
    Bare.OWNER: _owner,
    Bare.CLOCK: _clock,
    Bare.PRESENT: _present,
}
