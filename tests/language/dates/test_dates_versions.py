"""Two numbers with a point between are a day only where they are written as one."""

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
        "Which date did they settle on for 2.4?",
        "what moved on 1.9",
        "who tested on 3.5",
        "Qu'est-ce qui a changé pour la 2.4 ?",
        "¿Qué cambió para la 2.4?",
        "Cosa è cambiato per la 2.4?",
        "O que mudou para a 2.4?",
    ],
)
def test_a_version_or_a_ratio_is_no_day(text: str) -> None:
    assert asked(text) is None
    assert occurred(text) is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("We ship 2.4 on Tuesday 14 July", ("2026-07-14", "2026-07-14")),
        ("The form is due 31.10.", ("2026-10-31", "2026-10-31")),
        ("Flight on 01.09.2026", ("2026-09-01", "2026-09-01")),
        ("Wir fahren am 1.9. nach Ulm", ("2026-09-01", "2026-09-01")),
        ("Wir fahren am 1.9", ("2026-09-01", "2026-09-01")),
    ],
)
def test_a_day_with_its_point_or_year_is_one(text: str, days: Days) -> None:
    assert occurred(text) == days
