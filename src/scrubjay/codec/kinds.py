"""The kinds of value a field may have: each knows how it is encoded, decoded, checked, described.

`encoder` is None where JSON has the value as it is. `decode` takes JSON and raises Mismatch;
containers add where they were, so that nobody builds a path before something is wrong. `check`
takes what a caller of Python gave, which may be anything, and returns it in its normal form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from datetime import date, datetime
from enum import Enum

from scrubjay import limits, marks
from scrubjay.codec import values
from scrubjay.errors import BadInput

Schema = dict[str, object]
Named = dict[str, Schema] | None  # shapes by name, as OpenAPI keeps them; None: say them in place
Encoder = Callable[[object], object]

# At least one character that is seen, and no NUL.
WORDED = f"^[^\\u0000]*[^{values.UNSEEN}][^\\u0000]*$"
_NO_NUL = "^[^\\u0000]*$"
# The years from limits.YEAR_MIN to limits.YEAR_MAX.
_YEARS = "^([12][0-9]{3}|3000)-"


class Mismatch(Exception):
    """A JSON value that is not of its kind; `what` has a place for the path or the bare name."""

    def __init__(self, value: object, remedy: str, what: str = "{at}") -> None:
        self.value, self.remedy, self.what = value, remedy, what
        self.path: list[str] = []  # innermost first
        super().__init__(what)

    def at(self, part: str) -> Mismatch:
        """The same, one level further out."""
        self.path.append(part)
        return self

    def told(self, root: str) -> BadInput:
        """The error for who sent it."""
        at = root + "".join(reversed(self.path))
        names = [part[1:] for part in self.path if part.startswith(".")]
        what = self.what.format(at=at, name=names[0] if names else root)
        return BadInput(what, self.value, self.remedy)


class Kind:
    """A JSON value as it is; the base of all kinds."""

    says = "a JSON value"
    checks = False  # whether `check` has anything to do
    takes: tuple[type, ...] = ()  # marks it knows what to do with
    about: marks.About | None = None
    called: str | None = None

    def expression(self, value: str, _: dict[str, object]) -> str:
        """Python that encodes what the expression `value` gives; what it calls goes into `_`."""
        return value

    def encoder(self) -> Encoder | None:
        """What turns a value into JSON; None: it is JSON."""
        names: dict[str, object] = {}
        code = self.expression("value", names)
        # Written out for each kind, as dataclasses write their methods: loops take longer.
        return None if code == "value" else eval(f"lambda value: {code}", names)

    def decode(self, value: object) -> object:
        """The value of some JSON."""
        return value

    def check(self, value: object, _: str) -> object:
        """The value in its normal form; BadInput when it breaks a bound."""
        return value

    def describe(self, _: Named) -> Schema:
        """Its JSON schema, without words about it."""
        return {}

    def schema(self, named: Named) -> Schema:
        """Its JSON schema; shapes go into `named` when that is given, and are referred to."""
        schema = self.describe(named)
        if self.about is not None:
            schema = {**schema, "description": self.about.words}
            if self.about.example is not None:
                schema["examples"] = [self.about.example]
        return schema

    def describe_without(self, _: str, named: Named) -> Schema:
        """The same without a field that stands elsewhere."""
        return self.schema(named)

    def fits(self, _: object) -> int:
        """How many parts of a value are known here."""
        return 0

    def marked(self, mark: object) -> Kind:
        """The same kind with what a mark says."""
        kind = copy(self)
        if isinstance(mark, marks.About):
            kind.about = mark
        elif isinstance(mark, marks.Called):
            kind.called = mark.name
        else:
            assert isinstance(mark, self.takes), f"{type(self).__name__} takes no {mark!r}"
            setattr(kind, type(mark).__name__.lower(), mark)
        return kind


class OrNull(Kind):
    """Some kind, or null."""

    def __init__(self, inner: Kind) -> None:
        self.inner, self.checks = inner, inner.checks
        self.says, self.called = f"{inner.says} or null", inner.called

    def expression(self, value: str, names: dict[str, object]) -> str:
        inner = self.inner.expression(value, names)
        return value if inner == value else f"(None if {value} is None else {inner})"

    def decode(self, value: object) -> object:
        if value is None:
            return None
        try:
            return self.inner.decode(value)
        except Mismatch as wrong:
            if not wrong.path and wrong.remedy == f"Give {self.inner.says}.":
                wrong.remedy = f"Give {self.says}."
            raise

    def check(self, value: object, name: str) -> object:
        return None if value is None else self.inner.check(value, name)

    def describe(self, named: Named) -> Schema:
        schema = self.inner.schema(named)
        kind, choices = schema.get("type"), schema.get("enum")
        if not isinstance(kind, str):
            return {"anyOf": [schema, {"type": "null"}]}
        if isinstance(choices, list):
            schema = {**schema, "enum": [*choices, None]}
        return {**schema, "type": [kind, "null"]}

    def marked(self, mark: object) -> Kind:
        if isinstance(mark, marks.About):
            return super().marked(mark)
        return OrNull(self.inner.marked(mark))


class Unchecked(Kind):
    """Of some kind in JSON; what Python may have instead is for others to check."""

    def __init__(self, inner: Kind) -> None:
        self.says, self.decode, self.describe = inner.says, inner.decode, inner.describe  # type: ignore[method-assign]


class Words(Kind):
    """Text."""

    says = "text"
    takes = (marks.Text, marks.Asked, marks.Pattern, marks.OneOf, marks.Suggested)
    text: marks.Text | None = None
    asked: marks.Asked | None = None
    pattern: marks.Pattern | None = None
    oneof: marks.OneOf | None = None
    suggested: marks.Suggested | None = None
    checks = True

    def decode(self, value: object) -> object:
        if not isinstance(value, str):
            raise Mismatch(value, "Give text.")
        return value

    def check(self, value: object, name: str) -> object:
        if self.text is not None:
            values.check_text(value, name, self.text.characters_max)
        elif self.asked is not None and (not isinstance(value, str) or values.shows_nothing(value)):
            raise BadInput(f"empty {name}", value, "Ask with at least one word.")
        elif not isinstance(value, str):
            raise BadInput(name, value, "Give text.")
        elif self.oneof is not None and value not in self.oneof.choices:
            raise BadInput(name, value, f"Use one of {', '.join(self.oneof.choices)}.")
        # numpy's text is text too, but stores and checksums see another type.
        return value if type(value) is str else str(value)

    def describe(self, _: Named) -> Schema:
        schema: Schema = {"type": "string"}
        if self.text is not None:
            schema |= {"minLength": 1, "maxLength": self.text.characters_max, "pattern": WORDED}
        if self.asked is not None:
            schema |= {"minLength": 1, "pattern": f"[^{values.UNSEEN}]"}
        if self.pattern is not None:
            most = self.pattern.characters_max
            schema |= {"maxLength": most, "pattern": f"^{self.pattern.pattern}$"}
        if self.oneof is not None:
            schema["enum"] = list(self.oneof.choices)
        if self.suggested is not None:
            known = {"type": "string", "enum": list(self.suggested.choices)}
            return {"anyOf": [known, schema]}
        return schema


class Number(Kind):
    """A number; whole, or with a fraction."""

    takes = (marks.Between, marks.Rounded)
    between: marks.Between | None = None
    rounded: marks.Rounded | None = None
    checks = True

    def __init__(self, *, whole: bool) -> None:
        self.whole, self.says = whole, "a whole number" if whole else "a number"

    def expression(self, value: str, _: dict[str, object]) -> str:
        return value if self.rounded is None else f"round(float({value}), {self.rounded.digits})"

    def decode(self, value: object) -> object:
        if self.whole and isinstance(value, float) and value.is_integer():
            return int(value)  # 1.0 is a whole number of JSON
        if isinstance(value, bool) or not isinstance(value, int if self.whole else int | float):
            raise Mismatch(value, f"Give {self.says}.")
        return value

    def check(self, value: object, name: str) -> object:
        if self.between is not None:
            values.check_range(value, name, self.between)
        if isinstance(value, bool) or not isinstance(value, int if self.whole else int | float):
            raise BadInput(name, value, f"Give {self.says}.")
        return value

    def describe(self, _: Named) -> Schema:
        schema: Schema = {"type": "integer" if self.whole else "number"}
        if self.between is not None:
            low = "exclusiveMinimum" if self.between.above else "minimum"
            schema |= {low: self.between.low, "maximum": self.between.high}
        return schema


class Flag(Kind):
    """True or false."""

    says = "true or false"
    checks = True

    def decode(self, value: object) -> object:
        if not isinstance(value, bool):
            raise Mismatch(value, "Give true or false.")
        return value

    def check(self, value: object, name: str) -> object:
        if not isinstance(value, bool):
            raise BadInput(name, value, "Give True or False.")
        return value

    def describe(self, _: Named) -> Schema:
        return {"type": "boolean"}


class Moment(Kind):
    """A time: aware in Python, ISO text with its zone in JSON; some may be said as a day."""

    says = "text"
    checks = True
    takes = (marks.Day,)
    day: marks.Day | None = None

    def expression(self, value: str, _: dict[str, object]) -> str:
        return f"{value}.isoformat()"

    def decode(self, value: object) -> object:
        if not isinstance(value, str):
            raise Mismatch(value, "Give text.")
        try:
            if self.day is None:
                moment = datetime.fromisoformat(value)
            else:
                moment = values.instant_of(values.day_or_moment(value), self.day.instant)
        except ValueError:
            remedy = values.ISO_REMEDY if self.day is None else values.DAY_REMEDY
            raise Mismatch(value, remedy, "{name}") from None
        if moment.tzinfo is None:
            raise Mismatch(value, "Add one, such as +00:00.", "{name} has no time zone")
        return moment

    def check(self, value: object, name: str) -> object:
        if self.day is not None and isinstance(value, date):
            value = values.instant_of(value, self.day.instant)
        return values.check_moment(value, name)

    def describe(self, _: Named) -> Schema:
        assert (limits.YEAR_MIN, limits.YEAR_MAX) == (1000, 3000), "the pattern says so too"
        whole: Schema = {"type": "string", "format": "date-time", "pattern": _YEARS}
        return whole if self.day is None else {"anyOf": [whole, {**whole, "format": "date"}]}

    def marked(self, mark: object) -> Kind:
        return Stamp() if isinstance(mark, marks.Stamp) else super().marked(mark)


class Stamp(Moment):
    """A time in any form that conversations have it in."""

    says = "a time"

    def decode(self, value: object) -> object:
        try:
            return values.read_stamp(value)
        except (ValueError, OverflowError) as wrong:
            raise Mismatch(value, str(wrong)) from None

    def describe(self, named: Named) -> Schema:
        whole = Moment().describe(named)
        # Numbers of seconds, and of thousandths of them.
        seconds = {"type": "number", "minimum": 10**8, "maximum": 10**13}
        return {"anyOf": [whole, {**whole, "format": "date"}, seconds]}


class Choice(Kind):
    """A member of an enumeration, by its text."""

    says = "text"
    checks = True
    takes = (marks.OneOf,)

    def __init__(self, members: type[Enum]) -> None:
        self.members = members
        self.oneof = marks.OneOf([str(member.value) for member in members])

    def expression(self, value: str, _: dict[str, object]) -> str:
        return f"str({value})"

    def decode(self, value: object) -> object:
        if not isinstance(value, str):
            raise Mismatch(value, "Give text.")
        if value not in self.oneof.choices:
            raise Mismatch(value, f"Use one of {', '.join(self.oneof.choices)}.")
        return self.members(value)

    def check(self, value: object, name: str) -> object:
        # Text first: what compares in a way of its own, such as an array, has no place here.
        if not isinstance(value, str) or value not in self.oneof.choices:
            raise BadInput(name, value, f"Use one of {', '.join(self.oneof.choices)}.")
        return value

    def describe(self, _: Named) -> Schema:
        return {"type": "string", "enum": [str(choice) for choice in self.oneof.choices]}


class Listing(Kind):
    """A list of one kind; a tuple in Python, or a list."""

    says = "a list"
    checks = True
    takes = (marks.Count, marks.StartsWith)
    count: marks.Count | None = None
    startswith: marks.StartsWith | None = None

    def __init__(self, inner: Kind, made: Callable[[list[object]], object] = tuple) -> None:
        self.inner, self.made = inner, made

    def expression(self, value: str, names: dict[str, object]) -> str:
        inner = self.inner.expression("one", names)
        return f"[*{value}]" if inner == "one" else f"[{inner} for one in {value}]"

    def decode(self, value: object) -> object:
        if not isinstance(value, list):
            raise Mismatch(value, "Give a list.")
        read: list[object] = []
        try:
            read.extend(map(self.inner.decode, value))
        except Mismatch as wrong:
            raise wrong.at(f"[{len(read)}]") from None
        return self.made(read)

    def check(self, value: object, name: str) -> object:
        given = values.check_list(value, name, self.count)
        if not given or not self.inner.checks:
            return value
        checked = [self.inner.check(one, name) for one in given]
        same = all(one is other for one, other in zip(checked, given, strict=True))
        return value if same else tuple(checked)

    def fits(self, value: object) -> int:
        return int(isinstance(value, list))

    def describe(self, named: Named) -> Schema:
        schema: Schema = {"type": "array", "items": self.inner.schema(named)}
        if self.count is not None:
            schema["maxItems"] = self.count.most
            if self.count.least:
                schema["minItems"] = self.count.least
        if self.startswith is not None:
            first = self.startswith.first
            schema |= {"prefixItems": [{"const": one} for one in first], "minItems": len(first)}
        return schema


class Row(Kind):
    """A list with a kind for each place: a tuple, or a dataclass whose fields are `names`."""

    says = "a list"

    def __init__(
        self, parts: Sequence[Kind], owner: type = tuple, names: Sequence[str] = ()
    ) -> None:
        self.parts, self.owner, self.names = parts, owner, names
        self.checks = bool(names)

    def expression(self, value: str, names: dict[str, object]) -> str:
        places = [f".{name}" for name in self.names] or [f"[{n}]" for n in range(len(self.parts))]
        paired = zip(self.parts, places, strict=True)
        each = [part.expression(f"{value}{place}", names) for part, place in paired]
        return f"[{', '.join(each)}]"

    def decode(self, value: object) -> object:
        if not isinstance(value, list):
            raise Mismatch(value, "Give a list.")
        if len(value) != len(self.parts):
            size = len(self.parts)
            raise Mismatch(len(value), f"Give {size} to {size}.", "length of {at}")
        read: list[object] = []
        try:
            read.extend(part.decode(one) for part, one in zip(self.parts, value, strict=True))
        except Mismatch as wrong:
            raise wrong.at(f"[{len(read)}]") from None
        return self.owner(*read) if self.names else tuple(read)

    def check(self, value: object, name: str) -> object:
        if not isinstance(value, self.owner):
            raise BadInput(name, value, f"Give a {self.owner.__name__}.")
        checked = self.owner(
            *(
                part.check(getattr(value, end), f"{name} {end}")
                for part, end in zip(self.parts, self.names, strict=True)
            )
        )
        checked.checked(name)
        return checked

    def describe(self, named: Named) -> Schema:
        places = [part.schema(named) for part in self.parts]
        size = len(places)
        schema: Schema = {"type": "array", "minItems": size, "maxItems": size}
        if not self.names:
            return {**schema, "prefixItems": places}
        # One of them at least is no null: what comes before the first that is not, is.
        rows = []
        for place, part in enumerate(self.parts):
            assert isinstance(part, OrNull), "a shape that is a list may be open at its ends"
            first = part.inner.schema(named)
            row = [{"type": "null"}] * place + [first] + places[place + 1 :]
            rows.append({**schema, "prefixItems": row})
        return {"anyOf": rows}


class Table(Kind):
    """An object with values of one kind under any keys."""

    says = "an object"
    takes = (marks.KeyedBy,)
    keyedby: marks.KeyedBy | None = None

    def __init__(self, inner: Kind) -> None:
        self.inner = inner

    def expression(self, value: str, names: dict[str, object]) -> str:
        inner = self.inner.expression("one", names)
        if inner == "one":
            return f"{{**{value}}}"
        if self.keyedby is not None:
            left = repr(self.keyedby.field)
            inner = f"{{name: part for name, part in {inner}.items() if name != {left}}}"
        return f"{{key: {inner} for key, one in {value}.items()}}"

    def decode(self, value: object) -> object:
        if not isinstance(value, dict):
            raise Mismatch(value, "Give an object.")
        read, own = {}, self.keyedby
        for key, one in value.items():
            try:
                read[key] = self.inner.decode(one if own is None else {own.field: key, **one})
            except Mismatch as wrong:
                raise wrong.at(f".{key}") from None
        return read

    def describe(self, named: Named) -> Schema:
        inner = self.inner.schema(named)
        if self.keyedby is not None:
            inner = self.inner.describe_without(self.keyedby.field, named)
        return {"type": "object", "additionalProperties": inner} if inner else {"type": "object"}

    def marked(self, mark: object) -> Kind:
        if isinstance(mark, marks.Metadata):
            return MetadataObject(self.inner)
        return (
            RoundedObject(self.inner) if isinstance(mark, marks.Rounded) else super().marked(mark)
        )


class RoundedObject(Table):
    """A JSON object whose numbers are measures, however deep."""

    def expression(self, value: str, names: dict[str, object]) -> str:
        names["rounded"] = values.rounded
        return f"rounded({value})"


class MetadataObject(Table):
    """A JSON object that a caller attaches."""

    checks = True

    def check(self, value: object, _: str) -> object:
        return values.check_metadata(value)

    def describe(self, named: Named) -> Schema:
        if named is None:
            return {"type": "object"}
        inside: Schema = {"$ref": "#/components/schemas/MetadataValue"}
        whole: Schema = {
            "type": "object",
            "propertyNames": {"pattern": _NO_NUL},
            "additionalProperties": inside,
        }
        named["MetadataValue"] = {
            "description": "A JSON value: whole numbers of 64 bits, text without NUL.",
            "anyOf": [
                {"type": ["boolean", "null"]},
                {"type": "number", "minimum": -(2**63), "maximum": 2**63 - 1},
                {"type": "string", "pattern": _NO_NUL},
                {"type": "array", "items": inside},
                whole,
            ],
        }
        return whole


class AnyOf(Kind):
    """One of several kinds."""

    def __init__(self, choices: Sequence[Kind]) -> None:
        self.choices = choices
        self.says = " or ".join(choice.says for choice in choices)
        # Text and numbers tell by their type which choice they are held against.
        self.checks = all(isinstance(choice, Words | Number) for choice in choices)

    def decode(self, value: object) -> object:
        problems = []
        for choice in self.choices:
            try:
                return choice.decode(value)
            except Mismatch as wrong:
                problems.append((choice.fits(value), wrong))
        # The choice that names the most of what is there is the one that was meant.
        raise max(problems, key=lambda problem: problem[0])[1]

    def check(self, value: object, name: str) -> object:
        if not self.checks:
            return value
        for choice in self.choices:
            if isinstance(value, str) == isinstance(choice, Words):
                return choice.check(value, name)
        raise BadInput(name, value, f"Give {self.says}.")

    def describe(self, named: Named) -> Schema:
        return {"anyOf": [choice.schema(named) for choice in self.choices]}
