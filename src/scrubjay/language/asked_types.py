"""What kinds of memory a question asks for, by its trigger words."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TypeHint:
    """A type a question asks for, and the words that say so."""

    type: str
    trigger: str


_SUBJECT = r"(?:(?:the|my|our|his|her|their) )?[\w'-]+(?: and [\w'-]+| [A-Z][\w'-]+)?"
# "like" is a verb after a helper and its subject, or a pronoun; elsewhere it compares.
_LIKE = (
    rf"(?:\b(?:do|does|did|don't|doesn't|didn't|would|might) (?:not )?{_SUBJECT} "
    r"(?:really |also |usually |still |most |not )*|\b(?:I|you|we|they|he|she|who|user) (?:would )?"
    r"|\b(?:I|you|we|they|he|she)'d |\bwould )(?P<like>like)\b"
)
# "I want to know when..." is how a question opens, not what it is about.
_NOT_ASKING = r"(?! to (?:know|ask|see|hear|understand|find|learn|check))"
# At most a dozen words: a question in which every word has a capital is tried at each of them.
_ENTITY_NAME = r"(?:the )?(?-i:[A-Z][\w&.-]*(?: (?:of )?[A-Z0-9][\w&.-]*){0,11})(?!'s|\w)"
_ASKED_ENTITY_END = r"(?= *(?:$|[?.,!]|(?:in|at|from|for|and|team|project|app|company|service)\b))"

# For each type: words of which a question must hold one for the pattern to be tried, and it.
_HINTS: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    (
        "preference",
        ("prefer", "favo", "like", "want", "setting", "configur", "default"),
        re.compile(
            rf"\bprefer(?:s|red|ences?|ring)?\b|\bfavou?rites?\b|{_LIKE}{_NOT_ASKING}|\blikes\b"
            rf"|\bwant(?:s|ed)?\b{_NOT_ASKING}|\bsettings?\b(?! (?:up|off|out)\b)"
            r"|\bconfigur(?:e|es|ed|ing)\b|\bmy defaults?\b",
            re.IGNORECASE,
        ),
    ),
    (
        "event",
        ("when ", "what time", "happen", "occur", "was it", "did i"),
        re.compile(
            r"\bwhen (?:did|was|were)\b|\b(?:at )?what time (?:did|was|were)\b|\bat what time\b"
            r"|\bhappen(?:ed|s)?\b|\boccur(?:red|s)?\b|\bwas it\b|\bdid I\b",
            re.IGNORECASE,
        ),
    ),
    (
        "entity",
        ("who", "what", "tell me"),
        re.compile(
            r"\bwho(?: is|'s| are| was| were)\b(?! \w+ing\b)"
            rf"|\bwhat(?: is|'s| are| was) (?:an? )?{_ENTITY_NAME}{_ASKED_ENTITY_END}"
            rf"|\btell me (?:more )?about {_ENTITY_NAME}",
            re.IGNORECASE,
        ),
    ),
)


def type_hints(question: str) -> tuple[TypeHint, ...]:
    """The types a question asks for, each at most once, with the words that say so.

    Order: preference, event, entity. Empty for a question that names none.
    """
    plain = question.replace("’", "'")
    folded = plain.casefold()
    found = (
        (kind, pattern.search(plain))
        for kind, words, pattern in _HINTS
        if any(word in folded for word in words)
    )
    return tuple(
        TypeHint(kind, (match.groupdict().get("like") or match.group()).lower())
        for kind, match in found
        if match
    )
