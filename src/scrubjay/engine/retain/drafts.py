"""Makes drafts: units cut to size, each with its identity, before anything is derived."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from scrubjay.engine.retain.identity import identity_of
from scrubjay.language.names import Mention, OtherName
from scrubjay.language.relations import ReadRelation
from scrubjay.language.sentences import cut_text
from scrubjay.limits import UNIT_CHARACTERS_MAX
from scrubjay.types.arrays import VectorArray
from scrubjay.types.units import Source, Unit
from scrubjay.types.values import Window


@dataclass(frozen=True, slots=True)
class Words:
    """Weighted counts per term, the number of words, and the estimated tokens of the text."""

    terms: Mapping[str, int]
    length: int
    tokens: int


_NOT_COUNTED = Words({}, 0, 0)
_NO_ROLES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy of a stored unit brings along: where it was cut from, when its end was told."""

    source: Source | None = None
    closed_at: datetime | None = None


class Draft(NamedTuple):
    """A unit on its way to the store; each stage fills in what it decides.

    A tuple, because every stage makes each draft anew, which takes a dataclass four times as long.
    """

    unit: Unit
    identity: int
    source: Source | None = None
    # A copy of a stored unit: its times, names and causes are known, not read from its text.
    as_stored: bool = False
    type: str = ""
    unsure: bool = False  # a fact for want of a better guess
    told_at: datetime | None = None
    occurred: Window | None = None
    was: Window | None = None  # before it was moved, if the text says so
    mentions: tuple[Mention, ...] = ()
    relations: tuple[ReadRelation, ...] = ()
    other_names: tuple[OtherName, ...] = ()  # of those mentioned
    roles: Mapping[str, str] = _NO_ROLES  # "my sister", "the landlord": each as it is written
    words: Words = _NOT_COUNTED
    vector: VectorArray | None = None
    late: bytes | None = None  # vectors of its tokens, as they are stored
    unembedded: str | None = None  # why its vector is to be made later
    closed_at: datetime | None = None


def filling(*names: str) -> Callable[..., Draft]:
    """Makes a draft anew with values for some fields that stand beside each other, in order.

    `_replace` asks for every field by its name, which takes twice the time.
    """
    first = Draft._fields.index(names[0])
    end = first + len(names)
    assert Draft._fields[first:end] == names

    def filled(draft: Draft, *values: object) -> Draft:
        return Draft._make((*draft[:first], *values, *draft[end:]))

    return filled


def drafts_of(units: Sequence[Unit], copied: Mapping[str, Copied] | None = None) -> list[Draft]:
    """One draft per unit, several for a long text; their texts tile it exactly.

    `copied` names the units that a bank has stored before.
    """
    if copied:
        return [draft for unit in units for draft in _copy_or_cut(unit, copied)]
    return [draft for unit in units for draft in _cut(unit)]


def _copy_or_cut(unit: Unit, copied: Mapping[str, Copied]) -> list[Draft]:
    if unit.id is None or unit.id not in copied:
        return _cut(unit)
    kept = copied[unit.id]
    return [as_stored(unit, kept.source)._replace(closed_at=kept.closed_at)]


def as_stored(unit: Unit, source: Source | None) -> Draft:
    """A draft of a unit that was stored before, with what it had then."""
    return Draft(unit, identity_of(unit, source), source, as_stored=True, type=unit.type or "")


def _cut(unit: Unit) -> list[Draft]:
    if len(unit.text) <= UNIT_CHARACTERS_MAX:
        return [Draft(unit, identity_of(unit), type=unit.type or "")]
    whole = f"{unit.key or ''}\x00{unit.text}"
    document = hashlib.blake2b(whole.encode(), digest_size=12).hexdigest()
    pieces = []
    for number, (start, end) in enumerate(cut_text(unit.text, characters_max=UNIT_CHARACTERS_MAX)):
        piece = replace(
            unit,
            text=unit.text[start:end],
            # A key names one unit, the first piece; the others are numbered.
            key=unit.key if unit.key is None or number == 0 else piece_key(unit.key, number),
            # What the caller said of the whole text is kept once, with its first piece.
            relations=unit.relations if number == 0 else (),
            causes=unit.causes if number == 0 else (),
        )
        source = Source(document, start, end)
        pieces.append(Draft(piece, identity_of(piece, source), source, type=piece.type or ""))
    return pieces


def piece_key(key: str, number: int) -> str:
    """The key of a piece of a long text, but for the first, which has the text's own."""
    return f"{key}#{number}"
