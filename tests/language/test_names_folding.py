"""Folding: the spellings of one name become one form, and different names stay different."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.names import fold


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Nadia Petrova", "nadia petrova"),
        ("NADIA  PETROVA", "nadia petrova"),
        ("Nadia Petrova's", "nadia petrova"),
        ("Nadia Petrova’s", "nadia petrova"),
        ("Thomas'", "thomas"),
        ("Dr. Nadia Petrova", "nadia petrova"),
        ("Prof. Dr. Ilse Brandt", "ilse brandt"),
        ("Señora Ruiz", "ruiz"),
        ("Zoë Ångström", "zoe angstrom"),
        ("Łukasz Østby", "lukasz ostby"),
        ("Weiß", "weiss"),
        ("D’Angelo", "dangelo"),
        ("Anne-Marie", "anne marie"),
        ("OPS-1204", "ops 1204"),
        ("T. S. Eliot", "ts eliot"),
        ("T.S. Eliot", "ts eliot"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("#random", "random"),
        ("ﬁeld", "field"),
        ("山田太郎", "山田太郎"),
        ("प्रिया", "प्रिया"),
        ("서울", "서울"),
    ],
)
def test_spellings_fold_to_one_form(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize(
    ("one", "other"),
    [("C", "C++"), ("v2.1", "v21"), ("OPS-1204", "OPS-1240"), ("が", "か"), ("Jon", "John")],
)
def test_different_names_stay_different(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize("alone", ["Dr.", "Prof", "Mx X"])
def test_a_title_without_a_name_behind_it_is_kept(alone: str) -> None:
    assert fold(alone).split()[0] in ("dr", "prof", "mx")


def test_initials_that_spell_a_title_are_not_taken_for_one() -> None:
    assert fold("M. R. Haddad") == "m r haddad"


def test_punctuation_alone_folds_to_itself() -> None:
    assert fold("?!") == "?!"
    assert fold("   ") == ""


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(name: str) -> None:
    assert fold(fold(name)) == fold(name)


@given(st.text(alphabet="aAsSmMrRdD'’ .-#+éßİıΣς½ﬁが한\u0301", max_size=16))
def test_folding_twice_changes_nothing_where_it_is_hard(name: str) -> None:
    assert fold(fold(name)) == fold(name)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=12))
def test_case_and_possessive_never_matter(name: str) -> None:
    assert fold(f"{name.upper()}'s") == fold(name)
