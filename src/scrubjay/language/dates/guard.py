"""Decides whether a match is a time or only looks like one: "in May" is, "May I" is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from scrubjay.language.dates.place import ENDS, Place
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.values import Bare, Grain
from scrubjay.language.dates.syntax.tokens import Token

_QUOTES = frozenset('"“”„«»')
_YEARS = range(1500, 2101)
_MONTHS = 12
_FULL_YEAR = re.compile(r"\d{4}")
_CHOICES = 10
_DAY_WORDS = frozenset(("DOW", "DAYPART", "HALFDAY"))
# A number after "the" or "my" is a year only if it lies in living memory: "my 2019 laptop".
_YEARS_OWNED_FROM = 1950


# Halves of years are counted in while they are planned or reported, so in years around this one.
_HALVES_REACH = 10
# How far before a half of a year the record stands that it belongs to: "revenue in 1h26".
_HALVES_NEAR = 2
# How far before its rate a question asks for it: "how many steps did I walk in a day".
_ASKED_REACH = 10
# How far before its verb a helping verb stands: "does the new warranty last".
_HELPING_REACH = 4


def stands(place: Place) -> bool:
    """Whether the words around a match let it be a time."""
    interval = place.match.interval
    if interval.bare is Bare.NEVER or (place.before in _QUOTES and place.after in _QUOTES):
        return False
    if place.before_in("habits") and interval.kind is not TimeKind.OPEN:
        return False
    if _verb(place) or _elsewhere(place) or _busy(place) or _rate(place) or _lasting(place):
        return False
    if _label(place) or _numbered(place) or _titled(place) or _tending(place) or _value(place):
        return False
    if _street(place) or _running(place) or _recurs(place):
        return False
    if interval.bare is Bare.NO or _whole(place):
        return True
    if place.language.cjk:
        named = interval.bare is Bare.NAME and place.before_in("titles")
        return not named and not place.after_in("blockers")
    return _CHECKS[interval.bare](place)


def _verb(place: Place) -> bool:
    """ "This may help", "who is coming Friday": a word of the match is the sentence's verb."""
    match, sets = place.match, place.language.sets
    if place.tokens[match.start].word in sets["arriving"] and place.before_in("be"):
        return True
    last = place.tokens[match.end - 1]
    if last.word in sets["verbs"] and place.word(match.end - 3) in sets["manner"]:
        # "How late may guests arrive"; but "how was March" asks for one.
        return place.word(match.end - 2) not in sets["be"] | sets["inverting"]
    if last.capital or match.end - match.start < 2:
        return False
    if last.word in sets["present"] and place.after_in("subjects"):
        return True  # "tomorrow am I free"
    this = "SHIFT" in place.tokens[match.end - 2].entries
    return this and last.word in sets["verbs"] and not place.ends


def _titled(place: Place) -> bool:
    """ "Yesterday chords", "monday.example", "the day after tomorrow movie": a name."""
    end = place.match.end
    if place.before_in("of") and place.word(place.match.start - 2) in place.language.sets["works"]:
        return True  # "the plot of Groundhog Day"
    if place.after_in("works"):
        first = place.tokens[place.match.start].word
        placed = place.before_in("prepositions") or first in place.language.sets["prepositions"]
        return not placed
    if place.after != "." or end + 1 >= len(place.tokens):
        return False
    last, stop, following = place.tokens[end - 1 : end + 2]
    return last.end == stop.start and stop.end == following.start and last.word.isalpha()


def _label(place: Place) -> bool:
    """ "Ticket JUN-2041", "order 2024-05": written as one and called by what it numbers.

    A whole date says what it is, unless its year has two digits and no record is dated by it:
    "version 2.10.24".
    """
    if place.before_in("mentions") and place.match.interval.bare is not Bare.NO:
        return True  # "how do I spell February"
    if not place.before_in("labels"):
        return False
    tokens = place.tokens[place.match.start : place.match.end]
    if "DATE" in tokens[0].entries:
        return not _FULL_YEAR.search(tokens[0].word) and not place.before_in("reports")
    return all(left.end == right.start for left, right in pairwise(tokens))


def _numbered(place: Place) -> bool:
    """ "10.12.20.24": part of a longer number."""
    start, end = place.match.start, place.match.end
    if not place.word(start)[:1].isdecimal() or not place.word(end - 1)[-1:].isdecimal():
        return False
    return _joined(place, end - 1, end + 1) or _joined(place, start - 2, start)


def _value(place: Place) -> bool:
    """ "Fixed at 3.1 until 2029": a number with a point in it, and no day of January."""
    return "DECIMAL" in place.tokens[place.match.start].entries and place.before_in("rates")


def _street(place: Place) -> bool:
    """ "Rue du 4 Septembre", "Straße des 17. Juni": where, not when."""
    start, streets = place.match.start, place.language.sets["streets"]
    return any(token.word in streets for token in place.tokens[max(0, start - 2) : start])


def _running(place: Place) -> bool:
    """ "It ran 1h50": how long; "1H26", or "sales 1h26", is a half of a year that is near."""
    start, end = place.match.start, place.match.end
    at = start if place.word(start) == "h" else start + 1
    if place.word(at) != "h" or not 0 < at < len(place.tokens) - 1:
        return False
    hours, mark, _minutes = place.tokens[at - 1 : at + 2]
    if not hours.word.isdecimal() or hours.end != mark.start:
        return False  # "H1 2026"
    if at == start:
        return True  # "h02" of "1h02"
    edge = place.match.interval.start
    if edge is None or abs(edge.year - place.year_now) > _HALVES_REACH:
        return True
    if mark.capital:
        return False
    near = {token.word for token in place.tokens[max(0, start - _HALVES_NEAR) : end + 1]}
    return near.isdisjoint(place.language.sets["reports"])


def _recurs(place: Place) -> bool:
    """ "Los martes": every Tuesday, told by the article alone."""
    start, plural = place.match.start, place.language.sets["plural_articles"]
    at = start + (place.word(start) in plural)
    return place.word(at - 1) in plural and "DOW" in place.tokens[at].entries


def _joined(place: Place, left: int, right: int) -> bool:
    """Whether two numbers are written as one, with a dot between."""
    if left < 0 or right >= len(place.tokens) or place.word(left + 1) != ".":
        return False
    first, dot, second = place.tokens[left : right + 1]
    numbers = first.word[-1].isdecimal() and second.word[0].isdecimal()
    return numbers and first.end == dot.start and dot.end == second.start


def _busy(place: Place) -> bool:
    """ "What have I been up to this week": the verb, not a limit."""
    first = place.tokens[place.match.start]
    if first.word == "through":
        return place.before_in("falling")  # "the deal fell through last quarter"
    return first.word == "up" and place.before_in("busy")


def _tending(place: Place) -> bool:
    """ "Who looks after the cat in July": whom, not since when."""
    start, sets = place.match.start, place.language.sets
    if place.tokens[start].word != "after" or not place.before_in("tending"):
        return False
    return all(token.word not in sets["manner"] for token in place.tokens[:start])


def _rate(place: Place) -> bool:
    """ "840 a month from December", "how many steps in a day": so much in every one."""
    first, sets = place.tokens[place.match.start], place.language.sets
    if first.word in sets["firm"] and place.word(place.match.start + 1) in sets["per"]:
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
    if _counted(place) or _attribute(place) or _evenings(place) or _called(place):
        return False
    if _hyphened(place):
        return False
    if place.match.listed or _backed(place):
        return True
    sets = place.language.sets
    words = {token.word for token in place.tokens[place.match.start : place.match.end]}
    first = place.tokens[place.match.start]
    if not words.isdisjoint(sets["weak"]) and not _several(place):
        if "DOW" in first.entries and place.before_in("agenda"):
            return True
        if words.isdisjoint(sets["names"]):
            season = "SEASON" in first.entries
            return place.before_in("prepositions") or (place.heads and not season)
        small = not first.capital and place.before_in("sources")
        return (small or place.before_in("firm")) and not _person(place)
    if place.before_in("prepositions"):
        return True
    goes_on = place.ends or place.after_in("followers") or _goes_on_plainly(place)
    if place.before_in("determiners"):
        placed = place.word(place.match.start - 2) in sets["prepositions"]
        return place.before_in("articles") and placed and goes_on
    return goes_on


def _goes_on_plainly(place: Place) -> bool:
    """ "Was haben wir Freitag beschlossen": a small word that the name cannot belong to."""
    at = place.match.end
    return place.language.plain_names and at < len(place.tokens) and not place.tokens[at].capital


def _backed(place: Place) -> bool:
    """Whether a record, an event or the question itself says that the name is a time."""
    return place.topical or place.topic_before or _owned_month(place) or _how(place)


def _how(place: Place) -> bool:
    """ "How was march for the team", "how did q1 go": asks for a time, unless it is a person's."""
    if place.word(place.match.start - 2) != "how" or not place.before_in("inverting"):
        return False
    goes = place.ends or place.after_in("going") or place.after_in("prepositions")
    return goes and not place.tokens[place.match.start].capital


def _hyphened(place: Place) -> bool:
    """ "Mon-Wed" read from its second half only, "post-Easter"."""
    start = place.match.start
    if start < 2 or place.before != "-":
        return False
    left, dash, right = place.tokens[start - 2 : start + 1]
    return left.end == dash.start and dash.end == right.start


def _several(place: Place) -> bool:
    """ "Mon & Tue", "sat morning": two short names are no coincidence."""
    tokens = place.tokens[place.match.start : place.match.end]
    if "DOW" not in tokens[0].entries:
        return False
    return sum(not _DAY_WORDS.isdisjoint(token.entries) for token in tokens) > 1


def _called(place: Place) -> bool:
    """ "Mr Friday", "Manic Monday": the name of somebody or something."""
    match = place.match
    first = place.tokens[match.start]
    if place.before_in("titles"):
        return not _rang(place)
    if _being(place):
        return True
    if place.language.lower_names and first.capital and match.start:
        if place.before_in("sources"):
            return True
        return not place.before_in("prepositions") or place.before == "'"
    if not first.capital or match.start < 2 or match.end - match.start > 1:
        return False
    before = place.tokens[match.start - 1]
    if not before.capital or before.entries or place.word(match.start - 2) in ENDS:
        return False
    if place.after == "'":
        return True  # "Holly Christmas's number"
    return "DOW" in first.entries and not place.before_in("followers")


def _rang(place: Place) -> bool:
    """ "Who called Friday": somebody rang; "a cat called Friday" has that name."""
    sets = place.language.sets
    caller = place.word(place.match.start - 2)
    rang = caller in sets["pronouns"] or caller in sets["subjects"]
    return rang and place.before.endswith("ed")


def _being(place: Place) -> bool:
    """ "Our dog Sunday's vet", "Friday is my cat": who is meant is said beside the name."""
    beings = place.language.sets["beings"]
    if place.before in beings:
        owned = place.after == "'"
        return owned or not (place.ends or place.after_in("prepositions"))
    return place.after_in("be") and place.word(place.match.end + 2) in beings


def _counted(place: Place) -> bool:
    """ "After three winters": how many, not which; but "agenda 4 monday" is for one."""
    before = place.match.start - 1
    if "DOW" in place.tokens[place.match.start].entries:
        return False
    return before >= 0 and not place.tokens[before].entries.keys().isdisjoint(("NUMBER", "INT"))


def _evenings(place: Place) -> bool:
    """ "Thursday evenings": more than one."""
    match = place.match
    plural = place.tokens[match.end - 1].word in place.language.sets["blockers"]
    return plural and match.end - match.start > 1


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


def _person(place: Place) -> bool:
    """ "In August Wilson's play": a capital word with a possessive follows."""
    at = place.match.end
    return at < len(place.tokens) and place.tokens[at].capital and place.word(at + 1) == "'"


def _year(place: Place) -> bool:
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
    if place.before_in("years"):
        return True
    if place.topical or place.topic_before or place.heads:
        return _YEARS_OWNED_FROM <= edge.year <= place.year_now + 1
    return place.before_in("owners") and _YEARS_OWNED_FROM <= edge.year <= place.year_now + 1


def _numbers(place: Place) -> bool:
    """An ordinal or two numbers that could be a day of some month."""
    if not place.match.start and _written_pair(place):
        return True
    if place.after_in("of"):
        return False
    if _is_stopped(place):
        return True
    # "Le 5 on a mangé" is a day; "le second choix" is none.
    digits = any("INT" in token.entries for token in _matched(place))
    follows = place.after_in("followers") or (digits and _goes_on_plainly(place))
    if not (place.ends or place.topical or follows):
        return False
    if not place.match.start and (place.after in (",", ":") or place.heads):
        return True
    if place.match.listed or place.opened or place.before_in("prepositions"):
        return True
    first = place.tokens[place.match.start].word
    if first in place.language.sets["prepositions"] or place.topic_before:
        return True
    # "What did we pick, the 2nd" is a choice; there are seldom ten to choose from.
    interval = place.match.interval
    late = interval.start is not None and interval.start.day >= _CHOICES
    return interval.bare is Bare.DAY and late and place.ends and first in _articles(place)


def _is_stopped(place: Place) -> bool:
    """ "Zahnarzt 9.4. um 8 Uhr": two ordinals, and the sentence goes on."""
    tokens = place.tokens[place.match.start : place.match.start + 2]
    if "." not in place.language.suffixes or len(tokens) < 2 or "PAIR" not in tokens[0].entries:
        return False
    return tokens[1].word == "." and place.match.start + 2 < len(place.tokens)


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


def _owner(place: Place) -> bool:
    """ "Mondays standup" is one, "on Mondays" and "open Mondays" are all."""
    return place.topical and not place.before_in("prepositions")


def _clock(place: Place) -> bool:
    """A time of day without a day; after "on Tuesdays" it is a habit."""
    start = place.match.start
    if any("DOWS" in token.entries for token in place.tokens[max(0, start - 2) : start]):
        return False
    first = place.tokens[place.match.start].word
    prepositions = place.language.sets["prepositions"]
    return place.opened or first in prepositions or place.before_in("prepositions")


def _present(place: Place) -> bool:
    """Now, at the end of a clause; elsewhere the word only links sentences."""
    return place.ends


_CHECKS: dict[Bare, Callable[[Place], bool]] = {
    Bare.NAME: _name,
    Bare.YEAR: _year,
    Bare.DAY: _numbers,
    Bare.NUMBERS: _numbers,
    Bare.OWNER: _owner,
    Bare.CLOCK: _clock,
    Bare.PRESENT: _present,
}
