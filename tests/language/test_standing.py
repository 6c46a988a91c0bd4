"""What somebody has one of is read with whose it is, and nothing from what is asked or supposed."""

from __future__ import annotations

import pytest

from scrubjay.language.standing import standing_of, standing_told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I live in Ghent.", {("home", "")}),
        ("We've settled into the harbour flat.", {("home", "")}),
        ("Petra works at the bakery.", {("work", "Petra")}),
        ("Petra got a place as a tram driver.", {("work", "Petra")}),
        ("Tom drives an old Saab.", {("drive", "Tom")}),
        ("Ich wohne in Graz.", {("home", "")}),
        ("My sister lives in Ghent.", set()),
        ("Petra bakes rye bread.", set()),
    ],
)
def test_a_home_a_job_and_a_car_are_read_with_whose_they_are(
    text: str, told: set[tuple[str, str]]
) -> None:
    assert standing_of(text) == told


@pytest.mark.parametrize("text", ["Where do I live?", "I might move to work at the mill."])
def test_what_is_asked_or_supposed_tells_of_nobody(text: str) -> None:
    assert not standing_told(text, text.lower().strip("?.").split())
