"""Finds the values a text names: amounts, shares, measures, times of day, days, numbers, codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

Values = Mapping[str, frozenset[str]]  # by kind, each as it would be written in digits

_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SPOKEN = {word: n for n, word in enumerate(_SMALL.split())} | {
    word: 20 + 10 * n for n, word in enumerate(_TENS.split())
}
_WORD = "|".join(sorted(_SPOKEN, key=len, reverse=True))
_NUMBER = rf"(?:\d[\d.,]{{0,20}}\d|\d|(?:{_WORD})(?:-(?:{_WORD}))?)"
# By number, in English, German, French, Spanish, Italian, Portuguese and Dutch.
_MONTHS = """
    january jan januar jänner janvier enero gennaio janeiro januari
    february feb februar février febrero febbraio fevereiro februari
    march mar märz mars marzo março maart
    april apr avril abril aprile
    may mai mayo maggio maio mei
    june jun juni juin junio giugno junho
    july jul juli juillet julio luglio julho
    august aug août agosto augustus
    september sept sep septembre septiembre settembre setembro
    october oct oktober okt octobre octubre ottobre outubro
    november nov novembre noviembre novembro
    december dec dezember dez décembre diciembre dicembre dezembro
"""
_DAYS = """
    monday montag lundi lunes lunedì segunda-feira maandag
    tuesday dienstag mardi martes martedì terça-feira dinsdag
    wednesday mittwoch mercredi miércoles mercoledì quarta-feira woensdag
    thursday donnerstag jeudi jueves giovedì quinta-feira donderdag
    friday freitag vendredi viernes venerdì sexta-feira vrijdag
    saturday samstag sonnabend samedi sábado sabato zaterdag
    sunday sonntag dimanche domingo domenica zondag
"""


def _by_first(rows: str) -> dict[str, str]:
    """Each word of a row with the first of it, which is the English one."""
    return {word: row.split()[0] for row in rows.strip().splitlines() for word in row.split()}


_MONTH_OF, _DAY_OF = _by_first(_MONTHS), _by_first(_DAYS)
_MONTH = "|".join(sorted(_MONTH_OF, key=len, reverse=True))
_WEEKDAY = "|".join(sorted(_DAY_OF, key=len, reverse=True))
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(expression, re.IGNORECASE))
    for kind, expression in (
        (
            "money",
            rf"[£$€¥] ?(\d[\d.,]{{0,20}}\d|\d)"
            rf"|\b({_NUMBER}) ?(?:euros?|dollars?|pounds?|eur|usd|gbp|yuan|quid)\b",
        ),
        ("share", rf"\b({_NUMBER}) ?(?:%|per ?cent\b)"),
        (
            "clock",
            r"\b(\d{1,2}:\d\d)\b|\b(\d{1,2} ?[ap]\.?m)\b|\b(noon|midnight)\b"
            r"|\b(\d{1,2}) ?(?:uhr|uur|h)\b",
        ),
        # A day of the week and one of a month are never each other's other value.
        ("weekday", rf"\b({_WEEKDAY})s?\b"),
        (
            "date",
            rf"\b(\d{{1,2}}(?:st|nd|rd|th|\.|er|º)?(?: of| de)? (?:{_MONTH}))\b"
            rf"|\b((?:{_MONTH}) \d{{1,2}})(?:st|nd|rd|th)?\b"
            r"|\b(?:the|(?:mon|tues|wednes|thurs|fri|satur|sun)day) (\d{1,2})(?:st|nd|rd|th)\b",
        ),
        ("version", r"\b\d+\.\d+(?:\.\d+)*\b(?! ?%)"),
        ("code", r"`([^`]{1,80})`|\b((?=[\w-]{0,40}\d)(?=[\w-]{0,40}[a-z])[a-z\d]+(?:-[\w]+)+)\b"),
    )
)
# Long numbers, by what tells them apart: an IBAN by its country, a card by its groups.
_LONG: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("account", re.compile(r"\b[A-Z]{2}\d\d(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b")),
    (
        "card",
        re.compile(
            r"(?<![\w.:/-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5})(?!\w)"
        ),
    ),
    ("phone", re.compile(r"(?<![\w.:/-])(?:\+\d|\(0|\d)[\d ()./-]{5,20}\d(?!\w|[:/.-]\w)")),
)
_LONG_DIGITS = re.compile(r"(?:\d[ ()./-]{0,3}){7}|[A-Z]{2}\d\d")
_PHONE_DIGITS_MAX = 15
# "415-555-2671" and the like, which begin with no zero.
_PHONE_GROUPS = ((3, 3, 4), (1, 3, 3, 4))
_KINDS_IN_WORDS = tuple(
    each for each in _KINDS if each[0] in ("money", "share", "clock", "weekday")
)
_MEASURE = re.compile(
    rf"\b({_NUMBER}) ?(mg|ml|g|kg|km|cm|mm|l|gb|mb|tb|ms|degrees?|volts?|miles?"
    r"|(?:micro|milli|kilo)?(?:grams?|met(?:er|re)s?|watts?)|lit(?:er|re)s?"
    r"|seconds?|minutes?|mins?|hours?|days?"
    r"|weeks?|months?|years?|columns?|people|persons?|units?|tablets?|pieces?|pages?|rooms?|seats?"
    r"|(?:\w+ )?(?:an?|per) (?:minute|hour|day|week|month|year))\b",
    re.IGNORECASE,
)
# "Three shifts": what is counted stands behind its number, in the plural.
_COUNTED = re.compile(
    rf"\b(\d{{1,4}}|(?!zero\b|one\b)(?:{_WORD})) (?!has\b|was\b|does\b)([a-z]{{2,20}}[a-rt-z]s)\b",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"(?<![\w.,:/-])\d[\d,]{0,12}(?:\.\d+)?(?![\w:/-])")


_DIGIT = re.compile(r"[\d`]")
_LETTERS = re.compile(r"[^\W\d_]+(?:-feira)?")
# Without a digit, a text that has none of these names no value; to see that is cheap.
_VALUE_WORDS = frozenset([*_SPOKEN, *_DAY_OF, *(f"{day}s" for day in _DAY_OF), "noon", "midnight"])


def number_words() -> str:
    """The words for small numbers, as alternatives of an expression."""
    return _WORD


def month_names() -> str:
    """The names of the months, as alternatives of an expression."""
    return _MONTH


def day_names() -> frozenset[str]:
    """The names of the days of the week."""
    return frozenset(_DAY_OF)


def values_of(text: str) -> Values:
    """The values a text names, by kind."""
    if _DIGIT.search(text) is None and _VALUE_WORDS.isdisjoint(_LETTERS.findall(text.lower())):
        return {}
    found: dict[str, set[str]] = {}
    for kind, value in _found(text):
        found.setdefault(kind, set()).add(value)
    return {kind: frozenset(values) for kind, values in found.items()}


def _found(text: str) -> Iterator[tuple[str, str]]:
    if _DIGIT.search(text) is None:
        # Numbers in words are only told from plain words by what stands behind them.
        kinds = _KINDS_IN_WORDS
    else:
        kinds = _KINDS
        if _LONG_DIGITS.search(text) is not None:
            for kind, match in _long_numbers(text):
                yield kind, "".join(filter(str.isalnum, match.group()))
                # Its groups are no numbers of their own.
                text = text[: match.start()] + " " * len(match.group()) + text[match.end() :]
        for match in _PLAIN.finditer(text):
            yield "number", written(match.group())
    for kind, expression in kinds:
        for match in expression.finditer(text):
            value = next((group for group in match.groups() if group), match.group())
            yield kind, _NORMAL[kind](value) if kind in _NORMAL else written(value)
    for match in _MEASURE.finditer(text):
        unit = match[2].lower().split()[-1].removesuffix("s")
        yield f"measure in {unit}", written(match[1])
    for match in _COUNTED.finditer(text):
        yield f"number of {match[2].lower()}", written(match[1])


def _long_numbers(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Accounts, cards and phone numbers, none inside another."""
    taken: set[int] = set()  # the places of their characters
    for kind, expression in _LONG:
        for match in expression.finditer(text):
            if match.start() in taken or match.end() - 1 in taken:
                continue
            if kind != "phone" or _is_phone(match.group()):
                taken.update(range(*match.span()))
                yield kind, match


def _is_phone(written: str) -> bool:
    """Whether a long number is one to call: no day, stretch of hours, decimal or address."""
    groups = tuple(len(group) for group in _DIGITS.findall(written))
    joints = set(written) & set("./-()")
    if sum(groups) > _PHONE_DIGITS_MAX or _DAY_IN_NUMBERS.search(written) is not None:
        return False
    if not joints:
        return len(written) > _PHONE_WRITTEN_MIN
    if max(groups) <= 2:
        # Pairs are a number if there are enough of them, and all joined alike.
        return len(groups) >= 5 and len(joints) == 1
    if written[0] in "+(0":
        return True
    return groups in _PHONE_GROUPS or (groups == (3, 4) and joints == {"-"})


_DIGITS = re.compile(r"\d+")
_DAY_IN_NUMBERS = re.compile(r"\b\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d\b")
_PHONE_WRITTEN_MIN = 7


def _dated(value: str) -> str:
    """A day of a month by its number and the English month, or by the number alone."""
    words = _DATE_WORDS.findall(value.lower())
    days, months = (
        [w for w in words if w.isdigit()],
        [_MONTH_OF[w] for w in words if w in _MONTH_OF],
    )
    return " ".join([*days, *months])


_DATE_WORDS = re.compile(r"\d+|[^\W\d_]{3,}")
_NORMAL: Mapping[str, Callable[[str], str]] = {
    "date": _dated,
    "weekday": lambda value: _DAY_OF[value.lower()],
}


def written(value: str) -> str:
    """A number as it is written in digits, without commas; anything else lowered."""
    lowered = value.lower().replace(",", "").strip(" .")
    first, _, second = lowered.partition("-")
    if first in _SPOKEN and (not second or second in _SPOKEN):
        return str(_SPOKEN[first] + _SPOKEN.get(second, 0))
    return lowered


# The kind of a bare number that something is changed to, whatever it measures.
ANY = "any"
_MEASURED = ("money", "share", "measure", "number")


def differing(new: Values, old: Values) -> tuple[str, ...]:
    """The kinds of value of which both name some, and neither all that the other does."""
    kinds = [
        kind
        for kind, values in new.items()
        if kind in old
        and not (kind == "number" and _are_of_unlike_kinds(new, old))
        and not (_within(kind, values, old[kind]) or _within(kind, old[kind], values))
    ]
    if ANY in new:
        measured = [each for kind, each in old.items() if kind.startswith(_MEASURED)]
        if measured and not new[ANY] & frozenset[str]().union(*measured):
            kinds.append(ANY)
    return tuple(kinds)


def _are_of_unlike_kinds(new: Values, old: Values) -> bool:
    """Whether each counts something, and nothing that the other does: 75 euros and 50 mg."""
    ours, theirs = (
        {kind for kind in each if kind != "number" and kind.startswith(_MEASURED)}
        for each in (new, old)
    )
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _within(kind: str, values: frozenset[str], others: frozenset[str]) -> bool:
    """Whether others are all that some are; a day without its month is any month's."""
    if values <= others:
        return True
    if kind != "date":
        return False
    days = {other.split()[0] for other in others}
    return all(v in others or v in days or (v.split()[0] in others) for v in values)
