"""Reads the lines of an import file: what each says, or what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, ClassVar

from scrubjay.codec.compiled import check, decode
from scrubjay.engine.retain.checking import ID, check_moment, check_units
from scrubjay.engine.retain.drafts import Copied
from scrubjay.errors import BadInput, Reason, ScrubjayError
from scrubjay.limits import NAME_CHARACTERS_MAX, QUESTION_CHARACTERS_MAX
from scrubjay.marks import Called, Flat, OneOf, Text
from scrubjay.settings import BankSettings
from scrubjay.types.graph import JOINING_KINDS, LinkKind, Relation
from scrubjay.types.units import Source, Unit
from scrubjay.types.values import Name, Share, UnitId


@dataclass(frozen=True, slots=True)
class StoredLine:
    """A unit as a file has it: what was told, and in an export what the store decided."""

    told: Annotated[Unit, Flat()]
    id: str | None = None
    created_at: datetime | None = None
    closed_at: datetime | None = None
    source: Source | None = None
    supersedes: str | None = None  # told by lines of their own
    superseded_by: str | None = None
    tokens: int | None = None
    pending: bool | None = None  # false: what waits has a line of its own kind


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit; `copied` when it comes from an export, and is taken as it was stored."""

    unit: Unit
    copied: Copied | None = None  # None: it is told here for the first time


@dataclass(frozen=True, slots=True)
class PendingLine:
    """A unit that waits to be approved, since when and under which id."""

    told: Annotated[Unit, Flat()]
    id: Annotated[UnitId, Text(NAME_CHARACTERS_MAX)]
    created_at: datetime

    def checked(self, _: str) -> None:
        """BadInput for an id that no unit can have."""
        if ID.fullmatch(self.id) is None:
            raise BadInput("id", self.id, "Leave the line out, and tell the unit as pending.")


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A conversation."""

    name: Name
    started_at: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AliasLine:
    """Another name of an entity, with how sure it is."""

    entity: Name
    alias: Name
    confidence: Share


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A link between two units; of one that updates another, the latter is the `effect`."""

    json_keys: ClassVar = {"link": "kind"}

    cause: Annotated[UnitId, Text(NAME_CHARACTERS_MAX)]
    effect: Annotated[UnitId, Text(NAME_CHARACTERS_MAX)]
    kind: Annotated[LinkKind, OneOf(JOINING_KINDS), Called("link kind")]
    weight: Annotated[Share, Called("link weight")]

    def checked(self, _: str) -> None:
        """BadInput for a unit that causes itself."""
        if self.cause == self.effect:
            raise BadInput("a unit cannot cause itself", self.cause, "Name two units.")


@dataclass(frozen=True, slots=True)
class SupersedeLine:
    """A unit that took the place of another, when, and when that was told (None: not known)."""

    old: Annotated[UnitId, Text(NAME_CHARACTERS_MAX)]
    new: Annotated[UnitId, Text(NAME_CHARACTERS_MAX)]
    at: datetime
    told_at: datetime | None = None

    def checked(self, _: str) -> None:
        """BadInput for a unit that supersedes itself."""
        if self.old == self.new:
            raise BadInput("a unit cannot supersede itself", self.old, "Name two units.")


@dataclass(frozen=True, slots=True)
class RelationLine:
    """A relation, with the unit that says it (None: it is told here by itself)."""

    relation: Annotated[Relation, Flat()]
    unit: Annotated[UnitId | None, Text(NAME_CHARACTERS_MAX)] = None
    told: bool = True  # False: read from the unit's text


@dataclass(frozen=True, slots=True)
class FeedbackLine:
    """What was said of an answer."""

    question: Annotated[str, Text(QUESTION_CHARACTERS_MAX)]
    asked_at: datetime
    used: tuple[UnitId, ...] = ()
    missed: tuple[UnitId, ...] = ()


JoiningLine = (
    SessionLine | AliasLine | RelationLine | LinkLine | SupersedeLine | FeedbackLine | PendingLine
)
Line = UnitLine | JoiningLine
_JOINING: dict[str, type[JoiningLine]] = {
    "session": SessionLine,
    "alias": AliasLine,
    "relation": RelationLine,
    "link": LinkLine,
    "supersede": SupersedeLine,
    "feedback": FeedbackLine,
    "pending": PendingLine,
}


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
        case RelationLine(unit=str(unit)):
            return (unit,)
        case FeedbackLine():
            return *line.used, *line.missed
    return ()


def _line(shape: object, settings: BankSettings) -> Line:
    if not isinstance(shape, dict):
        raise BadInput("line", shape, "Give one JSON object per line.")
    kind = shape.pop("kind", "unit")
    said = {name: value for name, value in shape.items() if value is not None}
    if kind == "unit":
        line = decode(StoredLine, said, "unit")
        (unit,) = check_units([replace(line.told, id=line.id)], settings)
        # Only a store knows when it stored a unit, so this one was stored before.
        if line.id is None or line.created_at is None:
            return UnitLine(unit)
        closed_at = line.closed_at and check_moment(line.closed_at, "closed_at")
        return UnitLine(unit, Copied(line.source, closed_at))
    if not isinstance(kind, str) or kind not in _JOINING:
        raise BadInput("kind", kind, f"Use unit, {', '.join(_JOINING)}.")
    return check(decode(_JOINING[kind], said, kind, strict=kind == "relation"), kind)
