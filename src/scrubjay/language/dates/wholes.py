"""Tells a time from a part of something longer: "HLA-Cw6", "sun-dried", "five years old"."""

from __future__ import annotations

from scrubjay.language.dates.place import Place
from scrubjay.language.dates.semantics.values import Grain, Pointing
from scrubjay.language.dates.syntax.tokens import Token

_COUNTED = frozenset(("INT", "NUMBER", "ORDINAL", "QUANT", "SHIFT", "ENDMOST"))
_DATING = frozenset(("MONTH", "SEASON", "HOLIDAY", "YEAR", "SHIFT", "UNIT", "q"))
# A range of weekdays is longer: "from Monday to Friday".
_RANGE_MIN = 2
_DATED = frozenset(("MONTH", "DATE", "PAIR", "INT", "SHIFT", "DEICTIC"))
_DAYS_MAX = 31
_YEAR_DIGITS = 4
# Behind "of the": what is kept for that long has the time, "the last two weeks of our invoices".
_KEPT_REACH = 2
# How far behind "the July" the noun stands that says whether it is a day's: "the July Lisbon trip".
_TITLE_REACH = 3


def is_cut(place: Place) -> bool:
    """Whether the match begins or ends in the middle of a code, a compound or a date."""
    start, end, tokens = place.match.start, place.match.end, place.tokens
    # Asked of every match, so what one look rules out is ruled out first.
    if end < len(tokens):
        if tokens[end - 1].end == tokens[end].start and _is_cut_behind(place):
            return True
        if "PARTN" in tokens[start].entries and _is_day_apart(place):
            return True
    return start > 0 and tokens[start - 1].end == tokens[start].start and _is_cut_before(place)


def is_part(place: Place) -> bool:
    """Whether the match is a length, a count or a name with what stands around it."""
    # Nearly every match is none of these, so each is asked only where one word allows it.
    start, end, tokens = place.match.start, place.match.end, place.tokens
    first, last = tokens[start].entries, tokens[end - 1].entries
    if "RECENT" in first or "RECENT" in last:
        return _describes(place)
    if "UNIT" in last or "SINGLE" in last:
        return _is_length(place)
    if "DOW" in last and end - start > _RANGE_MIN and _is_opened(place):
        return True
    if end == len(tokens):
        return False
    if "INT" in last and place.match.interval.grain is Grain.WEEK:
        return _is_numbered_week(place)
    if "by" in first:
        return _is_agent(place)
    return tokens[end].capital and _is_of_event(place)


def _is_opened(place: Place) -> bool:
    """ "Is open from Monday to Friday", "von Montag bis Freitag offen": in every week."""
    tokens = place.tokens[place.match.start : place.match.end]
    if place.pointing is Pointing.BACK:
        return False
    if not (place.before_in("opened") or place.after_in("opened")):
        return False
    days = sum("DOW" in token.entries for token in tokens)
    return days > 1 and all(_DATED.isdisjoint(token.entries) for token in tokens)


def _is_cut_behind(place: Place) -> bool:
    """ "H1N1", "in the 1950-60s": letters behind a number; and the first half of a compound."""
    following = place.tokens[place.match.end]
    last = place.tokens[place.match.end - 1]
    if _is_mixed(last, following):
        # "In the 1950-60s", "on the 3rd"; "1/19/2011The case" lacks a space.
        ending = following.word == "s" or following.word in place.language.suffixes
        return not ending and len(last.word) < _YEAR_DIGITS
    return following.word == "-" and _is_compound(place)


def _is_cut_before(place: Place) -> bool:
    """ "2q37", "HLA-Cw6", "RB-12 may": letters or numbers written as one with what is before."""
    start, end, tokens = place.match.start, place.match.end, place.tokens
    first, before = tokens[start], tokens[start - 1]
    if _is_mixed(before, first):
        return True
    if before.word != "-" or start < 2:
        return False
    head = tokens[start - 2]
    if head.end != before.start or not head.word.isalpha() or head.entries:
        return False
    lettered = first.word.isdecimal() or (end - start == 2 and _is_mixed(first, tokens[start + 1]))
    return lettered and head.word not in place.language.sets["prepositions"]


def _is_mixed(left: Token, right: Token) -> bool:
    """Whether a number and letters stand side by side with nothing between."""
    if left.end != right.start:
        return False
    letters, numbers = (left, right) if left.word.isalpha() else (right, left)
    return letters.word.isalpha() and numbers.word[0].isdecimal()


def _is_compound(place: Place) -> bool:
    """ "Sun-dried", "the Christmas-themed mugs": the first half of a word that describes.

    German compounds are looked at elsewhere, and French has hyphens between words: "y va-t-on".
    """
    if place.language.plain_names or place.language.lower_names:
        return False
    dash, *following = place.tokens[place.match.end : place.match.end + 2]
    if not following or dash.end != following[0].start:
        return False
    half, sets = following[0], place.language.sets
    if not half.word.isalpha() or half.entries or half.word in sets["prepositions"]:
        return False
    return half.word not in sets["events"] and half.word not in sets["reports"]


def _is_day_apart(place: Place) -> bool:
    """ "Start June 1": the end of what was said, and then a day."""
    start, end = place.match.start, place.match.end
    if end - start != 2:
        return False
    number = place.tokens[end].word
    dated = "MONTH" in place.tokens[end - 1].entries and number.isdecimal()
    return dated and int(number) <= _DAYS_MAX


def _is_length(place: Place) -> bool:
    """Whether a length is not measured from now."""
    start, end, sets = place.match.start, place.match.end, place.language.sets
    if place.after_in("old") or (place.after == "-" and place.word(end + 1) in sets["old"]):
        return True  # "in five year old shoes"
    first = place.word(start)
    if first in sets["firm"] and place.before_in("occasions"):
        return True  # "for the first time in a week"
    if first in sets["inside"] and place.after_in("counted_from"):
        return True  # "within a year of the operation"
    if first in sets["articles"] and _is_last_one(place):
        return True
    return place.after_in("of") and _is_of_something(place)


def _is_numbered_week(place: Place) -> bool:
    """ "At week 4 of the diet": counted from a beginning of its own."""
    return place.after_in("of") and "UNIT" in place.tokens[place.match.end - 2].entries


def _is_of_something(place: Place) -> bool:
    """ "The last two minutes of the match": a part of something that has its own length.

    What is kept has it from now: "the last two weeks of my notes".
    """
    start, end, sets = place.match.start, place.match.end, place.language.sets
    counted = any(not _COUNTED.isdisjoint(token.entries) for token in place.tokens[start:end])
    # "The past two years of my life" are up to now, whatever they are of.
    if not counted or any(token.word in sets["to_now"] for token in place.tokens[start:end]):
        return False
    of = place.tokens[end + 1 : end + 2 + _KEPT_REACH]
    if not of or not _DATING.isdisjoint(of[0].entries):
        return False  # "the last two weeks of September", of which only the beginning is here
    if place.match.interval.grain is Grain.QUARTER:
        return True  # "one quarter of the boxes"
    if any(token.word in sets["reports"] or token.word in sets["dated"] for token in of):
        return False
    if any(token.word in sets["events"] and token.word.endswith("s") for token in of):
        return False  # "the last two weeks of our meetings"
    return of[0].capital or of[0].word in sets["articles"] or of[0].word in sets["owners"]


def _is_last_one(place: Place) -> bool:
    """ "The last year Tom rowed", "the last month that it ran": the last of several.

    It stands alone; "in the last year I moved" opens with a preposition.
    """
    start, end, sets = place.match.start, place.match.end, place.language.sets
    if not start or end - start != 3 or end >= len(place.tokens) or not sets["clausal"]:
        return False
    if "SHIFT" not in place.tokens[start + 1].entries or place.before_in("prepositions"):
        return False
    following = place.tokens[end]
    if any(following.word in sets[name] for name in ("articles", "subjects", "clausal")):
        return True
    return following.capital and following.word.isalpha() and not following.entries


def _describes(place: Place) -> bool:
    """ "The recently opened café", "most recently founded", "of late frost": nothing of now."""
    start, end, sets = place.match.start, place.match.end, place.language.sets
    first = place.word(start)
    if place.before_in("comparing_how") or first in sets["comparing_how"]:
        # "More recently, she moved to Bergen"; "what did I most recently buy" is of late.
        subject = place.before if first in sets["comparing_how"] else place.word(start - 2)
        return subject not in sets["subjects"] and not (start <= 1 and place.after == ",")
    if first in sets["of"]:
        return not (place.ends or place.after_in("followers") or place.before == "as")
    if place.ends or not place.after.isalpha() or not place.word(end + 1).isalpha():
        return False
    described = ("articles", "per", "prepositions", "sources", "owners")
    return any(map(place.before_in, described)) and not place.after_in("followers")


def _is_of_event(place: Place) -> bool:
    """ "The July Revolution", "the March 14 Alliance": a name, and every word of it has a capital.

    "The July Lisbon meeting" is a meeting in July.
    """
    start, end, tokens = place.match.start, place.match.end, place.tokens
    if place.language.plain_names or place.language.lower_names:
        return False
    sets = place.language.sets
    articled = tokens[start].word in sets["articles"]
    name = tokens[start + articled]
    if not (articled or place.before_in("articles")) or "MONTH" not in name.entries:
        return False
    if not name.capital or place.match.interval.grain > Grain.MONTH:
        return False
    title = 0
    for token in tokens[end : end + _TITLE_REACH]:
        if token.word in sets["events"] or token.word in sets["reports"]:
            return False
        if not (token.capital and token.word.isalpha()) or token.entries:
            # What is called so ends there: "the October Milan offer" goes on with a noun.
            return bool(title) and not _is_noun(place, token)
        title += 1
    return bool(title)


def _is_noun(place: Place, token: Token) -> bool:
    plain = ("followers", "prepositions", "be", "past", "openers")
    known = any(token.word in place.language.sets[name] for name in plain)
    return token.word.isalpha() and not token.entries and not known


def _is_agent(place: Place) -> bool:
    """ "Painted by Jan Vermeulen", "drawn by Sun's gravity": by whom, and not by when."""
    start, end, tokens = place.match.start, place.match.end, place.tokens
    name, sets = tokens[end - 1], place.language.sets
    if end - start != 2 or not name.capital or name.word not in sets["weak"]:
        return False
    if place.after == "'":
        return "DOW" in name.entries and not place.ends and not place.topical
    following = tokens[end]
    return following.capital and following.word.isalpha() and not following.entries
