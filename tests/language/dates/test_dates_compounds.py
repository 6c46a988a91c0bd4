"""Compounds and verbs that hold a time's word, and short forms that are one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.language.dates.days_read import Days, reading_at

from scrubjay.language.dates import TimeContext

CONTEXT = TimeContext(now=datetime(2026, 7, 10, 9, tzinfo=UTC), zone=UTC)  # a Friday
asked, occurred = reading_at(CONTEXT)


@pytest.mark.parametrize(
    "text",
    [
        "Why did sales fall?",
        "By how much did our turnover fall?",
        "Will the sales figures fall?",
        "Wer moderiert die heute-show",
        "春卷怎么做",
        "今日头条的密码",
        "日曜大工の道具はどこ",
    ],
)
def test_a_compound_or_a_verb_is_no_time(text: str) -> None:
    assert asked(text) is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("what did we sell in the fall", ("2025-09-01", "2025-11-30")),
        ("sum up my week so far", ("2026-07-06", "2026-07-10")),
        ("q citas hay la semana q viene", ("2026-07-13", "2026-07-19")),
        ("was lief heute", ("2026-07-10", "2026-07-10")),
    ],
)
def test_what_names_a_time_in_short_gives_it(text: str, days: Days) -> None:
    assert asked(text) == days


@pytest.mark.parametrize(
    "text",
    [
        "Was kostet der Honig von der Gärtnerei Mai",
        "Wie heißt der Riesling vom Weingut März",
        "qu'est-ce que j'ai pris au Printemps Nation",
        "dove sono l'ago e il filo",
        "lyrics to ruby tuesday",
        "chords for blue monday",
    ],
)
def test_a_firm_a_thing_or_a_song_is_no_time(text: str) -> None:
    assert asked(text) is None


def test_a_season_or_a_month_beside_other_words_is_a_time() -> None:
    assert asked("was haben wir im März gekauft") == ("2026-03-01", "2026-03-31")
    assert asked("cosa ho comprato ad agosto") == ("2025-08-01", "2025-08-31")
