"""Addresses that show how a server is doing: its banks, its tasks, its times, and a live feed."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from importlib.metadata import version
from itertools import count

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from scrubjay.codec.compiled import encode, encode_object
from scrubjay.errors import NotFound
from scrubjay.operations.declared import TaskReply
from scrubjay.operations.operation import BANK, KeyScope
from scrubjay.surface.http.contract.bodies import EventsQuery
from scrubjay.surface.http.contract.reading import read_query
from scrubjay.surface.http.contract.replies import Status, TaskReplies
from scrubjay.surface.http.handling.route import Reply, RequestContext, Route
from scrubjay.surface.http.handling.service import Service
from scrubjay.surface.http.shared.server_settings import STATUS_BANKS_MAX, STATUS_TASKS_MAX
from scrubjay.surface.http.state.keys import Caller
from scrubjay.surface.http.watching.feed import Stream
from scrubjay.types.reports import Stats

# A proxy that hears nothing for long hangs up.
_PAUSE_SECONDS = 15.0
_NUMBERS = count(1)


def status(request: RequestContext) -> Reply:
    """The whole server at a glance."""
    service, memory = request.service, request.memory
    cards, banks = memory.banks(), list[Stats]()
    for card in cards[:STATUS_BANKS_MAX]:
        with suppress(NotFound):  # deleted meanwhile
            banks.append(memory.stats(bank=card.name))
    metrics = service.watch.metrics
    metrics.at_work.set(service.reads.inside + service.writes.inside)
    return Reply(
        encode(
            Status(
                version=version("scrubjay"),
                started_at=service.started_at,
                store=memory.location,
                keys_required=service.door.required,
                banks=tuple(banks),
                banks_total=len(cards),
                tasks=tuple(_tasks(request)),
                **metrics.totals(),
            )
        )
    )


def tasks(request: RequestContext) -> Reply:
    """The newest long work, of banks that the caller may read."""
    return Reply(encode(TaskReplies(tuple(_tasks(request)))))


def _tasks(request: RequestContext) -> list[TaskReply]:
    kept = request.service.tasks.newest(STATUS_TASKS_MAX)
    watches = request.caller.may(KeyScope.METRICS, "*")
    return [one.reply() for one in kept if watches or request.caller.may(KeyScope.READ, one.bank)]


async def events(request: Request, service: Service, _: Caller, bank: str) -> Response:
    """What is told and asked, as server-sent events, until the client or the server goes."""
    asked = read_query(request.query_params, EventsQuery)
    await service.reads.run(
        lambda: service.memory.stats(bank=bank), seconds_max=service.settings.request_seconds
    )
    stream = service.feed.join(bank)
    # A server that stops ends what would go on for ever; see Connection.shutdown.
    request.scope["state"]["ends"] = stream.end
    sent = _sent(service, bank, stream, asked)
    return StreamingResponse(sent, media_type="text/event-stream")


async def _sent(
    service: Service, bank: str, stream: Stream, asked: EventsQuery
) -> AsyncIterator[bytes]:
    until = None if asked.seconds is None else time.monotonic() + asked.seconds
    told = 0
    try:
        yield b"retry: 2000\n\n"
        pause = _PAUSE_SECONDS if asked.seconds is None else min(_PAUSE_SECONDS, asked.seconds)
        async for event in stream.events(pause):
            if event is None:
                yield b": still here\n\n"
            else:
                data = json.dumps(encode_object(event), ensure_ascii=False)
                yield f"id: {next(_NUMBERS)}\nevent: {event.kind}\ndata: {data}\n\n".encode()
                told += 1
            if told == asked.limit or (until is not None and time.monotonic() >= until):
                return
        if stream.dropped:
            yield b"event: dropped\ndata: {}\n\n"
    finally:
        service.feed.leave(bank, stream)


ROUTES = (
    Route("GET", "/v1/status", "Banks, tasks and times of the whole server.", KeyScope.METRICS,
          status, answers={200: Status}),
    Route("GET", "/v1/tasks", "The newest long work.", KeyScope.READ, tasks,
          answers={200: TaskReplies}),
    Route("GET", f"{BANK}/events", "What is told and asked, as it happens.", KeyScope.READ,
          raw=events, query=EventsQuery, media_type="text/event-stream", answers={200: str}),
)  # fmt: skip
