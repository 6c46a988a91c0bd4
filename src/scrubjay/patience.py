"""How long a request over the network may take, and how often it is sent again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server may take, and how often it is asked again when it is busy or gone."""

    timeout_s: float = 30.0
    attempts_max: int = 3
    first_wait_s: float = 0.25  # doubles each time
    longest_wait_s: float = 8.0  # also bounds what the server's Retry-After may ask for
