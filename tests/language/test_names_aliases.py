"""Short forms of a name, and where a question may use one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.names import alias_candidates, derived_aliases, fold


def forms(name: str, kind: str) -> dict[str, float]:
    return dict(derived_aliases(name, kind))


def looked_up(text: str) -> set[str]:
    return {alias for alias, _, _ in alias_candidates(text)}


def test_a_person_goes_by_parts_of_the_name() -> None:
    aliases = forms("Ingrid Solberg", "person")
    assert aliases["ingrid solberg"] == 1.0
    assert aliases["ingrid"] == 0.8
    assert aliases["solberg"] == 0.6
    assert aliases["i solberg"] == 0.7
    assert aliases["solberg ingrid"] == 0.9  # "Solberg, Ingrid" folds to this


def test_particles_stay_with_the_surname() -> None:
    aliases = forms("Pieter van den Broek", "person")
    assert aliases["van den broek"] > aliases["broek"]
    assert "den" not in aliases


def test_a_family_name_written_first_is_the_weaker_alias() -> None:
    aliases = forms("Zhou Meilin", "person")
    assert aliases["meilin"] > aliases["zhou"]


def test_nicknames_are_soft_aliases() -> None:
    aliases = forms("Robert Okoro", "person")
    assert 0 < aliases["bob"] < aliases["robert"]
    assert aliases["bob okoro"] < 1
    assert forms("Deborah", "person")["debbie"] < 1


def test_a_given_name_that_is_a_plain_word_is_trusted_less() -> None:
    assert forms("Grace Okoro", "person")["grace"] < forms("Ingrid Okoro", "person")["ingrid"]


def test_an_unknown_kind_is_a_person_only_with_a_known_given_name() -> None:
    assert "ingrid" in forms("Ingrid Solberg", "name")
    assert "apex" not in forms("Apex Legends", "name")


@pytest.mark.parametrize(
    ("name", "kind", "short"),
    [
        ("Borealis Ltd.", "organisation", "borealis"),
        ("World Health Organization", "organisation", "who"),
        ("Project Heron", "project", "heron"),
        ("Project Heron", "project", "heron project"),
        ("The Grapes of Wrath", "name", "grapes of wrath"),
        ("Jörg Bäcker", "person", "joerg baecker"),
        ("United Kingdom", "place", "uk"),
    ],
)
def test_things_go_by_short_forms_too(name: str, kind: str, short: str) -> None:
    assert 0 < forms(name, kind)[short] < 1


def test_an_identifier_is_only_called_by_its_whole_self() -> None:
    assert set(forms("OPS-1204", "identifier")) == {"ops 1204", "ops1204"}


def test_a_number_is_never_dropped() -> None:
    assert "pixel" not in forms("Pixel 7", "name")


@given(st.text(max_size=40), st.sampled_from(["person", "organisation", "name", "identifier"]))
def test_the_name_itself_comes_first_and_every_form_once(name: str, kind: str) -> None:
    aliases = derived_aliases(name, kind)
    if fold(name):
        assert aliases[0] == (fold(name), 1.0)
    assert len({alias for alias, _ in aliases}) == len(aliases)
    assert all(0 < confidence <= 1 for _, confidence in aliases)


def test_a_question_is_cut_into_what_may_be_an_alias() -> None:
    found = looked_up("What did Ingrid Solberg's team tell Ms. Bäcker about OPS-1204?")
    assert {"ingrid solberg", "ingrid", "solberg", "ops 1204", "backer", "baecker"} <= found
    assert not found & {"what", "did", "about", "tell ms"}


def test_lower_case_questions_work() -> None:
    assert {"ingrid", "ingrid solberg"} <= looked_up("who is ingrid solberg")


def test_small_words_are_looked_up_only_in_capitals() -> None:
    assert "us" not in looked_up("can you tell us more")
    assert "us" in looked_up("when did we move to the US")
    assert "will" not in looked_up("Will it rain")
    assert "will okoro" in looked_up("Will Okoro called")


def test_initials_are_joined_as_folding_joins_them() -> None:
    assert "ts eliot" in looked_up("What did T. S. Eliot write?")


def test_names_without_spaces_are_found_inside_a_run() -> None:
    assert "陈大伟" in looked_up("陈大伟喜欢什么运动")


def test_spans_point_at_what_was_found() -> None:
    text = "Where is Ingrid's locker 90417?"
    spans = {alias: text[start:end] for alias, start, end in alias_candidates(text)}
    assert spans["ingrid"] == "Ingrid"
    assert spans["locker 90417"] == "locker 90417"


def test_longer_sequences_come_before_shorter_ones_that_start_together() -> None:
    starts = [(start, -end) for _, start, end in alias_candidates("Ingrid Solberg met Noor Haddad")]
    assert starts == sorted(starts)


def test_names_survive_when_a_text_is_too_long_to_look_up_whole() -> None:
    found = looked_up("the quick brown fox jumps over a lazy dog and " * 20 + "then Ingrid left")
    assert "ingrid" in found


@given(st.text(max_size=300))
def test_any_text_gives_a_bounded_number_of_candidates(text: str) -> None:
    found = alias_candidates(text)
    assert len(found) <= 200
    assert all(0 <= start < end <= len(text) and alias for alias, start, end in found)


def test_a_very_long_text_gives_a_bounded_number_of_candidates() -> None:
    assert len(alias_candidates("Ingrid met Noor Haddad in Oslo. " * 500)) <= 200
