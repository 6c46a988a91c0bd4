"""Reads tables by a mapping of their columns: CSV with a header, and JSON lines of any shape."""

from __future__ import annotations

import csv
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from scrubjay.codec.compiled import decode
from scrubjay.errors import BadInput, ScrubjayError
from scrubjay.importers.bundle import LINE_BYTES_MAX, Bundle
from scrubjay.importers.found import Found, NotRead, Object, Read, Skipped, Wrong, json_lines
from scrubjay.importers.listing import Named, read_lines
from scrubjay.importers.written_dates import ORDERS, DateOrder, OrderUnknown, moment_of
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

# The fields that a column can be, and which of them hold a time or a list.
_TIMES = ("told_at", "occurred_start", "occurred_end", "valid_from", "valid_to")
_LISTS = ("tags", "entities")
FIELDS = (
    "text", "type", "predicate", "context", *_TIMES, *_LISTS, "session", "speaker", "key",
    "author", "origin",
)  # fmt: skip
# What others call a field, where no column has its own name.
_ALSO = {
    "text": ("content", "memory", "message"),
    "told_at": ("created_at", "timestamp", "date"),
}

# By field, the column it is in; a column of times may say the order of its days, as `date:dmy`.
Columns = Mapping[str, str]
# The line and the values of a row.
Row = tuple[int, Object] | Wrong


def columns_of(pairs: list[str]) -> dict[str, str]:
    """A mapping from `FIELD=COLUMN` pairs."""
    columns = {}
    for pair in pairs:
        field, equals, column = pair.partition("=")
        if not equals or field not in FIELDS or not column:
            raise BadInput("column", pair, f"Give FIELD=COLUMN; fields: {', '.join(FIELDS)}.")
        columns[field] = column
    return columns


def check_columns(given: object) -> dict[str, str]:
    """A mapping from fields to columns, as a caller gives it; BadInput for what is none."""
    if not isinstance(given, Mapping):
        raise BadInput("columns", given, "Give a mapping, such as {'text': 'note'}.")
    for field, column in given.items():
        if field not in FIELDS:
            raise BadInput("field of columns", field, f"Fields: {', '.join(FIELDS)}.")
        if not isinstance(column, str):
            raise BadInput(f"column of {field}", column, "Give its name.")
    return dict(given)


def is_csv(bundle: Bundle) -> bool:
    """A table by its name."""
    return len(bundle.names) == 1 and bundle.names[0].lower().endswith((".csv", ".tsv"))


def read_csv(bundle: Bundle, columns: Columns) -> Iterator[Named]:
    """One unit a row; columns that no field has go into its metadata."""
    name = bundle.names[0]
    plain, orders = _parted(columns)
    known: dict[str, str] = {}
    rows = _csv_rows(bundle, name, lambda header: known.update(_mapped(header, plain)))
    dates = _Dates(lambda: ((row, known) for _, row in _good(_csv_rows(bundle, name))), orders)
    for row in rows:
        yield name, row if isinstance(row, Wrong) else _unit(*row, known, dates)


def _csv_rows(
    bundle: Bundle, name: str, check: Callable[[list[str]], None] = lambda _: None
) -> Iterator[Row]:
    """The rows of a table by the names of its header, which `check` sees first."""
    broken: list[Wrong] = []

    def lines() -> Iterator[str]:
        for number, raw in enumerate(bundle.lines(name), 1):
            if isinstance(raw, Wrong):
                broken.append(raw)
                return
            try:
                yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                broken.append(Wrong(number, f"not UTF-8 at byte {error.start}; save it so"))
                return

    text = lines()
    first = next(text, "")
    delimiter = max(",;\t", key=first.count)
    csv.field_size_limit(LINE_BYTES_MAX)
    rows = csv.reader(itertools.chain([first], text), delimiter=delimiter, strict=True)
    try:
        header = next(rows, [])
        # A first line that cannot be read is what is wrong, and not that it has no columns.
        if header or not broken:
            check(header)
        for row in rows:
            if row and len(row) != len(header):
                yield Wrong(rows.line_num, f"{len(row)} values where the header has {len(header)}")
            elif row:
                yield rows.line_num, dict(zip(header, row, strict=True))
    except csv.Error as error:
        yield Wrong(rows.line_num, f"not CSV: {error}")
    yield from broken


def _good(rows: Iterable[Row]) -> Iterator[tuple[int, Object]]:
    return (row for row in rows if not isinstance(row, Wrong))


def _mapped(header: list[str], columns: Columns) -> dict[str, str]:
    """By field, its column: what was given, else the one of its own name or of a usual one."""
    if not any(header):
        raise BadInput("no header", "the first line is empty", "Give names of columns there.")
    known = _usual(header) | dict(columns)
    for field, column in known.items():
        if column not in header:
            raise BadInput(f"no column for {field}", column, f"There are {', '.join(header)}.")
    for column in header:
        # Of two columns of one name a row could only keep the second; which is meant is unknown.
        if column and header.count(column) > 1:
            raise BadInput("column twice", column, "Give each column a name of its own.")
    if "text" not in known:
        raise BadInput(
            "no column for text", ", ".join(header), "Name it, such as --map text=COLUMN."
        )
    return known


def _usual(header: Iterable[str]) -> dict[str, str]:
    """By field, the column that has its name, or one that others call it by."""
    plain = {column.strip().lower().replace(" ", "_"): column for column in header}
    known = {}
    for field in FIELDS:
        called = next((name for name in (field, *_ALSO.get(field, ())) if name in plain), None)
        if called is not None:
            known[field] = plain[called]
    return known


def read_jsonl(bundle: Bundle, columns: Columns) -> Iterator[Named]:
    """One unit a line, whatever its fields are called."""
    names = bundle.names[:1]
    plain, orders = _parted(columns)

    def known(shape: Object) -> Columns:
        return _usual(shape) | plain

    def rows() -> Iterator[tuple[Object, Columns]]:
        lines = (line for name in names for line in bundle.lines(name))
        raw = (line for line in lines if not isinstance(line, Wrong))
        return ((shape, known(shape)) for _, shape in _good(json_lines(raw)))

    dates = _Dates(rows, orders)
    yield from read_lines(
        bundle, names, lambda _, line, shape: [_unit(line, shape, known(shape), dates)]
    )


def _parted(columns: Columns) -> tuple[dict[str, str], dict[str, str]]:
    """The columns of fields, and of those that are times the orders given: `told_at=date:dmy`."""
    plain, orders = dict(columns), {}
    for field in _TIMES:
        column, colon, order = plain.get(field, "").rpartition(":")
        if colon and order in ORDERS:
            plain[field], orders[column] = column, order
    return plain, orders


class _Dates:
    """The times of a table; its rows are looked through once, when a day leaves its order open."""

    def __init__(
        self, rows: Callable[[], Iterator[tuple[Object, Columns]]], given: Mapping[str, str]
    ) -> None:
        self._rows, self._given = rows, given
        self._orders: dict[str, DateOrder] | None = None

    def moment(self, field: str, column: str, value: Json) -> datetime:
        """A value of a column as a time; NotRead, with the remedy, for what is none."""
        try:
            return moment_of(value, lambda: self._order(column))
        except OrderUnknown as error:
            ways = " or ".join(f"--map {field}={column}:{order}" for order in ORDERS)
            raise NotRead(f"{column!r}: {error}. Say which with {ways}") from None
        except NotRead as error:
            raise NotRead(f"{column!r} is {error}") from None

    def _order(self, column: str) -> DateOrder:
        if column in self._given:
            return DateOrder(self._given[column])
        if self._orders is None:
            self._orders = defaultdict(DateOrder)
            for row, known in self._rows():
                for time in _TIMES:
                    if time in known:
                        self._orders[known[time]].see(row.get(known[time]))
        return self._orders[column]


def _unit(line: int, row: Object, known: Columns, dates: _Dates) -> Found:
    said: dict[str, Json] = {
        field: row[column]
        for field, column in known.items()
        if row.get(column) not in (None, "", [])
    }
    text = said.get("text")
    if not isinstance(text, str) or not text.strip():
        return Skipped(line, "no text")
    used = set(known.values())
    try:
        times = {
            field: dates.moment(field, known[field], said[field])
            for field in _TIMES
            if field in said
        }
        for field in _LISTS:
            if isinstance(listed := said.get(field), str):
                said[field] = [part.strip() for part in listed.split(",") if part.strip()]
        plain = {field: value for field, value in said.items() if field not in _TIMES}
        unit = decode(Unit, plain, f"line {line}")
    except (NotRead, ScrubjayError) as error:
        return Wrong(line, str(error))
    rest = {name: value for name, value in row.items() if name not in used and value != ""}
    return Read(line, replace(unit, metadata=rest, **times))  # type: ignore[arg-type]
