"""For Microsoft's Agent Framework: memories before a run, what was said kept after it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from scrubjay.bank import Bank
from scrubjay.errors import ExtraMissing
from scrubjay.integrations.context import context_for
from scrubjay.types.units import Unit

try:
    from agent_framework import (
        AgentSession,
        ContextProvider,
        Message,
        SessionContext,
        SupportsAgentRun,
    )
except ModuleNotFoundError as error:
    raise ExtraMissing("agent-framework", error.name or "agent_framework") from error

_SPEAKERS = ("user", "assistant")


class ScrubjayContextProvider(ContextProvider):
    """Gives an agent a bank: `Agent(client, context_providers=[ScrubjayContextProvider(bank)])`.

    Before a run, what its messages need is put before the model, or nothing is; after it, what
    the user and the agent said is kept, unless `retains` is False.
    """

    def __init__(self, bank: Bank, *, source_id: str = "scrubjay", retains: bool = True) -> None:
        super().__init__(source_id)
        self.bank = bank
        self.retains = retains

    async def before_run(
        self,
        *,
        agent: SupportsAgentRun,  # noqa: ARG002
        session: AgentSession,  # noqa: ARG002
        context: SessionContext,
        state: dict[str, Any],  # noqa: ARG002
    ) -> None:
        """Put what the messages need before the model."""
        asked = "\n".join(text for who, text in _said(context.input_messages) if who == "user")
        known = await asyncio.to_thread(context_for, self.bank, asked)
        if known:
            context.extend_messages(self, [Message("user", [known])])

    async def after_run(
        self,
        *,
        agent: SupportsAgentRun,  # noqa: ARG002
        session: AgentSession,  # noqa: ARG002
        context: SessionContext,
        state: dict[str, Any],  # noqa: ARG002
    ) -> None:
        """Keep what was said; what providers put in is none of it."""
        answered = context.response.messages if context.response else ()
        units = [
            Unit(text, type="message", speaker=who, session=context.session_id)
            for who, text in _said([*context.input_messages, *answered])
        ]
        if self.retains and units:
            await asyncio.to_thread(self.bank.retain, units)


def _said(messages: Iterable[Message]) -> list[tuple[str, str]]:
    """Who said what: the text of messages of people and of models."""
    return [
        (str(message.role), message.text)
        for message in messages
        if str(message.role) in _SPEAKERS and message.text and message.text.strip()
    ]
