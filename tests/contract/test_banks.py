"""Banks: their names, their settings, their isolation and their end."""

from __future__ import annotations

import pytest
from tests.contract.looking import found_by

from scrubjay import BadInput, Memory, NotFound

UNICODE = ["Ærø", "北京", "проект-7", "a.b_c-d", "ひみつ", "0", "x" * 100, "ARCHIVE", "archive"]


def test_bank_names_may_be_in_any_script(memory: Memory) -> None:
    for name in UNICODE:
        memory.retain(f"I live in {name}.", bank=name)

    assert [bank.name for bank in memory.banks()] == sorted(UNICODE)
    for name in UNICODE:
        (unit,) = memory.list(bank=name).units
        assert unit.text == f"I live in {name}."


def test_many_banks_live_side_by_side(memory: Memory) -> None:
    for n in range(40):
        memory.retain(f"the password of bank {n} is heron{n}", bank=f"b{n}")

    assert len(memory.banks()) == 40
    for n in (0, 20, 39):
        assert len(found_by(memory, f"heron{n}", "lexical", f"b{n}")) == 1
        assert found_by(memory, f"heron{n}", "lexical", f"b{(n + 1) % 40}") == []


def test_reading_makes_no_bank_but_the_default_one_is_always_there(memory: Memory) -> None:
    assert memory.recall("anything?").items == ()
    assert memory.list().units == ()
    for call in (memory.stats, memory.list, memory.sessions, memory.entities, memory.doctor):
        with pytest.raises(NotFound, match="nonesuch"):
            call(bank="nonesuch")
    assert [bank.name for bank in memory.banks()] == ["default"]


def test_settings_stay_with_their_bank(memory: Memory) -> None:
    memory.bank("berlin", timezone="Europe/Berlin", recent_days=7)

    assert memory.bank("berlin").settings.timezone == "Europe/Berlin"
    assert memory.bank("berlin", recent_days=9).settings.recent_days == 9
    assert memory.bank("berlin").settings.timezone == "Europe/Berlin"
    assert memory.bank("other").settings.timezone == "UTC"


def test_bad_settings_make_no_bank(memory: Memory) -> None:
    for setting, value in (("timezone", "Mars"), ("analysis", "klingon"), ("mood", "good")):
        with pytest.raises(BadInput, match=rf"{value}|{setting}"):
            memory.bank("new", **{setting: value})
    assert memory.banks() == []


def test_words_already_cut_keep_their_analysis(memory: Memory) -> None:
    bank = memory.bank("b", analysis="english")
    assert memory.bank("b", analysis="simple").settings.analysis == "simple"
    bank.retain("The runners ran.")

    with pytest.raises(BadInput, match=r"'english'.*'simple'"):
        memory.bank("b", analysis="english")
    assert bank.settings.analysis == "simple"


def test_a_deleted_bank_is_gone_and_its_name_is_free(memory: Memory) -> None:
    old = memory.retain("old life", bank="b").id
    memory.delete_bank("b")

    with pytest.raises(NotFound):
        memory.get(old, bank="b")
    memory.retain("new life", bank="b")
    assert [unit.text for unit in memory.list(bank="b").units] == ["new life"]
    with pytest.raises(NotFound):
        memory.get(old, bank="b")


def test_a_handle_to_a_deleted_bank_says_that_it_is_gone(memory: Memory) -> None:
    bank = memory.bank("b")
    bank.retain("x")
    memory.delete_bank("b")

    for call in (bank.stats, lambda: bank.retain("y"), bank.sessions):
        with pytest.raises(NotFound, match="'b'"):
            call()


def test_a_bank_shows_its_card(memory: Memory) -> None:
    memory.retain(["one", "two"], bank="b")
    (card,) = memory.banks()

    assert (card.name, card.units, card.encoder) == ("b", 2, "hash@1/f32/384")
    assert memory.bank("b").info() == card
