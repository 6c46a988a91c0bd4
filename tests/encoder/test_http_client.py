"""A client that meets every way an endpoint can misbehave, and says so."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest
from tests.encoder.scripted_server import Asked, Reply, Script, Serve, as_json

from scrubjay.encoder import open_encoder, open_reranker
from scrubjay.encoder.base import Reranker, is_encoder
from scrubjay.encoder.http_client import (
    Endpoint,
    JsonClient,
    RefusedError,
    parse_endpoint,
)
from scrubjay.errors import BadInput, EncoderError
from scrubjay.patience import Patience, with_endpoints

QUICK = Patience(timeout_s=0.3, attempts_max=3, first_wait_s=0.25, longest_wait_s=8, deadline_s=60)


def in_turn(replies: Sequence[Reply]) -> Script:
    """Answers with each reply once, then with the last for ever."""
    left = list(replies)

    def script(_asked: Asked) -> Reply:
        return left.pop(0) if len(left) > 1 else left[0]

    return script


def client_for(url: str, waits: list[float]) -> JsonClient:
    return JsonClient(url, patience=QUICK, sleep=waits.append, jitter=lambda: 0.0)


def test_json_goes_out_and_json_comes_back(serve: Serve) -> None:
    server = serve(in_turn([as_json({"answer": [1, 2]})]))
    client = JsonClient(f"{server.url}/ask", api_key="secret")
    assert client.post({"question": "größer?"}) == {"answer": [1, 2]}
    asked = server.asked[0]
    assert (asked.path, asked.body) == ("/ask", {"question": "größer?"})
    assert asked.headers["Authorization"] == "Bearer secret"


def test_server_errors_are_asked_again_with_growing_waits(serve: Serve) -> None:
    server = serve(in_turn([Reply(status=500), Reply(status=503), as_json("fine")]))
    waits: list[float] = []
    assert client_for(server.url, waits).post({}) == "fine"
    assert waits == [0.125, 0.25]


def test_jitter_spreads_the_waits_between_half_and_all(serve: Serve) -> None:
    server = serve(in_turn([Reply(status=502), as_json("fine")]))
    waits: list[float] = []
    JsonClient(server.url, patience=QUICK, sleep=waits.append, jitter=lambda: 1.0).post({})
    assert waits == [0.25]


def test_retry_after_is_heeded_within_bounds(serve: Serve) -> None:
    def busy(seconds: str) -> Reply:
        return Reply(status=429, headers={"Retry-After": seconds})

    server = serve(in_turn([busy("2"), busy("86400"), as_json("fine")]))
    waits: list[float] = []
    assert client_for(server.url, waits).post({}) == "fine"
    assert waits == [2.0, 8.0]


def test_an_endpoint_that_stays_broken_is_given_up_by_name(serve: Serve) -> None:
    server = serve(in_turn([Reply(status=500)]))
    with pytest.raises(EncoderError) as caught:
        client_for(server.url, []).post({})
    assert server.url in str(caught.value)
    assert "failed 3 times, last with HTTP 500" in str(caught.value)
    assert len(server.asked) == 3


def test_a_refusal_is_not_asked_again_and_shows_what_the_server_said(serve: Serve) -> None:
    server = serve(in_turn([Reply(b'{"error": "no such model"}', status=404)]))
    with pytest.raises(RefusedError, match=r"HTTP 404.*no such model") as caught:
        client_for(server.url, []).post({})
    assert caught.value.status == 404
    assert len(server.asked) == 1


def test_a_redirect_is_not_followed_with_the_key(serve: Serve) -> None:
    thief = serve(in_turn([as_json("stolen")]))
    server = serve(in_turn([Reply(status=302, headers={"Location": thief.url})]))
    with pytest.raises(RefusedError, match="HTTP 302"):
        JsonClient(server.url, api_key="secret", patience=QUICK).post({})
    assert thief.asked == []


def test_a_silent_server_times_out(serve: Serve) -> None:
    never = threading.Event()
    server = serve(in_turn([Reply(hold=never)]))
    try:
        with pytest.raises(EncoderError, match="failed 3 times, last with a timeout"):
            client_for(server.url, []).post({})
    finally:
        never.set()


def test_a_server_that_drips_is_cut_off_at_the_deadline(serve: Serve) -> None:
    done = threading.Event()
    server = serve(in_turn([Reply(b"", declared=1_000_000, drip=done)]))
    try:
        with pytest.raises(EncoderError, match="failed 3 times, last with a timeout"):
            client_for(server.url, []).post({})
    finally:
        done.set()


def test_headers_that_drip_are_cut_off_at_the_deadline() -> None:
    """A socket's own timeout would begin anew with every byte."""
    stopped = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/x"
        dripping = threading.Thread(target=_drip, args=(listening, stopped), daemon=True)
        dripping.start()
        try:
            patience = Patience(timeout_s=0.3, attempts_max=1, deadline_s=60)
            with pytest.raises(EncoderError, match="failed once, last with a timeout"):
                JsonClient(url, patience=patience).post({})
        finally:
            stopped.set()
            dripping.join(30)


def _drip(listening: socket.socket, stopped: threading.Event) -> None:
    connection, _ = listening.accept()
    with connection, suppress(OSError):
        connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not stopped.wait(0.02):
            connection.sendall(b"x")


def test_a_hanging_endpoint_is_given_up_at_one_deadline_retries_included(serve: Serve) -> None:
    never = threading.Event()
    server = serve(in_turn([Reply(hold=never)]))
    patience = Patience(timeout_s=0.2, attempts_max=50, first_wait_s=0.0, deadline_s=0.5)
    try:
        with pytest.raises(EncoderError, match=r"within 0\.5 s, last with a timeout"):
            JsonClient(server.url, patience=patience).post({})
    finally:
        never.set()
    assert len(server.asked) <= 3


def test_without_a_deadline_of_its_own_a_request_takes_no_longer_than_one_attempt() -> None:
    assert Patience(timeout_s=5, attempts_max=9).whole_s == 5


def test_a_wait_that_would_pass_the_deadline_is_not_waited(serve: Serve) -> None:
    server = serve(in_turn([Reply(status=503, headers={"Retry-After": "8"})]))
    waits: list[float] = []
    patience = Patience(attempts_max=50, deadline_s=20)
    client = JsonClient(
        server.url, patience=patience, sleep=waits.append, clock=lambda: 100 + sum(waits)
    )
    with pytest.raises(EncoderError, match="failed 3 times within 20 s, last with HTTP 503"):
        client.post({})
    assert waits == [8.0, 8.0]


@pytest.mark.parametrize("given", ["soon", "0", "-1", "nan", "inf"])
def test_the_time_of_an_endpoint_is_set_by_the_environment_or_refused(given: str) -> None:
    set_to = with_endpoints(Patience(), {"SCRUBJAY_ENDPOINT_SECONDS": "5"})
    assert (set_to.timeout_s, set_to.whole_s) == (5, 5)
    assert with_endpoints(Patience(), {}) == Patience()
    with pytest.raises(BadInput, match="SCRUBJAY_ENDPOINT_SECONDS"):
        with_endpoints(Patience(), {"SCRUBJAY_ENDPOINT_SECONDS": given})


@pytest.mark.parametrize("opening", [open_encoder, open_reranker])
def test_an_endpoint_opened_by_its_address_heeds_the_environment(
    opening: Callable[[str], object], serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = threading.Event()
    server = serve(in_turn([Reply(hold=never)]))
    monkeypatch.setenv("SCRUBJAY_ENDPOINT_SECONDS", "0.3")
    opened = opening(server.url)
    try:
        with pytest.raises(EncoderError, match=r"failed once within 0\.3 s"):
            if isinstance(opened, Reranker):
                opened.score("who?", ["Ana"])
            else:
                assert is_encoder(opened)
                opened.encode_documents(["Ana"])
    finally:
        never.set()


def test_an_answer_cut_short_is_asked_again(serve: Serve) -> None:
    server = serve(in_turn([Reply(b'{"a": 1', declared=50), as_json("whole")]))
    assert client_for(server.url, []).post({}) == "whole"


def test_garbage_is_an_error_that_shows_its_start(serve: Serve) -> None:
    server = serve(in_turn([Reply(b"<html>welcome</html>")]))
    with pytest.raises(EncoderError, match="<html>welcome"):
        client_for(server.url, []).post({})
    assert len(server.asked) == 1


def test_nobody_listening_is_an_error_that_names_the_address() -> None:
    with pytest.raises(EncoderError, match=r"127\.0\.0\.1:1/x failed 3 times"):
        client_for("http://127.0.0.1:1/x", []).post({})


@pytest.mark.parametrize(
    ("address", "url", "model"),
    [
        ("http://h:8080", "http://h:8080/v1/embeddings", None),
        ("http://h:8080/", "http://h:8080/v1/embeddings", None),
        ("https://h/v1#big-model", "https://h/v1/embeddings", "big-model"),
        ("https://h/v1/embeddings", "https://h/v1/embeddings", None),
        ("https://h/azure/embeddings?api=2", "https://h/azure/embeddings?api=2", None),
        ("http://[::1]:80/v1#%40org/small", "http://[::1]:80/v1/embeddings", "@org/small"),
    ],
)
def test_an_address_is_completed_and_its_fragment_is_the_model(
    address: str, url: str, model: str | None
) -> None:
    assert parse_endpoint(address, "/v1/embeddings") == Endpoint(url, model)


@pytest.mark.parametrize("path", ["/v1/embeddings", "/v1/rerank", "/v1/chat/completions"])
@pytest.mark.parametrize("slash", ["", "/"])
def test_every_way_to_write_an_address_leads_to_the_operation(path: str, slash: str) -> None:
    operation = path.removeprefix("/v1/")
    for given in ("", "/v1", path):
        assert parse_endpoint(f"http://h{given}{slash}", path) == Endpoint(f"http://h{path}")
    for given in ("/openai/v1", f"/openai/v1/{operation}"):
        found = parse_endpoint(f"http://h{given}{slash}?api=2", path)
        assert found == Endpoint(f"http://h/openai/v1/{operation}?api=2")


def test_the_first_half_of_an_operation_is_completed() -> None:
    found = parse_endpoint("http://h/v1/chat", "/v1/chat/completions")
    assert found == Endpoint("http://h/v1/chat/completions")


@pytest.mark.parametrize("address", ["http://", "ftp://h/x", "http://h:port", "http://[::1/v1"])
def test_what_is_no_address_is_bad_input(address: str) -> None:
    with pytest.raises(BadInput, match="Not an HTTP address"):
        parse_endpoint(address, "/v1/embeddings")


@pytest.mark.parametrize(
    "address",
    [
        "https://me:hunter2@h/v1",
        "https://h/v1?api_key=hunter2#m",
        "https://h/v1?v=2&X-Api-Key=hunter2",
        "https://h/v1?access_token=hunter2",
        "https://h/v1?subscription-key=hunter2",
        "https://h/v1?sig=hunter2",
    ],
)
def test_credentials_in_an_address_are_refused_without_repeating_them(address: str) -> None:
    with pytest.raises(BadInput, match="Credentials") as caught:
        parse_endpoint(address, "/v1/embeddings")
    assert "hunter2" not in str(caught.value)
