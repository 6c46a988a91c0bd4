"""A dataclass as a kind of value: an object in JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from scrubjay.codec.kinds import (
    AnyOf,
    Encoder,
    Kind,
    Listing,
    Mismatch,
    Named,
    Number,
    OrNull,
    Row,
    Schema,
    Table,
)
from scrubjay.errors import BadInput


class Part:
    """One field of a shape: the attribute's name, its key in JSON, and how it stands there."""

    def __init__(self, name: str, key: str, kind: Kind, *, required: bool) -> None:
        self.name, self.key, self.kind, self.required = name, key, kind, required
        self.json = kind  # what it is where it is said
        self.unsaid = False  # left out while it is None
        self.flat = False  # its keys stand among ours


class Shape(Kind):
    """A dataclass, with its fields and, under `shown`, what JSON has by another way or name."""

    says = "an object"
    checks = True

    def __init__(
        self, owner: type, parts: Sequence[Part], shown: Mapping[str, str], *, strict: bool
    ) -> None:
        order = {name: place for place, name in enumerate(shown.values())}
        parts = sorted(parts, key=lambda part: order[part.name])
        self.owner, self.parts, self._shown, self._strict = owner, parts, shown, strict
        self._flat = [part for part in parts if part.flat]
        self._known = {part.key: part for part in parts if not part.flat}
        self._required = [part.key for part in parts if part.required and not part.flat]
        self._checked = [
            (
                part.name,
                part.kind.called or part.name,
                part.kind.check,
                isinstance(part.kind, OrNull),
            )
            for part in parts
            if part.kind.checks
        ]
        # Whatever is not known belongs to a part that has any keys.
        self._takes_any = any(not isinstance(part.kind, Shape) for part in self._flat)
        self._short: str | None = getattr(owner, "json_short", None)
        # Others' shape, which may grow: what is not known is passed over, unless it is misspelt.
        self._open: bool = getattr(owner, "json_open", False)

    def known(self) -> list[str]:
        """Every key it takes."""
        inside = [part.kind for part in self._flat if isinstance(part.kind, Shape)]
        return [*self._known, *(key for kind in inside for key in kind.known())]

    def expression(self, value: str, names: dict[str, object]) -> str:
        name = f"encode_{self.owner.__name__}"
        names[name] = self._encoder()
        return f"{name}({value})"

    def _encoder(self) -> Encoder:
        """A function of its own; what is left out while it is None comes last."""
        kinds = {part.name: part for part in self.parts}
        names: dict[str, object] = {}
        flat, plain, unsaid = [], [], []
        for key, way in self._shown.items():
            part, value = kinds.get(way), f"value.{way}"
            if part is None:
                plain.append(f"{key!r}: {value}")
            elif part.flat:
                flat.append(f"**{part.kind.expression(value, names)}")
            elif part.unsaid:
                said = f"shape[{key!r}] = {part.json.expression(value, names)}"
                unsaid.append(f"    if {value} is not None: {said}")
            else:
                plain.append(f"{key!r}: {part.kind.expression(value, names)}")
        body = [f"    shape = {{{', '.join(flat + plain)}}}", *unsaid, "    return shape"]
        exec("\n".join(["def encode(value):", *body]), names)
        return names["encode"]  # type: ignore[return-value]

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
                given[part.name] = part.json.decode(one)
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
            if key not in known and not (self._open and not _misspelt(key, known)):
                remedy = f"Known: {', '.join(known) or 'none'}."
                raise Mismatch(key, remedy, "unknown field in {at}")

    def fits(self, value: object) -> int:
        return len(value.keys() & set(self.known())) if isinstance(value, dict) else 0

    def check(self, value: object, name: str) -> object:
        if not isinstance(value, self.owner):
            raise BadInput(name, value, f"Give a {self.owner.__name__}.")
        changes = {}
        for part, called, check, or_null in self._checked:
            given = getattr(value, part)
            if given is None and or_null:
                continue  # most of what may be left out is
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
        schema = self.describe_parts(named, self._required)
        if self._short is not None:
            schema = {"anyOf": [self._known[self._short].kind.schema(named), schema]}
        if named is None:
            return schema
        named[self.owner.__name__] = schema
        return {"$ref": f"#/components/schemas/{self.owner.__name__}"}

    def describe_parts(self, named: Named, required: Sequence[str] = ()) -> Schema:
        """The object itself; what is answered, and so not strict, has all it may have."""
        properties: Schema = {part.key: part.json.schema(named) for part in self._known.values()}
        schema: Schema = {
            "type": "object",
            "description": (self.owner.__doc__ or "").partition("\n")[0],
        }
        further: object = self._open
        unsaid = {part.key for part in self.parts if part.unsaid}
        for part in self._flat:
            if not isinstance(part.kind, Shape):
                further = part.kind.schema(named)["additionalProperties"]
                continue
            inside = part.kind.describe_parts(named, part.kind._required)
            properties |= inside["properties"]  # type: ignore[call-overload]
            required = [*required, *inside["required"]]  # type: ignore[misc]
            unsaid |= {one.key for one in part.kind.parts if one.unsaid}
        if self._strict:
            schema["additionalProperties"] = further
        else:
            deeper = {
                key: self._inside(way, named) for key, way in self._shown.items() if "." in way
            }
            properties |= deeper
            required = [key for key in properties if key not in unsaid]
        needs = getattr(self.owner, "json_needs", None)
        return (
            schema
            | {"properties": properties, "required": required}
            | (
                getattr(self.owner, "json_schema", {})
                if needs is None
                else {"dependentRequired": needs}
            )
        )

    def describe_without(self, field: str, named: Named) -> Schema:
        schema = self.describe_parts(named)
        properties, required = schema["properties"], schema["required"]
        assert isinstance(properties, dict) and isinstance(required, list | tuple)
        left = {key: part for key, part in properties.items() if key != field}
        return {**schema, "properties": left, "required": [k for k in required if k != field]}

    def _inside(self, way: str, named: Named) -> Schema:
        """The schema of what lies deeper, such as the name of an entity."""
        first, _, rest = way.partition(".")
        kind = next(part.kind for part in self.parts if part.name == first)
        return kind._inside(rest, named) if rest and isinstance(kind, Shape) else kind.schema(named)


def _misspelt(key: str, known: Sequence[str]) -> bool:
    """Whether a key is nearly one that is known."""
    from difflib import get_close_matches  # seldom needed, and slow to import

    return len(key) <= _KEY_MAX and bool(get_close_matches(key, known, 1, _NEARLY))


# One letter of four, or an ending; "contents" is meant to be "content", "reasoning_content" is not.
_NEARLY = 0.8
_KEY_MAX = 20


class Speaking(Kind):
    """A shape that says something; that it does is for others to check."""

    says = "an object"
    checks = True

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def decode(self, value: object) -> object:
        return self._shape.decode(value)

    def check(self, value: object, name: str) -> object:
        return self._shape.check(value, name)

    def describe(self, named: Named) -> Schema:
        said: list[Schema] = []
        for part in self._shape.parts:
            kind = part.kind.inner if isinstance(part.kind, OrNull) else part.kind
            some: Schema = {"type": "string"}
            if isinstance(kind, Listing | Row):
                some = {"type": "array", "minItems": 1}
            elif isinstance(kind, Table):
                some = {"type": "object", "minProperties": 1}
            elif isinstance(kind, AnyOf | Number):
                some = kind.describe(named)
            said.append({"required": [part.key], "properties": {part.key: some}})
        return {"allOf": [self._shape.schema(named), {"anyOf": said}]}


class Changes(Kind):
    """Some fields of a shape, as a dict."""

    says = "an object"

    def __init__(self, shape: Shape, *, null_clears: bool) -> None:
        self._shape, self._null_clears = shape, null_clears

    def decode(self, value: object) -> object:
        if not isinstance(value, dict):
            raise Mismatch(value, "Give an object.")
        cleared = [key for key in value if self._null_clears and value[key] is None]
        required = {part.key for part in self._shape.parts if part.required}
        said = {key: value[key] for key in value if key not in cleared or key in required}
        return {**dict.fromkeys(cleared), **self._shape.decode_parts(said)}

    def describe(self, named: Named) -> Schema:
        schema = self._shape.describe_parts(named)
        if not self._null_clears:
            return schema
        cleared = {
            part.key: OrNull(part.kind).schema(named)
            for part in self._shape.parts
            if not (part.required or isinstance(part.kind, OrNull))
        }
        return {**schema, "properties": {**schema["properties"], **cleared}}  # type: ignore[dict-item]
