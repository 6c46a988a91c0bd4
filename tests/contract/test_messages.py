"""Conversations are kept as the chat APIs have them, in every backend alike."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from scrubjay import BadInput, Memory, StoredUnit
from scrubjay.testing import FixedClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

OPENAI_CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "You plan trips."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "Where was this taken?"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        ],
    },
    {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "annotations": [],
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "find_place", "arguments": '{"near": "Ullapool"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "call_1", "content": "Stac Pollaidh"},
    {"role": "assistant", "content": "On Stac Pollaidh.", "audio": None},
]
OPENAI_RESPONSES: list[dict[str, Any]] = [
    {"type": "message", "role": "user", "content": [
        {"type": "input_text", "text": "Where was this taken?"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
    ]},
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hills."}]},
    {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "find_place",
     "arguments": '{"near": "Ullapool"}', "status": "completed"},
    {"type": "function_call_output", "call_id": "call_1", "output": "Stac Pollaidh"},
    {"type": "web_search_call", "id": "ws_1", "status": "completed"},
    {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [
        {"type": "output_text", "text": "On Stac Pollaidh.", "annotations": [], "logprobs": []},
    ]},
]  # fmt: skip
ANTHROPIC: list[dict[str, Any]] = [
    {"role": "user", "content": [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
        {"type": "text", "text": "Where was this taken?", "cache_control": {"type": "ephemeral"}},
    ]},
    {"role": "assistant", "stop_reason": "tool_use", "content": [
        {"type": "thinking", "thinking": "Hills.", "signature": "x"},
        {"type": "tool_use", "id": "call_1", "name": "find_place", "input": {"near": "Ullapool"}},
    ]},
    {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "call_1", "is_error": False, "content": [
            {"type": "text", "text": "Stac Pollaidh"},
        ]},
    ]},
    {"role": "assistant", "content": "On Stac Pollaidh.", "usage": {"input_tokens": 12}},
]  # fmt: skip
LANGCHAIN: list[dict[str, Any]] = [
    {"type": "human", "data": {"content": "Where was this taken?", "additional_kwargs": {}}},
    {"type": "ai", "content": "", "response_metadata": {}, "tool_calls": [
        {"name": "find_place", "args": {"near": "Ullapool"}, "id": "call_1", "type": "tool_call"},
    ]},
    {"type": "tool", "content": "Stac Pollaidh", "name": "find_place", "tool_call_id": "call_1"},
    {"lc": 1, "type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": {
        "content": "On Stac Pollaidh.", "type": "ai"}},
]  # fmt: skip
CONVERSATIONS = {
    "OpenAI's chat": OPENAI_CHAT[1:],
    "OpenAI's responses": OPENAI_RESPONSES,
    "Anthropic's": ANTHROPIC,
    "LangChain's": LANGCHAIN,
}


def units(memory: Memory) -> list[StoredUnit]:
    return [*memory.list().units]


@pytest.mark.parametrize("told", CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_a_conversation_of_each_api_is_kept_turn_by_turn(
    memory: Memory, told: list[dict[str, Any]]
) -> None:
    kept = memory.retain(told, session="trip")

    asked, call, answer, said = (memory.get(unit) for unit in kept.ids)
    assert (asked.speaker, asked.text) == ("user", "Where was this taken?")
    assert call.speaker == "assistant"
    assert call.text.startswith("find_place(") and "Ullapool" in call.text
    assert (answer.speaker, answer.text) == ("find_place", "Stac Pollaidh")
    assert (said.speaker, said.text) == ("assistant", "On Stac Pollaidh.")
    assert {unit.type for unit in units(memory)} == {"message"}
    for unit in (call, answer):
        assert unit.metadata == {"tool": "find_place", "call": "call_1"}


@pytest.mark.parametrize("api", ["OpenAI's chat", "OpenAI's responses", "Anthropic's"])
def test_a_picture_is_named_and_its_bytes_are_not_kept(memory: Memory, api: str) -> None:
    kept = memory.retain(CONVERSATIONS[api])

    asked = memory.get(kept.id)
    assert asked.metadata == {"parts": ["image"]}
    assert not any("AAAA" in unit.text for unit in units(memory))


def test_a_turn_that_is_only_a_picture_is_a_turn(memory: Memory) -> None:
    told = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}

    assert memory.get(memory.retain(told).id).text == "[image]"


def test_the_messages_of_a_request_are_kept_as_it_was_sent(memory: Memory) -> None:
    request: dict[str, Any] = {
        "model": "some-model",
        "messages": [{"role": "user", "content": "Call me Jo."}],
    }

    assert memory.get(memory.retain(request).id).text == "Call me Jo."
    request |= {"session": "intro", "tags": ["app"]}
    kept = memory.get(memory.retain(request).id)
    assert (kept.session, kept.tags) == ("intro", ("app",))


class Shown:
    """A message as the libraries of the APIs hold it."""

    def model_dump(self) -> dict[str, Any]:
        return {"role": "assistant", "content": "On Stac Pollaidh.", "tool_calls": None}


def test_the_message_objects_of_libraries_are_taken_among_others(memory: Memory) -> None:
    kept = memory.retain([{"role": "user", "content": "Where?"}, Shown()])  # type: ignore[list-item]

    assert [memory.get(unit).speaker for unit in kept.ids] == ["user", "assistant"]


def test_a_bank_may_leave_out_what_tools_say(memory: Memory) -> None:
    bank = memory.bank("quiet", tool_messages=False)

    kept = bank.retain(OPENAI_CHAT, session="trip", metadata={"from": "app"})

    assert kept.left_out == 2
    assert [bank.get(unit).speaker for unit in kept.ids] == ["system", "user", "assistant"]
    assert bank.get(kept.id).metadata == {"from": "app"}
    nothing = bank.retain(OPENAI_CHAT[2:4])
    assert (nothing.ids, nothing.left_out) == ((), 2)


def test_a_tool_is_nobody(memory: Memory) -> None:
    memory.retain({"role": "tool", "name": "Weather", "content": "It rains."})

    assert "Weather" not in {entity.name for entity in memory.entities()}


@pytest.mark.parametrize("key", ["timestamp", "created_at", "date", "at", "told_at"])
@pytest.mark.parametrize(
    "when",
    [
        "2026-03-02T12:00:00+00:00",
        "2026-03-02T12:00:00Z",
        "2026-03-02",
        1772452800,
        1772452800.0,
        1772452800000,
        "1772452800",
        NOON,
        date(2026, 3, 2),
    ],
    ids=str,
)
def test_a_message_says_when_in_any_common_form(memory: Memory, key: str, when: object) -> None:
    kept = memory.retain({"role": "user", "content": "Call me Jo.", key: when})

    assert memory.get(kept.id).told_at == NOON


GOOD = {"role": "user", "content": "Call me Jo."}
BAD: dict[str, tuple[object, str]] = {
    "a number for content": ({"role": "user", "content": 7}, r"messages\[1\].content"),
    "a part without text": (
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text"}]},
        r"messages\[1\].content\[1\]",
    ),
    "a part that is a number": ({"role": "user", "content": ["a", 7]}, r"messages\[1\]"),
    "nothing said": ({"role": "user"}, r"messages\[1\] without text"),
    "empty": ({"role": "user", "content": ""}, r"messages\[1\]"),
    "a misspelt key": ({"rol": "user", "content": "x"}, r"messages\[1\].*'rol'"),
    "a time without a zone": (
        {**GOOD, "timestamp": "2026-03-02T12:00:00"},
        r"messages\[1\].timestamp.*zone",
    ),
    "a day as a number": ({**GOOD, "timestamp": 20260302}, r"messages\[1\].timestamp"),
    "a time in words": ({**GOOD, "date": "last tuesday"}, r"messages\[1\].date"),
    "true for a time": ({**GOOD, "date": True}, r"messages\[1\].date"),
    "endless time": ({**GOOD, "date": float("inf")}, r"messages\[1\].date"),
    "a NUL": ({"role": "user", "content": "a\x00b"}, r"messages\[1\]"),
    "calls that are text": ({**GOOD, "tool_calls": "all"}, r"messages\[1\].tool_calls"),
}


@pytest.mark.parametrize(("bad", "shown"), BAD.values(), ids=BAD)
def test_a_bad_message_is_named_by_its_place_and_nothing_is_kept(
    memory: Memory, bad: object, shown: str
) -> None:
    with pytest.raises(BadInput, match=shown):
        memory.retain([GOOD, bad])  # type: ignore[list-item]

    assert units(memory) == []


def test_keys_that_an_api_adds_later_do_no_harm(memory: Memory) -> None:
    told = {**GOOD, "reasoning_content": "...", "provider_specific_fields": {"a": 1}, "logprobs": 0}

    assert memory.get(memory.retain(told).id).text == GOOD["content"]


def test_a_conversation_told_again_is_known(memory: Memory) -> None:
    first = memory.retain(ANTHROPIC, session="trip")
    again = memory.retain(ANTHROPIC, session="trip")

    assert again.duplicates == first.ids and not again.new


def test_a_conversation_that_was_just_active_is_the_present_one(
    memory: Memory, clock: FixedClock
) -> None:
    last = clock.now - timedelta(days=3)
    memory.retain({"content": "Until soon.", "timestamp": last}, session="first")
    memory.retain({"content": "Hello again."}, session="second")

    window = memory.parse("What happened since we last talked?").window
    assert window is not None and window.start == last
    memory.end_session("second", at=clock.now)
    window = memory.parse("What happened since we last talked?").window
    assert window is not None and window.start == clock.now


GEMINI: list[dict[str, Any]] = [
    {"role": "user", "parts": [
        {"text": "Where was this taken?"}, {"inlineData": {"mimeType": "image/png"}},
    ]},
    {"role": "model", "parts": [
        {"functionCall": {"name": "find_place", "args": {"near": "Ullapool"}, "id": "call_1"}},
    ]},
    {"role": "user", "parts": [
        {"functionResponse": {"name": "find_place", "id": "call_1", "response": {"hill": "Stac"}}},
    ]},
    {"role": "model", "parts": [{"text": "On Stac Pollaidh."}]},
]  # fmt: skip
BEDROCK: list[dict[str, Any]] = [
    {"role": "user", "content": [{"text": "Where was this taken?"}]},
    {"role": "assistant", "content": [
        {"toolUse": {"toolUseId": "call_1", "name": "find_place", "input": {"near": "Ullapool"}}},
    ]},
    {"role": "user", "content": [
        {"toolResult": {"toolUseId": "call_1", "content": [{"text": "Stac"}]}},
    ]},
    {"role": "assistant", "content": [{"text": "On Stac Pollaidh."}]},
]  # fmt: skip
VERCEL: list[dict[str, Any]] = [
    {"id": "1", "role": "user", "parts": [{"type": "text", "text": "Where was this taken?"}]},
    {"id": "2", "role": "assistant", "parts": [
        {"type": "step-start"},
        {"type": "tool-find_place", "toolCallId": "call_1", "state": "input-available",
         "input": {"near": "Ullapool"}},
    ]},
    {"id": "3", "role": "assistant", "parts": [{"type": "text", "text": "On Stac Pollaidh."}]},
]  # fmt: skip


@pytest.mark.parametrize("messages", [GEMINI, BEDROCK, VERCEL])
def test_messages_in_parts_are_read_with_their_tools(
    memory: Memory, messages: list[dict[str, Any]]
) -> None:
    kept = [memory.get(unit) for unit in memory.retain(messages, session="s").ids]

    assert (kept[0].speaker, kept[0].text) == ("user", "Where was this taken?")
    assert (kept[1].speaker, kept[1].text) == ("assistant", 'find_place({"near": "Ullapool"})')
    assert kept[1].metadata == {"tool": "find_place", "call": "call_1"}
    assert (kept[-1].speaker, kept[-1].text) == ("assistant", "On Stac Pollaidh.")
    if messages is not VERCEL:
        assert kept[2].speaker == "find_place" and "Stac" in kept[2].text
        assert kept[2].metadata == {"tool": "find_place", "call": "call_1"}


def test_a_tool_that_answers_in_its_own_message_is_called_before_it_answers(
    memory: Memory,
) -> None:
    parts = [
        {"type": "tool-find_place", "toolCallId": "call_1", "state": "output-available",
         "input": {"near": "Ullapool"}, "output": "Stac"},
        {"type": "text", "text": "On Stac Pollaidh."},
    ]  # fmt: skip
    told = memory.retain({"role": "assistant", "parts": parts}, session="s")
    kept = [memory.get(unit) for unit in told.ids]
    assert [(unit.speaker, unit.text) for unit in kept] == [
        ("assistant", 'find_place({"near": "Ullapool"})'),
        ("find_place", "Stac"),
        ("assistant", "On Stac Pollaidh."),
    ]


def test_a_whole_request_of_either_kind_is_its_messages(memory: Memory) -> None:
    assert len(memory.retain({"contents": GEMINI}).ids) == len(GEMINI)
    with pytest.raises(BadInput, match="contents"):
        memory.retain({"role": "user", "contents": "Hello there."})
