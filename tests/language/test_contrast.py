"""Two things of one kind are told apart; one thing of which another is said is not."""

from __future__ import annotations

import pytest

from scrubjay.language.contrast import adds, are_two_things


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Vera Holm sings alto.", "Vera Quist now sings soprano."),
        ("The north gate opens at 7:00.", "The south gate opens at 8:00 now."),
        ("Gas bill for May: 61 euros.", "Gas bill for June: 48 euros."),
        ("Lane 3 is closed.", "Lane 5 is closed now."),
        ("Project Wren is due on 2 May.", "Project Finch is due on 9 May now."),
        ("Pia runs on Mondays.", "Otto runs on Fridays now."),
        ("Der Nordsaal ist am 2. Mai belegt.", "Der Südsaal ist jetzt am 9. Mai belegt."),
    ],
)
def test_another_name_and_another_value_make_two_things(old: str, new: str) -> None:
    assert are_two_things(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The sauna costs 9 euros.", "The sauna goes up to 11 euros from May."),
        ("The sauna is open on Mondays.", "The sauna is open on Fridays now."),
        ("Vera Holm sings alto.", "Vera Holm sings soprano now."),
        ("Pia does the payroll.", "Otto does the payroll now."),
        ("The gate is locked at 22:00.", "The gate is locked at 21:00 as of June."),
        ("The kiln is staffed for two shifts.", "The kiln is staffed for three shifts."),
        ("Die Sauna kostet 9 Euro.", "Die Sauna kostet ab Mai 11 Euro."),
    ],
)
def test_one_thing_of_which_another_is_said_stays_one(old: str, new: str) -> None:
    assert not are_two_things(new, old)


@pytest.mark.parametrize("text", ["We also bake rye.", "Wir backen auch Roggen.", "Rye, too."])
def test_what_comes_on_top_is_said_so(text: str) -> None:
    assert adds(text)


def test_reading_takes_time_in_proportion_to_the_text() -> None:
    """Of a long text only the beginning is compared."""
    long = "The north gate opens at 7:00. " * 2_000
    assert not are_two_things(long, long)
