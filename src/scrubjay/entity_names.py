"""How an entity is named where there is only text: in an address, in a command."""

from __future__ import annotations


def number_or_name(text: str) -> int | str:
    """An entity as an address or a command has it: digits are its number, all else is a name."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 else text
