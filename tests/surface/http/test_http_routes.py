"""Every route does over HTTP what the Memory does in Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.surface.http.http_server import Running, running

from scrubjay.codec.compiled import encode

BANK = "/v1/banks/harbour"


@pytest.fixture
def harbour() -> Iterator[Running]:
    with running() as server:
        told = [
            {"text": "Nadia moved the ferry launch to May.", "type": "event", "key": "launch",
             "told_at": "2026-03-02T09:30:00+00:00", "entities": ["Nadia"]},
            {"text": "Tomas prefers tea over coffee.", "type": "preference", "speaker": "Tomas",
             "session": "kitchen", "metadata": {"room": "galley"}, "tags": ["quay"],
             "told_at": "2026-03-05T08:00:00+00:00"},
        ]  # fmt: skip
        answer = server.client.post(f"{BANK}/memories", json={"units": told})
        assert answer.status_code == 201, answer.text
        yield server


def test_what_was_told_is_recalled_in_the_one_shape(harbour: Running) -> None:
    now = "2026-03-06T00:00:00+00:00"
    asked = {"question": "Who prefers tea?", "now": now, "limit": 1}
    over_http = harbour.json("POST", f"{BANK}/recall", asked)
    direct = encode(harbour.memory.recall("Who prefers tea?", bank="harbour", limit=1, now=now))
    assert isinstance(direct, dict)
    assert over_http["items"] == direct["items"]
    assert over_http["plan"] == direct["plan"]
    assert over_http["items"][0]["text"] == "Tomas prefers tea over coffee."


def test_telling_the_same_again_is_200_and_a_duplicate(harbour: Running) -> None:
    answer = harbour.client.post(f"{BANK}/memories", json={"text": "The crane is blue."})
    again = harbour.client.post(f"{BANK}/memories", json={"text": "The crane is blue."})
    assert (answer.status_code, again.status_code) == (201, 200)
    assert again.json()["duplicates"] == answer.json()["new"]


def test_a_listing_is_filtered_and_goes_on_at_its_cursor(harbour: Running) -> None:
    first = harbour.json("GET", f"{BANK}/memories", params={"limit": 1})
    second = harbour.json("GET", f"{BANK}/memories", params={"cursor": first["cursor"]})
    assert [unit["key"] for unit in first["units"]] == ["launch"]
    assert [unit["speaker"] for unit in second["units"]] == ["Tomas"]
    filters = [
        {"type": "preference"}, {"tag": "quay"}, {"metadata": '{"room": "galley"}'},
        {"session": "kitchen"}, {"speaker": "Tomas"}, {"told_from": "2026-03-04T00:00:00+00:00"},
        {"entity": "Tomas"},
    ]  # fmt: skip
    for one in filters:
        found = harbour.json("GET", f"{BANK}/memories", params=one)["units"]
        assert [unit["speaker"] for unit in found] == ["Tomas"], one


def test_a_memory_is_looked_up_changed_and_erased(harbour: Running) -> None:
    unit = harbour.json("GET", f"{BANK}/memories", params={"key": "launch"})["units"][0]
    address = f"{BANK}/memories/{unit['id']}"
    changed = harbour.json(
        "PATCH",
        address,
        {"tags": ["moved"], "occurred_start": "2026-05-01T00:00:00+00:00", "context": None},
    )
    assert changed["tags"] == ["moved"]
    assert changed["text"] == unit["text"]
    assert changed["occurred_start"] == "2026-05-01T00:00:00+00:00"
    assert harbour.json("GET", address) == changed
    cleared = {
        "tags": None, "occurred_start": None, "context": None, "metadata": None, "speaker": None,
    }  # fmt: skip
    empty = harbour.json("PATCH", address, dict(cleared))
    assert {name: empty[name] for name in cleared} == {**cleared, "tags": [], "metadata": {}}
    assert (empty["text"], empty["key"]) == (unit["text"], "launch")
    assert harbour.client.request("PATCH", address, json={"told_at": None}).status_code == 422
    assert harbour.json("DELETE", address)["ids"] == [unit["id"]]
    assert harbour.client.get(address).status_code == 404
    assert harbour.client.delete(address).status_code == 404


def test_a_memory_is_superseded_by_text_and_by_a_unit(harbour: Running) -> None:
    unit = harbour.json("GET", f"{BANK}/memories", params={"key": "launch"})["units"][0]
    new = {"text": "The launch is in June.", "tags": ["plan"]}
    june = harbour.json("POST", f"{BANK}/supersede", {"old": unit["id"], "new": new})
    assert (june["supersedes"], june["tags"]) == (unit["id"], ["plan"])
    july = harbour.json("POST", f"{BANK}/supersede", {"old": june["id"], "new": "It is in July."})
    assert july["supersedes"] == june["id"]
    old = july["id"]
    typo = f"{old[:-1]}{'y' if old.endswith('x') else 'x'}"
    assert (
        harbour.client.post(f"{BANK}/supersede", json={"old": old, "new": typo}).status_code == 404
    )
    again = {"old": unit["id"], "new": "It is in August."}
    assert harbour.client.post(f"{BANK}/supersede", json=again).status_code == 422
    assert harbour.json("POST", f"{BANK}/forget", {"ids": [old]})["left_closed"] == [june["id"]]


def test_forgetting_goes_by_ids_or_by_a_filter_and_never_by_nothing(harbour: Running) -> None:
    address = f"{BANK}/forget"
    nothing: tuple[dict[str, object], ...] = (
        {}, {"filter": {}}, {"ids": ["a"], "filter": {"types": ["event"]}},
    )  # fmt: skip
    for body in nothing:
        assert harbour.client.post(address, json=body).status_code == 422, body
    gone = harbour.json("POST", address, {"filter": {"types": ["event"]}, "compact": True})
    assert (gone["units"], gone["compacted"]) == (1, True)
    left = harbour.json("GET", f"{BANK}/memories")["units"]
    assert harbour.json("POST", address, {"ids": [left[0]["id"]]})["units"] == 1


def test_a_question_is_explained_parsed_planned_and_asked_in_a_batch(harbour: Running) -> None:
    unit = harbour.json("GET", f"{BANK}/memories")["units"][0]
    body = {"question": "When is the launch?", "unit": unit["id"]}
    assert harbour.json("POST", f"{BANK}/explain", body)["returned"] is True
    parsed = harbour.json(
        "POST",
        f"{BANK}/parse",
        {"question": "What happened on 2 March 2026?", "timezone": "Europe/Berlin"},
    )
    assert parsed["window"][0] == "2026-03-02T00:00:00+01:00"
    assert harbour.json("POST", f"{BANK}/plan", {"question": "tea?"})["preset"] == "default"
    several = harbour.json("POST", f"{BANK}/recall-batch", {"questions": ["tea?", "launch?"]})
    assert [one["items"][0]["type"] for one in several["recalls"]] == ["preference", "event"]


def test_entities_are_listed_renamed_merged_and_split(harbour: Running) -> None:
    address = f"{BANK}/entities"
    found = harbour.json("GET", address, params={"containing": "nad"})["entities"]
    (nadia,) = found
    named = harbour.json("POST", f"{address}/{nadia['id']}/alias", {"alias": "the harbourmaster"})
    assert "the harbourmaster" in named["aliases"]
    unit = harbour.json("GET", f"{BANK}/memories", params={"key": "launch"})["units"][0]
    body = {"name": "Nadia Reyes", "units": [unit["id"]]}
    split = harbour.json("POST", f"{address}/{nadia['id']}/split", body)
    merged = harbour.json("POST", f"{address}/merge", {"keep": split["id"], "drop": nadia["id"]})
    assert merged["name"] == "Nadia Reyes"
    assert harbour.client.post(f"{address}/x9/alias", json={"alias": "a"}).status_code == 404
    by_name = harbour.json("POST", f"{address}/Nadia Reyes/alias", {"alias": "the boss"})
    assert by_name["id"] == merged["id"]


def test_relations_links_and_sessions_are_told_and_listed(harbour: Running) -> None:
    told = {"subject": "Nadia", "relation": "leads", "object": "Ferry", "confidence": 0.8}
    answer = harbour.client.post(f"{BANK}/relations", json=told)
    assert answer.status_code == 201
    (relation,) = harbour.json("GET", f"{BANK}/relations")["relations"]
    assert (relation["id"], relation["confidence"]) == (answer.json()["id"], 0.8)
    first, second, said = harbour.json("GET", f"{BANK}/memories")["units"]
    assert (said["id"], said["text"]) == (relation["unit"], "Nadia leads Ferry.")
    body = {"cause": first["id"], "effect": second["id"], "kind": "enables", "weight": 0.5}
    assert harbour.json("POST", f"{BANK}/links", body) == {"done": True}
    kinds = [
        link["kind"]
        for link in harbour.json("GET", f"{BANK}/memories/{first['id']}/links")["links"]
    ]
    assert "enables" in kinds
    at = "2026-03-07T10:00:00+00:00"
    assert harbour.json("POST", f"{BANK}/sessions", {"name": "deck", "at": at})["ended_at"] is None
    assert harbour.json("POST", f"{BANK}/sessions/end", {"name": "deck", "at": at})["ended_at"]
    names = {one["name"] for one in harbour.json("GET", f"{BANK}/sessions")["sessions"]}
    assert names == {"kitchen", "deck"}


def test_a_bank_is_made_changed_checked_and_deleted(harbour: Running) -> None:
    address = "/v1/banks/lagoon"
    assert harbour.client.get(address).status_code == 404
    made = harbour.json("PUT", address, {"timezone": "Europe/Berlin"})
    assert made["settings"]["timezone"] == "Europe/Berlin"
    assert harbour.json("PUT", address)["settings"]["timezone"] == "Europe/Berlin"
    assert harbour.json("GET", address) == made
    assert harbour.json("GET", f"{address}/stats")["units"] == 0
    assert harbour.json("POST", f"{address}/doctor", {"fix": True}) == {"findings": []}
    assert harbour.json("POST", f"{address}/compact") == {"done": True, "pending": None}
    names = [bank["name"] for bank in harbour.json("GET", "/v1/banks")["banks"]]
    assert names == ["harbour", "lagoon"]
    assert harbour.json("DELETE", address) == {"done": True}
    assert harbour.client.delete(address).status_code == 404


def test_reading_never_makes_a_bank(harbour: Running) -> None:
    assert harbour.client.get("/ready").json() == {"status": "ready"}
    for path in ("memories", "entities", "relations", "sessions", "stats", "export"):
        assert harbour.client.get(f"/v1/banks/nowhere/{path}").status_code == 404, path
    assert harbour.client.post("/v1/banks/nowhere/recall", json={"question": "x"}).is_client_error
    assert [bank.name for bank in harbour.memory.banks()] == ["harbour"]


def test_an_unknown_address_and_an_unknown_method_are_problems(harbour: Running) -> None:
    nowhere = harbour.client.get("/v1/nothing")
    assert nowhere.status_code == 404
    assert nowhere.headers["content-type"] == "application/problem+json"
    wrong = harbour.client.request("PATCH", "/v1/banks")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET")
    assert harbour.client.get(f"{BANK}/memories/").status_code == 404
    assert harbour.client.head("/health").status_code == 200


def test_a_conversation_is_told_as_a_chat_api_has_it(harbour: Running) -> None:
    talk = [
        {"role": "user", "created_at": 1772452800,
         "content": [{"type": "text", "text": "Call me Jo."}]},
        {"role": "assistant", "content": "Gladly.", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "note", "arguments": "{}"}}]},
    ]  # fmt: skip
    told = {"messages": talk, "session": "intro", "tags": ["app"]}
    kept = harbour.client.post(f"{BANK}/memories", json=told)
    assert kept.status_code == 201, kept.text
    units = harbour.json("GET", f"{BANK}/memories", params={"session": "intro"})["units"]
    assert [unit["id"] for unit in units] == kept.json()["ids"]
    assert [unit["text"] for unit in units] == ["Call me Jo.", "Gladly.", "note({})"]
    assert units[0]["told_at"] == "2026-03-02T12:00:00+00:00"
    assert all(unit["tags"] == ["app"] for unit in units)


@pytest.mark.parametrize(
    ("sent", "texts"),
    [
        ([{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Yes?"}],
         ["Hi.", "Yes?"]),
        ({"role": "user", "content": "Hi."}, ["Hi."]),
        ({"role": "user", "parts": [{"text": "Hi."}]}, ["Hi."]),
        ([{"role": "user", "content": [{"text": "Hi."}]}], ["Hi."]),
        ([{"text": "The crane broke."}, {"text": "It was mended."}],
         ["The crane broke.", "It was mended."]),
    ],
)  # fmt: skip
def test_a_bare_list_or_one_message_is_told_too(
    harbour: Running, sent: object, texts: list[str]
) -> None:
    kept = harbour.client.post(f"{BANK}/memories", json=sent)
    assert kept.status_code == 201, kept.text
    units = [harbour.json("GET", f"{BANK}/memories/{one}") for one in kept.json()["ids"]]
    assert [unit["text"] for unit in units] == texts


def test_a_bare_list_of_something_else_is_refused_by_the_name_it_would_have(
    harbour: Running,
) -> None:
    answer = harbour.client.post(f"{BANK}/memories", json=[{"content": "Hi."}, 3])
    assert answer.status_code == 422
    assert "body.messages[1]" in answer.json()["detail"]


def test_a_bad_message_is_named_by_its_place_and_nothing_is_told(harbour: Running) -> None:
    talk = [{"role": "user", "content": "Call me Jo."}, {"role": "user", "content": [{"type": 1}]}]
    answer = harbour.client.post(f"{BANK}/memories", json={"messages": talk, "session": "intro"})
    assert answer.status_code == 422
    assert "body.messages[1].content[0].type" in answer.json()["detail"]
    empty = {"messages": [*talk[:1], {"role": "user", "content": None}]}
    answer = harbour.client.post(f"{BANK}/memories", json=empty)
    assert "messages[1] without text" in answer.json()["detail"]
    assert harbour.json("GET", f"{BANK}/memories", params={"session": "intro"})["units"] == []
