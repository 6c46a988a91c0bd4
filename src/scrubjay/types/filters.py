"""Which units are meant, in which order, and how many at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, TypedDict

from scrubjay import limits
from scrubjay.marks import About, Between, Called, Count, OneOf
from scrubjay.types.values import EntityNumber, EntityRef, Json, JsonObject, Name, TypeName, Window

_FILTERED = Count(limits.UNITS_PER_CALL_MAX)


@dataclass(frozen=True, slots=True)
class UnitFilter:
    """Which units a listing, an erasure or a recall is about; empty means all."""

    ids: Annotated[tuple[Name, ...], _FILTERED, About("With one of these ids.")] = ()
    types: Annotated[tuple[TypeName, ...], _FILTERED, About("Of one of these types.")] = ()
    tags: Annotated[tuple[Name, ...], _FILTERED, About("With all of these tags.")] = ()
    metadata: Annotated[JsonObject, About("Equal on every key given.")] = field(
        default_factory=dict
    )
    session: Annotated[Name | None, About("Of this conversation.")] = None
    speaker: Annotated[Name | None, About("Said by.")] = None
    key: Annotated[Name | None, About("With this key.")] = None
    entity: Annotated[EntityRef | None, About("That names it: a name, or a number.")] = None
    told: Annotated[Window | None, About("When it was told.")] = None
    occurred: Annotated[Window | None, About("When it happened.")] = None
    entity_id: Annotated[EntityNumber | None, About("That names the entity of this number.")] = None
    text: Annotated[
        Name | None,
        About("With all of these words; the last by its beginning, unless a space follows."),
    ] = None
    as_of: Annotated[datetime | None, About("True then.")] = None
    known_at: Annotated[datetime | None, About("Known then.")] = None
    author: Annotated[Name | None, About("Told by.")] = None
    origin: Annotated[Name | None, About("Told from there.")] = None


class FilterFields(TypedDict, total=False):
    """The keyword form of a UnitFilter; times may be ISO text, a window a (start, end) pair."""

    ids: Sequence[str]
    types: Sequence[str]
    tags: Sequence[str]
    metadata: Mapping[str, Json]
    session: str | None
    speaker: str | None
    key: str | None
    entity: int | str | None
    told: Window | tuple[datetime | str | None, datetime | str | None] | None
    occurred: Window | tuple[datetime | str | None, datetime | str | None] | None
    entity_id: int | None
    text: str | None
    as_of: datetime | str | None
    known_at: datetime | str | None
    author: str | None
    origin: str | None


# In which order units are listed, "-" for the latest first: as they were stored, or by time.
ORDERS = ("oldest", "newest", "told", "-told", "occurred", "-occurred")
ListOrder = Annotated[str, OneOf(ORDERS), Called("order"), About("Which come first.", "oldest")]
# Which part of a listing is asked for.
PageSize = Annotated[int, Between(1, limits.PAGE_UNITS_MAX), About("At most this many.")]
Offset = Annotated[
    int, Between(0, 10**18 - 1, remedy="Give how many to pass over."), About("Pass over so many.")
]
