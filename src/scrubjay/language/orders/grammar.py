"""The forms of an order with always, never, from now on or must, the same for each language."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from scrubjay.language.alternatives import any_of
from scrubjay.language.stopwords import WORDS_FOLDER

# What stands between a verb and "always": "trata a los clientes nuevos siempre de usted".
_FEW = r"(?: [^\s.,:]+){0,4}?"
# What stands before a verb that ends its sentence: "immer als PDF an Frau Lenz schicken".
_BEFORE_LAST = r"(?:[^\s.,:]+ ){0,5}?"
_NOTHING = "(?!)"


class KeyForm(NamedTuple):
    """One form of an order."""

    literals: str  # of which one must occur, apart by |
    expression: str  # which a lowered sentence must begin with
    # "Confirma siempre ..." also tells what somebody does, who was spoken of before.
    opens: bool = False


def key_forms(kinds: Mapping[str, str]) -> Iterator[KeyForm]:
    """The forms of all languages, with `kinds` where an entry of theirs names one in braces."""
    data = tomllib.loads((WORDS_FOLDER / "orders.toml").read_text(encoding="utf-8"))
    for words in data.values():
        said, cues = _Said(words, kinds), words["cues"]
        if words.get("deed_last"):
            yield from _with_the_verb_last(said, cues)
        else:
            yield from _with_the_verb_first(said, cues)
        for order in (
            rf"{said['things']} (?:{said['links']}|{said['only']}|{said.key})",
            *said.ordered,
        ):
            yield KeyForm(
                cues["from_now"], rf"{said.begun}{said['from_now']},? {said.please}{order}\b"
            )
        bare = rf"(?:{said['no']}|{said['only']}|{said['sure']})"
        yield KeyForm(
            cues["from_now"], rf"{said.begun}{bare}\b[^.]{{2,100}}?,? {said['from_now']}$"
        )
        yield KeyForm(cues["ban"], rf"{said.begun}{said['formal']}")


def _with_the_verb_first(said: _Said, cues: Mapping[str, str]) -> Iterator[KeyForm]:
    """English and the Romance languages: "never ring ...", "no llames nunca ..."."""
    deed, stative = rf"(?:{said['sure']}|{said['infinitive']})\b", rf"{said['not_must']}\b"
    key, begun = rf"{said.key}\b", said.begun
    untold = rf"{{untold}}(?!.*\b{said['is']}\b)"
    yield KeyForm(cues["key"], rf"{begun}{key} {deed}")
    if said.bends:
        # "No llames nunca antes de las diez", "confirmar siempre la cita", "confirma siempre ..."
        yield KeyForm(cues["key"], rf"{begun}{said.neg}{said['sure']}{_FEW} {key}")
        yield KeyForm(cues["key"], rf"{begun}{untold}{said.neg}{said['deed']}{_FEW} {key}")
        yield KeyForm(cues["key"], rf"{begun}{said['plain']}{_FEW} {key}", opens=True)
    # "Presupuestos siempre con IVA"
    yield KeyForm(cues["key"], rf"{begun}{untold}{said['things']},? {key} {said['links']}\b")
    # "Il faut toujours demander deux devis", "you must ask me before you delete anything"
    must = rf"(?:{key} )?{said['must']} (?:{key} )?(?!{stative}){said['infinitive']}\b"
    for sign, behind in ((cues["key"], key), (cues["must"], rf"{said['each']}\b")):
        yield KeyForm(sign, rf"{begun}(?=[^.]{{0,120}}\b{behind}){must}")
    yield KeyForm(cues["ban"], rf"{begun}{said['ban']} {said.few_before}{said['habitual']}\b")


def _with_the_verb_last(said: _Said, cues: Mapping[str, str]) -> Iterator[KeyForm]:
    """German: "sieze Kunden immer", and "Kunden immer siezen", where nothing says who does."""
    key, begun = rf"{said.key}\b", said.begun
    # What ends in -en behind "von" or "diese" is a thing.
    before = rf"(?:{_BEFORE_LAST}(?!{said['before_noun']} )[^\s.,:]+ )?"
    verb = rf"{said['infinitive']}(?:$|[,;:] )"
    nobody = rf"(?!.*\b{said['subject']}\b)"
    yield KeyForm(cues["key"], rf"{begun}{said['sure']}{_FEW} {key}")
    yield KeyForm(
        cues["key"],
        rf"{begun}{{untold}}{nobody}(?:{said['things']} )?{said.please}{key} {before}{verb}",
    )
    yield KeyForm(
        cues["from_now"],
        rf"{begun}{nobody}{said['from_now']},? {said.please}{said['things']} {before}{verb}",
    )
    must = rf"{said['must']} {before}(?!{said['not_must']}\b){verb}"
    for sign, behind in ((cues["key"], key), (cues["must"], rf"{said['each']}\b")):
        yield KeyForm(sign, rf"{begun}(?=[^.]{{0,120}}\b{behind}){must}")
    often = rf"(?=[^.]{{0,80}}\b{said['habitual']}\b)"
    yield KeyForm(cues["ban"], rf"{begun}{nobody}nicht {often}{before}{verb}")


class _Said:
    """What a language says for each idea, as expressions."""

    def __init__(self, words: Mapping[str, Any], kinds: Mapping[str, str]) -> None:
        self._words = words
        clitics = words.get("clitics", "")
        self._kinds = dict(kinds)
        self._kinds["{deed}"] = (
            self["deed"] if "deed" in words else rf"{any_of(words['deeds'].split())}\b"
        )
        self._kinds["{infinitive}"] = self["infinitive"]
        self._kinds["{sure}"] = rf"(?:{'|'.join(self._orders('sure', 'endings'))}){clitics}\b"
        self._kinds["{plain}"] = (
            rf"(?:{'|'.join(self._orders('plain', 'plain_endings'))}){clitics}\b"
        )
        self.bends = "endings" in words
        self.key = rf"(?:{words['always']}|{words['never']})"
        self.please = rf"(?:{words['please']},? )?"
        self.neg = f"(?:{words['neg']})?" if "neg" in words else ""
        # The beginning of every form: for good, no saying, and politely or not.
        self.begun = rf"{{lasting}}(?!.*\b(?:{words['saying']})\b){self.please}"
        self.few_before = r"(?:[^\s.,:]+ ){0,3}?"

    def __getitem__(self, name: str) -> str:
        made = self._kinds.get(f"{{{name}}}")
        if made is not None:
            return made
        entry: str = self._words.get(name, _NOTHING)
        for kind, expression in self._kinds.items():
            entry = entry.replace(kind, expression)
        return f"(?:{entry})"

    @property
    def ordered(self) -> tuple[str, ...]:
        """What orders behind "from now on"."""
        # "A partir de ahora manda Marta" tells who is in charge.
        plain = rf"{self['plain']} {self['object']}"
        verb = rf"{self.neg}{self['sure']}" if self.bends else _NOTHING
        infinitive = _NOTHING if "deed_last" in self._words else rf"{self.neg}{self['infinitive']}"
        return (verb, infinitive, plain, self["no"], self["only"], self.key)

    def _orders(self, irregular: str, endings: str) -> Iterator[str]:
        yield self[irregular]
        bent: Mapping[str, list[str]] = self._words.get(endings, {})
        for_all = set[str]()
        for deed in self._words.get("deeds", "").split():
            ending = next((each for each in bent if deed.endswith(each)), None)
            if ending is not None:
                for_all.update(deed.removesuffix(ending) + form for form in bent[ending])
        if for_all:
            yield any_of(sorted(for_all, key=len, reverse=True))
