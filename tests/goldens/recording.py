"""Makes what is recorded the same on every machine and every day."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

# What a clock or a processor decides.
VOLATILE = frozenset(
    {
        "timings",
        "created_at",
        "max_wait_ms",
        "disk_bytes",
        "start_ms",
        "end_ms",
        "cpu_ms",
        "request_id",
    }
)
ID = re.compile(r"\b0[0-9a-hjkmnp-tv-z]{19}\b")
TASK = re.compile(r"/v1/tasks/[0-9a-f-]+")
# A moment of today, which the commands take from the real clock.
MOMENT = re.compile(r"\b20(2[6-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:\+00:00|Z)")


class Names:
    """Calls random ids by the order in which they turn up."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def named(self, text: str) -> str:
        """The text with every id replaced by its number."""
        text = TASK.sub("/v1/tasks/<task>", text)
        return ID.sub(lambda found: self._name(found.group()), text)

    def _name(self, identifier: str) -> str:
        return self._known.setdefault(identifier, f"<id {len(self._known) + 1}>")


def steady(value: object) -> object:
    """A JSON value without what differs from run to run."""
    if isinstance(value, Mapping):
        return {key: steady(part) for key, part in value.items() if key not in VOLATILE}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [steady(part) for part in value]
    if isinstance(value, float):
        return round(value, 6)
    return value


def steady_json(text: str) -> object:
    """JSON text made steady; other text as it is."""
    try:
        return steady(json.loads(text))
    except ValueError:
        return text
