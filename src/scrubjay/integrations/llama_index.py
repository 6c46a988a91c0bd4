"""A memory block for LlamaIndex: what leaves the chat is kept, what a turn needs comes back."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import Field

from scrubjay.errors import ExtraMissing
from scrubjay.integrations.context import context_for
from scrubjay.types.units import Unit

try:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import BaseMemoryBlock
except ModuleNotFoundError as error:
    raise ExtraMissing("llama-index", error.name or "llama_index") from error

_SPEAKERS = ("user", "assistant")


class ScrubjayMemoryBlock(BaseMemoryBlock[str]):
    """A bank as long-term memory: `Memory.from_defaults(memory_blocks=[...])`.

    `bank` is a scrubjay Bank. Its text is the memories that the last words of the user need, or
    "". As the block's `priority` says, it is left out when there is no room for it.
    """

    name: str = "scrubjay"
    description: str | None = "Memories of earlier conversations."
    priority: int = 1
    bank: Any = Field(exclude=True, repr=False)

    async def _aget(
        self,
        messages: list[ChatMessage] | None = None,
        **block_kwargs: Any,  # noqa: ANN401, ARG002
    ) -> str:
        asked = [
            message.content
            for message in messages or ()
            if message.role.value == "user" and message.content
        ]
        return await asyncio.to_thread(context_for, self.bank, asked[-1]) if asked else ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        units = [
            Unit(
                message.content,
                type="message",
                speaker=message.role.value,
                session=message.additional_kwargs.get("session_id"),
            )
            for message in messages
            if message.role.value in _SPEAKERS and message.content and message.content.strip()
        ]
        if units:
            await asyncio.to_thread(self.bank.retain, units)
