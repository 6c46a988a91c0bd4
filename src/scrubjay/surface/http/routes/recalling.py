"""Addresses that answer questions, of one bank or several, and say how."""

from __future__ import annotations

import time
from dataclasses import replace

from scrubjay.answers import Recall
from scrubjay.codec.compiled import encode
from scrubjay.operations import recalling
from scrubjay.operations.declared import answered
from scrubjay.operations.operation import KeyScope
from scrubjay.settings import zone_of
from scrubjay.surface.http.admitting.auth import allow
from scrubjay.surface.http.contract.bodies import AcrossBody, BatchBody, ParseBody, RecallBody
from scrubjay.surface.http.contract.replies import ParsedQuestion
from scrubjay.surface.http.handling.performing import route_of, routes_of
from scrubjay.surface.http.handling.route import Reply, RequestContext
from scrubjay.surface.http.shared.problems import refuse
from scrubjay.surface.payloads import parsed_to_json

# Questions of a batch that are embedded and answered before the time is looked at.
_TOGETHER = 16


def recall(request: RequestContext) -> Reply:
    """What the bank remembers that a question needs."""
    asked = request.given(RecallBody)
    found = request.memory.recall(asked.question, asked.how, bank=request.bank)
    request.service.watch.answered(request.bank, found)
    return Reply(encode(found))


def recall_across(request: RequestContext) -> Reply:
    """The same of several banks, each of which the caller may read."""
    asked = request.given(AcrossBody)
    for bank in asked.banks:
        allow(request.caller, KeyScope.READ, bank)
    found = request.memory.recall_across(asked.question, asked.banks, asked.how)
    request.service.watch.answered(",".join(asked.banks), found)
    return Reply(encode(found))


def _banks(body: object) -> int:
    assert isinstance(body, AcrossBody)
    return max(1, len(body.banks))


def recall_batch(request: RequestContext) -> Reply:
    """The same for several questions, as long as a request may take."""
    asked, seconds = request.given(BatchBody), request.service.settings.request_seconds
    found: list[Recall] = []
    until = time.monotonic() + seconds
    for start in range(0, len(asked.questions), _TOGETHER):
        if time.monotonic() > until:
            # Who asked has been told so by now; the worker is free for others.
            raise refuse(503, "TooSlow", f"Not finished within {seconds:g} s.",
                         "Ask fewer questions at a time.")  # fmt: skip
        some = asked.questions[start : start + _TOGETHER]
        found += request.memory.recall_batch(some, asked.how, bank=request.bank)
    for one in found:
        request.service.watch.answered(request.bank, one)
    return Reply(encode(answered(recalling.recall_batch, found)))


def _questions(body: object) -> int:
    assert isinstance(body, BatchBody)
    return max(1, len(body.questions))


def parse(request: RequestContext) -> Reply:
    """What a question says."""
    asked = request.given(ParseBody)
    question, zone = asked.question, asked.timezone
    parsed = request.memory.parse(question, asked.how, bank=request.bank, timezone=zone)
    plan = request.memory.plan(question, asked.how, bank=request.bank)
    shown = request.memory.bank(request.bank).settings.zone if zone is None else zone_of(zone)
    return Reply(parsed_to_json(parsed, plan, shown))


ROUTES = routes_of(
    recalling,
    replace(route_of(recalling.recall), handler=recall, body=RecallBody, asks=True),
    replace(
        route_of(recalling.recall_across), handler=recall_across, body=AcrossBody,
        stands_for=_banks, asks=True,
    ),
    replace(
        route_of(recalling.recall_batch), handler=recall_batch, body=BatchBody,
        stands_for=_questions, asks=True,
    ),
    replace(route_of(recalling.explain), asks=True),
    replace(
        route_of(recalling.parse), handler=parse, body=ParseBody, answers={200: ParsedQuestion}
    ),
)  # fmt: skip
