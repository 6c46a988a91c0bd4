"""Finds the user's birthday in a bank, for questions such as "where did I live when I was 30?"."""

from __future__ import annotations

import re
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from scrubjay.language.analyzer import Analyzer
from scrubjay.language.dates import TimeContext, find_times
from scrubjay.store.base import BankReader, Scope, WordQuery

# Questions that count in years of the user's life.
# Of lower case: there, a letter that none of it begins with is passed over at once.
_AGE = re.compile(
    r"\b(?:when i (?:was|turned)\b|while i (?:was|turned)\b|in my (?:\w+ )?(?:teens|\w+ties|\d0)"
    r"|as a (?:teen|child|kid)|age[d ]"
    r"|my \w+ birthday\b|als (?:ich|kind|teenager|jugend)|mit \d+ jahren\b"
    r"|cuando (?:ten[ií]a|cumpl[ií])|a los \d+ a[nñ]os|de ni[nñ][oa]\b|quand j['’])"
    r"|à \d+ ans\b|岁"
)
_BORN = re.compile(
    r"\bI was born\b|\bI'm born\b|\bmy (?:birthday|date of birth) (?:is|was)\b"
    r"|\bich (?:bin|wurde) .{0,40}\bgeboren\b|\bmein geburtstag ist\b|\bnac[ií] (?:el|en)\b"
    r"|\bje suis née? (?:le|en)\b|我出生|我的生日",
    re.IGNORECASE,
)
_WORDS = "born birthday birth geboren geburtstag nací né née 出生 生日"
# So many units that speak of a birth are looked at, best first.
_UNITS_MAX = 20
_DAY = timedelta(days=1)


def speaks_of_age(question: str) -> bool:
    """Whether a question may count in years of the user's life."""
    return _AGE.search(question.lower()) is not None


def birth_of(bank: BankReader, zone: ZoneInfo) -> date | None:
    """The day the user was born, as the user told it; None if the bank does not know it."""
    terms = Analyzer(bank.settings.analysis).query_terms(_WORDS).any_of
    hits = bank.match_words(WordQuery(terms), limit=_UNITS_MAX, scope=Scope())
    for unit in bank.hydrate(hits.rows):
        said = _BORN.search(unit.text)
        if said is None:
            continue
        context = TimeContext(now=unit.told_at, zone=zone, looking="back")
        for mention in find_times(unit.text, context):
            start, end = mention.window.start, mention.window.end
            near = mention.end > said.start() and start is not None and end is not None
            if near and start is not None and end is not None and end - start < _DAY:
                return start.astimezone(zone).date()
    return None
