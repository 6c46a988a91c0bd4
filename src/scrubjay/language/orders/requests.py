"""Whether a question asks to do something, rather than for what is remembered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from scrubjay.language.alternatives import any_of
from scrubjay.language.cued import Cued
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
# Behind "can you", what asks for what is known.
_SAY_DE = r"sagen|zeigen|erinnern|erklären|nennen|erzählen|helfen"
_SAY_ES = r"decir\w*|mostrar\w*|recordar\w*|explicar\w*|nombrar\w*|contar\w*|ayudar\w*"
_SAY_FR = r"dire|montrer|rappeler|expliquer|nommer|raconter|aider"
_SAY_IT = r"dir\w*|mostrar\w*|ricordar\w*|spiegar\w*|raccontar\w*|aiutar\w*"
# Who may, or asks how to go about it, is about to do it; who asks what would be good is, too.
_ABOUT_TO = Cued(
    "should shall could would tell say reply answer write any ideas there good nice decent"
    " great cheap fun quiet fitting",
    r"\b(?:should|shall) (?:i|we)\b"
    r"|\b(?:what|where|who|which|how) (?:\w+ ){0,3}?could (?:i|we) (?!find|see|have|get|be)"
    r"|\b(?:what|which|where|how|who) (?:\w+ ){0,3}?would you (?!say\b|call\b|know\b|describe\b)"
    r"|\bwhat (?:do|can) (?:i|we) (?:tell|say to|reply|answer|write (?:to|back))\b"
    r"|\b(?:how much|what) would .{2,80}\bcost (?:me|us|to)\b"
    r"|\bany (?:\w+ )?(?:ideas?|suggestions?|recommendations?|tips)\b|, ideas\W*$"
    r"|\bwhat(?:'s| is| are|'re) (?:an? |some )(?:really )?"
    r"(?:good|nice|decent|great|cheap|fun|quiet|fitting)\b"
    r"|^\W*is there (?:an?|any\w*|some\w*)(?: \w+)? (?:good|decent|nice|fun|quiet|worth)\b",
)
# So much for the whole of a question; these open one of its sentences, or what it asks behind them.
_ASKING_TO = Cued(
    "let can may could am are is soll sollen darf kann was puedo podemos debo puis dois je kannst"
    " du puedes escribes haces reservas buscas preparas mandas compras redactas traduces peux"
    " pourrais tu puoi potresti",
    r"(?:^|, )\W{0,3}(?:(?:please )?let (?!me\b|us\b).{1,60}\bknow\b"
    r"|(?:(?:can|may|could) (?:i|we) (?!have|get|see|know|ask)|(?:am i|are we) allowed"
    r"|is it (?:ok|okay|fine|all right) (?:to|if)"
    r"|(?:soll|sollen|darf|dürfen|kann|können) (?:ich|wir)|was (?:soll|sollen|könnten?) (?:ich|wir)"
    r"|(?:puedo|podemos|debo|debería)\b|(?:puis|dois)-je|(?:est-ce que )?je (?:peux|dois)"
    # The order itself stands last: "Kannst du mir ein Hotel buchen?"
    r"|(?:bitte )?(?:kannst|könntest|würdest) du"
    rf"(?!.{{0,200}}\b(?:{_SAY_DE})\b)"
    r"|(?!weißt|kennst|hast|bist|meinst|erinnerst|sagst|zeigst|nennst|erklärst|findest|denkst)"
    r"\w{2,}st du (?:mir |uns )?(?:bitte|mal|eben|kurz|noch)\b"
    r"|(?:por favor,? )?(?:me |nos |le )?(?:puedes|podrías)"
    rf"(?!.{{0,200}}\b(?:{_SAY_ES})\b)"
    r"|(?:me|nos) (?:escribes|haces|reservas|buscas|preparas|mandas|compras|redactas|traduces)"
    r"|(?:s'il te plaît,? )?(?:(?:peux|pourrais)-tu|tu (?:peux|pourrais))"
    rf"(?!.{{0,200}}\b(?:{_SAY_FR})\b)"
    r"|(?:mi |ci |gli |le )?(?:puoi|potresti)"
    rf"(?!.{{0,200}}\b(?:{_SAY_IT})\b))\b)",
)


def asks_to_do(question: str) -> bool:
    """Whether one of its first sentences orders or wants something, or asks how to do it."""
    if _ABOUT_TO.search(question) is not None:
        return True
    asked = False
    for sentence in islice(_sentences(question), _SENTENCES_READ):
        if _ASKING_TO.search(sentence) is not None or _wanted().match(sentence) is not None:
            return True
        # "Was it a good month? Answer yes or no": how to answer, not what to do.
        orders = not asked or _POLITELY.match(sentence) is not None
        if orders and (_opens_with_order(sentence) or _orders_behind(sentence)):
            return True
        asked = asked or sentence.endswith(("?", "？"))
    return False


_SENTENCES_READ = 6
_BETWEEN = re.compile(r"(?<=[.!?;…])\s+|\n+")


def _sentences(question: str) -> Iterator[str]:
    start = 0
    for between in _BETWEEN.finditer(question):
        yield question[start : between.start()]
        start = between.end()
    yield question[start:]


def _opens_with_order(question: str) -> bool:
    first = _FIRST.match(question)
    if first is None or (question.rstrip().endswith(("?", "？")) and not _POLITELY.match(question)):
        return False  # "Come va l'orto?": who orders does not ask, except politely
    verb = first.group(1).casefold()
    if verb in _words("asking"):
        return verb in _words("asking_or_doing") and first.group(2) is not None
    return verb in VERBS or verb in type_words("order_verb") or verb in _orders()


# What orders behind a comma needs something to be done with: "kick off the test", "order some".
_BEHIND = re.compile(
    r"(?:, |: | [-–—] )(?:so |and |then |but )?"
    rf"(?:(?P<politely>{_POLITE}\b,? )|(?=\w+ (?:(?:up|off|out|down|in|on|back|over) )?"
    r"(?:an?|the|some|me|my|our|it|them|him|her|us|that|this|to|for|one|two|three)\b))",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(
    r"\W*(?:what|which|who|whose|whom|when|where|why|how|do|does|did|is|are|was|were|has|have|had"
    r"|if|(?:i|we|he|she|they)(?= ))\b",
    re.IGNORECASE,
)


def _orders_behind(sentence: str) -> bool:
    """Whether an order follows what led to it: "we're out of toner, order some"."""
    asks = sentence.rstrip().endswith(("?", "？")) or _QUESTION_WORD.match(sentence) is not None
    return any(
        _opens_with_order(sentence[behind.start("politely") if politely else behind.end() :])
        for behind in islice(_BEHIND.finditer(sentence), _ORDERS_BEHIND_MAX)
        if (politely := behind.start("politely") >= 0) or not asks
    )


_ORDERS_BEHIND_MAX = 4


@cache
def _wanted() -> Cued:
    """An expression for what says that something is wanted which has yet to be made or done."""
    made, doing = any_of(sorted(_words("made"))), any_of(sorted(type_words("doing")))
    return Cued(
        "need want use like love looking get have brauche brauchen suche suchen faut faudrait"
        " besoin voudrais cherche veux aimerais falta necesito quiero quisiera busco necesitamos"
        " serve servono bisogno vorrei voglio devo cerco help please a an",
        r"\W*(?:(?:ok|okay|hey|hi|so|and|please|bitte),? )*(?:"
        # "Need an idea", "looking for a present", "brauche eine Idee", "il me faut une idée"
        r"(?:(?:i|we|ich|wir) )?(?:(?:really|just|urgently|quickly) )?(?:need|want|could use"
        r"|would like|(?:i|we)'d (?:like|love)|(?:(?:i'm|we're|am|are) )?looking for"
        r"|(?:can|could) (?:i|we) (?:get|have)|brauchen?|bräuchten?|suchen?|hätten? gerne?|möchten?"
        r"|il (?:me|nous) faut(?:drait)?|j'ai besoin|je (?:voudrais|cherche|veux)|j'aimerais"
        r"|(?:me |nos )?(?:hace falta|necesito|quiero|quisiera|busco|necesitamos)"
        r"|(?:mi |ci )(?:serve|servono)|ho bisogno|vorrei|cerco)"
        r" (?:(?:an?|some|new|more|another|two|three|a few|ein\w*|noch|une?|des|d'une?|de"
        r"|una?s?|un'|di|uno)\b ?)"
        rf"(?:[^\W\d_][\w'’-]* ){{0,3}}?{made}\b"
        # "I need to write to the tax office", "je voudrais réserver une table"
        r"|(?:(?:i|we) )?(?:need|want|have|would like|(?:i|we)'d like) to "
        rf"(?:{doing}|take|treat|surprise) "
        r"|je (?:voudrais|veux) (?:réserver|écrire|envoyer|commander|organiser|préparer)\b"
        r"|(?:quiero|quisiera|necesito) (?:reservar|escribir|enviar|mandar|pedir|organizar)\b"
        r"|(?:vorrei|voglio|devo) (?:prenotare|scrivere|mandare|inviare|ordinare|organizzare)\b"
        # "Help me word a complaint", not "help me remember"
        r"|help (?:me|us) (?:to )?(?!remember|recall|find|understand|figure|see|know|out\b)"
        r"(?!with the\b)[a-z]"
        # "A short post about the award, please"; "a toast for Jo's retirement"
        rf"|(?:[^\W\d_][\w'-]* ){{0,3}}{made} (?:for|about|to|on|of)\b[^?]*\bplease\W*$"
        rf"|an? (?:[\w'-]+ ){{0,3}}{made} (?:for|about|to) [^?]*$"
        r")",
    )


@cache
def _orders() -> frozenset[str]:
    return _words("order") | _words("order_de")


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(read_lists(WORDS_FOLDER / "requests.txt")[name])
