"""A capability for Pydantic AI: memories before a run, tools in it, what was said kept after."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from scrubjay.bank import Bank
from scrubjay.errors import ExtraMissing
from scrubjay.integrations.context import answer_for, context_for
from scrubjay.types.units import Unit

try:
    from pydantic_ai import AgentRunResult, FunctionToolset, RunContext
    from pydantic_ai.capabilities import AbstractCapability
except ModuleNotFoundError as error:
    raise ExtraMissing("pydantic-ai", error.name or "pydantic_ai") from error


@dataclass
class ScrubjayMemory(AbstractCapability[Any]):
    """Gives an agent a bank: `Agent(model, capabilities=[ScrubjayMemory(bank)])`.

    What the prompt needs stands in the instructions, or nothing does; `recall` and `remember`
    are tools; the prompt and the answer are kept after the run, unless `retains` is False.
    """

    bank: Bank
    retains: bool = True
    session: str | None = None

    def get_instructions(self) -> Callable[[RunContext[Any]], Awaitable[str]]:
        """What the prompt needs of the memory."""

        async def remembered(context: RunContext[Any]) -> str:
            return await asyncio.to_thread(context_for, self.bank, _text(context.prompt))

        return remembered

    def get_toolset(self) -> FunctionToolset[Any]:
        """The tools `recall` and `remember`."""

        async def recall(question: str) -> str:
            """Ask the long-term memory a question in your own words."""
            return await asyncio.to_thread(answer_for, self.bank, question)

        async def remember(text: str) -> str:
            """Keep one fact, preference or event for later, in a whole sentence."""
            kept = await asyncio.to_thread(self.bank.retain, text, session=self.session)
            return "Kept." if kept.new else "Known already."

        return FunctionToolset([recall, remember])

    async def after_run(
        self, ctx: RunContext[Any], *, result: AgentRunResult[Any]
    ) -> AgentRunResult[Any]:
        """Keep what was said; the result is passed on as it is."""
        said = (("user", _text(ctx.prompt)), ("assistant", _text(result.output)))
        units = [
            Unit(text, type="message", speaker=who, session=self.session)
            for who, text in said
            if text.strip()
        ]
        if self.retains and units:
            await asyncio.to_thread(self.bank.retain, units)
        return result


def _text(said: object) -> str:
    """Text, or what is text in a list of parts; an output that is an object was not said."""
    if isinstance(said, str):
        return said
    parts = said if isinstance(said, list | tuple) else ()
    texts = (part if isinstance(part, str) else getattr(part, "content", None) for part in parts)
    return "\n".join(text for text in texts if isinstance(text, str))
