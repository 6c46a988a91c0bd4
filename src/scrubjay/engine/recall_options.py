"""Checks what a caller asks of a recall, before any work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scrubjay.answers import RecallKeywords, RecallOptions
from scrubjay.codec.compiled import check
from scrubjay.engine.presets import preset_of
from scrubjay.engine.retain.inputs import listed, moment
from scrubjay.errors import BadInput
from scrubjay.settings import BankSettings
from scrubjay.types import Window


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
