"""Decides whether a match is a time or only looks like one: "in May" is, "May I" is not."""

from __future__ import annotations

from collections.abc import Callable

from scrubjay.language.dates.numerals import is_day, is_year, numbers_a_thing
from scrubjay.language.dates.place import ENDS, Place
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.values import Bare

_QUOTES = frozenset('"“”„«»')
_COUNTING = frozenset(("ORDINAL", "INT", "NUMBER"))
_DAY_WORDS = frozenset(("DOW", "DAYPART", "HALFDAY"))
_CYCLES = frozenset(("DOW", "DOWS", "MONTH", "SEASON", "HOLIDAY", "WEEKEND"))
# What is written small, but in a title.
_SMALL = frozenset(("DEICTIC", "UNIT", "DAYPART", "WEEKEND", "TODAYPART"))


# How far before its rate a question asks for it: "how many steps did I walk in a day".
_ASKED_REACH = 10
# How far before what is liked its verb stands: "likes Christmas more than Easter".
_LIKED_REACH = 8
# How far before its verb a helping verb stands: "does the new warranty last".
_HELPING_REACH = 4


def stands(place: Place) -> bool:
    """Whether the words around a match let it be a time."""
    interval = place.match.interval
    if interval.bare is Bare.NEVER or (place.before in _QUOTES and place.after in _QUOTES):
        return False
    if _habit(place) and interval.kind is not TimeKind.OPEN:
        return False
    if _verb(place) or _elsewhere(place) or _busy(place) or _rate(place) or _lasting(place):
        return False
    if numbers_a_thing(place) or _titled(place) or _tending(place):
        return False
    if _street(place) or _recurs(place) or _compounded(place) or _took(place):
        return False
    if _liked(place):
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
    for at in range(match.start, match.end):
        # "Can't do Friday, coming Monday".
        if place.tokens[at].word in sets["arriving"] and (
            place.word(at - 1) == "," or place.word(at - 1) in sets["be"]
        ):
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
    end, at, sets = place.match.end, place.match.start - 1, place.language.sets
    at -= place.word(at) in sets["articles"]
    if place.word(at) in sets["of"] and place.word(at - 1) in sets["works"]:
        return True  # "the plot of Groundhog Day"
    if _styled(place):
        return True
    if place.after_in("works"):
        first = place.tokens[place.match.start].word
        return not (place.before_in("prepositions") or first in sets["prepositions"])
    if place.after != "." or end + 1 >= len(place.tokens):
        return False
    last, stop, following = place.tokens[end - 1 : end + 2]
    return last.end == stop.start and stop.end == following.start and last.word.isalpha()


def _styled(place: Place) -> bool:
    """ "The song Sunday Morning", "Friday Night Dinner": capitals where a time has none."""
    start, end, tokens = place.match.start, place.match.end, place.tokens
    if place.language.plain_names or not start or tokens[start - 1].capital:
        return False
    styled = 0
    for at in range(start, min(end + 1, len(tokens))):
        if tokens[at].capital and not _SMALL.isdisjoint(tokens[at].entries):
            styled = at + 1
    if not styled:
        return False
    after = tokens[max(styled, end) : max(styled, end) + 1]
    titled = any(token.capital and token.word != "i" for token in after)
    return titled or any(map(place.before_in, ("works", "mentions", "authoring")))


def _liked(place: Place) -> bool:
    """ "I prefer winter to summer", "we don't celebrate Easter": what is liked, and not when."""
    start, tokens, sets = place.match.start, place.tokens, place.language.sets
    if not start or _CYCLES.isdisjoint(tokens[start].entries):
        return False
    at, comparing, first = start - 1, sets["comparing"], max(0, start - _LIKED_REACH)
    while at > first and (
        tokens[at].word in comparing or not _CYCLES.isdisjoint(tokens[at].entries)
    ):
        at -= 1
    # "I'd prefer Friday" is an offer.
    return tokens[at].word in sets["liking"] and place.word(at - 1) not in sets["would"]


def _habit(place: Place) -> bool:
    """ "Every Friday", "every second Friday"."""
    if place.before_in("habits"):
        return True
    start, habits = place.match.start, place.language.sets["habits"]
    if start < 2 or place.word(start - 2) not in habits:
        return False
    return not _COUNTING.isdisjoint(place.tokens[start - 1].entries)


def _street(place: Place) -> bool:
    """ "Rue du 4 Septembre", "Straße des 17. Juni", "17 May Street": where, not when."""
    start, end = place.match.start, place.match.end
    if place.after_in("roads") and place.tokens[end].capital and place.tokens[end - 1].capital:
        return True
    sets = place.language.sets
    if not sets["streets"]:
        return False
    # "Straße des 17. Juni": what is left of it is no time either.
    if place.before == ".":
        start -= 1
    if start and "INT" in place.tokens[start - 1].entries:
        start -= 1
    return any(token.word in sets["streets"] for token in place.tokens[max(0, start - 2) : start])


def _recurs(place: Place) -> bool:
    """ "Los martes", "le mardi": every Tuesday, told by the article alone; "Mon-Fri 9-5"."""
    start, end, sets = place.match.start, place.match.end, place.language.sets
    if "DOW" in place.tokens[start].entries and _hyphened(place):
        return True
    plural = sets["plural_articles"] | sets["habit_articles"]
    at = start + (place.word(start) in plural)
    article = place.word(at - 1)
    if article not in plural or at >= end or "DOW" not in place.tokens[at].entries:
        return False
    return article in sets["plural_articles"] or at + 1 == end


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


def _took(place: Place) -> bool:
    """ "10 km in 52 minutes", "a mile in four minutes": how long it takes, not when."""
    start, sets = place.match.start, place.language.sets
    if place.word(start) not in sets["firm"] or place.before not in sets["counted"]:
        return False
    if place.match.interval.kind is not TimeKind.RELATIVE or start < 2:
        return False
    number = place.tokens[start - 2]
    return number.word in sets["per"] or not _COUNTING.isdisjoint(number.entries)


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
    if _hyphened(place) or _marching(place) or _owns_nothing(place):
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
    goes_on = place.ends or place.after_in("followers") or place.goes_on_plainly
    if place.before_in("determiners"):
        placed = place.word(place.match.start - 2) in sets["prepositions"]
        return place.before_in("articles") and placed and goes_on
    return goes_on


def _owns_nothing(place: Place) -> bool:
    """ "Friday's or something": a possessive without what it owns is the name of a place."""
    end = place.match.end
    if place.after != "'" or place.word(end + 1) != "s":
        return False
    owned = place.word(end + 2)
    return not owned or owned in ENDS or owned == "or"


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
    if not place.ends:
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
    return _owned_month(place) or _how(place) or _predicate(place) or _offered(place)


def _how(place: Place) -> bool:
    """ "How was march for the team", "how did q1 go": asks for a time, unless it is a person's."""
    verb = place.word(place.match.start - 2) == "how" and place.before_in("inverting")
    if not verb and place.before != "hows":
        return False
    goes = place.ends or place.after_in("going") or place.after_in("prepositions")
    return goes and not place.tokens[place.match.start].capital


def _offered(place: Place) -> bool:
    """ "How about Monday", "does Tuesday suit you": a day that is put forward."""
    start, sets = place.match.start, place.language.sets
    if "DOW" not in place.tokens[start].entries:
        return False
    if place.before == "about":
        return place.ends and place.word(start - 2) in sets["openers"]
    return place.before_in("inverting") and place.after_in("suiting")


def _compounded(place: Place) -> bool:
    """ "Der Mai-Verein", "die 10er-Karte": the first half of a noun that is no event."""
    end = place.match.end
    if not place.language.plain_names or place.after != "-" or not place.word(end + 1).isalpha():
        return False
    last, dash, noun = place.tokens[end - 1 : end + 2]
    if last.end != dash.start or dash.end != noun.start or noun.entries:
        return False
    return noun.capital and noun.word not in place.language.sets["events"]


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
    if first.word in place.language.sets["personal"] and match.end - match.start == 2:
        return place.tokens[match.end - 1].capital  # "conoces a Abril"
    if place.language.lower_names and first.capital and match.start:
        if place.before_in("sources") or place.before_in("personal"):
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


def _person(place: Place) -> bool:
    """ "In August Wilson's play": a capital word with a possessive follows.

    Seasons are written small: "in Autumn's lunch box" is somebody's.
    """
    at = place.match.end
    last = place.tokens[at - 1]
    if last.capital and "SEASON" in last.entries and place.after == "'":
        return True
    return at < len(place.tokens) and place.tokens[at].capital and place.word(at + 1) == "'"


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
    Bare.YEAR: is_year,
    Bare.DAY: is_day,
    Bare.NUMBERS: is_day,
    Bare.OWNER: _owner,
    Bare.CLOCK: _clock,
    Bare.PRESENT: _present,
}
