"""Whether a text gives a standing instruction: what to do, or not to do, from now on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from scrubjay.language.alternatives import any_of
from scrubjay.language.literals import Literals
from scrubjay.language.names.lists import VERBS
from scrubjay.language.statements import CHARACTERS_READ, statements_of
from scrubjay.language.stopwords import WORDS_FOLDER
from scrubjay.language.unit_types import type_words

# Words that follow "always" and "never" where nobody is told to do anything: "Always a pleasure",
# "Never mind", "Never again"; and all that are no plain verbs by their ending.
_NO_ORDER = (
    r"(?:an?|the|been|be|had|has|have|is|was|were|are|am|do|did|does|fun|good|great|nice|happy|glad"
    r"|mind|again|knew|thought|seen|saw|heard|a|in|on|at|so|too|my|your|his|her|our|their|that|this"
    r"|it|he|she|we|i|you|they|one|more|too|really|quite|such|up|down|forget|got|went|came|felt"
    r"|sure|ready|welcome|there|here|some|nice|something|someone|better|best|late|early|say|\w+ed"
    r"|\w+ing|\w+ly)\b"
)
_DO = rf"(?!{_NO_ORDER})[a-z][a-z-]{{1,20}}\b"
# What is for one occasion stands for no other.
_ONCE = (
    r"today|tonight|tomorrow|yesterday|(?:this|next|last) (?:time|morning|afternoon|evening|week"
    r"|weekend|month|year|\w+day)|at the moment|right now|just now"
    r"|(?:on|by|until|till|before) \w+day|heute|morgen|gestern|gerade|diesmal|(?:am|bis) \w+tag"
)
# Behind a verb that says how things are, "always" and "no" give no order.
_TOLD = (
    r"is|are|was|were|am|has|have|had|been|came|comes|got|went|goes|did|does|there's|it's|he's|she's"
    r"|ist|sind|war|waren|hat|haben|hatte|hatten|gab|gibt|kam|kamen|wurde|wurden|wird"
)


class _Form(NamedTuple):
    expression: re.Pattern[str]
    never: Sequence[re.Pattern[str]]  # what a sentence may not hold anywhere

    def fits(self, sentence: str) -> bool:
        """Whether a sentence has this form; few do, and the whole of it is read only then."""
        return self.expression.match(sentence) is not None and not any(
            never.search(sentence) for never in self.never
        )


class _Forms(NamedTuple):
    forms: tuple[_Form, ...]
    places: Mapping[str, Sequence[int]]  # of the expressions that need a literal, by literal
    literals: Literals  # that may stand anywhere
    openings: tuple[str, ...]  # and those that a sentence has to begin with

    def perhaps(self, lowered: str) -> list[int]:
        """The places of the forms that a text may have, in order."""
        held = self.literals.held_by(lowered)
        if lowered.startswith(self.openings) or _SENTENCE_SIGN.search(lowered) is not None:
            held.update(opening for opening in self.openings if opening in lowered)
        return sorted({place for literal in held for place in self.places[literal]})


# What another sentence may follow.
_SENTENCE_SIGN = re.compile(r"[.!?\n。！？](?=.)", re.DOTALL)


@cache
def _forms() -> _Forms:
    lines = (WORDS_FOLDER / "instructions.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    # "File" and "copy" are as often things, but not behind "whenever I send you a receipt,".
    verbs = type_words("order_verb") | type_words("order_also")
    order = rf"{any_of(sorted(verbs))}\b"
    verb = rf"{any_of(sorted((verbs | VERBS) - type_words('no_order')))}\b"
    kinds = {
        "{do}": _DO,
        "{order}": order,
        "{verb}": verb,
    }
    without = {
        "{lasting}": re.compile(rf"\b(?:{_ONCE})\b"),
        "{untold}": re.compile(rf"\b(?:{_TOLD})\b"),
    }
    expressions, openings = list[_Form](), list[str]()
    places = defaultdict[str, list[int]](list)
    for number, (literals, expression) in enumerate(rows):
        for name, kind in kinds.items():
            expression = expression.replace(name, kind)
        never = [part for name, part in without.items() if name in expression]
        for name in without:
            expression = expression.replace(name, "")
        expressions.append(_Form(re.compile(expression), never))
        for literal in literals.split("|"):
            places[literal.removeprefix("^")].append(number)
            openings += [literal[1:]] if literal.startswith("^") else []
    anywhere = Literals(literal for literal in places if literal not in openings)
    return _Forms(tuple(expressions), dict(places), anywhere, tuple(openings))


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
    for sentence in statements_of(told):
        # "Never give up": a saying.
        if sentence.isascii() and len(sentence.split()) < _WORDS_MIN:
            continue
        frame = _FRAME.match(sentence)
        readings = (sentence,) if frame is None else (sentence, sentence[frame.end() :])
        if any(forms.forms[n].fits(read) for n in perhaps for read in readings):
            return sentence
    return None


_WORDS_MIN = 4
# Whom an order is given to, and that it is to be kept: the order itself stands behind.
_FRAME = re.compile(
    r"(?:(?:hey |hi |ok(?:ay)? )?(?:assistant|bot|agent|computer)[,:!] *"
    r"|(?:please )?(?:remember|note|keep in mind|bear in mind)(?: that\b|[:,])? +|reminder[:,] *)+"
)
# An order put as a question.
_ASKED_FOR = re.compile(
    r"(?<![^\s])(?:can|could|would|will) you"
    r" ((?:please (?:always|only)|(?:please )?(?:never|make sure|remember|from now on))\b[^?.!]*)\?"
)
