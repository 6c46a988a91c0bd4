"""What an embedded memory refuses, a memory on a server refuses as the same error."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.contract.test_wrong_types import VALUES, calls
from tests.surface.http.http_server import Running, running

from scrubjay import AsyncMemory, BadInput, Memory, NotFound, ScrubjayError, Unit
from scrubjay.errors import StoreClosed

UNIT_OF: Any = Unit
# Ids are the server's own, what becomes of a bank that is not there is not about the value, and an
# emptiness of another kind is no types only where nothing is sent.
_OTHERWISE = {"id", "reembed", "RecallOptions types"}
# One of each kind; every call is a request.
_PLACES = (0, 3, 6, 9, 13, 16, 19, 21, 24)


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as started:
        yield started


@pytest.fixture
def remote(server: Running) -> Iterator[Memory]:
    with Memory.open(server.url) as memory:
        yield memory


def outcome(call: Callable[[], object]) -> str:
    """The class of the error it ends with, if any."""
    try:
        call()
    except ScrubjayError as error:
        return type(error).__name__
    return "taken"


@pytest.mark.parametrize("place", _PLACES)
def test_a_wrong_value_ends_as_in_an_embedded_memory(remote: Memory, place: int) -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as local:
        units = [memory.retain("The ladder is in the barn.").id for memory in (local, remote)]
        pairs = zip(
            calls(local, units[0], VALUES[place]), calls(remote, units[1], VALUES[place]),
            strict=True,
        )  # fmt: skip
        different = []
        for (name, here), (_, there) in pairs:
            wanted, got = outcome(here), outcome(there)
            # A question that is no text finds nothing here, and cannot be sent there.
            unsendable = VALUES[place] == "\ud800" and (wanted, got) == ("taken", "BadInput")
            # A preset travels by its name, so one of the caller's own is refused whatever is in it.
            apart = name in _OTHERWISE or name.startswith("preset ")
            if wanted != got and not apart and not unsendable:
                different.append((name, wanted, got))
            if name.startswith("setting "):
                for memory in (local, remote):
                    with contextlib.suppress(ScrubjayError):
                        memory.delete_bank("other")
        assert not different, f"{VALUES[place]!r:.60}: {different}"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m: m.recall("x", min_score=float("nan")), BadInput),
        (lambda m: m.recall("x", deadline_ms=float("inf")), BadInput),
        (lambda m: m.retain("x", metadata={"a": float("nan")}), BadInput),
        (lambda m: m.retain("x", metadata={1: 2}), BadInput),
        (lambda m: m.retain("a\ud800"), BadInput),
        (lambda m: m.list({"session": "s1"}), BadInput),
        (lambda m: m.list(limit="5"), BadInput),
        (lambda m: m.start_session("q", at="some day"), BadInput),
        (lambda m: m.end_session("q", at="some day"), BadInput),
        (lambda m: m.retain(UNIT_OF("x", told_at="2026-01-01T00:00:00+00:00")), BadInput),
        (lambda m: m.bank("other", timezone=float("nan")), BadInput),
        (lambda m: m.export(5), BadInput),
        (lambda m: m.import_(5), BadInput),
        *((lambda m, v=v: m.get(v), NotFound) for v in ("..", ".", "", 5, None, "\ud800", "a/..")),
    ],
)
def test_what_cannot_be_is_refused_before_it_is_sent(
    remote: Memory, call: Callable[[Any], object], error: type[ScrubjayError]
) -> None:
    with pytest.raises(ScrubjayError) as refused:
        call(remote)
    assert type(refused.value) is error


def test_a_closed_memory_says_so(server: Running, tmp_path: Path) -> None:
    memory = Memory.open(server.url)
    memory.close()
    for call in (
        lambda: memory.recall("x"), lambda: memory.export(tmp_path / "x.jsonl"),
        lambda: memory.banks(), lambda: memory.retain("x", told_at=datetime.now(UTC)),
    ):  # fmt: skip
        with pytest.raises(StoreClosed, match="was closed"):
            call()

    async def later() -> None:
        opened = await AsyncMemory.open(server.url)
        await opened.close()
        with pytest.raises(StoreClosed, match="was closed"):
            await opened.recall("x")

    asyncio.run(later())
