"""Who speaks in a conversation and is no person of it."""

from __future__ import annotations

# They report and summarise: what they say was told by others before.
AGENTS = frozenset({"assistant", "system", "ai", "agent", "bot", "tool"})
# Roles, not names: every bank has a user, and linking units by one would link everything.
SPEAKING_ROLES = AGENTS | {"user", "human"}


def is_agent(speaker: str | None) -> bool:
    """Whether a speaker is called what no person is."""
    return speaker is not None and speaker.casefold() in AGENTS
