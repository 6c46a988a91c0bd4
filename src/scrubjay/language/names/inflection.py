"""The regular forms of an English word, so that a list of words need hold only the word itself."""

from __future__ import annotations

import re

_HISSING = ("s", "x", "z", "ch", "sh")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_SILENT_E = re.compile(r"[^eoy]e$")
# stop, squat, big: a final consonant after one short vowel is doubled before -ed, -ing and -er.
_DOUBLED = re.compile(r"[^aeiou]*(?:qu)?[aeiou][^aeiouwxy]")


def noun_forms(noun: str) -> tuple[str, ...]:
    """A noun and its plural."""
    return noun, _with_s(noun)


def verb_forms(verb: str) -> tuple[str, ...]:
    """A verb and its forms in -s, -ed and -ing."""
    stem = verb[:-2] + "y" if verb.endswith("ie") else _stem(verb)
    return verb, _with_s(verb), _with_e(verb, "d"), stem + "ing"


def adjective_forms(adjective: str) -> tuple[str, ...]:
    """An adjective, its comparative, its superlative and its adverb."""
    base = adjective[:-1] + "i" if _CONSONANT_Y.search(adjective) else adjective
    adverb = base[:-1] + "y" if base.endswith("le") else base + "ly"
    return adjective, _with_e(adjective, "r"), _with_e(adjective, "st"), adverb


def _with_s(word: str) -> str:
    if _CONSONANT_Y.search(word):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(_HISSING) else "s")


def _with_e(word: str, ending: str) -> str:
    if word.endswith("e"):
        return word + ending
    base = word[:-1] + "i" if _CONSONANT_Y.search(word) else _stem(word)
    return f"{base}e{ending}"


def _stem(word: str) -> str:
    """What -ing is put behind: "mak", "stopp", "agree"."""
    if _SILENT_E.search(word):
        return word[:-1]
    return word + word[-1] if _DOUBLED.fullmatch(word) else word
