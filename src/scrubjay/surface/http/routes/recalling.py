"""Addresses that answer questions: recall, recall-batch, explain, parse, plan."""

from __future__ import annotations

import time
from collections.abc import Mapping
from zoneinfo import ZoneInfo

from scrubjay.answers import Recall
from scrubjay.surface.cli.values import time_zone
from scrubjay.surface.http.contract import answer_schemas as given
from scrubjay.surface.http.contract import schemas as taken
from scrubjay.surface.http.contract.reading import recall_of, text_of, texts_of
from scrubjay.surface.http.endpoint import Call, Endpoint, Reply, Scope
from scrubjay.surface.http.problems import refuse
from scrubjay.surface.http.routes.banks import BANK
from scrubjay.surface.payloads import parsed_to_json, to_json
from scrubjay.types import Json

# Questions of a batch that are embedded and answered before the time is looked at.
_TOGETHER = 16


def recall(call: Call) -> Reply:
    """What the bank remembers that a question needs."""
    found = call.memory.recall(str(call.body["question"]), bank=call.bank, **recall_of(call.body))
    call.service.watch.answered(found)
    return Reply(to_json(found))


def recall_batch(call: Call) -> Reply:
    """The same for several questions, as long as a request may take."""
    asked, seconds = texts_of(call.body, "questions"), call.service.settings.request_seconds
    found: list[Recall] = []
    until = time.monotonic() + seconds
    for start in range(0, len(asked), _TOGETHER):
        if time.monotonic() > until:
            # Who asked has been told so by now; the worker is free for others.
            raise refuse(503, "TooSlow", f"Not finished within {seconds:g} s.",
                         "Ask fewer questions at a time.")  # fmt: skip
        some = asked[start : start + _TOGETHER]
        found += call.memory.recall_batch(some, bank=call.bank, **recall_of(call.body))
    for one in found:
        call.service.watch.answered(one)
    return Reply({"recalls": to_json(found)})


def _questions(body: Mapping[str, Json]) -> int:
    return max(1, len(texts_of(body, "questions")))


def explain(call: Call) -> Reply:
    """Why a memory is, or is not, in an answer."""
    explained = call.memory.explain(
        str(call.body["question"]), str(call.body["unit"]), bank=call.bank, **recall_of(call.body)
    )
    return Reply(to_json(explained))


def parse(call: Call) -> Reply:
    """What a question says."""
    question, zone = str(call.body["question"]), text_of(call.body, "timezone")
    how = recall_of(call.body)
    given_zone = None if zone is None else time_zone(zone)
    parsed = call.memory.parse(question, bank=call.bank, timezone=zone, **how)
    plan = call.memory.plan(question, bank=call.bank, **how)
    own = given_zone or ZoneInfo(call.memory.bank(call.bank).settings.timezone)
    return Reply(parsed_to_json(parsed, plan, own))


def plan(call: Call) -> Reply:
    """How a question would be recalled."""
    question = str(call.body["question"])
    return Reply(to_json(call.memory.plan(question, bank=call.bank, **recall_of(call.body))))


ENDPOINTS = (
    Endpoint("POST", f"{BANK}/recall", "Ask the memory; best answers first.", Scope.READ, recall,
             body=taken.QUESTION, answers={200: given.RECALL}),
    Endpoint("POST", f"{BANK}/recall-batch", "Ask several questions.", Scope.READ, recall_batch,
             body=taken.QUESTIONS, answers={200: given.RECALLS}, stands_for=_questions),
    Endpoint("POST", f"{BANK}/explain", "Why a memory is, or is not, in an answer.", Scope.READ,
             explain, body=taken.EXPLAIN, answers={200: given.EXPLANATION}),
    Endpoint("POST", f"{BANK}/parse", "What a question says: when, about whom.", Scope.READ, parse,
             body=taken.PARSE, answers={200: given.PARSED}),
    Endpoint("POST", f"{BANK}/plan", "How a question would be recalled, and why.", Scope.READ,
             plan, body=taken.QUESTION, answers={200: given.PLAN}),
)  # fmt: skip
