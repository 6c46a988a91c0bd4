"""Tells a time from one that is liked, or in which something is so whenever it comes round."""

from __future__ import annotations

from scrubjay.language.dates.place import Place
from scrubjay.language.dates.semantics.values import Pointing

_CYCLES = frozenset(("DOW", "DOWS", "MONTH", "SEASON", "HOLIDAY", "WEEKEND"))
# How far before what is liked its verb stands: "likes Christmas more than Easter".
_LIKED_REACH = 8
# Between a season and what is said to be open or closed in it.
_OPEN_REACH = 5
# Between a season and what the weather does in it: "im Sommer ist es heiß".
_WEATHER_REACH = 3


def is_liked(place: Place) -> bool:
    """ "I prefer winter to summer", "we don't celebrate Easter": what is liked, and not when."""
    start, tokens, sets = place.match.start, place.tokens, place.language.sets
    if not start or _CYCLES.isdisjoint(tokens[start].entries):
        return False
    if "SEASON" in tokens[place.match.end - 1].entries and (
        _liked_then(place) or _is_weather(place) or _is_open_then(place)
    ):
        return True
    if place.telling and _is_done_gladly(place):
        return True
    at, comparing, first = start - 1, sets["comparing"], max(0, start - _LIKED_REACH)
    while at > first and (
        tokens[at].word in comparing
        or tokens[at].word == ","
        or not _CYCLES.isdisjoint(tokens[at].entries)
    ):
        at -= 1
    # "I'd prefer Friday" is an offer.
    return tokens[at].word in sets["liking"] and place.word(at - 1) not in sets["would"]


def _liked_then(place: Place) -> bool:
    """ "In winter I prefer tea": in any winter."""
    at, sets = place.match.end + (place.after == ","), place.language.sets
    return place.word(at) in sets["subjects"] and place.word(at + 1) in sets["liking"]


def _is_open_then(place: Place) -> bool:
    """ "The pool is closed in winter", "en hiver la piscine est fermée": in every one."""
    end, tokens, sets = place.match.end, place.tokens, place.language.sets
    if not place.telling or place.pointing is Pointing.BACK or end - place.match.start > 2:
        return False
    near = tokens[max(0, place.match.start - _OPEN_REACH) : end + _OPEN_REACH]
    return any(token.word in sets["open_states"] for token in near)


def _is_done_gladly(place: Place) -> bool:
    """ "I prefer to travel in May", "she loves skiing in winter": whenever it is."""
    start, tokens, sets = place.match.start, place.tokens, place.language.sets
    if place.pointing is Pointing.BACK or place.match.end - start > 1:
        return False
    for at in range(start - 2, max(-1, start - _LIKED_REACH), -1):
        if tokens[at].word in sets["liking"]:
            done = tokens[at + 1].word
            gladly = done in sets["infinitive"] or done.endswith(tuple(sets["underway"]))
            # "Hailstones like ping-pong balls" are liked by nobody.
            known = place.word(at - 1) in sets["subjects"] or tokens[at].word.endswith("s")
            return gladly and known
    return False


def _is_weather(place: Place) -> bool:
    """ "En hiver il fait froid", "im Sommer ist es heiß": in every one."""
    end, sets = place.match.end, place.language.sets
    near = [token.word for token in place.tokens[end : end + _WEATHER_REACH]]
    weather = not sets["weather"].isdisjoint(near)
    return weather and place.telling and sets["past"].isdisjoint(near)
