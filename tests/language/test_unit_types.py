"""What kind of memory a sentence is, and what kind a question asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.orders.instructions import standing_instruction
from scrubjay.language.unit_types import SURE, guess_type
from scrubjay.types.values import DEFAULT_TYPES

SENTENCES = {
    "fact": (
        "The staging cluster has eight nodes.",
        "Bruno lives in Porto with his parents.",
        "The cafeteria closes at half past two.",
        "Deliveries arrive every Tuesday before noon.",
        "Our backups are encrypted with a hardware key.",
        "Nadia is afraid of heights.",
        "Omar has worked at the harbour since 2015.",
        "The meeting room on the third floor seats twelve people.",
    ),
    "preference": (
        "I like my steak medium rare.",
        "Never schedule calls before ten in the morning.",
        "Lena can't stand loud restaurants.",
        "Answer in French unless I say otherwise.",
        "He'd rather cycle than drive.",
        "Please keep the summaries under five lines.",
        "Wants all receipts as PDF.",
        "Do not use emojis in replies.",
        "He always orders oat milk in his coffee.",
        "Prefiero reuniones cortas por la tarde.",
        "我不喜欢太辣的菜",
    ),
    "event": (
        "Bruno moved to Porto in September.",
        "Elena broke her arm while skiing.",
        "A pipe burst in the basement this morning.",
        "The contract was renewed on 3 February 2024.",
        "Yuki and Sven got engaged in Paris.",
        "I started my new job on 1 March.",
        "The elections will be held in November.",
        "The dentist appointment is on Friday.",
    ),
    "entity": (
        "Globex is a logistics company from Rotterdam.",
        "Sven is Yuki's boyfriend.",
        "Mrs. Okoro is the school principal.",
        "The Falcon team is in charge of payments.",
        "OPS-311 is the epic for the migration.",
        "db-replica-2 is our read-only database server.",
        "Ingrid Holm is head of research at Globex.",
    ),
    "opinion": (
        "I suspect the vendor will miss the date.",
        "In her opinion, meetings should be shorter.",
        "The new logo looks ugly.",
        "Omar finds opera boring.",
        "Everyone should learn a second language.",
        "Tabs are better than spaces.",
        "The roadmap is far too ambitious.",
        "Our codebase is a mess.",
    ),
    "experience": (
        "I reviewed the user's essay and suggested a new title.",
        "The assistant booked a table for four.",
        "Teaching children showed me how to be patient.",
        "I spent a year backpacking through South America.",
        "I have been practising yoga and it has helped my back.",
        "After quitting coffee I slept much better.",
        "Moving abroad alone was a life-changing step for me.",
    ),
}


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in SENTENCES.items() for text in texts]
)
def test_a_plain_sentence_gets_its_type(kind: str, text: str) -> None:
    guess = guess_type(text)
    assert guess.type == kind, guess.reason


def test_a_dated_deed_is_an_event_for_a_person_and_experience_for_the_agent() -> None:
    text = "I sent the report on Monday."
    assert guess_type(text, speaker="Lena").type == "event"
    assert guess_type(text, speaker="Assistant").type == "experience"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Dora Lind has two Persians. Both insured with Petgarde.", {"fact"}),
        ("The partner limit is 90 a minute now. 120 hurt the database.", {"fact"}),
        ("From 3 May we only open on Saturdays. The team were worn out.", {"fact"}),
        ("The fee goes to 52 euros from today, as I've said already.", {"fact"}),
        ("I can't have sesame, I end up in hospital. Everything else is fine.", {"fact"}),
        ("Drivers pull over because the cab beeps that the load is too warm.", {"fact"}),
        ("Whenever you name a sum, make it the full amount.", {"preference"}),
        ("Since the audit: no customer names in fixtures, logs or tickets, ever.", {"preference"}),
        ("The list as a table, please.", {"preference"}),
        ("The owners want us every day. Dora told them no on Monday.", {"event", "preference"}),
        ("That restaurant is overrated.", {"opinion"}),
    ],
)
def test_what_holds_and_what_is_ordered_is_no_event(text: str, kinds: set[str]) -> None:
    guess = guess_type(text, speaker="user")
    assert guess.type in kinds, guess


def test_like_in_a_comparison_is_no_preference() -> None:
    assert guess_type("The tower looks like a lighthouse from here.").type != "preference"


@pytest.mark.parametrize(
    "text",
    [
        "What did you enjoy most about the trip?",
        "Thanks, that's great!",
        "I've got two questions about the lease, do you think it is fair?",
        "I want to make sure the invoice is right, can you check it?",
        "What if I want to add a second lamp?",
        "Call with the landlord, incoming",
        "It is the reason behind it.",
    ],
)
def test_what_states_no_liking_deed_or_judgement_is_a_fact(text: str) -> None:
    assert guess_type(text, speaker="user").type == "fact"


def test_an_order_of_one_person_to_another_is_no_preference_of_the_user() -> None:
    assert guess_type("Use your thumb for that.", speaker="Ines").type == "fact"
    assert guess_type("Use metric units for that.", speaker="user").type == "preference"


def test_the_sentence_that_states_something_decides() -> None:
    told = "Hi there! How are you? The pipe burst on 3 May. Can you call someone?"
    assert guess_type(told).type == "event"


def test_a_guess_that_is_not_sure_is_a_fact_and_says_what_it_might_be() -> None:
    guess = guess_type("Something by February perhaps.")
    assert guess.type == "fact" and guess.confidence < SURE
    assert "unsure whether event" in guess.reason


def test_a_guess_without_a_rule_says_so() -> None:
    guess = guess_type("zzz")
    assert (guess.type, guess.confidence) == ("fact", 0.5)


@given(st.text(), st.none() | st.text())
def test_any_text_gets_a_known_type_with_a_reason(text: str, speaker: str | None) -> None:
    guess = guess_type(text, speaker=speaker)
    assert guess.type in DEFAULT_TYPES
    assert 0 < guess.confidence <= 1
    assert guess.reason


ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("told_types.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(
    ("half", "precision_min", "right_min"), [("dev", 0.99, 0.9), ("apart", 0.94, 0.89)]
)
def test_a_type_other_than_fact_is_mostly_right_in_texts_of_other_kinds(
    half: str, precision_min: float, right_min: float
) -> None:
    read = [(guess_type(text).type, right.split(",")) for of, right, _, text in ROWS if of == half]
    typed = [kind in right for kind, right in read if kind != "fact"]
    assert sum(typed) / len(typed) >= precision_min
    assert sum(kind in right for kind, right in read) / len(read) >= right_min


@pytest.mark.parametrize("half", ["dev", "apart"])
def test_what_holds_happened_or_is_ordered_is_told_apart(half: str) -> None:
    told = Path(__file__).with_name("told_kinds.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in told if line.startswith(half)]
    wrong = [text for _, right, text in rows if guess_type(text, speaker="user").type not in right]
    assert wrong == []


@pytest.mark.parametrize("half", ["dev", "apart"])
def test_what_is_found_to_be_an_instruction_is_one(half: str) -> None:
    read = [(standing_instruction(text), sign) for of, _, sign, text in ROWS if of == half]
    assert {sign for found, sign in read if found is not None} == {"i"}
    assert sum(found is not None for found, _ in read) >= sum(sign == "i" for _, sign in read) - 1
