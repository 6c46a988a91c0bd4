"""Tells a question about what holds now from one about what happens in these days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrubjay.language.dates.place import ENDS, Match
from scrubjay.language.dates.reading import Reading
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.values import Grain, Pointing
from scrubjay.language.dates.syntax.tokens import Token

# How many words before the time say what the question asks for.
_REACH = 30
# What comes round or is a part of a day is no stretch for something to hold in: "this Friday".
_DATING = frozenset(("DOW", "DOWPART", "DAYPART", "MONTH", "SEASON", "HOLIDAY", "WEEKEND"))
# Words for what happens, is planned or is to be done.
_HAPPENING = (
    "events", "planning", "agenda", "intent", "deadlines", "arranged", "future", "modals",
    "reports",
)  # fmt: skip
_ONGOING = "ing"
# "What day of the week is it today", with its mark.
_DATE_ASKED_MAX = 9
_APOSTROPHE = frozenset(("'", "s", "-", "¿"))
# Left at the end of a question: "what class is Mia in this year".
_STRANDED = frozenset(("in", "at"))


def holds_now(reading: Reading, match: Match) -> bool:
    """Whether "this year" or "today" says no more than now: "what do I pay for it this year".

    "Who is off today" and "what have we planned this year" are about what happens.
    """
    tokens = reading.tokens[match.start : match.end]
    if match.interval.kind is TimeKind.OPEN or not _is_current(tokens):
        return False
    sets, pointing = reading.language.sets, reading.tense.at(match.start)
    if pointing not in (Pointing.PRESENT, Pointing.NOWHERE):
        # "Where is the old gate located today": a state that ends like a past.
        before = reading.tokens[match.start - 1].word if match.start else ""
        if pointing is not Pointing.BACK or before not in sets["states"]:
            return False
    first = max(reading.tense.sentence_start(match.start), match.start - _REACH)
    words = [token.word for token in reading.tokens[first : match.start]]
    if pointing is Pointing.BACK and not sets["past"].isdisjoint(words):
        return False
    owner = reading.tokens[match.end].word if match.end < len(reading.tokens) else ""
    if not words or (words[-1] in sets["prepositions"] and words[-1] not in _STRANDED):
        return False
    if owner == "'":
        return False
    happening = frozenset().union(*(sets[name] for name in _HAPPENING))
    holding = [word for word in words if word in sets["holding"]]
    if any(
        word in happening or not happening.isdisjoint(_numbers(word)) or word.endswith(_ONGOING)
        for at, word in enumerate(words)
        if word not in sets["holding"] and not _is_asked_for(words, at, sets)
    ):
        return False
    if not sets["states"].isdisjoint(words):
        return True  # "where is the gate located today"
    if len(words) > 1 and words[1] in sets["sizes"]:
        return bool(holding) or not sets["be"].isdisjoint(words)
    # "Who pays today" is a turn, "who pays the rent today" is a state.
    asks = words[0] in sets["openers"] and (len(words) > 2 or words[0] not in sets["roles"])
    turn = words[-1] in sets["holding"] and not asks
    return (bool(holding) and not turn) or _is_said_of(reading, match, words)


def is_date_asked(reading: Reading, match: Match) -> bool:
    """ "What's today's date", "welcher Tag ist heute": asked of the calendar, not of memories."""
    tokens, sets = reading.tokens, reading.language.sets
    if len(tokens) - match.end + match.start > _DATE_ASKED_MAX:
        return False
    if not _is_current(tokens[match.start : match.end]):
        return False
    words = {token.word for token in (*tokens[: match.start], *tokens[match.end :])}
    dates = words & sets["calendar_days"]
    return bool(dates) and words <= dates | sets["date_asking"] | ENDS | _APOSTROPHE


def _is_asked_for(words: Sequence[str], at: int, sets: Mapping[str, frozenset[str]]) -> bool:
    """ "What class is Mia in": the noun of the question."""
    return at == 1 and len(words) > 3 and words[0] in sets["indefinite"] and words[2] in sets["be"]


def _numbers(word: str) -> tuple[str, str]:
    """A noun for one and for several of what it names."""
    return word.removesuffix("s"), word + "s"


def _is_current(tokens: Sequence[Token]) -> bool:
    """Whether the time is "today" or "this" month or year, and nothing finer."""
    if any(not _DATING.isdisjoint(token.entries) for token in tokens):
        return False
    values = (tokens[0].entries.get(name, ()) for name in ("DEICTIC", "SHIFT"))
    return any(value == 0 for found in values for _, value in found)


def _is_said_of(reading: Reading, match: Match, words: Sequence[str]) -> bool:
    """ "Who is our captain this year", "what class is Mia in this year": a role, or a quality."""
    sets = reading.language.sets
    verb = next((at for at, word in enumerate(words) if word in sets["be"]), len(words))
    if verb > 2 or verb + 1 >= len(words):
        return False
    determined = words[verb + 1] in sets["owners"] | sets["articles"]
    if words[0] in sets["roles"]:
        return determined
    if words[0] not in sets["indefinite"] or match.interval.grain < Grain.MONTH:
        return False
    return determined or verb == 2
