"""Runs the command line as a script would, in this process or in one of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - JSON is whatever the command printed
        """Its stdout, which must be one JSON document on one line."""
        assert self.code == 0, self.err
        assert self.out.count("\n") == 1
        return json.loads(self.out)


Cli = Callable[..., Ran]


@contextmanager
def started(*arguments: str, **environment: str) -> Iterator[str]:
    """The address that a command prints, until it is interrupted."""
    command = [sys.executable, "-m", "scrubjay.surface.cli", *arguments, "--encoder", "hash"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, **environment},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        try:
            yield found.group()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)
