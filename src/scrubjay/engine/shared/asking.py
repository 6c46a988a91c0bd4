"""Reads of which time a question asks, and what of something that changed it asks for."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.language.asked_change import Asked, asked_version
from scrubjay.language.cued import Cued
from scrubjay.language.states import asks_what_held
from scrubjay.store.shared.times import to_micros

# What is asked of a time to come that is not named. English, German, French, Spanish.
_AHEAD = Cued(
    "will shall going gonna soon next upcoming future wird werden sera seront pronto ll",
    r"\b(?:will|shall|going to|gonna|soon|next|upcoming|future|wird|werden|künftig|demnächst|sera"
    r"|seront|bientôt|será|serán|pronto)\b|'ll\b",
)
_EVER = np.iinfo(np.int64).max


def moment_of(parsed: Parsed) -> datetime | None:
    """When that held which a question asks for; None: it asks what happened at a time of its own.

    That is now, or the end of a time that is over and of which it asks what held. Of a day that
    is still to come what was told last holds: the plan, or that it is called off.
    """
    window = parsed.window
    if window is None or window.end is None or parsed.window_kind == "fuzzy":
        return parsed.now
    if window.end >= parsed.now:
        return parsed.now
    return window.end if asks_what_held(parsed.question) else None


def time_meant(parsed: Parsed, moment: datetime) -> int:
    """The time at which it is asked what holds; that may be ahead of what was told by then."""
    window = parsed.window
    if window is not None and parsed.window_kind != "fuzzy":
        # "From August on" is open, and asks for what begins in August.
        edge = window.end or window.start
        return to_micros(moment if edge is None else max(edge, moment))
    return _EVER if _AHEAD.search(parsed.question) else to_micros(moment)


def asked_of(parsed: Parsed) -> Asked:
    """What of something that changed a question asks for, at its moment."""
    return Asked.NOW if moment_of(parsed) != parsed.now else asked_version(parsed.question)
