"""Which value a question asks for, and whether a text gives one."""

from __future__ import annotations

import pytest

from scrubjay.language.asked_values import (
    Sought,
    asked_value,
    gives_value,
    kind_sought,
    value_sought,
)
from scrubjay.language.told_values import differing, values_of


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much does the sofa cost?", "a price"),
        ("What was the deposit?", "a price"),
        ("How many seats are left?", "a number"),
        ("What time is the rehearsal?", "a time of day"),
        ("On which day does the boat leave?", "a day"),
        ("What is Ana's phone number?", "a phone number"),
        ("Who sold the sofa?", None),
        ("Why did the bowls crack?", None),
    ],
)
def test_the_kind_of_value_is_read_from_the_question(question: str, kind: str | None) -> None:
    assert asked_value(question) == kind


@pytest.mark.parametrize(
    ("kind", "text", "given"),
    [
        ("a price", "The sofa is 80 euros.", True),
        ("a price", "The sofa is eighty.", True),
        ("a price", "The sofa is blue.", False),
        ("a day", "The boat leaves on Friday.", True),
        ("a phone number", "Call Ana at 0171 555 0123.", True),
        ("a phone number", "Ana lives at number 12.", False),
        ("a number", "Seats are left.", False),
    ],
)
def test_only_a_text_that_surely_gives_none_is_said_to(kind: str, text: str, given: bool) -> None:
    assert gives_value(kind, text) is given


@pytest.mark.parametrize(
    "number",
    [
        "0171 555 0123", "0171/555 01 23", "0171-5550123", "+49 (0) 171 555-0123", "030/1234567",
        "01.42.68.53.00", "06 12 34 56 78", "(020) 7946 0018", "415-555-2671", "415.555.2671",
        "1-415-555-2671", "555-0123", "+1.415.555.2671",
    ],
)  # fmt: skip
def test_a_phone_number_is_known_however_it_is_joined(number: str) -> None:
    assert gives_value("a phone number", f"Call Ana at {number}.")


@pytest.mark.parametrize(
    "text",
    [
        "Her account is DE89 3704 0044 0532 0130 00.",
        "Pay it to GB29NWBK60161331926819.",
        "The card is 4111 1111 1111 1111.",
        "The card is 3782-822463-10005.",
        "We met on 03/04/2025.",
        "Open from 01.02.-03.04.2025.",
        "Open 09.30-11.45 every day.",
        "The server is 192.168.100.101.",
        "It is 123.4567 wide.",
        "Invoice 2025-0412 is paid.",
        "Released on 2025-03-04.",
        "Come on 03.04.2026 10 to 12.",
    ],
)
def test_accounts_cards_days_and_addresses_are_no_phone_numbers(text: str) -> None:
    assert not gives_value("a phone number", text)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("phone", "0171/555 01 23", "01715550123"),
        ("account", "DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("card", "4111 1111 1111 1111", "4111-1111-1111-1111"),
    ],
)
def test_one_number_written_in_two_ways_is_one_value(kind: str, one: str, other: str) -> None:
    new, old = values_of(f"It is {one}."), values_of(f"It is {other}.")
    assert new[kind] == old[kind]
    assert not differing(new, old)


@pytest.mark.parametrize(
    ("question", "gives", "lacks"),
    [
        ("When does the choir meet?", "We sing on Thursday evenings.", "We sing in the chapel."),
        ("And when was that?", "Two weeks ago.", "It was Ines who rang."),
        ("Which day suits Bo?", "The 14th, he says.", "Bo is easy about it."),
        ("Wann hat Vater Geburtstag?", "Er feiert im Oktober.", "Er liest gern Krimis."),
        ("Quand vient le plombier ?", "Il passe demain.", "Il s'appelle Luc."),
        ("¿Cuándo llega el tren?", "A las ocho, mañana.", "El tren es azul."),
        ("Quando parte o barco?", "Parte hoje à noite.", "O barco é velho."),
        ("How much did the hut cost?", "We paid eighty for it.", "We took the hut."),
        ("How long is the walk?", "A dozen miles or so.", "The walk is lovely."),
        ("Wie viel kostet der Saal?", "Zwei Euro je Kopf.", "Der Saal ist hell."),
        ("Quanto costa il biglietto?", "Costa dieci euro.", "Il biglietto è caro."),
        ("Tell me when the choir meets.", "We sing on Thursday evenings.", "We sing a lot."),
        ("À quel jour est le marché ?", "Le marché est le mardi.", "Le marché est grand."),
        ("How late may guests come?", "They may until midnight.", "They are welcome."),
        ("How late may guests come?", "They may till ten.", "They are welcome."),
        ("When is it, and how much is it?", "It is eighty.", "It is lovely."),
    ],
)
def test_who_asks_when_or_how_much_is_not_answered_by_what_says_neither(
    question: str, gives: str, lacks: str
) -> None:
    may_answer = value_sought(question)
    assert may_answer is not None
    assert may_answer(gives)
    assert not may_answer(lacks)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is the door code?", Sought.CODE),
        ("Whose is the locker number?", Sought.CODE),
        ("Who mows the lawn, and for how much?", Sought.PERSON),
        ("Where is the ferry, and when?", Sought.PLACE),
        ("Wann hat Vater Geburtstag?", Sought.TIME),
        ("Which month suits the choir?", Sought.TIME),
        ("the deadline for the grant", Sought.TIME),
        ("How late may guests come?", Sought.TIME),
        ("How heavy is the anvil?", Sought.AMOUNT),
        ("What was the deposit?", Sought.AMOUNT),
        ("What did the tuner charge?", Sought.AMOUNT),
        ("In June, when he began to study, which part did he read?", None),
        ("Why did the bowls crack?", None),
    ],
)
def test_one_kind_is_read_from_a_question(question: str, kind: Sought | None) -> None:
    assert kind_sought(question) is kind


@pytest.mark.parametrize(
    "question",
    [
        "Who rang?",
        "Where is the hut?",
        "Warum singt Bo?",
        "What came after the price rose?",
        "What did we say the first time?",
        "Est-ce que mes clés sont chez Luc ?",
    ],
)
def test_of_other_questions_no_value_is_sought(question: str) -> None:
    assert value_sought(question) is None


def test_what_is_written_in_another_script_may_say_any_time() -> None:
    may_answer = value_sought("When does the choir meet?")
    assert may_answer is not None
    assert may_answer("合唱团在星期四见面。")
