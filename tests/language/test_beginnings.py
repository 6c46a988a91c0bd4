"""A text that tells what will be otherwise, and one that tells what takes place."""

from __future__ import annotations

import pytest

from scrubjay.language.beginnings import begins_then


@pytest.mark.parametrize(
    "text",
    [
        "Malte takes over the branch on 1 November.",
        "In November we are switching from Jira to Linear.",
        "The gym moves to Kanalstraße on 3 December.",
        "Our hotline will be 0800-2222 from 1 October.",
        "Priya becomes head of sales next month.",
        "Im Januar übernimmt Herr Brandt die Buchhaltung.",
        "En mai, Léa devient directrice.",
    ],
)
def test_what_will_be_otherwise_is_told(text: str) -> None:
    assert begins_then(text)


@pytest.mark.parametrize(
    "text",
    [
        "The inspection was moved to 19 October.",
        "The party moved to the Rowing Club, on 12 December.",
        "Rehearsal moves to Thursday 12 November.",
        "The exam will be on 9 October.",
        "Dinner with the Larssons on 18 September.",
    ],
)
def test_what_takes_place_then_or_was_planned_anew_is_not(text: str) -> None:
    assert not begins_then(text)
