"""Bad input is an error that names the value and the remedy, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from tests.contract.conftest import BACKENDS, opening
from tests.contract.looking import contents

from scrubjay import (
    BadInput,
    Cause,
    Memory,
    NotFound,
    Relation,
    ScrubjayError,
    Unit,
    UnitFilter,
    Window,
)
from scrubjay.testing import FixedClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
EARLIER = NOON - timedelta(hours=1)


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"in": value}
    return value


# What is told, and what the message must show of it.
BAD_UNITS: dict[str, tuple[object, dict[str, Any], str]] = {
    "empty text": ("", {}, "empty text"),
    "white space": (" \n\t\u00a0", {}, "empty text"),
    "a space without width": ("\u200b", {}, "empty text"),
    "marks of direction and joiners": ("\u200e \u2060\ufeff\u200d", {}, "empty text"),
    "letters that are drawn as nothing": ("\u3164\u115f\u2800\ufe0f", {}, "empty text"),
    "controls": ("\x01\x1b", {}, "empty text"),
    "an unseen tag": ("x", {"tags": ["\u200b"]}, "empty tags"),
    "an unseen speaker": ("x", {"speaker": "\u2060"}, "empty speaker"),
    "a NUL": ("a\x00b", {}, "a\\\\x00b"),
    "ten megabytes": ("word " * 2_000_000, {}, "10,000,000"),
    "a lone surrogate": ("caf\udce9", {}, "udce9"),
    "bytes": (b"raw", {}, "raw"),
    "a number": (7, {}, "7"),
    "nothing": (None, {}, "None"),
    "a list with a number": (["fine", 7], {}, "7"),
    "a message without text": ({"role": "user"}, {}, "user"),
    "a message with parts": ({"role": "user", "content": [{"type": "text"}]}, {}, "content"),
    "a message with a typo": ({"role": "user", "contents": "x"}, {}, "contents"),
    "a naive date": ("x", {"told_at": datetime(2026, 1, 1)}, "2026-01-01"),
    "a naive ISO date": ("x", {"told_at": "2026-01-01T00:00:00"}, "2026-01-01"),
    "an unreadable date": ("x", {"told_at": "last tuesday"}, "last tuesday"),
    "a date before the calendar": ("x", {"told_at": datetime(1, 1, 1, tzinfo=UTC)}, "0001"),
    "a date beyond the calendar": (
        "x",
        {"valid_to": datetime(9999, 12, 31, 23, tzinfo=timezone(-timedelta(hours=12)))},
        "9999",
    ),
    "a number for a date": ("x", {"valid_from": 17}, "17"),
    "an end before its start": ("x", {"occurred": (NOON, EARLIER)}, "11:00"),
    "an absurd day": ("x", {"occurred": "2026-02-31"}, "2026-02-31"),
    "three times": ("x", {"occurred": (NOON, NOON, NOON)}, "occurred"),
    "validity that ends early": ("x", {"valid_from": NOON, "valid_to": EARLIER}, "11:00"),
    "an end without a start": (Unit("x", occurred_end=NOON), {}, "occurred_end"),
    "an unknown type": ("x", {"type": "rumour"}, "rumour"),
    "a type that is no text": ("x", {"type": 3}, "3"),
    "an unknown field": ("x", {"mood": "good"}, "mood"),
    "ten thousand tags": ("x", {"tags": [str(n) for n in range(10_000)]}, "10000"),
    "one string for tags": ("x", {"tags": "red"}, "red"),
    "an empty tag": ("x", {"tags": ["red", ""]}, "empty tags"),
    "a number for a tag": ("x", {"tags": [1]}, "1"),
    "a long tag": ("x", {"tags": ["t" * 201]}, "201"),
    "one string for a unit's tags": (Unit("x", tags="red"), {}, "red"),  # type: ignore[arg-type]
    "None for a unit's tags": (Unit("x", tags=None), {}, "None"),  # type: ignore[arg-type]
    "a long key": ("x", {"key": "k" * 201}, "201"),
    "an empty session": ("x", {"session": " "}, "empty session"),
    "a speaker with a NUL": ("x", {"speaker": "a\x00"}, "speaker"),
    "a long predicate": ("x", {"predicate": "p" * 2001}, "2,001"),
    "a context that is no text": ("x", {"context": 5}, "5"),
    "one key for two units": (["a", "b"], {"key": "k"}, "'k'"),
    "metadata that is a list": ("x", {"metadata": [1]}, "1"),
    "NaN in metadata": ("x", {"metadata": {"n": float("nan")}}, "nan"),
    "infinity in metadata": ("x", {"metadata": {"n": [float("inf")]}}, "inf"),
    "an object in metadata": ("x", {"metadata": {"o": object()}}, "object"),
    "a set in metadata": ("x", {"metadata": {"s": {1}}}, "1"),
    "bytes in metadata": ("x", {"metadata": {"s": b"x"}}, "x"),
    "a number as a metadata key": ("x", {"metadata": {1: 2}}, "1"),
    "a surrogate in metadata": ("x", {"metadata": {"s": "\ud800"}}, "ud800"),
    "a surrogate as a metadata key": ("x", {"metadata": {"\ud800": 1}}, "ud800"),
    "a NUL in metadata": ("x", {"metadata": {"s": ["\x00"]}}, "x00"),
    "deep metadata": ("x", {"metadata": nested(40)}, "32"),
    "very deep metadata": ("x", {"metadata": {"l": [[[]]], **nested(5000)}}, "32"),
    "large metadata": ("x", {"metadata": {"s": "x" * 70_000}}, "65536"),
    "a huge number in metadata": ("x", {"metadata": {"n": 10**5000}}, "16610 bits"),
    "an empty entity": ("x", {"entities": [""]}, "empty entities"),
    "too many entities": ("x", {"entities": [f"E{n}" for n in range(201)]}, "201"),
    "a relation that is a tuple": ("x", {"relations": [("a", "b", "c")]}, "relation"),
    "a relation without a name": ("x", {"relations": [Relation("a", " ", "c")]}, "relation"),
    "a relation of no class": (
        "x",
        {"relations": [Relation("a", "b", "c", relation_class="vague")]},  # type: ignore[arg-type]
        "vague",
    ),
    "a relation too sure": ("x", {"relations": [Relation("a", "b", "c", confidence=1.5)]}, "1.5"),
    "a relation surely text": (
        "x",
        {"relations": [Relation("a", "b", "c", confidence="high")]},  # type: ignore[arg-type]
        "high",
    ),
    "a relation that ends early": (
        "x",
        {"relations": [Relation("a", "b", "c", valid_from=NOON, valid_to=EARLIER)]},
        "valid_to",
    ),
    "a cause that is nowhere": ("x", {"causes": ["nonesuch"]}, "nonesuch"),
    "a cause of no kind": ("x", {"causes": [Cause("kept", kind="maybe")]}, "maybe"),  # type: ignore[arg-type]
    "a weightless cause": ("x", {"causes": [Cause("kept", weight=0)]}, "0"),
    "an id of one's own": (Unit("x", id="my-id"), {}, "my-id"),
    "an id for a long text": (Unit("x " * 3000, id="0" * 20), {}, "0" * 20),
    "one id for two units": ([Unit("x", id="0" * 20), Unit("y", id="0" * 20)], {}, "0" * 20),
}


@pytest.fixture(scope="module", params=BACKENDS)
def kept(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Memory]:
    """One memory for all: each test shows that it left it as it was."""
    folder = tmp_path_factory.mktemp("kept")
    with opening(request, folder, FixedClock())("hash") as memory:
        memory.retain("Ann met Ben in Oslo.", key="kept", tags=["t"], session="s")
        memory.retain("Ann met Ben in Rome.", relations=[Relation("Ann", "knows", "Ben")])
        yield memory
        assert memory.doctor() == []


@pytest.mark.parametrize("case", BAD_UNITS)
def test_a_bad_unit_is_refused_by_name_and_changes_nothing(
    kept: Memory, tmp_path: Path, case: str
) -> None:
    told, given, shown = BAD_UNITS[case]
    before = contents(kept, tmp_path)

    with pytest.raises(BadInput, match=shown) as refusal:
        kept.retain(told, **given)  # type: ignore[arg-type]
    assert len(str(refusal.value)) < 400
    assert refusal.value.remedy
    assert contents(kept, tmp_path) == before


@pytest.mark.parametrize("case", [c for c in BAD_UNITS if isinstance(BAD_UNITS[c][0], str)])
def test_an_update_refuses_what_retain_refuses(kept: Memory, tmp_path: Path, case: str) -> None:
    told, given, shown = BAD_UNITS[case]
    unit = kept.list(limit=1).units[0].id
    before = contents(kept, tmp_path)
    if case == "ten megabytes":
        shown = "10,000,000|2,000"

    with pytest.raises(BadInput, match=shown):
        kept.update(unit, text=str(told), **given)
    assert contents(kept, tmp_path) == before


BAD_NAMES = ["", " ", "a/b", "../up", "a..b", ".", "..", ".hidden", "a\\b", "a b", "a\x00", "a\nb",
             "n" * 101, "-dash", "\ud800", 5, None, b"b"]  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_bank_name_makes_no_bank(kept: Memory, name: str) -> None:
    for call in (
        lambda: kept.bank(name),
        lambda: kept.retain("x", bank=name),
        lambda: kept.recall("x", bank=name),
        lambda: kept.delete_bank(name),
    ):
        with pytest.raises(BadInput, match="bank name"):
            call()
    assert [bank.name for bank in kept.banks()] == ["default"]


def test_too_many_units_in_one_call_are_refused(kept: Memory) -> None:
    with pytest.raises(BadInput, match="10001"):
        kept.retain([f"n{n}" for n in range(10_001)])
    assert kept.stats().units == 2


BAD_FILTERS: dict[str, tuple[object, str]] = {
    "an unknown type": (UnitFilter(types=("rumour",)), "rumour"),
    "one string for tags": (UnitFilter(tags="ab"), "ab"),  # type: ignore[arg-type]
    "one string for ids": (UnitFilter(ids="ab"), "ab"),  # type: ignore[arg-type]
    "a naive window": (UnitFilter(told=Window(datetime(2026, 1, 1), None)), "2026-01-01"),
    "a window that ends early": (UnitFilter(occurred=Window(NOON, EARLIER)), "occurred"),
    "an endless window": (UnitFilter(told=Window(None, None)), "told"),
    "metadata with an object": (UnitFilter(metadata={"a": object()}), "object"),  # type: ignore[dict-item]
    "a surrogate": (UnitFilter(key="\ud800"), "ud800"),
    "a number for a session": (UnitFilter(session=4), "4"),  # type: ignore[arg-type]
    "a dict": ({"tags": ["a"]}, "tags"),
}


@pytest.mark.parametrize("case", BAD_FILTERS)
def test_a_bad_filter_lists_and_erases_nothing(kept: Memory, case: str) -> None:
    where, shown = BAD_FILTERS[case]

    with pytest.raises(BadInput, match=shown):
        kept.list(where)  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        kept.forget(where)  # type: ignore[arg-type]
    assert kept.stats().units == 2


BAD_CALLS: dict[str, tuple[Callable[[Memory], object], str]] = {
    "get": (lambda m: m.get("nonesuch"), "nonesuch"),
    "update": (lambda m: m.update("nonesuch", text="x"), "nonesuch"),
    "forget": (lambda m: m.forget("nonesuch"), "nonesuch"),
    "forget a number": (lambda m: m.forget(5), "5"),  # type: ignore[arg-type]
    "links": (lambda m: m.links("nonesuch"), "nonesuch"),
    "explain": (lambda m: m.explain("who?", "nonesuch"), "nonesuch"),
    "supersede": (lambda m: m.supersede("nonesuch", "new text"), "nonesuch"),
    "supersede by nothing": (lambda m: m.supersede(first(m), ""), "empty text"),
    "supersede by a list": (lambda m: m.supersede(first(m), ["a"]), "new"),  # type: ignore[arg-type]
    "supersede at no time": (lambda m: m.supersede(first(m), "new", at="soon"), "soon"),
    "supersede at a naive time": (
        lambda m: m.supersede(first(m), "new", at=datetime(2026, 1, 1)),
        "2026-01-01",
    ),
    "session": (lambda m: m.start_session(""), "empty session"),
    "session time": (lambda m: m.start_session("s", at=datetime(2026, 1, 1)), "2026-01-01"),
    "relate nobody": (lambda m: m.relate("", "knows", "Ben"), "subject"),
    "relate badly": (lambda m: m.relate("Ann", "knows", "Ben", confidence=0), "confidence"),
    "alias": (lambda m: m.alias_entity(1, ""), "alias"),
    "split": (lambda m: m.split_entity(1, "\x00", []), "name"),
    "settings": (lambda m: m.bank("default", mood="good"), "mood"),
    "time zone": (lambda m: m.bank("default", timezone="Mars/Olympus"), "Mars/Olympus"),
    "types": (lambda m: m.bank("default", types=["fact"]), "fact"),
    "floor": (lambda m: m.bank("default", link_floor=2), "2"),
    "question": (lambda m: m.recall(" "), "question"),
    "export": (lambda m: m.export("/nonexistent/folder/out.jsonl"), "/nonexistent/folder"),
    "import": (lambda m: m.import_("/nonexistent/in.jsonl"), "/nonexistent/in.jsonl"),
    "backup": (lambda m: m.backup(__file__), "test_bad_input"),
    "delete": (lambda m: m.delete_bank("nonesuch"), "nonesuch"),
    "no bank": (lambda m: m.recall("who?", bank="nonesuch"), "nonesuch"),
}


def first(memory: Memory) -> str:
    return memory.list(limit=1).units[0].id


@pytest.mark.parametrize("case", BAD_CALLS)
def test_a_bad_call_is_refused_by_name_and_changes_nothing(
    kept: Memory, tmp_path: Path, case: str
) -> None:
    call, shown = BAD_CALLS[case]
    before = contents(kept, tmp_path)

    with pytest.raises(ScrubjayError, match=shown):
        call(kept)
    assert contents(kept, tmp_path) == before
    assert [bank.name for bank in kept.banks()] == ["default"]


def test_ids_that_are_no_text_are_not_found(kept: Memory) -> None:
    for odd in (None, 5, "", "\ud800", "a" * 10_000):
        with pytest.raises(NotFound):
            kept.get(odd)  # type: ignore[arg-type]
