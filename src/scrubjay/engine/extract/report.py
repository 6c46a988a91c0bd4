"""What an extraction gave, before it is kept."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.types.outcomes import Trouble, Usage
from scrubjay.types.units import Unit


@dataclass(frozen=True, slots=True)
class Extraction:
    """Facts as units to be told, each with its source in its metadata."""

    units: tuple[Unit, ...]
    troubles: tuple[Trouble, ...]
    usage: Usage
