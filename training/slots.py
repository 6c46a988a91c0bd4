"""Draws what generated facts are about: codes, days, names, amounts, in every language."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Mapping, Sequence

from training.people import MONTHS, NAMES

# What a slot reads in each language; ANY is for those that are not listed.
Value = Mapping[str, str]
ANY = "*"

TOWNS = ("Bergen", "Porto", "Leeds", "Graz", "Lyon", "Turin", "Gdansk", "Utrecht", "Cork", "Malaga")
STREETS = ("Mill Lane", "Harbour Street", "Linden Road", "Church Hill", "Station Square")
PETS = ("Biscuit", "Pixel", "Olive", "Rocket", "Mango", "Pepper", "Domino", "Waffle", "Ziggy")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FIRMS = ("Ltd", "& Sons", "Logistics", "Partners", "Works", "Group", "Press", "Labs")
TITLE_HEADS = ("The Last", "Beyond", "A Winter in", "Letters to", "The House of", "Under")
_MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}
_DAYS = {"de": "{day}. {month}", "es": "{day} de {month}", "fr": "{day} {month}"}


def any_language(text: str) -> Value:
    """A value that reads the same everywhere."""
    return {ANY: text}


def read(value: Value, language: str) -> str:
    """The value in `language`."""
    return value.get(language, value.get(ANY, ""))


class SlotDrawer:
    """Draws values by rule; `proper_nouns` come from the pairs and name firms and books."""

    def __init__(self, proper_nouns: Sequence[str], chance: random.Random) -> None:
        self._nouns = proper_nouns or NAMES
        self._chance = chance
        self._rules: dict[str, Callable[[], str]] = {
            "amount": lambda: str(chance.choice((5, 10, 20, 25, 50, 75, 100, 150, 400, 500))),
            "booking": lambda: self._letters(3) + self._digits(4),
            "digits4": lambda: self._digits(4),
            "duration": lambda: f"{chance.randint(1, 4)}:{chance.randint(0, 59):02}:13",
            "firm": lambda: f"{chance.choice(self._nouns)} {chance.choice(FIRMS)}",
            "flight": lambda: self._letters(2) + self._digits(4),
            "money": lambda: f"{chance.randint(2, 400) * 50:,}",
            "name": lambda: chance.choice(NAMES),
            "password": lambda: f"{chance.choice(PETS).lower()}-{self._digits(3)}",
            "pet": lambda: chance.choice(PETS),
            "plate": lambda: f"{self._letters(2)}-{self._letters(2)} {self._digits(3)}",
            "serial": lambda: f"SN-{self._digits(6)}",
            "size": lambda: str(chance.randint(34, 60)),
            "street": lambda: f"{chance.randint(2, 180)} {chance.choice(STREETS)}",
            "surname": lambda: f"{chance.choice(('Mr', 'Ms', 'Dr'))} {chance.choice(self._nouns)}",
            "ticket": lambda: f"{self._letters(3)}-{self._digits(4)}",
            "time": lambda: f"{chance.randint(7, 20)}:{chance.choice(('00', '15', '30', '45'))}",
            "title": lambda: f"{chance.choice(TITLE_HEADS)} {chance.choice(self._nouns)}",
            "town": lambda: chance.choice(TOWNS),
            "version": lambda: ".".join(str(chance.randint(0, 19)) for _ in range(3)),
            "weekday": lambda: chance.choice(WEEKDAYS),
        }

    def draw(self, rule: str | Mapping[str, Sequence[str]]) -> Value:
        """One value: by the rule's name, or one row of parallel lists."""
        if not isinstance(rule, str):
            row = self._chance.randrange(len(rule["en"]))
            return {language: texts[row] for language, texts in rule.items()}
        return self._day() if rule == "day" else any_language(self._rules[rule]())

    def near(self, value: Value, rule: str | Mapping[str, Sequence[str]]) -> Value:
        """Another value of the same rule; of a code, one that differs in at most two digits."""
        text = value.get(ANY)
        digits = [place for place, sign in enumerate(text or "") if sign.isdigit()]
        if text is None or len(digits) < 3 or rule in ("money", "amount"):
            return self._another(value, rule)
        signs = list(text)
        for place in self._chance.sample(digits, 2):
            signs[place] = str((int(signs[place]) + self._chance.randint(1, 9)) % 10)
        return any_language("".join(signs))

    def _another(self, value: Value, rule: str | Mapping[str, Sequence[str]]) -> Value:
        for _ in range(20):
            drawn = self.draw(rule)
            if drawn != value:
                return drawn
        return value

    def _day(self) -> Value:
        day, month = self._chance.randint(1, 28), self._chance.randrange(12)
        words = {
            language: form.format(day=day, month=_MONTHS[language].split()[month])
            for language, form in _DAYS.items()
        }
        return {**words, "zh": f"{month + 1}月{day}日", ANY: f"{day} {MONTHS[month]}"}

    def _digits(self, count: int) -> str:
        return "".join(self._chance.choices(string.digits, k=count))

    def _letters(self, count: int) -> str:
        return "".join(self._chance.choices(string.ascii_uppercase, k=count))
