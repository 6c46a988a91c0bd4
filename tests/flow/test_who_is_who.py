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


@pytest.mark.parametrize(
    ("text", "name", "called"),
    [
        ("Bogumil Reyes sits at the window; everyone calls him Bo.", "Bogumil Reyes", "Bo"),
        ("Aleksander Wilk goes by Olek.", "Aleksander Wilk", "Olek"),
        ("Margarethe Lund, nicknamed Gretel, rang.", "Margarethe Lund", "Gretel"),
        ("Anna Brandt, née Vogel, joined the choir.", "Anna Brandt", "Anna Vogel"),
        ("Anna Brandt, née Vogel, joined the choir.", "Anna Brandt", "Vogel"),
        ("Katya Moroz is now called Katya Delgado.", "Katya Moroz", "Delgado"),
        ("Theresia Hofbauer wird von allen Resi genannt.", "Theresia Hofbauer", "Resi"),
        ("Rosario Ruiz, alias Chayo, vino ayer.", "Rosario Ruiz", "Chayo"),
    ],
)
def test_a_name_that_a_text_gives_someone_is_theirs(
    memory: Memory, text: str, name: str, called: str
) -> None:
    assert told(memory, text) == (name,)
    assert told(memory, f"Yesterday {called} was late.") == (name,)
    assert name in asked(memory, f"When was {called} late?")


def test_another_name_counts_within_one_batch(memory: Memory) -> None:
    first, second = memory.retain(
        ["Bogumil Reyes is new; everyone calls him Bo.", "Yesterday Bo was late."]
    ).ids
    assert memory.get(first).entities == memory.get(second).entities == ("Bogumil Reyes",)


def test_who_calls_somebody_gives_nobody_another_name(memory: Memory) -> None:
    assert told(memory, "Freya Holm has a boyfriend called Lucas.") == ("Freya Holm", "Lucas")
    assert told(memory, "Anna Berg met Jens, called Bob and left.") == ("Anna Berg", "Jens", "Bob")


def test_someone_known_by_an_everyday_word_is_known_where_they_do_something(
    memory: Memory,
) -> None:
    memory.retain("Our cat Biscuit hides from the vacuum.")
    assert told(memory, "Biscuit needs a tablet every evening.") == ("Biscuit",)
    assert told(memory, "Biscuit tins are in the shed.") == ()


@pytest.mark.parametrize(
    ("base", "name", "inflected"),
    [
        ("Wczoraj przyszła do nas Kasia.", "Kasia", "Wczoraj dałem Kasi zapasowy klucz."),
        ("Do szkoły idzie już Tomek.", "Tomek", "Rozmawiałem z Tomkiem, nie był zły."),
        ("Вчера пришла Ольга.", "Ольга", "Вчера мы видели Ольгу в аптеке."),
    ],
)
def test_an_inflected_name_is_who_alone_it_can_mean(
    memory: Memory, base: str, name: str, inflected: str
) -> None:
    assert told(memory, base) == (name,)
    assert told(memory, inflected) == (name,)


def test_a_known_name_is_found_without_capitals_in_scripts_that_have_none(memory: Memory) -> None:
    memory.retain("うちの犬はコタロウといいます。")
    assert told(memory, "コタロウは雷が怖いです。") == ("コタロウ",)
    memory.retain("吉田さんは経理部で働いています。")
    assert told(memory, "吉田から電話がありました。") == ("吉田",)
    memory.retain("박지훈 씨를 만났다")
    assert told(memory, "어제 박지훈에게 책을 주었다") == ("박지훈",)
