"""Whether a question asks how something is done, and how far a text tells that, step by step."""

from __future__ import annotations

import re

from scrubjay.language.cued import Cued
from scrubjay.language.detection import detect_language
from scrubjay.language.names.lists import VERBS

# So much is read of a text: where steps are told, they begin soon.
_CHARACTERS_READ = 600
# "Turn the knob, then hold the button, wait for the lamp": so many make it a procedure, and of a
# long text, which has verbs in all places, one for so many words.
_STEPS_WHOLE = 3
_WORDS_PER_STEP = 10
# Words that say what comes after what are half a sign: "until" stands in all kinds of texts.
_ORDER_SHARE = 0.5

# "How is the vial marked" asks for a way; "how is Ana" and "how is it going" do not, and "how would
# you" asks for advice, which is not remembered.
_ASKED = Cued(
    "how do now i we one steps procedure checklist instructions wie was comment",
    r"\bhow (?:do|can|could|should|would|must) (?:i|we|one|somebody|someone|people)\b"
    r"|\bhow (?:to|does one)\b"
    r"|\bhow (?:is|are|should) (?:the|an?|our|my|their|this|these) .{2,80}\w(?:ed|en|wn|pt|ut)\b"
    r"|\bwhat (?:do|should|must|can) (?:i|we|one) (?:do|press|type|say|need to)\b"
    r"|\bwhat (?:to do|now)\b|\b(?:what|which) (?:are the )?steps\b"
    r"|\b(?:steps|procedure|checklist|instructions) (?:to|for|of|when|if)\b"
    r"|^\W*wie (?:\w+ (?:ich|wir|man|du)|geht|macht|funktioniert|wird|werden)\b|\bwas tun\b"
    r"|\bcómo (?:se|puedo|podemos|hago|hacemos)\b|\bcomment (?:faire|on|je|puis-je|est-ce qu)",
)
# In English a step is an order: its verb opens a clause, behind hardly anything.
_JOINING = frozenset(["and", "then", "or"])
_LEADING = frozenset(["please", "first", "only", "never", "not", "don't", "always"])
_CLAUSE_ENDS = ":;,.!–-"
_SIGNS = ":;,.!?–-()\"'`"
# Elsewhere it is an infinitive: the last word of a clause in German and Dutch, or the first.
_INFINITIVES = {
    language: re.compile(expression, re.IGNORECASE)
    for languages, expression in (
        (("de", "nl"), r"\w{2}(?:en|ern|eln)(?=\s*(?:[,;.:!]|$|\b(?:und|en)\b))"),
        (("es", "pt"), r"(?:^|[:;,.] |\b[ye] )\w{2,}[aei]r(?:l[aeo]s?|se)?\b"),
        (("fr",), r"(?:^|[:;,.] |\bet )\w{2,}(?:er|ir|re)\b"),
        (("it",), r"(?:^|[:;,.] |\be )\w{2,}[aei]r(?:e|l[aeio])\b"),
    )
    for language in languages
}
_ORDERED = frozenset(
    [
        "first",
        "then",
        "next",
        "finally",
        "until",
        "afterwards",
        "before",
        "lastly",
        "erst",
        "zuerst",
        "dann",
        "danach",
        "anschließend",
        "zuletzt",
        "primero",
        "luego",
        "después",
        "d'abord",
        "ensuite",
        "puis",
    ]
)


def asks_how_to(question: str) -> bool:
    """Whether a question asks for a way to do something."""
    return _ASKED.search(question) is not None


def steps_share(text: str) -> float:
    """How far a text tells what to do, one step after the other, from 0 to 1."""
    opening = text[:_CHARACTERS_READ].lower()
    words, steps, ordered, opens = opening.split(), 0, 0, True
    for word in words:
        bare = word.strip(_SIGNS)
        steps += opens and bare in VERBS
        ordered += bare in _ORDERED
        opens = word[-1] in _CLAUSE_ENDS or bare in _JOINING or (opens and bare in _LEADING)
    infinitive = _INFINITIVES.get(detect_language(opening))
    if infinitive is not None:
        steps = len(infinitive.findall(opening))
    whole = max(_STEPS_WHOLE, len(words) / _WORDS_PER_STEP)
    return min(1.0, (steps + _ORDER_SHARE * ordered) / whole)
