"""The OpenAI Agents SDK's runner with our tools, and a model of ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from scrubjay import Bank, Memory
from scrubjay.integrations.openai_agents import memory_tools

set_tracing_disabled(True)  # traces would be sent, if there were a key


class Script(Model):
    """Calls these tools in turn, then says that it is done; keeps what tools answered."""

    def __init__(self, *calls: tuple[str, dict[str, str]]) -> None:
        self.left = list(calls)
        self.seen: Any = None

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:  # noqa: ANN401
        self.seen = args[1] if len(args) > 1 else kwargs["input"]
        if self.left:
            name, given = self.left.pop(0)
            call = ResponseFunctionToolCall(
                type="function_call", name=name, arguments=json.dumps(given), call_id=name
            )
            return ModelResponse(output=[call], usage=Usage(), response_id=None)
        text = ResponseOutputText(type="output_text", text="done", annotations=[])
        said = ResponseOutputMessage(
            id="m", type="message", role="assistant", status="completed", content=[text]
        )
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:  # noqa: ANN401
        raise NotImplementedError


@pytest.fixture
def bank() -> Iterator[Bank]:
    with Memory.open(":memory:", encoder="hash") as memory:
        yield memory.bank("agent")


def outputs(model: Script, bank: Bank, *, forgets: bool = False) -> list[str]:
    agent = Agent(name="helper", model=model, tools=[*memory_tools(bank, forgets=forgets)])
    assert asyncio.run(Runner.run(agent, "Go on.")).final_output == "done"
    return [item["output"] for item in model.seen if item.get("type") == "function_call_output"]


def test_an_agent_tells_its_memory_and_another_run_asks_it(bank: Bank) -> None:
    telling = Script(("remember", {"text": "The staging host is called heron."}))
    assert outputs(telling, bank)[0].startswith("Kept as ")
    (said,) = outputs(Script(("recall", {"question": "What is the staging host called?"})), bank)
    assert "heron" in said
    assert said.startswith("<memories>")


def test_forgetting_is_offered_only_where_it_is_wanted(bank: Bank) -> None:
    assert [tool.name for tool in memory_tools(bank)] == ["recall", "remember"]
    bank.retain("The staging host is called heron.")
    (unit,) = bank.list().units
    script = Script(("forget", {"memory_id": unit.id}), ("forget", {"memory_id": unit.id}))
    said = outputs(script, bank, forgets=True)
    assert said[0] == "Erased."
    assert bank.stats().units == 0
