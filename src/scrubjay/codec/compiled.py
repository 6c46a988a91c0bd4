"""Compiles each declared type once, and offers what follows from it."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Annotated, TypeVar, Union, get_args, get_origin, get_type_hints

from scrubjay import marks
from scrubjay.codec.kinds import (
    AnyOf,
    Choice,
    Encoder,
    Flag,
    Kind,
    Listing,
    Mismatch,
    Moment,
    Named,
    Number,
    OrNull,
    Row,
    Schema,
    Table,
    Unchecked,
    Words,
)
from scrubjay.codec.shape import Changes, Part, Shape, Speaking
from scrubjay.types.values import Json

T = TypeVar("T")


def encode(value: object) -> Json:
    """A declared value, or a list of them, as JSON."""
    if isinstance(value, list | tuple):
        return [encode(one) for one in value]
    return _encoder(type(value))(value)  # type: ignore[return-value]


def encode_object(value: object) -> dict[str, Json]:
    """A declared value that is an object in JSON."""
    shape = _encoder(type(value))(value)
    assert isinstance(shape, dict), f"{type(value).__name__} is no object in JSON"
    return shape


def decode(shape: type[T], value: Json, at: str, *, strict: bool = True) -> T:
    """A value from its JSON; BadInput names what is wrong by its path from `at`.

    What is not known is wrong, or passed over when `strict` is off.
    """
    return decode_as(shape, value, at, strict=strict)  # type: ignore[return-value]


def decode_as(hint: object, value: Json, at: str, *, strict: bool = True) -> object:
    """The same for any type that a field may have."""
    try:
        return _kind(hint, strict).decode(value)
    except Mismatch as wrong:
        raise wrong.told(at) from None


def check(value: T, name: str) -> T:
    """A declared value in its normal form (times in UTC); BadInput for what breaks a bound."""
    return _kind(type(value), True).check(value, name)  # type: ignore[return-value]


def checker(hint: object, name: str) -> Callable[[object], object]:
    """What checks a value of some type under the name that errors call it by."""
    kind = _kind(hint, True)
    called = kind.called or name
    return lambda value: kind.check(value, called)


def schema(hint: object, named: Named = None, *, strict: bool = True) -> Schema:
    """The JSON schema; with `named`, shapes are put there and referred to.

    Of what is answered, and so not strict, every field is there, and more may come.
    """
    return _kind(hint, strict).schema(named)


def parts_of(shape: type) -> Sequence[Part]:
    """The fields of a shape."""
    kind = _kind(shape, True)
    assert isinstance(kind, Shape)
    return kind.parts


def _encoder(owner: type) -> Encoder:
    encoder = _ENCODERS.get(owner)
    if encoder is None:
        encoder = _kind(owner, True).encoder()
        assert encoder is not None, f"{owner} is JSON already"
        _ENCODERS[owner] = encoder
    return encoder


def _kind(hint: object, strict: bool) -> Kind:
    kind = _KINDS.get((hint, strict))
    if kind is None:
        kind = _KINDS[hint, strict] = _compiled(hint, strict)
    return kind


# Compiled on first use; whoever comes second at the same moment makes the same once more.
_ENCODERS: dict[type, Encoder] = {}
_KINDS: dict[tuple[object, bool], Kind] = {}


def _compiled(hint: object, strict: bool) -> Kind:
    while isinstance(hint, typing.NewType):
        hint = hint.__supertype__
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(inside[0], inside[1:], strict)
    if origin in (Union, types.UnionType):
        return _union(inside, strict)
    if origin is list:
        return Listing(_kind(inside[0], strict), list)
    if origin is tuple:
        if inside[-1] is Ellipsis:
            return Listing(_kind(inside[0], strict))
        return Row(tuple(_kind(one, strict) for one in inside))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return Table(_kind(inside[1], strict))
    return _simple(hint, strict)


def _annotated(hint: object, found: tuple[object, ...], strict: bool) -> Kind:
    other = [mark.hint for mark in found if isinstance(mark, marks.As)]
    kind = Unchecked(_kind(other[0], strict)) if other else _kind(hint, strict)
    for mark in found:
        if isinstance(mark, marks.Some):
            assert isinstance(kind, Shape)
            kind = Changes(kind, null_clears=mark.null_clears)
        elif isinstance(mark, marks.NonEmpty):
            assert isinstance(kind, Shape)
            kind = Speaking(kind)
        elif not isinstance(mark, marks.As | marks.Flat | marks.Unsaid | marks.NotSent):
            kind = kind.marked(mark)
    return kind


def _union(inside: tuple[object, ...], strict: bool) -> Kind:
    if {bool, int, float, str} <= set(inside):
        return Kind()  # Json, whose own parts are spelled out by now
    choices = [_kind(one, strict) for one in inside if one is not type(None)]
    kind = choices[0] if len(choices) == 1 else AnyOf(tuple(choices))
    return OrNull(kind) if type(None) in inside else kind


def _simple(hint: object, strict: bool) -> Kind:
    plain: dict[object, Kind] = {
        str: Words(),
        int: Number(whole=True),
        float: Number(whole=False),
        bool: Flag(),
        datetime: Moment(),
    }
    if hint in plain:
        return plain[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Choice(hint)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _shape(hint, strict)
    name = getattr(hint, "__name__", hint)
    raise TypeError(f"{name} has no JSON shape; declare it as a dataclass.")


def _shape(owner: type, strict: bool) -> Kind:
    # Json names itself, wherever it is used.
    hints = get_type_hints(owner, localns={"Json": Json}, include_extras=True)
    # Keys that come first, or are called otherwise than their attribute, or lie deeper.
    shown: dict[str, str] = dict(getattr(owner, "json_keys", {}))
    keys = {name: key for key, name in shown.items()}
    parts = []
    for one in dataclasses.fields(owner):
        found = {type(mark) for mark in get_args(hints[one.name])[1:]}
        if marks.NotSent in found:
            continue
        key = keys.get(one.name, one.name)
        shown.setdefault(key, one.name)
        has_none = one.default is dataclasses.MISSING is one.default_factory
        part = Part(one.name, key, _kind(hints[one.name], strict), required=has_none)
        part.unsaid, part.flat = marks.Unsaid in found, marks.Flat in found
        if part.unsaid and isinstance(part.kind, OrNull):
            part.json = part.kind.inner
        parts.append(part)
    if getattr(owner, "json_list", False):
        return Row(tuple(part.kind for part in parts), owner, tuple(part.name for part in parts))
    return Shape(owner, parts, shown, strict=strict)
