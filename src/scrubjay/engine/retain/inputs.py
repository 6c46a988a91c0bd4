"""Turns what a caller hands to `retain` into units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial

from scrubjay.codec.values import DAY_REMEDY, day_or_moment, instant_of, is_unicode
from scrubjay.engine.retain.conversation import Conversation, is_message, said_of_message
from scrubjay.errors import BadInput, shorten
from scrubjay.messages import Message
from scrubjay.types.graph import Cause, Relation, RelationFields
from scrubjay.types.units import Unit, UnitChanges, UnitFields
from scrubjay.types.values import EntityId, When, Window

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
    whole = _messages_of(told)
    if isinstance(told, Mapping) and whole is not None:
        # A whole request, as it was sent to an API or is sent to our server.
        beside = {name: told[name] for name in _BESIDE_MESSAGES if name in told}
        given = {**beside, **given}  # type: ignore[typeddict-item]
        parts = [*_parts(whole)]
    else:
        parts = [*_parts(told)]
    if len(parts) > 1 and given.get("key") is not None:
        raise BadInput("one key for several units", given["key"], "Give each Unit its own key.")
    return [_overlaid(unit, given) for unit in parts]


_BESIDE_MESSAGES = ("session", "context", "tags", "metadata")


def _messages_of(told: Told) -> list[object] | None:
    """The messages of a whole request, under the name that its API has for them."""
    # In one message "contents" is a slip.
    if not isinstance(told, Mapping) or "role" in told:
        return None
    found = (told.get(name) for name in ("messages", "contents"))
    return next((messages for messages in found if isinstance(messages, list)), None)


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
    place = at.removeprefix("message").removeprefix("s")
    raise BadInput(f"cannot retain {place}".rstrip(), part, _TELLABLE)


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


def text_and_rest(given: UnitChanges) -> tuple[str | None, UnitFields]:
    """The text a unit is changed to, None for its own, and the other fields."""
    rest: dict[str, object] = {**given}
    text = rest.pop("text", _KEPT)
    if text is None:
        raise BadInput(
            "text",
            None,
            "A text cannot be cleared; leave it out to keep it, or forget the memory.",
        )
    return (None if text is _KEPT else given["text"]), rest  # type: ignore[return-value]


_KEPT = object()


def relation_of(subject: str, relation: str, target: str, given: RelationFields) -> Relation:
    """The relation told; fields that there are not are BadInput."""
    unknown = sorted(set(given) - set(RelationFields.__annotations__))
    if unknown:
        known = ", ".join(RelationFields.__annotations__)
        raise BadInput("unknown field", unknown[0], f"Known: {known}.")
    times: RelationFields = {}
    for name, instant in (("valid_from", "first"), ("valid_to", "last")):
        if given.get(name) is not None:
            times[name] = moment(given[name], name, instant)  # type: ignore[literal-required]
    return Relation(subject, relation, target, **{**given, **times})  # type: ignore[arg-type]


def listed(value: object, name: str) -> tuple[object, ...]:
    """A list the caller gave, as a tuple; a lone string is a mistake worth naming."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise BadInput(name, value, f"Give a list, such as {name}=[{shorten(value)}].")
    return tuple(value)


def moment(value: object, name: str, instant: str = "noon") -> datetime:
    """A time the caller gave: a datetime or a day, or ISO text of these; a day is one instant."""
    if isinstance(value, str):
        try:
            value = day_or_moment(value)
        except ValueError:
            raise BadInput(name, value, DAY_REMEDY) from None
    if not isinstance(value, date):
        raise BadInput(name, value, "Give a datetime, a date, or ISO text.")
    return instant_of(value, instant)


def entity_ref(value: object) -> EntityId | str:
    """An entity the caller named by its number or a name; which there is, the bank knows."""
    # Digits in a path are a number, so they are no name anywhere.
    if isinstance(value, str) and value.strip() and not value.isdecimal() and is_unicode(value):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**18:
        raise BadInput("entity", value, "Give the number that a listing shows, or a name.")
    return EntityId(value)


def window_of(value: object, name: str) -> object:
    """A pair of times, or one day, as a Window."""
    if isinstance(value, Window):
        return value
    ends = value if isinstance(value, tuple | list) else (value, value)
    if len(ends) != 2:
        raise BadInput(name, value, "Give a Window, a (start, end) pair, or one day.")
    start, end = ends
    return Window(
        None if start is None else moment(start, name, "first"),
        None if end is None else moment(end, name, "last"),
    )


# What may be given in another form than a Unit has it.
_FORMS: dict[str, Callable[[object, str], object]] = {
    "told_at": moment,
    "valid_from": partial(moment, instant="first"),
    "valid_to": partial(moment, instant="last"),
    **dict.fromkeys(("tags", "entities", "relations"), listed),
    "causes": _causes,
}


def _occurred(value: When | None) -> _Occurred:
    if value is None:
        return _Occurred()
    if isinstance(value, tuple):
        if len(value) != 2:
            raise BadInput("occurred", value, "Give one time, or a (start, end) pair.")
    else:
        value = (value, value)
    return _Occurred(moment(value[0], "occurred", "first"), moment(value[1], "occurred", "last"))
