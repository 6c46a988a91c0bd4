"""What an extraction gave, what went wrong, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.types import Json, Retained, Unit


@dataclass(frozen=True, slots=True)
class Usage:
    """What the language model was asked; `cost` is None where no prices were given."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None

    def plus(self, other: Usage) -> Usage:
        """Both together."""
        known = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            sum(known) if known else None,
        )

    def to_json(self) -> dict[str, Json]:
        """For reports."""
        return {
            "requests": self.requests,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cost": None if self.cost is None else round(self.cost, 8),
        }


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a unit, or one fact of it, gave nothing."""

    unit: str
    reason: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """Facts as units to be told, each with its source in its metadata."""

    units: tuple[Unit, ...]
    troubles: tuple[Trouble, ...]
    usage: Usage


@dataclass(frozen=True, slots=True)
class Extracted:
    """What `Memory.extract` did: the words, kept whatever happened, and the facts found in them."""

    retained: Retained
    facts: Retained
    troubles: tuple[Trouble, ...]
    usage: Usage

    def to_json(self) -> dict[str, Json]:
        """The facts' part, for servers."""
        return {
            "facts": list(self.facts.ids),
            "troubles": [{"unit": one.unit, "reason": one.reason} for one in self.troubles],
            "usage": self.usage.to_json(),
        }
