"""A server killed again and again under a client that repeats its calls: each is done once."""

from __future__ import annotations

import asyncio
import logging
import shutil
import signal
import time
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn
from tests.soak.attempts import Attempt, Outcome, faults_of
from tests.soak.changes import MAIN, Open, Performer, opened
from tests.soak.checks import Fault, Harm, settled
from tests.soak.children import Child, Raised, Say
from tests.soak.kills import Begun, Done, Story, erased
from tests.soak.server_files import Client
from tests.soak.states import Change, State, after
from tests.soak.template import Template

from scrubjay import Memory, ScrubjayError
from scrubjay.remote.transport import ServerRefused
from scrubjay.surface.http.app import build_app
from scrubjay.surface.http.handling.service import open_service
from scrubjay.surface.http.serving import Listening, bind, web_server

ERASE = "told, changed and forgotten"
KINDS = (
    "retain", "batch", "keyed", "update", "supersede by text", "forget", "forget and compact",
    "link", "relate", "split", "merge", "create bank", "delete bank", "import", "alias",
    ERASE,
)  # fmt: skip
# What an answer kept for a repeated call could still hold.
_ERASING = ("retain", "update", "supersede by text", "forget and compact", "keyed", "forget")
CALLS, KILLS = 12, 3


@dataclass(frozen=True, slots=True)
class Unsure:
    """The client was told that a call failed, or may be done: it stops."""

    reason: str


@dataclass(slots=True)
class Server:
    """A server process that can be killed, and started again where it listened."""

    store: Path
    port: int = 0

    def start(self) -> Child:
        def serve(say: Say) -> None:
            logging.disable()
            memory = opened(self.store).memory
            service = open_service(memory, self.store / "server")
            bound = bind(Listening(port=self.port))
            server = uvicorn.Server(web_server(build_app(service, memory.close)))
            say(bound.getsockname()[1])
            asyncio.run(server.serve([bound]))

        child = Child(serve)
        self.port = int(str(next(child.hear())))
        return child


def served(attempt: Attempt, template: Template, folder: Path) -> Outcome:
    """Kill the server in the middle of calls; in the end the store holds each of them once."""
    server = Server(shutil.copytree(template.whole, folder / "store"))
    story = Story(template.state)
    said = _called(attempt, server, folder, story, template.client)
    doing = f"{story.pending}, {said}"
    faults = faults_of(lambda: _checked(attempt, server.store, story, said), doing)
    return Outcome(faults, doing if faults else "")


def _called(
    attempt: Attempt, server: Server, folder: Path, story: Story, known: Client
) -> list[object]:
    """Let a client call; every few calls the server dies and comes back. What was odd."""
    chance, odd = attempt.chance("when"), list[object]()
    strikes = set(chance.sample(range(1, CALLS), KILLS))
    running = server.start()
    calls = 0

    def call(say: Say) -> None:
        with Memory.open(f"http://127.0.0.1:{server.port}", key=known.secret) as memory:
            _call(attempt, memory, folder, story.state, say)

    with Child(call) as client:
        for heard in client.hear():
            story.hear(heard)
            if isinstance(heard, Begun):
                calls += 1
                if calls in strikes:
                    time.sleep(chance.random() * 0.03)
                    running.kill()
                    running.wait()
                    running = server.start()
            elif not isinstance(heard, Done):
                odd.append(heard)
    running.interrupt(signal.SIGKILL if attempt.number % 2 else signal.SIGTERM)
    running.wait()
    return odd


def _call(attempt: Attempt, memory: Memory, folder: Path, state: State, say: Say) -> None:
    chooser = attempt.chooser(folder)
    performer = Performer(Open(folder, None, memory))
    chain: tuple[str, ...] = ()
    for number in range(CALLS):
        kinds = _ERASING if attempt.kind == ERASE else ("retain", attempt.kind)
        change = chooser.choose(kinds[number % len(kinds)], state)
        if attempt.kind == ERASE:
            change, chain = _of_the_chain(change, chain)
        say(Begun(change))
        try:
            performer.perform(change)
        except ScrubjayError as error:
            # Turned away, it would attack nothing.
            assert not (isinstance(error, ServerRefused) and error.status in (401, 403)), error
            say(Unsure(f"{type(error).__name__}: {error}"))
            return
        say(Done())
        state = after(state, change)


def _of_the_chain(change: Change, chain: tuple[str, ...]) -> tuple[Change, tuple[str, ...]]:
    """The change made to what was told last, and what is then left of that."""
    if change.kind.startswith("forget"):
        return replace(change, bank=MAIN, targets=chain), ()
    about = chain[-1:] if change.targets else ()
    kept = chain[:-1] if change.kind == "update" else chain
    return replace(change, bank=MAIN, targets=about), kept + change.texts


def _checked(attempt: Attempt, store: Path, story: Story, said: list[object]) -> list[Fault]:
    raised = [each for each in said if isinstance(each, Raised)]
    if raised:
        return [Fault(Harm.RAW, raised[0].story)]
    faults, state = settled(store, story.candidates(), attempt.chance("check"))
    return faults or erased(store, state)
