"""The word lists that tell names from other words, read once from `data/names`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from scrubjay.language.names.inflection import adjective_forms, noun_forms, verb_forms

_FOLDER = Path(__file__).parents[1] / "data" / "names"
_FORMS: Mapping[str, Callable[[str], tuple[str, ...]]] = {
    "verbs": verb_forms,
    "nouns": noun_forms,
    "adjectives": adjective_forms,
    "words": lambda word: (word,),
}


def _lines(file_name: str) -> list[str]:
    """The lines of a list without comments and blanks."""
    text = (_FOLDER / file_name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _words(file_name: str) -> frozenset[str]:
    return frozenset(word for line in _lines(file_name) for word in line.split())


def _classes(file_name: str) -> Mapping[str, frozenset[str]]:
    """The words under each `[class]` heading."""
    classes: dict[str, set[str]] = {}
    words: set[str] = set()
    for line in _lines(file_name):
        if line.startswith("["):
            words = classes.setdefault(line.strip("[]"), set())
        else:
            words.update(line.replace("'", "").split())
    return {name: frozenset(words) for name, words in classes.items()}


def _with_forms(file_name: str) -> frozenset[str]:
    """The words of a list in all the regular forms of their class."""
    classes = _classes(file_name).items()
    return frozenset(
        form for name, words in classes for word in words for form in _FORMS[name](word)
    )


def _nicknames(file_name: str) -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    """Each short form's full names, and the short forms that point one way."""
    table: dict[str, frozenset[str]] = {}
    certain: set[str] = set()
    for line in _lines(file_name):
        short, *full = line.split()
        if short.startswith("!"):
            certain.add(short[1:])
        table[short.lstrip("!")] = frozenset(full)
    return MappingProxyType(table), frozenset(certain)


def _synonyms(file_name: str) -> Mapping[str, frozenset[str]]:
    """For each spelling all spellings of the same thing, itself included."""
    groups = [frozenset(line.split(" | ")) for line in _lines(file_name)]
    return MappingProxyType({name: group for group in groups for name in group})


COMMON_WORDS = _with_forms("common_words.txt")
VERBS = _classes("common_words.txt")["verbs"]
# "reports", "looks": what one does; many are plurals of nouns as well.
THIRD_PERSONS = frozenset(verb_forms(verb)[1] for verb in VERBS)
NOUNS = _classes("common_words.txt")["nouns"]
PLURALS = frozenset(noun_forms(noun)[1] for noun in NOUNS)
NICKNAMES, CERTAIN_NICKNAMES = _nicknames("nicknames.txt")
GIVEN_NAMES = _words("given_names.txt") | NICKNAMES.keys()
SYNONYMS = _synonyms("synonyms.txt")

_CLASSES = _classes("word_classes.txt")
FUNCTION_WORDS = _CLASSES["function_words"]  # English
FUNCTION_WORDS_OF: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        name.removeprefix("function_words_"): words - FUNCTION_WORDS
        for name, words in _CLASSES.items()
        if name.startswith("function_words_")
    }
)
FOREIGN_FUNCTION_WORDS = frozenset[str]().union(*FUNCTION_WORDS_OF.values())
CALENDAR_WORDS = _CLASSES["calendar_words"]
DEMONYMS = _CLASSES["demonyms"]
PLAIN_ACRONYMS = _CLASSES["plain_acronyms"]
TITLES = _CLASSES["titles"]
FAMILY_NAMES_FIRST = _CLASSES["family_names_first"]
FEMININE_TITLES = _CLASSES["feminine_titles"]
MASCULINE_TITLES = _CLASSES["masculine_titles"]
PARTICLES = _CLASSES["particles"]
KIN = _CLASSES["kin"]
EPITHETS = _CLASSES["epithets"]
TECHNICAL_PARTS = _CLASSES["technical_parts"]
TECHNICAL_NOUNS = _CLASSES["technical_nouns"]
TECHNICAL_CUES = _CLASSES["technical_cues"]
LEGAL_FORMS = _CLASSES["legal_forms"]
ORGANISATION_WORDS = _CLASSES["organisation_words"]
PLACE_WORDS = _CLASSES["place_words"]
PROJECT_WORDS = _CLASSES["project_words"]
PLACES = _CLASSES["places"]
SUBJECT_VERBS = _CLASSES["subject_verbs"]
