"""How well stretches of time fit a window."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.engine.shared.window import asks_for_window, shared_time
from scrubjay.memory import Memory
from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.shared.times import to_micros
from scrubjay.types.values import Window

DAY = datetime(2026, 9, 15, tzinfo=UTC)
WINDOW = Window(DAY, DAY + timedelta(days=1) - timedelta(microseconds=1))


def columns(*stretches: tuple[float, float] | None) -> Columns:
    """Units that take place from and to so many hours after the window begins."""

    def micros(hour: float) -> int:
        return to_micros(DAY + timedelta(hours=hour))

    size = len(stretches)
    return Columns(
        rows=np.arange(size),
        types=np.zeros(size, np.uint8),
        told_at=np.full(size, micros(-99), np.int64),
        occurred_start=np.array([micros(x[0]) if x else NO_TIME for x in stretches], np.int64),
        occurred_end=np.array([micros(x[1]) if x else NO_TIME for x in stretches], np.int64),
        valid_from=np.full(size, NO_TIME),
        valid_to=np.full(size, NO_TIME),
        sessions=np.full(size, -1, np.int32),
        tokens=np.full(size, 9, np.int32),
    )


def shares(*stretches: tuple[float, float] | None) -> list[float]:
    return [float(share) for share in shared_time(columns(*stretches), WINDOW)]


def test_a_moment_an_hour_and_the_day_itself_fit_a_day_wholly() -> None:
    assert shares((8, 8), (8, 9), (0, 24)) == pytest.approx([1, 1, 1])


def test_a_month_fits_each_of_its_days_in_part_and_less_where_it_ends_in_the_day() -> None:
    around, ending = shares((-14 * 24, 16 * 24), (-30 * 24, 4))
    assert 0 < ending < around < 0.4


def test_a_week_fits_a_day_better_than_a_month_does() -> None:
    month, week = shares((-14 * 24, 16 * 24), (-24, 6 * 24))
    assert week > month


def test_a_night_is_of_both_its_days() -> None:
    assert shares((18, 30), (-6, 6)) == pytest.approx([1, 1])


def test_what_is_not_dated_or_elsewhere_shares_nothing() -> None:
    assert shares(None, (24, 30), (-30, -1)) == [0, 0, 0]


def test_a_window_with_an_open_end_holds_what_begins_in_it() -> None:
    found = shared_time(columns((8, 9), (-48, 48), (-9, -8)), Window(DAY, None)).tolist()
    assert found[0] == 1
    assert 0 < found[1] < 1
    assert found[2] == 0


@given(st.floats(-9000, 9000), st.floats(0, 9000))
def test_a_share_is_always_in_range(start: float, length: float) -> None:
    (share,) = shares((start, start + length))
    assert 0 <= share <= 1 + 1e-12


DENTIST = {
    "en": (
        "Sandra is on vacation from 1 to 30 September.",
        "Dentist on 15 September at 8:00.",
        [
            "What do I have on 15 September?",
            "What's on 15 September?",
            "Any plans for 15 September?",
        ],
    ),
    "de": (
        "Oma ist vom 1. bis 30. September in Kur.",
        "Zahnarzt am 15. September um 8 Uhr.",
        ["Was habe ich am 15. September?", "Was steht am 15. September an?"],
    ),
    "fr": (
        "Luc est en vacances du 1er au 30 septembre.",
        "Dentiste le 15 septembre à 8 h.",
        ["Qu'est-ce que j'ai le 15 septembre ?", "Qu'est-ce qui est prévu le 15 septembre ?"],
    ),
    "es": (
        "Luis está de vacaciones del 1 al 30 de septiembre.",
        "Dentista el 15 de septiembre a las 8:00.",
        ["¿Qué tengo el 15 de septiembre?", "¿Qué hay el 15 de septiembre?"],
    ),
    "it": (
        "Luca è in vacanza dal 1 al 30 settembre.",
        "Dentista il 15 settembre alle 8.",
        ["Che cosa ho il 15 settembre?", "Cosa c'è in programma il 15 settembre?"],
    ),
    "pt": (
        "O Luís está de férias de 1 a 30 de setembro.",
        "Dentista no dia 15 de setembro às 8:00.",
        ["O que tenho em 15 de setembro?", "O que está previsto para 15 de setembro?"],
    ),
}


@pytest.mark.parametrize("language", DENTIST)
def test_the_appointment_of_the_day_comes_before_what_lasts_all_month(language: str) -> None:
    month, day, questions = DENTIST[language]
    with Memory.open(":memory:", encoder="scrubjay-small", reranker=None) as memory:
        memory.retain([month, day], told_at="2026-09-02")
        for question in questions:
            found = memory.recall(question, now="2026-09-10")
            assert [item.text for item in found] == [day, month], question
            assert asks_for_window(found.parsed), question


@pytest.mark.parametrize("preset", ["default", "hindsight", "tempr"])
def test_what_takes_all_week_comes_after_each_day_s_own(preset: str) -> None:
    days = {
        "14 September": "Haircut on 14 September at 9:00.",
        "15 September": "Choir rehearsal on 15 September at 19:30.",
        "16 September": "Parents' evening on 16 September.",
        "18 September": "Lunch with Ola on 18 September at 12:30.",
    }
    with Memory.open(":memory:", encoder="scrubjay-small", reranker=None) as memory:
        memory.retain(
            "The car needs to go to the garage the week after next.", told_at="2026-09-02"
        )
        memory.retain(list(days.values()), told_at="2026-09-02")
        for day, text in days.items():
            found = memory.recall(f"What do I have on {day}?", now="2026-09-03", preset=preset)
            assert found.items[0].text == text
            assert any("garage" in item.text for item in found)


@pytest.mark.parametrize(
    "question",
    [
        "Who is on vacation on 15 September?",
        "Where will I be on 15 September?",
        "What does the dentist charge on 15 September?",
        "Was macht Oma am 15. September?",
        "What's on?",
        "What's on recently?",
    ],
)
def test_who_asks_for_more_than_a_stated_time_does_not_ask_for_it_alone(question: str) -> None:
    with Memory.open(":memory:", encoder=None) as memory:
        assert not asks_for_window(memory.recall(question, now="2026-09-10").parsed)
