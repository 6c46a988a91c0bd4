"""Reranking through any Cohere-, Jina- or TEI-style `/rerank` endpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scrubjay.encoder.http_client import JsonClient, RefusedError, parse_endpoint
from scrubjay.errors import EncoderError
from scrubjay.patience import Patience
from scrubjay.types.arrays import ScoreArray
from scrubjay.types.values import Json

RERANK_PATH = "/v1/rerank"
TEXTS_PER_REQUEST_MAX = 100

# Relevance is kept this far from 0 and 1, where log-odds would be infinite.
RELEVANCE_MARGIN = 1e-6

NOT_UNDERSTOOD = frozenset({400, 422})


class HttpReranker:
    """A Reranker over HTTP whose scores are logits, like a local cross-encoder's.

    The Cohere and Jina form (`documents`) is tried first; a server that does not understand it is
    asked in the TEI form (`texts`) from then on.
    """

    def __init__(
        self,
        address: str,
        *,
        api_key: str | None = None,
        patience: Patience | None = None,
        client: JsonClient | None = None,
    ) -> None:
        """`address` is `http(s)://host/v1#model`; `client` replaces the one built from it."""
        self._endpoint = parse_endpoint(address, RERANK_PATH)
        self._client = client or JsonClient(self._endpoint.url, api_key=api_key, patience=patience)
        self._tei_form = False

    @property
    def name(self) -> str:
        """The address, which opens the reranker again."""
        url, model = self._endpoint.url, self._endpoint.model
        return f"{url}#{model}" if model else url

    def score(self, question: str, texts: Sequence[str]) -> ScoreArray:
        """One logit per text, in order."""
        parts = [np.zeros(0, np.float32)]
        for start in range(0, len(texts), TEXTS_PER_REQUEST_MAX):
            parts.append(self._request(question, texts[start : start + TEXTS_PER_REQUEST_MAX]))
        return to_logits(np.concatenate(parts))

    def _request(self, question: str, texts: Sequence[str]) -> ScoreArray:
        try:
            answer = self._client.post(self._body(question, texts))
        except RefusedError as refusal:
            if self._tei_form or refusal.status not in NOT_UNDERSTOOD:
                raise
            self._tei_form = True
            answer = self._client.post(self._body(question, texts))
        try:
            return read_scores(answer, len(texts))
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise EncoderError(
                f"{self._endpoint.url} gave no usable scores for {len(texts)} texts: {error}. "
                "Check that it speaks the Cohere, Jina or TEI rerank format."
            ) from error

    def _body(self, question: str, texts: Sequence[str]) -> dict[str, Json]:
        if self._tei_form:
            return {"query": question, "texts": list(texts), "raw_scores": True, "truncate": True}
        body: dict[str, Json] = {"query": question, "documents": list(texts)}
        if self._endpoint.model is not None:
            body["model"] = self._endpoint.model
        return body


def read_scores(answer: Json, count: int) -> ScoreArray:
    """The scores of a rerank answer by `index`; ValueError or TypeError if they are not there."""
    rows = answer["results"] if isinstance(answer, Mapping) else answer
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise TypeError("there is no list of results")
    scores = np.full(count, np.nan, np.float32)
    for row in rows:
        if not isinstance(row, Mapping):
            raise TypeError("a result is no object")
        index = row["index"]
        if not isinstance(index, int) or not 0 <= index < count:
            raise ValueError(f"the index {index!r} is wrong")
        score = row["relevance_score"] if "relevance_score" in row else row["score"]
        if not isinstance(score, int | float):
            raise TypeError(f"the score {score!r} is no number")
        scores[index] = score
    if not np.isfinite(scores).all():
        raise ValueError(f"{int(np.isfinite(scores).sum())} finite scores came back")
    return scores


def to_logits(scores: ScoreArray) -> ScoreArray:
    """Log-odds when the scores are relevances in [0, 1]; scores beyond that are logits already."""
    if scores.size == 0 or scores.min() < 0 or scores.max() > 1:
        return scores
    relevance = np.clip(scores.astype(np.float64), RELEVANCE_MARGIN, 1 - RELEVANCE_MARGIN)
    return np.log(relevance / (1 - relevance)).astype(np.float32)
