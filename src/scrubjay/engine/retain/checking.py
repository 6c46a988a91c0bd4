"""Refuses units that cannot be kept, naming the value and the remedy, before any work."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from scrubjay import limits
from scrubjay.codec.compiled import check
from scrubjay.codec.values import check_moment, check_text, is_unicode
from scrubjay.engine.retain.inputs import entity_ref
from scrubjay.errors import BadInput, NotFound
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.names import fold
from scrubjay.settings import BankSettings
from scrubjay.types.filters import UnitFilter
from scrubjay.types.graph import Cause, Relation
from scrubjay.types.units import Unit
from scrubjay.types.values import UnitId

__all__ = [
    "ID", "check_analysis", "check_bank_name", "check_filter", "check_id", "check_link",
    "check_moment", "check_order", "check_path", "check_relation", "check_text", "check_units",
    "check_words", "ids_of",
]  # fmt: skip
ID = re.compile(r"[0-9a-hjkmnp-tv-z]{20}")


def check_units(units: Sequence[Unit], settings: BankSettings) -> list[Unit]:
    """The units with their times in UTC, or BadInput for the first that cannot be kept."""
    if len(units) > limits.UNITS_PER_CALL_MAX:
        raise BadInput(
            "units in one call",
            len(units),
            f"Tell at most {limits.UNITS_PER_CALL_MAX} at a time, or import a file.",
        )
    if len(units) == 1:
        return [_check(units[0], settings)]
    return [_check_at(place, unit, settings) for place, unit in enumerate(units)]


def _check_at(place: int, unit: Unit, settings: BankSettings) -> Unit:
    try:
        return _check(unit, settings)
    except BadInput as error:
        raise BadInput(f"units[{place}]: {error.what}", error.value, error.remedy) from None


def _check(unit: Unit, settings: BankSettings) -> Unit:
    checked = check(unit, "unit")
    if unit.type is not None:
        settings.type_code(unit.type)
    if unit.id is not None and not (isinstance(unit.id, str) and ID.fullmatch(unit.id)):
        raise BadInput("id", unit.id, "Leave ids to the store; use key= for your own names.")
    if unit.id is not None and len(unit.text) > limits.UNIT_CHARACTERS_MAX:
        raise BadInput("one id for a text of several units", unit.id, "Leave the id out.")
    return checked


def check_filter(where: object, settings: BankSettings) -> UnitFilter:
    """A filter whose values can be compared with what is stored.

    Its entity is a folded name, or None and the number stands in `entity_id`.
    """
    if not isinstance(where, UnitFilter):
        raise BadInput("filter", where, "Give a UnitFilter.")
    checked = check(where, "filter")
    for kind in checked.types:
        settings.type_code(kind)
    if checked.entity is None:
        return checked
    wanted = entity_ref(checked.entity)
    if isinstance(wanted, str):
        return replace(checked, entity=fold(wanted))
    if checked.entity_id not in (None, wanted):
        raise BadInput("two entities", [wanted, checked.entity_id], "Give one of them.")
    return replace(checked, entity=None, entity_id=wanted)


def check_relation(relation: object) -> Relation:
    """A relation between two named entities, its times in UTC."""
    if not isinstance(relation, Relation):
        raise BadInput("relation", relation, "Give a Relation(subject, relation, object).")
    return check(relation, "relation")


def check_link(kind: object, weight: object) -> None:
    """A causal kind and a weight in (0, 1]."""
    check(Cause("other", kind, weight), "link")  # type: ignore[arg-type]


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


def ids_of(what: object) -> tuple[UnitId, ...]:
    """An id, or several; BadInput for what is no list."""
    if isinstance(what, str):
        return (UnitId(what),)
    if not isinstance(what, Iterable):
        raise BadInput("units", what, "Give an id, or a list of them.")
    return tuple(map(check_id, what))


def check_words(value: object, name: str) -> str:
    """Text to look for, which may be empty."""
    if not isinstance(value, str) or "\x00" in value or not is_unicode(value):
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
