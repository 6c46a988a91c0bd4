"""Signing in with a browser: the cookie, what it allows, and what other sites cannot do with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from tests.surface.http.http_server import Running

OWN = {"X-Scrubjay-Console": "1"}


def secret(server: Running, **grants: str) -> str:
    return server.key(1e6, **grants)["Authorization"].removeprefix("Bearer ")


@contextmanager
def signed_in(server: Running, **grants: str) -> Iterator[httpx.Client]:
    """A browser that signed in with a new key."""
    with httpx.Client(base_url=server.url, trust_env=False, verify=False) as browser:
        answer = browser.post("/v1/login", json={"key": secret(server, **grants)}, headers=OWN)
        assert answer.status_code == 200, answer.text
        yield browser


def test_a_good_key_is_kept_in_a_cookie_that_scripts_and_other_sites_do_not_get(
    keyed_server: Running,
) -> None:
    key = secret(keyed_server, mine="write")
    answer = keyed_server.client.post("/v1/login", json={"key": key}, headers=OWN)
    plain = answer.headers["set-cookie"]
    proxied = keyed_server.client.post(
        "/v1/login", json={"key": key}, headers={**OWN, "X-Forwarded-Proto": "https"}
    ).headers["set-cookie"]
    keyed_server.client.cookies.clear()

    assert plain == f"scrubjay_key={key}; Path=/; HttpOnly; SameSite=Strict"
    assert proxied == f"{plain}; Secure"
    assert answer.json() == {
        "required": True, "authenticated": True, "id": key.split("_")[1], "name": "test",
        "grants": {"mine": "write"},
    }  # fmt: skip


def test_a_wrong_key_is_not_kept(keyed_server: Running) -> None:
    answer = keyed_server.client.post("/v1/login", json={"key": "sj_0_x"}, headers=OWN)

    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_the_cookie_allows_what_the_key_allows(keyed_server: Running) -> None:
    keyed_server.memory.retain("The lamp is lit.", bank="mine")
    with signed_in(keyed_server, mine="read") as browser:
        assert browser.get("/v1/banks/mine/memories").status_code == 200
        assert browser.get("/v1/banks/yours/memories").status_code == 403
        told = browser.post("/v1/banks/mine/memories", json={"text": "No."}, headers=OWN)
        assert told.status_code == 403
        assert browser.get("/v1/whoami").json()["grants"] == {"mine": "read"}


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_change_with_the_cookie_needs_the_header_of_our_own_page(
    keyed_server: Running, method: str
) -> None:
    kept = keyed_server.memory.retain("The lamp is lit.", bank="mine")
    path = {"POST": "/memories", "PUT": ""}.get(method, f"/memories/{kept.id}")
    with signed_in(keyed_server, mine="admin") as browser:
        refused = browser.request(method, f"/v1/banks/mine{path}", json={"text": "A lamp."})
        assert (refused.status_code, refused.json()["title"]) == (403, "CrossSite")
        body = None if method == "DELETE" else {} if method == "PUT" else {"text": "A lamp."}
        done = browser.request(method, f"/v1/banks/mine{path}", json=body, headers=OWN)
        assert done.status_code < 300, done.text


def test_a_page_of_another_site_cannot_sign_anyone_in_or_out(keyed_server: Running) -> None:
    key = secret(keyed_server, mine="read")
    assert keyed_server.client.post("/v1/login", json={"key": key}).status_code == 403
    assert keyed_server.client.post("/v1/logout").status_code == 403
    foreign = {**OWN, "Origin": "https://elsewhere.example"}
    assert keyed_server.client.post("/v1/logout", headers=foreign).status_code == 403


def test_signing_out_lets_the_browser_forget_the_key(keyed_server: Running) -> None:
    with signed_in(keyed_server, mine="read") as browser:
        assert browser.post("/v1/logout", headers=OWN).json() == {"done": True}
        assert browser.get("/v1/banks").status_code == 401
        assert browser.get("/v1/whoami").json()["authenticated"] is False


def test_a_header_counts_before_the_cookie(keyed_server: Running) -> None:
    keyed_server.memory.bank("mine")
    with signed_in(keyed_server, mine="read") as browser:
        other = keyed_server.key(mine="admin")
        assert browser.put("/v1/banks/mine", json={}, headers=other).status_code == 200


def test_without_keys_everyone_is_let_in_and_told_so(open_server: Running) -> None:
    answer = open_server.client.post("/v1/login", json={"key": "anything"}, headers=OWN)

    assert answer.json()["required"] is False
    assert "set-cookie" not in answer.headers


def test_keys_are_listed_without_their_secrets_to_who_may_do_everything(
    keyed_server: Running,
) -> None:
    admin = keyed_server.key(any="admin")
    listed = keyed_server.json("GET", "/v1/keys", headers=admin)["keys"]

    assert {"id", "name", "grants", "rate", "created_at", "revoked_at"} == set(listed[0])
    assert admin["Authorization"].split("_")[1] in [key["id"] for key in listed]
    assert admin["Authorization"].split("_", 2)[2] not in str(listed)


def test_a_key_is_made_shown_once_and_closed_over_http(keyed_server: Running) -> None:
    admin = keyed_server.key(any="admin")
    body = {"name": "laptop", "grants": {"notes": "write", "team": "read"}}
    sent = {**admin, "Idempotency-Key": "make-laptop"}
    made = keyed_server.client.post("/v1/keys", json=body, headers=sent)
    assert made.status_code == 201
    card, key = made.json()["card"], {"Authorization": f"Bearer {made.json()['key']}"}
    assert card["grants"] == body["grants"]
    # Sent again it makes no second one, and what it is was not kept.
    again = keyed_server.client.post("/v1/keys", json=body, headers=sent)
    assert again.status_code == 410
    listed = keyed_server.client.get("/v1/keys", headers=admin)
    assert [one["id"] for one in listed.json()["keys"]].count(card["id"]) == 1
    assert made.json()["key"] not in listed.text
    told = {"text": "The lamp is lit."}
    assert keyed_server.client.post("/v1/banks/notes/memories", json=told, headers=key).is_success
    assert keyed_server.client.post("/v1/keys", json=body, headers=key).status_code == 403
    closed = keyed_server.client.delete(f"/v1/keys/{card['id']}", headers=admin)
    assert closed.json()["revoked_at"]
    assert keyed_server.client.get("/v1/banks", headers=key).status_code == 401


def test_a_key_that_could_never_count_is_not_made(keyed_server: Running) -> None:
    admin = keyed_server.key(any="admin")
    for wrong in ({}, {"notes": "owner"}, {"notes": "metrics"}):
        body = {"name": "laptop", "grants": wrong}
        assert keyed_server.client.post("/v1/keys", json=body, headers=admin).status_code == 422
    gone = keyed_server.client.delete("/v1/keys/0123456789ab", headers=admin)
    assert gone.status_code == 404
