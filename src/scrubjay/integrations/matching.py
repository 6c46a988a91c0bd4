"""How LangGraph compares the fields of values and the labels of namespaces; what values say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, other: bool(value == other),
    "$ne": lambda value, other: bool(value != other),
    "$gt": lambda value, other: float(value) > float(other),
    "$gte": lambda value, other: float(value) >= float(other),
    "$lt": lambda value, other: float(value) < float(other),
    "$lte": lambda value, other: float(value) <= float(other),
}


def matches(value: object, wanted: Mapping[str, object]) -> bool:
    """Whether a value has these fields; a comparison may stand for a field's value."""
    fields = value if isinstance(value, Mapping) else {}
    return all(_equal(fields.get(name), other) for name, other in wanted.items())


def _equal(value: object, wanted: object) -> bool:
    if isinstance(wanted, Mapping):
        if not any(name.startswith("$") for name in wanted):
            return isinstance(value, Mapping) and matches(value, wanted)
        unknown = [name for name in wanted if name not in _COMPARE]
        if unknown:
            raise ValueError(f"Unsupported operator: {unknown[0]}")
        return all(_COMPARE[name](value, other) for name, other in wanted.items())
    if isinstance(wanted, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(value) == len(wanted)
            and all(map(_equal, value, wanted))
        )
    return bool(value == wanted)


def fits(end: str, path: Sequence[str], name: Sequence[str]) -> bool:
    """Whether a namespace begins ("prefix") or ends ("suffix") with a path; "*" is any label."""
    if end not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {end}")
    if len(name) < len(path):
        return False
    part = name[: len(path)] if end == "prefix" else name[len(name) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))


def words_of(value: object) -> Iterator[str]:
    """All that a value says, a line for each field; names of fields are no words of it."""
    if isinstance(value, Mapping):
        for part in value.values():
            yield from words_of(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from words_of(part)
    elif isinstance(value, str) and value.strip():
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
