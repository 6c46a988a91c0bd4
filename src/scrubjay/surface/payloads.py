"""The JSON of answers and reports that is more than one declared shape.

Everything else is `encode`d as it is declared: times are ISO text in UTC, and scores and durations
are rounded to six digits, so that equal answers are equal text.
"""

from __future__ import annotations

from datetime import UTC, tzinfo

from scrubjay.answers import Parsed, Plan
from scrubjay.codec.compiled import encode_object
from scrubjay.types.values import Json, Window


def window_to_json(window: Window | None, zone: tzinfo = UTC) -> Json:
    """[start, end], both inclusive, null at an open end, in `zone`."""
    if window is None:
        return None
    ends = (window.start, window.end)
    return [None if end is None else end.astimezone(zone).isoformat() for end in ends]


def parsed_to_json(parsed: Parsed, plan: Plan, zone: tzinfo) -> dict[str, Json]:
    """What a question says: when (in `zone`), about whom, and the types its words hint at."""
    read = encode_object(parsed)
    when = {name: read.pop(name) for name in ("window", "kind", "confidence", "entities")}
    window = window_to_json(parsed.window, zone)
    return {**when, "window": window, "hints": list(plan.type_hints), **read}


def error_to_json(kind: str, message: str) -> dict[str, Json]:
    """An error: the name of its class, and what it says."""
    return {"error": {"kind": kind, "message": message}}
