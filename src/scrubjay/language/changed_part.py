"""Tells whether a change says anything about what a question asks of the memory that it changes."""

from __future__ import annotations

import re
from functools import cache

from scrubjay.language.asked_values import Sought, kind_sought
from scrubjay.language.contrast import rough, stems_of
from scrubjay.language.detection import detect_language
from scrubjay.language.stopwords import language_words, noise_words
from scrubjay.language.told_values import Values, day_names, month_names, values_of

# Who ends something says so of all that it was.
_OVER = re.compile(
    r"\b(?:cancel|called off|scrapped|no longer|any ?more\b|discontinued|(?:clos|shut)\w* down"
    r"|(?:is|are|'s) (?:gone|off|over|dead)\b|replace[ds]|retire[ds]|quit\b|resign|stopped"
    r"|threw out|got rid|abgesagt|gekündigt|nicht mehr|fällt aus|annul|ya no\b|cancelad"
    r"|non .{1,40}\bpiù\b|não .{1,40}\bmais\b|já não|n(?:e |')[^,.;]{1,40}\bplus\b|afgelast)",
    re.IGNORECASE,
)
_TAKES_OVER = re.compile(
    r"\b(?:takes?|took|taken|taking) (?:over|on)\b|\bsucceed|\bstep(?:s|ped) in\b"
    r"|übern[ai]|übernomm|\bprend\w* (?:la relève|le relais)|se encarga|subentra|assume\b",
    re.IGNORECASE,
)
# Who moves something is not what it is moved to: "SBB moved the train to 7:40".
_MOVER = re.compile(
    r"^\W*(?:the |our |der |die |das |le |la |el )?(?P<who>[\w'.-]+(?: [\w'.-]+)?)"
    r"(?: has| have|'ve| just| hat| haben)?"
    r" (?:moved|changed|postponed|pushed|rescheduled|shifted|raised|lowered|put|brought|upped|cut"
    r"|verschob|verlegte|a (?:reporté|avancé|déplacé)|movió|cambió|aplazó|ha spostato|adiou)\b"
)
_NOT = re.compile(
    r"\b(?:not|never|avoid\w*|allerg\w+|without|nicht|nie|keine?n?|ohne|pas|jamais|sans|éviter|nunca"
    r"|evitar|sin|mai|senza|não|sem)\b|n't\b",
    re.IGNORECASE,
)
# What belongs together stands between these.
_PARTS = re.compile(
    r"[,;:()]\s*|\s[-–—]\s|[.!]\s+|\s(?=(?:with|from|at|on|in|by|for|under|and|mit|bei|von|vom|am|um"
    r"|im|in|und|auf|avec|à|au|chez|et|dans|par|con|en|y|del|da|dal|alle|e|com|em|no|na|às)\s)",
    re.IGNORECASE,
)
_TIMES = frozenset({"clock", "weekday", "date"})
_CODES = frozenset({"code", "phone", "account", "card", "version"})
_A_CODE = re.compile(r"\S*(?:\d\S*[^\W\d_]|[^\W\d_]\S*\d|://|@)\S*|(?<![\d.,:])\d{3,}(?![.,:]?\d)")
_TOKEN = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*|[.!?:](?=\s)")
_NAMED_VALUE = re.compile(
    r"([^\W\d_]+)\W{1,3}(?:(?:is|are|of|on|at|ist|am|um|le|el|il|o) )?[£$€]?\d", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+")
_DAYS = "|".join(sorted(day_names(), key=len, reverse=True))
_LASTS = re.compile(r"measure in (?:second|minute|min|hour|day|week|month|year)$")
_WHICH_DAY = re.compile(
    r"\b(?:first|second|third|fourth|last|every other|erste[nrs]?|zweite[nrs]?|dritte[nrs]?"
    rf"|letzte[nrs]?|premier|deuxième|dernier|primer|segundo|último|primo|secondo"
    rf"|ultimo) (?:{_DAYS})\b",
    re.IGNORECASE,
)
# What says that something changed, and not to what.
_SAYING_SO = frozenset(
    "sofort geändert verlegt verschoben umgestellt changé reporté avancé déplacé cambiado cambió"  # noqa: SIM905
    " aplazado cambiato spostato rinviato mudou adiado gewijzigd verplaatst said confirmed".split()
)


def says_of_asked(question: str, new: str, old: str) -> bool:
    """Whether a newer text says anything of what a question asks and found the older by; in doubt.

    A flight that is moved has the code of its booking still: of a memory that tells several things
    a change may concern one. It says nothing of what is asked if it gives a value of another kind,
    or if what the question names stands in a part of the older that it does not touch.
    """
    if _OVER.search(new):
        return True
    if _NOT.search(question) and _NOT.search(old) and not _NOT.search(new):
        return False
    news = _kinds(_values_beside(new, old))
    sought = kind_sought(question)
    if not _may_give(sought, news, new, old):
        return False
    if not news or sought in (Sought.PERSON, Sought.PLACE):
        return True
    return _touches(question, new, old, news, rival=sought in (Sought.TIME, Sought.AMOUNT))


def _may_give(sought: Sought | None, news: frozenset[str], new: str, old: str) -> bool:
    """Whether a text has, beside what an older one has, what may be of the kind that is sought."""
    times, others = news & _TIMES, news - _TIMES
    if sought is Sought.PERSON:
        return not news or bool(_TAKES_OVER.search(new)) or _names_another(new, old)
    if sought is Sought.PLACE:
        return not news or bool(_other_words(new, old))
    if sought is Sought.TIME:
        return bool(news) or not _kinds(values_of(old)) & _TIMES
    if sought is Sought.AMOUNT:
        return not times or bool(others)
    if sought is Sought.CODE:
        return not news or bool(news & _CODES) or _has_code(new, old)
    return True


def _touches(question: str, new: str, old: str, news: frozenset[str], *, rival: bool) -> bool:
    """Whether a change concerns the part of an older text that a question is about.

    That is where words stand that the question has and the change has not; with `rival`, only
    where a value stands that the change might be of, too.
    """
    head, *parts = [part for part in _PARTS.split(old) if part.strip()] or [old]
    said = stems_of(new)
    lacking = stems_of(question) - said - stems_of(head)
    asked = [part for part in parts if not lacking.isdisjoint(stems_of(part))]
    if not asked:
        return True
    alike = [part for part in (head, *parts) if _compatible(news, _kinds(values_of(part)))]
    named = [part for part in alike if not said.isdisjoint(stems_of(part))]
    meant = named or alike
    if rival:
        others = [part for part in asked if part in alike and part not in meant]
        return not any(_names_its_value(part, lacking) for part in others)
    return any(part in meant or not said.isdisjoint(stems_of(part)) for part in asked)


def _names_its_value(part: str, words: frozenset[str]) -> bool:
    """Whether one of some words stands right before a value: "deposit 1,800"."""
    named = (stems_of(match[1]) for match in _NAMED_VALUE.finditer(part))
    return any(not words.isdisjoint(stems) for stems in named)


def _compatible(news: frozenset[str], kinds: frozenset[str]) -> bool:
    """Whether a value of the one may take the place of one of the other."""
    if news & _TIMES and kinds & _TIMES:
        return True
    bare = "number" in news and bool(kinds - _TIMES - _CODES)
    return bare or bool(news & kinds - _TIMES)


def _values_beside(new: str, old: str) -> Values:
    """The values of a text that an older one has not."""
    known = values_of(old)
    beside = {
        kind: values - known.get(kind, frozenset()) for kind, values in values_of(new).items()
    }
    days = _days_counted(new) - _days_counted(old)
    return {kind: values for kind, values in beside.items() if values} | (
        {"weekday": days} if days else {}
    )


def _days_counted(text: str) -> frozenset[str]:
    return frozenset(match.group().lower() for match in _WHICH_DAY.finditer(text))


def _kinds(values: Values) -> frozenset[str]:
    """The kinds of some values: what is counted or dated is no number besides."""
    inside = {
        digits
        for kind, each in values.items()
        if kind != "number"
        for value in each
        for digits in (value, *_DIGITS.findall(value))
    }
    alone = values.get("number", frozenset()) - inside
    measured = any(kind.startswith(("measure", "money", "share")) for kind in values)
    paid = bool(values.keys() & {"money", "share"})
    return frozenset(
        kind
        for kind in values
        if (kind != "number" or alone)
        and not (kind == "version" and measured)
        and not (paid and _LASTS.match(kind))  # 900 euros a month
    )


def _other_words(new: str, old: str) -> frozenset[str]:
    """What a text says beside an older one, and beside who does it."""
    mover = _MOVER.match(new)
    words = stems_of(new) - stems_of(old) - _saying_so()
    return words - stems_of(mover["who"]) if mover else words


@cache
def _saying_so() -> frozenset[str]:
    return frozenset(map(rough, _SAYING_SO))


def _names_another(new: str, old: str) -> bool:
    """Whether a text has a name that an older one has not."""
    if detect_language(new) == "de":
        return bool(_other_words(new, old))  # where every noun has a capital
    mover, before = _MOVER.match(new), "."
    known = {token.lower() for token in _TOKEN.findall(old)} | _no_names()
    for match in _TOKEN.finditer(new):
        token = match.group()
        begins, before = before in ".!?:", token
        acts = mover is not None and match.end() <= mover.end("who")
        named = token[0].isupper() and not token.isupper()
        if named and token.lower() not in known and not acts:
            return not begins or mover is None
    return False


def _has_code(new: str, old: str) -> bool:
    """Whether a text has a code, a long number or an address that an older one has not."""
    spans = [match.group() for match in _A_CODE.finditer(new)]
    return any(span.strip(".,;!?") not in old and not _is_value(span) for span in spans)


def _is_value(span: str) -> bool:
    return any(not kind.startswith(("code", "number", "phone")) for kind in values_of(span))


@cache
def _no_names() -> frozenset[str]:
    """Words that are written with a capital here or there, and name nobody."""
    noise = (noise_words(language) for language in language_words())
    return frozenset[str]().union(*noise, day_names(), month_names().split("|"))
