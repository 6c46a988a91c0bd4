"""Two texts about one thing: the same told again, another value of it, or two things of a kind."""

from __future__ import annotations

import pytest

from scrubjay.language.restating import Restated, restated


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The pool closes at 21:00.", "The pool closes at 22:30."),
        ("Tea budget is 40 euros a month.", "Tea budget is 55 euros a month."),
        ("[srv] queue limit set to 200", "[srv] queue limit set to 350 after the outage"),
        ("User's favourite composer is Ravel.", "User's favourite composer is Sibelius."),
        ("notary = Ms Falk, Hill St", "notary = Mr Oyelaran, Quay 4"),
        ("Prices: comb 4, brush 7, mirror 12.", "Prices: comb 5, brush 9, mirror 14."),
        ("The late bar is run by Ruth Adler.", "Ruth went home; the late bar is with Ivo Sand."),
        ("Pia rows on Mondays.", "Pia rows on Fridays, the lake is shut on Mondays."),
        ("Minimum Python is 3.10.", "Minimum Python is 3.12 (match statements)."),
        ("Ravi eats fish on Fridays.", "Ravi never eats fish on Fridays."),
        ("Die Sauna kostet 9 Euro.", "Die Sauna kostet jetzt 11 Euro."),
        ("Le marché ouvre à 08:00.", "Le marché ouvre désormais à 09:30."),
        ("La piscina cierra a las 20:00.", "La piscina cierra a las 21:30."),
        ("The night ferry leaves at 22:00.", "Night ferry leaves at 23:15."),
        ("A round of minigolf is 3.50.", "They want 5 pounds for a round of minigolf."),
        ("The locksmith's number is 020 555 0144.", "Ring the locksmith on 020 555 0177."),
        ("We need 30 tents for the fair.", "Sorry, 13 tents, not 30."),
        ("The garden gate is painted brown.", "Painted the garden gate dark red on Sunday."),
        (
            "Edda leads the Monday choir.",
            "The Monday choir is Rune's, Edda leads no more.",
        ),
        ("Our booking at Rossi is for six.", "Our booking at Rossi is for nine."),
        ("We pin scipy to 1.10.", "scipy is pinned to 1.14 in the lockfile."),
        ("Der Trainer heißt Krüger.", "Unser Trainer heißt Demirci."),
        ("Nora's shed is yellow.", "Nora's shed is grey with one red wall."),
        ("Tilde's concert is in the Abbey barn.", "Tilde's concert is in the chapel on Oak Road."),
    ],
)
def test_another_value_of_the_same_thing_is_read(old: str, new: str) -> None:
    assert restated(new, old) is Restated.OTHER


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The shed was built in 2011 by Norton.", "Norton built the shed in 2011."),
        ("Lea is allergic to latex.", "Remember that Lea is allergic to latex."),
    ],
)
def test_the_same_told_again_is_read(old: str, new: str) -> None:
    assert restated(new, old) is Restated.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent of flat 12 is 640 euros.", "The rent of flat 14 is 710 euros."),
        ("Sensor 2 is in the cellar.", "Sensor 3 is in the cellar."),
        ("Ylva came home at 15:12 on 10 May.", "Ylva came home at 15:44 on 6 May."),
        ("Cat flap: Fennel in, 09:45, 02 Jan.", "Cat flap: Fennel in, 09:16, 05 Jan."),
        ("Lea is allergic to latex.", "Lea is afraid of dogs."),
        ("The office is on the third floor.", "The office is closed on Fridays."),
        ("Ana likes tea.", "Omar likes tea."),
        ("The test server has 8 GB of memory.", "The live server has 64 GB of memory."),
        ("The bakery in Mill Lane opens at 6.", "The bakery at the station opens at 5."),
        ("The fair is in the harbour on 20 March.", "The fair is in the harbour on 20 July."),
        ("Ana speaks Polish.", "Ana speaks Polish and Danish as well."),
        ("Thanks, Ana. I certainly will.", "Thanks, Ana! I certainly will stick to the plan."),
        ("Sprint 14 closed with 31 points.", "Sprint 15 closed with 27 points."),
        (
            "Our contract with Oslo is until 2026, 90 bikes.",
            "Bergen signed! Contract until 2028.",
        ),
        ("Is the pool open at 21:00?", "Is the pool open at 22:00?"),
        ("", ""),
    ],
)
def test_two_things_of_a_kind_are_no_restatement(one: str, other: str) -> None:
    assert restated(other, one) is None
    assert restated(one, other) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We'll varnish the deck on Sunday.", "The deck is varnished."),
        ("The gutter needs mending.", "Mended the gutter."),
        ("The stall at the fair is still available.", "The stall at the fair is sold."),
        ("Ich muss noch den Antrag verlängern.", "Antrag ist verlängert."),
    ],
)
def test_what_was_open_is_settled_by_what_says_it_is_done(old: str, new: str) -> None:
    assert restated(new, old) is Restated.SETTLED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We'll varnish the deck on Sunday.", "The deck is not varnished."),
        ("We'll varnish the deck on Sunday.", "The deck will be varnished soon."),
        ("We'll varnish the deck on Sunday.", "Painted the kitchen ceiling."),
    ],
)
def test_what_is_still_open_or_another_matter_settles_nothing(old: str, new: str) -> None:
    assert restated(new, old) is not Restated.SETTLED
