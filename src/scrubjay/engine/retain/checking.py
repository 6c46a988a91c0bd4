"""Refuses units that cannot be kept, naming the value and the remedy, before any work."""

from __future__ import annotations

import errno
import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from scrubjay import limits
from scrubjay.errors import BadInput, NotFound
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.names import fold
from scrubjay.settings import BankSettings
from scrubjay.types import (
    Cause,
    Json,
    LinkKind,
    Relation,
    RelationClass,
    Unit,
    UnitFilter,
    UnitId,
    Window,
)

CAUSAL_KINDS = (LinkKind.CAUSES, LinkKind.CAUSED_BY, LinkKind.ENABLES, LinkKind.PREVENTS)
_T = TypeVar("_T")
ID = re.compile(r"[0-9a-hjkmnp-tv-z]{20}")
_TIMES = ("occurred_start", "occurred_end", "told_at", "valid_from", "valid_to")


def check_units(units: Sequence[Unit], settings: BankSettings) -> list[Unit]:
    """The units with their times in UTC, or BadInput for the first that cannot be kept."""
    if len(units) > limits.UNITS_PER_CALL_MAX:
        raise BadInput(
            "units in one call",
            len(units),
            f"Tell at most {limits.UNITS_PER_CALL_MAX} at a time, or import a file.",
        )
    return [_check(unit, settings) for unit in units]


def _check(unit: Unit, settings: BankSettings) -> Unit:
    check_text(unit.text, "text", limits.TEXT_CHARACTERS_MAX)
    if unit.type is not None:
        settings.type_code(unit.type)
    for name, value, most in (
        ("predicate", unit.predicate, limits.SHORT_TEXT_CHARACTERS_MAX),
        ("context", unit.context, limits.SHORT_TEXT_CHARACTERS_MAX),
        ("session", unit.session, limits.NAME_CHARACTERS_MAX),
        ("speaker", unit.speaker, limits.NAME_CHARACTERS_MAX),
        ("key", unit.key, limits.NAME_CHARACTERS_MAX),
    ):
        if value is not None:
            check_text(value, name, most)
    _check_names(unit.tags, "tags", limits.TAGS_MAX, limits.TAG_CHARACTERS_MAX)
    _check_names(
        unit.entities, "entities", limits.ENTITIES_PER_UNIT_MAX, limits.NAME_CHARACTERS_MAX
    )
    metadata = check_metadata(unit.metadata)
    for relation in _bounded(unit.relations, "relations", limits.RELATIONS_PER_UNIT_MAX):
        check_relation(relation)
    for cause in _bounded(unit.causes, "causes", limits.CAUSES_PER_UNIT_MAX):
        _check_cause(cause)
    if unit.id is not None and not (isinstance(unit.id, str) and ID.fullmatch(unit.id)):
        raise BadInput("id", unit.id, "Leave ids to the store; use key= for your own names.")
    if unit.id is not None and len(unit.text) > limits.UNIT_CHARACTERS_MAX:
        raise BadInput("one id for a text of several units", unit.id, "Leave the id out.")
    dated = _with_utc_times(unit)
    return replace(dated, metadata=metadata) if metadata else dated


def check_text(value: object, name: str, characters_max: int) -> None:
    """Text that can be stored, read back and searched."""
    if not isinstance(value, str):
        raise BadInput(name, value, "Give text.")
    if not value.strip():
        raise BadInput(f"empty {name}", value, "Give at least one word.")
    if "\x00" in value:
        raise BadInput(f"NUL character in {name}", value, "Remove it; it is not text.")
    if len(value) > characters_max:
        raise BadInput(
            f"{name} of {len(value):,} characters",
            value,
            f"At most {characters_max:,} fit; cut it, or import it as a file.",
        )
    if value.isascii():
        return
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadInput(
            f"{name} is not valid Unicode at position {error.start}",
            value[error.start : error.start + 1],
            "Decode the bytes with their real encoding.",
        ) from None


def _bounded(values: Sequence[_T], name: str, most: int) -> Sequence[_T]:
    # A tuple first: it is the rule, and asking whether something is a sequence takes time.
    if not isinstance(values, tuple) and (
        isinstance(values, str) or not isinstance(values, Sequence)
    ):
        raise BadInput(name, values, "Give a list.")
    if len(values) > most:
        raise BadInput(f"number of {name}", len(values), f"Give at most {most}.")
    return values


def _check_names(values: Sequence[str], name: str, most: int, characters_max: int) -> None:
    for value in _bounded(values, name, most):
        check_text(value, name, characters_max)


def check_metadata(metadata: object) -> dict[str, Json]:
    """Metadata as plain JSON, bounded in size and depth."""
    if not isinstance(metadata, Mapping):
        raise BadInput("metadata", metadata, "Give a dict of JSON values.")
    if not metadata:
        return {}
    plain = _json_object(metadata, limits.METADATA_DEPTH_MAX)
    size = len(json.dumps(plain, ensure_ascii=False).encode("utf-8"))
    if size > limits.METADATA_BYTES_MAX:
        raise BadInput(
            "metadata bytes", size, f"At most {limits.METADATA_BYTES_MAX} fit; store a reference."
        )
    return plain


def _json_object(value: Mapping[object, object], depth: int) -> dict[str, Json]:
    _check_depth(depth)
    return {_json_text(key, "key"): _json(inner, depth - 1) for key, inner in value.items()}


def _check_depth(left: int) -> None:
    if left == 0:
        most = limits.METADATA_DEPTH_MAX
        raise BadInput("metadata depth", f"more than {most} levels", "Nest less, or store text.")


def _json(value: object, depth: int) -> Json:
    if isinstance(value, Mapping):
        return _json_object(value, depth)
    if isinstance(value, list | tuple):
        _check_depth(depth)
        return [_json(inner, depth - 1) for inner in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _json_number(value)
    return _json_text(value, "value")


def _json_number(value: int | float) -> int | float:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadInput("metadata number", value, "JSON has no such number.")
    # Larger whole numbers come back rounded from most readers of JSON.
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        shown = f"a whole number of {value.bit_length()} bits"
        raise BadInput("metadata number", shown, "Give 64 bits at most, or text.")
    return value


def _json_text(value: object, part: str) -> str:
    if not isinstance(value, str):
        remedy = "Use text, numbers, true, false, null, lists and dicts, with text for keys."
        raise BadInput(f"metadata {part}", value, remedy)
    if "\x00" in value or not _is_unicode(value):
        raise BadInput(f"metadata {part}", value, "Remove NUL characters and lone surrogates.")
    return value


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def check_filter(where: object, settings: BankSettings) -> UnitFilter:
    """A filter whose values can be compared with what is stored; its entity is folded."""
    if not isinstance(where, UnitFilter):
        raise BadInput("filter", where, "Give a UnitFilter.")
    for name, values in (("ids", where.ids), ("types", where.types), ("tags", where.tags)):
        for value in _bounded(values, name, limits.UNITS_PER_CALL_MAX):
            check_text(value, name, limits.NAME_CHARACTERS_MAX)
    for kind in where.types:
        settings.type_code(kind)
    for name in ("session", "speaker", "key", "entity"):
        if getattr(where, name) is not None:
            check_text(getattr(where, name), name, limits.NAME_CHARACTERS_MAX)
    for name in ("told", "occurred"):
        if getattr(where, name) is not None:
            _check_window(getattr(where, name), name)
    entity = None if where.entity is None else fold(where.entity)
    return replace(where, entity=entity, metadata=check_metadata(where.metadata))


def _check_window(window: object, name: str) -> None:
    if not isinstance(window, Window) or window == Window(None, None):
        raise BadInput(name, window, "Give a Window with at least one end.")
    ends = [check_moment(end, name) for end in (window.start, window.end) if end is not None]
    if ends != sorted(ends):
        shown = [end.isoformat() for end in ends]
        raise BadInput(f"{name} ends before it starts", shown, "Swap the ends.")


def check_relation(relation: object) -> None:
    """A relation between two named entities."""
    if not isinstance(relation, Relation):
        raise BadInput("relation", relation, "Give a Relation(subject, relation, object).")
    for name in ("subject", "relation", "object"):
        check_text(getattr(relation, name), name, limits.NAME_CHARACTERS_MAX)
    if not _is_one_of(RelationClass, relation.relation_class):
        known = ", ".join(RelationClass)
        raise BadInput("relation_class", relation.relation_class, f"Use one of {known}.")
    check_share(relation.confidence, "confidence")
    moments = [
        check_moment(value, name)
        for name, value in (("valid_from", relation.valid_from), ("valid_to", relation.valid_to))
        if value is not None
    ]
    if len(moments) == 2 and moments[1] < moments[0]:
        raise BadInput("valid_to before valid_from", relation.valid_to, "Swap them.")


def _check_cause(cause: object) -> None:
    if not isinstance(cause, Cause):
        raise BadInput("cause", cause, "Give a Cause(other, kind), or the other unit's id or key.")
    check_text(cause.other, "cause", limits.NAME_CHARACTERS_MAX)
    check_link(cause.kind, cause.weight)


def check_link(kind: object, weight: object) -> None:
    """A causal kind and a weight in (0, 1]."""
    if not _is_one_of(CAUSAL_KINDS, kind):
        raise BadInput("link kind", kind, f"Use one of {', '.join(CAUSAL_KINDS)}.")
    check_share(weight, "link weight")


def _is_one_of(known: Iterable[str], value: object) -> bool:
    # Text first: what compares in a way of its own, such as an array, has no place here.
    return isinstance(value, str) and value in tuple(known)


def check_share(value: object, name: str) -> None:
    """A number in (0, 1]."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise BadInput(name, value, "Give a number in (0, 1].")


def check_moment(value: object, name: str) -> datetime:
    """An aware time within the calendar the engine computes in, in UTC."""
    if not isinstance(value, datetime):
        raise BadInput(name, value, "Give a datetime with a time zone.")
    if value.tzinfo is None or value.utcoffset() is None:
        raise BadInput(
            f"{name} has no time zone", value.isoformat(), "Add one, such as tzinfo=UTC."
        )
    if not limits.YEAR_MIN <= value.year <= limits.YEAR_MAX:
        raise BadInput(
            name, value.isoformat(), f"Give a year from {limits.YEAR_MIN} to {limits.YEAR_MAX}."
        )
    return value.astimezone(UTC)


def check_order(valid_from: datetime, valid_to: datetime) -> None:
    """Validity that ends after it begins."""
    if valid_to < valid_from:
        raise BadInput(
            "valid_to before valid_from",
            valid_to.isoformat(),
            f"It begins at {valid_from.isoformat()}; give that or a later time.",
        )


def check_id(unit: object) -> UnitId:
    """An id that some bank may have; NotFound for what is no text."""
    if not isinstance(unit, str):
        raise NotFound("no such unit in this bank", unit, "Give the id of a unit, which is text.")
    return UnitId(unit)


def check_words(value: object, name: str) -> str:
    """Text to look for, which may be empty."""
    if not isinstance(value, str) or "\x00" in value or not _is_unicode(value):
        raise BadInput(name, value, "Give text, without NUL characters and lone surrogates.")
    return value


def check_path(path: object, *, home: bool = False) -> Path:
    """A path that a system can be asked for; with `home`, "~" in front is the user's."""
    remedy = "Give the path of a file or a directory, as text."
    try:
        shown = os.fspath(path)  # type: ignore[call-overload]
        os.fsencode(shown)
    except (TypeError, UnicodeEncodeError):
        shown = ""
    if not isinstance(shown, str) or not shown or "\x00" in shown:
        raise BadInput("path", path, remedy)
    try:
        found = Path(shown).expanduser() if home else Path(shown)
        found.exists()
    except RuntimeError:
        raise BadInput("path of an unknown user", path, remedy) from None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise BadInput("path that is too long", path, "Give a shorter one.") from None
    return found


def check_number(value: object, name: str) -> None:
    """A number that a store may have given out."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
        raise BadInput(name, value, "Give the number that a listing shows.")


def check_page(limit: object, offset: object) -> None:
    """The part of a listing that is asked for."""
    most = limits.PAGE_UNITS_MAX
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= most:
        raise BadInput("limit", limit, f"Give a number from 1 to {most}.")
    check_number(offset, "offset")


def _with_utc_times(unit: Unit) -> Unit:
    given = {
        name: check_moment(value, name)
        for name in _TIMES
        if (value := getattr(unit, name)) is not None
    }
    if "occurred_end" in given and "occurred_start" not in given:
        raise BadInput("occurred_end without occurred_start", unit.occurred_end, "Give both.")
    for first, last in (("valid_from", "valid_to"), ("occurred_start", "occurred_end")):
        if first in given and last in given and given[last] < given[first]:
            raise BadInput(f"{last} before {first}", given[last].isoformat(), "Swap them.")
    # Most callers give UTC, and then the unit stays as it is.
    same = all(given[name] is getattr(unit, name) for name in given)
    return unit if same else replace(unit, **given)  # type: ignore[arg-type]


def check_analysis(wanted: str, current: str, units: int) -> None:
    """A way of cutting words that there is, and that the bank's units were cut in."""
    check_text(wanted, "analysis", limits.NAME_CHARACTERS_MAX)
    Analyzer(wanted)
    if wanted != current and units:
        raise BadInput(
            "analysis",
            wanted,
            f"The words of {units} units were cut by {current!r}; export them into a new bank.",
        )


def check_bank_name(name: object) -> str:
    """A bank name that is safe in a path, a URL and a shell."""
    if not isinstance(name, str) or not re.fullmatch(r"[\w][\w.-]*", name) or ".." in name:
        raise BadInput(
            "bank name",
            name,
            "Use letters, digits, '-', '_' and single '.', first a letter or digit.",
        )
    if len(name) > limits.BANK_NAME_CHARACTERS_MAX:
        raise BadInput(
            "bank name", name, f"Use at most {limits.BANK_NAME_CHARACTERS_MAX} characters."
        )
    return name
