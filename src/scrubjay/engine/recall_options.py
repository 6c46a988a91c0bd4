"""Checks what a caller asks of a recall, before any work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypedDict

from scrubjay.answers import RecallOptions
from scrubjay.engine.presets import preset_of
from scrubjay.engine.retain.checking import check_metadata, check_moment, check_text
from scrubjay.engine.retain.told import moment
from scrubjay.errors import BadInput, shorten
from scrubjay.limits import NAME_CHARACTERS_MAX, TAG_CHARACTERS_MAX
from scrubjay.preset import Preset
from scrubjay.settings import BankSettings
from scrubjay.types import Json, Window

LIMIT_MAX = 1_000
TOKENS_MAX = 10_000_000
_TIMES = ("as_of", "known_at", "now")

Moment = datetime | str


class RecallKeywords(TypedDict, total=False):
    """The keyword form of RecallOptions; times may be ISO text, `window` a (start, end) pair."""

    limit: int
    max_tokens: int
    types: Sequence[str] | None
    tags: Sequence[str]
    metadata: Mapping[str, Json]
    window: Window | tuple[Moment | None, Moment | None] | None
    as_of: Moment | None
    known_at: Moment | None
    now: Moment | None
    preset: str | Preset
    rerank: bool | None
    min_score: float | None
    session: str | None
    deadline_ms: float | None
    strict: bool
    trace: bool


def options_of(given: RecallKeywords, options: RecallOptions | None = None) -> RecallOptions:
    """Options from keywords, laid over `options`; BadInput names the first that cannot be."""
    base = RecallOptions() if options is None else options
    if not isinstance(base, RecallOptions):
        raise BadInput("options", options, "Give RecallOptions, or keywords.")
    if not given:
        return base
    unknown = sorted(set(given) - set(RecallKeywords.__annotations__))
    if unknown:
        known = ", ".join(sorted(RecallKeywords.__annotations__))
        raise BadInput("unknown option", unknown[0], f"Known: {known}.")
    changes: dict[str, object] = dict(given)
    for name in _TIMES:
        if changes.get(name) is not None:
            changes[name] = check_moment(moment(changes[name], name), name)
    for name in ("types", "tags"):
        value = changes.get(name)
        if value is not None:
            if isinstance(value, str) or not isinstance(value, Sequence):
                raise BadInput(name, value, f"Give a list, such as {name}=[{shorten(value)}].")
            changes[name] = tuple(value)
    if changes.get("window") is not None:
        changes["window"] = _window(changes["window"])
    return replace(base, **changes)  # type: ignore[arg-type]


def check_options(
    question: object, options: RecallOptions, settings: BankSettings
) -> RecallOptions:
    """The options with their times in UTC; BadInput for what cannot be asked."""
    if not isinstance(question, str) or not question.strip():
        raise BadInput("empty question", question, "Ask with at least one word.")
    for name, value, most in (
        ("limit", options.limit, LIMIT_MAX),
        ("max_tokens", options.max_tokens, TOKENS_MAX),
    ):
        _check_range(name, value, 1, most)
        if not isinstance(value, int):
            raise BadInput(name, value, "Give a whole number.")
    if options.min_score is not None:
        _check_range("min_score", options.min_score, 0.0, 1.0)
    if options.deadline_ms is not None:
        _check_range("deadline_ms", options.deadline_ms, 0.001, 3_600_000)
    for name, flag in (("strict", options.strict), ("trace", options.trace)):
        if not isinstance(flag, bool):
            raise BadInput(name, flag, "Give True or False.")
    if options.rerank is not None and not isinstance(options.rerank, bool):
        raise BadInput("rerank", options.rerank, "Give True or False, or None for the preset's.")
    _check_scope(options, settings)
    preset_of(options.preset)
    return _timed(options)


def _check_scope(options: RecallOptions, settings: BankSettings) -> None:
    types = () if options.types is None else options.types
    for name, values in (("types", types), ("tags", options.tags)):
        if not isinstance(values, tuple | list):
            raise BadInput(name, values, f"Give a list, such as {name}=[{shorten(values)}].")
    for kind in types:
        settings.type_code(kind)
    for tag in options.tags:
        check_text(tag, "tags", TAG_CHARACTERS_MAX)
    if options.session is not None:
        check_text(options.session, "session", NAME_CHARACTERS_MAX)
    check_metadata(options.metadata)


def _timed(options: RecallOptions) -> RecallOptions:
    """The options with their times checked, and in UTC."""
    changes: dict[str, object] = {
        name: check_moment(value, name)
        for name in _TIMES
        if (value := getattr(options, name)) is not None
    }
    if options.window is not None:
        changes["window"] = _window(options.window)
    if not changes:
        return options
    # Most callers give UTC, and then the options stay as they are.
    same = all(getattr(options, name) == value for name, value in changes.items())
    return options if same else replace(options, **changes)  # type: ignore[arg-type]


def _check_range(name: str, value: object, low: float, high: float) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
        raise BadInput(name, value, f"Give a number from {low:g} to {high:g}.")


def _window(value: object) -> Window:
    if isinstance(value, Window):
        start, end = value.start, value.end
    elif isinstance(value, tuple | list) and len(value) == 2:
        start, end = (None if v is None else moment(v, "window") for v in value)
    else:
        raise BadInput("window", value, "Give a Window, or a (start, end) pair.")
    start = None if start is None else check_moment(start, "window start")
    end = None if end is None else check_moment(end, "window end")
    if start is None and end is None:
        raise BadInput("window", value, "Give at least one end, or leave it out.")
    if start is not None and end is not None and end < start:
        shown = [start.isoformat(), end.isoformat()]
        raise BadInput("window ends before it starts", shown, "Swap the ends.")
    return Window(start, end)
