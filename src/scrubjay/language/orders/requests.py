"""Whether a question asks to do something, rather than for what is remembered."""

from __future__ import annotations

import re
from functools import cache

from scrubjay.language.names.lists import VERBS
from scrubjay.language.stopwords import WORDS_FOLDER, read_lists
from scrubjay.language.unit_types import type_words

_POLITE = (
    r"(?:please|kindly|now|then|ok|okay|(?:can|could|would|will) you(?: please)?"
    r"|i (?:want|need) you to|bitte|por favor"
    r"|(?:puedes|podrías)|s'il te plaît|(?:peux|pourrais)-tu|tu peux)"
)
_FIRST = re.compile(
    rf"\W*(?:{_POLITE}\b,?\s*)*([^\W\d_]+)\b(?: (?:me|us|mir|uns))?"
    r"( (?:an?|some|something|somewhere|eine?[nm]?)\b)?",
    re.IGNORECASE,
)
_POLITELY = re.compile(rf"\W*{_POLITE}\b", re.IGNORECASE)
# Who may, or asks how to go about it, is about to do it.
_ABOUT_TO = re.compile(
    r"\b(?:should|shall) (?:i|we)\b|^\W*(?:please )?let (?!me\b|us\b).{1,60}\bknow\b"
    r"|^\W*(?:(?:can|may|could) (?:i|we) (?!have|get|see|know|ask)|(?:am i|are we) allowed"
    r"|is it (?:ok|okay|fine|all right) (?:to|if)"
    r"|(?:soll|sollen|darf|dürfen|kann|können) (?:ich|wir)"
    r"|(?:puedo|podemos|debo|debería)\b|(?:puis|dois)-je|(?:est-ce que )?je (?:peux|dois)"
    # The order itself stands last: "Kannst du mir ein Hotel buchen?"
    r"|(?:bitte )?(?:kannst|könntest|würdest) du"
    r"(?!.*\b(?:sagen|zeigen|erinnern|erklären|nennen|erzählen|helfen)\b)"
    r"|(?:por favor,? )?(?:me )?(?:puedes|podrías)"
    r"(?!.*\b(?:decir|mostrar|recordar|explicar|nombrar|contar|ayudar))"
    r"|(?:s'il te plaît,? )?(?:(?:peux|pourrais)-tu|tu peux)"
    r"(?!.*\b(?:dire|montrer|rappeler|expliquer|nommer|raconter|aider))"
    r"|(?:mi )?(?:puoi|potresti)"
    r"(?!.*\b(?:dir|mostrar|ricordar|spiegar|raccontar|aiutar)))\b",
    re.IGNORECASE,
)


def asks_to_do(question: str) -> bool:
    """Whether an order opens the question, or it asks how something should be done."""
    return _opens_with_order(question) or _ABOUT_TO.search(question) is not None


def _opens_with_order(question: str) -> bool:
    first = _FIRST.match(question)
    if first is None or (question.rstrip().endswith(("?", "？")) and not _POLITELY.match(question)):
        return False  # "Come va l'orto?": who orders does not ask, except politely
    verb = first.group(1).casefold()
    if verb in _words("asking"):
        return verb in _words("asking_or_doing") and first.group(2) is not None
    return verb in VERBS or verb in type_words("order_verb") or verb in _words("order")


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(read_lists(WORDS_FOLDER / "requests.txt")[name])
