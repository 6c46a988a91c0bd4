"""Google ADK's agents remember across sessions; its runner, its tools, and a model of ours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator

import pytest
from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai.types import Content, Part

from scrubjay import Memory
from scrubjay.integrations.adk import ScrubjayMemoryService

APP, ADA, BOB = "assistant", "ada@home", "bob"


class Model(BaseLlm):
    """Answers the same, and keeps what it was told to do."""

    model: str = "fake"
    asked: list[str] = []  # noqa: RUF012

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        assert not stream
        self.asked.append(f"{llm_request.config.system_instruction} {llm_request.contents}")
        yield LlmResponse(content=Content(role="model", parts=[Part(text="Understood.")]))


@pytest.fixture
def service() -> Iterator[ScrubjayMemoryService]:
    with Memory.open(":memory:", encoder="hash") as memory:
        yield ScrubjayMemoryService(memory)


def event(text: str, number: int = 1, author: str = "user") -> Event:
    content = Content(role=author, parts=[Part(text=text)])
    return Event(id=f"e{number}", author=author, content=content, timestamp=1_767_225_600 + number)


def search(service: ScrubjayMemoryService, query: str, user: str = ADA) -> list[MemoryEntry]:
    asked = service.search_memory(app_name=APP, user_id=user, query=query)
    return asyncio.run(asked).memories


def texts(entries: list[MemoryEntry]) -> list[str | None]:
    return [(entry.content.parts or [Part(text="")])[0].text for entry in entries]


def test_a_later_session_is_told_what_an_earlier_one_said(service: ScrubjayMemoryService) -> None:
    model = Model()
    agent = LlmAgent(name="helper", model=model, tools=[PreloadMemoryTool()])
    sessions = InMemorySessionService()
    runner = Runner(
        app_name=APP, agent=agent, session_service=sessions, memory_service=service
    )  # fmt: skip

    async def say(text: str, session: str) -> None:
        await sessions.create_session(app_name=APP, user_id=ADA, session_id=session)
        said = Content(role="user", parts=[Part(text=text)])
        async for _ in runner.run_async(user_id=ADA, session_id=session, new_message=said):
            pass
        done = await sessions.get_session(app_name=APP, user_id=ADA, session_id=session)
        assert done is not None
        for _ in range(2):  # a session may be added as often as one likes
            await service.add_session_to_memory(done)

    asyncio.run(say("My rabbit is called Clover.", "s1"))
    asyncio.run(say("What is my rabbit called?", "s2"))
    assert "PAST_CONVERSATIONS" not in model.asked[0]
    assert "PAST_CONVERSATIONS" in model.asked[1]
    assert "Clover" in model.asked[1]
    kept = service.bank(APP, ADA).list().units
    assert sorted(unit.text for unit in kept) == sorted(
        ["My rabbit is called Clover.", "What is my rabbit called?", "Understood.", "Understood."]
    )
    assert {unit.speaker for unit in kept} == {"user", "helper"}


def test_users_and_applications_do_not_know_each_other(service: ScrubjayMemoryService) -> None:
    for user in (ADA, BOB):
        told = event(f"The key of {user} lies under the mat.")
        asyncio.run(service.add_events_to_memory(app_name=APP, user_id=user, events=[told]))
    assert texts(search(service, "Where is the key?", BOB)) == [
        "The key of bob lies under the mat."
    ]
    assert search(service, "Where is the key?", "nobody") == []


def test_an_entry_says_who_and_when(service: ScrubjayMemoryService) -> None:
    adding = service.add_events_to_memory(
        app_name=APP, user_id=ADA, events=[event("The ferry leaves at nine.")], session_id="s1",
        custom_metadata={"channel": "phone"},
    )  # fmt: skip
    asyncio.run(adding)
    (found,) = search(service, "When does the ferry leave?")
    assert (found.author, found.timestamp) == ("user", "2026-01-01T00:00:01+00:00")
    assert found.custom_metadata["channel"] == "phone"
    assert 0 < found.custom_metadata["relevance"] <= 1


def test_what_says_nothing_is_not_kept(service: ScrubjayMemoryService) -> None:
    silent = [Event(id="x", author="user"), event("   ", 2)]
    asyncio.run(service.add_events_to_memory(app_name=APP, user_id=ADA, events=silent))
    assert search(service, "anything") == []


def test_a_memory_can_be_told_outright_and_deleted_for_good(service: ScrubjayMemoryService) -> None:
    entry = MemoryEntry(
        content=Content(parts=[Part(text="Ada prefers tea.")]), timestamp="2026-02-01T10:00:00"
    )
    asyncio.run(service.add_memory(app_name=APP, user_id=ADA, memories=[entry]))
    told = event("Ada drinks tea at four.")
    asyncio.run(service.add_events_to_memory(app_name=APP, user_id=ADA, events=[told]))
    found = search(service, "What does Ada drink?")
    assert sorted(map(str, texts(found))) == ["Ada drinks tea at four.", "Ada prefers tea."]
    for one in (*(entry.id for entry in found), "not-there", None):
        asyncio.run(service.delete_memory(app_name=APP, user_id=ADA, memory_id=one))
    asyncio.run(service.add_events_to_memory(app_name=APP, user_id=ADA, events=[told]))
    assert search(service, "What does Ada drink?") == []
