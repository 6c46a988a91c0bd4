"""Tells what of something that changed a question asks for: what holds, what was before, or all."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from scrubjay.language.cued import Cued
from scrubjay.language.foreign_changes import words_of_question
from scrubjay.language.told_values import day_names, month_names


class Asked(Enum):
    """What of something that changed a question asks for."""

    NOW = "now"
    WAS = "was"  # what was, which may be a way to ask for what is: that first, and the other, too
    BEFORE = "before"
    FIRST = "first"
    ALL = "all"  # each that there was: in the order in which the question finds them
    WHY = "why"  # a reason, which is found where it was told, whatever came of it since
    HAPPENED = "happened"  # something that happened once, of which the latest is no better answer


# What has ended may answer such a question.
OF_THE_PAST = frozenset({Asked.WAS, Asked.BEFORE, Asked.FIRST, Asked.ALL})

_LAST = Cued(
    "end ended wound finally eventually really all last",
    r"\b(?:in the end|at the end(?! of\b)|(?:end(?:ed)?|wound) up|finally|eventually|really"
    r"|after all|at last)\b",
)
_FIRST = Cued(
    "original originally initial initially first beginning begin began started start",
    r"\b(?:original(?:ly)?|initial(?:ly)?|at first"
    r"|the (?:very )?first (?:price|date|day (?:we|they|you)|plan|offer|version|choice|idea"
    r"|estimate|quote|budget|deadline|value|setting|address|venue|slot|proposal|figure|limit|room)"
    r"|first (?:been )?(?:planned|agreed|meant|booked|scheduled|quoted|called|supposed|offered"
    r"|asked|charged|proposed|intended|hop(?:ed|ing))"
    r"|when (?:i|we|he|she|it|they|you) first \w+"
    r"|(?:planned|agreed|meant|booked|scheduled|supposed)\b.{0,40}\b(?:at )?first\s*\?*\s*$"
    r"|in the beginning|to begin with|began|started out|at the start)(?!\w)",
)
_WHOSE = r"(?:my|our|your|his|her|its|their)"
# What one left, and what took its place: "which firm did we replace?".
_GIVEN_UP = (
    r"(?:replace|leave|quit|drop|ditch|abandon|cancel|retire|give up|get rid of|let go"
    r"|part (?:ways )?with|stop \w+ing|(?:move|switch|change|migrate)(?: away| over)? from)"
)
_BEFORE = Cued(
    "before use used previous previously formerly former back time earlier past prior been"
    " until then old did didn",
    r"\bbefore\s*\?\s*$|\bdid(?:n't| not)?\b.{0,200}\buse to\b"
    r"|\b(?:used to|previous(?:ly)?|formerly|former(?! (?:or|and)\b)|back then|at the time"
    r"|earlier(?! (?:this|today|than|in)\b)|in the past|prior(?! to\b)|had (?:\w+ )?been"
    r"|(?:was|were|did|had|could|would|\w{2,20}ed)\b.{0,200}\b(?:before|until|then)"
    rf"|(?:was|were|wasn't|weren't|did|didn't|had)\b.{{0,60}}\b{_WHOSE} old"
    # "The old mill" may be its name.
    r"|(?:what|who|which|where) (?:was|were) the old(?=(?: [\w-]+){1,3}\s*(?:\?|$|,))"
    rf"|(?:what|who|which|where)(?:'s| is| are) {_WHOSE} old (?!friend|m[ae]n\b|wom[ae]n\b)"
    r"|(?:which|what|who(?:m|se)?) \w+.{0,60}? did(?:n't)? (?:\w+ ){1,3}?"
    rf"{_GIVEN_UP})\b",
)
# Whoever asks for all there were asks for what was changed, too; how often something is done is a
# rate, of which the latest holds.
_ALL = Cued(
    "all every each list many often time other far ever have has had did were",
    r"\b(?:all (?:of )?(?:the|our|my|them|those)|every (?!day|week|month|year|time)\w+"
    r"|each (?:of|time)|list|how many times|how often (?!do|is|are|must|should|can|may)"
    r"|over time|one after the other|so far|ever"
    r"|(?:which|what) (?:\w+ ){0,2}\w+s (?:have|has|had|did|were))\b",
)
_WAS = Cued(
    "was were",
    r"\b(?:what|where|who|how much|(?:which|what)(?: \w+)?) (?:was|were)\b",
)
# Who has forgotten something asks for it as it is: "what was the code again?".
_FORGOTTEN = Cued(
    "remind forget forgot forgotten remember recall think refresh slipped once again",
    r"\bremind (?:me|us)\b|\b(?:i|we)(?:'ve| have)? (?:just )?(?:forg[eo]t|forgotten)\b"
    r"|\b(?:can't|cannot|can not|don't|couldn't)(?: quite| really)? (?:remember|recall|think of)\b"
    r"|\brefresh my memory\b|\bslipped my mind\b|\bonce more\b"
    r"|^\W*(?:\w+\W+){0,3}?(?:what|where|who|which|when|how)\b.{0,200}\bagain\b",
)
_WHY = Cued(
    "why come reason reasons made caused led warum wieso weshalb pourquoi por perche waarom",
    r"^\W*(?:and |but |so )?(?:why|how come|for what reason)\b|\b(?:the|a|any) reasons?\b"
    r"|\bwhat (?:made|caused|led)\b"
    r"|^\W*(?:warum|wieso|weshalb|pourquoi|por qu[eéê]|perch[eé]|waarom)\b",
)
# "Which bank was I with before Norda?": what names Norda is what came then.
_BEFORE_NAMED = Cued(
    "before vor avant antes prima voor",
    r"\b(?:before|vor|avant|antes d(?:e(?: la)?|[ao])|prima d(?:i|el|ella)|voor)\s+"
    r"(?:(?:the|my|our|we|she|he|they|it|i|you|had|mrs?\.?|ms\.?|dr\.?|der|die|dem|le|la)\s+)*"
    r"(?:(?:went|moved|switched|changed|got|joined|came|took|started)\s+"
    r"(?:(?:to|into|with|over|on|at)\s+)*)?(?:the\s+)?((?-i:[A-ZÄÖÜÉ])[\w'-]+)",
)
# What is to be done before a thing is no question for what was before it.
_TO_COME = re.compile(
    r"^\W*(?:\w+\W+){0,4}?(?:must|should|shall|can|may|needs?|will|do|does|is|are|am|has to|have to"
    r"|muss|müssen|soll(?:en)?|kann|darf|wird|werden|ist|sind|steht|faut|dois|doit|debo|hay)\b"
    r"(?!.*\b(?:was|were|did|had|use|used)\b)",
    re.IGNORECASE,
)
# "Was kostet ...": in German it asks for a thing.
_HAPPENED = Cued(
    "did didn was were had because",
    r"\b(?:did|didn't|(?<!^)was|were|had|because)\b"
    r"|^was (?:the|an?|it|that|this|there|he|she|i|my|our|his|her|their|(?-i:[A-Z])\w+)\b",
)
_DAYS_AND_MONTHS = day_names() | frozenset(month_names().split("|"))


# The scope, the signs and the order each ask of the same question.
@lru_cache(maxsize=64)
def asked_version(question: str) -> Asked:
    """What of something that changed a question asks for, by its words; what holds, in doubt."""
    if _LAST.search(question):
        return Asked.NOW
    foreign = words_of_question(question)
    if _FIRST.search(question) or "first" in foreign:
        return Asked.FIRST
    if _BEFORE.search(question) or "before" in foreign or name_of_what_came(question):
        return Asked.BEFORE
    if _WHY.search(question):
        return Asked.WHY
    if _ALL.search(question) or "all" in foreign:
        return Asked.ALL
    if _FORGOTTEN.search(question) or "again" in foreign:
        return Asked.NOW
    if _WAS.search(question) or "was" in foreign:
        return Asked.WAS
    return Asked.HAPPENED if _HAPPENED.search(question) else Asked.NOW


def name_of_what_came(question: str) -> str | None:
    """The name of what something was before, as a question has it: no day, for that is a time."""
    named = _BEFORE_NAMED.search(question)
    if named is None or named[1].lower().removesuffix("s") in _DAYS_AND_MONTHS:
        return None
    return None if _TO_COME.search(question) else named[1]
