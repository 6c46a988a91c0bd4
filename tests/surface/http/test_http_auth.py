"""Only what a key's scope allows, on every route of the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.datastructures import Headers
from tests.surface.http.http_server import Running, running

from scrubjay.codec.compiled import parts_of
from scrubjay.errors import BadInput
from scrubjay.memory import Memory
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.admitting.auth import Doorkeeper
from scrubjay.surface.http.admitting.wrong_keys import WrongKeys
from scrubjay.surface.http.handling.route import Route
from scrubjay.surface.http.routes.table import ROUTES
from scrubjay.surface.http.serving import Listening, auth_required
from scrubjay.surface.http.shared.problems import Refusal
from scrubjay.surface.http.shared.server_settings import (
    WRONG_KEYS_FORGOTTEN_SECONDS,
    WRONG_KEYS_FREE,
)
from scrubjay.surface.http.state.database import ServerDatabase
from scrubjay.surface.http.state.keys import Keys, read_grant
from scrubjay.types.reports import BankInfo

GUARDED = [route for route in ROUTES if route.scope is not None]
OPEN = [route for route in ROUTES if route.scope is None]
REFUSED = {401, 403, 429}  # so many wrong keys of one address have to wait


@pytest.fixture(scope="module")
def callers(keyed_server: Running) -> dict[str, dict[str, str]]:
    """Headers by kind of caller, all about bank `mine`."""
    keyed_server.memory.retain("The lamp is lit.", bank="mine")
    revoked = keyed_server.key(mine="admin")
    identifier = revoked["Authorization"].split("_")[1]
    Keys(keyed_server.service.database).revoke(identifier)
    good = keyed_server.key(mine="admin")["Authorization"]
    wrong = good[:-4] + ("AAAA" if not good.endswith("AAAA") else "BBBB")
    return {
        "no key": {},
        "wrong key": {"Authorization": wrong},
        "unknown key": {"X-API-Key": "sj_000000000000_x"},
        "nonsense": {"Authorization": "Basic bWFyYTpzZWNyZXQ="},
        "revoked": revoked,
        "read": keyed_server.key(mine="read"),
        "write": keyed_server.key(mine="write"),
        "admin": keyed_server.key(mine="admin"),
        "other bank": keyed_server.key(yours="admin"),
        "any bank": keyed_server.key(any="admin"),
        "monitor": keyed_server.key(any="metrics"),
    }


def called(server: Running, route: Route, headers: dict[str, str]) -> httpx.Response:
    """A request that gets past the door, and no further: its values name nothing."""
    path = re.sub(r"{(\w+)}", "0", route.path.replace("{bank}", "mine"))
    body = b"" if route.body is None else b"not json"
    media = {"Content-Type": route.body_media_type}
    query = {one.name: "?" for one in parts_of(route.query)}
    return server.client.request(
        route.method, path, content=body, headers={**media, **headers}, params=query
    )


def allowed(who: str, route: Route) -> bool:
    assert route.scope is not None
    about_a_bank = "{bank}" in route.path
    scopes = {"read": KeyScope.READ, "write": KeyScope.WRITE, "admin": KeyScope.ADMIN}
    if route.scope is KeyScope.METRICS:  # of the whole server
        return who in ("any bank", "monitor")
    if route.whole_server:
        return who == "any bank"
    if who in scopes:
        return scopes[who] >= route.scope
    return who == "any bank" or (who == "other bank" and not about_a_bank)


@pytest.mark.parametrize("route", GUARDED, ids=lambda route: route.name)
def test_a_route_lets_in_whom_its_scope_allows_and_nobody_else(
    route: Route, keyed_server: Running, callers: dict[str, dict[str, str]]
) -> None:
    for who, headers in callers.items():
        keyed_server.memory.bank("mine")  # an earlier row may have deleted it
        status = called(keyed_server, route, headers).status_code
        assert (status not in REFUSED) == allowed(who, route), f"{who}: {status}"
        assert status < 500, who


def test_the_table_has_a_scope_for_everything_but_seven_addresses() -> None:
    assert {route.path for route in OPEN} == {
        "/health", "/ready", "/openapi.json", "/docs", "/v1/login", "/v1/logout", "/v1/whoami",
    }  # fmt: skip
    watching = {route.path for route in GUARDED if route.scope is KeyScope.METRICS}
    assert watching == {"/metrics", "/v1/status"}
    assert all(
        route.scope >= KeyScope.WRITE or route.method in ("GET", "POST")
        for route in GUARDED
        if route.scope is not None
    )


@pytest.mark.parametrize(
    "route", [one for one in OPEN if one.method == "GET"], ids=lambda route: route.name
)
def test_health_and_docs_need_no_key(route: Route, keyed_server: Running) -> None:
    assert called(keyed_server, route, {}).status_code == 200


def test_a_key_of_another_bank_learns_nothing_about_what_exists(
    keyed_server: Running, callers: dict[str, dict[str, str]]
) -> None:
    mine, nothing = (
        keyed_server.client.get(f"/v1/banks/{bank}/memories", headers=callers["other bank"])
        for bank in ("mine", "none")
    )
    assert mine.status_code == nothing.status_code == 403
    assert mine.json()["detail"].replace("mine", "none") == nothing.json()["detail"]


def test_several_banks_are_asked_together_only_by_keys_that_may_read_each(
    keyed_server: Running,
) -> None:
    keyed_server.memory.retain("The lamp is lit.", bank="mine")
    keyed_server.memory.retain("The lamp oil is in the shed.", bank="yours")
    both, one = keyed_server.key(mine="read", yours="write"), keyed_server.key(mine="admin")
    body = {"question": "What of the lamp?", "banks": ["mine", "yours"]}

    def asked(key: dict[str, str], **other: object) -> httpx.Response:
        return keyed_server.client.post("/v1/recall", json={**body, **other}, headers=key)

    found = asked(both).json()["items"]
    assert {item["bank"] for item in found} == {"mine", "yours"}
    assert [item["relevance"] for item in found] == sorted(
        (item["relevance"] for item in found), reverse=True
    )
    assert asked(one).status_code == 403
    # A bank that is not there is refused in the same words.
    missing = asked(one, banks=["mine", "none"]).json()
    assert missing["detail"].replace("none", "yours") == asked(one).json()["detail"]
    assert len(asked(one, banks=["mine"]).json()["items"]) == 1
    assert asked(both, banks=["mine", "mine"]).status_code == 422
    address, key = keyed_server.url, both["Authorization"].removeprefix("Bearer ")
    with Memory.open(address, key=key) as client:
        assert [item.id for item in client.recall_across("What of the lamp?", body["banks"])] == [
            item["id"] for item in found
        ]


def test_banks_are_listed_only_to_keys_that_may_read_them(
    keyed_server: Running, callers: dict[str, dict[str, str]]
) -> None:
    keyed_server.memory.bank("yours")
    listed = {
        who: [
            bank["name"]
            for bank in keyed_server.json("GET", "/v1/banks", headers=callers[who])["banks"]
        ]
        for who in ("read", "other bank", "any bank")
    }
    assert listed["read"] == ["mine"]
    assert listed["other bank"] == ["yours"]
    assert listed["any bank"] == ["mine", "yours"]


def test_tasks_are_shown_only_to_keys_of_their_bank(
    keyed_server: Running, callers: dict[str, dict[str, str]]
) -> None:
    begun = keyed_server.client.post(
        "/v1/banks/mine/import",
        content=b'{"text": "The pier is long."}\n',
        headers={**callers["write"], "Content-Type": "application/x-ndjson"},
    )
    address = begun.headers["location"]
    assert keyed_server.client.get(address, headers=callers["read"]).status_code == 200
    assert keyed_server.client.get(address, headers=callers["other bank"]).status_code == 404


def test_both_headers_carry_a_key(keyed_server: Running) -> None:
    bearer = keyed_server.key(any="read")
    own = {"X-API-Key": bearer["Authorization"].removeprefix("Bearer ")}
    for headers in (bearer, own, {"authorization": bearer["Authorization"].replace("Be", "bE", 1)}):
        assert keyed_server.client.get("/v1/banks", headers=headers).status_code == 200


def test_a_refusal_says_how_to_send_a_key(keyed_server: Running) -> None:
    answer = keyed_server.client.get("/v1/banks")
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert "X-API-Key" in answer.json()["remedy"]


def test_a_revoked_key_is_closed_at_once(keyed_server: Running) -> None:
    headers = keyed_server.key(any="read")
    assert keyed_server.client.get("/v1/banks", headers=headers).status_code == 200
    Keys(keyed_server.service.database).revoke(headers["Authorization"].split("_")[1])
    assert keyed_server.client.get("/v1/banks", headers=headers).status_code in REFUSED


def test_a_key_that_asks_too_often_is_told_when_to_come_back(keyed_server: Running) -> None:
    headers = keyed_server.key(rate=1.0, any="read")
    answers = [keyed_server.client.get("/v1/banks", headers=headers) for _ in range(4)]
    statuses = [answer.status_code for answer in answers]
    assert statuses[:2] == [200, 200]
    assert statuses[-1] == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    other = keyed_server.key(any="read")
    assert keyed_server.client.get("/v1/banks", headers=other).status_code == 200


def test_a_key_of_one_bank_does_not_make_the_server_open_the_others(tmp_path: Path) -> None:
    opened: list[str] = []

    class Counting(Memory):
        def banks(self) -> list[BankInfo]:
            opened.append("all")
            return super().banks()

    memory = Counting.open(tmp_path / "store", encoder="hash", reranker=None)
    for name in ("mine", "yours", "ours"):
        memory.bank(name)
    with running(auth=True, memory=memory) as server:
        key = server.key(mine="read", ours="write", gone="admin")
        listed = server.json("GET", "/v1/banks", headers=key)["banks"]
        assert [bank["name"] for bank in listed] == ["mine", "ours"]
        assert opened == []
        everything = server.key(any="read")
        assert len(server.json("GET", "/v1/banks", headers=everything)["banks"]) == 3
        assert server.client.get("/v1/banks", headers=server.key(any="metrics")).status_code == 403
        assert {bank.name for bank in memory.banks()} == {"mine", "yours", "ours"}


def test_an_admin_of_a_bank_cannot_send_its_memories_and_the_server_s_key_elsewhere(
    keyed_server: Running,
) -> None:
    keyed_server.memory.retain("The lamp is lit.", bank="sent")
    answer = keyed_server.client.post(
        "/v1/banks/sent/reembed",
        json={"encoder": "http://127.0.0.1:9/"},
        headers=keyed_server.key(sent="admin"),
    )
    assert (answer.status_code, answer.json()["what"]) == (422, "encoder")
    assert "those who run the server" in answer.json()["remedy"]


@pytest.mark.parametrize("text", ["notes", "notes:all", ":read", "notes:metrics"])
def test_a_grant_that_could_never_count_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_grant(text)


def test_a_grant_is_a_bank_and_a_scope() -> None:
    assert read_grant("notes:read") == ("notes", KeyScope.READ)
    assert read_grant("*:metrics") == ("*", KeyScope.METRICS)


@pytest.fixture
def keys() -> Iterator[Keys]:
    database = ServerDatabase(None)
    yield Keys(database)
    database.close()


def test_a_bucket_fills_again_at_the_key_s_rate(keys: Keys) -> None:
    now = [0.0]
    door = Doorkeeper(keys, required=True, clock=lambda: now[0])
    _, secret = keys.create("slow", {"*": KeyScope.READ}, rate=0.5)
    headers = Headers({"x-api-key": secret})
    door.admit(headers)
    with pytest.raises(Refusal) as refused:
        door.admit(headers)
    assert refused.value.problem.status == 429
    now[0] = 2.0
    assert door.admit(headers).key is not None


def test_a_batch_spends_as_much_as_its_questions(keys: Keys) -> None:
    now = [0.0]
    door = Doorkeeper(keys, required=True, clock=lambda: now[0])
    _, secret = keys.create("agent", {"*": KeyScope.READ}, rate=10)
    headers = Headers({"x-api-key": secret})
    caller = door.admit(headers)
    door.count(caller, 14)
    with pytest.raises(Refusal) as refused:
        door.count(caller, 6)  # 5 of 20 are left
    assert refused.value.problem.headers["Retry-After"] == "1"
    now[0] = 10.0
    door.count(caller, 99)  # more than the bucket holds: all of it, and what comes next
    for later, allowed in ((11.0, False), (17.0, False), (18.1, True)):
        now[0] = later
        if allowed:
            door.admit(headers)
        else:
            with pytest.raises(Refusal):
                door.admit(headers)


@pytest.mark.parametrize("rate", [0.1, 0.7, 20.0])
@pytest.mark.parametrize("questions", [2, 40, 41, 1_000])
def test_a_batch_of_any_size_is_let_in_when_the_wait_it_was_told_is_over(
    keys: Keys, rate: float, questions: int
) -> None:
    now = [0.0]
    door = Doorkeeper(keys, required=True, clock=lambda: now[0])
    _, secret = keys.create("agent", {"*": KeyScope.READ}, rate=rate)
    headers = Headers({"x-api-key": secret})
    door.count(door.admit(headers), questions - 1)  # of a full bucket
    waits = 0
    while waits <= 2:  # for the debt, and for a full bucket
        try:
            door.count(door.admit(headers), questions - 1)
            break
        except Refusal as refused:
            waits += 1
            now[0] += float(refused.problem.headers["Retry-After"])
    assert waits <= 2


def test_a_batch_is_refused_when_the_key_cannot_pay_for_its_questions() -> None:
    with running(auth=True) as server:
        server.memory.retain("The tide turns at six.")
        headers = server.key(rate=5, any="write")
        body = {"questions": ["Where?"] * 9}
        asked = [server.client.post("/v1/banks/default/recall-batch", json=body, headers=headers)
                 for _ in range(2)]  # fmt: skip
        assert [one.status_code for one in asked] == [200, 429]
        numbers = server.client.get("/metrics", headers=server.key(any="metrics")).text
        assert "scrubjay_questions_total 9.0" in numbers


def test_a_secret_is_kept_only_as_its_hash(keys: Keys) -> None:
    key, secret = keys.create("ci", {"notes": KeyScope.READ})
    kept = keys._database.read("find_key", tuple, (key.id,))
    assert secret.split("_", 2)[2] not in str(kept)
    assert keys.check(secret) == key
    assert keys.check(secret + "x") is None
    assert keys.check(secret.upper()) is None


def test_closing_the_last_key_does_not_open_the_door(keys: Keys) -> None:
    key, _ = keys.create("only", {"*": KeyScope.ADMIN})
    keys.revoke(key.id)
    has_keys = bool(keys.all())
    assert auth_required(Listening(), has_keys=has_keys)


def test_wrong_keys_make_an_address_wait_and_right_ones_go_on_working() -> None:
    with running(auth=True) as server:
        good = server.key(any="read")

        def asked(headers: dict[str, str], local: str = "127.0.0.1") -> httpx.Response:
            transport = httpx.HTTPTransport(local_address=local)
            with httpx.Client(transport=transport, base_url=server.url) as client:
                return client.get("/v1/banks", headers=headers)

        guess = {"X-API-Key": "sj_000000000000_guess"}
        wrong = [asked(guess) for _ in range(WRONG_KEYS_FREE + 2)]
        assert [one.status_code for one in wrong] == [401] * WRONG_KEYS_FREE + [429] * 2
        assert wrong[-1].json()["title"] == "TooManyWrongKeys"
        assert 1 <= int(wrong[-1].headers["retry-after"]) <= 2
        assert asked(good).status_code == 200
        assert asked({}).status_code == 401, "no key is not a wrong one"
        assert asked(guess, local="127.0.0.2").status_code == 401, "another address"


def test_each_wrong_key_doubles_the_wait_and_quiet_ends_it() -> None:
    now = [0.0]
    wrong = WrongKeys(lambda: now[0])

    def wait(address: str) -> int:
        try:
            wrong.tried(address)
        except Refusal as refusal:
            return int(refusal.problem.headers["Retry-After"])
        return 0

    assert [wait("2001:db8::1") for _ in range(WRONG_KEYS_FREE)] == [0] * WRONG_KEYS_FREE
    waits = []
    for _ in range(9):
        waits.append(wait("2001:db8::2"))  # of the same subscriber
        now[0] += waits[-1]
        assert wait("2001:db8::1") == 0, "one more is looked at"
    assert waits == [2, 3, 5, 9, 17, 33, 61, 61, 61]
    assert wait("198.51.100.7") == 0
    now[0] += WRONG_KEYS_FORGOTTEN_SECONDS + 1
    assert [wait("2001:db8::1") for _ in range(WRONG_KEYS_FREE)] == [0] * WRONG_KEYS_FREE


def test_addresses_that_gave_wrong_keys_are_bounded_in_number() -> None:
    wrong = WrongKeys(lambda: 0.0)
    for number in range(30_000):
        wrong.tried(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(wrong) <= 10_000


def test_a_refusal_names_what_the_key_lacks_in_words_of_http(keyed_server: Running) -> None:
    client, reader = keyed_server.client, keyed_server.key(any="read")
    narrow = keyed_server.key(mine="read")
    assert "no grant of 'metrics'" in client.get("/metrics", headers=narrow).json()["detail"]
    missing = client.get("/v1/banks/nowhere", headers=reader).json()
    assert "memory.bank" not in str(missing) and "GET /v1/banks" in missing["remedy"]
