"""Reads tables by a mapping of their columns: CSV with a header, and JSON lines of any shape."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from scrubjay.codec.compiled import decode
from scrubjay.errors import BadInput, ScrubjayError
from scrubjay.importers.bundle import LINE_BYTES_MAX, Bundle
from scrubjay.importers.found import Found, NotRead, Object, Read, Skipped, Wrong, moment_in
from scrubjay.importers.listing import Named, read_lines
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

# By field, the column it is in.
Columns = Mapping[str, str]


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
        known = {} if broken and not header else _mapped(header, columns)
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                reason = f"{len(row)} values where the header has {len(header)}"
                yield name, Wrong(rows.line_num, reason)
                continue
            yield name, _row(rows.line_num, dict(zip(header, row, strict=True)), known)
    except csv.Error as error:
        yield name, Wrong(rows.line_num, f"not CSV: {error}")
    yield from ((name, one) for one in broken)


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
    yield from read_lines(
        bundle,
        bundle.names[:1],
        lambda _, line, shape: [_row(line, shape, _usual(shape) | dict(columns))],
    )


def _row(line: int, row: Object, known: Columns) -> Found:
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
        times = {field: moment_in(said, field) for field in _TIMES if field in said}
        for field in _LISTS:
            if isinstance(listed := said.get(field), str):
                said[field] = [part.strip() for part in listed.split(",") if part.strip()]
        plain = {field: value for field, value in said.items() if field not in _TIMES}
        unit = decode(Unit, plain, f"line {line}")
    except (NotRead, ScrubjayError) as error:
        return Wrong(line, str(error))
    rest = {name: value for name, value in row.items() if name not in used and value != ""}
    return Read(line, replace(unit, metadata=rest, **times))  # type: ignore[arg-type]
