"""Tools for the OpenAI Agents SDK: an agent asks its memory, and tells it."""

from __future__ import annotations

import asyncio

from scrubjay.bank import Bank
from scrubjay.errors import ExtraMissing, NotFound
from scrubjay.integrations.context import answer_for

try:
    from agents import FunctionTool, function_tool
except ModuleNotFoundError as error:
    raise ExtraMissing("openai-agents", error.name or "agents") from error


def memory_tools(
    bank: Bank, *, session: str | None = None, forgets: bool = False
) -> list[FunctionTool]:
    """The tools `recall` and `remember` over a bank, and `forget` where it `forgets`."""

    async def recall(question: str) -> str:
        """Ask the long-term memory a question in your own words.

        Args:
            question: What you want to know; times such as "last week" are understood.
        """
        return await asyncio.to_thread(answer_for, bank, question)

    async def remember(text: str) -> str:
        """Keep one fact, preference or event for later.

        Args:
            text: What to remember, in a whole sentence.
        """
        kept = await asyncio.to_thread(bank.retain, text, session=session)
        return f"Kept as {kept.ids[0]}." if kept.new else "Known already."

    async def forget(memory_id: str) -> str:
        """Erase one memory for good. Use it only when the user asks for it.

        Args:
            memory_id: The id of the memory, as `recall` shows it.
        """
        try:
            await asyncio.to_thread(bank.forget, memory_id)
        except NotFound as error:
            return str(error)
        return "Erased."

    offered = [recall, remember, *([forget] if forgets else [])]
    return [function_tool(one) for one in offered]
