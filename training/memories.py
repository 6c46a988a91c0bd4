"""Writes memories by rule: facts, their updates and look-alikes, and questions about them."""

from __future__ import annotations

import random
import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.corpus import Question, Unit
from training.people import DATES, HEADINGS, NAMES
from training.slots import SlotDrawer, Value, read

FACTS = Path(__file__).parent / "data" / "facts.toml"
SOURCE = "memory"
LANGUAGES = ("de", "es", "fr", "zh")

WORDLESS_SHARE = 1 / 3  # of the questions share no word with the answer
NAMED_SHARE = 0.6  # of what people say of themselves is told by name, the rest by "user"
UPDATED_SHARE = 0.5  # of the facts that can change do
CHATTY_SHARE = 0.25  # of English tellings carry words that say nothing
# (language told, language asked, share); the rest is told and asked in English.
MIXTURE = (
    *((language, language, 0.0625) for language in LANGUAGES),
    *((language, "en", 0.025) for language in LANGUAGES),
    *(("en", language, 0.025) for language in LANGUAGES),
)
# The teacher reads English. What a label is worth makes up for it elsewhere.
ENGLISH_TRUST, ENGLISH_LABEL, FOREIGN_LABEL = 0.5, 4.0, 6.0

_HEADS = ("By the way, ", "Oh, and ", "Just so you know: ", "Before I forget: ", "So, ")
_TAILS = (" Keep that in mind.", " Anyway.", " Thanks!", " Can you note that?", " Phew.")
_NOW = {
    "en": ("Nowadays, {}", "As things stand, {}", "At the moment, {}", "{} The latest, please."),
    "de": ("Inzwischen: {}", "Jetzt gerade: {}"),
    "es": ("Ahora mismo: {}", "Hoy en día: {}"),
    "fr": ("Maintenant : {}", "À présent : {}"),
    "zh": ("现在，{}", "目前，{}"),
}
_BEFORE = {
    "en": ("Before the change, {}", "Originally, {}", "In the past, {}"),
    "de": ("Vor der Änderung: {}", "Früher: {}"),
    "es": ("Antes del cambio: {}", "Al principio: {}"),
    "fr": ("Avant le changement : {}", "Au début : {}"),
    "zh": ("以前，{}", "改变之前，{}"),
}


@dataclass(frozen=True, slots=True)
class Phrases:
    """How one language tells of a kind of fact and asks for it."""

    says: tuple[str, ...]
    asks: tuple[str, ...]
    otherwise: tuple[str, ...]
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fact: its slots with the rule that fills each, and its phrases by language."""

    name: str
    rules: Mapping[str, str | Mapping[str, Sequence[str]]]
    phrases: Mapping[str, Phrases]
    notes: bool  # told as a note by anyone, rather than by a person of themselves
    trust: float  # in the teacher, for what is told and asked in English


def read_kinds(path: Path = FACTS) -> list[Kind]:
    """The kinds of fact in a TOML file."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["kind"]
    return [
        Kind(
            name=table["name"],
            rules=table["values"],
            phrases={
                language: Phrases(**{key: tuple(texts) for key, texts in table[language].items()})
                for language in ("en", *LANGUAGES)
                if language in table
            },
            notes=table.get("notes", False),
            trust=table.get("trust", ENGLISH_TRUST),
        )
        for table in tables
    ]


@dataclass(frozen=True, slots=True)
class _Voice:
    """Who tells: what stands in front of the text, and how a question calls them."""

    heading: str | None
    name: str | None  # None: the one who asks

    def words(self) -> dict[str, str]:
        if self.name is None:
            parts = ("I", "my", "me", "do", "am", "have")
        else:
            parts = (self.name, f"{self.name}'s", self.name, "does", "is", "has")
        return dict(zip(("who", "whose", "whom", "do", "be", "have"), parts, strict=True))


@dataclass(frozen=True, slots=True)
class _Asking:
    """One question before it is filled in: its template and both languages."""

    kind: Kind
    template: str
    told: str
    asked: str

    def keys(self) -> set[str]:
        return fields_of(self.template) & set(self.kind.rules)

    def text(self, slots: Mapping[str, Value], voice: _Voice) -> str:
        return fill(self.template, slots, self.asked, voice)


class MemoryWriter:
    """Writes one family at a time: a fact, what it is mistaken for, and a question."""

    def __init__(
        self, kinds: Sequence[Kind], proper_nouns: Sequence[str], chance: random.Random
    ) -> None:
        self._kinds = kinds
        self._chance = chance
        self._slots = SlotDrawer(proper_nouns, chance)

    def write(self, count: int, first_unit: int) -> tuple[list[Unit], list[Question]]:
        """`count` questions and their units, which follow `first_unit` others."""
        units: list[Unit] = []
        questions: list[Question] = []
        for number in range(count):
            asking = self._asking()
            family, question = self._family(asking, f"{SOURCE}/{number}", first_unit + len(units))
            units += family
            questions.append(question)
        return units, questions

    def _asking(self) -> _Asking:
        languages = [(told, asked) for told, asked, _ in MIXTURE]
        shares = [share for *_, share in MIXTURE]
        told, asked = self._chance.choices([("en", "en"), *languages], [1 - sum(shares), *shares])[
            0
        ]
        kind = self._chance.choice(
            [kind for kind in self._kinds if told in kind.phrases and asked in kind.phrases]
        )
        phrases = kind.phrases[asked]
        wordless = self._chance.random() < WORDLESS_SHARE
        template = self._chance.choice(phrases.otherwise if wordless else phrases.asks)
        return _Asking(kind, template, told, asked)

    def _family(self, asking: _Asking, group: str, first_unit: int) -> tuple[list[Unit], Question]:
        kind, chance = asking.kind, self._chance
        voice, stranger = self._voices(asking)
        slots = {slot: self._slots.draw(rule) for slot, rule in kind.rules.items()}
        says = kind.phrases[asking.told].says
        units = [self._unit(chance.choice(says), asking, slots, voice)]
        text, gold, rejected = asking.text(slots, voice), {0}, set[int]()

        changed = self._update(asking, slots)
        if changed is not None:
            units.append(self._unit(*changed, voice))
            text, gold, rejected = self._when(text, asking.asked)
        for other_slots, other_voice in self._look_alikes(asking, slots, voice, stranger):
            place = len(units)
            units.append(self._unit(chance.choice(says), asking, other_slots, other_voice))
            # Whoever would ask the same words of it has not been misled by it.
            same = asking.text(other_slots, other_voice) == asking.text(slots, voice)
            (gold if same and changed is None else rejected).add(place)
        units.append(self._chatter(asking, voice))
        rejected.add(len(units) - 1)
        english = asking.told == asking.asked == "en"
        question = Question(
            text=text,
            source=f"{SOURCE}/{kind.name}",
            group=group,
            gold=tuple(first_unit + place for place in sorted(gold)),
            rejected=tuple(first_unit + place for place in sorted(rejected)),
            trust=kind.trust if english else 0.0,
            label=ENGLISH_LABEL if english else FOREIGN_LABEL,
            language=asking.asked if asking.asked != "en" else asking.told,
        )
        return units, question

    def _voices(self, asking: _Asking) -> tuple[_Voice, _Voice]:
        first, second = self._chance.sample(NAMES, 2)
        if asking.kind.notes:
            headings = (None, "user", self._chance.choice(HEADINGS), self._chance.choice(DATES))
            return _Voice(self._chance.choice(headings), None), _Voice(second, None)
        # Only English questions have a form that calls the teller by name.
        if asking.asked == "en" and self._chance.random() < NAMED_SHARE:
            return _Voice(first, first), _Voice(second, second)
        return _Voice(self._chance.choice(("user", "user", None)), None), _Voice("user", None)

    def _update(
        self, asking: _Asking, slots: Mapping[str, Value]
    ) -> tuple[str, _Asking, Mapping[str, Value]] | None:
        keys = asking.keys()
        fitting = [
            template
            for template in asking.kind.phrases[asking.told].changed
            if keys <= fields_of(template) and fields_of(template) - keys
        ]
        if not fitting or self._chance.random() >= UPDATED_SHARE:
            return None
        newer = {
            slot: value if slot in keys else self._slots.near(value, asking.kind.rules[slot])
            for slot, value in slots.items()
        }
        return self._chance.choice(fitting), asking, newer

    def _when(self, text: str, language: str) -> tuple[str, set[int], set[int]]:
        """The question, its gold and its rejected among what was told first (0) and last (1)."""
        drawn = self._chance.random()
        if drawn < 0.3:
            return text, {0, 1}, set()
        forms, gold = (_NOW, 1) if drawn < 0.8 else (_BEFORE, 0)
        form = self._chance.choice(forms[language])
        lower = form.startswith("{}") or text.startswith("I ")
        asked = text if lower else text[0].lower() + text[1:]
        return form.format(asked), {gold}, {1 - gold}

    def _look_alikes(
        self, asking: _Asking, slots: Mapping[str, Value], voice: _Voice, stranger: _Voice
    ) -> list[tuple[Mapping[str, Value], _Voice]]:
        rules = asking.kind.rules
        found: list[tuple[Mapping[str, Value], _Voice]] = []
        for key in sorted(asking.keys()):
            found.append(({**slots, key: self._slots.near(slots[key], rules[key])}, voice))
        if voice.name is not None:
            others = {slot: self._slots.near(slots[slot], rules[slot]) for slot in slots}
            found.append((others, stranger))
        return found

    def _chatter(self, asking: _Asking, voice: _Voice) -> Unit:
        """Something else that the same person told."""
        kinds = [k for k in self._kinds if asking.told in k.phrases and k.name != asking.kind.name]
        kind = self._chance.choice(kinds)
        template = self._chance.choice(kind.phrases[asking.told].says)
        slots = {slot: self._slots.draw(rule) for slot, rule in kind.rules.items()}
        return self._unit(
            template, _Asking(kind, template, asking.told, asking.asked), slots, voice
        )

    def _unit(
        self, template: str, asking: _Asking, slots: Mapping[str, Value], voice: _Voice
    ) -> Unit:
        text = capitalised(fill(template, slots, asking.told, voice))
        if asking.told == "en" and self._chance.random() < CHATTY_SHARE:
            head, tail = self._chance.choice(_HEADS), self._chance.choice(_TAILS)
            text = head + text if self._chance.random() < 0.5 else text + tail
        if voice.heading is not None:
            text = f"{voice.heading}: {text}"
        return Unit(text, f"{SOURCE}/{asking.kind.name}", speaks=True)


def fields_of(template: str) -> set[str]:
    """The slots a template mentions."""
    names = (name for _, name, _, _ in string.Formatter().parse(template) if name)
    return {name.partition("[")[0] for name in names}


def fill(template: str, slots: Mapping[str, Value], language: str, voice: _Voice) -> str:
    """The template with every slot in `language`; `a|b` is a pair, asked for by number."""
    values: dict[str, object] = dict(voice.words())
    for slot, value in slots.items():
        text = read(value, language)
        values[slot] = text.split("|") if "|" in text else text
    return template.format(**values)


def capitalised(text: str) -> str:
    """`text` as the start of a sentence."""
    return text[:1].upper() + text[1:]
