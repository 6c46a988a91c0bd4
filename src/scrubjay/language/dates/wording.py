"""Tells a question about words, works and the calendar itself from one about a time."""

from __future__ import annotations

from collections.abc import Callable

from scrubjay.language.dates.place import ENDS, Place
from scrubjay.language.dates.semantics.values import Bare

_QUOTES = frozenset('"“”„«»「」『』')
_OPENING = _QUOTES | {"'"}
_STOPS = frozenset(".!?;。！？；")
# A quotation further away than this is not looked for, so that long texts stay cheap.
_REACH = 60
# How many words of courtesy may stand before the verb of a request: "could you please translate".
_OPENING_WORDS = 4
# Between "how do you say" and the word; between "the saying" and the time in it.
_NAMING_REACH = 5
_SAYING_REACH = 4
_CALLED_REACH = 3
# Between "has" and its participle: "a-t-elle écrit".
_DEED_REACH = 4
# Between "translate" and its colon: "correct this for me: ...".
_COLON_REACH = 5
# Behind "how hot is it in August" the word that says that any August is meant.
_USUAL_REACH = 3
# Chinese and Japanese are cut into characters: so many of them around a time are looked at.
_CJK_REACH = 16
_TIMED = frozenset(("SHIFT", "BACK", "PART", "PARTN", "INT", "ORDINAL"))
_SEASONAL = frozenset(("MONTH", "SEASON"))
_CALENDAR = frozenset(("UNIT", "MONTH", "SEASON", "DAYPART"))


def is_only_worded(place: Place) -> bool:
    """Whether a question is about the word itself, or what is told of in a work.

    "Translate 'see you on Saturday'", "how is Wednesday spelt", "a haiku about autumn", "the film
    with Christmas", "which month comes after April". A statement is looked at for titles and single
    words only: who tells what somebody said on a day may well tell when.
    """
    if place.language.cjk:
        return not place.telling and (is_quoted(place) or _among_phrases(place))
    cues, sets = place.cues, place.language.sets
    quoted = not cues.isdisjoint(_OPENING) and is_quoted(place)
    spoken = not cues.isdisjoint(sets["spoken"])
    if place.telling:
        bare = place.match.interval.bare is not Bare.NO
        return (quoted and _is_title(place)) or (bare and spoken and _mentioned(place, 0))
    if quoted or _reworded(place):
        return True
    checks = [check for name, check in _CHECKS if not cues.isdisjoint(sets[name])]
    whole = not place.match.start and place.match.end == len(place.tokens)
    if whole or not checks or not _plain(place):
        return False
    first = _sentence_start(place)
    return any(check(place, first) for check in checks)


def is_quoted(place: Place) -> bool:
    """Whether the match stands inside quotation marks that do not hold the whole text."""
    start, end, tokens = place.match.start, place.match.end, place.tokens
    first = max(0, start - _REACH)
    marks = [at for at in range(first, start) if tokens[at].word in _QUOTES]
    if len(marks) % 2:
        for at in range(end, min(len(tokens), end + _REACH)):
            if tokens[at].word in _QUOTES:
                whole = marks[-1] == 0 and all(token.word in ENDS for token in tokens[at + 1 :])
                return not whole
    opened = any(_opens_quote(place, at) for at in range(first, start) if tokens[at].word == "'")
    return opened and any(
        _closes_quote(place, at)
        for at in range(end, min(len(tokens), end + _REACH))
        if tokens[at].word == "'"
    )


def _is_title(place: Place) -> bool:
    """ "She called it 'Blue Monday'": a capital before the match, in the same quotation."""
    tokens, start = place.tokens, place.match.start
    return start > 0 and tokens[start].capital and tokens[start - 1].capital


def _opens_quote(place: Place, at: int) -> bool:
    """An apostrophe after a space and right before a word: 'see you."""
    tokens = place.tokens
    spaced = not at or tokens[at - 1].end < tokens[at].start or tokens[at - 1].word == ":"
    glued = at + 1 < len(tokens) and tokens[at + 1].start == tokens[at].end
    return spaced and glued and tokens[at + 1].word.isalpha()


def _closes_quote(place: Place, at: int) -> bool:
    tokens = place.tokens
    if not at or tokens[at - 1].end != tokens[at].start:
        return False
    return (
        at + 1 == len(tokens)
        or not tokens[at + 1].word.isalpha()
        or (tokens[at + 1].start > tokens[at].end and not tokens[at - 1].word.endswith("s"))
    )


def _sentence_start(place: Place) -> int:
    for at in range(place.match.start - 1, max(-1, place.match.start - _REACH), -1):
        if place.tokens[at].word in _STOPS:
            return at + 1
    return max(0, place.match.start - _REACH)


def _plain(place: Place) -> bool:
    """Whether the match is a name alone: "last spring" and "3 May" are times by themselves."""
    tokens = place.tokens[place.match.start : place.match.end]
    articled = tokens[0].word in place.language.sets["articles"]
    named = tokens[articled:]
    if any(length == len(named) for length, _ in named[0].entries.get("HOLIDAY", ()) if named):
        return True  # "der erste Advent"
    return all(_TIMED.isdisjoint(token.entries) for token in tokens)


def _words(place: Place, first: int, last: int) -> list[str]:
    return [token.word for token in place.tokens[max(0, first) : last]]


def _generic(place: Place, first: int, last: int) -> bool:
    """Whether nothing between two places says who did something, or when."""
    return place.language.sets["ours"].isdisjoint(_words(place, first, last))


def _reworded(place: Place) -> bool:
    """ "Translate see you on Saturday", "correct this: we seen him on Friday".

    A letter that is to be translated is no wording: "translate the letter from Friday".
    """
    rewording = place.language.sets["rewording"]
    if rewording.isdisjoint(place.cues):
        return False
    words = _words(place, 0, min(place.match.start, _REACH))
    for at, word in enumerate(words):
        if word not in rewording:
            continue
        opening = words[:at]
        if len(opening) > _OPENING_WORDS or not place.language.sets["past"].isdisjoint(opening):
            return False
        if ":" in words[at : at + _COLON_REACH]:
            return True
        sets = place.language.sets
        following = words[at + 1] if at + 1 < len(words) else place.word(place.match.start)
        known = sets["determiners"] | sets["articles"] | sets["owners"] | sets["openers"]
        known |= sets["objects"] | sets["sources"]
        return following not in known and following.isalpha()
    return False


def _mentioned(place: Place, first: int) -> bool:
    """ "The abbreviation for September", "how do you say Friday", "the saying with the rain"."""
    start, sets = place.match.start, place.language.sets
    if place.before_in("mentions") and not _is_deed(place, start - 1):
        return True
    linked = sets["arranged_for"] | sets["sources"] | sets["telling_of"]
    spoken = sets["mentions"] | sets["tongues"]
    word = place.word(start)
    if place.before in linked and place.word(start - 2) in spoken:
        return True
    if word in linked | sets["articles"] and place.before in spoken:
        return True
    if place.before == "'" and place.word(start - 3) in spoken:
        return True  # "l'abréviation d'avril"
    if place.after_in("standing"):
        return True  # "what does sat stand for"
    near = range(max(first, start - _SAYING_REACH), start)
    if any(place.word(at) in sets["sayings"] and not _is_deed(place, at) for at in near):
        return _generic(place, start - _SAYING_REACH, start)
    return _how_said(place, first)


def _is_deed(place: Place, at: int) -> bool:
    """ "M'a écrit lundi", "ha detto lunedì": who wrote or said something, and no word asked about.

    "Est écrit" is how a word is written.
    """
    helping = place.language.sets["perfect"] - place.language.sets["be"]
    return not helping.isdisjoint(_words(place, at - _DEED_REACH, at))


def _how_said(place: Place, first: int) -> bool:
    """ "How do you say Friday", "wie schreibt man Mittwoch": how, a verb, and then the word."""
    start, sets = place.match.start, place.language.sets
    end = place.match.end
    if start - first < _CALLED_REACH and place.after in sets["generic"]:
        # "Agosto se escribe con mayúscula".
        following = place.word(end + 1 + (place.word(end + 1) == "'"))
        if following in sets["naming"]:
            return True
    for at in range(start - 1, max(first, start - _NAMING_REACH) - 1, -1):
        word = place.word(at)
        if word in sets["naming"]:
            how = not sets["manner"].isdisjoint(_words(place, first, at))
            between = set(_words(place, at + 1, start))
            return how and between <= sets["articles"] | sets["generic"]
        if word in sets["firm"]:
            return False
    return False


def _foreign(place: Place, _first: int) -> bool:
    """ "What is tomorrow in Hindi", "was ist Freitag auf Dänisch"."""
    end, sets = place.match.end, place.language.sets
    if place.before_in("prepositions") or place.word(end) not in sets["into"]:
        return False
    return place.word(end + 1) in sets["tongues"]


def _called_so(place: Place, first: int) -> bool:
    """ "Why is it called Good Friday", "pourquoi on dit Vendredi saint": the name of the day."""
    sets = place.language.sets
    if place.before_in("prepositions") or _names_no_day(place):
        return False  # "why did they call on Sunday", "why did she call yesterday"
    if sets["why"].isdisjoint(_words(place, first, place.match.start)):
        return False
    near = _words(place, place.match.start - _CALLED_REACH, place.match.start)
    return not (sets["naming"] | sets["titles"]).isdisjoint(near)


def _names_no_day(place: Place) -> bool:
    matched = place.tokens[place.match.start : place.match.end]
    return any("DEICTIC" in token.entries for token in matched)


def _counted_out(place: Place, first: int) -> bool:
    """ "How many days are in February", "which month comes after April": the calendar knows."""
    start, tokens, sets = place.match.start, place.tokens, place.language.sets
    if not (place.ends or place.after_in("holders")):
        return False
    asking = sets["openers"] | sets["how_many"]
    asked = next((at for at in range(first, start) if tokens[at].word.isalpha()), start)
    opened = asked
    while asked < start and tokens[asked].word in asking:
        asked += 1
    if asked in (opened, start) or _CALENDAR.isdisjoint(tokens[asked].entries):
        return False
    plain = sets["be"] | sets["articles"] | sets["holders"] | sets["generic"] | sets["years"]
    return all(word in plain for word in _words(place, asked + 1, start))


def _composed(place: Place, first: int) -> bool:
    """ "Write a haiku about autumn", "what was the film with the snowman and Christmas".

    What is told of in a work; but not "a poem about our trip in June", nor "which film did we see".
    """
    start, sets = place.match.start, place.language.sets
    for at in range(start - 1, first - 1, -1):
        if place.word(at) not in sets["composed"]:
            continue
        if at + 2 == start and "HOLIDAY" in place.tokens[start].entries:
            return _is_made_up(place, first, at)  # "write a poem for Mother's Day"
        if place.word(at + 1) not in sets["telling_of"] or not _generic(place, at + 1, start):
            return False
        if all(word in sets["articles"] for word in _words(place, at + 2, start)):
            return True
        before = _words(place, first, at)
        if not (sets["acting"] | sets["perfect"]).isdisjoint(before):
            return False  # "did I read the story about the bees on Monday"
        # "The story with the boiler in March" is one that happened, unless it is to be made up.
        return not place.before_in("prepositions") or _is_made_up(place, first, at)
    return False


def _is_made_up(place: Place, first: int, work: int) -> bool:
    """ "Write me a short story where": a work that there is not yet."""
    sets = place.language.sets
    for at in range(work - 1, first - 1, -1):
        word = place.word(at)
        if word in sets["creators"]:
            return True
        if word in sets["articles"] or word in sets["ours"]:
            return False
    return False


def _cooked(place: Place, first: int) -> bool:
    """ "The recipe for Christmas pudding", "receta del roscón de Reyes": what kind of dish."""
    start, sets = place.match.start, place.language.sets
    if "HOLIDAY" not in place.tokens[place.match.end - 1].entries:
        return False
    if place.before not in sets["arranged_for"] | sets["attributing"] | {"'"}:
        return False
    if place.word(start - 2) in sets["events"]:
        return False  # "come si va alla cena di Natale"
    words = _words(place, first, start)
    # "Cómo se hace el roscón de Reyes".
    made = not (sets["anybody"].isdisjoint(words) or sets["manner"].isdisjoint(words))
    return (made or not sets["recipes"].isdisjoint(words)) and _generic(place, first, start)


def _usual(place: Place, first: int) -> bool:
    """ "How hot is it in August usually": every August, and not one of them."""
    if place.match.interval.bare is not Bare.NAME:
        return False
    words = set(_words(place, first, place.match.start))
    words |= set(_words(place, place.match.end, place.match.end + _USUAL_REACH))
    sets = place.language.sets
    usual = sets["usually"]
    if not _SEASONAL.isdisjoint(place.tokens[place.match.start].entries):
        usual = usual | sets["impersonal"]  # "what should one plant in spring"
    return not usual.isdisjoint(words) and sets["past"].isdisjoint(words)


def _among_phrases(place: Place) -> bool:
    """The same in Chinese and Japanese, by the phrases around a time."""
    if not _plain(place):
        return False
    around = "".join(_words(place, place.match.start - _CJK_REACH, place.match.end + _CJK_REACH))
    return any(phrase in around for phrase in place.language.sets["mentions"])


# Each check, and the words of which the text must hold one.
_CHECKS: tuple[tuple[str, Callable[[Place, int], bool]], ...] = (
    ("spoken", _mentioned),
    ("tongues", _foreign),
    ("why", _called_so),
    ("calendar_questions", _counted_out),
    ("composed", _composed),
    ("recipes", _cooked),
    ("anybody", _cooked),
    ("usual", _usual),
)
