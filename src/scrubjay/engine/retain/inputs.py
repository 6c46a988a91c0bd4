"""Turns what a caller hands to `retain` into units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time

from scrubjay.codec.values import ISO_REMEDY
from scrubjay.engine.retain.conversation import Conversation, is_message, said_of_message
from scrubjay.errors import BadInput, shorten
from scrubjay.messages import Message
from scrubjay.types import Cause, Relation, RelationFields, Unit, UnitFields, When, Window

# A chat message as APIs and their libraries have it; `Message` says what is read of it.
ChatMessage = Mapping[str, object] | Message
Told = str | Unit | ChatMessage | Iterable["str | Unit | ChatMessage"]

_ALLOWED = frozenset(UnitFields.__annotations__)
# What a field is in a Unit, where it is not one of the same name, and what it is without a value.
_PARTS = {"occurred": ("occurred_start", "occurred_end")}
_EMPTY = Unit("")


@dataclass(frozen=True, slots=True)
class _Occurred:
    start: datetime | None = None
    end: datetime | None = None


def units_of(told: Told, given: UnitFields) -> list[Unit]:
    """The units told, with the keyword fields laid over each."""
    unknown = sorted(set(given) - _ALLOWED)
    if unknown:
        raise BadInput("unknown field", unknown[0], f"Known: {', '.join(sorted(_ALLOWED))}.")
    if isinstance(told, Mapping) and isinstance(told.get("messages"), list):
        # A whole request, as it was sent to an API or is sent to our server.
        beside = {name: told[name] for name in _BESIDE_MESSAGES if name in told}
        given = {**beside, **given}  # type: ignore[typeddict-item]
        parts = [*_parts(told["messages"])]
    else:
        parts = [*_parts(told)]
    if len(parts) > 1 and given.get("key") is not None:
        raise BadInput("one key for several units", given["key"], "Give each Unit its own key.")
    return [_overlaid(unit, given) for unit in parts]


_BESIDE_MESSAGES = ("session", "context", "tags", "metadata")


def _parts(told: object) -> Iterator[Unit]:
    conversation = Conversation()
    if isinstance(told, str | Unit | Mapping) or is_message(told):
        yield from _part(told, conversation, "message")
        return
    if not isinstance(told, Iterable) or isinstance(told, bytes):
        raise BadInput("cannot retain", told, _TELLABLE)
    for place, part in enumerate(told):
        yield from _part(part, conversation, f"messages[{place}]")


_TELLABLE = "Give text, a Unit, a message, or a list of them."


def _part(part: object, conversation: Conversation, at: str) -> Iterable[Unit]:
    if isinstance(part, Unit):
        return (part,)
    if isinstance(part, str):
        return (Unit(part),)
    if isinstance(part, Mapping) or is_message(part):
        return conversation.units_of(part, at)
    raise BadInput("cannot retain", part, _TELLABLE)


def _overlaid(unit: Unit, given: UnitFields) -> Unit:
    changes: dict[str, object] = {n: v for n, v in given.items() if v is not None}
    if "occurred" in changes:
        occurred = _occurred(given["occurred"])
        changes |= {"occurred_start": occurred.start, "occurred_end": occurred.end}
        del changes["occurred"]
    for name, read in _FORMS.items():
        if name in changes:
            changes[name] = read(changes[name], name)
    metadata = given.get("metadata")
    if isinstance(metadata, Mapping):
        changes["metadata"] = {**metadata, **said_of_message(unit)}
    return replace(unit, **changes) if changes else unit  # type: ignore[arg-type]


def _causes(value: object, name: str) -> tuple[object, ...]:
    return tuple(Cause(c) if isinstance(c, str) else c for c in listed(value, name))


def changed(unit: Unit, given: UnitFields) -> Unit:
    """A unit with what is given laid over it; None takes that part away, the rest stays."""
    (laid,) = units_of(unit, given)
    cleared = [name for name, value in given.items() if value is None]
    if "told_at" in cleared:
        raise BadInput(
            "told_at", None, "Everything was told at some time; leave it out to keep it."
        )
    empty = {part: getattr(_EMPTY, part) for name in cleared for part in _PARTS.get(name, (name,))}
    return replace(laid, **empty) if empty else laid


def relation_of(subject: str, relation: str, target: str, given: RelationFields) -> Relation:
    """The relation told; fields that there are not are BadInput."""
    unknown = sorted(set(given) - set(RelationFields.__annotations__))
    if unknown:
        known = ", ".join(RelationFields.__annotations__)
        raise BadInput("unknown field", unknown[0], f"Known: {known}.")
    return Relation(subject, relation, target, **given)


def listed(value: object, name: str) -> tuple[object, ...]:
    """A list the caller gave, as a tuple; a lone string is a mistake worth naming."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise BadInput(name, value, f"Give a list, such as {name}=[{shorten(value)}].")
    return tuple(value)


def moment(value: object, name: str) -> datetime:
    """A time the caller gave: an aware datetime, or ISO text with its zone."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise BadInput(name, value, ISO_REMEDY) from None
    if not isinstance(value, datetime):
        raise BadInput(name, value, "Give a datetime, or ISO text.")
    return value


def window_of(value: object, name: str) -> object:
    """A pair of times as a Window."""
    if not isinstance(value, tuple | list):
        return value
    if len(value) != 2:
        raise BadInput(name, value, "Give a Window, or a (start, end) pair.")
    return Window(*(None if end is None else moment(end, name) for end in value))


# What may be given in another form than a Unit has it.
_FORMS: dict[str, Callable[[object, str], object]] = {
    **dict.fromkeys(("told_at", "valid_from", "valid_to"), moment),
    **dict.fromkeys(("tags", "entities", "relations"), listed),
    "causes": _causes,
}


def _occurred(value: When | None) -> _Occurred:
    if value is None:
        return _Occurred()
    if isinstance(value, tuple):
        if len(value) != 2:
            raise BadInput("occurred", value, "Give one time, or a (start, end) pair.")
        return _Occurred(_edge(value[0], last=False), _edge(value[1], last=True))
    return _Occurred(_edge(value, last=False), _edge(value, last=True))


def _edge(value: datetime | date | str, *, last: bool) -> datetime:
    """A moment, or the first or last instant of a day, which is taken in UTC."""
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value)
        except ValueError:
            value = moment(value, "occurred")
    if isinstance(value, datetime):
        return value
    if not isinstance(value, date):
        raise BadInput("occurred", value, "Give a datetime, a date, or ISO text.")
    clock = time.max if last else time.min
    return datetime.fromisoformat(f"{datetime.combine(value, clock).isoformat()}+00:00")
