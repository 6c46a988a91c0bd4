"""Addresses that move banks, as streams of JSON lines, and the tasks that do long work."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.types import Receive, Send
from starlette.types import Scope as ASGIScope

from scrubjay.codec.compiled import encode
from scrubjay.errors import BadInput
from scrubjay.importers.kinds import OWN
from scrubjay.importers.running import identify, look_through
from scrubjay.importers.tables import columns_of
from scrubjay.marks import About
from scrubjay.operations import banks
from scrubjay.operations.declared import TaskReply
from scrubjay.operations.operation import BANK, KeyScope
from scrubjay.surface.http.contract.bodies import FileQuery, ImportQuery, NoQuery, PreviewQuery
from scrubjay.surface.http.contract.reading import read_query
from scrubjay.surface.http.contract.replies import ImportPreview, ImportProblem
from scrubjay.surface.http.handling.dispatch import response_of, token_of_request
from scrubjay.surface.http.handling.long_work import discard
from scrubjay.surface.http.handling.performing import route_of
from scrubjay.surface.http.handling.route import Reply, RequestContext, Route
from scrubjay.surface.http.handling.service import Service
from scrubjay.surface.http.shared.problems import gone, refuse
from scrubjay.surface.http.shared.server_settings import IMPORT_SECONDS_MAX
from scrubjay.surface.http.state.keys import Caller
from scrubjay.surface.http.state.replies import Kept
from scrubjay.types.units import Unit
from scrubjay.undoing import undone_by

JSON_LINES = "application/x-ndjson"
# An export of a million memories takes minutes to write before its first byte is sent.
_EXPORT_SECONDS_MAX = 3_600.0
_ROOM_CHECKED_EVERY = 16 << 20
# A file system takes 255 for a name.
_NAME_BYTES_MAX = 150
# Of a file that is looked through: texts that are shown, their length, and bad lines.
_PREVIEWED = 6
_PREVIEWED_CHARACTERS = 160
_PREVIEWED_PROBLEMS = 20


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
    with undone_by(partial(discard, file)):
        digest = await _spool(request, file, service)
        reply, replayed = _accepted(request, service, caller, bank, arguments, digest)
    if replayed:
        discard(file)
    return response_of(reply, replayed=replayed)


async def import_file(request: Request, service: Service, caller: Caller, bank: str) -> Response:
    """Take any file that can be imported in, and answer with the task that will read it."""
    asked = read_query(request.query_params, FileQuery)
    columns = columns_of([*asked.map])
    service.tasks.check_room()
    folder = service.tasks.spool / f"{secrets.token_hex(10)}.import"
    folder.mkdir()
    with undone_by(partial(discard, folder)):
        file = folder / _harmless(asked.name)
        digest = await _spool(request, file, service)
        with _called(file, asked.name):
            kind = await service.transfers.run(
                partial(identify, file, asked.kind, columns), seconds_max=_EXPORT_SECONDS_MAX
            )
        await service.writes.run(
            partial(service.memory.bank, bank), seconds_max=service.settings.request_seconds
        )
        arguments = {
            "file": str(file), "keep_going": str(asked.keep_going).lower(), "kind": kind,
            "columns": json.dumps(columns),
        }  # fmt: skip
        reply, replayed = _accepted(request, service, caller, bank, arguments, digest)
    if replayed:
        discard(folder)
    return response_of(reply, replayed=replayed)


def _accepted(
    request: Request, service: Service, caller: Caller, bank: str, arguments: Mapping[str, str],
    digest: bytes,
) -> tuple[Reply, bool]:  # fmt: skip
    """The task of an import, and whether it was accepted before.

    Not awaited: a request that is cancelled here must not lose the file of its task.
    """

    def accept() -> tuple[Reply, Kept]:
        task = service.tasks.accept("import", bank, arguments)
        return Reply(task.to_json(), 202), Kept(202, {"id": task.id})

    def again(kept: Kept) -> Reply:
        found = service.tasks.find(str(kept.outcome["id"]))
        if found is None:
            raise gone("task", str(kept.outcome["id"]))
        return Reply(found.to_json(), 202)

    token = token_of_request(request, caller, digest)
    if token is None:
        return accept()[0], False
    return service.replies.once(token, accept, again, repeatable=True)


def _harmless(name: str) -> str:
    """The last part of a file's name, which leads nowhere and which every file system takes."""
    last = "".join(one for one in re.split(r"[/\\]", name)[-1] if one.isprintable())
    stem, ending = Path(last).stem, Path(last).suffix[:20]
    cut = stem.encode()[:_NAME_BYTES_MAX].decode(errors="ignore").lstrip(".")
    return f"{cut or 'file'}{ending}"


@contextmanager
def _called(file: Path, name: str) -> Iterator[None]:
    """Call a file what its sender calls it, not what it is called here."""
    try:
        yield
    except BadInput as error:
        if error.value != str(file):
            raise
        raise BadInput(error.what, name, error.remedy) from None


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


async def preview_import(request: Request, service: Service, _: Caller, __: str) -> Response:
    """Read a file as an import would, and say what is in it. Nothing is kept."""
    asked = read_query(request.query_params, PreviewQuery)
    columns = columns_of([*asked.map])
    service.tasks.check_room()
    folder = service.tasks.spool / f"{secrets.token_hex(10)}.preview"
    folder.mkdir()
    file = folder / _harmless(asked.name)
    try:
        await _spool(request, file, service)
        with _called(file, asked.name):
            found = await service.transfers.run(
                partial(_looked_through, file, asked.kind, columns),
                seconds_max=_EXPORT_SECONDS_MAX,
            )
    finally:
        await asyncio.to_thread(discard, folder)
    return response_of(Reply(encode(found)))


def _looked_through(file: Path, kind: str | None, columns: Mapping[str, str]) -> ImportPreview:
    types: Counter[str] = Counter()
    first: list[str] = []

    def seen(unit: Unit) -> None:
        types[unit.type or "by rule"] += 1
        if len(first) < _PREVIEWED:
            first.append(unit.text[:_PREVIEWED_CHARACTERS])

    found = look_through(file, kind, columns, seen)
    own = found is None
    if found is None:  # our own lines, of which those with a text are memories
        found = look_through(file, "jsonl", {}, seen)
        assert found is not None, "lines are read as such"
    problems = tuple(
        ImportProblem(one.file, one.line, one.reason)
        for one in found.problems[:_PREVIEWED_PROBLEMS]
    )
    return ImportPreview(
        OWN if own else found.kind, found.units, found.sessions, dict(types), found.skipped,
        problems, tuple(first),
    )  # fmt: skip


async def export_lines(_: Request, service: Service, __: Caller, bank: str) -> Response:
    """The bank as JSON lines, written to a file first, so that it is whole or refused."""
    file = service.tasks.spool / f"{secrets.token_hex(10)}.export"
    service.tasks.check_room()
    service.exports.take(1)

    def gone() -> None:
        file.unlink(missing_ok=True)
        service.exports.give_back(1)

    with undone_by(gone):
        await service.transfers.run(
            partial(service.memory.export, file, bank=bank), seconds_max=_EXPORT_SECONDS_MAX
        )
        return _Whole(file, gone)


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
_FILE = Annotated[
    str, About("A file of any kind that can be imported.", '{"text": "The ferry leaves at nine."}')
]

ROUTES = (
    replace(
        route_of(banks.import_), handler=None, raw=import_lines, body=_LINES, body_optional=False,
        body_media_type=JSON_LINES, query=ImportQuery, answers={202: TaskReply},
    ),
    Route("POST", f"{BANK}/import/file", "Read another program's file into a bank.",
          KeyScope.WRITE, raw=import_file, body=_FILE, body_media_type="application/octet-stream",
          query=FileQuery, answers={202: TaskReply}),
    Route("POST", f"{BANK}/import/preview", "What a file holds, before it is imported.",
          KeyScope.READ, raw=preview_import, body=_FILE, body_media_type="application/octet-stream",
          query=PreviewQuery, answers={200: ImportPreview}),
    replace(
        route_of(banks.export), handler=None, raw=export_lines, query=NoQuery,
        media_type=JSON_LINES, answers={200: _LINES},
    ),
    Route("GET", "/v1/tasks/{task}", "How far long work is, and how it ended.", KeyScope.READ,
          task, answers={200: TaskReply}),
)  # fmt: skip
