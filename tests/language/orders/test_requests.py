"""A request is told from a question."""

from __future__ import annotations

import pytest

from scrubjay.language.orders.requests import asks_to_do


@pytest.mark.parametrize(
    "asked",
    [
        "Write to the harbour office about the crane.",
        "please draft a reply to Nadia",
        "Could you please book the large room for Monday?",
        "How should I format the report for Ana?",
        "Plan a Saturday with Grandma",
        "Find me a slot for the piano tuner",
        "pick somewhere quiet for the anniversary",
        "Can I hang the washing on the balcony?",
        "May we paint the hallway?",
        "Which wine should I bring?",
        "Is it okay to park in the yard?",
        "Buche einen Tisch für vier",
        "Kannst du mir ein Hotel in Lübeck reservieren?",
        "Darf ich im Hof grillen?",
        "Reserva una mesa para el sábado",
        "Rédige une réponse au propriétaire",
        "¿Puedes reservar una mesa?",
        "Peux-tu réserver un train ?",
        "Puoi prenotare un tavolo?",
    ],
)
def test_an_order_and_how_to_go_about_it_ask_to_do_something(asked: str) -> None:
    assert asks_to_do(asked)


@pytest.mark.parametrize(
    "asked",
    [
        "Where does Nadia live?",
        "where does nadia live",
        "Tell me about the crane.",
        "Can you remind me when the crane was serviced?",
        "List the rooms in Malmö.",
        "Nadia's badge",
        "How do I reset the alarm?",
        "Find the note about the crane",
        "Can I get the number of the plumber?",
        "Kannst du mir sagen, wann der Kran kam?",
        "Wann kommt der Klempner?",
        "¿Dónde vive Nadia?",
        "¿Puedes decirme dónde vive Nadia?",
        "Come tengo vivo il basilico?",
        "Pour qui je travaille ?",
        "",
    ],
)
def test_an_order_to_say_what_is_known_is_a_question(asked: str) -> None:
    assert not asks_to_do(asked)
