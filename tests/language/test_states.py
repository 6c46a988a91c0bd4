"""A question about a time that is over asks what held then, or what happened."""

from __future__ import annotations

import pytest

from scrubjay.language.states import asks_what_held


@pytest.mark.parametrize(
    "question",
    [
        "what was the limit in March",
        "who was teaching physics in May?",
        "private rate in the spring",
        "Price of a bag of stoneware in April",
        "which firm supplied us in July?",
        "how warm was the ripening room in June?",
        "what did five sessions cost last winter?",
        "Was kostete der Stellplatz letztes Jahr?",
        "Wie hoch war die Miete 2024?",
        "C'était combien par client l'an passé ?",
        "the whole crew at the start of the year",
    ],
)
def test_a_price_a_place_and_whoever_did_a_job_are_what_held(question: str) -> None:
    assert asks_what_held(question)


@pytest.mark.parametrize(
    "question",
    [
        "What happened in July?",
        "What did we do on the first Friday of April?",
        "Why did the mower fail in April?",
        "What was wrong with the pump in May?",
        "Who died in June?",
        "What came up on Saturday?",
        "What was new in the group in May 2025?",
        "Was ist im März passiert?",
        "Pourquoi ont-ils renvoyé la caisse en avril ?",
        "Which problems did we solve between 20 and 31 May?",
        "List everything of last week",
    ],
)
def test_what_came_to_pass_is_told_when_it_did(question: str) -> None:
    assert not asks_what_held(question)
