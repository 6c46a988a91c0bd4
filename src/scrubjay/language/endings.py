"""Tells a question that what has ended may answer: how long something holds, or what was before."""

from __future__ import annotations

import re

# Of lower case: there, a letter that none of it begins with is passed over at once.
_ASKED = re.compile(
    r"\b(?:until when\b|untill when\b|till? when\b|how long\b|expir|ran out\b|runs? out\b|valid\b"
    r"|warrant|lapsed?\b|no longer\b|used to\b|end(?:s|ed)?\b"
    r"|previous(?:ly)?\b|former(?:ly)?\b|original(?:ly)?\b|at first\b|back then\b|in the past\b"
    r"|was\b.{0,200}\bbefore\b|were\b.{0,200}\bbefore\b|did\b.{0,200}\bbefore\b"
    r"|had\b.{0,200}\bbefore\b"
    r"|früher|vorher|zuvor\b|auparavant\b|avant\b|antes\b|prima di\b"
    r"|bis wann\b|wie lange\b|gültig|abgelaufen\b"
    r"|hasta cuándo\b|caduc|vence\b|venció\b|jusqu['’]à quand\b|valable\b"
    r"|fino a quando\b|scad|até quando\b)"
    r"|以前|之前|到什么时候|过期|いつまで"
)


def asks_for_endings(question: str) -> bool:
    """Whether what has ended may be the answer: "until when could I exchange it?"."""
    return _ASKED.search(question.lower()) is not None
