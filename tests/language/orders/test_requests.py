"""A request is told from a question."""

from __future__ import annotations

import pytest
from tests.language.orders.typed import typed

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
        "need an idea for what to bake for Fionn's class party",
        "it's Tuesday 9am, kick off the stress test please",
        "the housing association mailed, they want an answer. can you write back?",
        "what would a rental car cost me in Dublin for three days",
        "we're out of toner, order some",
        "Wren's cranky all afternoon, ideas?",
        "Caption for the best burrow photo for the newspaper please",
        "I'm looking for shoes. What would you suggest?",
        "What are some good books on boats?",
        "Did you see the bank's mail? Could you please answer it?",
        "help me word a complaint",
        "Der Vermieter hat geschrieben, kannst du antworten?",
        "necesito una lista de la compra",
        "Prenota un tavolo per quattro",
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
        "What did Petra say, order the paint or wait?",
        "What did I want to write to the bank?",
        "the plan for Tuesday",
        "need the phone number of the plumber",
        "I want to know the menu of the wedding",
        "what would the repair cost",
        "Was it a good month? Answer yes or no.",
        "Could you please specify which decorations they bought?",
        "where could I find the books",
        "We talked about the hall. What was the fee?",
        "Brauche die Nummer vom Klempner",
        "il me faut le numéro du plombier",
    ],
)
def test_an_order_to_say_what_is_known_is_a_question(asked: str) -> None:
    assert not asks_to_do(asked)


@pytest.mark.parametrize(
    ("half", "kind", "share_min", "share_max"),
    [
        ("dev", "request", 0.95, 1.0),
        ("dev", "question", 0.0, 0.0),
        ("apart", "request", 0.95, 1.0),
        ("apart", "question", 0.0, 0.04),
    ],
)
def test_of_what_people_type_most_requests_are_known_and_hardly_a_question(
    half: str, kind: str, share_min: float, share_max: float
) -> None:
    read = [asks_to_do(text) for text in typed(half, kind)]
    assert share_min <= sum(read) / len(read) <= share_max
