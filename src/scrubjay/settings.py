"""Numbers that can be argued with, each with its unit, range and reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from scrubjay.errors import BadInput
from scrubjay.types import DEFAULT_TYPES

DEFAULT_BANK = "default"


@dataclass(frozen=True, slots=True)
class BankSettings:
    """What a bank decides for itself; stored with the bank, changed by `bank(name, ...)`."""

    # The zone in which "yesterday" and "in June" are calendar days and months.
    timezone: str = "UTC"
    # How words are cut: "standard" (surface and stem), "simple" (surface), or a language's name.
    analysis: str = "standard"
    # The types a unit may have, in the order of their codes; append only, codes are stored.
    types: tuple[str, ...] = DEFAULT_TYPES
    # "recently" and "lately" reach back this many days (1 to 3650).
    recent_days: int = 30
    # A type-filtered search with fewer results is run again without the filter (0 to 100).
    widen_below: int = 5
    # Semantic links per unit, and the calibrated similarity a neighbour needs.
    links_per_unit_max: int = 5
    link_floor: float = 0.7
    # Units of one entity that link expansion follows; hub names would drown the rest (1 to 500).
    links_per_entity_max: int = 50

    @property
    def zone(self) -> ZoneInfo:
        """The bank's time zone."""
        return ZoneInfo(self.timezone)

    def type_code(self, name: str) -> int:
        """The small number stored for a type; unknown types are a BadInput."""
        try:
            return self.types.index(name)
        except ValueError:
            known = ", ".join(self.types)
            raise BadInput(
                "unknown type", name, f"Use one of {known}, or declare it: bank(name, types=[...])."
            ) from None

    def to_json(self) -> str:
        """The settings as text, for the store."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> BankSettings:
        """The settings a store kept; keys this version does not know are dropped."""
        stored = json.loads(text)
        known = {field.name for field in fields(cls)}
        kept = {key: value for key, value in stored.items() if key in known}
        kept["types"] = tuple(kept.get("types", DEFAULT_TYPES))
        return cls(**kept)

    def changed(self, changes: Mapping[str, object]) -> BankSettings:
        """These settings with `changes` applied, or BadInput naming the one that cannot be."""
        known = {field.name for field in fields(type(self))}
        if not isinstance(changes, Mapping):
            raise BadInput("bank settings", changes, "Give a dict of name and value.")
        for name in changes:
            if name not in known:
                raise BadInput("unknown bank setting", name, f"Known: {', '.join(sorted(known))}.")
        merged: dict[str, object] = {**asdict(self), **changes}
        types = merged["types"]
        if not isinstance(types, list | tuple) or not all(isinstance(t, str) for t in types):
            raise BadInput("types", types, "Give a list of names.")
        merged["types"] = tuple(types)
        result = type(self)(**merged)  # type: ignore[arg-type]
        result._check(previous=self)
        return result

    def _check(self, *, previous: BankSettings) -> None:
        if self.types[: len(previous.types)] != previous.types or len(self.types) > 200:
            raise BadInput(
                "types",
                self.types,
                f"Types are stored by position: keep {list(previous.types)} first, append yours.",
            )
        zone_of(self.timezone)
        for name, low, high in _RANGES:
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not low <= value <= high:
                raise BadInput(name, value, f"Give a number from {low} to {high}.")
        for name in ("recent_days", "widen_below", "links_per_unit_max", "links_per_entity_max"):
            if not isinstance(getattr(self, name), int):
                raise BadInput(name, getattr(self, name), "Give a whole number.")


def zone_of(name: object) -> ZoneInfo:
    """The time zone of that name; BadInput if there is none."""
    try:
        return ZoneInfo(name)  # type: ignore[arg-type]
    except (ZoneInfoNotFoundError, ValueError, TypeError, AttributeError, OSError):
        raise BadInput(
            "unknown time zone", name, "Use an IANA name such as 'Europe/Berlin'."
        ) from None


_RANGES: tuple[tuple[str, float, float], ...] = (
    ("recent_days", 1, 3650),
    ("widen_below", 0, 100),
    ("links_per_unit_max", 0, 50),
    ("link_floor", 0.0, 1.0),
    ("links_per_entity_max", 1, 500),
)

# A predicate is short and chosen; one of its words says as much as four of the text's.
PREDICATE_WEIGHT = 4

# Banks kept open at once; each holds its vectors and words in memory.
OPEN_BANKS_MAX = 64

# Idle read connections kept per bank: one per retriever branch and a few callers.
READERS_PER_BANK_MAX = 8

# Below this many units a bank's indexes are rebuilt from its rows on open (measured: 0.1 s at
# 20k units); above it they are also kept in files.
INDEX_FILES_ABOVE_UNITS = 50_000

# How long a writer waits for SQLite's own lock before giving up, in milliseconds.
BUSY_TIMEOUT_MS = 30_000

# How long an erasure waits for readers to let go of the log, in milliseconds: longer than a search
# takes, shorter than anyone minds. Later it is tried again.
LOG_WAIT_MS = 100

# Units handed to the encoder and committed together on bulk work: large enough to amortise the
# commit, small enough to show progress.
IMPORT_BATCH_UNITS = 100
REEMBED_BATCH_UNITS = 64

# The vocabulary snapshot compares this many of the most frequent terms; below the share, the
# statistics are refreshed.
VOCABULARY_TERMS = 5_000
VOCABULARY_JACCARD_MIN = 0.7
