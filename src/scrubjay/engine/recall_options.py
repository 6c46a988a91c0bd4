"""Checks what a caller asks of a recall, before any work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from scrubjay.answers import RecallKeywords, RecallOptions
from scrubjay.codec.compiled import check
from scrubjay.codec.values import shows_nothing
from scrubjay.engine.presets import preset_of
from scrubjay.engine.retain.inputs import listed, moment, window_of
from scrubjay.errors import BadInput
from scrubjay.settings import BankSettings


def options_of(given: RecallKeywords, options: RecallOptions | None = None) -> RecallOptions:
    """Options from keywords, laid over `options`; BadInput names the first that cannot be."""
    base = _USUAL if options is None else options
    if not isinstance(base, RecallOptions):
        raise BadInput("options", options, "Give RecallOptions, or keywords.")
    if given:
        return check(replace(base, **_changes(given)), "options")  # type: ignore[arg-type]
    # Metadata is all of it that may have changed since.
    if base is _last[0] and not base.metadata:
        return base
    checked = check(base, "options")
    if checked is base:
        _last[0] = base
    return checked


_USUAL = RecallOptions()
# What was checked last, and is as it was given: who asks on and on mostly asks with the same.
_last = [_USUAL]


def _changes(given: RecallKeywords) -> dict[str, object]:
    unknown = sorted(set(given) - set(RecallKeywords.__annotations__))
    if unknown:
        known = ", ".join(sorted(RecallKeywords.__annotations__))
        raise BadInput("unknown option", unknown[0], f"Known: {known}.")
    changes: dict[str, object] = dict(given)
    for name, read in _FORMS.items():
        if changes.get(name) is not None:
            changes[name] = read(changes[name], name)
    return changes


# What may be given in another form than RecallOptions has it.
_FORMS: dict[str, Callable[[object, str], object]] = {
    **dict.fromkeys(("as_of", "now"), moment),
    "known_at": partial(moment, instant="last"),
    **dict.fromkeys(("types", "tags"), listed),
    "window": window_of,
}


def check_options(
    question: object, options: RecallOptions, settings: BankSettings
) -> RecallOptions:
    """The options, if this can be asked of a bank with these settings; else BadInput."""
    if not isinstance(question, str) or shows_nothing(question):
        raise BadInput("empty question", question, "Ask with at least one word.")
    for kind in options.types or ():
        settings.type_code(kind)
    preset_of(options.preset)
    return options
