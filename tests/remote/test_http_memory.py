"""A Memory on a server behaves as a Memory in this process does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from tests.surface.http.http_server import Running, running

from scrubjay import AsyncMemory, BadInput, Memory, NotFound, Preset, StoreError, Unit, UnitFilter
from scrubjay.answers import RecallOptions
from scrubjay.client import AsyncHttpMemory, HttpMemory, Patience, ServerRefused
from scrubjay.errors import EncoderError, ImportFailed, StoreFull
from scrubjay.remote.backend import HttpBackend
from scrubjay.remote.transport import Blocking, error_of, server_at
from scrubjay.types.graph import Cause, LinkKind, Relation
from scrubjay.types.values import Window

T = TypeVar("T")
NOW = datetime(2026, 3, 6, tzinfo=UTC)
HURRIED = Patience(timeout_s=5, attempts_max=2, first_wait_s=0.01, deadline_s=60)


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as started:
        yield started


@pytest.fixture
def remote(server: Running) -> Iterator[Memory]:
    with Memory.open(server.url) as memory:
        yield memory


def told() -> list[Unit]:
    """Units that use every field."""
    return [
        Unit("Nadia moved the ferry launch to May.", type="event", key="launch",
             told_at=datetime(2026, 3, 2, 9, 30, tzinfo=UTC), entities=("Nadia",),
             relations=(Relation("Nadia", "leads", "Ferry", confidence=0.5),),
             occurred_start=datetime(2026, 5, 1, tzinfo=UTC),
             occurred_end=datetime(2026, 5, 2, tzinfo=UTC)),
        Unit("Tomas prefers tea over coffee.", type="preference", predicate="prefers tea",
             context="breakfast", tags=("quay",), metadata={"room": {"deck": [1, 2.5, None]}},
             session="kitchen", speaker="Tomas", told_at=datetime(2026, 3, 5, tzinfo=UTC),
             valid_from=datetime(2026, 1, 1, tzinfo=UTC),
             causes=(Cause("launch", LinkKind.ENABLES, 0.5),)),
    ]  # fmt: skip


# What can be asked of a bank that holds `told()`; each must be equal here and over HTTP.
SAME: dict[str, Callable[[Memory, str], object]] = {
    "list": lambda memory, bank: memory.list(bank=bank),
    "filtered list": lambda memory, bank: memory.list(
        UnitFilter(types=("preference",), tags=("quay",),
                   metadata={"room": {"deck": [1, 2.5, None]}},
                   told=Window(datetime(2026, 3, 3, tzinfo=UTC), None)), bank=bank),
    "page": lambda memory, bank: memory.list(bank=bank, limit=1),
    "get": lambda memory, bank: memory.get(memory.list(bank=bank).units[1].id, bank=bank),
    "items": lambda memory, bank: [
        (item.id, item.text, item.type, round(item.score, 6), round(item.relevance, 6),
         item.told_at,
         item.occurred_start, item.tags, dict(item.metadata), item.entities, item.tokens,
         {name: (one.rank, round(one.score, 6), one.path)
          for name, one in item.why.retrievers.items()}, item.why.rerank)
        for item in memory.recall("Who prefers tea?", bank=bank, now=NOW)],
    "recall": lambda memory, bank: [
        (found.question, found.plan, found.window, found.widened, found.degraded, found.tokens,
         found.nothing_relevant, sorted(found.timings), found.as_context())
        for found in [memory.recall("What happened in May 2026?", bank=bank, now=NOW, limit=1)]],
    "missing": lambda memory, bank: [
        (found.missing, found.missing_words)
        for found in [memory.recall("How much does a kilo of tea cost?", bank=bank, now=NOW)]],
    "batch": lambda memory, bank: [
        [item.id for item in found]
        for found in memory.recall_batch(["tea?", "launch?"], bank=bank, now=NOW)],
    "plan": lambda memory, bank: memory.plan("When is the launch?", bank=bank, now=NOW),
    "parse": lambda memory, bank: [
        (read.window, read.window_kind, [one.name for one in read.entities])
        for read in [memory.parse("What did Nadia do in May 2026?", bank=bank, now=NOW)]],
    "an excluding plan": lambda memory, bank: memory.plan(
        'tea -ferry -"over coffee"', bank=bank, now=NOW),
    "explain": lambda memory, bank: [
        (why.step, why.reason, why.rank, why.retrievers.keys(), sorted(why.signs),
         None if why.recency is None else round(why.recency, 6),
         {name: round(value, 6) for name, value in why.signs.items()})
        for unit in memory.list(bank=bank).units
        for why in [memory.explain("What does Tomas prefer?", unit.id, bank=bank, now=NOW)]],
    "entities": lambda memory, bank: memory.entities(bank=bank),
    "some entities": lambda memory, bank: memory.entities(containing="nad", limit=1, bank=bank),
    "sessions": lambda memory, bank: memory.sessions(bank=bank),
    "relations": lambda memory, bank: [
        (one.id, one.subject.name, one.relation, one.object.name, one.confidence)
        for one in memory.relations(bank=bank)],
    "links": lambda memory, bank: memory.links(memory.list(bank=bank).units[1].id, bank=bank),
    "stats": lambda memory, bank: memory.stats(bank=bank),
    "doctor": lambda memory, bank: memory.doctor(bank=bank),
    "settings": lambda memory, bank: memory.bank(bank).settings,
    "info": lambda memory, bank: memory.bank(bank).info(),
}  # fmt: skip


@pytest.fixture(scope="module")
def asked(server: Running) -> str:
    with Memory.open(server.url) as memory:
        memory.retain(told(), bank="asked")
    return "asked"


@pytest.mark.parametrize("ask", SAME.values(), ids=SAME)
def test_an_answer_over_http_is_the_answer_of_the_memory_behind_it(
    ask: Callable[[Memory, str], object], server: Running, remote: Memory, asked: str
) -> None:
    assert ask(remote, asked) == ask(server.memory, asked)


def test_every_field_of_a_unit_travels(server: Running, remote: Memory) -> None:
    remote.retain(told(), bank="fields")
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        memory.retain(told())
        here = memory.list().units
    there = server.memory.list(bank="fields").units
    for one, other in zip(here, there, strict=True):
        for name in ("text", "type", "predicate", "context", "told_at", "occurred_start",
                     "occurred_end", "valid_from", "entities", "tags", "metadata", "session",
                     "speaker", "key"):  # fmt: skip
            assert getattr(one, name) == getattr(other, name), name
    assert len(server.memory.relations(bank="fields")) == 1


def test_a_whole_life_over_http(remote: Memory, tmp_path: Path) -> None:
    bank = remote.bank("life", timezone="Europe/Berlin")
    assert bank.settings.timezone == "Europe/Berlin"
    first = bank.retain("The tide turns at six.", tags=["tide"]).id
    second = remote.retain("The moon is full.", bank="life").id
    assert remote.update(first, text="The tide turns at seven.", bank="life").tags == ("tide",)
    assert bank.update(first, tags=["sea"], occurred="2026-03-02").tags == ("sea",)
    assert bank.update(first, tags=None, occurred=None).tags == ()
    assert bank.get(first).occurred_start is None
    newer = remote.supersede(first, "It turns at eight.", bank="life", at="2026-12-01T00:00:00Z")
    assert newer.supersedes == first
    assert bank.get(first).closed_at == newer.told_at
    newest = remote.supersede(newer.id, "It turns at nine.", bank="life").id
    assert remote.forget(newest, bank="life").left_closed == (newer.id,)
    assert remote.update(newer.id, valid_to=None, bank="life").valid_to is None
    remote.link(second, newer.id, bank="life")
    assert remote.relate("Moon", "moves", "Tide", bank="life", confidence=0.9) > 0
    moon = remote.entities(containing="moon", bank="life")[0]
    assert "luna" in remote.alias_entity(moon.id, "Luna", bank="life").aliases
    split = remote.split_entity(moon.id, "Full Moon", [second], bank="life")
    assert remote.merge_entities(moon.id, split.id, bank="life").id == moon.id
    assert remote.start_session("night", at=NOW, bank="life").started_at == NOW
    assert remote.end_session("night", bank="life").ended_at is not None
    explained = remote.explain("When does the tide turn?", newer.id, bank="life")
    assert explained.returned
    assert remote.retain("Gulls sleep.", bank="life").new
    assert remote.recall("What do gulls do?", bank="life").items[0].text == "Gulls sleep."
    file = tmp_path / "life.jsonl"
    lines = remote.export(file, bank="life")
    assert lines == len(file.read_text(encoding="utf-8").splitlines())
    seen: list[tuple[int, int]] = []
    done = remote.import_(file, bank="copy", progress=lambda *far: seen.append(far))
    assert done.new == 5
    assert seen
    assert remote.reembed("hash", bank="copy") == 5
    assert remote.forget([second], bank="life", compact=True).compacted
    assert remote.forget(UnitFilter(types=("event",)), bank="life").units >= 0
    remote.compact(bank="life")
    assert "life" in [one.name for one in remote.banks()]
    remote.delete_bank("life")
    assert "life" not in [one.name for one in remote.banks()]


def test_errors_are_those_a_local_memory_raises(remote: Memory, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="unknown type") as bad:
        remote.retain("The lamp is lit.", type="beacon", bank="errors")
    assert bad.value.value == "beacon"
    with pytest.raises(NotFound, match="no such unit"):
        remote.get("00000000000000000000", bank="errors")
    with pytest.raises(NotFound, match="no such bank"):
        remote.recall("Who?", bank="nowhere")
    with pytest.raises(BadInput, match="bank name"):
        remote.retain("x", bank="../up")
    with pytest.raises(BadInput, match="unknown option"):
        remote.recall("Who?", bank="errors", colour="red")  # type: ignore[call-arg]
    with pytest.raises(BadInput, match="cannot be sent"):
        remote.recall("Who?", bank="errors", preset=Preset("own"))
    with pytest.raises(BadInput, match="on the server's machine"):
        remote.backup(tmp_path / "copy")
    file = tmp_path / "bad.jsonl"
    file.write_text("not json\n", encoding="utf-8")
    with pytest.raises(ImportFailed) as failed:
        remote.import_(file, bank="errors")
    assert failed.value.problems[0][0] == 1
    with pytest.raises(NotFound):
        remote.export(tmp_path / "none.jsonl", bank="nowhere")
    assert not (tmp_path / "none.jsonl").exists()


def test_a_key_is_sent_and_a_refusal_says_what_is_missing() -> None:
    with running(auth=True) as server:
        key = server.key(notes="read")["Authorization"].removeprefix("Bearer ")
        with Memory.open(server.url) as nobody, pytest.raises(ServerRefused, match="No API key"):
            nobody.banks()
        with Memory.open(server.url, key=key) as reader:
            assert reader.banks() == []
            with pytest.raises(ServerRefused) as refused:
                reader.retain("The pier is closed.", bank="notes")
        assert (refused.value.status, refused.value.kind) == (403, "Forbidden")


def test_the_key_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(auth=True) as server:
        key = server.key(any="read")["Authorization"].removeprefix("Bearer ")
        monkeypatch.setenv("SCRUBJAY_KEY", key)
        with Memory.open(server.url) as memory:
            assert memory.banks() == []


@pytest.mark.parametrize(
    "address",
    [
        "http://",
        "http://user:secret@127.0.0.1:1",
        "http://127.0.0.1:1?key=secret",
        "https:///x",
        "http://[::1",
    ],
)
def test_an_address_that_is_none_is_refused_without_showing_secrets(address: str) -> None:
    with pytest.raises(BadInput) as bad:
        Memory.open(address)
    assert "secret" not in str(bad.value)


def test_a_server_that_is_not_there_is_a_store_error() -> None:
    memory = HttpMemory("http://127.0.0.1:9", patience=HURRIED)
    with memory, pytest.raises(StoreError, match="does not answer"):
        memory.banks()


def test_certificates_are_read_only_where_one_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nonexistent/certificates.pem")
    HttpMemory("HTTP://127.0.0.1:9", patience=HURRIED).close()
    with pytest.raises(OSError, match="No such file"):
        HttpMemory("HTTPS://127.0.0.1:9", patience=HURRIED)


def scripted(
    *answers: httpx.Response | httpx.TransportError,
) -> tuple[Memory, list[httpx.Request]]:
    """A memory whose server answers by a script."""
    backend = HttpBackend("http://127.0.0.1:1", None, HURRIED)
    left, seen = list(answers), list[httpx.Request]()

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        following = left.pop(0)
        if isinstance(following, httpx.TransportError):
            raise following
        return following

    backend.sender.connections = Blocking(
        server_at(backend.location), transport=httpx.MockTransport(answer)
    )
    return Memory(backend), seen


@pytest.mark.parametrize(
    "trouble",
    [httpx.ReadError("cut"), httpx.Response(503, headers={"Retry-After": "0"}, json={}),
     httpx.Response(429, json={}), httpx.Response(409, json={"title": "InProgress"})],
    ids=["cut connection", "overloaded", "too often", "still at work"],
)  # fmt: skip
def test_a_write_is_sent_again_under_the_same_key(
    trouble: httpx.Response | httpx.TransportError,
) -> None:
    memory, seen = scripted(trouble, httpx.Response(200, json={"done": True}))
    with memory:
        memory.compact(bank="notes")
    keys = {request.headers["idempotency-key"] for request in seen}
    assert (len(seen), len(keys)) == (2, 1)


def test_patience_ends() -> None:
    busy = {"title": "Overloaded", "detail": "Too much."}
    memory, seen = scripted(httpx.Response(503, json=busy), httpx.Response(503, json=busy))
    with memory, pytest.raises(ServerRefused, match="Too much"):
        memory.banks()
    assert len(seen) == 2


@pytest.mark.parametrize(
    "answer", [httpx.Response(200, text="<html>"), httpx.Response(200, json=[]),
               httpx.Response(200, json={"banks": [{"name": 5}]}), httpx.Response(502, text="no")]
)  # fmt: skip
def test_an_answer_that_is_none_is_a_store_error(answer: httpx.Response) -> None:
    memory, _ = scripted(answer)
    with memory, pytest.raises(StoreError):
        memory.banks()


def test_problems_become_the_errors_they_were() -> None:
    assert isinstance(error_of(507, {"title": "StoreFull", "detail": "no space"}), StoreFull)
    assert isinstance(error_of(409, {"title": "EncoderMismatch", "detail": "x"}), EncoderError)
    assert isinstance(error_of(404, {"title": "NotFound", "detail": "x"}), NotFound)
    assert isinstance(error_of(500, {}), ServerRefused)


def test_the_async_client_does_the_same_without_threads(server: Running, tmp_path: Path) -> None:
    async def life() -> None:
        async with AsyncHttpMemory(server.url) as memory:
            await memory.retain(["Oars are wooden.", "Sails are white."], bank="async")
            several = await asyncio.gather(
                *(memory.recall(f"What are {what}?", bank="async", limit=1) for what in
                  ("oars", "sails"))
            )  # fmt: skip
            assert [found.items[0].text for found in several] == [
                "Oars are wooden.", "Sails are white.",
            ]  # fmt: skip
            file = tmp_path / "async.jsonl"
            assert await memory.export(file, bank="async") == 2
            assert (await memory.import_(file, bank="async2")).new == 2
            assert (await memory.recall("oars?", bank="async2")).items
            with pytest.raises(NotFound):
                await memory.get("00000000000000000000", bank="async")

    asyncio.run(life())


def test_async_memory_opens_a_server_too(server: Running) -> None:
    async def ask() -> int:
        async with await AsyncMemory.open(server.url) as memory:
            return (await memory.retain("Ropes are tarred.", bank="ropes")).derived.typed

    assert asyncio.run(ask()) == 1


def test_a_bank_takes_options_as_the_local_one_does(remote: Memory) -> None:
    remote.retain(["Kites are red.", "Kites are loud."], bank="kites")
    options = RecallOptions(limit=1)
    assert len(remote.bank("kites").recall("kites?", options)) == 1
    assert len(remote.bank("kites").recall("kites?", options, limit=2)) == 2
