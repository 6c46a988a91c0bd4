from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.store.base import NO_TIME
from scrubjay.store.embedded.index.columns import ColumnRow, ColumnTable
from scrubjay.store.embedded.index.time_order import TimeOrder
from scrubjay.store.times import to_micros
from scrubjay.types import Window

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def day(number: int) -> int:
    return to_micros(NOON + timedelta(days=number))


def row(number: int, *, told: int, event: tuple[int, int] | None = None) -> ColumnRow:
    start, end = event or (None, None)
    return (number, 0, told, start, end, None, None, None, 5)


def table_of(rows: list[ColumnRow]) -> ColumnTable:
    table = ColumnTable()
    table.add(rows)
    return table


def test_a_unit_is_in_a_window_when_it_was_told_in_it_or_happened_in_it() -> None:
    table = table_of(
        [
            row(1, told=day(0)),
            row(2, told=day(9), event=(day(-1), day(1))),
            row(3, told=day(9), event=(day(5), day(6))),
        ]
    )
    inside = table.in_window(Window(NOON - timedelta(hours=1), NOON + timedelta(hours=1)))
    assert np.flatnonzero(inside).tolist() == [1, 2]


def test_an_open_window_reaches_to_the_ends_of_time() -> None:
    table = table_of([row(1, told=day(-500)), row(2, told=day(500))])
    assert np.flatnonzero(table.in_window(Window(None, NOON))).tolist() == [1]
    assert np.flatnonzero(table.in_window(Window(NOON, None))).tolist() == [2]


moments = st.integers(-900, 900)
events = st.one_of(st.none(), st.tuples(moments, st.integers(0, 400)))


@given(st.lists(st.tuples(moments, events), min_size=1, max_size=60), moments, st.integers(0, 90))
def test_sorted_times_give_the_rows_that_looking_at_all_of_them_gives(
    told: list[tuple[int, tuple[int, int] | None]], first: int, length: int
) -> None:
    rows = [
        row(n, told=day(t), event=None if e is None else (day(e[0]), day(e[0] + e[1])))
        for n, (t, e) in enumerate(told)
    ]
    low, high = day(first), day(first + length)

    def column(position: int) -> np.ndarray:
        return np.array([NO_TIME if r[position] is None else r[position] for r in rows], np.int64)

    order = TimeOrder.of(column(2), column(3), column(4))
    whole = np.flatnonzero(
        table_of(rows).in_window(
            Window(NOON + timedelta(days=first), NOON + timedelta(days=first + length))
        )
    )
    found = order.candidates(low, high)
    assert found is None or set(whole.tolist()) <= set(found.tolist())


def test_a_large_table_answers_like_a_small_one_also_for_rows_added_after_sorting() -> None:
    rng = np.random.default_rng(5)
    days = rng.integers(-1000, 1000, 120_000)
    rows = [row(n, told=day(int(d))) for n, d in enumerate(days)]
    table = table_of(rows[:110_000])
    window = Window(NOON, NOON + timedelta(days=7))
    expect: Callable[[int], list[int]] = lambda size: [  # noqa: E731
        n for n in range(size) if 0 <= days[n] <= 7
    ]
    assert np.flatnonzero(table.in_window(window)).tolist() == expect(110_000)
    table.add(rows[110_000:])
    assert np.flatnonzero(table.in_window(window)).tolist() == expect(120_000)


def test_the_newest_rows_come_first_and_ties_by_the_later_row() -> None:
    table = table_of([row(1, told=day(2)), row(2, told=day(5)), row(3, told=day(5))])
    assert table.newest(None, 2).tolist() == [3, 2]
    assert table.newest(np.array([True, True, True, False]), 2).tolist() == [2, 1]


def test_removed_rows_are_absent() -> None:
    table = table_of([row(1, told=day(0)), row(2, told=day(0))])
    table.remove([1])
    assert np.flatnonzero(table.present()).tolist() == [2]


def test_validity_filters_know_open_and_closed_ends() -> None:
    table = ColumnTable()
    table.add(
        [
            (1, 0, day(0), None, None, day(1), day(3), None, 5),
            (2, 0, day(0), None, None, None, None, None, 5),
        ]
    )
    at = {n: NOON + timedelta(days=n) for n in (0, 2, 3)}
    assert np.flatnonzero(table.valid_at(at[0])).tolist() == [0, 2]
    assert np.flatnonzero(table.valid_at(at[2])).tolist() == [0, 1, 2]
    assert np.flatnonzero(table.valid_at(at[3])).tolist() == [0, 2]
    assert table.any_validity
