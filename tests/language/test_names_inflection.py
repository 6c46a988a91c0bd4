"""The regular forms of English words, which the list of everyday words leaves out."""

from __future__ import annotations

import pytest

from scrubjay.language.names.everyday import looks_everyday
from scrubjay.language.names.inflection import adjective_forms, noun_forms, verb_forms
from scrubjay.language.names.lists import GIVEN_NAMES


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("table", "tables"),
        ("day", "days"),
        ("berry", "berries"),
        ("box", "boxes"),
        ("dish", "dishes"),
        ("witness", "witnesses"),
    ],
)
def test_a_noun_has_its_plural(noun: str, plural: str) -> None:
    assert noun_forms(noun) == (noun, plural)


@pytest.mark.parametrize(
    "forms",
    [
        ("add", "adds", "added", "adding"),
        ("use", "uses", "used", "using"),
        ("agree", "agrees", "agreed", "agreeing"),
        ("tie", "ties", "tied", "tying"),
        ("carry", "carries", "carried", "carrying"),
        ("play", "plays", "played", "playing"),
        ("stop", "stops", "stopped", "stopping"),
        ("squat", "squats", "squatted", "squatting"),
        ("fix", "fixes", "fixed", "fixing"),
        ("rain", "rains", "rained", "raining"),
    ],
)
def test_a_verb_has_its_forms(forms: tuple[str, ...]) -> None:
    assert verb_forms(forms[0]) == forms


@pytest.mark.parametrize(
    "forms",
    [
        ("calm", "calmer", "calmest", "calmly"),
        ("nice", "nicer", "nicest", "nicely"),
        ("happy", "happier", "happiest", "happily"),
        ("sad", "sadder", "saddest", "sadly"),
        ("gentle", "gentler", "gentlest", "gently"),
        ("new", "newer", "newest", "newly"),
    ],
)
def test_an_adjective_is_compared_and_has_its_adverb(forms: tuple[str, ...]) -> None:
    assert adjective_forms(forms[0]) == forms


@pytest.mark.parametrize(
    "word",
    ["ensure", "groceries", "cozier", "using", "went", "children", "overview", "tips", "yummy"],
)
def test_everyday_words_are_known_in_all_their_forms(word: str) -> None:
    assert looks_everyday(word)


@pytest.mark.parametrize("name", ["ingrid", "mehmet", "priya", "kwame", "haruki", "zorvex"])
def test_names_are_no_everyday_words(name: str) -> None:
    assert not looks_everyday(name)


def test_a_name_that_is_a_word_too_is_known_as_both() -> None:
    assert all(name in GIVEN_NAMES and looks_everyday(name) for name in ("grace", "mark", "will"))
