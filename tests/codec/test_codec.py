"""A declared shape is encoded, decoded, checked and described by its declaration alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Annotated, ClassVar

import pytest

from scrubjay.codec.compiled import check, decode, decode_as, encode, encode_object, schema
from scrubjay.errors import BadInput
from scrubjay.marks import (
    About,
    Between,
    Called,
    Count,
    Flat,
    KeyedBy,
    NotSent,
    OneOf,
    Rounded,
    Some,
    Text,
    Unsaid,
)
from scrubjay.types.units import StoredUnit, Unit
from scrubjay.types.values import Json, UnitId, Window

AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
ISO = "2026-03-02T09:30:00+00:00"


class Deck(StrEnum):
    UPPER = "upper"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class Berth:
    """Where a boat lies."""

    name: str
    metres: Annotated[float, Rounded(), Between(0, 500, above=True)] = 1.0


@dataclass(frozen=True, slots=True)
class Boat:
    """A boat in the harbour."""

    json_keys: ClassVar = {"title": "name", "lies_at": "berth.name"}

    name: Annotated[str, Text(20), About("What it is called.", "Aster")]
    berth: Berth
    decks: tuple[Deck, ...] = ()
    crew: Annotated[tuple[str, ...], Count(2), Called("crew list")] = ()
    left: datetime | None = None
    log: Annotated[Mapping[str, Berth], KeyedBy("name")] = field(default_factory=dict)
    marks: Annotated[Mapping[str, int], Flat()] = field(default_factory=dict)
    secret: Annotated[str | None, NotSent()] = None
    note: Annotated[str | None, Unsaid(), OneOf(("new", "old"))] = None
    span: Window | None = None


BOAT = Boat(
    "Aster", Berth("north", 1 / 3), (Deck.UPPER,), ("Ada",), AT, {"a": Berth("a")}, {"flag": 1}
)
JSON: dict[str, Json] = {
    "flag": 1,
    "title": "Aster",
    "lies_at": "north",
    "berth": {"name": "north", "metres": 0.333333},
    "decks": ["upper"],
    "crew": ["Ada"],
    "left": ISO,
    "log": {"a": {"metres": 1.0}},
    "span": None,
}


def test_a_value_is_encoded_as_its_declaration_says() -> None:
    assert encode(BOAT) == JSON
    assert list(encode_object(BOAT)) == list(JSON)
    assert encode([BOAT.berth]) == [{"name": "north", "metres": 0.333333}]


def test_what_was_encoded_is_decoded_to_the_same() -> None:
    unit = StoredUnit(UnitId("a"), "Nadia called.", "event", AT, AT, tags=("quay",))
    assert decode(StoredUnit, encode(unit), "answer", strict=False) == unit
    read = decode(Boat, {k: v for k, v in JSON.items() if k != "lies_at"}, "boat")
    assert read.decks == (Deck.UPPER,) and read.left == AT and read.marks == {"flag": 1}
    assert read.log == {"a": Berth("a")}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "boat without: 'title'. Give 'title'."),
        ({"title": 5, "berth": {"name": "n"}}, "boat.title: 5. Give text."),
        ({"title": "A", "berth": []}, "boat.berth: []. Give an object."),
        (
            {"title": "A", "berth": {"name": "n", "depth": 1}},
            "unknown field in boat.berth: 'depth'. Known: name, metres.",
        ),
        ({"title": "A", "berth": {"name": "n"}, "decks": ["x"]},
         "boat.decks[0]: 'x'. Use one of upper, lower."),
        ({"title": "A", "berth": {"name": "n"}, "left": 5}, "boat.left: 5. Give text or null."),
        ({"title": "A", "berth": {"name": "n"}, "left": "soon"},
         "left: 'soon'. Give an ISO time with its zone, such as '2026-03-02T09:30:00+00:00'."),
        ({"title": "A", "berth": {"name": "n"}, "left": "2026-03-02T09:30:00"},
         "left has no time zone: '2026-03-02T09:30:00'. Add one, such as +00:00."),
        ({"title": "A", "berth": {"name": "n"}, "span": [None]},
         "length of boat.span: 1. Give 2 to 2."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place_and_a_remedy(given: Json, said: str) -> None:
    with pytest.raises(BadInput) as raised:
        decode(Boat, given, "boat")
    assert str(raised.value) == said


def test_what_is_not_known_is_passed_over_where_asked_for() -> None:
    assert decode(Berth, {"name": "n", "depth": 1}, "answer", strict=False) == Berth("n")


def test_some_fields_are_decoded_alone_and_null_clears_one() -> None:
    some = Annotated[Unit, Some(null_clears=True)]
    read = decode_as(some, {"tags": ["a"], "speaker": None}, "body")
    assert read == {"tags": ("a",), "speaker": None}


@pytest.mark.parametrize(
    ("boat", "said"),
    [
        (Boat(" ", Berth("n")), "empty name: ' '. Give at least one word."),
        (Boat("A" * 21, Berth("n")), "name of 21 characters: "),
        (Boat("A", Berth("n", 0)), "metres: 0. Give a number in (0, 500]."),
        (Boat("A", Berth("n"), crew=("a", "b", "c")), "number of crew list: 3. Give at most 2."),
        (Boat("A", Berth("n"), note="torn"), "note: 'torn'. Use one of new, old."),
        (Boat("A", Berth("n"), span=Window(None, None)), "span: Window"),
        (Boat("A", Berth("n"), span=Window(AT, AT - timedelta(1))), "span ends before it starts"),
        (Boat("A", "north"), "berth: 'north'. Give a Berth."),  # type: ignore[arg-type]
    ],
)
def test_a_bound_that_is_declared_is_enforced(boat: Boat, said: str) -> None:
    with pytest.raises(BadInput) as raised:
        check(boat, "boat")
    assert str(raised.value).startswith(said)


def test_a_checked_value_has_its_times_in_utc_and_is_otherwise_the_one_given() -> None:
    assert check(BOAT, "boat") is not None
    berth = Berth("n")
    assert check(berth, "berth") is berth
    east = AT.astimezone(timezone(timedelta(hours=9)))
    left = check(Boat("A", berth, left=east), "boat").left
    assert left == AT and left is not None and left.tzinfo is UTC


def test_the_schema_says_what_is_accepted() -> None:
    named: dict[str, dict[str, object]] = {}
    assert schema(Boat, named) == {"$ref": "#/components/schemas/Boat"}
    boat = named["Boat"]
    assert boat["required"] == ["title", "berth"]
    assert boat["description"] == "A boat in the harbour."
    properties = boat["properties"]
    assert isinstance(properties, dict) and "secret" not in properties
    assert properties["title"]["maxLength"] == 20 and properties["title"]["examples"] == ["Aster"]
    assert properties["crew"] == {"type": "array", "items": {"type": "string"}, "maxItems": 2}
    assert properties["note"] == {"type": "string", "enum": ["new", "old"]}
    assert named["Berth"]["properties"] == {
        "name": {"type": "string"},
        "metres": {"type": "number", "exclusiveMinimum": 0, "maximum": 500},
    }


def test_in_a_change_null_clears_what_may_be_left_out() -> None:
    properties = schema(Annotated[Unit, Some(null_clears=True)])["properties"]
    assert isinstance(properties, dict)
    assert properties["tags"]["type"] == ["array", "null"]
    assert properties["text"]["type"] == "string"
