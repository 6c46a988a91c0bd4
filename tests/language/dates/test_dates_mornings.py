"""A weekday, month or morning is read as its language puts it, and as its sentence looks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.language.dates.days_read import reading_at

from scrubjay.language.dates import TimeContext

CONTEXT = TimeContext(now=datetime(2026, 10, 7, 9, tzinfo=UTC), zone=UTC)  # a Wednesday
asked, occurred = reading_at(CONTEXT)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("¿Qué hice el lunes por la mañana?", ("2026-10-05", "2026-10-05")),
        ("¿Qué tengo el lunes por la mañana?", ("2026-10-12", "2026-10-12")),
        ("¿Qué tengo mañana por la mañana?", ("2026-10-08", "2026-10-08")),
        ("¿Qué tengo para mañana?", ("2026-10-08", "2026-10-08")),
        ("Was habe ich am Montag am Morgen gemacht?", ("2026-10-05", "2026-10-05")),
        ("Was mache ich Morgen?", ("2026-10-08", "2026-10-08")),
    ],
)
def test_a_word_for_morning_is_tomorrow_only_without_its_article(
    text: str, days: tuple[str, str]
) -> None:
    assert asked(text) == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("El lunes por la mañana fui al médico.", ("2026-10-05", "2026-10-05")),
        ("La mañana del lunes fui al médico.", ("2026-10-05", "2026-10-05")),
        ("Ich war gestern am Morgen beim Arzt.", ("2026-10-06", "2026-10-06")),
        ("五月我侄女出生了。", ("2026-05-01", "2026-05-31")),
        ("五月に姪が生まれた。", ("2026-05-01", "2026-05-31")),
        ("五月是我的女儿。", None),
    ],
)
def test_a_memory_of_a_morning_or_a_month_is_dated_by_it(
    text: str, days: tuple[str, str] | None
) -> None:
    assert occurred(text) == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("先週末に誰が来た？", ("2026-10-03", "2026-10-04")),
        ("来週末は何をする？", ("2026-10-17", "2026-10-18")),
        ("先々週末に何をした？", ("2026-09-26", "2026-09-27")),
        ("Quem vem terça-feira?", ("2026-10-13", "2026-10-13")),
        ("O que fiz segunda?", ("2026-10-05", "2026-10-05")),
        ("Quem ficou em segunda?", None),
        ("土曜日に誰が来る？", ("2026-10-10", "2026-10-10")),
        ("金曜日は何がありますか？", ("2026-10-09", "2026-10-09")),
        ("金曜日に何をした？", ("2026-10-02", "2026-10-02")),
        ("谁星期六来？", ("2026-10-10", "2026-10-10")),
        ("我星期五做什么？", ("2026-10-09", "2026-10-09")),
        ("星期五谁来了？", ("2026-10-02", "2026-10-02")),
        ("Was ist Freitag los?", ("2026-10-09", "2026-10-09")),
        ("Wer ist Freitag da?", ("2026-10-09", "2026-10-09")),
        ("Wer ist Freitag?", None),
        ("Qui porte le gâteau vendredi ?", ("2026-10-09", "2026-10-09")),
        ("Cosa fate venerdì?", ("2026-10-09", "2026-10-09")),
        ("¿Quién parte el viernes?", ("2026-10-09", "2026-10-09")),
        ("Was kaufte Ana am Freitag?", ("2026-10-02", "2026-10-02")),
        ("Where are we staying in June?", ("2027-06-01", "2027-06-30")),
        ("Who is Ana visiting in August?", ("2027-08-01", "2027-08-31")),
        ("Who is Ana visiting in September?", ("2026-09-01", "2026-09-30")),
        ("Why are sales falling in September?", ("2026-09-01", "2026-09-30")),
        ("Where are you living since May?", ("2026-05-01", "2026-10-07")),
    ],
)
def test_plans_and_weekends_are_read_as_their_language_puts_them(
    text: str, days: tuple[str, str] | None
) -> None:
    assert asked(text) == days
