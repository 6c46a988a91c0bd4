"""How long a request over the network may take, and how often it is sent again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite

from scrubjay.errors import BadInput

ENDPOINT_VARIABLE = "SCRUBJAY_ENDPOINT_SECONDS"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server may take, and how often it is asked again when it is busy or gone."""

    timeout_s: float = 30.0  # one attempt
    attempts_max: int = 3
    first_wait_s: float = 0.25  # doubles each time
    longest_wait_s: float = 8.0  # also bounds what the server's Retry-After may ask for
    deadline_s: float | None = None  # all attempts and waits; None: as long as one attempt

    @property
    def whole_s(self) -> float:
        """How long a request may take, however often it is sent."""
        return self.timeout_s if self.deadline_s is None else self.deadline_s


def with_endpoints(patience: Patience, environment: Mapping[str, str] = os.environ) -> Patience:
    """The same, with the time that SCRUBJAY_ENDPOINT_SECONDS gives a request to a model."""
    given = environment.get(ENDPOINT_VARIABLE)
    if not given:
        return patience
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not (isfinite(seconds) and seconds > 0):
        raise BadInput(ENDPOINT_VARIABLE, given, "Give seconds, such as 30.")
    return replace(patience, timeout_s=seconds, deadline_s=None)
