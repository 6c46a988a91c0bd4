"""A dataclass as a kind of value: an object in JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from operator import attrgetter

from scrubjay.codec.kinds import Encoder, Kind, Mismatch, Named, OrNull, Schema
from scrubjay.errors import BadInput


class Part:
    """One field of a shape: the attribute's name, its key in JSON, and how it stands there."""

    def __init__(self, name: str, key: str, kind: Kind, *, required: bool) -> None:
        self.name, self.key, self.kind, self.required = name, key, kind, required
        self.unsaid = False  # left out while it is None
        self.flat = False  # its keys stand among ours


class Shape(Kind):
    """A dataclass, with its fields and, under `shown`, what JSON has by another way or name."""

    says = "an object"
    checks = True

    def __init__(
        self, owner: type, parts: Sequence[Part], shown: Mapping[str, str], *, strict: bool
    ) -> None:
        self.owner, self.parts, self._shown, self._strict = owner, parts, shown, strict
        self._flat = [part for part in parts if part.flat]
        self._known = {part.key: part for part in parts if not part.flat}
        self._required = [part.key for part in parts if part.required and not part.flat]
        self._checked = [
            (part.name, part.kind.called or part.name, part.kind.check)
            for part in parts
            if part.kind.checks
        ]
        # Whatever is not known belongs to a part that has any keys.
        self._takes_any = any(not isinstance(part.kind, Shape) for part in self._flat)
        self._short: str | None = getattr(owner, "json_short", None)

    def known(self) -> list[str]:
        """Every key it takes."""
        inside = [part.kind for part in self._flat if isinstance(part.kind, Shape)]
        return [*self._known, *(key for kind in inside for key in kind.known())]

    def encoder(self) -> Encoder | None:
        # A null needs no encoding, so what may be null is encoded as what it is otherwise.
        kinds = {
            part.name: (part.kind.inner if isinstance(part.kind, OrNull) else part.kind).encoder()
            for part in self.parts
        }
        # Never one name alone, for which it would give no tuple.
        get, keys = attrgetter(*self._shown.values(), "__class__"), tuple(self._shown)
        inside = [(key, inner) for key, name in self._shown.items() if (inner := kinds.get(name))]
        unsaid = [part.key for part in self.parts if part.unsaid]
        flat = [part.key for part in self._flat]

        def encode(value: object) -> object:
            shape: dict[str, object] = dict(zip(keys, get(value), strict=False))
            for key, inner in inside:
                given = shape[key]
                if given is not None:
                    shape[key] = inner(given)
            for key in unsaid:
                if shape[key] is None:
                    del shape[key]
            for key in flat:
                shape = {**shape.pop(key), **shape}  # type: ignore[dict-item]
            return shape

        return encode

    def decode(self, value: object) -> object:
        if isinstance(value, dict):
            return self.owner(**self.decode_parts(value, self._required))
        if self._short is not None and isinstance(value, str):
            return self.owner(**{self._short: value})
        raise Mismatch(value, "Give an object.")

    def decode_parts(
        self, value: Mapping[str, object], required: Sequence[str] = ()
    ) -> dict[str, object]:
        """The fields that are given, by the names of their attributes."""
        given: dict[str, object] = {}
        others: dict[str, object] = {}
        known = self._known
        for key, one in value.items():
            part = known.get(key)
            if part is None:
                others[key] = one
                continue
            try:
                given[part.name] = part.kind.decode(one)
            except Mismatch as wrong:
                raise wrong.at(f".{key}") from None
        if self._strict and others and not self._takes_any:
            self._check_known(others)
        for part in self._flat:
            own = part.kind.known() if isinstance(part.kind, Shape) else list(others)
            given[part.name] = part.kind.decode({k: others[k] for k in others if k in own})
        for key in required:
            if key not in value:
                raise Mismatch(key, f"Give {key!r}.", "{at} without")
        return given

    def _check_known(self, others: Mapping[str, object]) -> None:
        known = self.known()
        for key in others:
            if key not in known:
                remedy = f"Known: {', '.join(known) or 'none'}."
                raise Mismatch(key, remedy, "unknown field in {at}")

    def fits(self, value: object) -> int:
        return len(value.keys() & set(self.known())) if isinstance(value, dict) else 0

    def check(self, value: object, name: str) -> object:
        if not isinstance(value, self.owner):
            raise BadInput(name, value, f"Give a {self.owner.__name__}.")
        changes = {}
        for part, called, check in self._checked:
            given = getattr(value, part)
            checked = check(given, called)
            if checked is not given:
                changes[part] = checked
        if changes:
            value = dataclasses.replace(value, **changes)  # type: ignore[type-var]
        finish = getattr(value, "checked", None)
        if finish is not None:
            finish(name)
        return value

    def describe(self, named: Named) -> Schema:
        schema = self._object(named, self._required)
        if self._short is not None:
            schema = {"anyOf": [self._known[self._short].kind.schema(named), schema]}
        if named is None:
            return schema
        named[self.owner.__name__] = schema
        return {"$ref": f"#/components/schemas/{self.owner.__name__}"}

    def describe_part(self, named: Named) -> Schema:
        """The schema of some of its fields, where null clears one that may be left out."""
        cleared = {
            part.key: OrNull(part.kind).schema(named)
            for part in self._known.values()
            if not (part.required or isinstance(part.kind, OrNull))
        }
        schema = self._object(named, ())
        return {**schema, "properties": {**schema["properties"], **cleared}}  # type: ignore[dict-item]

    def _object(self, named: Named, required: Sequence[str]) -> Schema:
        properties: Schema = {part.key: part.kind.schema(named) for part in self._known.values()}
        further: object = False
        for part in self._flat:
            if isinstance(part.kind, Shape):
                properties |= part.kind._object(named, ())["properties"]  # type: ignore[call-overload]
            else:
                further = part.kind.schema(named)["additionalProperties"]
        schema: Schema = {
            "type": "object",
            "description": (self.owner.__doc__ or "").partition("\n")[0],
            "properties": properties,
            "additionalProperties": further,
            "required": list(required),
        }
        needs = getattr(self.owner, "json_needs", None)
        return {**schema, "dependentRequired": needs} if needs else schema
