"""Pydantic AI's agents with a memory, run by its function model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from scrubjay import Bank, Memory
from scrubjay.integrations.pydantic_ai import ScrubjayMemory


@pytest.fixture
def bank() -> Iterator[Bank]:
    with Memory.open(":memory:", encoder="hash") as memory:
        yield memory.bank("agent")


def speaking(asked: list[str], *parts: TextPart | ToolCallPart) -> FunctionModel:
    """A model that says these parts in turn, and keeps its instructions."""
    left = list(parts)

    def answer(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append(info.instructions or "")
        return ModelResponse(parts=[left.pop(0)])

    return FunctionModel(answer)


def test_a_later_run_is_told_what_an_earlier_one_said(bank: Bank) -> None:
    asked: list[str] = []
    model = speaking(asked, TextPart("Noted."), TextPart("Clover."), TextPart("I cannot say."))
    agent = Agent(model, instructions="Be brief.", capabilities=[ScrubjayMemory(bank, session="s")])
    for prompt in ("My rabbit is called Clover.", "What is my rabbit called?", "Zzyzx qwv?"):
        agent.run_sync(prompt)
    assert [("Clover" in one, one.startswith("Be brief.")) for one in asked] == [
        (False, True), (True, True), (False, True),
    ]  # fmt: skip
    first = bank.list().units[:2]
    assert [(one.text, one.speaker, one.session) for one in first] == [
        ("My rabbit is called Clover.", "user", "s"), ("Noted.", "assistant", "s"),
    ]  # fmt: skip


def test_the_model_can_ask_and_tell_by_itself(bank: Bank) -> None:
    calls = [
        ToolCallPart("remember", {"text": "The staging host is called heron."}),
        ToolCallPart("recall", {"question": "What is the staging host called?"}),
        TextPart("done"),
    ]
    capability = ScrubjayMemory(bank, retains=False)
    result = Agent(speaking([], *calls), capabilities=[capability]).run_sync("Go on.")
    said = [
        str(part.content)
        for message in result.all_messages()
        for part in message.parts
        if part.part_kind == "tool-return"
    ]
    assert said[0] == "Kept."
    assert "heron" in said[1]
    assert [unit.text for unit in bank.list().units] == ["The staging host is called heron."]
