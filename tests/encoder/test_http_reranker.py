"""Reranking over HTTP in the dialects there are, against a real server on the loopback."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from tests.encoder.scripted_server import Asked, Reply, Serve, as_json

from scrubjay.encoder.base import Reranker
from scrubjay.encoder.http_reranker import HttpReranker, to_logits
from scrubjay.errors import EncoderError
from scrubjay.patience import Patience

QUICK = Patience(timeout_s=2, attempts_max=2, first_wait_s=0.01, deadline_s=60)


def listed(asked: Asked, key: str) -> list[str]:
    texts = asked.body[key]
    assert isinstance(texts, list)
    return texts


def cohere(asked: Asked) -> Reply:
    """Best first, as relevance; the relevance of a text is its length in hundredths."""
    texts = listed(asked, "documents")
    rows = [{"index": n, "relevance_score": len(t) / 100} for n, t in enumerate(texts)]
    return as_json({"results": sorted(rows, key=lambda row: -row["relevance_score"])})


def tei(asked: Asked) -> Reply:
    """A bare list of raw scores; the other dialect is not understood."""
    if "texts" not in asked.body:
        return as_json({"error": "missing field `texts`"}, status=422)
    return as_json([{"index": n, "score": -len(t)} for n, t in enumerate(listed(asked, "texts"))])


def sigmoid(logits: np.ndarray[tuple[int], np.dtype[np.float32]]) -> list[float]:
    return [round(float(value), 4) for value in 1 / (1 + np.exp(-logits.astype(np.float64)))]


def test_relevance_becomes_logits_so_that_a_sigmoid_gives_it_back(serve: Serve) -> None:
    server = serve(cohere)
    reranker = HttpReranker(f"{server.url}/v1/rerank#rank-3")
    scores = reranker.score("q", ["a" * 10, "b" * 90, "c" * 50])
    assert scores.dtype == np.float32
    assert sigmoid(scores) == [0.1, 0.9, 0.5]
    assert server.asked[0].body == {
        "query": "q",
        "documents": ["a" * 10, "b" * 90, "c" * 50],
        "model": "rank-3",
    }


def test_the_other_dialect_is_learned_once_and_its_raw_scores_are_kept(serve: Serve) -> None:
    server = serve(tei)
    reranker = HttpReranker(f"{server.url}/rerank")
    assert reranker.score("q", ["aaa", "b"]).tolist() == [-3.0, -1.0]
    assert reranker.score("q", ["cc"]).tolist() == [-2.0]
    assert ["texts" in asked.body for asked in server.asked] == [False, True, True]
    assert server.asked[1].body["raw_scores"] is True


def test_many_texts_go_in_bounded_requests(serve: Serve) -> None:
    server = serve(cohere)
    texts = ["x" * (n % 90 + 1) for n in range(230)]
    scores = HttpReranker(server.url).score("q", texts)
    assert [len(listed(asked, "documents")) for asked in server.asked] == [100, 100, 30]
    assert sigmoid(scores) == [round(len(text) / 100, 4) for text in texts]


def test_certain_relevance_stays_finite_and_ordered() -> None:
    logits = to_logits(np.array([0.0, 0.5, 1.0], np.float32))
    assert np.isfinite(logits).all()
    assert logits[0] < logits[1] < logits[2]


def test_no_texts_ask_nothing(serve: Serve) -> None:
    server = serve(cohere)
    assert HttpReranker(server.url).score("q", []).shape == (0,)
    assert server.asked == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"results": [{"index": 0, "relevance_score": 0.4}]}, "1 finite scores came back"),
        ({"results": [{"index": 7, "relevance_score": 0.4}]}, "index 7 is wrong"),
        ({"results": [{"index": 0, "relevance_score": "high"}]}, "no number"),
        ({"results": [{"index": 0}]}, "score"),
        ({"results": [[0, 1]]}, "no object"),
        ({"results": "none"}, "no list of results"),
        ({"message": "hello"}, "results"),
        ([{"index": n, "score": float("nan")} for n in range(2)], "0 finite scores"),
    ],
)
def test_nonsense_is_refused_with_the_address(serve: Serve, answer: object, said: str) -> None:
    script: Callable[[Asked], Reply] = lambda _asked: as_json(answer)  # noqa: E731
    server = serve(script)
    with pytest.raises(EncoderError, match=said) as caught:
        HttpReranker(server.url, patience=QUICK).score("q", ["a", "b"])
    assert server.url in str(caught.value)


def test_an_endpoint_that_understands_neither_dialect_shows_its_refusal(serve: Serve) -> None:
    server = serve(lambda _asked: as_json({"error": "no"}, status=400))
    with pytest.raises(EncoderError, match="HTTP 400"):
        HttpReranker(server.url, patience=QUICK).score("q", ["a"])
    assert len(server.asked) == 2


def test_it_is_a_reranker_that_its_name_opens_again() -> None:
    reranker = HttpReranker("http://h/v1#m")
    assert isinstance(reranker, Reranker)
    assert reranker.name == "http://h/v1/rerank#m"
    assert HttpReranker(reranker.name).name == reranker.name
