"""Addresses that move banks, as streams of JSON lines, and the tasks that do long work."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.types import Receive, Send
from starlette.types import Scope as ASGIScope

from scrubjay.marks import About
from scrubjay.operations import banks
from scrubjay.operations.declared import TaskReply
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.contract.bodies import ImportQuery, NoQuery
from scrubjay.surface.http.contract.reading import read_query
from scrubjay.surface.http.handling.dispatch import response_of, token_of_request
from scrubjay.surface.http.handling.performing import route_of
from scrubjay.surface.http.handling.route import Reply, RequestContext, Route
from scrubjay.surface.http.handling.service import Service
from scrubjay.surface.http.shared.problems import gone, refuse
from scrubjay.surface.http.shared.server_settings import IMPORT_SECONDS_MAX
from scrubjay.surface.http.state.keys import Caller
from scrubjay.surface.http.state.replies import Kept

JSON_LINES = "application/x-ndjson"
# An export of a million memories takes minutes to write before its first byte is sent.
_EXPORT_SECONDS_MAX = 3_600.0
_ROOM_CHECKED_EVERY = 16 << 20


async def import_lines(request: Request, service: Service, caller: Caller, bank: str) -> Response:
    """Take a file in, and answer with the task that will read it."""
    keep_going = read_query(request.query_params, ImportQuery).keep_going
    service.tasks.check_room()
    # The name is checked, and the bank made, before the first byte is taken.
    await service.writes.run(
        partial(service.memory.bank, bank), seconds_max=service.settings.request_seconds
    )
    file = service.tasks.spool / f"{secrets.token_hex(10)}.jsonl"
    arguments = {"file": str(file), "keep_going": str(keep_going).lower()}

    def accept() -> tuple[Reply, Kept]:
        task = service.tasks.accept("import", bank, arguments)
        return Reply(task.to_json(), 202), Kept(202, {"id": task.id})

    def again(kept: Kept) -> Reply:
        found = service.tasks.find(str(kept.outcome["id"]))
        if found is None:
            raise gone("task", str(kept.outcome["id"]))
        return Reply(found.to_json(), 202)

    try:
        token = token_of_request(request, caller, await _spool(request, file, service))
        if token is None:
            return response_of(accept()[0])
        # Not awaited: a request that is cancelled here must not lose the file of its task.
        reply, replayed = service.replies.once(token, accept, again, repeatable=True)
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    if replayed:
        file.unlink(missing_ok=True)
    return response_of(reply, replayed=replayed)


async def _spool(request: Request, file: Path, service: Service) -> bytes:
    """Write a body to a file as it comes; its hash. A client may pause, but not for long."""
    most, size = service.settings.import_bytes_max, 0
    digest, until = hashlib.sha256(), time.monotonic() + IMPORT_SECONDS_MAX
    with file.open("wb") as out:
        stream = request.stream()
        while True:
            try:
                patience = min(service.settings.body_seconds, until - time.monotonic())
                chunk = await asyncio.wait_for(anext(stream), patience)
            except StopAsyncIteration:
                return digest.digest()
            except TimeoutError:
                raise refuse(408, "BodyTooSlow", "The body stopped coming.", "Send it again."
                             ) from None  # fmt: skip
            if (size + len(chunk)) // _ROOM_CHECKED_EVERY > size // _ROOM_CHECKED_EVERY:
                service.tasks.check_room()
            size += len(chunk)
            if size > most:
                raise refuse(413, "BodyTooLarge", f"An import may have {most:,} bytes.",
                             "Send it in parts.")  # fmt: skip
            digest.update(chunk)
            await asyncio.to_thread(out.write, chunk)


async def export_lines(_: Request, service: Service, __: Caller, bank: str) -> Response:
    """The bank as JSON lines, written to a file first, so that it is whole or refused."""
    file = service.tasks.spool / f"{secrets.token_hex(10)}.export"
    service.tasks.check_room()
    service.exports.take(1)

    def gone() -> None:
        file.unlink(missing_ok=True)
        service.exports.give_back(1)

    try:
        await service.transfers.run(
            partial(service.memory.export, file, bank=bank), seconds_max=_EXPORT_SECONDS_MAX
        )
        return _Whole(file, gone)
    except BaseException:
        gone()
        raise


class _Whole(FileResponse):
    """A file that is removed when it was sent, or when its reader went away."""

    def __init__(self, file: Path, gone: Callable[[], None]) -> None:
        super().__init__(file, media_type=JSON_LINES)
        self._gone = gone

    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._gone()


def task(request: RequestContext) -> Reply:
    """How far a task is; another bank's tasks are not there."""
    found = request.service.tasks.find(request.path["task"])
    if found is None or not request.caller.may(KeyScope.READ, found.bank):
        raise refuse(404, "NotFound", f"There is no task {request.path['task'][:40]!r}.",
                     "Use the address of the answer that began it.")  # fmt: skip
    return Reply(found.to_json())


_LINES = Annotated[str, About("One JSON object a line.", '{"text": "The ferry leaves at nine."}')]

ROUTES = (
    replace(
        route_of(banks.import_), handler=None, raw=import_lines, body=_LINES, body_optional=False,
        body_media_type=JSON_LINES, query=ImportQuery, answers={202: TaskReply},
    ),
    replace(
        route_of(banks.export), handler=None, raw=export_lines, query=NoQuery,
        media_type=JSON_LINES, answers={200: _LINES},
    ),
    Route("GET", "/v1/tasks/{task}", "How far long work is, and how it ended.", KeyScope.READ,
          task, answers={200: TaskReply}),
)  # fmt: skip
