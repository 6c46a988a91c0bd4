"""Errors as RFC 9457 problem details: what happened, with the value, and what to do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from scrubjay.errors import (
    BadInput,
    EncoderError,
    EncoderMismatch,
    ExtraMissing,
    ImportFailed,
    ModelMissing,
    NotFound,
    QuotaExceeded,
    Reason,
    RecallFailed,
    ScrubjayError,
    StoreClosed,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    shorten,
)
from scrubjay.surface.wording import in_requests
from scrubjay.types.values import Json

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:scrubjay:problem:"
# How long a client should wait before it asks a busy server again, in seconds.
RETRY_AFTER_S = 1
# Of an import with many bad lines, the first are told.
BAD_LINES_MAX = 100

# The most specific class first; a class without a line of its own has its parent's status.
_STATUSES: tuple[tuple[type[ScrubjayError], int], ...] = (
    (NotFound, 404),
    (BadInput, 422),
    (ImportFailed, 422),
    (EncoderMismatch, 409),
    (StoreReadOnly, 409),
    (StoreFull, 507),
    (QuotaExceeded, 429),
    (ExtraMissing, 501),
    (StoreLocked, 503),
    (StoreClosed, 503),
    (StoreError, 503),
    (ModelMissing, 503),
    (EncoderError, 503),
    (RecallFailed, 503),
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One refusal, before it is given the request's id."""

    status: int
    kind: str
    detail: str
    remedy: str
    more: dict[str, Json] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def to_json(self, request_id: str) -> dict[str, Json]:
        """The problem's body."""
        return {
            "type": f"{TYPE_PREFIX}{self.kind}",
            "title": self.kind,
            "status": self.status,
            "detail": self.detail,
            "remedy": self.remedy,
            "request_id": request_id,
            **self.more,
        }


class Refusal(Exception):
    """Raised anywhere on the way to stop with a problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.detail)


def refuse(status: int, kind: str, detail: str, remedy: str) -> Refusal:
    """A refusal with no more than the usual parts."""
    headers = {"Retry-After": str(RETRY_AFTER_S)} if status in (429, 503) else {}
    return Refusal(Problem(status, kind, detail, remedy, headers=headers))


def problem_of(error: ScrubjayError) -> Problem:
    """What an error of the engine is over HTTP."""
    status = next(status for kind, status in _STATUSES if isinstance(error, kind))
    more: dict[str, Json] = {}
    remedy = "See the detail."
    if isinstance(error, BadInput):
        remedy = in_requests(error.remedy)
        more = {"what": error.what, "value": _shown(error.value)}
    elif isinstance(error, ImportFailed):
        remedy = "Mend the lines, or import with keep_going=true."
        shown = error.problems[:BAD_LINES_MAX]
        more = {"problems": [{"line": n, "reason": reason} for n, reason in shown]}
    headers = {"Retry-After": str(RETRY_AFTER_S)} if status == 503 else {}
    if isinstance(error, QuotaExceeded) and error.retry_after_s is not None:
        headers = {"Retry-After": str(error.retry_after_s)}
    detail = in_requests(str(error))
    return Problem(status, type(error).__name__, detail, remedy, more, headers)


def gone(what: str, identifier: str) -> Refusal:
    """The answer to a repeated request whose subject was erased after it was done."""
    return Refusal(
        Problem(
            410, "Gone", f"This was done, and {what} {identifier!r} has been erased since.",
            "Nothing is left to do or to show.", {"id": identifier},
            {"Idempotent-Replay": "true"},
        )
    )  # fmt: skip


def kept_problem(error: ScrubjayError) -> dict[str, Json]:
    """What may be written down of an error: no value, which could be a memory's text."""
    problem, detail = problem_of(error), Reason.of(error).without_value
    if isinstance(error, ImportFailed):
        detail = f"{len(error.problems)} bad line(s). Nothing of the file was kept."
    elif type(error) is EncoderError:
        detail = "The encoder failed."  # an endpoint's own words may quote what it was sent
    more = {name: value for name, value in problem.more.items() if name != "value"}
    if isinstance(error, ImportFailed):
        more["problems"] = bad_lines(error.problems)
    return replace(problem, detail=detail, more=more).to_json("")


def bad_lines(problems: Sequence[tuple[int, str]]) -> list[Json]:
    """Lines of an import that were left out, and why, without their values."""
    return [
        {"line": n, "reason": why.without_value if isinstance(why, Reason) else why}
        for n, why in problems[:BAD_LINES_MAX]
    ]


def _shown(value: object) -> Json:
    """A value at fault as JSON; long or foreign ones as their beginning."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return value if isinstance(value, str) and len(value) <= 80 else shorten(value)
