"""Knows a question that asks for nothing but a code: a ticket, an order, a part number."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scrubjay.language.analyzer import Analyzer
from scrubjay.store.base import BankReader

# "MX-24017", "2025-181", "GR2291", "48102": digits beside letters or signs, or many of them.
_CODE = re.compile(r"(?<![\w./-])\w+(?:[-/.]\w+)*")
# Fewer are part of a name: "F-16", "covid-19", "A4"; and three alone may be one: "747".
_DIGITS_MIN = 3
_DIGITS_ALONE_MIN = 5
_NUMBER = re.compile(rf"\d{{{_DIGITS_MIN},}}")


def unheard_codes(text: str, own_words: set[str], bank: BankReader) -> tuple[str, ...]:
    """The codes that were never told, of a question that asks for nothing beside codes.

    What is nearest to such a code, in meaning or in letters, is about something else.
    """
    if not any(map(str.isdigit, text)):
        return ()
    codes = {code: _forms(code) for code in _CODE.findall(text) if _is_code(code)}
    if not codes or own_words.difference(*codes.values()):
        return ()
    held = bank.holders(sorted({form for forms in codes.values() for form in forms}))
    return tuple(code for code in codes if not _may_be_held(code, held))


def _is_code(word: str) -> bool:
    digits = sum(map(str.isdigit, word))
    return digits >= (_DIGITS_ALONE_MIN if word.isdigit() else _DIGITS_MIN)


def _forms(code: str) -> set[str]:
    """The terms of a code, its numbers, and the code without its signs."""
    return {*Analyzer().query_terms(code).any_of, *_NUMBER.findall(code), _bare(code)}


def _bare(code: str) -> str:
    return "".join(filter(str.isalnum, code)).casefold()


def _may_be_held(code: str, held: Mapping[str, int]) -> bool:
    """Whether a unit may hold the code, be it with other signs between the same parts."""
    numbers = _NUMBER.findall(code)
    told = code.casefold() in held or _bare(code) in held
    return told or (bool(numbers) and all(number in held for number in numbers))
