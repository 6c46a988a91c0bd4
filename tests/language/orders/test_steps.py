"""Questions how something is done, and texts that tell it step by step."""

import pytest

from scrubjay.language.orders.steps import asks_how_to, steps_share


@pytest.mark.parametrize(
    "question",
    [
        "How do I drain the boiler?",
        "The tap drips, what should I do?",
        "How is the press cleaned?",
        "What are the steps when a parcel is lost?",
        "How to splice a rope",
        "Wie reinigt man die Pumpe?",
        "¿Cómo se limpia la bomba?",
    ],
)
def test_a_question_for_a_way_to_do_something_is_known(question: str) -> None:
    assert asks_how_to(question)


@pytest.mark.parametrize(
    "question",
    [
        "How is Ana?",
        "How much is a bolt?",
        "How was the trip?",
        "What did I do?",
        "Wie alt ist Ada?",
    ],
)
def test_a_question_for_something_else_is_not(question: str) -> None:
    assert not asks_how_to(question)


@pytest.mark.parametrize(
    ("steps", "mention"),
    [
        (
            "To drain the boiler: close the red tap, open the valve below, wait until it is empty.",
            "We drained the boiler on Tuesday and it took the whole morning.",
        ),
        (
            "Lost parcel: check the scans, then call the depot, then write to the sender.",
            "A parcel was lost again, the third one this month.",
        ),
        (
            "Ventil reinigen: Strom aus, Deckel abnehmen, mit Essig spülen, dann trocknen lassen.",
            "Das Ventil war gestern wieder verstopft.",
        ),
    ],
)
def test_what_says_what_to_do_has_more_steps_than_what_tells_that_it_was_done(
    steps: str, mention: str
) -> None:
    assert steps_share(steps) == 1.0
    assert steps_share(mention) < 0.5


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert steps_share("The boiler is old. " * 100 + "Close the tap, open the valve, wait.") == 0.0
