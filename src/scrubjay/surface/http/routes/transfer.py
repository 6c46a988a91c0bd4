"""Addresses that move banks, as streams of JSON lines, and the tasks that do long work."""

from __future__ import annotations

import asyncio
import secrets
from functools import partial
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from scrubjay.surface.http.contract import answer_schemas as given
from scrubjay.surface.http.contract import schemas as taken
from scrubjay.surface.http.contract.reading import flag_of
from scrubjay.surface.http.endpoint import Call, Caller, Endpoint, Parameter, Reply, Scope
from scrubjay.surface.http.problems import refuse
from scrubjay.surface.http.routes.banks import BANK
from scrubjay.surface.http.service import Service

JSON_LINES = "application/x-ndjson"
# An export of a million memories takes minutes to write before its first byte is sent.
_EXPORT_SECONDS_MAX = 3_600.0


async def import_lines(request: Request, service: Service, _: Caller, bank: str) -> Response:
    """Take a file in, and answer with the task that will read it."""
    keep_going = flag_of(request.query_params, "keep_going")
    service.tasks.check_room()
    # The name is checked, and the bank made, before the first byte is taken.
    await service.writes.run(
        partial(service.memory.bank, bank), seconds_max=service.settings.request_seconds
    )
    file = service.tasks.spool / f"{secrets.token_hex(10)}.jsonl"
    try:
        await _spool(request, file, service)
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    arguments = {"file": str(file), "keep_going": str(keep_going).lower()}
    task = service.tasks.accept("import", bank, arguments)
    return JSONResponse(task.to_json(), 202, headers={"Location": f"/v1/tasks/{task.id}"})


async def _spool(request: Request, file: Path, service: Service) -> None:
    """Write a body to a file as it comes; a client may pause, but not for long."""
    most, size = service.settings.import_bytes_max, 0
    with file.open("wb") as out:
        stream = request.stream()
        while True:
            try:
                chunk = await asyncio.wait_for(anext(stream), service.settings.body_seconds)
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise refuse(408, "BodyTooSlow", "The body stopped coming.", "Send it again."
                             ) from None  # fmt: skip
            size += len(chunk)
            if size > most:
                raise refuse(413, "BodyTooLarge", f"An import may have {most:,} bytes.",
                             "Send it in parts.")  # fmt: skip
            await asyncio.to_thread(out.write, chunk)


async def export_lines(_: Request, service: Service, __: Caller, bank: str) -> Response:
    """The bank as JSON lines, written to a file first, so that it is whole or refused."""
    file = service.tasks.spool / f"{secrets.token_hex(10)}.export"
    try:
        await service.transfers.run(
            partial(service.memory.export, file, bank=bank), seconds_max=_EXPORT_SECONDS_MAX
        )
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    gone = BackgroundTask(file.unlink, missing_ok=True)
    return FileResponse(file, media_type=JSON_LINES, background=gone)


def task(call: Call) -> Reply:
    """How far a task is; another bank's tasks are not there."""
    found = call.service.tasks.find(call.path["task"])
    if found is None or not call.caller.may(Scope.READ, found.bank):
        raise refuse(404, "NotFound", f"There is no task {call.path['task'][:40]!r}.",
                     "Use the address of the answer that began it.")  # fmt: skip
    return Reply(found.to_json())


_LINES: taken.Schema = {"type": "string", "description": "One JSON object a line."}
_KEEP_GOING = Parameter("keep_going", taken.FLAG, "Keep the good lines when some are bad.")

ENDPOINTS = (
    Endpoint("POST", f"{BANK}/import", "Read a file of JSON lines into a bank.", Scope.WRITE,
             raw=import_lines, body=_LINES, body_media_type=JSON_LINES, query=(_KEEP_GOING,),
             answers={202: given.TASK}),
    Endpoint("GET", f"{BANK}/export", "Write a bank as JSON lines.", Scope.READ,
             raw=export_lines, media_type=JSON_LINES, answers={200: _LINES}),
    Endpoint("GET", "/v1/tasks/{task}", "How far long work is, and how it ended.", Scope.READ,
             task, answers={200: given.TASK}),
)  # fmt: skip
