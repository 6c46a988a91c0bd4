"""What an agent is told unasked: the memories that its next turn needs, as text, or nothing."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from scrubjay.answers import Recall
from scrubjay.bank import Bank
from scrubjay.errors import NotFound
from scrubjay.limits import QUESTION_CHARACTERS_MAX

# What an agent is told unasked must be to the point, and few items are: the sixth is the first
# right one of one question in seventy. A least relevance is no way to fewer, for relevance falls
# with the place: every first item has 0.2, and of the right ones among the first five three in ten
# have not (bench/floors.py), behind a wrong one that stays.
ITEMS_MAX = 5
TOKENS_MAX = 2_048
_NAME_CHARACTERS_MAX = 60

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# A longer text says something, whatever its words.
_FILLER_WORDS_MAX = 12
# Courtesies, and words that only join others: English, German, French, Spanish, Italian,
# Portuguese.
_FILLERS = frozenset(
    """
    thanks thank thx ty cheers ok okay k yes yep yeah yup no nope sure fine great good nice
    perfect cool awesome excellent brilliant lovely wonderful noted understood done got alright
    right agreed exactly correct hi hello hey bye goodbye welcome sorry please go ahead continue
    proceed sounds looks lgtm wow well much lot glad happy help worries problem will keep mind i
    i'm i'll i've you you're your we me my it it's it'll its that that's this is are was be am do
    does did a an the to of for in on so and or but too very all just now then as with at have has
    let's
    danke dankeschön merci ok okay ja nein jep gut super prima toll perfekt klasse genau richtig
    verstanden notiert erledigt fertig alles klar passt gern gerne bitte hallo tschüss weiter mach
    los einverstanden stimmt schön sehr vielen dank ich du wir es das ist sind war der die ein
    eine so und oder aber auch noch nur mal jetzt dann mir mich dir habe hab werde zu
    merci ok oui non d'accord parfait super bien très bon compris noté fait voilà exactement vas-y
    continue salut bonjour pardon génial beaucoup entendu je j'ai tu c'est ce le la un une et ou
    mais aussi de à pour est ça il on me te
    gracias vale ok sí si no bien muy perfecto genial entendido anotado hecho listo claro exacto
    adelante sigue continúa hola adiós perdón bueno estupendo muchas acuerdo yo tú me te lo la el
    un una y o pero también de a para es está eso esto que por
    grazie ok sì si no bene benissimo perfetto ottimo capito annotato fatto certo esatto vai
    avanti continua ciao prego scusa bello mille d'accordo io tu mi ti lo la il un una e o ma
    anche di a per è che così
    obrigado obrigada ok sim não bem muito perfeito ótimo entendido anotado feito certo exato vai
    força continua continue olá tchau desculpa bom claro eu tu me te o a um uma e ou mas também de
    para é está isso que por
    """.split()  # noqa: SIM905 - a list of words reads best as one
)


def context_for(bank: Bank, question: str) -> str:
    """What a bank remembers that a turn needs, quoted for a prompt; "" for nothing."""
    if is_filler(question):
        return ""
    try:
        found = worth_telling(
            bank.recall(question[:QUESTION_CHARACTERS_MAX], limit=ITEMS_MAX, max_tokens=TOKENS_MAX)
        )
    except NotFound:
        return ""  # a bank is made when something is told
    return found.as_context() if found.items else ""


def is_filler(text: str) -> bool:
    """Whether a text only keeps a talk going, as "Thanks, noted." and "Yes, go on." do.

    It asks for nothing and tells nothing: every word of it is a courtesy, or only joins others.
    """
    words = _WORD.findall(text.replace("’", "'").lower())
    return len(words) <= _FILLER_WORDS_MAX and _FILLERS.issuperset(words)


def worth_telling(found: Recall) -> Recall:
    """An answer with only what an agent should be told unasked; nothing if none is relevant."""
    return replace(found, items=tuple(one for one in found.relevant if not is_filler(one.text)))


def answer_for(bank: Bank, question: str, limit: int = ITEMS_MAX) -> str:
    """What a tool says that was asked: all that was found, or that nothing is remembered."""
    try:
        return bank.recall(question, limit=limit, max_tokens=TOKENS_MAX).as_context()
    except NotFound:
        return "Nothing is remembered yet."


def bank_named(*parts: str) -> str:
    """The name of a bank for any identifiers, such as an application and a user; one for each."""
    digest = hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=6).hexdigest()
    name = re.sub(r"[^\w.-]+|\.\.+", "-", "-".join(parts)).strip("-._")[:_NAME_CHARACTERS_MAX]
    return f"{name}-{digest}" if name else digest
