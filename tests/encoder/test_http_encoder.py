"""Embedding over HTTP against a real server on the loopback, well-behaved and not."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest
from tests.encoder.scripted_server import Asked, Reply, Serve, as_json

from scrubjay import Memory
from scrubjay.encoder.base import Calibration, Encoder, calibration_of
from scrubjay.encoder.calibration import CALIBRATION_TEXTS, measure_calibration
from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.encoder.http_encoder import HttpEncoder, RemoteModel, batches
from scrubjay.errors import BadInput, EncoderError
from scrubjay.patience import Patience

QUICK = Patience(timeout_s=2, attempts_max=2, first_wait_s=0.01, deadline_s=60)
INNER = HashingEncoder(16)
Mangle = Callable[[list[dict[str, object]]], object]


def texts_of(asked: Asked) -> list[str]:
    texts = asked.body["input"]
    assert isinstance(texts, list)
    return texts


def rows_for(asked: Asked) -> list[dict[str, object]]:
    """What a good server says: vectors of any length, shuffled, with their index."""
    vectors = INNER.encode_documents(texts_of(asked)) * 5
    rows = [{"index": n, "embedding": row.tolist()} for n, row in enumerate(vectors)]
    return [*rows[1::2], *rows[::2]]


def good(asked: Asked) -> Reply:
    return as_json({"data": rows_for(asked), "model": "any"})


def after_the_probe(mangle: Mangle) -> Callable[[Asked], Reply]:
    """A server that is good while it is probed and then answers what `mangle` makes of it."""

    def script(asked: Asked) -> Reply:
        if len(texts_of(asked)) == len(CALIBRATION_TEXTS):
            return good(asked)
        return as_json(mangle(rows_for(asked)))

    return script


def test_vectors_come_back_in_order_and_with_unit_length(serve: Serve) -> None:
    encoder = HttpEncoder(f"{serve(good).url}/v1#m")
    texts = [f"word{n} and more" for n in range(150)]
    vectors = encoder.encode_documents(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, INNER.encode_documents(texts), atol=1e-6)
    assert isinstance(encoder, Encoder)


def test_requests_are_bounded_and_name_the_model(serve: Serve) -> None:
    server = serve(good)
    HttpEncoder(f"{server.url}/v1#m").encode_documents(["x"] * 150)
    assert [len(texts_of(asked)) for asked in server.asked[1:]] == [64, 64, 22]
    assert {str(asked.body["model"]) for asked in server.asked} == {"m"}


def test_a_server_of_one_model_is_not_told_a_name(serve: Serve) -> None:
    server = serve(good)
    HttpEncoder(server.url).encode_queries(["x"])
    assert all("model" not in asked.body for asked in server.asked)


def test_batches_are_cut_by_characters_too() -> None:
    sizes = [len(batch) for batch in batches(["a" * 60_000, "b" * 60_000, "c", "d" * 200_000])]
    assert sizes == [1, 2, 1]


def test_one_probe_tells_dimension_fingerprint_and_calibration(serve: Serve) -> None:
    server = serve(good)
    encoder = HttpEncoder(f"{server.url}/v1#org/m@2")
    assert server.asked == []
    assert encoder.dimension == 16
    assert encoder.fingerprint == f"{server.url}/v1/embeddings#org/m%402@remote/f32/16"
    expected = measure_calibration(INNER).random_pair_cosine
    assert calibration_of(encoder).random_pair_cosine == pytest.approx(expected, abs=1e-5)
    assert len(server.asked) == 1


def test_who_stood_in_line_while_a_probe_failed_does_not_wait_for_another(serve: Serve) -> None:
    server = serve(lambda _: Reply(status=500))
    # The first asks at 0 and fails at 30, the second came at 5, the third at 31.
    moments = iter((0.0, 30.0, 5.0, 31.0, 32.0))
    encoder = HttpEncoder(server.url, patience=Patience(attempts_max=1), clock=moments.__next__)
    for asked in (1, 1, 2):
        with pytest.raises(EncoderError, match="HTTP 500"):
            encoder.encode_queries(["who?"])
        assert len(server.asked) == asked


def test_the_name_in_a_fingerprint_opens_the_same_model_again(serve: Serve) -> None:
    encoder = HttpEncoder(f"{serve(good).url}#@org/m")
    again = HttpEncoder(encoder.fingerprint.split("@")[0])
    assert again.fingerprint == encoder.fingerprint


def test_a_model_may_have_a_name_prefixes_and_a_calibration_of_its_own(serve: Serve) -> None:
    server = serve(good)
    model = RemoteModel("house", "query: ", "passage: ", Calibration(0.7))
    encoder = HttpEncoder(server.url, model=model)
    encoder.encode_queries(["where"])
    encoder.encode_documents(["here"])
    assert [texts_of(asked) for asked in server.asked[1:]] == [["query: where"], ["passage: here"]]
    assert encoder.fingerprint == "house@remote/f32/16"
    assert calibration_of(encoder) == Calibration(0.7)


def test_a_name_that_would_end_early_in_a_fingerprint_is_refused() -> None:
    with pytest.raises(BadInput, match="'house@2'"):
        HttpEncoder("http://h/v1", model=RemoteModel("house@2"))


def test_prefixes_take_part_in_the_measured_calibration(serve: Serve) -> None:
    server = serve(good)
    encoder = HttpEncoder(server.url, model=RemoteModel(query_prefix="query: "))
    assert 0 < encoder.calibration.random_pair_cosine < 1
    assert texts_of(server.asked[1])[0].startswith("query: ")


def test_a_hiccup_is_survived(serve: Serve) -> None:
    failures = [Reply(status=503), Reply(b"{", declared=9)]

    def script(asked: Asked) -> Reply:
        return failures.pop() if failures else good(asked)

    encoder = HttpEncoder(serve(script).url, patience=Patience(first_wait_s=0.01))
    assert encoder.encode_queries(["x"]).shape == (1, 16)


def test_no_texts_give_no_rows(serve: Serve) -> None:
    assert HttpEncoder(serve(good).url).encode_documents([]).shape == (0, 16)


@pytest.mark.parametrize(
    ("mangle", "said"),
    [
        (lambda rows: {"data": rows[:-1]}, "2 vectors came back"),
        (lambda rows: {"data": [*rows, rows[0]]}, "4 vectors came back"),
        (lambda rows: {"data": [rows[0], rows[0], rows[1]]}, "wrong or repeated"),
        (lambda rows: {"data": [{**row, "index": 9} for row in rows]}, "index 9 is wrong"),
        (lambda rows: {"data": [{"index": row["index"]} for row in rows]}, "embedding"),
        (lambda rows: {"data": [{**row, "embedding": "AAAA"} for row in rows]}, "no usable"),
        (lambda rows: {"data": [{**row, "embedding": [None] * 16} for row in rows]}, "not finite"),
        (lambda rows: {"data": [{**row, "embedding": [0] * 16} for row in rows]}, "zero"),
        (lambda rows: {"data": [{**row, "embedding": [1e999] * 16} for row in rows]}, "not finite"),
        (lambda rows: {"data": [{**row, "embedding": []} for row in rows]}, "no matrix"),
        (lambda rows: {"data": [[1, 2, 3] for _ in rows]}, "no object"),
        (lambda _rows: {"error": "overloaded"}, "data"),
        (lambda _rows: ["not", "an", "object"], "no list called data"),
        (
            lambda rows: {"data": [{**row, "embedding": [1.0] * 8} for row in rows]},
            "8 numbers after vectors of 16",
        ),
        (
            lambda rows: {"data": [{**rows[0], "embedding": [1.0]}, *rows[1:]]},
            "no usable embeddings",
        ),
    ],
)
def test_nonsense_is_refused_with_the_address(serve: Serve, mangle: Mangle, said: str) -> None:
    server = serve(after_the_probe(mangle))
    encoder = HttpEncoder(server.url, patience=QUICK)
    with pytest.raises(EncoderError, match=said) as caught:
        encoder.encode_documents(["one", "two", "three"])
    assert server.url in str(caught.value)


def test_many_threads_probe_once(serve: Serve) -> None:
    server = serve(good)
    encoder = HttpEncoder(server.url)
    threads = [threading.Thread(target=lambda: encoder.dimension) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.asked) == 1


@pytest.mark.parametrize("by_name", [True, False])
def test_opening_a_memory_asks_the_endpoint_nothing(serve: Serve, by_name: bool) -> None:
    server = serve(good)
    encoder = server.url if by_name else HttpEncoder(server.url)
    with Memory.open(":memory:", encoder=encoder) as memory:
        assert server.asked == []
        memory.retain("The lamp is lit.")
    assert server.asked
