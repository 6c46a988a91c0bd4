"""Addresses that answer questions: recall, recall-batch, explain, parse, plan."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from scrubjay.surface.cli.values import time_zone
from scrubjay.surface.http.contract import answer_schemas as given
from scrubjay.surface.http.contract import schemas as taken
from scrubjay.surface.http.contract.reading import recall_of, text_of, texts_of
from scrubjay.surface.http.endpoint import Call, Endpoint, Reply, Scope
from scrubjay.surface.http.routes.banks import BANK
from scrubjay.surface.payloads import parsed_to_json, to_json


def recall(call: Call) -> Reply:
    """What the bank remembers that a question needs."""
    found = call.memory.recall(str(call.body["question"]), bank=call.bank, **recall_of(call.body))
    call.service.watch.answered(found)
    return Reply(to_json(found))


def recall_batch(call: Call) -> Reply:
    """The same for several questions."""
    asked = texts_of(call.body, "questions")
    found = call.memory.recall_batch(asked, bank=call.bank, **recall_of(call.body))
    for one in found:
        call.service.watch.answered(one)
    return Reply({"recalls": to_json(found)})


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
             body=taken.QUESTIONS, answers={200: given.RECALLS}),
    Endpoint("POST", f"{BANK}/explain", "Why a memory is, or is not, in an answer.", Scope.READ,
             explain, body=taken.EXPLAIN, answers={200: given.EXPLANATION}),
    Endpoint("POST", f"{BANK}/parse", "What a question says: when, about whom.", Scope.READ, parse,
             body=taken.PARSE, answers={200: given.PARSED}),
    Endpoint("POST", f"{BANK}/plan", "How a question would be recalled, and why.", Scope.READ,
             plan, body=taken.QUESTION, answers={200: given.PLAN}),
)  # fmt: skip
