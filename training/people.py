"""Who speaks: names, roles and headings that stand in front of a unit, and in questions."""

from __future__ import annotations

import re

_NAMES = """
    Alice Aaron Amara Andrew Anna Ben Bella Brian Carla Carlos Chloe Chris Dana Daniel Diego Dina
    Elena Eli Emma Erik Eva Felix Fiona Frank Gina Grace Greg Hana Harry Helen Hugo Ian Irene Isaac
    Ivy Jack Jane Jasper Jenny Jonas Julia Kai Karen Kevin Kim Laura Leo Lena Liam Lily Lucas Lucy
    Marco Maria Mark Maya Mei Mia Miguel Mona Nadia Nathan Nina Noah Nora Olga Oliver Omar Oscar
    Paul Paula Peter Priya Quinn Rachel Ravi Rita Robert Rosa Ryan Sam Sara Scott Simon Sofia Stella
    Steve Tara Theo Tina Tom Uma Vera Victor Wendy Will Xavier Yara Yusuf Zoe Zara
"""
NAMES = tuple(_NAMES.split())
ROLES = ("user", "assistant")
HEADINGS = ("Note", "Reminder", "To do", "Remember", "Diary", "Minutes", "Memo", "Calendar")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
# A year of dates in words, so that a date in front of a text is nothing new to the encoder.
DATES = tuple(f"{day} {month} 2024" for month in MONTHS for day in (2, 9, 17, 26))
SPEAKERS = (*NAMES, *ROLES, *HEADINGS, *DATES)

# Sources whose texts are told in the first person.
FIRST_PERSON = frozenset({"squadshifts_amazon_reviews", "squadshifts_reddit", "cosmosqa"})

_WRITER = re.compile(
    r"\b(?:the|this) (?:writer|author|reviewer|user|narrator|speaker|poster|person|customer|op"
    r"|buyer|commenter|redditor|purchaser|consumer|individual|owner)\b",
    re.IGNORECASE,
)
_I_AM = re.compile(r"\bI ?'m\b")
_I = re.compile(r"\b(?:I|me|myself)\b")
_MY = re.compile(r"\bmy\b")


def about(question: str, name: str) -> str:
    """`question` about `name` instead of "the writer"; unchanged where there is no writer."""
    return _WRITER.sub(name, question)


def about_me(question: str, name: str) -> str:
    """`question` about `name` instead of "I"."""
    return _MY.sub(f"{name}'s", _I.sub(name, _I_AM.sub(f"{name} is", question)))
