"""A name finds its bearer however it is written, and namesakes stay apart."""

from __future__ import annotations

import pytest

from scrubjay.memory import Memory


def asked(memory: Memory, question: str, session: str | None = None) -> dict[str, float]:
    parsed = memory.parse(question, session=session)
    return {entity.name: entity.confidence for entity in parsed.entities}


def told(memory: Memory, text: str, session: str | None = None) -> tuple[str, ...]:
    return memory.get(memory.retain(text, session=session).id).entities


# Given names that are rare, new, or a pronoun in some language; most are on no list.
NAMES = (
    "Tilde Vestergaard", "Ottokar Brandl", "Xiadani Cruz", "Oluwaseun Adebayo", "Ilkay Demirel",
    "Mia Okafor", "Ella Brandt", "Lei Moreau", "Zelda Farkas", "Njambi Kariuki",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_full_name_is_known_by_its_first_and_last_word(memory: Memory, name: str) -> None:
    memory.retain(f"We met {name} at the harbour.")
    given, _, surname = name.partition(" ")
    for called in (given, surname, given.lower()):
        assert 0 < asked(memory, f"What did {called} say?")[name] < 1
    assert told(memory, f"Later {given} rowed home.") == (name,)
    assert told(memory, f"Nobody saw {surname} leave.") == (name,)


def test_a_name_in_lower_case_is_recognised_when_writing(memory: Memory) -> None:
    memory.retain("Ottokar Brandl repairs clocks.")
    assert told(memory, "ottokar was late again") == ("Ottokar Brandl",)
    assert told(memory, "the clocks were late again") == ()


def test_a_small_slip_still_finds_the_name_at_low_confidence(memory: Memory) -> None:
    memory.retain("Ottokar Brandl repairs clocks.")
    for slipped in ("Otokar", "Ottokra", "Ottokat", "Ottokaar", "ottokra"):
        assert 0 < asked(memory, f"What does {slipped} repair?")["Ottokar Brandl"] < 0.5


def test_a_name_of_its_own_is_no_slip_of_another(memory: Memory) -> None:
    memory.retain("Jon Vestergaard repairs clocks.")
    memory.retain("Emma Brandl paints.")
    assert asked(memory, "What does John repair?") == {}
    assert asked(memory, "What does Gemma paint?") == {}


def test_a_pronoun_of_another_language_is_no_name_in_that_language(memory: Memory) -> None:
    memory.retain("Mia Okafor bakes bread.")
    memory.retain("Ella Brandt paints.")
    assert told(memory, "La mia macchina è rossa e la casa è piccola.") == ()
    assert told(memory, "Ella vive en Madrid con su hermano.") == ("Madrid",)
    assert told(memory, "Elle est venue hier avec Mia.") == ("Mia Okafor",)


def two_chrises(memory: Memory) -> None:
    memory.retain("Chris Valderrama rewrote the backend adapter.", session="code")
    memory.retain("Chris Hoang looks after the customers in Zwolle.", session="sales")


def test_two_of_one_first_name_stay_two_candidates(memory: Memory) -> None:
    two_chrises(memory)
    (chris,) = memory.parse("Where is Chris?").entities
    assert len(chris.candidates) == 2
    assert chris.confidence < 0.7


def test_the_sentence_tells_namesakes_apart_when_writing(memory: Memory) -> None:
    two_chrises(memory)
    assert told(memory, "Chris broke the adapter again.") == ("Chris Valderrama",)
    assert told(memory, "The customers like Chris.") == ("Chris Hoang",)


def test_the_session_tells_namesakes_apart(memory: Memory) -> None:
    two_chrises(memory)
    assert told(memory, "Then Chris was tired.", session="sales") == ("Chris Hoang",)
    found = asked(memory, "Where is Chris?", session="code")
    assert found["Chris Valderrama"] >= 0.7
