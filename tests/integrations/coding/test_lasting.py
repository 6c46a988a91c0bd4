"""Which preferences hold for a user everywhere, on sentences of which half were kept apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.integrations.coding.lasting import is_lasting

SAID = [
    line.split("\t")
    for line in Path(__file__).with_name("said.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
# Rather asked for once more in the next repository than told where it does not hold.
FOUND_MIN = 0.9


@pytest.mark.parametrize("half", ["seen", "apart"])
def test_what_is_not_meant_for_everywhere_stays_in_its_repository(half: str) -> None:
    told = [text for which, where, text in SAID if (which, where) == (half, "here")]
    assert len(told) >= 40
    assert [text for text in told if is_lasting(text)] == []


@pytest.mark.parametrize("half", ["seen", "apart"])
def test_what_a_user_prefers_in_general_is_known_as_that(half: str) -> None:
    told = [text for which, where, text in SAID if (which, where) == (half, "lasting")]
    assert sum(map(is_lasting, told)) >= FOUND_MIN * len(told) >= 15


@pytest.mark.parametrize(
    "beside",
    ["Now rename parse_row.", "The tests are in tests/unit.", "Can you add one?", "Merge it."],
)
def test_a_message_that_is_also_about_something_else_stays_whole(beside: str) -> None:
    preference = "I prefer pytest over unittest in all my projects."
    assert is_lasting(preference)
    assert not is_lasting(f"{preference} {beside}")
    assert is_lasting(f"Thanks! {preference}\nI hate emojis.")


def test_a_long_message_is_about_what_is_at_hand() -> None:
    assert not is_lasting("I prefer short answers. " * 20)
    assert not is_lasting("Thanks!")
    assert not is_lasting("")
