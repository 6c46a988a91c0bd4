from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.store.base import NO_TIME
from scrubjay.store.embedded.index.columns import ColumnRow, ColumnTable, Wanted
from scrubjay.store.embedded.index.time_order import TimeOrder, ascending
from scrubjay.store.shared.times import to_micros, window_bounds
from scrubjay.types.values import Window

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def day(number: int) -> int:
    return to_micros(NOON + timedelta(days=number))


def row(number: int, *, told: int, event: tuple[int, int] | None = None) -> ColumnRow:
    start, end = event or (None, None)
    return (number, 0, told, start, end, None, None, None, None, 5, None)


def rows_of(table: ColumnTable, wanted: Wanted) -> list[int]:
    mask = table.mask(wanted)
    found: list[int] = np.flatnonzero(np.ones(table.size) if mask is None else mask).tolist()
    return found


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
    hour = 3_600_000_000
    assert rows_of(table, Wanted(window=(day(0) - hour, day(0) + hour))) == [1, 2]


def test_an_open_window_reaches_to_the_ends_of_time() -> None:
    table = table_of([row(1, told=day(-500)), row(2, told=day(500))])
    assert rows_of(table, Wanted(window=window_bounds(Window(None, NOON)))) == [1]
    assert rows_of(table, Wanted(window=window_bounds(Window(NOON, None)))) == [2]


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
    whole = rows_of(table_of(rows), Wanted(window=(low, high)))
    found = order.candidates(low, high)
    if found is not None:
        sure, maybe = set(found[0].tolist()), set(found[1].tolist())
        assert sure <= set(whole) <= sure | maybe
    for apart in (1, 1_000):  # close together and far apart
        assert ascending(np.array([n * apart for n, _ in told])).tolist() == sorted(
            {n * apart for n, _ in told}
        )


def test_a_large_table_answers_like_a_small_one_also_for_rows_added_after_sorting() -> None:
    rng = np.random.default_rng(5)
    days = rng.integers(-1000, 1000, 120_000)
    rows = [row(n, told=day(int(d))) for n, d in enumerate(days)]
    table = table_of(rows[:110_000])
    week = Wanted(window=(day(0), day(7)))
    expect: Callable[[int], list[int]] = lambda size: [  # noqa: E731
        n for n in range(size) if 0 <= days[n] <= 7
    ]
    assert rows_of(table, week) == expect(110_000)
    table.add(rows[110_000:])
    table.remove([119_999])
    assert rows_of(table, week) == expect(120_000)
    listed = table.rows_in(week)
    assert listed is not None and listed.tolist() == [n for n in expect(120_000) if n < 119_999]
    newest = sorted(range(119_999), key=lambda n: (-days[n], -n))[:50]
    assert table.newest(Wanted(), 50).tolist() == newest
    later = [n for n in newest if n >= 60_000]
    assert set(later) <= set(table.newest(Wanted(told_by=day(1000)), 200).tolist())


def test_a_kept_answer_is_forgotten_with_every_change() -> None:
    table = table_of([row(n, told=day(n % 500)) for n in range(110_000)])
    today = Wanted(window=(day(7), day(7)), not_ended_by=day(600))
    expect = list(range(7, 110_000, 500))

    def listed() -> list[int]:
        rows = table.rows_in(today)
        assert rows is not None, "a day is a small part of the table"
        return list(rows.tolist())

    assert listed() == expect == listed()
    table.remove([7])
    assert listed() == expect[1:]
    table.close_validity([(507, day(599), None)])
    assert listed() == expect[2:]
    table.add([row(110_001, told=day(7))])
    assert listed() == [*expect[2:], 110_001]


def test_rows_told_out_of_order_are_still_found_newest_first() -> None:
    days = np.random.default_rng(8).integers(0, 40, 900)
    table = table_of([row(n, told=day(int(d))) for n, d in enumerate(days)])
    newest = sorted(range(900), key=lambda n: (-days[n], -n))
    for limit in (1, 30, 899, 2_000):
        assert table.newest(Wanted(), limit).tolist() == newest[:limit]


def test_the_newest_rows_come_first_and_ties_by_the_later_row() -> None:
    table = table_of([row(1, told=day(2)), row(2, told=day(5)), row(3, told=day(5))])
    assert table.newest(Wanted(), 2).tolist() == [3, 2]
    assert table.newest(Wanted(told_by=day(4)), 2).tolist() == [1]
    assert table.newest_of(np.array([1, 2]), 2).tolist() == [2, 1]


def test_removed_rows_are_absent() -> None:
    table = table_of([row(1, told=day(0)), row(2, told=day(0))])
    table.remove([1])
    assert np.flatnonzero(table.present()).tolist() == [2]


def test_validity_filters_know_open_and_closed_ends() -> None:
    table = ColumnTable()
    table.add(
        [
            (1, 0, day(0), None, None, day(1), day(3), None, None, 5, None),
            (2, 0, day(0), None, None, None, None, None, None, 5, None),
        ]
    )
    for asked, standing in ((0, [0, 2]), (2, [0, 1, 2]), (3, [0, 2])):
        assert rows_of(table, Wanted(valid_at=day(asked))) == standing
        some = np.array([2, 1, 7], np.int64)
        assert table.passing(some, Wanted(valid_at=day(asked))).tolist() == [
            True, 1 in standing, False
        ]  # fmt: skip
    for asked, standing in ((0, [0, 1, 2]), (2, [0, 1, 2]), (3, [0, 2])):
        assert rows_of(table, Wanted(not_ended_by=day(asked))) == standing
    table.close_validity([(2, day(1), None)])
    assert rows_of(table, Wanted(not_ended_by=day(2))) == [0, 1]


def test_who_spoke_is_kept_beside_the_rows_and_in_the_file(tmp_path: Path) -> None:
    table = table_of(
        [(*row(n, told=day(0))[:10], name) for n, name in enumerate(("Jo", None, "Al"))]
    )
    table.save(tmp_path / "columns.npz")
    loaded = ColumnTable.load(tmp_path / "columns.npz")
    assert loaded is not None
    for each in (table, loaded):
        places, names = each.speakers(np.array([2, 1, 0], np.int64))
        assert [names[n] if n >= 0 else None for n in places.tolist()] == ["Al", None, "Jo"]
    loaded.add([(*row(3, told=day(0))[:10], "Al")])
    assert loaded.speakers(np.array([2, 3], np.int64))[0].tolist() == [1, 1]
