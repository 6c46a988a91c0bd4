"""The types a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.asked_types import type_hints


@pytest.mark.parametrize(
    ("question", "hints"),
    [
        ("Which seat do I prefer on trains?", {"preference": "prefer"}),
        ("What does my sister really like?", {"preference": "like"}),
        ("What would Omar like for dinner?", {"preference": "like"}),
        ("What does Lena want for her birthday?", {"preference": "want"}),
        ("what's my setting for the heater", {"preference": "setting"}),
        ("How should I configure the proxy?", {"preference": "configure"}),
        ("what is my default branch", {"preference": "my default"}),
        ("When did Bruno leave?", {"event": "when did"}),
        ("At what time does the ferry go?", {"event": "at what time"}),
        ("What happened in the basement?", {"event": "happened"}),
        ("which outage occurred first", {"event": "occurred"}),
        ("Was it raining?", {"event": "was it"}),
        ("Where did I park?", {"event": "did i"}),
        ("Who is Farid?", {"entity": "who is"}),
        ("What is Globex?", {"entity": "what is globex"}),
        ("Tell me about Ingrid Holm", {"entity": "tell me about ingrid holm"}),
        ("Who’s Sven and when did he move?", {"event": "when did", "entity": "who's"}),
    ],
)
def test_trigger_words_hint_at_a_type(question: str, hints: dict[str, str]) -> None:
    assert {hint.type: hint.trigger for hint in type_hints(question)} == hints


@pytest.mark.parametrize(
    "question",
    [
        "Which city looks like Porto?",
        "something like a lighthouse",
        "What is Rotterdam like?",
        "Which tools like Redis are installed?",
        "I'd like to know where Bruno lives",
        "I want to know where Bruno lives",
        "How is setting up the printer explained?",
        "Who is coming to the party?",
        "What is Farid's phone number?",
        "What is Globex working on?",
        "What is the door code?",
        "tell me about my trip",
        "Is the unlikely dislikeable wanton reconfigured?",
        "",
    ],
)
def test_look_alikes_give_no_hint(question: str) -> None:
    assert type_hints(question) == ()


@given(st.text())
def test_a_hint_is_given_once_per_type_with_words_of_the_question(question: str) -> None:
    hints = type_hints(question)
    assert len({hint.type for hint in hints}) == len(hints)
    assert all(hint.trigger in question.replace("’", "'").lower() for hint in hints)
