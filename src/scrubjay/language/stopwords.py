"""The word lists of each language: stop words, question words, and the marks that betray it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

WORDS_FOLDER = Path(__file__).with_name("data") / "words"
LANGUAGES_FOLDER = WORDS_FOLDER / "languages"


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """What is known of one language; every word is in lower case."""

    stop: frozenset[str]
    question: frozenset[str]
    common: frozenset[str]  # frequent words with a meaning of their own
    letters: frozenset[str]  # letters that few other languages of the script use
    endings: tuple[str, ...]  # word endings that lean towards this language

    @property
    def noise(self) -> frozenset[str]:
        """The words that say nothing about what a question is after."""
        return self.stop | self.question


def read_lists(path: Path) -> Mapping[str, tuple[str, ...]]:
    """The `name: words` lines of a file; a repeated name continues its list."""
    lists: dict[str, tuple[str, ...]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, colon, words = line.partition(":")
        if colon and not name.startswith("#"):
            lists[name] = lists.get(name, ()) + tuple(words.split())
    return MappingProxyType(lists)


@cache
def language_words() -> Mapping[str, LanguageWords]:
    """Every language with a word list, by ISO 639-1 code, in alphabetical order."""
    return MappingProxyType(
        {path.stem: _read_language(path) for path in sorted(LANGUAGES_FOLDER.glob("*.txt"))}
    )


@cache
def noise_words(language: str) -> frozenset[str]:
    """Stop words and question words of a language, casefolded; empty for one without a list."""
    words = language_words().get(language)
    return frozenset(word.casefold() for word in words.noise) if words else frozenset()


@cache
def irregular_pasts() -> Mapping[str, str]:
    """English past forms and participles that are no word with -ed, and the verb of each."""
    return _bases(WORDS_FOLDER / "irregular_verbs_en.txt")


@cache
def irregular_forms() -> Mapping[str, str]:
    """English forms that no suffix rule takes back to their base: bought, children."""
    plurals = _bases(WORDS_FOLDER / "irregular_plurals_en.txt")
    return MappingProxyType({**plurals, **irregular_pasts()})


def _bases(path: Path) -> Mapping[str, str]:
    return MappingProxyType(
        {form: base for base, forms in read_lists(path).items() for form in forms if form != base}
    )


def _read_language(path: Path) -> LanguageWords:
    lists = read_lists(path)
    return LanguageWords(
        stop=frozenset(lists.get("stop", ())),
        question=frozenset(lists.get("question", ())),
        common=frozenset(lists.get("common", ())),
        letters=frozenset("".join(lists.get("letters", ()))),
        endings=lists.get("endings", ()),
    )
