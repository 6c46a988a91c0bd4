"""Tells a question that what has ended may answer: how long something holds, or what was before."""

from __future__ import annotations

import re

_ASKED = re.compile(
    r"\b(?:un)?till? when\b|\bhow long\b|\bexpir|\b(?:ran|runs?) out\b|\bvalid\b|\bwarrant"
    r"|\blapsed?\b|\bno longer\b|\bused to\b|\bend(?:s|ed)?\b"
    r"|\bprevious(?:ly)?\b|\bformer(?:ly)?\b|\boriginal(?:ly)?\b"
    r"|\bat first\b|\bback then\b|\bin the past\b"
    r"|\b(?:was|were|did|had)\b.{0,200}\bbefore\b"
    r"|\bfrüher\w*|\bvorher\w*|\bzuvor\b|\bauparavant\b|\bavant\b|\bantes\b|\bprima di\b|以前|之前"
    r"|\bbis wann\b|\bwie lange\b|\bgültig|\babgelaufen\b"
    r"|\bhasta cuándo\b|\bcaduc|\bvenc(?:e|ió)\b|\bjusqu['’]à quand\b|\bexpire|\bvalable\b"
    r"|\bfino a quando\b|\bscad|\baté quando\b|到什么时候|过期|いつまで",
    re.IGNORECASE,
)


def asks_for_endings(question: str) -> bool:
    """Whether what has ended may be the answer: "until when could I exchange it?"."""
    return _ASKED.search(question) is not None
