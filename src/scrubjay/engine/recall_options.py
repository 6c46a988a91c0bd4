"""Checks what a caller asks of a recall, before any work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypedDict

from scrubjay.answers import RecallOptions
from scrubjay.codec.compiled import check
from scrubjay.engine.presets import preset_of
from scrubjay.engine.retain.inputs import listed, moment
from scrubjay.errors import BadInput
from scrubjay.preset import Preset
from scrubjay.settings import BankSettings
from scrubjay.types import Json, Window

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
    unknown = sorted(set(given) - set(RecallKeywords.__annotations__))
    if unknown:
        known = ", ".join(sorted(RecallKeywords.__annotations__))
        raise BadInput("unknown option", unknown[0], f"Known: {known}.")
    changes: dict[str, object] = dict(given)
    for name, read in _FORMS.items():
        if changes.get(name) is not None:
            changes[name] = read(changes[name], name)
    return check(replace(base, **changes) if changes else base, "options")  # type: ignore[arg-type]


def _window(value: object, name: str) -> object:
    """A pair of times as a Window."""
    if not isinstance(value, tuple | list):
        return value
    if len(value) != 2:
        raise BadInput(name, value, "Give a Window, or a (start, end) pair.")
    return Window(*(None if end is None else moment(end, name) for end in value))


# What may be given in another form than RecallOptions has it.
_FORMS: dict[str, Callable[[object, str], object]] = {
    **dict.fromkeys(("as_of", "known_at", "now"), moment),
    **dict.fromkeys(("types", "tags"), listed),
    "window": _window,
}


def check_options(
    question: object, options: RecallOptions, settings: BankSettings
) -> RecallOptions:
    """The options, if this can be asked of a bank with these settings; else BadInput."""
    if not isinstance(question, str) or not question.strip():
        raise BadInput("empty question", question, "Ask with at least one word.")
    for kind in options.types or ():
        settings.type_code(kind)
    preset_of(options.preset)
    return options
