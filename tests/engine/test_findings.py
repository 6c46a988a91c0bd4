"""What an assistant found or did is told from what it offers, repeats or advises."""

import pytest

from scrubjay.engine.shared.findings import finding_share


@pytest.mark.parametrize(
    "text",
    [
        "The queue filled up because the worker held its lock for a minute.",
        "Found it: the cache key lacks the tenant.",
        "I moved the parser into a module of its own, and the tests are green.",
        "You have two deliveries and a fitting tomorrow.",
    ],
)
def test_what_was_found_or_done_is_a_finding(text: str) -> None:
    assert finding_share(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Noted: no meetings on Fridays.",
        "Shall I write to the landlord?",
        "I could draw up a list, if you want.",
        "You should water them in the evening.",
        "Mix the plaster thin and let it dry.",
        "Thanks! Happy to help.",
    ],
)
def test_offers_receipts_orders_and_thanks_are_none(text: str) -> None:
    assert finding_share(text) == 0


def test_a_finding_among_offers_counts_by_its_words() -> None:
    assert 0.3 < finding_share("The pump was off. I can remind you to look at it.") < 0.6
