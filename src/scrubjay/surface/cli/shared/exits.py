"""What the command line says when it fails: an exit code, and one line on stderr."""

from __future__ import annotations

import json
import sys
from enum import IntEnum

from scrubjay.errors import BadInput, ImportFailed, NotFound, ScrubjayError


class ExitCode(IntEnum):
    """Every exit code, for scripts to rely on."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    PROBLEMS = 4
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.OK: "done",
    ExitCode.FAILED: "the store, a model or the system refused",
    ExitCode.USAGE: "bad input or usage, and nothing was changed",
    ExitCode.NOT_FOUND: "no such unit, bank, store, entity or session",
    ExitCode.PROBLEMS: "doctor found problems that are not fixed",
    ExitCode.INTERRUPTED: "interrupted",
}


class UsageProblem(ScrubjayError):
    """Options that do not go together."""


def exit_code_of(error: ScrubjayError) -> ExitCode:
    """The exit code of an error raised on purpose."""
    if isinstance(error, NotFound):
        return ExitCode.NOT_FOUND
    if isinstance(error, BadInput | ImportFailed | UsageProblem):
        return ExitCode.USAGE
    return ExitCode.FAILED


def complain(kind: str, message: str, *, as_json: bool) -> None:
    """Tell one error on stderr: `error: message`, or the JSON object scripts can read."""
    line = f"error: {message}"
    if as_json:
        from scrubjay.surface.payloads import error_to_json  # brings numpy; see options.py

        line = json.dumps(error_to_json(kind, message), ensure_ascii=False)
    # A path given in bytes that are not text must not turn an error into a traceback.
    sys.stderr.write(line.encode("utf-8", "replace").decode("utf-8") + "\n")
