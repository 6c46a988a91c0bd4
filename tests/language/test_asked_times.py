"""What a question with a time asks for."""

from __future__ import annotations

import pytest

from scrubjay.language.asked_times import asks_for_telling, asks_whats_on


@pytest.mark.parametrize(
    "question",
    [
        "What did I tell you on 2 September?",
        "What did we talk about on Monday?",
        "Who spoke yesterday?",
        "Was habe ich dir am Montag erzählt?",
        "Was haben wir im März besprochen?",
        "Was hat Ida gestern gesagt?",
        "Qu'est-ce qu'Ida a dit hier ?",
        "De quoi avons-nous parlé lundi ?",
        "¿Qué dijo Ida ayer?",
        "¿Qué acordamos en marzo?",
        "Che cosa ha detto Ida ieri?",
        "Cosa mi hai scritto lunedì?",
        "O que disseste ontem?",
        "O que combinámos em março?",
    ],
)
def test_a_question_for_words_asks_for_the_telling(question: str) -> None:
    assert asks_for_telling(question)


@pytest.mark.parametrize(
    "question",
    [
        "What happened on 2 September?",
        "Where did the dice and the red bag go on Monday?",
        "How dissatisfied was Ida in May?",
        "Was ist am Montag passiert?",
        "Was war im März los?",
        "Wann fährt der Zug am Montag?",
        "Comment s'est passé le mois de mai ?",
        "Qu'est-ce qui est arrivé lundi ?",
        "¿Qué pasó en marzo?",
        "¿Qué tengo el lunes?",
        "Che cosa è successo ieri?",
        "Cosa ho lunedì?",
        "O que aconteceu ontem?",
        "O que tenho amanhã?",
    ],
)
def test_a_question_for_events_does_not(question: str) -> None:
    assert not asks_for_telling(question)


@pytest.mark.parametrize(
    "beside",
    [
        "What's on ?",
        "Any plans for ?",
        "What do I have on ?",
        "Am I free on ?",
        "Which appointments do I have ?",
        "Was steht an?",
        "Habe ich irgendwelche Termine?",
        "Qu'est-ce que j'ai ?",
        "Y a-t-il quelque chose de prévu ?",
        "¿Tengo algo?",
        "¿Qué planes hay para ?",
        "Che impegni ho ?",
        "O que está marcado para ?",
    ],
)
def test_a_question_in_words_of_asking_alone_asks_for_whatever_there_is(beside: str) -> None:
    assert asks_whats_on(beside)


@pytest.mark.parametrize(
    "beside",
    [
        "Who is on?",
        "Where am I ?",
        "What does Lio have on ?",
        "What's on in room 12 on ?",
        "Was hat Oma ?",
        "Qui vient ?",
        "¿Dónde estoy ?",
        "Che cosa ha Marta ?",
        "Quem vem ?",
    ],
)
def test_one_with_a_word_of_its_own_asks_for_more(beside: str) -> None:
    assert not asks_whats_on(beside)
