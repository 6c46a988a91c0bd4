"""Anthropic's memory tool over a bank: every command, and its tool runner against a fake API."""

from __future__ import annotations

import json
from collections.abc import Iterator

import anthropic
import httpx2
import pytest

from scrubjay import Bank, Memory
from scrubjay.errors import BadInput
from scrubjay.integrations.anthropic import ScrubjayMemoryTool


@pytest.fixture
def bank() -> Iterator[Bank]:
    with Memory.open(":memory:", encoder="hash") as memory:
        yield memory.bank("files")


@pytest.fixture
def tool(bank: Bank) -> ScrubjayMemoryTool:
    return ScrubjayMemoryTool(bank)


def do(tool: ScrubjayMemoryTool, command: str, **given: object) -> str:
    return str(tool.call({"command": command, **given}))


def lines(tool: ScrubjayMemoryTool, path: str) -> list[str]:
    return [row.partition("\t")[2] for row in do(tool, "view", path=path).split("\n")[1:]]


@pytest.fixture
def filled(tool: ScrubjayMemoryTool) -> ScrubjayMemoryTool:
    for path, text in {
        "/memories/notes.txt": "one\ntwo\nthree",
        "/memories/people/ada.md": "Ada maintains billing.\n",
        "/memories/people/old/bob.md": "Bob left in May.",
    }.items():
        assert path in do(tool, "create", path=path, file_text=text)
    return tool


def test_a_file_is_read_as_it_was_written(filled: ScrubjayMemoryTool) -> None:
    assert lines(filled, "/memories/notes.txt") == ["one", "two", "three"]
    assert lines(filled, "/memories/people/ada.md") == ["Ada maintains billing.", ""]
    part = do(filled, "view", path="/memories/notes.txt", view_range=[2, 3])
    assert part.endswith("     2\ttwo\n     3\tthree")
    assert do(filled, "view", path="/memories/notes.txt", view_range=[3, -1]).endswith("\tthree")


def test_a_directory_shows_two_levels_with_sizes(filled: ScrubjayMemoryTool) -> None:
    shown = do(filled, "view", path="/memories").split("\n")[1:]
    assert [row.split("\t")[1] for row in shown] == [
        "/memories", "/memories/notes.txt", "/memories/people", "/memories/people/ada.md",
        "/memories/people/old",
    ]  # fmt: skip
    assert shown[1].startswith("13\t")
    assert do(filled, "view", path="/memories/people/old").endswith("/memories/people/old/bob.md")


def test_an_empty_memory_can_be_looked_at(tool: ScrubjayMemoryTool) -> None:
    assert do(tool, "view", path="/memories").endswith("\t/memories")


def test_a_text_that_stands_once_is_replaced(filled: ScrubjayMemoryTool) -> None:
    path = "/memories/notes.txt"
    do(filled, "insert", path=path, insert_line=3, insert_text="two\n")
    twice = do(filled, "str_replace", path=path, old_str="two", new_str="2")
    assert "2, 4" in twice
    assert "did not appear" in do(filled, "str_replace", path=path, old_str="six", new_str="6")
    assert lines(filled, path) == ["one", "two", "three", "two"]
    edited = do(filled, "str_replace", path=path, old_str="three\ntwo", new_str="3")
    assert "edited" in edited
    assert lines(filled, path) == ["one", "two", "3"]


def test_a_line_is_inserted_anywhere_and_nowhere_else(filled: ScrubjayMemoryTool) -> None:
    path = "/memories/notes.txt"
    do(filled, "insert", path=path, insert_line=0, insert_text="zero\n")
    do(filled, "insert", path=path, insert_line=4, insert_text="four")
    assert lines(filled, path) == ["zero", "one", "two", "three", "four"]
    with pytest.raises(ValueError, match="insert_line"):
        do(filled, "insert", path=path, insert_line=6, insert_text="six")


def test_files_and_directories_are_renamed_and_deleted(filled: ScrubjayMemoryTool) -> None:
    do(filled, "rename", old_path="/memories/people", new_path="/memories/team")
    assert lines(filled, "/memories/team/old/bob.md") == ["Bob left in May."]
    taken = do(filled, "rename", old_path="/memories/notes.txt", new_path="/memories/team")
    assert "already exists" in taken
    do(filled, "delete", path="/memories/team/old")
    with pytest.raises(FileNotFoundError, match="does not exist"):
        do(filled, "view", path="/memories/team/old/bob.md")
    assert lines(filled, "/memories/team/ada.md")[0] == "Ada maintains billing."
    filled.clear_all_memory()
    assert do(filled, "view", path="/memories").endswith("\t/memories")


@pytest.mark.parametrize("path", ["/etc/passwd", "/memories/../etc", "memories/x", "/memoriesx/y"])
def test_nothing_is_outside(filled: ScrubjayMemoryTool, path: str) -> None:
    with pytest.raises(ValueError, match="inside /memories"):
        do(filled, "create", path=path, file_text="x")
    with pytest.raises(ValueError, match="inside /memories"):
        do(filled, "rename", old_path="/memories/notes.txt", new_path=path)
    with pytest.raises(ValueError, match="itself"):
        do(filled, "delete", path="/memories")


def test_a_file_that_is_there_is_not_made_again(filled: ScrubjayMemoryTool) -> None:
    with pytest.raises(FileExistsError, match="already exists"):
        do(filled, "create", path="/memories/notes.txt", file_text="other")
    with pytest.raises(BadInput, match="metadata"):
        do(filled, "create", path="/memories/large.txt", file_text="x" * 70_000)
    assert lines(filled, "/memories/notes.txt") == ["one", "two", "three"]


def test_files_are_found_by_what_they_say(filled: ScrubjayMemoryTool, bank: Bank) -> None:
    assert filled
    found = bank.recall("Who maintains billing?")
    assert found.items[0].key == "/memories/people/ada.md"


def test_the_tool_runner_runs_it(tool: ScrubjayMemoryTool) -> None:
    """A model that writes a file, reads it, and ends; over the client's own transport."""
    calls = [
        {"command": "create", "path": "/memories/a.txt", "file_text": "The host is heron."},
        {"command": "view", "path": "/memories/nothing.txt"},
        {"command": "view", "path": "/memories/a.txt"},
    ]
    sent: list[dict[str, object]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(json.loads(request.content))
        done = len(sent) > len(calls)
        use = {"type": "tool_use", "id": f"t{len(sent)}", "name": "memory"}
        said = {"type": "text", "text": "done"}
        content = [said if done else {**use, "input": calls[len(sent) - 1]}]
        return httpx2.Response(
            200,
            json={
                "id": "m", "type": "message", "role": "assistant", "model": "fake",
                "content": content, "stop_reason": "end_turn" if done else "tool_use",
                "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
            },
        )  # fmt: skip

    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    client = anthropic.Anthropic(api_key="none", base_url="http://localhost", http_client=http)
    runner = client.beta.messages.tool_runner(
        model="fake", max_tokens=100, tools=[tool],
        messages=[{"role": "user", "content": "Go on."}],
    )  # fmt: skip
    assert runner.until_done().content[0].text == "done"
    assert sent[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    assert "The host is heron." in json.dumps(sent[-1]["messages"])
    assert "does not exist" in json.dumps(sent[2]["messages"])
