"""Single values that many shapes are made of, with their bounds and their form in JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, ClassVar, NewType

from scrubjay import limits
from scrubjay.errors import BadInput
from scrubjay.marks import (
    About,
    Between,
    Called,
    Count,
    Day,
    Metadata,
    Pattern,
    Rounded,
    Suggested,
    Text,
)

UnitId = NewType("UnitId", str)
EntityId = NewType("EntityId", int)
# The same as they are published. What has another form is not there, which the engine says.
Identifier = Annotated[
    UnitId,
    Pattern("[0-9a-hjkmnp-tv-z]{20}", 20),
    About("A memory's id.", "06cq3yv0n2m8r4t1kz5w"),
]

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

Name = Annotated[str, Text(limits.NAME_CHARACTERS_MAX)]
_LISTED = "Give the number that a listing shows."
EntityNumber = Annotated[EntityId, Between(0, 10**18 - 1, remedy=_LISTED), Called("entity")]
# An entity as a caller names it.
EntityRef = Annotated[
    EntityNumber | Name, Called("entity"), About("The number that a listing shows, or a name.", 1)
]
ShortText = Annotated[str, Text(limits.SHORT_TEXT_CHARACTERS_MAX)]
Share = Annotated[float, Between(0, 1, above=True)]
Measure = Annotated[float, Rounded()]
JsonObject = Annotated[Mapping[str, Json], Metadata()]

DEFAULT_TYPES = ("fact", "preference", "event", "entity", "opinion", "experience", "message")
TypeName = Annotated[str, Suggested(DEFAULT_TYPES), About("One of the bank's types.", "fact")]
Tag = Annotated[str, Text(limits.TAG_CHARACTERS_MAX)]
Tags = Annotated[tuple[Tag, ...], Count(limits.TAGS_MAX), About("Labels to filter by.")]

# A moment, a day, or from when until when.
When = date | str | tuple[date | str, date | str]


@dataclass(frozen=True, slots=True)
class Window:
    """A closed interval of time in UTC; `None` at an end means that end is open.

    A plain day stands for its first instant as the start, for its last as the end.
    """

    json_list: ClassVar = True

    start: Annotated[datetime | None, Day("first")]
    end: Annotated[datetime | None, Day("last")]

    def checked(self, name: str) -> None:
        """BadInput for one that is open at both ends, or ends before it starts."""
        if self.start is None and self.end is None:
            raise BadInput(name, self, "Give a Window with at least one end.")
        if self.start is not None and self.end is not None and self.end < self.start:
            shown = [self.start.isoformat(), self.end.isoformat()]
            raise BadInput(f"{name} ends before it starts", shown, "Swap the ends.")


def check_order(owner: object, first: str, last: str) -> None:
    """BadInput for what ends before it begins."""
    begun, ended = getattr(owner, first), getattr(owner, last)
    if begun is not None and ended is not None and ended < begun:
        raise BadInput(f"{last} before {first}", ended.isoformat(), "Swap them.")
