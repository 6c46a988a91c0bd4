"""Addresses that answer questions: recall, recall-batch, explain, parse, plan."""

from __future__ import annotations

import time
from collections.abc import Mapping
from zoneinfo import ZoneInfo

from scrubjay.answers import Recall
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.cli.shared.values import time_zone
from scrubjay.surface.http.contract import answer_schemas as given
from scrubjay.surface.http.contract import schemas as taken
from scrubjay.surface.http.contract.reading import recall_of, text_of, texts_of
from scrubjay.surface.http.problems import refuse
from scrubjay.surface.http.route import Reply, RequestContext, Route
from scrubjay.surface.http.routes.banks import BANK
from scrubjay.surface.payloads import parsed_to_json, to_json
from scrubjay.types import Json

# Questions of a batch that are embedded and answered before the time is looked at.
_TOGETHER = 16


def recall(request: RequestContext) -> Reply:
    """What the bank remembers that a question needs."""
    found = request.memory.recall(
        str(request.body["question"]), bank=request.bank, **recall_of(request.body)
    )
    request.service.watch.answered(found)
    return Reply(to_json(found))


def recall_batch(request: RequestContext) -> Reply:
    """The same for several questions, as long as a request may take."""
    asked, seconds = texts_of(request.body, "questions"), request.service.settings.request_seconds
    found: list[Recall] = []
    until = time.monotonic() + seconds
    for start in range(0, len(asked), _TOGETHER):
        if time.monotonic() > until:
            # Who asked has been told so by now; the worker is free for others.
            raise refuse(503, "TooSlow", f"Not finished within {seconds:g} s.",
                         "Ask fewer questions at a time.")  # fmt: skip
        some = asked[start : start + _TOGETHER]
        found += request.memory.recall_batch(some, bank=request.bank, **recall_of(request.body))
    for one in found:
        request.service.watch.answered(one)
    return Reply({"recalls": to_json(found)})


def _questions(body: Mapping[str, Json]) -> int:
    return max(1, len(texts_of(body, "questions")))


def explain(request: RequestContext) -> Reply:
    """Why a memory is, or is not, in an answer."""
    explained = request.memory.explain(
        str(request.body["question"]),
        str(request.body["unit"]),
        bank=request.bank,
        **recall_of(request.body),
    )
    return Reply(to_json(explained))


def parse(request: RequestContext) -> Reply:
    """What a question says."""
    question, zone = str(request.body["question"]), text_of(request.body, "timezone")
    how = recall_of(request.body)
    given_zone = None if zone is None else time_zone(zone)
    parsed = request.memory.parse(question, bank=request.bank, timezone=zone, **how)
    plan = request.memory.plan(question, bank=request.bank, **how)
    own = given_zone or ZoneInfo(request.memory.bank(request.bank).settings.timezone)
    return Reply(parsed_to_json(parsed, plan, own))


def plan(request: RequestContext) -> Reply:
    """How a question would be recalled."""
    question = str(request.body["question"])
    return Reply(
        to_json(request.memory.plan(question, bank=request.bank, **recall_of(request.body)))
    )


ROUTES = (
    Route("POST", f"{BANK}/recall", "Ask the memory; best answers first.", KeyScope.READ, recall,
             body=taken.QUESTION, answers={200: given.RECALL}),
    Route("POST", f"{BANK}/recall-batch", "Ask several questions.", KeyScope.READ, recall_batch,
             body=taken.QUESTIONS, answers={200: given.RECALLS}, stands_for=_questions),
    Route("POST", f"{BANK}/explain", "Why a memory is, or is not, in an answer.", KeyScope.READ,
             explain, body=taken.EXPLAIN, answers={200: given.EXPLANATION}),
    Route("POST", f"{BANK}/parse", "What a question says: when, about whom.", KeyScope.READ, parse,
             body=taken.PARSE, answers={200: given.PARSED}),
    Route("POST", f"{BANK}/plan", "How a question would be recalled, and why.", KeyScope.READ,
             plan, body=taken.QUESTION, answers={200: given.PLAN}),
)  # fmt: skip
