"""What is so in every week or season, or bears a name that a time has, is of no one time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.language.dates.days_read import reading_at

from scrubjay.language.dates import TimeContext

CONTEXT = TimeContext(now=datetime(2026, 10, 7, 9, tzinfo=UTC), zone=UTC)  # a Wednesday
asked, occurred = reading_at(CONTEXT)

CLIMATE = [
    "How cold does it get in Oslo in January?",
    "Is Rome crowded in August?",
    "What fruit is in season in October?",
    "Quel fruit est de saison en octobre ?",
    "¿Qué fruta es de temporada en octubre?",
    "Ist es im August in Rom zu heiß?",
    "Fait-il chaud à Rome en août ?",
    "¿Hace calor en Roma en agosto?",
    "Fa caldo a Roma ad agosto?",
    "Faz calor em Roma em agosto?",
    "奥斯陆一月有多冷？",
    "オスロの一月はどのくらい寒い？",
]
ADVICE = [
    "Can I sow carrots in April?",
    "Should I prune the apple tree in February?",
    "How do I keep the house cool in summer?",
    "Was soll ich im März pflanzen?",
    "Que plante-t-on en mars ?",
    "¿Qué se planta en marzo?",
    "Cosa si pianta a marzo?",
    "O que se planta em março?",
    "三月适合种什么？",
    "三月には何を植える？",
    "How do I lose five kilos in a month?",
    "Can you learn a language in three months?",
]
FEASTS = [
    "Quand est Pâques ?",
    "Quando è Pasqua?",
    "¿Cuándo es Pascua?",
    "Quando é a Páscoa?",
    "复活节是哪天？",
    "復活祭はいつ？",
    "Was ist der Tag der Deutschen Einheit?",
    "What do Germans do on New Year's Eve?",
    "Was macht man an Fasching?",
    "¿Qué se come en Navidad en Grecia?",
    "Cosa si mangia a Natale in Grecia?",
    "O que se come no Natal?",
    "Write a poem for Mother's Day.",
    "Schreib ein Gedicht zum Muttertag.",
]
CALENDAR = [
    "What's today's date?",
    "What day of the week is it today?",
    "Welcher Tag ist heute?",
    "Quel jour sommes-nous aujourd'hui ?",
    "¿Qué día es hoy?",
    "Che giorno è oggi?",
    "Que dia é hoje?",
]
CALLED = [
    "Où habite Noël ?",
    "Que dit Toussaint du projet ?",
    "Dove lavora Natale?",
    "Natale ha la macchina?",
    "今日子さんの仕事は何？",
    "春子さんは肉を食べる？",
    "Who hosts Last Week Tonight?",
    "What's the ending of The Long Weekend?",
    "Who made The Last Five Years?",
    "Who gave me A Week in December?",
    "Is Next Month Designs closed?",
    "What's the wifi at Tomorrow's Bread?",
    "Which gift is for April?",
    "What did I buy for June?",
    "¿Qué hay en la plaza del 25 de mayo?",
    "Dov'è piazza 4 Novembre?",
    "What's the opposite of yesterday?",
    "Was reimt sich auf Sonntag?",
    "Which day do I prefer, Monday or Tuesday?",
    "Is my IBAN ending in 2017?",
    "Endet die Karte auf 2019?",
    "How many calories are in 1500 g of rice?",
]
ROUND = [
    "I work from Monday to Friday.",
    "The shop opens Monday to Friday.",
    "Der Laden ist von Montag bis Freitag offen.",
    "La boutique est ouverte du lundi au vendredi.",
    "La tienda abre de lunes a viernes.",
    "Il negozio è aperto dal lunedì al venerdì.",
    "A loja abre de segunda a sexta.",
    "The pool is closed in winter.",
    "Das Freibad ist nur im Sommer offen.",
    "En hiver la piscine est fermée.",
    "D'inverno la piscina è chiusa.",
    "I prefer to travel in May.",
    "She loves skiing in winter.",
    "我最喜欢的一天是星期六。",
    "好きな曜日は土曜日です。",
    "Odio i lunedì.",
    "毎週火曜日に泳ぎます。",
    "毎年五月に旅行する。",
    "Corro por la mañana.",
    "Ich nehme die Tablette am Morgen.",
]


@pytest.mark.parametrize(
    "text", [*CLIMATE, *ADVICE, *FEASTS, *CALENDAR, *CALLED, "毎週月曜日は何をしている？"]
)
def test_what_is_so_every_year_is_asked_of_no_time(text: str) -> None:
    assert asked(text) is None


@pytest.mark.parametrize("text", ROUND)
def test_what_comes_round_dates_no_memory(text: str) -> None:
    assert occurred(text) is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("The exhibition opens in spring.", ("2027-03-01", "2027-05-31")),
        ("Im Winter fahren wir auf die Hütte.", ("2026-12-01", "2027-02-28")),
        ("I'd love to go in May.", ("2027-05-01", "2027-05-31")),
        ("I worked from Monday to Friday.", ("2026-10-05", "2026-10-09")),
        ("Hailstones like ping-pong balls on Monday.", ("2026-10-05", "2026-10-05")),
        ("Today's Fitness Summary", ("2026-10-07", "2026-10-07")),
        ("The pool was closed in June.", ("2026-06-01", "2026-06-30")),
    ],
)
def test_what_happens_once_dates_its_memory(text: str, days: tuple[str, str]) -> None:
    assert occurred(text) == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("How cold was it in January?", ("2026-01-01", "2026-01-31")),
        ("What did we plant in March?", ("2026-03-01", "2026-03-31")),
        ("What do I have in two weeks?", ("2026-10-19", "2026-10-25")),
        ("How do I get to Lisbon next week?", ("2026-10-12", "2026-10-18")),
        ("What do James and Ann do on New Year's Eve?", ("2026-12-31", "2026-12-31")),
        ("¿Dónde se reúne la familia en Navidad?", ("2026-12-25", "2026-12-25")),
        ("When does the season start in October?", ("2026-10-01", "2026-10-31")),
        ("What did I plan for June?", ("2026-06-01", "2026-06-30")),
        ("What's in Tomorrow's Agenda?", ("2026-10-08", "2026-10-08")),
        ("Is Next Month good?", ("2026-11-01", "2026-11-30")),
        ("What poem did I write for Mother's Day?", ("2026-05-10", "2026-05-10")),
        ("Qu'est-ce qu'on fait à Noël ?", ("2026-12-25", "2026-12-25")),
        ("What date is the meeting today?", ("2026-10-07", "2026-10-07")),
        ("今日春子さんは来る？", ("2026-10-07", "2026-10-07")),
        ("明日の会議はいつ？", ("2026-10-08", "2026-10-08")),
        ("¿Qué hicimos el 25 de mayo?", ("2026-05-25", "2026-05-25")),
        ("When does the phone contract end in 2027?", ("2027-01-01", "2027-12-31")),
        ("Did I work from Monday to Friday?", ("2026-10-05", "2026-10-09")),
    ],
)
def test_the_same_words_of_one_time_have_it(text: str, days: tuple[str, str]) -> None:
    assert asked(text) == days
