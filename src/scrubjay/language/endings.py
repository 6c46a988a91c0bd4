"""Tells a question that what has ended may answer since it asks how long something held."""

from __future__ import annotations

import re

# Of lower case: there, a letter that none of it begins with is passed over at once.
_LASTING = re.compile(
    r"\b(?:until when\b|untill when\b|till? when\b|how long\b|expir|ran out\b|runs? out\b"
    r"|lapsed?\b|no longer\b|end(?:s|ed)?\b"
    r"|bis wann\b|wie lange\b|abgelaufen\b|läuft .{0,40}\baus\b"
    r"|hasta cuándo\b|caduc|vence\b|venció\b|jusqu['’]à quand\b|expiré"
    r"|fino a quando\b|scad|até quando\b|expirou\b)"
    r"|到什么时候|过期|いつまで"
)
_VALID = re.compile(
    r"\b(?:valid\b|gültig|valables?\b|valides?\b|válid[oa]s?\b|vigente|valid[oaie]\b)"
)
_WARRANTY = re.compile(r"\b(?:warrant|garanti|garanzia)")
# "Is it valid?" is about now; "when was it valid?" is not.
_OF_A_TIME = re.compile(
    r"\b(?:was|were|had|did|when|from|war(?:en)?|hatten?|galt(?:en)?|wann|était|étaient|quand|fue|era"
    r"|eran|estaba|cuándo|quando|erano|fu)\b"
)
_YES_OR_NO = re.compile(
    r"^\W*(?:(?:and|but|so|hey|hi|und|et|y|e)\W+)?(?:is|are|isn't|aren't|do|does|doesn't|have|has"
    r"|haven't|hasn't|ist|sind|hat|haben|habe|est-ce|est|sont|es|está|sigue|tiene|tenemos|è|sono|ha"
    r"|abbiamo|é|são|tem|temos)\b"
)


def asks_for_endings(question: str) -> bool:
    """Whether what has ended may be the answer: "until when could I exchange it?"."""
    lowered = question.lower()
    if _LASTING.search(lowered) is not None:
        return True
    warranty = _WARRANTY.search(lowered) is not None
    if not warranty and _VALID.search(lowered) is None:
        return False
    if _OF_A_TIME.search(lowered) is not None:
        return True
    return warranty and _YES_OR_NO.search(lowered) is None
