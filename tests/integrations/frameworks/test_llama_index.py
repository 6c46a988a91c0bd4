"""LlamaIndex's memory with our block: what leaves the short-term memory is found again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import Memory as ChatMemory
from sqlalchemy.ext.asyncio import create_async_engine

from scrubjay import Bank, Memory
from scrubjay.integrations.llama_index import ScrubjayMemoryBlock


@pytest.fixture
def bank() -> Iterator[Bank]:
    with Memory.open(":memory:", encoder="hash") as memory:
        yield memory.bank("agent")


def user(text: str) -> ChatMessage:
    return ChatMessage(role=MessageRole.USER, content=text)


def test_what_left_the_chat_comes_back_when_it_is_needed(bank: Bank) -> None:
    async def chat() -> list[str]:
        engine = create_async_engine("sqlite+aiosqlite:///:memory:")
        memory = ChatMemory.from_defaults(
            session_id="s1",
            async_engine=engine,
            token_limit=60,
            token_flush_size=10,
            chat_history_token_ratio=0.5,
            tokenizer_fn=str.split,
            memory_blocks=[ScrubjayMemoryBlock(bank=bank, priority=0)],
        )
        await memory.aput(user("My rabbit is called Clover."))
        for number in range(12):
            await memory.aput(
                ChatMessage(role=MessageRole.ASSISTANT, content=f"Step {number} done.")
            )
            await memory.aput(user(f"Go on with number {number}, please, thank you."))
        await memory.aput(user("What is my rabbit called?"))
        shown = [str(message.content) for message in await memory.aget()]
        await engine.dispose()
        return shown

    shown = asyncio.run(chat())
    assert "My rabbit is called Clover." not in shown
    assert any("<memories>" in text and "Clover" in text for text in shown)
    first = bank.list().units[0]
    assert (first.text, first.speaker, first.session) == (
        "My rabbit is called Clover.", "user", "s1",
    )  # fmt: skip


def test_a_block_says_nothing_when_nothing_is_needed(bank: Bank) -> None:
    block = ScrubjayMemoryBlock(bank=bank)
    assert asyncio.run(block.aget([user("What is my rabbit called?")])) == ""
    asyncio.run(block.aput([user("My rabbit is called Clover."), user(" ")], session_id="s"))
    assert asyncio.run(block.aget([user("Zzyzx qwv?")])) == ""
    assert asyncio.run(block.aget([])) == ""
    assert "Clover" in asyncio.run(block.aget([user("What is my rabbit called?")]))
    assert bank.stats().units == 1
