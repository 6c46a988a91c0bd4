"""Agent Framework's agents with a memory, run by a chat client of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from agent_framework import Agent, BaseChatClient, ChatResponse, Message

from scrubjay import Bank, Memory
from scrubjay.integrations.agent_framework import ScrubjayContextProvider


class Client(BaseChatClient):  # type: ignore[type-arg,unused-ignore]
    """Answers the same, and keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    def _inner_get_response(
        self,
        *,
        messages: Sequence[Message],
        stream: bool,
        options: Mapping[str, Any],  # noqa: ARG002
        **kwargs: Any,  # noqa: ANN401, ARG002
    ) -> Awaitable[ChatResponse]:
        assert not stream
        self.sent.append("\n".join(message.text for message in messages))

        async def answer() -> ChatResponse:
            return ChatResponse(messages=[Message("assistant", ["Noted."])])

        return answer()


@pytest.fixture
def bank() -> Iterator[Bank]:
    with Memory.open(":memory:", encoder="hash") as memory:
        yield memory.bank("agent")


def say(client: Client, provider: ScrubjayContextProvider, *said: str) -> None:
    """Each in a session of its own, so that only the provider can know of the one before."""
    agent = Agent(client, context_providers=[provider])

    async def run() -> None:
        for number, text in enumerate(said):
            await agent.run(text, session=agent.create_session(session_id=f"s{number}"))

    asyncio.run(run())


def test_a_later_session_is_told_what_an_earlier_one_said(bank: Bank) -> None:
    client = Client()
    provider = ScrubjayContextProvider(bank)
    say(client, provider, "My rabbit is called Clover.", "What is my rabbit called?", "Zzyzx qwv?")
    assert ["Clover" in one for one in client.sent] == [True, True, False]
    assert "<memories>" not in client.sent[0]
    assert "<memories>" in client.sent[1]
    kept = [(unit.text, unit.speaker, unit.session) for unit in bank.list().units]
    # What was recalled into a prompt is not kept again.
    assert kept == [
        ("My rabbit is called Clover.", "user", "s0"), ("Noted.", "assistant", "s0"),
        ("What is my rabbit called?", "user", "s1"), ("Noted.", "assistant", "s1"),
        ("Zzyzx qwv?", "user", "s2"), ("Noted.", "assistant", "s2"),
    ]  # fmt: skip


def test_one_that_only_reads_keeps_nothing(bank: Bank) -> None:
    say(Client(), ScrubjayContextProvider(bank, retains=False), "My rabbit is called Clover.")
    assert bank.stats().units == 0
