"""Tells which kind of value a question asks for, and whether a text gives one."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

from scrubjay.language.alternatives import any_said
from scrubjay.language.cued import Cued
from scrubjay.language.told_values import day_names, month_names, number_words, values_of

# For what is said to the user: English, finer than `Sought`, and none in doubt. Each with its
# article, to be read behind "gives"; the first that fits is asked for.
_ASKED = (
    ("a phone number", Cued("number", r"\b(?:phone|telephone|mobile|cell) number\b")),
    ("a time of day", Cued("time", r"\b(?:what|which) time\b")),
    ("a day", Cued("day date", r"\b(?:what|which) (?:day|date)\b")),
    (
        "a price",
        Cued(
            "much cost price fee rent salary deposit",
            r"\bhow much (?:money|does|did|do|is|was|are|were)\b"
            r"|\bwhat (?:does|did|do|is|was)\b.{0,80}\b(?:cost|price|fee|rent|salary|deposit)\b",
        ),
    ),
    (
        "a number",
        Cued(
            "many much long old far tall heavy number percentage",
            r"\bhow (?:many|much|long|old|far|tall|heavy)\b|\bwhat (?:number|percentage)\b",
        ),
    ),
)
# Any number may be a price, a time or a day: only a text without any is sure to give none.
_ANY_NUMBER = re.compile(rf"\d|\b(?:{number_words()}|hundred|thousand|half|dozen)\b", re.IGNORECASE)


class Sought(Enum):
    """The kind of what a question asks for, as far as one can tell what gives it."""

    CODE = "code"  # a number or a word that tells one of many from the others
    PERSON = "person"
    PLACE = "place"
    TIME = "time"
    AMOUNT = "amount"


# All in English, German, French, Spanish, Italian and Portuguese. Who asks in the words of these
# two asks for a time, or an amount, whatever else besides; "how late" is told by either.
_WHEN = re.compile(
    r"^\W*(?:\w+\W+|(?:tell|remind) (?:me|us) )?(?:when|wann|quand|cu[aá]ndo|quando)\b"
    r"|\b(?:what|which|welche[mnrs]?|quel(?:le)?|(?<!ce )qu[eé]|che)"  # "est-ce que mes clés"
    r" (?:day|date|time|month|year|tag|datum|uhrzeit|monat|jahr|jour|heure|mois|ann[eé]e|d[ií]a"
    r"|hora|mes|a[nñ]o|giorno|ora|mese|anno|m[eê]s)\b"
    r"|\bum wie ?viel uhr\b|\bhow (?:late|early)\b",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(
    r"\bhow (?:many|much|long|old|far|tall|heavy|often|big|large|high|warm|hot|wide|late|early)\b"
    r"|\bwhat(?:'s| is| was| are| were)\b.{1,50}\b(?:price|fee|rent|salary|deposit|percentage)\b"
    r"|\bwhat (?:do|does|did|will|would)\b.{1,50}\bcosts?\b"
    r"|\b(?:wie ?viele?|wie (?:hoch|oft|lange|alt|groß|weit|teuer)|was (?:kostet|kosten)|combien"
    r"|cu[aá]nt[oa]s?|quant[oaie]|quant[oa]s)\b",
    re.IGNORECASE,
)
# A question may have one of these words and ask for something else: "What did we say last time?"
_OF_TIMES = re.compile(
    r"\b(?:date|time|deadline|termin|datum|uhrzeit|heure|fecha|hora|data)\b", re.IGNORECASE
)
_OF_AMOUNTS = re.compile(
    r"\b(?:what|was|que|qué|che)\b.{1,60}\b(?:costs?|charge|pay|price|fee|rent|rate|limit"
    r"|budget|dose|kostet|kosten|coûtent?|cuestan?|costa)\b",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"^\W*(?:\w+\W+){0,2}?(?:who(?:m|se)?|we(?:r|m|n|ssen)|qui|quién(?:es)?|chi|quem)\b",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"^\W*(?:\w+\W+){0,2}?(?:where|wo|wohin|woher|où|dónde|dove|onde)\b", re.IGNORECASE
)
_WHICH_ONE = re.compile(
    r"\b(?:(?:number|code|id|pin|password|ip|url|link|e-?mail|iban|serial|login|nummer"
    r"|kennwort|passwort|numéro|mot de passe|número|clave|contraseña|codice|código|senha)\b"
    r"(?! (?:of )?(?:people|guests|days|hours)))",
    re.IGNORECASE,
)
# The first that fits.
_SOUGHT = (
    (Sought.CODE, _WHICH_ONE),
    (Sought.PERSON, _WHO),
    (Sought.PLACE, _WHERE),
    (Sought.TIME, _WHEN),
    (Sought.TIME, _OF_TIMES),
    (Sought.AMOUNT, _HOW_MUCH),
    (Sought.AMOUNT, _OF_AMOUNTS),
)
_TIMES = (
    "yesterday", "today", "tonight", "tomorrow", "ago", "last", "next", "weekends?", "weeks?",
    "months?", "years?", "morning", "evening", "afternoon", "noon", "midnight", "spring",
    "summer", "autumn", "winter", "christmas", "easter", "since", "until", "till", "hours?",
    "minutes?", "days?", "soon", "recently", "gestern", "heute", "morgen", "abends?", "mittags?",
    "wochen?", "jahre?n?", "monate?n?", "uhr", "tage?n?", "vor", "seit", "bis", "frühling",
    "sommer", "herbst", "weihnachten", "ostern", "stunden?", "hier", "aujourd'hui", "demain",
    "soir", "matin", "midi", "semaines?", "mois", "ann[ée]es?", "ans?", "jours?", "depuis",
    "jusqu", "été", "hiver", "noël", "heures?", "ayer", "hoy", "mañana", "noche", "semanas?",
    "mes(?:es)?", "años?", "días?", "desde", "hasta", "verano", "invierno", "navidad", "horas?",
    "ieri", "oggi", "domani", "sera", "mattina", "settiman[ae]", "mes[ei]", "ann[oi]",
    "giorn[oi]", "fino", "estate", "inverno", "natale", "or[ae]", "ontem", "hoje", "amanhã",
    "noite", "anos?", "dias?", "até", "verão",
)  # fmt: skip
_NUMBERS = (
    "hundred", "thousand", "half", "dozen", "once", "twice", "couple", "several", "few", "free",
    "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    "hundert", "tausend", "halb", "kostenlos", "deux", "trois", "quatre", "cinq", "sept",
    "huit", "neuf", "dix", "cent", "mille", "demie?", "dos", "tres", "cuatro", "cinco", "seis",
    "siete", "ocho", "nueve", "diez", "cien", "mil", "medi[oa]", "due", "tre", "quattro",
    "cinque", "sei", "sette", "otto", "nove", "dieci", "cento", "mezz[oa]", "dois", "duas",
    "três", "quatro", "sete", "oito", "dez", "cem", "mei[oa]",
)  # fmt: skip
# What is written in letters that none of these languages has may say anything.
_FOREIGN = r"[\u0370-\u1fff\u2e80-\U0010ffff]"
_ANY_AMOUNT = re.compile(
    rf"\d|{_FOREIGN}|\b(?:{number_words()})\b|\b{any_said(_NUMBERS)}\b", re.IGNORECASE
)
_ANY_TIME = re.compile(
    rf"\d|{_FOREIGN}|\b(?:{'|'.join(sorted(day_names()))})s?\b|\b(?:{month_names()})\b"
    rf"|\b{any_said(_TIMES)}\b",
    re.IGNORECASE,
)


def kind_sought(question: str) -> Sought | None:
    """The kind of what a question asks for, in doubt that of what it names; None: no known one."""
    return next((kind for kind, expression in _SOUGHT if expression.search(question)), None)


def value_sought(question: str) -> Callable[[str], bool] | None:
    """Tells of a text whether it may say when, or how much; None where neither is surely asked.

    False only of what surely does not; where both are asked, of what says neither.
    """
    asked = ((_WHEN, _ANY_TIME), (_HOW_MUCH, _ANY_AMOUNT))
    told = [telling for asking, telling in asked if asking.search(question)]
    return (lambda text: any(one.search(text) for one in told)) if told else None


def asked_value(question: str) -> str | None:
    """The kind of value that a question asks for, as the user is told it; None: no known one."""
    return next((kind for kind, expression in _ASKED if expression.search(question)), None)


def gives_value(kind: str, text: str) -> bool:
    """Whether a text may give a value of a kind; only where it surely does not, False."""
    if kind == "a phone number":
        return "phone" in values_of(text)
    return _ANY_NUMBER.search(text) is not None or bool(values_of(text))
