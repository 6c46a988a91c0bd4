"""Whether a text gives a standing instruction: what to do, or not to do, from now on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import islice
from typing import NamedTuple

from scrubjay.language.alternatives import any_of
from scrubjay.language.literals import Literals
from scrubjay.language.names.lists import VERBS
from scrubjay.language.orders.grammar import key_forms
from scrubjay.language.statements import CHARACTERS_READ, statements_of
from scrubjay.language.stopwords import WORDS_FOLDER, read_lists
from scrubjay.language.unit_types import type_words

# Words that follow "always" and "never" where nobody is told to do anything: "Always a pleasure",
# "Never mind", "Never again"; and all that are no plain verbs by their ending.
_NO_ORDER = (
    r"(?:an?|the|been|be|had|has|have|is|was|were|are|am|do|did|does|fun|good|great|nice|happy|glad"
    r"|mind|again|knew|thought|seen|saw|heard|a|in|on|at|so|too|my|your|his|her|our|their|that|this"
    r"|it|he|she|we|i|you|they|one|more|too|really|quite|such|up|down|forget|got|went|came|felt|ate|drank|slept|met|took|told|made|wrote|bought|sold|lost|won"
    r"|sure|ready|welcome|there|here|some|nice|something|someone|better|best|late|early|say|\w+ed"
    r"|\w+ing|\w+ly)\b"
)
_DO = rf"(?!{_NO_ORDER})[a-z][a-z-]{{1,20}}\b"
# What is for one occasion stands for no other.
_ONCE = (
    r"today|tonight|tomorrow|yesterday|(?:this|next|last) (?:time|morning|afternoon|evening|week"
    r"|weekend|month|year|\w+day)|at the moment|right now|just now"
    r"|(?:on|by|until|till|before) \w+day|heute|morgen|gestern|gerade|diesmal|(?:am|bis) \w+tag"
    r"|yet|for now|so far|already|ce (?:matin|soir)|aujourd'hui|(?<!le )demain|maintenant"
    r"|hoy|(?<!la )mañana|ayer|esta (?:tarde|noche|semana)|oggi|domani|ieri|adesso|stasera"
)
# Behind a verb that says how things are, "always" and "no" give no order.
_TOLD = (
    r"is|are|was|were|am|has|have|had|been|came|comes|got|went|goes|did|does|there's|it's|he's|she's"
    r"|ist|sind|war|waren|hat|habe|haben|hatte|hatten|gab|gibt|kam|kamen|wurde|wurden|wird"
    r"|est|sont|était|étaient|ont|está|están|eran|fue|han|è|sono|hanno|abbiamo"
)
_FOR_ONCE = re.compile(rf"\b(?:{_ONCE})\b")


class _Form(NamedTuple):
    expression: re.Pattern[str]
    never: Sequence[re.Pattern[str]]  # what a sentence may not hold anywhere
    short: bool = False  # whether it is told from sayings, which are short
    opens: bool = False  # whether nothing may be told before it

    def fits(self, sentence: str) -> bool:
        """Whether a sentence has this form; few do, and the whole of it is read only then."""
        return self.expression.match(sentence) is not None and not any(
            never.search(sentence) for never in self.never
        )


class _Forms(NamedTuple):
    forms: tuple[_Form, ...]
    places: Mapping[str, Sequence[int]]  # of the expressions that need a literal, by literal
    literals: Literals  # that may stand anywhere
    # And those that a sentence has to begin with, each behind a "^", by their first letters.
    openings: Mapping[str, Sequence[str]]

    def perhaps(self, lowered: str) -> list[int]:
        """The places of the forms that a text may have, in order."""
        held = self.literals.held_by(lowered)
        begins = [0, *(sign.end() for sign in _SENTENCE_SIGN.finditer(lowered))]
        for begun in begins:
            frame = _FRAME.match(lowered, begun)
            opened = begun if frame is None else frame.end()
            for opening in self.openings.get(lowered[opened : opened + _FIRST_LETTERS], ()):
                if lowered.startswith(opening[1:], opened):
                    held.add(opening)
        return sorted({place for literal in held for place in self.places[literal]})


_FIRST_LETTERS = 2
# What another sentence may follow, up to where that begins.
_SENTENCE_SIGN = re.compile(r"[.!?\n。！？][\s\"'“”„«(-]*(?=.)", re.DOTALL)


@cache
def _forms() -> _Forms:
    lines = (WORDS_FOLDER / "instructions.tsv").read_text(encoding="utf-8").splitlines()
    rows = [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]
    # "File" and "copy" are as often things, but not behind "whenever I send you a receipt,".
    verbs = type_words("order_verb") | type_words("order_also")
    order = rf"{any_of(sorted(verbs))}\b"
    verb = rf"{any_of(sorted((verbs | VERBS) - type_words('no_order')))}\b"
    kinds = {
        "{do}": _DO,
        "{order}": order,
        "{verb}": verb,
        "{doing}": rf"{any_of(sorted(type_words('doing')))}\b",
        "{making}": rf"{any_of(sorted(_making(type_words('doing'))))}\b",
        "{output}": any_of(sorted(type_words("output"))),
        "{order_de}": any_of(sorted(read_lists(WORDS_FOLDER / "requests.txt")["order_de"])),
    }
    without = {
        "{lasting}": _FOR_ONCE,
        "{untold}": re.compile(rf"\b(?:{_TOLD})\b"),
    }
    expressions = list[_Form]()
    places = defaultdict[str, list[int]](list)
    written = [
        (
            literals,
            reduce(lambda form, kind: form.replace(*kind), kinds.items(), form),
            False,
            False,
        )
        for literals, form in rows
    ]
    written += [(form.literals, form.expression, True, form.opens) for form in key_forms(kinds)]
    for number, (literals, expression, short, opens) in enumerate(written):
        never = [part for name, part in without.items() if name in expression]
        for name in without:
            expression = expression.replace(name, "")
        expressions.append(_Form(re.compile(expression), never, short, opens))
        for literal in literals.split("|"):
            places[literal].append(number)
    by_letters = defaultdict[str, list[str]](list)
    for literal in places:
        if literal.startswith("^"):
            by_letters[literal[1:][:_FIRST_LETTERS]].append(literal)
    anywhere = Literals(literal for literal in places if not literal.startswith("^"))
    return _Forms(tuple(expressions), dict(places), anywhere, dict(by_letters))


def standing_instruction(text: str, *, speaker: str | None = None) -> str | None:
    """The sentence of a text that tells what to do from now on; None if there is none.

    Orders that say when or for what they hold ("always", "on weekends don't ...", "in letters
    leave out ..."), what must be so of all of a kind, and notes ("invoices always as PDF").
    Not what is for one day, and not what the agent says, whose advice binds nobody.
    """
    if speaker is not None and speaker.casefold() in type_words("agent"):
        return None
    lowered = text[:CHARACTERS_READ].lower().replace("’", "'").strip()
    forms = _forms()
    perhaps = forms.perhaps(lowered)
    if not perhaps:
        return None
    told = _ASKED_FOR.sub(r"\1.", lowered) if "?" in lowered else lowered
    for place, sentence in enumerate(statements_of(told)):
        # "Never give up": a saying.
        short = sentence.isascii() and len(sentence.split()) < _WORDS_MIN
        asked = [
            form
            for form in map(forms.forms.__getitem__, perhaps)
            if (form.short or not short) and not (form.opens and place)
        ]
        if any(form.fits(read) for read in _readings(sentence) for form in asked):
            return sentence
    return None


def _making(verbs: Iterable[str]) -> Iterator[str]:
    """The forms of verbs in -ing, among words that are none: "writing", "planning", "planing"."""
    for verb in verbs:
        yield f"{verb.removesuffix('e')}ing"
        yield f"{verb}{verb[-1]}ing"


def _readings(sentence: str) -> Iterator[str]:
    """A sentence, and what of it may be the order: behind a frame, before why, behind what led."""
    yield sentence
    frame = _FRAME.match(sentence)
    told = sentence if frame is None else sentence[frame.end() :]
    if frame is not None:
        yield told
    reasons = [_REASON.search(told)]
    if any(sign in told for sign in _SIGNS):
        reasons.append(_REASON_TOO.search(told))
    behind = [reason.start() for reason in reasons if reason is not None]
    if behind:
        yield told[: min(behind)]
    led_to = _LED_TO_TOO if " you" in told else _LED_TO
    for led in islice(led_to.finditer(told), _ORDERS_BEHIND_MAX):
        # "I'm out tonight, so don't wait for me": what led to it lasts no longer than it.
        if not _FOR_ONCE.search(told, 0, led.start()):
            yield told[led.end() :]


_WORDS_MIN = 4
# Whom an order is given to, and that it is to be kept: the order itself stands behind.
_FRAME = re.compile(
    r"(?:(?:hey |hi |ok(?:ay)? )?(?:assistant|bot|agent|computer)[,:!] *"
    r"|(?:and|but|so|btw|by the way|oh|also|ok|okay|hey|fyi)\b[,:]? +"
    r"|(?:(?:one|a|another) )?(?:quick|small|important|more|last) (?:thing|one|note|rule)[,:] *"
    r"|(?:please )?(?:remember|note|keep in mind|bear in mind)(?: that\b|[:,])? +|reminder[:,] *)+"
)
# Why it is to be kept, said behind it: "..., half of them are over eighty".
_REASONS = (
    r"(?=(?:i|we|he|she|they|it|that|this|there|his|her|their|my|our|half|most|some"
    r"|because|since|as|ask|keep|not|mum|mom|dad|\w+'s|\w+'re|\w+'ve|i'm|da|weil|denn|das|sonst|sie|ich|wir"
    r"|c'est|car|parce|il|elle|porque|es|perché|è|che)\b)"
)
_REASON = re.compile(f"[,;] {_REASONS}")
# An expression that may begin with any space takes long: it is looked for where there is a sign.
_REASON_TOO = re.compile(f" [-–—] {_REASONS}|,? (?:because|weil|porque|perché) ")
_SIGNS = (" - ", " – ", " — ", " because ", " weil ", " porque ", " perché ")
# And what made it necessary, before it: "..., so never add other brands".
_LED_TO = re.compile(r"[,;–—-] (?:so|hence|therefore|also|darum|deshalb|donc|así que|quindi) ")
_LED_TO_TOO = re.compile(rf"{_LED_TO.pattern}|,? (?:and|but) (?=(?:if|when|whenever) you\b)")
_ORDERS_BEHIND_MAX = 2
# An order put as a question.
_ASKED_FOR = re.compile(
    r"(?<![^\s])(?:can|could|would|will) you"
    r" ((?:please (?:always|only)|(?:please )?(?:never|make sure|remember|from now on))\b[^?.!]*)\?"
)
