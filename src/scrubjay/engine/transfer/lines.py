"""Reads the lines of an import file: what each says, or what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from scrubjay.engine.retain.checking import (
    check_link,
    check_moment,
    check_relation,
    check_share,
    check_text,
    check_units,
)
from scrubjay.engine.retain.drafts import Copied
from scrubjay.errors import BadInput, Reason, ScrubjayError
from scrubjay.limits import NAME_CHARACTERS_MAX
from scrubjay.settings import BankSettings
from scrubjay.shapes import read_moment, relation_from_json, source_from_json, unit_from_json
from scrubjay.types import LinkKind, Relation, Unit, UnitId


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit; `copied` when it comes from an export, and is taken as it was stored."""

    unit: Unit
    copied: Copied | None = None  # None: it is told here for the first time


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A conversation."""

    name: str
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class AliasLine:
    """Another name of an entity, with how sure it is."""

    entity: str
    alias: str
    confidence: float


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A causal link between two units."""

    cause: UnitId
    effect: UnitId
    kind: LinkKind
    weight: float


@dataclass(frozen=True, slots=True)
class SupersedeLine:
    """A unit that took the place of another, when, and when that was told (None: not known)."""

    old: UnitId
    new: UnitId
    at: datetime
    told_at: datetime | None


JoiningLine = SessionLine | AliasLine | Relation | LinkLine | SupersedeLine
Line = UnitLine | JoiningLine


def read_lines(file: Iterable[bytes], settings: BankSettings) -> Iterator[tuple[int, Line | str]]:
    """(line number, what it says, or what is wrong with it); blank lines are passed over."""
    for number, raw in enumerate(file, start=1):
        if not raw.strip():
            continue
        try:
            # A file may begin with a mark that it is UTF-8, which is none of its first line.
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            yield number, _line(json.loads(text), settings)
        except UnicodeDecodeError as error:
            yield number, f"not UTF-8 at byte {error.start}"
        except (ValueError, RecursionError) as error:
            yield number, f"not JSON: {error}"
        except ScrubjayError as error:
            yield number, Reason.of(error)


def names_of(line: Line) -> tuple[str, ...]:
    """The id and the key under which later lines may speak of a unit."""
    if not isinstance(line, UnitLine):
        return ()
    return tuple(name for name in (line.unit.id, line.unit.key) if name is not None)


def refers_to(line: Line) -> tuple[str, ...]:
    """The units a line speaks of, by id or key."""
    match line:
        case UnitLine():
            return tuple(cause.other for cause in line.unit.causes)
        case LinkLine():
            return line.cause, line.effect
        case SupersedeLine():
            return line.old, line.new
    return ()


def _line(shape: object, settings: BankSettings) -> Line:
    if not isinstance(shape, dict):
        raise BadInput("line", shape, "Give one JSON object per line.")
    kind = shape.pop("kind", "unit")
    readers: dict[str, Callable[[Mapping[str, object]], JoiningLine]] = {
        "session": _session,
        "alias": _alias,
        "relation": _relation,
        "link": _link,
        "supersede": _supersede,
    }
    if kind == "unit":
        (unit,) = check_units([unit_from_json(shape)], settings)
        # Only a store knows when it stored a unit, so this one was stored before.
        if unit.id is None or shape.get("created_at") is None:
            return UnitLine(unit)
        source = source_from_json(shape.get("source"))
        return UnitLine(unit, Copied(source, _moment_or_none(shape, "closed_at")))
    if not isinstance(kind, str) or kind not in readers:
        raise BadInput("kind", kind, f"Use unit, {', '.join(readers)}.")
    return readers[kind](shape)


def _session(shape: Mapping[str, object]) -> SessionLine:
    ended = _moment_or_none(shape, "ended_at")
    return SessionLine(_text(shape, "name"), _moment(shape, "started_at"), ended)


def _alias(shape: Mapping[str, object]) -> AliasLine:
    sure = _number(shape, "confidence")
    check_share(sure, "confidence")
    return AliasLine(_text(shape, "entity"), _text(shape, "alias"), sure)


def _relation(shape: Mapping[str, object]) -> Relation:
    relation = relation_from_json(shape)
    check_relation(relation)
    return relation


def _link(shape: Mapping[str, object]) -> LinkLine:
    kind, weight = shape.get("link"), _number(shape, "weight")
    check_link(kind, weight)
    cause, effect = UnitId(_text(shape, "cause")), UnitId(_text(shape, "effect"))
    if cause == effect:
        raise BadInput("a unit cannot cause itself", cause, "Name two units.")
    return LinkLine(cause, effect, LinkKind(str(kind)), weight)


def _supersede(shape: Mapping[str, object]) -> SupersedeLine:
    old, new = UnitId(_text(shape, "old")), UnitId(_text(shape, "new"))
    if old == new:
        raise BadInput("a unit cannot supersede itself", old, "Name two units.")
    return SupersedeLine(old, new, _moment(shape, "at"), _moment_or_none(shape, "told_at"))


def _text(shape: Mapping[str, object], name: str) -> str:
    value = shape.get(name)
    check_text(value, name, NAME_CHARACTERS_MAX)
    return str(value)


def _moment(shape: Mapping[str, object], name: str) -> datetime:
    return check_moment(read_moment(name, shape.get(name)), name)


def _moment_or_none(shape: Mapping[str, object], name: str) -> datetime | None:
    return None if shape.get(name) is None else _moment(shape, name)


def _number(shape: Mapping[str, object], name: str) -> float:
    value = shape.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BadInput(name, value, "Give a number.")
    return float(value)
