"""A language model may add facts; whatever it does, nothing told is lost and all is reported."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from tests.encoder.scripted_server import Asked, Reply, Script, ServerPark, as_json
from tests.surface.http.http_server import running

from scrubjay import BadInput, Memory
from scrubjay.client import HttpMemory
from scrubjay.engine.extract import Extracted, Extractor, LlmSettings
from scrubjay.patience import Patience
from scrubjay.types.graph import LinkKind
from scrubjay.types.values import Json

NOTE = "Ines soldered the beacon on 3 May 2026 because the old joint had cracked."
FACTS: list[Json] = [
    {
        "text": "Ines soldered the beacon.", "predicate": "soldered the beacon", "type": "event",
        "occurred_start": "2026-05-03T00:00:00+00:00", "occurred_end": "2026-05-03T23:59:59+00:00",
        "entities": ["Ines", "beacon"],
        "relations": [{"subject": "Ines", "relation": "maintains", "object": "beacon"}],
    },
    {"text": "The old joint of the beacon had cracked.", "type": "fact",
     "causes": [{"fact": 0, "kind": "causes"}]},
]  # fmt: skip
QUICK = Patience(timeout_s=0.3, attempts_max=2, first_wait_s=0.01, deadline_s=60)


def completion(content: str | None, **message: Json) -> Reply:
    """A chat completion as servers give it."""
    choice = {
        "message": {"role": "assistant", "content": content, **message},
        "finish_reason": "stop",
    }
    usage = {"prompt_tokens": 200, "completion_tokens": 50}
    return as_json({"choices": [choice], "usage": usage})


def facts(*given: Json) -> Reply:
    return completion(json.dumps({"facts": list(given)}))


@pytest.fixture
def park() -> Iterator[ServerPark]:
    servers = ServerPark()
    yield servers
    servers.stop()


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", encoder="hash", reranker=None) as opened:
        yield opened


def extracted(park: ServerPark, memory: Memory, script: Script) -> Extracted:
    url = park.start(script).url
    settings = LlmSettings(url, "tiny", "secret", price_in=1.0, price_out=4.0, patience=QUICK)
    return memory.extract(NOTE, extractor=Extractor(settings), tags=["tower"], session="dock",
                          told_at=datetime(2026, 5, 4, tzinfo=UTC))  # fmt: skip


@pytest.mark.parametrize("given", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
def test_the_model_is_asked_at_its_address_however_it_is_written(
    park: ServerPark, memory: Memory, given: str
) -> None:
    server = park.start(lambda _: facts(*FACTS))
    extractor = Extractor(LlmSettings(f"{server.url}{given}", "tiny", patience=QUICK))
    assert len(memory.extract(NOTE, extractor=extractor).facts.new) == 2
    assert {asked.path for asked in server.asked} == {"/v1/chat/completions"}


def test_facts_are_kept_beside_the_words_with_all_they_say(
    park: ServerPark, memory: Memory
) -> None:
    done = extracted(park, memory, lambda _: facts(*FACTS))
    assert not done.troubles
    verbatim = memory.get(done.retained.id)
    assert verbatim.text == NOTE
    event, cause = (memory.get(unit) for unit in done.facts.ids)
    assert (event.type, event.predicate) == ("event", "soldered the beacon")
    assert event.occurred_start == datetime(2026, 5, 3, tzinfo=UTC)
    assert {"Ines", "beacon"} <= set(event.entities)
    assert (event.tags, event.session, event.told_at) == (
        ("tower",), "dock", verbatim.told_at,
    )  # fmt: skip
    assert dict(event.metadata) == {"extracted_from": verbatim.id}
    kinds = {(link.source, link.kind, link.target) for link in memory.links(cause.id)}
    assert (cause.id, LinkKind.CAUSES, event.id) in kinds
    assert [one.relation for one in memory.relations()] == ["maintains"]
    found = memory.recall("Who soldered the beacon?")
    assert {item.id for item in found} & set(done.facts.ids)


def test_tokens_and_cost_are_counted(park: ServerPark, memory: Memory) -> None:
    done = extracted(park, memory, lambda _: facts(*FACTS))
    assert (done.usage.requests, done.usage.prompt_tokens) == (1, 200)
    assert done.usage.completion_tokens == 50
    assert done.usage.cost == pytest.approx((200 * 1.0 + 50 * 4.0) / 1e6)


def test_the_model_is_asked_as_the_interface_says(park: ServerPark, memory: Memory) -> None:
    seen: list[Asked] = []

    def script(asked: Asked) -> Reply:
        seen.append(asked)
        return facts()

    done = extracted(park, memory, script)
    assert done.facts.ids == ()
    (asked,) = seen
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["Authorization"] == "Bearer secret"
    assert asked.body["model"] == "tiny"
    messages = asked.body["messages"]
    assert isinstance(messages, list)
    assert json.loads(messages[1]["content"])["text"] == NOTE


def test_extracting_again_updates_the_facts_instead_of_doubling_them(
    park: ServerPark, memory: Memory
) -> None:
    first = extracted(park, memory, lambda _: facts(*FACTS))
    changed = {"text": "Ines soldered the beacon at noon.", "type": "event"}
    again = extracted(park, memory, lambda _: facts(changed, FACTS[1]))
    assert again.retained.duplicates == first.retained.ids
    assert memory.stats().units == 3
    assert memory.get(first.facts.ids[0]).text == "Ines soldered the beacon at noon."


NEVER = threading.Event()
MISBEHAVIOUR: dict[str, tuple[Reply, str]] = {
    "prose": (completion("Sure! Here are the facts you asked for."), "not JSON"),
    "half an answer": (completion('{"facts": [{"text": "Ines'), "not JSON"),
    "another shape": (completion('[{"text": "x"}]'), "not {"),
    "more than was asked for": (completion('{"facts": [], "note": "hi"}'), "not {"),
    "a deep nest": (completion("[" * 100_000), "not JSON"),
    "a flood": (facts(*[{"text": f"Fact {n} of many."} for n in range(51)]), "51 facts"),
    "nothing": (completion(None), "answered nothing"),
    "a refusal": (completion(None, refusal="I cannot help with that."), "refused"),
    "an answer cut off": (
        as_json({"choices": [{"message": {"content": "{"}, "finish_reason": "length"}]}), "cut off",
    ),
    "no choices": (as_json({"choices": []}), "not a chat completion"),
    "a list": (as_json([1, 2]), "not a chat completion"),
    "HTML": (Reply(b"<html>gateway</html>"), "did not answer with JSON"),
    "a wrong key": (as_json({"error": "bad key"}, 401), "HTTP 401"),
    "an overloaded server": (as_json({}, 503), "HTTP 503"),
    "a short body": (Reply(b'{"choices"', declared=400), "failed"),
    "silence": (Reply(hold=NEVER), "timeout"),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "reason"), MISBEHAVIOUR.values(), ids=MISBEHAVIOUR)
def test_whatever_the_model_does_the_words_are_kept_and_the_trouble_is_named(
    park: ServerPark, memory: Memory, reply: Reply, reason: str
) -> None:
    if reply.hold is not None:
        reply.hold.clear()
    done = extracted(park, memory, lambda _: reply)
    NEVER.set()
    assert memory.get(done.retained.id).text == NOTE
    assert done.facts.ids == ()
    assert memory.stats().units == 1
    (trouble,) = done.troubles
    assert trouble.unit == done.retained.id
    assert reason in trouble.reason


BAD_FACTS: dict[str, Json] = {
    "no object": "Ines",
    "no text": {"type": "fact"},
    "an unknown type": {"text": "x y", "type": "beacon"},
    "an unknown field": {"text": "x y", "mood": "good"},
    "a time that is none": {"text": "x y", "occurred_start": "last spring"},
    "a time without zone": {"text": "x y", "occurred_start": "2026-05-03T00:00:00"},
    "an id of its own": {"text": "x y", "id": "00000000000000000000"},
    "a key of its own": {"text": "x y", "key": "mine"},
    "an end before its start": {"text": "x y", "valid_from": "2026-05-03T00:00:00Z",
                                "valid_to": "2026-05-01T00:00:00Z"},
    "half a relation": {"text": "x y", "relations": [{"subject": "Ines"}]},
    "numbers as names": {"text": "x y", "entities": [1, 2]},
}  # fmt: skip


@pytest.mark.parametrize("bad", BAD_FACTS.values(), ids=BAD_FACTS)
def test_a_bad_fact_is_left_out_and_the_good_ones_stay(
    park: ServerPark, memory: Memory, bad: Json
) -> None:
    done = extracted(park, memory, lambda _: facts(bad, FACTS[0]))
    assert [memory.get(unit).text for unit in done.facts.ids] == ["Ines soldered the beacon."]
    assert [trouble.reason.split(":")[0] for trouble in done.troubles] == ["fact 0"]


@pytest.mark.parametrize("cause", [{"fact": 7}, {"fact": 0}, {"fact": "0"}, 5, {"fact": True}])
def test_a_cause_that_names_no_other_fact_is_left_out(
    park: ServerPark, memory: Memory, cause: Json
) -> None:
    done = extracted(park, memory, lambda _: facts({"text": "It rained.", "causes": [cause]}))
    assert len(done.facts.ids) == 1
    assert "names no other fact" in done.troubles[0].reason


def test_an_answer_in_a_fence_is_read(park: ServerPark, memory: Memory) -> None:
    fenced = "```json\n" + json.dumps({"facts": FACTS[:1]}) + "\n```"
    assert len(extracted(park, memory, lambda _: completion(fenced)).facts.ids) == 1


def test_of_several_notes_one_failure_costs_only_its_own_facts(
    park: ServerPark, memory: Memory
) -> None:
    def script(asked: Asked) -> Reply:
        said = json.dumps(asked.body)
        return completion("no") if "second" in said else facts({"text": f"Fact {len(said)}."})

    settings = LlmSettings(park.start(script).url, "tiny", patience=QUICK)
    done = memory.extract(
        ["The first note.", "The second note!", "The third, longer note."],
        extractor=Extractor(settings),
    )
    assert (len(done.retained.ids), len(done.facts.ids), len(done.troubles)) == (3, 2, 1)
    assert done.usage.requests == 3
    assert done.usage.cost is None


def test_the_endpoint_comes_from_the_environment(
    park: ServerPark, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCRUBJAY_LLM_URL", raising=False)
    with pytest.raises(BadInput, match="SCRUBJAY_LLM_URL"):
        memory.extract(NOTE)
    assert memory.banks() == [] or memory.stats().units == 0
    monkeypatch.setenv("SCRUBJAY_LLM_URL", park.start(lambda _: facts(*FACTS)).url)
    monkeypatch.setenv("SCRUBJAY_LLM_MODEL", "tiny")
    monkeypatch.setenv("SCRUBJAY_LLM_PRICES", "0.5,2")
    assert len(memory.extract(NOTE).facts.ids) == 2
    monkeypatch.setenv("SCRUBJAY_LLM_PRICES", "cheap")
    with pytest.raises(BadInput, match="PRICES"):
        memory.extract(NOTE)


def test_a_server_extracts_when_asked_to(park: ServerPark, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUBJAY_LLM_URL", park.start(lambda _: facts(*FACTS)).url)
    monkeypatch.setenv("SCRUBJAY_LLM_MODEL", "tiny")
    with running() as server, HttpMemory(server.url) as remote:
        done = remote.extract(NOTE)
        assert (len(done.retained.new), len(done.facts.ids)) == (1, 2)
        assert done.usage.prompt_tokens == 200
        monkeypatch.delenv("SCRUBJAY_LLM_URL")
        with pytest.raises(BadInput, match="SCRUBJAY_LLM_URL"):
            remote.extract(NOTE)
