"""Decides whether numbers are a date or number a thing: "on 12.5." is, "part no. 12.5" is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from scrubjay.language.dates.place import ENDS, Place
from scrubjay.language.dates.semantics.values import Bare, Grain
from scrubjay.language.dates.syntax.tokens import Token

_YEARS = range(1500, 2101)
_MONTHS = 12
_AGED = frozenset(("over", "under"))
_FULL_YEAR = re.compile(r"\d{4}")
_RELEASE = re.compile(r"\d{4}\.")  # 2026.10.2
_YEAR_DIGITS = 4
_PAIR = re.compile(r"(\d\d?)([/.])(\d\d?)")
_CHOICES = 10
# Between a number and what says that it is one: "no. 12", "the code is 12".
_LABEL_MARKS = frozenset(".,:#-")
_LABEL_REACH = 4
_LABELLED_REACH = 10
# How many years from now a date in numbers may lie that nothing else says to be one; a year of two
# digits is chosen to be near, so that one far away was none.
_DATED_BACK, _DATED_AHEAD = 120, 60
_SHORT_BACK, _SHORT_AHEAD = 30, 5
_MOVED_NEAR = 4
# A note of a few words says what and when, without a verb: "Zahnarzt Dr. Roth 12.3."
_NOTE_WORDS = 4
_NAMED = frozenset(("MONTH", "DOW", "HOLIDAY", "DEICTIC"))
_REACHING = frozenset(("to", "dash"))
_SHARES = frozenset(("%", "percent"))  # "20% of 2024"
_CLOCKS = frozenset(("HOURS", "HOURS.", "HHMM"))
_SIGNS = frozenset("ºª°")
_INTRODUCING = frozenset(":(,*")
# A number after "the" or "my" is a year only if it lies in living memory: "my 2019 laptop".
_YEARS_OWNED_FROM = 1950
# How far behind its year the event or record stands: "the 2022 family party".
_DATED_NEAR = 3
# Halves and quarters are counted in while they are planned or reported, so in years around now.
_HALVES_REACH = 10
# How far before a half of a year the record stands that it belongs to: "revenue in 1h26".
_HALVES_NEAR = 2


def numbers_a_thing(place: Place) -> bool:
    """Whether the numbers of a match are no time: a name, a part, a value, a length, a code."""
    if _label(place) or _numbered(place) or _value(place) or _is_ending(place):
        return True
    if place.match.interval.grain is Grain.DECADE and (_aged(place) or _is_seconds(place)):
        return True
    if place.match.interval.grain is Grain.QUARTER and _model(place):
        return True
    return _running(place) or _distant(place)


def _label(place: Place) -> bool:
    """ "Ticket JUN-2041", "order 2024-05": written as one and called by what it numbers.

    A whole date says what it is, unless its year has two digits and no record is dated by it:
    "version 2.10.24"; what is called a number is never one: "serial number 03.11.2024".
    """
    tokens = place.tokens[place.match.start : place.match.end]
    if tokens[0].word[0].isdecimal() and _identified(place):
        return all(not token.word[0].isalpha() for token in tokens)
    if not place.before_in("labels"):
        return False
    written = tokens[0].word
    if written.isdecimal() and len(written) > _YEAR_DIGITS:
        return True  # "invoice 20260311"
    if "DATE" in tokens[0].entries:
        dated = _FULL_YEAR.search(written) and not _RELEASE.match(written)
        return not dated and not place.before_in("reports")
    return all(left.end == right.start for left, right in pairwise(tokens))


def _is_ending(place: Place) -> bool:
    """ "The card ending in 2017", "die IBAN endet auf 2019": the last digits of a number."""
    start, sets = place.match.start, place.language.sets
    # "Termina en 2017" is read from its verb.
    verb = start if place.word(start) in sets["closing"] else start - 2
    if verb < 1 or place.word(verb) not in sets["closing"]:
        return False
    at, linking = verb - 1, sets["be"] | sets["reflexive"] | sets["clausal"]
    while at > 0 and place.word(at) in linking:
        at -= 1
    return place.word(at) in sets["numbered_things"] | sets["identifiers"]


def _aged(place: Place) -> bool:
    """ "The over-60s discount": how old somebody is, and no decade."""
    start, sets = place.match.start, place.language.sets
    if place.before in sets["owners"] - sets["articles"]:
        return place.ends or place.after_in("followers")  # "she's in her 70s"
    if "INT" not in place.tokens[start].entries:
        # "A los 20": how old, and not which years.
        return place.before in place.language.sets["personal"] and start + 2 == place.match.end
    at = start - 1 - (place.before == "-")
    return at >= 0 and not _AGED.isdisjoint((*place.tokens[at].entries, place.word(at)))


def _is_seconds(place: Place) -> bool:
    """ "60 s": so many seconds, where the decade is written as one word."""
    tokens = place.tokens[place.match.start : place.match.end]
    if len(tokens) != 2 or tokens[1].word != "s":
        return False
    return tokens[0].word.isdecimal() and tokens[0].end < tokens[1].start


def _model(place: Place) -> bool:
    """ "The Audi Q3": a quarter behind the name of what has an article is the name of a model."""
    start = place.match.start
    if place.word(start) != "q" or place.match.end - start != 2 or start < 2:
        return False
    name, sets = place.tokens[start - 1], place.language.sets
    if not name.capital or name.entries or name.word in sets["openers"] or place.topical:
        return False
    return place.word(start - 2) in sets["articles"] | sets["owners"] | sets["per"]


def _identified(place: Place) -> bool:
    """ "Part no. 12.05.33", "the code for the gate is 20.11": a number that something has."""
    sets = place.language.sets
    endings = tuple(sets["identifier_endings"])
    links = _LABEL_MARKS | sets["be"] | sets["articles"]
    for token in reversed(
        place.tokens[max(0, place.match.start - _LABEL_REACH) : place.match.start]
    ):
        if token.word in sets["identifiers"] or (endings and token.word.endswith(endings)):
            return True
        if token.word not in links:
            return False
    return False


def _distant(place: Place) -> bool:
    """ "12.05.33", "03.11.2204": far from now, three numbers need a word to be a date.

    So do those with dashes and a short year, which are codes as often: "11-12-13".
    """
    first, edge = place.tokens[place.match.start], place.match.interval.start
    if "DATE" not in first.entries or edge is None or place.match.listed:
        return False
    full = _FULL_YEAR.search(first.word) is not None
    back, ahead = (_DATED_BACK, _DATED_AHEAD) if full else (_SHORT_BACK, _SHORT_AHEAD)
    near = -back <= edge.year - place.year_now <= ahead
    if near and (full or "-" not in first.word):
        return False
    if place.before_in("prepositions"):
        return False
    if place.before in _INTRODUCING and not _is_asked_for(place):
        return False
    topics = ("reports", "events", "agenda", "past")
    return not (near and (not place.match.start or any(map(place.before_in, topics))))


def _is_asked_for(place: Place) -> bool:
    """ "What's the part no. for the valve, 12-04-33 or 12-04-38": the number of something."""
    words = [token.word for token in place.tokens[: place.match.start][-_LABELLED_REACH:]]
    return not place.language.sets["identifiers"].isdisjoint(words)


def _numbered(place: Place) -> bool:
    """ "10.12.20.24": part of a longer number."""
    start, end = place.match.start, place.match.end
    if not place.word(start)[:1].isdecimal() or not place.word(end - 1)[-1:].isdecimal():
        return False
    return _joined(place, end - 1, end + 1) or _joined(place, start - 2, start)


def _joined(place: Place, left: int, right: int) -> bool:
    """Whether two numbers are written as one, with a dot between."""
    if left < 0 or right >= len(place.tokens) or place.word(left + 1) != ".":
        return False
    first, dot, second = place.tokens[left : right + 1]
    numbers = first.word[-1].isdecimal() and second.word[0].isdecimal()
    return numbers and first.end == dot.start and dot.end == second.start


def _value(place: Place) -> bool:
    """ "Fixed at 3.1 until 2029": a number with a point in it, and no day of January."""
    if "DECIMAL" not in place.tokens[place.match.start].entries:
        return False
    if "." not in place.language.suffixes and not _is_stopped_short(place):
        return True  # "do 1.9 on Tuesday": versions, ratios and prices are written so
    if place.before_in("releases"):  # "was ist neu in 2.3"
        return not _has_stops(place) and place.match.end - place.match.start == 1
    return place.before_in("rates") and not _has_stops(place)


def _is_stopped_short(place: Place) -> bool:
    """ "Due 31.10.", "28.09. call": two numbers with a point after the second, in any language."""
    following = place.tokens[place.match.start + 1 : place.match.start + 2]
    first = place.tokens[place.match.start]
    return any(stop.word == "." and stop.start == first.end for stop in following)


def _is_moved_to(place: Place) -> bool:
    """ "Was moved to the 3rd": no choice among three."""
    return place.before_in("moving_to") and _is_moved(place, place.match.start)


def _is_moved(place: Place, at: int) -> bool:
    together = place.language.sets["together"]
    return any(
        "moving" in place.tokens[near].entries and place.word(near - 1) not in together
        for near in range(max(0, at - _MOVED_NEAR), at)
    )  # "on passe au 17" is a stall that people move to


def _moved_to(place: Place) -> frozenset[str]:
    return place.language.sets["moving_to"] - place.language.sets["articles"]


def _has_stops(place: Place) -> bool:
    """ "9.4.": a point after each number, where that makes them ordinals."""
    start = place.match.start
    if "." not in place.language.suffixes or "DECIMAL" not in place.tokens[start].entries:
        return False
    return place.word(start + 1) == "." and place.tokens[start + 1].start == place.tokens[start].end


def _running(place: Place) -> bool:
    """ "It ran 1h50": how long; "1H26", or "sales 1h26", is a half of a year that is near."""
    start, end = place.match.start, place.match.end
    if place.word(start + 1) == "q" and len(place.word(start)) == 1 and _is_far(place):
        return True  # "1Q84"
    at = start if place.word(start) == "h" else start + 1
    if place.word(at) != "h" or not 0 < at < len(place.tokens) - 1:
        return False
    hours, mark, _minutes = place.tokens[at - 1 : at + 2]
    if not hours.word.isdecimal() or hours.end != mark.start:
        return False  # "H1 2026"
    if at == start:
        return True  # "h02" of "1h02"
    if _is_far(place):
        return True
    if mark.capital:
        return False
    near = {token.word for token in place.tokens[max(0, start - _HALVES_NEAR) : end + 1]}
    return near.isdisjoint(place.language.sets["reports"])


def _is_far(place: Place) -> bool:
    edge = place.match.interval.start
    return edge is None or abs(edge.year - place.year_now) > _HALVES_REACH


def is_year(place: Place) -> bool:
    """A number that could be a year."""
    interval = place.match.interval
    edge = interval.start or interval.end
    counted = place.language.sets["counted"]
    if (
        edge is None
        or edge.year not in _YEARS
        or not counted.isdisjoint((place.after, place.after + "s"))
    ):
        return False  # "2000 pieces", "a 2000 piece puzzle"
    if place.match.listed or place.opened or interval.grain > Grain.YEAR:
        return True
    if place.before_in("of") and place.word(place.match.start - 2) in _SHARES and place.ends:
        return False
    if place.before_in("years"):
        return not (place.before_in("of") and _numbers_things(place))
    if place.topical or place.topic_before or place.heads:
        return _YEARS_OWNED_FROM <= edge.year <= place.year_now + 1
    # "What does the 2015 Golf take": a question is about the thing, not about its year.
    owned = place.before_in("owners") and _is_dated_thing(place)
    return owned and _YEARS_OWNED_FROM <= edge.year <= place.year_now + 1


def _is_dated_thing(place: Place) -> bool:
    """ "The 2024 trip", "the 2022 tax return": an event or a record, which the year dates."""
    sets = place.language.sets
    words = [token.word for token in place.tokens[place.match.end : place.match.end + _DATED_NEAR]]
    words += [word.removesuffix("s") for word in words] + [word + "s" for word in words]
    return not (sets["events"].isdisjoint(words) and sets["reports"].isdisjoint(words))


def _numbers_things(place: Place) -> bool:
    """ "Ticket 2024 is a duplicate of 1998": a number of that kind stands for a thing."""
    labels = place.language.sets["labels"]
    before = place.tokens[max(0, place.match.start - _LABELLED_REACH) : place.match.start]
    return any(
        label.word in labels and "YEAR" in number.entries for label, number in pairwise(before)
    )


def is_day(place: Place) -> bool:
    """An ordinal or two numbers that could be a day of some month."""
    start = place.match.start
    if not start and _written_pair(place):
        return True
    if place.after_in("of") or _is_one_of(place):
        return False
    if _is_stopped(place) or _is_noted(place):
        return True
    if place.match.end - start == 2 and place.word(start) in _moved_to(place):
        return _is_moved(place, start)  # "se pasa al 29"
    if "DOW" in place.tokens[start].entries:
        return place.ends or any(map(place.after_in, ("followers", "prepositions")))
    # "Le 5 on a mangé" is a day; "le second choix" is none.
    digits = any("INT" in token.entries for token in _matched(place))
    follows = place.after_in("followers") or (digits and place.goes_on_plainly)
    follows = follows or (digits and place.after_in("going"))  # "how did the one on the 23rd go"
    suits = place.after_in("suiting") and place.before_in("inverting")  # "is the 5th ok"
    if suits or not (place.ends or place.topical or follows):
        return suits
    return _is_placed(place) or _is_late(place)


def _is_placed(place: Place) -> bool:
    """Whether what stands before a number says that it is a day."""
    start, first = place.match.start, place.word(place.match.start)
    if not start and (place.after in (",", ":") or place.heads):
        return True
    if place.match.listed or place.opened or place.before_in("prepositions"):
        return True
    if first in place.language.sets["prepositions"] or place.topic_before:
        return True
    if _is_reached(place) or _is_said_now(place):
        return True
    if first in _articles(place) and place.before_in("managing"):
        return True  # "could we do the 12th instead"
    if _is_moved_to(place) or (place.before in _INTRODUCING and _is_range(place)):
        return True
    # "Due 31.10.", "dentist appointment 12/11".
    return place.before_in("agenda") or (
        place.before_in("events") and not place.before_in("labels")
    )


def _is_reached(place: Place) -> bool:
    """ "Xmas eve till the 28th": a day counted on from one that has a name."""
    first, *between = _matched(place)[:-1] or _matched(place)
    named = any("MONTH" in token.entries for token in between)
    if not named and first.entries.keys().isdisjoint(_NAMED):
        return False
    return any(not _REACHING.isdisjoint(token.entries) for token in between)


def _is_said_now(place: Place) -> bool:
    """ "It got pushed back, its the 18th not the 11th": said of what is moved to another day."""
    start, tokens = place.match.start, place.tokens
    if not place.telling or not (place.before_in("be") or place.before_in("pronouns")):
        return False
    before = tokens[max(0, start - _LABELLED_REACH) : start]
    return any("moving" in token.entries or "CHANGED" in token.entries for token in before)


def _is_late(place: Place) -> bool:
    """ "What did we pick, the 2nd" is a choice; there are seldom ten to choose from."""
    interval = place.match.interval
    late = interval.start is not None and interval.start.day >= _CHOICES
    articled = place.word(place.match.start) in _articles(place)
    return interval.bare is Bare.DAY and late and place.ends and articled


def _is_one_of(place: Place) -> bool:
    """ "Qué autobús es el 12", "el 3.º B": which of several things."""
    start, sets = place.match.start, place.language.sets
    if place.after == "." and place.word(place.match.end + 1) in _SIGNS:
        return True
    articled = start - 1 - (place.before in sets["articles"])
    if place.word(articled) in sets["holding"]:
        return True  # "quanto costa il 12.5"
    if not place.before_in("be"):
        return False
    asked = [token.word for token in place.tokens[max(0, start - _LABEL_REACH) : start]]
    return not sets["labels"].isdisjoint(asked)


def _is_range(place: Place) -> bool:
    """ "Booking: 13.02.27 to 20.02.27": two whole dates are no code."""
    tokens = _matched(place)
    return "DATE" in tokens[0].entries and "DATE" in tokens[-1].entries and len(tokens) > 1


def _is_stopped(place: Place) -> bool:
    """ "Zahnarzt 9.4. um 8 Uhr": two ordinals, and the sentence goes on, or is only a note."""
    if not _has_stops(place):
        return False
    start = place.match.start
    if start + 2 < len(place.tokens):
        return True
    return 0 < start <= _NOTE_WORDS and place.tokens[start - 1].capital


def _is_noted(place: Place) -> bool:
    """ "Dermatologist 29/7", "chiropodist 9/10 14.20": a note of what, when and at which hour."""
    start, end, tokens = place.match.start, place.match.end, place.tokens
    written = tokens[start].word
    if _closes_record(place):
        return True
    if not place.telling or not 0 < start <= _NOTE_WORDS or "/" not in written:
        return False
    if (
        place.before_in("labels")
        or place.before_in("rates")
        or any("INT" in token.entries for token in tokens[:start])
    ):
        return False
    clock = tokens[end].entries.keys() if end < len(tokens) else ()
    if not _CLOCKS.isdisjoint(clock):
        return end + 1 == len(tokens) or tokens[end + 1].word in ENDS
    return end == len(tokens) and max(map(int, written.split("/"))) > _MONTHS


def _closes_record(place: Place) -> bool:
    """ "Notes from the call w/ Ingrid 12/18", "notes from Acme's call 30.06.": of which day."""
    start, sets = place.match.start, place.language.sets
    if not place.ends or place.word(0) not in sets["reports"]:
        return False
    if place.before_in("labels") or place.before_in("rates"):
        return False
    if _has_stops(place):
        return True
    pair = _PAIR.fullmatch(place.word(start))
    if pair is None or max(int(pair[1]), int(pair[3])) <= _MONTHS:
        return False
    return pair[2] == "/" or place.after == "."


def _matched(place: Place) -> Sequence[Token]:
    return place.tokens[place.match.start : place.match.end]


def _articles(place: Place) -> frozenset[str]:
    return place.language.sets["articles"]


def _written_pair(place: Place) -> bool:
    """ "28.09. call", "14/2 dinner": a note that opens with its day; "3/4 cup" does not."""
    word = place.tokens[0].word
    first, mark, second = word.partition("/")
    if not mark:
        return place.tokens[place.match.end - 1].word == "."
    return "0" in (first[:1], second[:1]) or max(int(first), int(second)) > _MONTHS
