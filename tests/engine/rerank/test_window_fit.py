"""What of a bank fits the time that a question names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from scrubjay.engine.rerank.window_fit import CountedTimes, fit
from scrubjay.memory import Memory
from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.shared.times import to_micros
from scrubjay.types.values import Window

DAY = datetime(2026, 9, 2, tzinfo=UTC)
WINDOW = Window(DAY, DAY + timedelta(days=1) - timedelta(microseconds=1))


def columns(
    told: list[float], happened: list[tuple[float, float] | None], tokens: int = 6
) -> Columns:
    """Units told, and taking place, so many days after the window begins."""

    def micros(day: float) -> int:
        return to_micros(DAY + timedelta(days=day))

    size = len(told)
    return Columns(
        rows=np.arange(size),
        types=np.zeros(size, np.uint8),
        told_at=np.array([micros(day) for day in told], np.int64),
        occurred_start=np.array([micros(x[0]) if x else NO_TIME for x in happened], np.int64),
        occurred_end=np.array([micros(x[1]) if x else NO_TIME for x in happened], np.int64),
        valid_from=np.full(size, NO_TIME),
        valid_to=np.full(size, NO_TIME),
        sessions=np.full(size, -1, np.int32),
        tokens=np.full(size, tokens, np.int32),
    )


def test_what_is_dated_to_another_time_counts_little_for_having_been_told_in_the_window() -> None:
    found = fit(columns([0.5, 0.5], [None, (48, 49)]), WINDOW, CountedTimes())
    assert found.tolist() == pytest.approx([1.0, 0.2])


def test_a_long_text_says_more_than_what_its_date_is_of() -> None:
    short, long = (
        fit(columns([0.5], [(48, 49)], tokens), WINDOW, CountedTimes())[0] for tokens in (6, 60)
    )
    assert short < 0.5 < long < 1


def test_what_is_dated_to_another_time_is_no_account_of_the_days_before_it_was_told() -> None:
    counted = CountedTimes(afterwards=0.5)
    found = fit(columns([1.5, 1.5], [None, (48, 49)]), WINDOW, counted)
    assert found[0] > 0.4
    assert found[1] == 0


def test_what_is_to_happen_after_a_window_did_not_hold_in_it() -> None:
    found = fit(columns([-9, -9, -9], [None, (-30, -29), (48, 49)]), WINDOW, CountedTimes(before=1))
    assert found.tolist() == [1.0, 1.0, 0.0]


def test_what_lasts_longer_counts_less_where_nothing_but_the_time_is_asked_for() -> None:
    stretches: list[tuple[float, float] | None] = [(0.3, 0.4), (-14, 16)]
    both = columns([-30, -30], stretches)
    alone = fit(both, WINDOW, CountedTimes(happened=0.8, shared=True))
    assert alone[0] == 0.8
    assert 0.2 < alone[1] < 0.4
    # Who was away on a day is answered as well by who is away all month.
    assert fit(both, WINDOW, CountedTimes(happened=0.8)).tolist() == [0.8, 0.8]


PAST = [
    (
        "Flight to Rome is on 20 October.",
        "Yesterday Lio scored two goals.",
        ["What happened on 2 September?", "What did Lio do on 2 September?"],
        ["What did I tell you on 2 September?", "What did we talk about on 2 September?"],
    ),
    (
        "Die Prüfung ist am 30. November.",
        "Gestern hat Jonas das Fenster zerbrochen.",
        ["Was ist am 2. September passiert?", "Was war am 2. September los?"],
        ["Was habe ich dir am 2. September erzählt?", "Worüber sprachen wir am 2. September?"],
    ),
    (
        "Le mariage de Zoé est le 18 novembre.",
        "Hier, le vélo de Paul a été volé.",
        ["Que s'est-il passé le 2 septembre ?"],
        ["Qu'est-ce que je t'ai dit le 2 septembre ?"],
    ),
    (
        "El examen de conducir es el 18 de noviembre.",
        "Ayer se rompió la caldera.",
        ["¿Qué pasó el 2 de septiembre?"],
        ["¿Qué te dije el 2 de septiembre?", "¿De qué hablamos el 2 de septiembre?"],
    ),
    (
        "Il treno per Bari parte il 18 novembre.",
        "Ieri Marta ha vinto la gara.",
        ["Che cosa è successo il 2 settembre?"],
        ["Che cosa ti ho detto il 2 settembre?", "Di cosa abbiamo parlato il 2 settembre?"],
    ),
    (
        "A consulta é no dia 18 de novembro.",
        "Ontem o gato fugiu.",
        ["O que aconteceu em 2 de setembro?"],
        ["De que falámos em 2 de setembro?"],
    ),
]


@pytest.mark.parametrize(
    ("plan", "event", "of_events", "of_words"), PAST, ids=["en", "de", "fr", "es", "it", "pt"]
)
def test_a_day_s_events_come_before_the_plans_told_on_it_unless_its_words_are_asked_for(
    plan: str, event: str, of_events: list[str], of_words: list[str]
) -> None:
    with Memory.open(":memory:", encoder="scrubjay-small", reranker=None) as memory:
        memory.retain(plan, told_at="2026-09-02")
        memory.retain(event, told_at="2026-09-03")
        for question in of_events:
            assert memory.recall(question, now="2026-09-14").items[0].text == event
        for question in of_words:
            assert memory.recall(question, now="2026-09-14").items[0].text == plan
