"""Numbers that can be argued with, each with its unit, range and reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import timedelta
from functools import cache
from typing import Annotated, get_args, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from scrubjay.errors import BadInput
from scrubjay.marks import About, Between, Count, StartsWith, Suggested
from scrubjay.types.values import DEFAULT_TYPES

# How many times what it counts by default a kind of evidence may count in a bank.
EVIDENCE_TIMES_MAX = 8.0

ZONES = (
    "UTC", "Africa/Cairo", "America/Los_Angeles", "America/New_York", "America/Sao_Paulo",
    "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Europe/Berlin",
    "Europe/London",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BankSettings:
    """What a bank decides for itself; stored with the bank, changed by `bank(name, ...)`."""

    timezone: Annotated[
        str,
        Suggested(ZONES),
        About('The zone in which "yesterday" and "in June" are days and months.', "Europe/Berlin"),
    ] = "UTC"
    analysis: Annotated[
        str,
        Suggested(("standard", "simple", "english", "german", "french", "spanish")),
        About("How words are cut: surface and stem, surface, or as one language.", "standard"),
    ] = "standard"
    types: Annotated[
        tuple[str, ...],
        Count(200),
        StartsWith(DEFAULT_TYPES),
        About("The types a unit may have; append yours, for they are stored by position."),
    ] = DEFAULT_TYPES
    recent_days: Annotated[
        int, Between(1, 3650), About('"recently" and "lately" reach back this many days.')
    ] = 30
    widen_below: Annotated[
        int,
        Between(0, 100),
        About("A type-filtered search with fewer results is run again unfiltered; 0: never."),
    ] = 5
    links_per_unit_max: Annotated[int, Between(0, 50), About("Semantic links of a unit.")] = 5
    link_floor: Annotated[
        float, Between(0.0, 1.0), About("The calibrated similarity such a link needs.")
    ] = 0.7
    update_floor: Annotated[
        float,
        Between(0.0, 1.0),
        About("How sure it must be that a memory changes another, for the two to be linked."),
    ] = 0.7
    # Hub names would drown the rest.
    links_per_entity_max: Annotated[
        int, Between(1, 500), About("Units of one entity that link expansion follows.")
    ] = 50

    tool_messages: Annotated[
        bool, About("Whether messages are kept that call a tool, or that a tool answered.")
    ] = True

    late: Annotated[
        bool, About("Whether a vector is kept of every token, and questions compared with those.")
    ] = False

    embed_later: Annotated[
        bool,
        About("Whether units are kept when the encoder fails; their vectors are made later."),
    ] = False

    weights: Annotated[
        Mapping[str, float],
        About("By kind of evidence, how many times the default's weight it counts; see `tune`."),
    ] = field(default_factory=dict)
    pending_from: Annotated[
        tuple[str, ...],
        Count(200),
        About("Speakers, authors and origins whose units wait until they are approved."),
    ] = ()
    units_max: Annotated[
        int,
        Between(0, 2_000_000_000),
        About("How many units it may hold, those that wait included; 0 for any number."),
    ] = 0
    bytes_max: Annotated[
        int,
        Between(0, 2**50),
        About("How many bytes of what was told it may hold, as UTF-8; 0 for any number."),
    ] = 0
    requests_per_minute_max: Annotated[
        int,
        Between(0, 1_000_000),
        About("How often it may be asked or told in a minute; 0 for any number."),
    ] = 0

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
        known = {each.name for each in fields(cls)}
        kept = {key: value for key, value in stored.items() if key in known}
        kept["types"] = tuple(kept.get("types", DEFAULT_TYPES))
        kept["pending_from"] = tuple(kept.get("pending_from", ()))
        return cls(**kept)

    def changed(self, changes: Mapping[str, object]) -> BankSettings:
        """These settings with `changes` applied, or BadInput naming the one that cannot be."""
        known = {each.name for each in fields(type(self))}
        if not isinstance(changes, Mapping):
            raise BadInput("bank settings", changes, "Give a dict of name and value.")
        for name in changes:
            if name not in known:
                raise BadInput("unknown bank setting", name, f"Known: {', '.join(sorted(known))}.")
        merged: dict[str, object] = {**asdict(self), **changes}
        for name in ("types", "pending_from"):
            listed = merged[name]
            if not isinstance(listed, list | tuple) or not all(isinstance(t, str) for t in listed):
                raise BadInput(name, listed, "Give a list of names.")
            merged[name] = tuple(listed)
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
        if len(self.pending_from) > 200:
            raise BadInput("pending_from", len(self.pending_from), "Give at most 200 names.")
        zone_of(self.timezone)
        _check_weights(self.weights)
        for name in ("tool_messages", "late", "embed_later"):
            if not isinstance(getattr(self, name), bool):
                raise BadInput(name, getattr(self, name), "Give True or False.")
        for name, kind, between in _numbers():
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not between.low <= value <= between.high:
                remedy = f"Give a number from {between.low} to {between.high}."
                raise BadInput(name, value, remedy)
            if kind is int and not isinstance(value, int):
                raise BadInput(name, value, "Give a whole number.")


def _check_weights(weights: object) -> None:
    if not isinstance(weights, Mapping):
        raise BadInput("weights", weights, "Give a dict of kind and number.")
    for kind, times in weights.items():
        number = isinstance(times, int | float) and not isinstance(times, bool)
        if not number or not 0 <= times <= EVIDENCE_TIMES_MAX:
            remedy = f"Give a number from 0 to {EVIDENCE_TIMES_MAX:g}."
            raise BadInput(f"weight of {kind}", times, remedy)


@cache
def _numbers() -> tuple[tuple[str, type, Between], ...]:
    """The settings that are numbers, with their bounds."""
    hints = get_type_hints(BankSettings, include_extras=True)
    return tuple(
        (name, get_args(hint)[0], mark)
        for name, hint in hints.items()
        for mark in get_args(hint)[1:]
        if isinstance(mark, Between)
    )


def zone_of(name: object) -> ZoneInfo:
    """The time zone of that name; BadInput if there is none."""
    try:
        return ZoneInfo(name)  # type: ignore[arg-type]
    except (ZoneInfoNotFoundError, ValueError, TypeError, AttributeError, OSError):
        raise BadInput(
            "unknown time zone", name, "Use an IANA name such as 'Europe/Berlin'."
        ) from None


# A predicate is short and chosen; one of its words says as much as four of the text's.
PREDICATE_WEIGHT = 4

# Banks kept open at once; each holds its vectors and words in memory.
OPEN_BANKS_MAX = 64

# Idle read connections kept per bank: one per retriever branch and a few callers.
READERS_PER_BANK_MAX = 8

# Below this many units a bank's indexes are rebuilt from its rows on open (measured: 0.1 s at
# 20k units); above it they are also kept in files.
INDEX_FILES_ABOVE_UNITS = 50_000

# A session that nobody closed goes on while its newest unit is no older than this, in minutes: the
# pause after which most logs of visits begin a new one.
SESSION_PAUSE_MINUTES = 30

# How long a writer waits for SQLite's own lock before giving up, in milliseconds.
BUSY_TIMEOUT_MS = 30_000

# How long an erasure waits for readers to let go of the log, in milliseconds: longer than a search
# takes, shorter than anyone minds. Later it is tried again.
LOG_WAIT_MS = 100

# On a disk with less room than this, logs are kept short and some room is kept back for erasing: a
# minute's writing of a busy store.
DISK_LOW_BYTES = 64 * 1024 * 1024
# So much is kept back at most: to erase takes about a page for each that holds something of it.
RESERVE_BYTES_MAX = 8 * 1024 * 1024
# A log on such a disk is folded into its file when it has grown to this. SQLite lets it grow to
# four megabytes and keeps them, which may be all there is.
LOW_LOG_BYTES = 256 * 1024

# Units handed to the encoder and committed together on bulk work: large enough to amortise the
# commit, small enough to show progress.
IMPORT_BATCH_UNITS = 100
REEMBED_BATCH_UNITS = 64

# The vocabulary snapshot compares this many of the most frequent terms; below the share, the
# statistics are refreshed.
VOCABULARY_TERMS = 5_000
VOCABULARY_JACCARD_MIN = 0.7

# A few units are compared with what finds them after so many more were told, or, if any was, after
# so long: a few milliseconds of every ten seconds that telling takes, and once in a week.
DRIFT_EVERY_UNITS = 5_000
DRIFT_AFTER = timedelta(days=7)
DRIFT_SAMPLE_UNITS = 16
