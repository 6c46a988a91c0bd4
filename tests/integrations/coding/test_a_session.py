"""A coding agent's sessions end to end: its own configuration, real processes, real files.

The hooks are run as the client runs them: the very command in its configuration, by a shell, with
the event on standard input.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

from scrubjay.errors import StoreLocked
from scrubjay.integrations.coding import hook
from scrubjay.integrations.coding.places import USER_BANK, bank_of
from scrubjay.integrations.coding.server import ask_end, ask_status
from scrubjay.memory import Memory
from scrubjay.surface.mcp.sharing import SharedStore

SECONDS = 300
T = TypeVar("T")
Use = Callable[[ClientSession], Awaitable[T]]
ID = re.compile(r'<memory id="(\w+)"')


@dataclass(frozen=True)
class Computer:
    """Somebody's machine: a home, two repositories, and Claude Code with our plugin."""

    home: Path
    environment: dict[str, str]

    @property
    def store(self) -> Path:
        return self.home / "store"

    @property
    def shop(self) -> Path:
        return self.home / "code" / "shop"

    @property
    def blog(self) -> Path:
        return self.home / "code" / "blog"

    def scrubjay(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "scrubjay.surface.cli", *arguments]
        done = subprocess.run(
            command, env=self.environment, cwd=self.shop, timeout=SECONDS, check=True,
            capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout

    def hook(self, name: str, event: dict[str, object], *, cwd: Path | None = None) -> str:
        plugin = self.home / ".claude/skills/scrubjay"
        hooks = json.loads((plugin / "hooks/hooks.json").read_text(encoding="utf-8"))["hooks"]
        place = cwd or self.shop
        done = subprocess.run(
            ["/bin/sh", "-c", hooks[name][0]["hooks"][0]["command"]],
            input=json.dumps({"hook_event_name": name, "cwd": str(place), **event}),
            env=self.environment, cwd=place, timeout=SECONDS, check=True, capture_output=True,
            text=True,
        )  # fmt: skip
        assert done.stderr == ""
        return done.stdout

    def told(self, prompt: str, session: str, *, cwd: Path | None = None) -> str:
        """What the agent is told before a prompt; "" for nothing."""
        said = self.hook("UserPromptSubmit", {"session_id": session, "prompt": prompt}, cwd=cwd)
        if not said:
            return ""
        answer = json.loads(said)["hookSpecificOutput"]
        assert answer["hookEventName"] == "UserPromptSubmit"
        context = answer["additionalContext"]
        assert isinstance(context, str)
        return context

    def with_tools(
        self, use: Callable[[ClientSession], Awaitable[T]], cwd: Path | None = None
    ) -> T:
        """What the client does with the server that its configuration names."""
        configured = self.home / ".claude/skills/scrubjay/.mcp.json"
        server = json.loads(configured.read_text(encoding="utf-8"))["mcpServers"]["scrubjay"]
        started = StdioServerParameters(
            command=server["command"], args=server["args"], env=self.environment,
            cwd=cwd or self.shop,
        )  # fmt: skip

        async def run() -> T:
            async with (
                stdio_client(started) as (reading, writing),
                ClientSession(reading, writing) as session,
            ):
                await session.initialize()
                return await use(session)

        return anyio.run(run)

    def keep(self, session: str, *texts: str, cwd: Path | None = None) -> None:
        """A session in which the user says this, kept when it ends."""
        transcript = self.home / f"{session}.jsonl"
        lines = [line("user", text, session, number) for number, text in enumerate(texts, 1)]
        transcript.write_text("".join(lines), encoding="utf-8")
        stopped: dict[str, object] = {"session_id": session, "transcript_path": str(transcript)}
        self.hook("Stop", stopped, cwd=cwd)
        self.wait_for_server()
        self.settle()
        transcript.unlink()

    def files_with(self, text: str) -> list[Path]:
        """The files of the store with a text in their bytes."""
        files = [path for path in self.store.rglob("*") if path.is_file()]
        return [path for path in files if text.encode() in path.read_bytes()]

    def kept(self, bank: str) -> list[str]:
        with Memory.open(self.store, encoder=None, read_only=True) as memory:
            return [unit.text for unit in memory.list(bank=bank).units]

    def settle(self) -> None:
        """Wait until all is kept that was handed over."""
        found = ask_status(self.store / "agents", settled=True)
        assert found is not None
        assert found[1] == 0

    def wait_for_server(self) -> int:
        """Its process. The hook does what an agent's tools do: wait until it listens."""
        command = [sys.executable, "-I", "-S", hook.__file__, "mcp", "claude-code"]
        subprocess.run(
            [*command, str(self.store / "agents")], stdin=subprocess.DEVNULL, timeout=SECONDS,
            check=True, env=self.environment, cwd=self.shop, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        found = ask_status(self.store / "agents")
        assert found is not None
        return found[0]


async def said(session: ClientSession, tool: str, **arguments: object) -> str:
    """What a tool answers, which is no error."""
    answer = await session.call_tool(tool, arguments)
    part = answer.content[0]
    assert isinstance(part, TextContent)
    assert not answer.is_error, part.text
    return part.text


def line(who: str, text: object, session: str, number: int) -> str:
    message = {"role": who, "content": text}
    stamp = f"2026-11-0{session[-1]}T10:00:{number:02}Z"
    return json.dumps(
        {"type": who, "sessionId": session, "uuid": f"{session}-{number}", "timestamp": stamp,
         "cwd": "/code", "message": message}
    ) + "\n"  # fmt: skip


@pytest.fixture(scope="module")
def computer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Computer]:
    home = tmp_path_factory.mktemp("home")
    environment = {**os.environ, "HOME": str(home)}
    environment.pop("SCRUBJAY_STORE", None)
    computer = Computer(home, environment)
    for repository in (computer.shop, computer.blog):
        (repository / ".git").mkdir(parents=True)
    computer.scrubjay("install", "claude-code", "--user", "--store", str(computer.store))
    yield computer
    found = ask_status(computer.store / "agents")
    if found is not None:
        os.kill(found[0], 15)


@pytest.fixture(scope="module")
def first_session(computer: Computer) -> Path:
    """The transcript of a session that ended; when it began, no server was there."""
    transcript = computer.home / "one.jsonl"
    said = [
        line("user", "We deploy with the blue pipeline, and only on Tuesdays.", "s1", 1),
        line("assistant", [{"type": "text", "text": "Understood."}], "s1", 2),
        line("user", "I prefer pytest over unittest in all my projects.", "s1", 3),
    ]
    transcript.write_text("".join(said), encoding="utf-8")
    assert computer.told("We deploy with the blue pipeline.", "s1") == ""
    computer.hook("Stop", {"session_id": "s1", "transcript_path": str(transcript)})
    computer.wait_for_server()
    computer.settle()
    return transcript


@pytest.mark.slow
@pytest.mark.usefixtures("first_session")
def test_the_next_session_remembers(computer: Computer) -> None:
    told = computer.told("How do we deploy, and when?", "s2")
    assert "We deploy with the blue pipeline, and only on Tuesdays." in told
    assert told.startswith("<memories>")
    assert len(told) <= 8_000


@pytest.mark.usefixtures("first_session")
def test_what_has_nothing_to_do_with_it_is_answered_with_silence(computer: Computer) -> None:
    assert computer.told("Who painted the ceiling of the Sistine Chapel?", "s2") == ""
    assert computer.told("/clear", "s2") == ""
    assert computer.told("", "s2") == ""


@pytest.mark.usefixtures("first_session")
def test_a_session_is_not_told_what_was_said_in_it(computer: Computer) -> None:
    assert computer.told("How do we deploy, and when?", "s1") == ""


@pytest.mark.usefixtures("first_session")
def test_another_repository_knows_the_user_but_not_this_one(computer: Computer) -> None:
    assert computer.told("How do we deploy, and when?", "s3", cwd=computer.blog) == ""
    told = computer.told("Should I write this with pytest or unittest?", "s3", cwd=computer.blog)
    assert "I prefer pytest over unittest" in told


@pytest.mark.usefixtures("first_session")
def test_a_preference_is_kept_once_and_known_where_it_was_said(computer: Computer) -> None:
    assert [text for text in computer.kept(USER_BANK) if "pytest" in text]
    assert not [text for text in computer.kept(bank_of(computer.shop)) if "pytest" in text]
    told = computer.told("Should I write this with pytest or unittest?", "s3")
    assert told.count("I prefer pytest over unittest") == 1


@pytest.mark.usefixtures("first_session")
def test_a_transcript_that_is_no_file_keeps_nobody_waiting(computer: Computer) -> None:
    pipe = computer.home / "pipe"
    os.mkfifo(pipe)
    before = computer.kept(bank_of(computer.shop))
    computer.hook("Stop", {"session_id": "s2", "transcript_path": str(pipe)})
    computer.settle()
    assert computer.kept(bank_of(computer.shop)) == before


def test_only_what_is_new_is_kept_and_no_memory_of_a_memory(
    computer: Computer, first_session: Path
) -> None:
    bank = bank_of(computer.shop)
    before = computer.kept(bank)
    told = computer.told("How do we deploy, and when?", "s2")
    injected = f"<system-reminder>\nUserPromptSubmit hook: {told}\n</system-reminder>"
    transcript = first_session.with_name("two.jsonl")
    texts = [f"{injected}\nMove the deploy to Wednesdays.", told, "Rename the queue to jobs."]
    lines = [line("user", text, "s2", number) for number, text in enumerate(texts, 1)]
    transcript.write_text("".join(lines[:2]) + lines[2][:40], encoding="utf-8")  # still writing
    computer.hook("Stop", {"session_id": "s2", "transcript_path": str(transcript)})
    computer.settle()
    transcript.write_text("".join(lines), encoding="utf-8")
    for _ in range(2):
        computer.hook("Stop", {"session_id": "s2", "transcript_path": str(transcript)})
    computer.settle()
    kept = computer.kept(bank)
    assert kept[len(before) :] == ["Move the deploy to Wednesdays.", "Rename the queue to jobs."]


@pytest.mark.usefixtures("first_session")
def test_the_clients_tools_go_through_the_same_server(computer: Computer) -> None:
    async def ask(session: ClientSession) -> str:
        await said(session, "retain", text="The staging host is called heron.")
        return await said(session, "recall", question="What is staging called?")

    assert "heron" in computer.with_tools(ask)
    assert "heron" in computer.told("What is the staging host called?", "s4")


# One says where it is meant for, the other does not.
SECRETS = {
    "s5": "Always use my token ghp_4f9Zx for pushing to origin.",
    "s6": "In all my projects I prefer to push to origin with the token ghp_7kQw2.",
}


@pytest.mark.usefixtures("first_session")
@pytest.mark.parametrize("session", SECRETS)
def test_what_the_agent_erases_is_injected_nowhere_and_in_no_byte(
    computer: Computer, session: str
) -> None:
    token = SECRETS[session].rstrip(".").split("token ")[1].split()[0]
    computer.keep(session, SECRETS[session])
    told = computer.told("Push this to origin with my token.", "s7")
    assert token in told
    shown = [ID.findall(part)[0] for part in told.split("</memory>") if token in part]

    async def erase(session: ClientSession) -> tuple[str, str]:
        found = await said(session, "recall", question="With which token do I push to origin?")
        ids = [ID.findall(part)[0] for part in found.split("</memory>") if token in part]
        assert ids == shown
        assert token in await said(session, "fetch", id=ids[0])
        gone = await said(session, "forget", ids=ids)
        return gone, await said(session, "recall", question="With which token do I push?")

    assert computer.files_with(token) != []
    gone, after = computer.with_tools(erase)
    assert gone == "Erased 1 of 1."
    assert token not in after
    for repository in (computer.shop, computer.blog):
        assert token not in computer.told(
            "Push this to origin with my token.", "s7", cwd=repository
        )
    assert computer.files_with(token) == []


@pytest.mark.usefixtures("first_session")
def test_what_a_hook_shows_of_any_bank_the_tools_can_reach(computer: Computer) -> None:
    computer.keep("s8", "In all my projects I prefer squash merges over merge commits.")
    told = computer.told("Squash merges or merge commits?", "s9", cwd=computer.blog)
    (shown,) = [ID.findall(part)[0] for part in told.split("</memory>") if "squash" in part]

    async def use(session: ClientSession) -> str:
        banks = await said(session, "list_banks")
        assert f"{USER_BANK}: " in banks and bank_of(computer.shop) not in banks
        assert shown in await said(session, "list", bank=USER_BANK)
        assert "Returned" in await said(session, "explain", question="Squash merges?", id=shown)
        await said(session, "feedback", question="Squash merges?", used=[shown])
        await said(session, "update", id=shown, tags=["git"])
        assert shown in await said(session, "search", query="squash merges")
        newer = "In all my projects I prefer rebase merges over squash merges."
        await said(session, "supersede", old=shown, new=newer)
        refused = await session.call_tool("list", {"bank": bank_of(computer.shop)})
        assert refused.is_error  # another repository's
        return await said(session, "recall", question="Which merges do I prefer?")

    found = computer.with_tools(use, computer.blog)
    assert "rebase merges over" in found and shown not in found
    for repository in (computer.shop, computer.blog):
        told = computer.told("Squash merges or merge commits?", "s9", cwd=repository)
        assert "rebase merges over" in told and shown not in told


@pytest.mark.usefixtures("first_session")
def test_what_is_said_of_a_project_is_not_known_in_another(computer: Computer) -> None:
    computer.keep(
        "s9", "Always use `just test` to run the tests.", "I'd like you to rename it to parse_row.",
        "I like the green button, merge it.", "I prefer the second option.", "thanks!",
    )  # fmt: skip
    said_here = ("just test", "parse_row", "green button", "second option", "thanks")
    kept = computer.kept(USER_BANK)
    assert not [text for text in kept for part in said_here if part in text]
    asked = "How do I run the tests?"
    assert "just test" in computer.told(asked, "s2")
    assert "just test" not in computer.told(asked, "s2", cwd=computer.blog)


@pytest.mark.usefixtures("first_session")
def test_what_only_keeps_a_talk_going_is_neither_asked_nor_told(computer: Computer) -> None:
    transcript = computer.home / "courteous.jsonl"
    lines = [line("user", "thanks!", "s1", 41), line("assistant", "Thanks, noted.", "s1", 42)]
    transcript.write_text("".join(lines), encoding="utf-8")
    computer.hook("Stop", {"session_id": "s1", "transcript_path": str(transcript)})
    computer.settle()
    assert "Thanks, noted." in computer.kept(bank_of(computer.shop))
    for prompt in ("thanks!", "Thanks, noted.", "OK, go ahead.", "Merci !", "👍"):
        assert computer.told(prompt, "s2") == ""
    assert "noted" not in computer.told("Did you note my thanks for the noted pipeline?", "s2")


@pytest.mark.usefixtures("first_session")
def test_before_anything_was_said_in_a_repository_its_tools_know_the_user(
    computer: Computer,
) -> None:
    fresh = computer.home / "code" / "fresh"
    (fresh / ".git").mkdir(parents=True)

    async def ask(session: ClientSession) -> str:
        assert "None." in await said(session, "conflicts")
        return await said(session, "recall", question="pytest or unittest?")

    assert "I prefer pytest over unittest" in computer.with_tools(ask, fresh)


def test_a_hook_imports_no_engine_and_hardly_anything() -> None:
    command = [sys.executable, "-I", "-S", "-X", "importtime", hook.__file__]
    done = subprocess.run(
        [*command, "prompt", "claude-code", "/nowhere"], input="{}", capture_output=True, text=True,
        timeout=SECONDS, check=True,
    )  # fmt: skip
    imported = set(re.findall(r"\|\s+([\w.]+)$", done.stderr, re.MULTILINE))
    assert done.stdout == ""
    assert "_socket" in imported
    # What Python itself starts with is two dozen; `json` alone would be as many again.
    assert len(imported) < 45
    assert not {name.partition(".")[0] for name in imported} & {"scrubjay", "numpy", "json", "re"}


def start_server(store: Path, idle_minutes: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "scrubjay.surface.cli", "agents", "serve", "--store", str(store),
         "--encoder", "none", "--idle-minutes", idle_minutes]
    )  # fmt: skip


def test_the_status_says_which_bank_a_directory_uses(computer: Computer) -> None:
    said = computer.scrubjay("agents", "status", "--store", str(computer.store), "--json")
    status = json.loads(said)
    assert status["bank"] == bank_of(computer.shop)
    assert status["running"] is (ask_status(computer.store / "agents") is not None)


def test_of_two_servers_one_stays_and_it_ends_when_idle(tmp_path: Path) -> None:
    servers = [start_server(tmp_path / "store", "0.05") for _ in range(2)]
    assert [server.wait(SECONDS) for server in servers] == [0, 0]
    assert not (tmp_path / "store/agents/socket").exists()
    assert ask_status(tmp_path / "store/agents") is None


def test_a_command_that_cannot_write_says_how_to_end_the_server(tmp_path: Path) -> None:
    store = tmp_path / "store"
    server = start_server(store, "60")
    while ask_status(store / "agents") is None:
        assert server.poll() is None
        threading.Event().wait(0.05)

    def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "scrubjay.surface.cli", *arguments, "--store", str(store)]
        return subprocess.run(command, timeout=SECONDS, check=False, capture_output=True, text=True)

    refused = ran("retain", "The lamp is green.", "--encoder", "none")
    assert refused.returncode == 1
    assert f"by process {server.pid}" in refused.stderr and "scrubjay agents stop" in refused.stderr
    assert ran("agents", "stop", "--json").stdout == f'{{"process": {server.pid}}}\n'
    assert server.wait(SECONDS) == 0
    assert ran("retain", "The lamp is green.", "--encoder", "none").returncode == 0
    assert ran("agents", "stop").stdout == "None was running.\n"


def test_a_server_that_is_part_of_another_program_is_not_ended(tmp_path: Path) -> None:
    home = tmp_path / "agents"
    shared = SharedStore(home)
    shared.hold(lambda: Memory.open(tmp_path, encoder=None))
    try:
        with pytest.raises(StoreLocked, match=f"process {os.getpid()}, the MCP server of a client"):
            ask_end(home)
        assert ask_status(home) is not None
    finally:
        shared.close()
