"""Tells whether a question asks what holds now, or what held at a time, and not what happened."""

from __future__ import annotations

import re

# What happened is told when it happened, so these win over all that follows. English, German,
# French, Spanish.
_EVENT = re.compile(
    r"\b(?:happen\w*|why|how come|came? (?:up|in|from|out|back)|come from|t(?:ake|ook) place|wrong"
    r"|br(?:eak|oke)|caused?|matter|died|passed away|going on|doing|done|news|reported|went|produce"
    r"|special|new|trouble|problems?|celebrate|up to|on for|everything|anything"
    r"|did (?:i|we|he|she|they|you|it|my|our|the \w+|[A-Z]\w+) (?:do|write|work|say|tell|buy|get|go"
    r"|manage|achieve|struggle|see|visit|make|decide|find|hear|learn|finish|start|ship)"
    r"|passiert|geschehen|geschah|warum|wieso|gemacht|getan|pourquoi|passé\b.*\?|arrivé|fait"
    r"|por qu[eé]|pas[oó]|hice|hizo|hicimos)\b",
    re.IGNORECASE,
)
# "Private rate in the spring", "the whole crew last year": a thing that has a value all the time.
_ATTRIBUTE = re.compile(
    r"^\W*(?:(?:the|my|our|his|her|their|its)\s*)?(?:all (?:the )?|whole |every)?(?:\w+ ){0,2}"
    r"(?:prices?|costs?|rates?|fees?|shares?|numbers?|limits?|rent|crew|staff|team|hours|address"
    r"|salary|dose|version|password|code|job|boss|everyone|tutors?|teachers?)\b",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"^\W*(?:(?:and |so |but |in|on)\s*)?"
    r"(?:(?:what|who|where|which|when)(?: \w+){0,3}? (?:was|were)\b"
    r"|how (?:much|many|warm|quick|high|big|long|often|strong|fast|dark|hot|cold|old|far)\b"
    r"|who (?:\w+ed|had|did|took|gave|ran|held|kept|led|taught)\b|which \w+ \w+ed\b"
    r"|(?:what|how) did\b.*\b(?:cost|charge|pay|look like|use|have|call|work)\b|what temp\w*\b"
    r"|was (?:kostete|zahlte)|wie (?:viel|hoch|oft|warm|lang)|wer (?:war|hatte)|wo war"
    r"|combien|c'était|qui (?:était|avait)|où était|cu[aá]nto|qui[eé]n (?:era|estaba|ten[ií]a)"
    r"|d[oó]nde (?:estaba|era))",
    re.IGNORECASE,
)

# Who says one of these knows that it has been otherwise. English, German, French, Spanish, Italian,
# Portuguese, Dutch, Polish.
_NOW = re.compile(
    r"\b(?:now|nowadays|these days|current(?:ly)?|still|latest|at (?:the moment|present)|any ?more"
    r"|so far|jetzt|momentan|aktuell\w*|derzeit|zurzeit|noch|inzwischen|mittlerweile"
    r"|maintenant|actuellement|encore|ahora|actualmente|todav[ií]a|ora|adesso|attualmente|ancora"
    r"|agora|atualmente|ainda|nu|nog|momenteel|teraz|obecnie)\b",
    re.IGNORECASE,
)


def says_now(question: str) -> bool:
    """Whether a question says that it is about now."""
    return _NOW.search(question) is not None


def asks_what_held(question: str) -> bool:
    """Whether a question asks for what was so for a while: a price, a place, who did a job.

    Of what was so in May most is told before May. In doubt it asks for what happened.
    """
    if _EVENT.search(question):
        return False
    return bool(_ATTRIBUTE.search(question) or _STATE.search(question))
