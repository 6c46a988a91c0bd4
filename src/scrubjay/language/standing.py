"""Reads what somebody has one of for a while: where they live or work, and what they drive."""

from __future__ import annotations

import re
from collections.abc import Collection

# Who, and what may stand between that and the verb. No name is longer: "We-We-We" without an end
# would be gone through from each of its parts.
_WHO = (
    r"\b(?P<who>(?i:i|we|ich|wir|je|nous)|[A-ZÄÖÜ][\w-]{1,60})(?:['’](?:ve|m|re|s|d|ll))?"
    r"(?: (?:have|has|am|are|is|now|just|finally|only|had|got|been|both|habe|bin|jetzt))* "
)
_A_JOB = r"(?:an? |the )?(?:new )?(?:job|post|position|place)"
_KINDS = {
    "home": (
        r"(?:lives?|living|moved|moving|settled|settling|based|wohnen?|wohnt|lebe|habit\w+|vivo|vive)"
        r" (?:in|into|at|on|over in|down in|near|to|im|à|en)\b"
    ),
    "work": (
        r"(?:works?|working|teach(?:es|ing)?|started|starts|joined|signed|hired|arbeiten?|arbeitet"
        rf"|travaill\w+|trabaj\w+|(?:got|took|found) {_A_JOB}) "
        r"(?:at|for|with|as|in|on|by|bei|als|für|chez|comme|en)\b"
    ),
    "drive": (
        r"(?:drives?|driving|rides?|riding|fahre|fährt) (?:an?|the|my|his|her|our|old|ein\w*)\b"
    ),
}
_STANDING = re.compile(f"{_WHO}(?:{'|'.join(f'(?P<{kind}>{v})' for kind, v in _KINDS.items())})")
_CUES = frozenset(
    """
    live lives living moved moving settled settling based wohne wohnen wohnt lebe vivo vive work
    works working teach teaches teaching started starts joined signed hired arbeite arbeiten
    arbeitet job post position place drive drives driving ride rides riding fahre fährt
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_FIRST = frozenset({"i", "we", "ich", "wir", "je", "nous"})


# A longer text tells of many things; what is asked or may be is told of nobody.
_CHARACTERS_MAX = 160
_UNTOLD = re.compile(r"\?|\b(?:if|might|may|could|would|should|maybe|perhaps|used to|wants? to)\b")


def standing_of(text: str) -> frozenset[tuple[str, str]]:
    """What a text says somebody has one of, with whose that is; "" is whoever tells it."""
    return frozenset(
        (match.lastgroup or "", "" if match["who"].lower() in _FIRST else match["who"])
        for match in _STANDING.finditer(text)
    )


def standing_told(text: str, terms: Collection[str]) -> frozenset[tuple[str, str]]:
    """The same of a text that tells it; of most a look at their words, the terms, shows nothing."""
    if _CUES.isdisjoint(terms) or len(text) > _CHARACTERS_MAX:
        return frozenset()
    found = standing_of(text)
    # Few say any, and only those are looked through for a doubt.
    return found if found and _UNTOLD.search(text) is None else frozenset()
