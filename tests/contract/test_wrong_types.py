"""Anything at all, given anywhere, is taken or refused with an error of ours that shows it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from scrubjay import (
    BadInput,
    Cause,
    Memory,
    Preset,
    Relation,
    ScrubjayError,
    Unit,
    UnitFilter,
    Window,
)
from scrubjay.answers import RecallOptions
from scrubjay.engine.presets import DEFAULT
from scrubjay.errors import shorten


def names(shape: type) -> Iterator[str]:
    return (one.name for one in fields(shape))


class Unshowable:
    """What cannot be shown in a message."""

    def __repr__(self) -> str:
        raise RuntimeError("not to be shown")


VALUES: tuple[object, ...] = (
    5, -1, True, None, b"raw", 1.5, float("nan"), float("inf"), 10**400, [], ["a"], [5], {},
    {"a": object()}, ("a", None), object(), datetime(2026, 1, 1), date(2026, 1, 1),
    datetime(9999, 1, 1, tzinfo=UTC), "", " ", "\ud800", "a\x00b", "x" * 300,
    Window(cast("Any", 5), None), Unit("x"), Exception, np.array([1, 2]), np.array(["a", "b"]),
    Unshowable(), [Unshowable()], "x" * 3000, [[]], [{}], [np.array([1, 2])],
)  # fmt: skip
UNIT = (
    "type", "predicate", "context", "told_at", "valid_from", "valid_to", "tags", "metadata",
    "entities", "relations", "causes", "session", "speaker", "key",
)  # fmt: skip
OPTIONS = tuple(names(RecallOptions))
SETTINGS = (
    "timezone", "analysis", "types", "recent_days", "widen_below", "links_per_unit_max",
    "link_floor", "update_floor", "links_per_entity_max",
)  # fmt: skip
# Made of anything, which their types do not allow.
OPTIONS_OF: Any = RecallOptions
FILTER_OF: Any = UnitFilter
WINDOW_OF: Any = Window
CAUSE_OF: Any = Cause
RELATION_OF: Any = Relation
UNIT_OF: Any = Unit
PRESET_OF: Any = partial(replace, DEFAULT)
OPEN: Any = Memory.open
Call = Callable[[], object]


def calls(memory: Memory, unit: str, wrong: object) -> Iterator[tuple[str, Call]]:
    """Every public way to hand over a value, by name."""
    m, v = cast("Any", memory), cast("Any", wrong)
    for name in (
        "retain", "recall", "recall_batch", "plan", "parse", "get", "list", "update", "forget",
        "delete_bank", "links", "start_session", "end_session", "bank",
    ):  # fmt: skip
        yield name, partial(getattr(m, name), v)
    pairs: dict[str, Call] = {
        "explain question": lambda: m.explain(v, unit),
        "explain unit": lambda: m.explain("ladder", v),
        "supersede old": lambda: m.supersede(v, "a b"),
        "supersede new": lambda: m.supersede(unit, v),
        "supersede at": lambda: m.supersede(unit, "a b", at=v),
        "link cause": lambda: m.link(v, unit),
        "link effect": lambda: m.link(unit, v),
        "link kind": lambda: m.link(unit, "other", v),
        "link weight": lambda: m.link(unit, "other", "causes", v),
        "parse timezone": lambda: m.parse("ladder last week", timezone=v),
        "list limit": lambda: m.list(limit=v),
        "list cursor": lambda: m.list(cursor=v),
        "entities containing": lambda: m.entities(containing=v),
        "entities limit": lambda: m.entities(limit=v),
        "relations offset": lambda: m.relations(offset=v),
        "alias entity": lambda: m.alias_entity(v, "x"),
        "alias": lambda: m.alias_entity(10**9, v),
        "merge": lambda: m.merge_entities(v, 10**9),
        "split entity": lambda: m.split_entity(v, "x", [unit]),
        "split name": lambda: m.split_entity(10**9, v, [unit]),
        "split units": lambda: m.split_entity(10**9, "x", v),
        "session at": lambda: m.start_session("s", at=v),
        "text": lambda: m.update(unit, text=v),
        "options": lambda: m.bank().recall("ladder", v),
        "bank": lambda: m.recall("ladder", bank=v),
        "message": lambda: m.retain({"content": v}),
        "message role": lambda: m.retain({"content": "x", "role": v}),
        "message time": lambda: m.retain({"content": "x", "at": v}),
        "reembed": lambda: m.reembed(v, bank="none"),
        "configure": lambda: m.bank().configure(v),
        "extractor": lambda: m.extract("x", extractor=v),
        "export": lambda: m.export(v),
        "import": lambda: m.import_(v),
        "backup": lambda: m.backup(v),
        "restore": lambda: m.restore(v, "/dev/null"),
        "restore to": lambda: m.restore("/dev/null", v),
        "id": lambda: m.retain(UNIT_OF("x", id=v)),
        "occurred": lambda: m.retain("x", occurred=v),
        "unknown relation field": lambda: m.relate("a", "r", "b", mood=v),
    }
    yield from pairs.items()
    yield from built(memory, unit, wrong)


def recalled(memory: Memory, name: str, wrong: object) -> object:
    return memory.recall("ladder", preset=PRESET_OF(**{name: wrong}))


def built(memory: Memory, unit: str, wrong: object) -> Iterator[tuple[str, Call]]:
    """The same for every field of what is handed over whole."""
    m, v = cast("Any", memory), cast("Any", wrong)
    for name in UNIT:
        yield f"retain {name}", partial(m.retain, "x", **{name: v})
        yield f"update {name}", partial(m.update, unit, **{name: v})
    for name in (*UNIT, "occurred_start", "occurred_end", "text"):
        yield f"Unit {name}", partial(m.retain, UNIT_OF(**{"text": "x", name: v}))
    for name in OPTIONS:
        yield f"recall {name}", partial(m.recall, "ladder", **{name: v})
        options = OPTIONS_OF(**{name: v})
        yield f"RecallOptions {name}", partial(m.bank().recall, "ladder", options)
    for name in names(UnitFilter):
        yield f"filter {name}", partial(m.list, FILTER_OF(**{name: v}))
    for name in ("start", "end"):
        window = WINDOW_OF(**{"start": None, "end": None, name: v})
        yield f"window {name}", partial(m.recall, "ladder", window=window)
    for name in names(Cause):
        cause = CAUSE_OF(**{"other": "k", name: v})
        yield f"cause {name}", partial(m.retain, UNIT_OF("x", causes=(cause,)))
    for name in names(Relation):
        told = {"subject": "a", "relation": "r", "object": "b", name: v}
        yield f"relation {name}", partial(m.retain, UNIT_OF("x", relations=(RELATION_OF(**told),)))
        yield f"relate {name}", partial(m.relate, **told)
    for name in names(Preset):
        yield f"preset {name}", partial(recalled, m, name, v)
    for name in SETTINGS:
        yield f"setting {name}", partial(m.bank, "other", **{name: v})


@pytest.mark.parametrize("place", range(len(VALUES)))
def test_a_wrong_value_is_refused_by_an_error_of_ours(
    memory: Memory, place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some of it is a path
    wrong = VALUES[place]
    unit = memory.retain("The ladder is in the barn.").id
    let: list[str] = []
    for name, call in calls(memory, unit, wrong):
        try:
            call()
        except BadInput as error:
            assert error.remedy, name
        except ScrubjayError as error:
            assert str(error), name
        except Exception as error:  # noqa: BLE001 - to say which call let it through
            let.append(f"{name}: {type(error).__name__}: {error}")
        if name.startswith("setting "):
            with contextlib.suppress(ScrubjayError):
                memory.delete_bank("other")
    assert not let, shorten(wrong)
    assert memory.doctor() == []


@pytest.mark.parametrize("place", range(len(VALUES)))
def test_a_memory_is_opened_with_what_it_can_use(
    place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = VALUES[place]
    for name in ("path", "encoder", "reranker", "retrievers", "observer"):
        given = {"path": ":memory:", "encoder": None, "reranker": None, name: wrong}
        if name == "path" and wrong is None:  # the user's own store
            continue
        with contextlib.suppress(ScrubjayError), OPEN(**given) as opened:
            opened.retain("The ladder is in the barn.")


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        (lambda m: m.parse("last week", timezone="Nowhere/X"), "Nowhere/X"),
        (lambda m: m.parse("last week", timezone=5), "5"),
        (lambda m: m.retain(UNIT_OF("x", id=5)), "5"),
        (lambda m: m.list(cursor=7), "7"),
        (lambda m: m.entities(containing=b"raw"), "raw"),
        (lambda m: m.recall_batch(5), "5"),
        (lambda m: m.bank().recall("x", 5), "5"),
        (lambda m: m.bank().recall("x", RecallOptions(as_of=datetime(2026, 1, 1))), "2026-01-01"),
        (lambda m: m.recall("x", session=5), "session: 5"),
        (lambda m: m.recall("x", tags=[5]), "tags: 5"),
        (lambda m: m.recall("x", strict="no"), "strict: 'no'"),
        (lambda m: m.export(5), "5"),
        (lambda m: m.relate("a", "r", "b", mood=1), "mood"),
        (lambda m: m.forget([[]]), r"\[\]"),
        (lambda m: m.bank().configure(5), "5"),
        (lambda m: m.backup(5), "5"),
        (lambda m: m.backup("x" * 3000), "too long"),
        (lambda m: m.restore("x" * 3000, "y"), "too long"),
        (lambda m: m.extract("x", extractor=5), "extractor: 5"),
        (lambda m: m.recall("x", preset=PRESET_OF(rank_constant=None)), "constant: None"),
        (lambda m: m.recall("x", bank=np.array([1, 2])), r"array\(\[1, 2\]\)"),
        (lambda m: m.retain({"content": "x", "role": Unshowable()}), "of type Unshowable"),
    ],
)
def test_the_value_at_fault_is_shown(
    memory: Memory, call: Callable[[Any], object], shown: str
) -> None:
    with pytest.raises(BadInput, match=shown):
        call(memory)
