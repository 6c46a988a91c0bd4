"""Of a memory that tells several things a change concerns one, and answers what asks for it."""

from __future__ import annotations

import pytest

from scrubjay.language.changed_part import says_of_asked

TRAIN = "Train to Basel on 4 November at 7:02 from platform 9, car 12 seat 45, order number KD88PL."
LATER = "SBB moved the Basel train to 7:40."
SERVER = "The backup server is fs-07 at 10.4.1.20 in rack 3, managed by Devrim."
MEMORY = "fs-07 now has 64 GB of memory."
DOSE = "Ramona takes bisoprolol 5 mg in the morning and must not take ibuprofen."
MORE = "Bisoprolol was raised to 7.5 mg."
RENT = "The rent is 900, deposit 1,800, landlord Mr. Bose."
DEARER = "The rent goes up to 950."
PIANO = "Der Klavierunterricht ist donnerstags um 15 Uhr bei Frau Sommer in der Lindenallee 8."
HALF_PAST = "Der Klavierunterricht ist ab sofort um 16:30 Uhr."


@pytest.mark.parametrize(
    ("question", "new", "old"),
    [
        ("What is the order number of the train to Basel?", LATER, TRAIN),
        ("Which seat do I have on the train to Basel?", LATER, TRAIN),
        ("Which platform does the Basel train leave from?", LATER, TRAIN),
        ("Who manages the backup server?", MEMORY, SERVER),
        ("What is the IP address of the backup server?", MEMORY, SERVER),
        ("In which rack is fs-07?", MEMORY, SERVER),
        ("What must Ramona not take?", MORE, DOSE),
        ("What is the deposit?", DEARER, RENT),
        ("Who is the landlord?", DEARER, RENT),
        ("Bei wem ist der Klavierunterricht?", HALF_PAST, PIANO),
        ("Wo ist der Klavierunterricht?", HALF_PAST, PIANO),
        ("When is choir?", "Choir moved to the chapel.", "Choir is at 19:30 in the aula."),
    ],
)
def test_a_change_of_something_else_says_nothing_of_it(question: str, new: str, old: str) -> None:
    assert not says_of_asked(question, new, old)


@pytest.mark.parametrize(
    ("question", "new", "old"),
    [
        ("When does the Basel train leave?", LATER, TRAIN),
        ("How much memory does fs-07 have?", MEMORY, SERVER),
        ("How much bisoprolol does Ramona take?", MORE, DOSE),
        ("What is the rent?", DEARER, RENT),
        ("Um wie viel Uhr ist der Klavierunterricht?", HALF_PAST, PIANO),
        ("Where is choir?", "Choir moved to the chapel.", "Choir is at 19:30 in the aula."),
        ("Who leads choir?", "Ada takes over choir on 3 May.", "Choir is led by Finn, at 19:30."),
        ("Who leads choir?", "Choir is cancelled.", "Choir is led by Finn, at 19:30."),
        ("What do we bill with?", "Bills come from Lexware now.", "We bill with Debitoor."),
        ("What's the wifi password?", "It changed to Olmo45.", "The wifi password is Roble22."),
    ],
)
def test_a_change_of_what_is_asked_says_so(question: str, new: str, old: str) -> None:
    assert says_of_asked(question, new, old)
