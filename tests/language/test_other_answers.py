"""Of two texts that a question finds it is told whether the newer gives another answer."""

import pytest

from scrubjay.language.other_answers import Wanted, answers_anew, wanted_by


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who is at the front desk?", Wanted.NAME),
        ("With whom do I share a car?", Wanted.NAME),
        ("Woher bekommen wir den Mulch?", Wanted.NAME),
        ("¿Quién hace los postres?", Wanted.NAME),
        ("Où est le marché du samedi ?", Wanted.NAME),
        ("When is the inspection?", Wanted.DAY),
        ("What day does she come?", Wanted.DAY),
        ("Wann wird geliefert?", Wanted.DAY),
        ("How much is a lesson?", Wanted.AMOUNT),
        ("Was kostet eine Stunde?", Wanted.AMOUNT),
        ("What does the hall cost?", Wanted.AMOUNT),
        # When something began is told once.
        ("Since when has Nadia been here?", None),
        ("Tell me about the man who brings the flour.", None),
        ("How do I clean the pump?", None),
        ("Write a note for the neighbours.", None),
    ],
)
def test_a_question_says_what_kind_of_answer_it_wants(question: str, wanted: Wanted | None) -> None:
    assert wanted_by(question) is wanted


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        (
            "Where is the wedding?",
            "The wedding is at the Orangery in Felbrook.",
            "The Orangery flooded. Mill Barn can take us on the same date.",
        ),
        (
            "Who is the best man?",
            "Best man is Theo's cousin Ruben.",
            "Ruben will be at sea; Theo asked his old flatmate Anselm to stand beside him.",
        ),
        (
            "Woher bekommen wir den Mulch?",
            "Den Mulch holen wir bei Petersen in Reinbek.",
            "Petersen hat zugemacht, der Mulch kommt von Lührs aus Glinde.",
        ),
        (
            "What day does Mrs. Abernathy come?",
            "Mrs. Abernathy comes in every Tuesday for her hip.",
            "Mrs. Abernathy's daughter can only drive her on Thursdays.",
        ),
        (
            "How much do we charge for a first assessment?",
            "A first assessment is 75 pounds for forty-five minutes.",
            "New price list is up: assessment 82, follow-up 54.",
        ),
        (
            "When do you shut?",
            "You shut the stall at five.",
            "The stall is shut at six when it is light.",
        ),
    ],
)
def test_another_answer_is_seen_in_whatever_words(question: str, old: str, new: str) -> None:
    wanted = wanted_by(question)
    assert wanted is not None
    assert answers_anew(question, wanted, new, old)
    assert not answers_anew(question, wanted, old, old)


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        # Nobody else is named.
        (
            "Whose is the scanner?",
            "The scanner is on loan from Bexley Medical.",
            "Bexley came by for the scanner's yearly check.",
        ),
        # What the question names is no answer to it.
        (
            "Who treats Ravi?",
            "Ravi is treated by Dr. Pell.",
            "Ravi's brother Arjun booked in for an ankle.",
        ),
        # Another's, of which the question does not ask.
        (
            "When is Milo's lesson?",
            "Milo's lesson is at half past three.",
            "Ida's lesson is at five.",
        ),
        (
            "How many bikes does the Ghent contract cover?",
            "All 1,140 bikes of the Ghent contract are on the update.",
            "Mechelen wants a pilot with 60 bikes. The contract is not signed.",
        ),
        (
            "Mit wie viel bar bläst der Kompressor links?",
            "Der Kompressor links bläst mit 8 bar.",
            "Der Kompressor rechts bläst mit 10 bar.",
        ),
        # A German noun is no name.
        (
            "Wer macht abends die Kasse?",
            "Die Kasse macht abends Gudrun.",
            "Gudrun hat die Kasse zum Geburtstag neu lackiert.",
        ),
        # No day, and no amount.
        (
            "When is the open day?",
            "The open day is on Saturday 12 July.",
            "The open day posters are up, all 40 of them.",
        ),
        # About something else altogether.
        (
            "How much is a lesson?",
            "A lesson is 30 euros.",
            "The new tyre was 58 euros.",
        ),
        # A question is no answer.
        (
            "How much is a lesson?",
            "A lesson is 30 euros.",
            "Is a lesson still 30 euros, or 35?",
        ),
    ],
)
def test_what_gives_no_other_answer_is_left_alone(question: str, old: str, new: str) -> None:
    wanted = wanted_by(question)
    assert wanted is not None
    assert not answers_anew(question, wanted, new, old)


def test_a_long_text_tells_of_many_things() -> None:
    question = "How much is a lesson?"
    long = "A lesson is 35 euros. " + "The weather was fine. " * 12
    assert not answers_anew(question, Wanted.AMOUNT, long, "A lesson is 30 euros.")
