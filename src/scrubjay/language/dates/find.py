"""Finds the times in a text, and the one window that a question or a memory is about."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

from scrubjay.language.dates.place import ENDS, LIST_REACH, Match, Place
from scrubjay.language.dates.present import holds_now, is_date_asked
from scrubjay.language.dates.reading import Reading, read
from scrubjay.language.dates.semantics.calendar import add, floor
from scrubjay.language.dates.semantics.holidays import feast_days
from scrubjay.language.dates.semantics.model import TimeContext, TimeKind, TimeMention, ToldTimes
from scrubjay.language.dates.semantics.values import (
    Bare,
    Grain,
    Interval,
    Pointing,
    Side,
)
from scrubjay.language.dates.syntax.lexicon import is_ordinal_stop
from scrubjay.language.dates.syntax.tokens import Token
from scrubjay.types.values import Window

_QUESTION_MARKS = frozenset("?？")
_SENTENCE_ENDS = frozenset(".!?;。！？；")
_ABSOLUTE = TimeKind.ABSOLUTE
_NO_TIMES = ToldTimes()
# How far before "until" a denied verb may stand: "does not open again until".
_CLAUSE_REACH = 6
# Between "isn" and the time: "'t on the".
_DENIAL_REACH = 6
_CONTRACTED = frozenset(("'", "t"))
# Between "valid" and its range: "the lease on the flat runs from".
_TERM_REACH = 6
# Between a weekday and the month from which it counts: "from February rehearsals are on Monday".
_BEGUN_REACH = 5
_PAUSES = _SENTENCE_ENDS | frozenset(",:")
# How far before "until" the verb of a demand may stand.
_DEMAND_REACH = 12
# How a German verb ends that is still to be done.
_INFINITIVES = ("en", "ern", "eln")
# "Around the tenth" is so many days before it, and after.
_AROUND_DAYS = 2
# What makes a weekday that of one week.
_DATED = frozenset(("MONTH", "DATE", "PAIR", "SHIFT", "UNIT", "DEICTIC"))
# What may stand beside a feast without making another day of it: "Ostern dieses Jahr".
_COUNTING = frozenset(("before", "after"))  # "the week after Easter"
_DATING_FEASTS = frozenset(("SHIFT", "UNIT", "INT", "BACK"))
_ASKING_WHEN = ("asking_when", "be", "past", "articles", "courtesy")
_TO_COME = (Pointing.PRESENT, Pointing.UNDERWAY, Pointing.AHEAD)
_STARTS = (Side.SINCE, Side.FROM)
_ENDS = (Side.TILL, Side.ENDS)
# What holds since or until a time is no event of that time.
_HOLDING = (Side.SINCE, Side.TILL)


def find_times(text: str, context: TimeContext) -> tuple[TimeMention, ...]:
    """Every time expression in a text, in order of appearance, none overlapping another."""
    reading = read(text, context, telling=False)
    if reading is None:
        return ()
    return tuple(_mention(text, reading, match) for match in reading.matches)


def _mention(text: str, reading: Reading, match: Match) -> TimeMention:
    start = reading.tokens[match.start].start
    end = reading.tokens[match.end - 1].end
    interval = match.interval
    return TimeMention(
        window=reading.scene.to_window(interval),
        kind=interval.kind,
        confidence=round(interval.confidence, 2),
        start=start,
        end=end,
        text=text[start:end],
    )


def question_window(text: str, context: TimeContext) -> TimeMention | None:
    """The one window a question asks about, or None if it names no time.

    Times in a list give the window that holds them all; a time inside another gives the smaller;
    otherwise the surest, the most exact, the first, in that order.
    """
    reading = read(text, context, telling=False)
    if reading is None:
        return None
    asked = [
        match
        for match in reading.matches
        if match.interval.bare is not Bare.PRESENT and not holds_now(reading, match)
    ]
    if not asked or is_date_asked(reading, asked[0]):
        return None
    match = _combined(asked)
    return _as_meant(_mention(text, reading, match), _feast(reading, match))


def _feast(reading: Reading, match: Match) -> str:
    """The feast that is named with no more than its year: "Ostern dieses Jahr", "Easter 2025"."""
    if match.interval.grain is not Grain.DAY or match.interval.kind is TimeKind.OPEN:
        return ""
    tokens, sets = reading.tokens[match.start : match.end], reading.language.sets
    names = [token for token in tokens if "HOLIDAY" in token.entries]
    if len(names) != 1:
        return ""
    for token in tokens:
        linking = token.word in sets["prepositions"] and _COUNTING.isdisjoint(token.entries)
        linking = linking or token.word in sets["articles"] or token.word == ","
        dated = not _DATING_FEASTS.isdisjoint(token.entries)
        if not (linking or dated or token is names[0]):
            return ""
    return "" if _is_asked_when(reading, match) else names[0].written


def _is_asked_when(reading: Reading, match: Match) -> bool:
    """ "When was the last Easter", "Easter 2010": the day of the feast, and nothing done on it."""
    sets, tokens = reading.language.sets, reading.tokens
    around = (*tokens[: match.start], *tokens[match.end :])
    words = [token.word for token in around if token.word.isalpha()]
    return all(any(word in sets[name] for name in _ASKING_WHEN) for word in words)


def _as_meant(asked: TimeMention, feast: str) -> TimeMention:
    """A feast with the days that are kept with it, and "around" a day with those around it."""
    before, after = feast_days(feast)
    start, end = asked.window.start, asked.window.end
    if asked.kind is TimeKind.FUZZY and start and end and _lasts_a_day(end - start):
        before = after = _AROUND_DAYS
    if not (before or after) or start is None or end is None:
        return asked
    try:
        window = Window(start - timedelta(days=before), end + timedelta(days=after))
    except OverflowError:
        return asked
    return replace(asked, window=window)


def _lasts_a_day(length: timedelta) -> bool:
    # An hour more or less, where clocks are put forward or back.
    return timedelta(hours=22) < length < timedelta(hours=26)


def told_window(text: str, context: TimeContext) -> TimeMention | None:
    """When the thing a memory tells of happened or will happen; `context.now` is when it was told.

    Questions inside the text, "since we last talked" and times of day without a day date nothing.
    """
    return told_times(text, context).occurred


def told_times(text: str, context: TimeContext) -> ToldTimes:
    """When the thing a memory tells of is, and since or until when what it says holds."""
    reading = read(text, context, telling=True)
    if reading is None:
        return _NO_TIMES
    marks = [
        place
        for place in _places(reading.tokens, _SENTENCE_ENDS)
        if not is_ordinal_stop(reading.tokens, place, reading.language)
    ]
    habits = _places(reading.tokens, reading.language.sets["routines"])
    found = [match for match in reading.matches if _tells(reading, match, marks, habits)]
    if not found:
        return _NO_TIMES
    # The time of a thing says nothing where another does: "my 2020 laptop died yesterday".
    dating = [match for match in found if not _is_made_in(reading, match)] or found
    telling = [_limit(reading, match) for match in dating]
    # How long something holds that is told later on is not how long the first thing does.
    first = [match.interval for match in telling if not marks or match.start < marks[0]]
    starts = [each.start for each in first if each.side in _STARTS]
    ends = [each.end for each in first if each.side in _ENDS and each.grain >= Grain.DAY]
    # What was over before it was told is a report: it has not stopped to be true since.
    ahead = [end for end in ends if end is not None and _is_ahead(reading, end)]
    begins = [match for match in telling if match.interval.side in _STARTS]
    events = [
        _event(match)
        for match in telling
        if match.interval.side not in _HOLDING
        and not any(_comes_round(reading, match, begun) for begun in begins)
    ]
    # "After the storm" has no end: it dates nothing, and must not stand before what does.
    events = [match for match in events if None not in (match.interval.start, match.interval.end)]
    held, was = _held(reading, _without_reasons(reading, events))
    term = next((match.interval for match in telling if _is_term(reading, match, marks)), None)
    if term is not None:
        starts = [term.start]
        ahead = [end for end in (term.end,) if end is not None and _is_ahead(reading, end)]
    return ToldTimes(
        occurred=None if held is None else _mention(text, reading, held),
        was=None if was is None else reading.scene.to_window(was),
        valid_from=_moment(reading, starts[0]) if starts else None,
        valid_to=_moment(reading, max(ahead), last=True)
        if ahead and (term or not starts)
        else None,
    )


def _comes_round(reading: Reading, match: Match, begun: Match) -> bool:
    """ "Moves to Thursday from October": a day of what is to begin, and not the one before."""
    tokens, end, start = reading.tokens, match.interval.end, begun.interval.start
    if "DOW" not in tokens[match.start].entries or end is None or start is None or end >= start:
        return False
    first, second = sorted((match, begun), key=lambda one: one.start)
    between = tokens[first.end : second.start]
    return len(between) <= _BEGUN_REACH and all(token.word not in _PAUSES for token in between)


def _is_ahead(reading: Reading, end: datetime) -> bool:
    return end > reading.scene.now_end


def _is_term(reading: Reading, match: Match, marks: Sequence[int]) -> bool:
    """ "Valid from 1 May to 30 June": both edges of what holds, said of the first thing told."""
    interval, tokens = match.interval, reading.tokens
    if None in (interval.start, interval.end) or (marks and match.start > marks[0]):
        return False
    valid = reading.language.sets["valid"]
    before = tokens[max(0, match.start - _TERM_REACH) : match.start]
    inside = tokens[match.start : match.end]
    if before and before[-1].word in valid and any("dash" in token.entries for token in inside):
        return True  # "parking permit valid 1 Sept - 31 Aug"
    return "range" in tokens[match.start].entries and any(token.word in valid for token in before)


def _without_reasons(reading: Reading, events: Sequence[Match]) -> Sequence[Match]:
    """The events without those of a reason, where something else has a time, too.

    "We drove home on Monday because the ferry on Sunday was full" is of Monday.
    """
    reasons = _places(reading.tokens, reading.language.sets["reasons"]) if len(events) > 1 else ()
    if not reasons:
        return events
    return [match for match in events if not _is_reason(reading, match, reasons)] or events


def _is_reason(reading: Reading, match: Match, reasons: Sequence[int]) -> bool:
    place = bisect_left(reasons, match.start)
    same = reading.tense.same_sentence
    if not place or not same(reasons[place - 1], match.start):
        return False
    reason = reasons[place - 1]
    if reason and same(reason - 1, reason):
        return True
    # "Because the ferry was full, we drove": a reason that comes first ends with its clause.
    return all(token.word != "," for token in reading.tokens[reason : match.start])


def _is_made_in(reading: Reading, match: Match) -> bool:
    place = _place(reading, match)
    sets = reading.language.sets
    of = match.start - (place.word(match.start) not in sets["sources"])
    if place.word(of) in sets["sources"]:
        # "The invoice of 3 May was paid yesterday": the day is a part of its name.
        return place.word(of - 1) in sets["dated"] and place.word(of - 1) not in sets["events"]
    return match.interval.bare is Bare.YEAR and place.before_in("owners") and not place.ends


def _place(reading: Reading, match: Match) -> Place:
    year = reading.scene.now.year
    return Place(match, reading.tokens, reading.language, year, telling=True, cues=frozenset())


def _limit(reading: Reading, match: Match) -> Match:
    """What "until" limits: not always the end of what holds.

    "Abgabe bis Freitag", "postponed until Friday": where something is due or put off, it is its
    day. "Doesn't start until May": what is denied until then begins then.
    """
    interval = match.interval
    if interval.side is Side.NONE and reading.tense.is_extended_to(match.start):
        return replace(match, interval=replace(interval, side=Side.TILL))
    if interval.side is not Side.TILL:
        return match
    due = reading.tense.is_due(match.start) or _is_to_be_done(reading, match)
    if due or reading.tense.is_put_off(match.start):
        return replace(match, interval=replace(interval, side=Side.BY))
    if interval.named is not None and _is_denied_until(reading, match):
        return replace(
            match, interval=replace(interval, side=Side.FROM, start=interval.named[0], end=None)
        )
    return match


def _is_to_be_done(reading: Reading, match: Match) -> bool:
    """ "Bis Freitag einreichen": an infinitive of an act closes the clause; "warten" is none."""
    language = reading.language
    if language.sets["acts"]:
        return _is_demanded(reading, match)
    if language.participle is None or not language.sets["durative"]:
        return False
    tokens = reading.tokens[match.end : match.end + 2]
    if not tokens or (len(tokens) > 1 and tokens[1].word not in ENDS):
        return False
    verb = tokens[0]
    if verb.capital or not verb.word.endswith(_INFINITIVES):
        return False
    return not language.participle.search(verb.written) and not (
        verb.word.endswith(tuple(language.sets["durative"]))
    )


def _is_demanded(reading: Reading, match: Match) -> bool:
    """ "Hand it in until Friday": an act that is over when it is done, asked for by its verb."""
    tokens, sets = reading.tokens, reading.language.sets
    for at in range(match.start - 1, max(-1, match.start - _DEMAND_REACH), -1):
        if not reading.tense.same_sentence(at, match.start):
            return False
        opens = not at or not reading.tense.same_sentence(at - 1, match.start)
        if tokens[at].word in sets["acts"] and (opens or tokens[at - 1].word in sets["demanding"]):
            return True
    return False


def _is_denied_until(reading: Reading, match: Match) -> bool:
    words = reading.tokens[max(0, match.start - _CLAUSE_REACH) : match.start]
    denying = reading.language.sets["denying_verbs"]
    return any(
        token.word in denying and reading.tense.same_sentence(match.start - at, match.start)
        for at, token in enumerate(reversed(words), start=1)
    )


def _event(match: Match) -> Match:
    """A deadline, a change or an end by its own time, not by all that lies before or after it."""
    interval = match.interval
    if interval.side is Side.NONE or interval.named is None:
        return match
    start, end = interval.named
    return replace(match, interval=replace(interval, start=start, end=end, kind=_ABSOLUTE))


def _held(reading: Reading, events: Sequence[Match]) -> tuple[Match | None, Interval | None]:
    """The time that holds, and the one that it was moved from."""
    denied = [match for match in events if _is_denied(reading, match)]
    kept = [match for match in events if match not in denied]
    if denied and kept:
        return _instead_of(reading, _combined(kept), denied[0].interval), denied[0].interval
    for place, match in enumerate(events):
        interval = match.interval
        if interval.was is not None:
            start, end = interval.was
            return match, replace(interval, start=start, end=end)
        if reading.tense.is_moved_to(match.start):
            before = events[place - 1] if place else None
            if before is None or not _is_replaced(reading, before, match):
                return _combined(events[place:]), None
            match, was = _weekday_instead(reading, _combined(events[place:]), before)
            later = _is_put_off(reading, before, match)
            return _instead_of(reading, match, was, later=later), was
    return (_combined(_first_told(reading, events)) if events else None), None


def _is_replaced(reading: Reading, before: Match, match: Match) -> bool:
    """Whether a time is where the other was moved from: not "I work Monday, so it's now Friday"."""
    if not reading.tense.same_sentence(before.start, match.start):
        return False
    between = reading.tokens[before.end : match.start]
    results = reading.language.sets["results"]
    return all(
        token.word not in results or "CHANGED" in following.entries
        for token, following in pairwise(between)
    )


def _is_put_off(reading: Reading, before: Match, match: Match) -> bool:
    postponing = reading.language.sets["postponing"]
    between = reading.tokens[before.end : match.start + 1]
    return any(token.word in postponing for token in between)


def _first_told(reading: Reading, events: Sequence[Match]) -> Sequence[Match]:
    """The times of the first sentence that names a day, and those inside them that come later.

    What is told next has a time of its own: "We met on Tuesday. She moves on 1 December."
    """
    if events and _is_report(reading, events[0]):
        # "Rang the bank on Monday, they call back on Friday" is first of all what was done.
        events = [match for match in events if not _is_to_come(reading, events[0], match)]
    first = [match for match in events if reading.tense.same_sentence(match.start, events[0].start)]
    if not any(_is_day(match.interval) for match in first):
        return events
    later = events[len(first) :]
    return first + [
        match for match in later if any(_holds(each.interval, match.interval) for each in first)
    ]


def _is_report(reading: Reading, match: Match) -> bool:
    """Whether a time is that of something done, and a near one: no year or season."""
    near = match.interval.grain <= Grain.WEEK and match.interval.kind is not TimeKind.FUZZY
    return near and reading.tense.at(match.start) is Pointing.BACK


def _is_to_come(reading: Reading, report: Match, match: Match) -> bool:
    """Whether a time behind a report's, in the same sentence, is that of a clause to come."""
    if match is report or not reading.tense.same_sentence(report.start, match.start):
        return False
    between = reading.tokens[report.end : match.start]
    clause = any(token.word == "," for token in between)
    return clause and reading.tense.at(match.start) in _TO_COME


def _is_day(interval: Interval) -> bool:
    return interval.grain <= Grain.DAY and interval.kind is not TimeKind.FUZZY


def _instead_of(reading: Reading, match: Match, before: Interval, *, later: bool = False) -> Match:
    """A bare day as the one that is nearest to what it changes: "3 December is now the 10th".

    What replaces a day to come is to come itself: "not this Thursday, they said Monday". What is
    put off is `later` than it was: "the hearing on 2 October is postponed until the 29th".
    """
    interval, now = match.interval, reading.scene.now
    if interval.bare is Bare.NAME and interval.grain is Grain.DAY and interval.end is not None:
        if before.start is None or before.start < now or interval.end > now:
            return match
        weeks = [add(edge, 1, Grain.WEEK) for edge in (interval.start or now, interval.end)]
        return replace(match, interval=replace(interval, start=weeks[0], end=weeks[1]))
    if interval.bare is not Bare.DAY or before.start is None or interval.start is None:
        return match
    if before.bare is Bare.DAY or before.grain is not Grain.DAY or interval.grain is not Grain.DAY:
        return match
    day, month = interval.start.day, floor(before.start, Grain.MONTH)
    months = [add(month, step, Grain.MONTH) for step in (-1, 0, 1)]
    days = [add(each, day - 1, Grain.DAY) for each in months]
    changed = before.start
    first = max(interval.start, changed) if later else interval.start
    ahead = [each for each in days if each.day == day and each >= first] or [interval.start]
    start = min(ahead, key=lambda each: abs(each - changed))
    return replace(match, interval=replace(interval, start=start, end=add(start, 1, Grain.DAY)))


def _weekday_instead(reading: Reading, match: Match, before: Match) -> tuple[Match, Interval]:
    """Two weekdays of what is moved now: "Tuesday's meeting moves to Thursday".

    The one it was on is to come, and the other the nearest to it. What was moved may be over.
    """
    old, new = before.interval, match.interval
    weekdays = all(each.bare is Bare.NAME and each.grain is Grain.DAY for each in (old, new))
    if not weekdays or reading.tense.is_told_back(match.start):
        return match, old
    if old.start is None or old.end is None or new.start is None or new.end is None:
        return match, old
    today = floor(reading.scene.now, Grain.DAY)
    if old.end <= today:
        old = _in_weeks(old, 1)
    moved = [_in_weeks(new, weeks) for weeks in (-1, 0, 1, 2)]
    ahead = [each for each in moved if each.start and each.start > today]
    changed = old.start or today
    nearest = min(ahead, key=lambda each: abs((each.start or today) - changed), default=new)
    return replace(match, interval=nearest), old


def _in_weeks(interval: Interval, weeks: int) -> Interval:
    assert interval.start and interval.end
    start, end = (add(edge, weeks, Grain.WEEK) for edge in (interval.start, interval.end))
    return replace(interval, start=start, end=end)


def _is_denied(reading: Reading, match: Match) -> bool:
    """ "Not on Friday", "can't do Friday", "instead of 1 December": when something is not."""
    sets, tokens = reading.language.sets, reading.tokens
    passed = sets["linking"] | sets["sources"] | sets["managing"] | sets["planning"] | _CONTRACTED
    for at in range(match.start - 1, max(-1, match.start - _DENIAL_REACH - 1), -1):
        word = tokens[at].word
        if word in sets["denying"] or word in sets["former"]:
            return True
        if word == "t" and at and tokens[at - 1].word == "'":
            return True
        if word not in passed:
            # One verb may stand between: "not coming on Friday".
            return at > 0 and word.isalpha() and tokens[at - 1].word in sets["denying_verbs"]
    return False


def _moment(reading: Reading, edge: datetime | None, *, last: bool = False) -> datetime | None:
    """An edge of an open interval in UTC; the last moment inside it for an end."""
    if edge is None:
        return None
    window = reading.scene.to_window(Interval(edge, edge, Grain.DAY))
    return window.end if last else window.start


def _places(tokens: Sequence[Token], words: Set[str]) -> list[int]:
    """Where one of some words stands."""
    return [place for place, token in enumerate(tokens) if token.word in words]


def _tells(reading: Reading, match: Match, marks: Sequence[int], habits: Sequence[int]) -> bool:
    """Whether a match dates what its sentence tells: not in a question, not in a habit.

    `marks` are the places of marks that end a sentence, `habits` those of words such as "every".
    """
    interval = match.interval
    if interval.kind is TimeKind.SESSION or interval.bare in (Bare.PRESENT, Bare.CLOCK):
        return False
    upcoming = bisect_left(marks, match.end)
    last = marks[upcoming] if upcoming < len(marks) else len(reading.tokens) - 1
    if reading.tokens[last].word in _QUESTION_MARKS:
        return False
    before = bisect_left(marks, match.start)
    first = marks[before - 1] + 1 if before else 0
    if bisect_left(habits, first) != bisect_right(habits, last) and _recurs(reading, match):
        return False
    if interval.bare is not Bare.NAME:
        return True
    place = _place(reading, match)
    placed = place.ends or place.topical or match.listed or place.before_in("prepositions")
    # "Am WE bei Oma gewesen".
    placed = placed or place.word(match.start) in reading.language.sets["prepositions"]
    # Nothing stands between the words: "奶奶周六来", "五月我们搬家"; somebody may be a month.
    weekday = "DOW" in reading.tokens[match.start].entries
    if reading.language.cjk and (weekday or place.after_in("followers")):
        return True
    # "Monday at the latest": nobody is called so, as somebody is May.
    goes_on = place.changes or any(map(place.after_in, ("prepositions", "subjects", "denying")))
    # "Sabato andiamo a Verona": nor is a weekday before a verb.
    goes_on = goes_on or (weekday and place.goes_on_plainly and not place.after_in("be"))
    return placed or (interval.grain <= Grain.DAY and goes_on)


def _recurs(reading: Reading, match: Match) -> bool:
    """Whether a time in a sentence about a habit is no more than what comes round.

    "The weekly sync is on Tuesday at 10", "rent is always due on the 3rd". A report is of one day,
    and so is what was moved: "the weekly report was late on Tuesday".
    """
    if match.interval.side is not Side.NONE or reading.tense.is_moved_to(match.start):
        return False
    if reading.tense.at(match.start) is Pointing.BACK:
        return False
    if match.interval.bare in (Bare.DAY, Bare.NAME):
        return True
    tokens = reading.tokens[match.start : match.end]
    # "Covers from Friday six pm to Monday six am every second weekend".
    if "DOW" not in tokens["range" in tokens[0].entries].entries:
        return False
    return all(_DATED.isdisjoint(token.entries) for token in tokens)


def _combined(matches: Sequence[Match]) -> Match:
    best = matches[0]
    for match in matches[1:]:
        if match.listed and match.start - best.end <= LIST_REACH and _is_alike(best, match):
            best = _hull(*_in_one_month(best, match))
        elif _holds(best.interval, match.interval) or (
            not _holds(match.interval, best.interval) and _rank(match) > _rank(best)
        ):
            best = match
    return best


def _is_alike(first: Match, second: Match) -> bool:
    """Whether what stands in a list is one: not "on Friday and again in June"."""
    return second.start - first.end <= 2 or first.interval.grain is second.interval.grain


def _in_one_month(first: Match, second: Match) -> tuple[Match, Match]:
    """ "On the 3rd and on 10 October": a day without a month takes that of the other."""
    left, right = first.interval, second.interval
    if left.start is None or right.start is None or left.grain is not Grain.DAY:
        return first, second
    if (left.bare is Bare.DAY) is (right.bare is Bare.DAY) or left.grain is not right.grain:
        return first, second
    if left.bare is Bare.DAY:
        return replace(first, interval=_day_near(left, right.start, step=-1)), second
    return first, replace(second, interval=_day_near(right, left.start, step=1))


def _day_near(interval: Interval, dated: datetime, step: int) -> Interval:
    """A day of the month in the month of a date, or in the one before or after it."""
    assert interval.start
    day, month = interval.start.day, floor(dated, Grain.MONTH)
    start = add(month, day - 1, Grain.DAY)
    if (start - dated).days * step < 0:
        start = add(add(month, step, Grain.MONTH), day - 1, Grain.DAY)
    if start.day != day:
        return interval
    return replace(interval, start=start, end=add(start, 1, Grain.DAY))


def _hull(first: Match, second: Match) -> Match:
    left, right = first.interval, second.interval
    if None in (left.start, left.end, right.start, right.end):
        return first
    assert left.start and left.end and right.start and right.end
    interval = replace(left, start=min(left.start, right.start), end=max(left.end, right.end))
    return Match(interval, first.start, second.end)


def _holds(outer: Interval, inner: Interval) -> bool:
    starts = outer.start is None or (inner.start is not None and outer.start <= inner.start)
    ends = outer.end is None or (inner.end is not None and inner.end <= outer.end)
    return starts and ends


def _rank(match: Match) -> tuple[bool, bool, bool, bool]:
    interval = match.interval
    return (
        interval.kind is not TimeKind.FUZZY,
        interval.kind is TimeKind.ABSOLUTE,
        interval.grain <= Grain.DAY,
        interval.bare is Bare.NO,
    )
