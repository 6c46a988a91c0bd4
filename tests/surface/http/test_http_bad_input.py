"""Bad input gets a clear 4xx that names the value and the remedy, and changes nothing."""

from __future__ import annotations

import json
import re
import socket
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from tests.surface.http.http_server import Running, running

from scrubjay.codec.compiled import decode_as, parts_of
from scrubjay.errors import BadInput
from scrubjay.surface.http.admitting.gate import Budget
from scrubjay.surface.http.contract.bodies import Units
from scrubjay.surface.http.contract.reading import read_json
from scrubjay.surface.http.handling.route import Route
from scrubjay.surface.http.routes.table import ROUTES
from scrubjay.surface.http.shared.problems import Refusal
from scrubjay.surface.http.shared.server_settings import ServerSettings
from scrubjay.types.units import Unit

JSON = {"Content-Type": "application/json"}
MEMORIES = "/v1/banks/bad/memories"
DEEP = b'{"text": "x", "metadata": {"a": ' + b"[" * 200 + b"]" * 200 + b"}}"

NOT_JSON = {
    "nothing": b"",
    "garbage": b"not json",
    "half": b'{"text": "x"',
    "two values": b'{"text": "x"} {"text": "y"}',
    "bad UTF-8": b'{"text": "\xff\xfe"}',
    "UTF-16": '{"text": "x"}'.encode("utf-16"),
    "lone surrogate": b'{"text": "\\ud800"}',
    "NaN": b'{"text": "x", "metadata": {"n": NaN}}',
    "endless number": b'{"text": "x", "metadata": {"n": ' + b"9" * 10_000 + b"}}",
    "too large a number": b'{"text": "x", "metadata": {"n": 1e999}}',
    "too long a number": b'{"text": "x", "metadata": {"n": ' + b"9" * 400 + b".0}}",
    "deep": DEEP,
    "very deep": b"[" * 200_000,
}
WRONG: dict[str, tuple[object, str]] = {
    "a list": ([], "body"),
    "a number": (7, "body"),
    "null": (None, "body"),
    "no text": ({}, "body without"),
    "number as text": ({"text": 7}, "body.text"),
    "unknown field": ({"text": "x", "colour": "red"}, "unknown field in body"),
    "empty text": ({"text": "  "}, "empty text"),
    "NUL": ({"text": "a\0b"}, "NUL character in text"),
    "tags as text": ({"text": "x", "tags": "red"}, "body.tags"),
    "objects as tags": ({"text": "x", "tags": [{}]}, "body.tags[0]"),
    "no such type": ({"text": "x", "type": "beacon"}, "unknown type"),
    "no such time": ({"text": "x", "told_at": "yesterday"}, "told_at"),
    "time without zone": ({"text": "x", "told_at": "2026-01-01T00:00:00"}, "told_at"),
    "year 1": ({"text": "x", "told_at": "0001-01-01T00:00:00+00:00"}, "told_at"),
    "relation": ({"text": "x", "relations": [{"subject": "a"}]}, "body.relations[0] without"),
    "cause": ({"text": "x", "causes": [5]}, "body.causes[0]"),
    "one bad of two": ({"units": [{"text": "x"}, {"text": 5}]}, "body.units[1].text"),
    "an empty list": ([], "body"),
    "too many": ({"units": [{"text": "x"}] * 10_001}, "units in one call"),
}


@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_not_json_is_400(open_server: Running, body: bytes) -> None:
    answer = open_server.client.post(MEMORIES, content=body, headers=JSON)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["remedy"]


@pytest.mark.parametrize(("body", "what"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_kept_is_422_and_named(
    open_server: Running, body: object, what: str
) -> None:
    answer = open_server.client.post(MEMORIES, content=json.dumps(body), headers=JSON)
    problem = answer.json()
    assert answer.status_code == 422, problem
    assert problem["what"].startswith(what)
    assert problem["title"] == "BadInput"
    assert problem["remedy"]
    listed = open_server.client.get(MEMORIES)
    assert listed.status_code == 404 or not listed.json()["units"]


def test_an_empty_list_is_said_to_be_empty_where_lists_are_taken(open_server: Running) -> None:
    problem = open_server.client.post(MEMORIES, content=b"[]", headers=JSON).json()
    assert problem["detail"] == (
        "body: 'an empty list'. Give at least one memory or message in it."
    )


@pytest.mark.parametrize(
    "name",
    ["..", "%2e%2e", "..%2f..%2fetc", "a%2fb", "a..b", "-x", ".hidden", "a%00b", "%ff%fe",
     "x" * 101, "a b", "%0d%0aSet-Cookie:x", "CON%3a", "🐦"],
)  # fmt: skip
def test_tricks_in_bank_names_reach_nothing(open_server: Running, name: str) -> None:
    before = [bank.name for bank in open_server.memory.banks()]
    # Sent by hand: clients tidy such paths up before they send them.
    status = sent_by_hand(open_server, f"PUT /v1/banks/{name} HTTP/1.1".encode() + b"\r\n")
    assert status in (400, 404, 405, 422)
    assert [bank.name for bank in open_server.memory.banks()] == before


def sent_by_hand(server: Running, line: bytes, headers: bytes = b"", body: bytes = b"") -> int:
    """The status that answers these very bytes."""
    address = urlsplit(server.url)
    assert address.hostname is not None and address.port is not None
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        # It may be refused before all is sent; the answer is there to be read.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(line + b"Host: 127.0.0.1\r\n" + headers + b"\r\n" + body)
        with connection.makefile("rb") as answer:
            return int(answer.readline().split()[1])


def test_floods_of_headers_are_refused(open_server: Running) -> None:
    line = b"GET /health HTTP/1.1\r\n"
    assert sent_by_hand(open_server, line, b"X-Long: " + b"a" * 40_000 + b"\r\n") in (400, 431)
    many = b"".join(b"X-%d: aaaaaaaaaaaaaaaa\r\n" % number for number in range(5_000))
    assert sent_by_hand(open_server, line, many) in (400, 431)
    assert open_server.client.get("/health").status_code == 200


def test_a_body_over_the_limit_is_413_declared_or_not() -> None:
    with running(settings=ServerSettings(body_bytes_max=1_000)) as server:
        declared = server.client.post(MEMORIES, json={"text": "x" * 2_000})
        assert declared.status_code == 413

        def drops() -> object:
            yield from (b'{"text": "', *[b"x" * 100] * 20, b'"}')

        streamed = server.client.post(MEMORIES, content=drops(), headers=JSON)  # type: ignore[arg-type]
        assert streamed.status_code == 413
        assert "1,000 bytes" in streamed.json()["detail"]
        assert server.client.post(MEMORIES, json={"text": "x" * 100}).status_code == 201


def test_a_swarm_of_tiny_objects_is_413_before_it_is_read(open_server: Running) -> None:
    swarm = b'{"units": [' + b'{"text": "x"},' * 300_000 + b'{"text": "x"}]}'
    answer = open_server.client.post(MEMORIES, content=swarm, headers=JSON)
    assert answer.status_code == 413
    assert "lists and objects" in answer.json()["detail"]


def test_bodies_are_counted_while_they_are_held_and_no_longer(open_server: Running) -> None:
    budget = Budget(100, "bodies")
    budget.take(60)
    with pytest.raises(Refusal) as refused:
        budget.take(60)
    assert (refused.value.problem.status, budget.held) == (503, 60)
    budget.give_back(60)
    for body in (b"not json", b'{"text": 5}', b'{"text": "' + b"x" * 100_000 + b'"}'):
        open_server.client.post("/v1/banks/held/memories", content=body, headers=JSON)
    assert open_server.service.bodies.held == 0


def test_a_body_that_never_ends_is_408() -> None:
    with running(settings=ServerSettings(body_seconds=0.2)) as server:
        status = sent_by_hand(
            server,
            f"POST {MEMORIES} HTTP/1.1\r\n".encode(),
            b"Content-Type: application/json\r\nContent-Length: 100\r\n",
            b'{"text": ',
        )
        assert status == 408


@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_another_type_of_body_is_415(open_server: Running, media: str) -> None:
    answer = open_server.client.post(
        MEMORIES, content=b'{"text": "x"}', headers={"Content-Type": media}
    )
    assert answer.status_code == 415


@pytest.mark.parametrize(
    ("path", "parameters"),
    [("memories", {"limit": "many"}), ("memories", {"limit": "0"}), ("memories", {"limit": "1e3"}),
     ("memories", {"limit": "9" * 50}), ("memories", {"metadata": "[1]"}),
     ("memories", {"metadata": "{"}), ("memories", {"metadata": '{"a": NaN}'}),
     ("memories", {"metadata": '{"a": 1e999}'}), ("memories", {"told_from": "now"}),
     ("memories", {"type": "beacon"}), ("memories", {"cursor": "☃"}),
     ("entities", {"offset": "-1"}), ("relations", {"limit": "1001"})],
)  # fmt: skip
def test_bad_query_strings_are_422(
    open_server: Running, path: str, parameters: dict[str, str]
) -> None:
    open_server.memory.bank("asked")
    answer = open_server.client.get(f"/v1/banks/asked/{path}", params=parameters)
    assert answer.status_code == 422, answer.text
    assert answer.json()["remedy"]


@pytest.mark.parametrize(
    "body",
    [{"question": ""}, {"question": "x", "limit": "5"}, {"question": "x", "limit": True},
     {"question": "x", "tags": [None]}, {"question": "x", "window": ["2026-01-01T00:00:00Z"]},
     {"question": "x", "window": [None, None]}, {"question": "x", "preset": "best"},
     {"question": "x", "min_score": 2}, {"question": "x", "session": {}},
     {"question": "x", "deadline_ms": -1}, {"question": "x", "metadata": {"n": 2**80}}],
)  # fmt: skip
def test_bad_questions_are_422(open_server: Running, body: object) -> None:
    open_server.memory.bank("asked")
    answer = open_server.client.post("/v1/banks/asked/recall", json=body)
    assert answer.status_code == 422, answer.text


def test_pages_of_other_sites_are_refused(open_server: Running) -> None:
    headers = {"Origin": "http://evil.example"}
    assert open_server.client.get("/v1/banks", headers=headers).status_code == 403
    own = {"Origin": open_server.url}
    assert open_server.client.get("/v1/banks", headers=own).status_code == 200


@pytest.mark.parametrize("headers", [{"Origin": "//["}, {"Host": "["}, {"Host": "[::1"}])
def test_addresses_that_are_none_are_400(open_server: Running, headers: dict[str, str]) -> None:
    answer = open_server.client.get("/v1/banks", headers=headers)
    assert (answer.status_code, answer.json()["title"]) == (400, "BadRequest")


def test_a_page_of_an_allowed_site_may_ask() -> None:
    origin = "http://console.example"
    with running(settings=ServerSettings(cors_origins=(origin,))) as server:
        answer = server.client.get("/v1/banks", headers={"Origin": origin})
        assert answer.headers["access-control-allow-origin"] == origin
        assert "Retry-After" in answer.headers["access-control-expose-headers"]
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        assert server.client.options("/v1/banks/a/recall", headers=asked).status_code == 200


def test_a_foreign_host_name_is_refused_where_there_are_no_keys() -> None:
    with running(settings=ServerSettings(hosts=("127.0.0.1", "localhost"))) as server:
        assert server.client.get("/v1/banks").status_code == 200
        rebound = server.client.get("/v1/banks", headers={"Host": "evil.example"})
        assert rebound.json()["title"] == "ForeignHost"


def test_json_is_read_to_a_depth_that_every_part_can_walk() -> None:
    assert read_json(b'{"a": ' + b"[" * 60 + b"]" * 60 + b"}")
    with pytest.raises(Refusal):
        read_json(b"[" * 70 + b"]" * 70)


def test_of_two_shapes_the_problem_names_the_one_that_was_meant() -> None:
    with pytest.raises(BadInput) as single:
        decode_as(Unit | Units, {"text": "x", "tags": 5}, "body")
    assert single.value.what == "body.tags"
    with pytest.raises(BadInput) as several:
        decode_as(Unit | Units, {"units": [{"tags": []}]}, "body")
    assert several.value.what == "body.units[0] without"


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_an_unknown_query_parameter_is_refused_by_name_at_every_address(
    open_server: Running, route: Route
) -> None:
    path = re.sub(r"{\w+}", "none-such", route.path)
    body: object = None if route.body is None else {}
    answer = open_server.client.request(
        route.method, path, params={"tags": "home"}, json=body,
        headers={"X-Scrubjay-Console": "1"},  # without it nobody signs in or out
    )  # fmt: skip
    assert answer.status_code == 422, answer.text
    assert (answer.json()["what"], answer.json()["value"]) == ("unknown query parameter", "tags")
    for parameter in parts_of(route.query):
        assert parameter.key in answer.json()["remedy"]


def test_a_listing_with_a_mistyped_filter_returns_nothing(open_server: Running) -> None:
    open_server.memory.retain("The key is under the mat.", tags=["home"], bank="typos")
    listing = "/v1/banks/typos/memories"
    assert open_server.client.get(listing, params={"tags": "work"}).status_code == 422
    assert open_server.json("GET", listing, params={"tag": "work"})["units"] == []
    assert len(open_server.json("GET", listing, params={"tag": "home"})["units"]) == 1


@pytest.mark.parametrize("path", ["memories?limit=1&limit=2", "memories?session=a&session=b",
                                  "entities?offset=0&offset=0"])  # fmt: skip
def test_a_parameter_that_means_one_thing_is_given_once(open_server: Running, path: str) -> None:
    open_server.memory.retain("The lamp is lit.", bank="twice")
    answer = open_server.client.get(f"/v1/banks/twice/{path}")
    assert (answer.status_code, answer.json()["what"]) == (
        422, "query parameter given more than once",
    )  # fmt: skip
    repeated = open_server.client.get("/v1/banks/twice/memories?tag=a&tag=b&type=fact&type=event")
    assert repeated.status_code == 200


def test_a_field_that_is_given_twice_is_refused(open_server: Running) -> None:
    for body in ('{"text": "One.", "text": "Two."}', '{"text": "x", "metadata": {"a": 1, "a": 2}}'):
        answer = open_server.client.post("/v1/banks/default/memories", content=body,
                                         headers={"Content-Type": "application/json"})  # fmt: skip
        assert (answer.status_code, answer.json()["title"]) == (400, "NotJson")
        assert "twice" in answer.json()["detail"]


def test_a_body_where_none_is_taken_is_refused(open_server: Running) -> None:
    unit = open_server.memory.retain("The lamp is lit.", bank="bodies").id
    address = f"/v1/banks/bodies/memories/{unit}"
    answer = open_server.client.request("DELETE", address, json={"compact": True})
    assert answer.status_code == 422
    assert open_server.memory.get(unit, bank="bodies").id == unit
