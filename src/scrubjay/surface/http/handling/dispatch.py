"""The way of one request: who, may they, what they sent, was it sent before, do it, answer."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from scrubjay.backend import EngineBackend
from scrubjay.errors import BadInput, ScrubjayError
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.admitting.auth import address_of, allow, check_same_site
from scrubjay.surface.http.admitting.gate import Budget
from scrubjay.surface.http.contract.reading import read_body, read_query
from scrubjay.surface.http.handling.route import Asking, Reply, RequestContext, Route
from scrubjay.surface.http.handling.service import Service
from scrubjay.surface.http.readers.messages import Asked
from scrubjay.surface.http.readers.pool import Readers
from scrubjay.surface.http.shared.problems import Refusal, problem_of, refuse
from scrubjay.surface.http.shared.server_settings import (
    BODY_BYTES_READ_AT_ONCE,
    EVENT_QUESTION_CHARACTERS_MAX,
    EVENT_UNITS_MAX,
)
from scrubjay.surface.http.state.keys import EVERY_BANK, Caller
from scrubjay.surface.http.state.replies import Kept, Token, token_of
from scrubjay.surface.http.watching.feed import Event
from scrubjay.types.values import Json

_AUDITED_IDS_MAX = 1_000
# What a bank's requests are counted for, of that which readers answer; see Engine.reading.
_COUNTED = ("recall", "recall_batch", "explain")


def dispatcher(route: Route, service: Service) -> Callable[[Request], Awaitable[Response]]:
    """The function that answers requests to an route."""

    async def answer(request: Request) -> Response:
        spans, request_id = service.watch.spans, request.state.request_id
        with spans.request(route.name, request_id, request.headers) as tell:
            response = await admitted(request)
            tell(response.status_code)
            return response

    async def admitted(request: Request) -> Response:
        caller = Caller(None)
        bank = request.path_params.get("bank", "")
        if route.scope is not None:
            address = address_of(request.scope)
            caller = service.door.admit(request.headers, address, request.method)
            request.state.caller = caller.name
            whole_server = route.whole_server or route.scope is KeyScope.METRICS
            allow(caller, route.scope, EVERY_BANK if whole_server else bank)
        if route.own_page:
            check_same_site(request.headers)
        try:
            query: object = read_query(request.query_params, route.query)
            _check_no_body(request, route)
            if route.raw is not None:
                _check_media_type(request, route)
                response = await route.raw(request, service, caller, bank)
                _audit(request, route, service, response.status_code, None)
                return response
            return await _answer(request, route, service, caller, query)
        except ScrubjayError as error:
            raise Refusal(problem_of(error)) from error

    return answer


async def _answer(
    request: Request, route: Route, service: Service, caller: Caller, query: object
) -> Response:
    held = _Held(service.bodies)
    try:
        content = b"" if route.body is None else await _read(request, route, service, held)
        if len(content) > BODY_BYTES_READ_AT_ONCE:
            body = await asyncio.to_thread(body_of, content, route)
        else:
            body = body_of(content, route)
        path = dict(request.path_params)
        bank = path.get("bank", "")
        asking = _asking(request)
        context = RequestContext(service.memory, caller, bank, path, query, body, service, asking)
        token = token_of_request(request, caller, content) if route.writes else None
        if route.of_a_bank and service.readers is not None:
            response = await _read_beside(request, route, context, content, service.readers)
            if response is not None:
                return response
        return await _worked(request, route, context, token)
    finally:
        held.release()


def _asking(request: Request) -> Asking:
    # What a proxy says of the way to it only decides how the caller's own cookie is kept.
    schemes = request.url.scheme, request.headers.get("x-forwarded-proto", "")
    return Asking(request.headers, address_of(request.scope), "https" in schemes)


async def _worked(
    request: Request, route: Route, context: RequestContext, token: Token | None
) -> Response:
    service = context.service
    gate = service.writes if route.writes else service.reads
    work = partial(_work, request, route, context, token)
    size = route.stands_for(context.body)
    if not (route.of_a_bank and service.readers):  # else it was counted when they were asked
        service.door.count(context.caller, size - 1)
    response = await gate.run(
        work,
        seconds_max=service.settings.request_seconds,
        places=size,
        line=context.bank if route.writes else "",
    )
    if service.readers is not None and _takes_files_away(route, context):
        await service.readers.replace_all()
    return response


def _takes_files_away(route: Route, context: RequestContext) -> bool:
    """Whether files are gone that readers may have mapped, and the erased with them."""
    return route.kind in ("compact", "delete_bank") or getattr(context.body, "compact", False)


async def _read_beside(
    request: Request, route: Route, context: RequestContext, content: bytes, readers: Readers
) -> Response | None:
    """The answer of a reader; None where the server has to look itself."""
    service, begun = context.service, time.perf_counter()
    size = route.stands_for(context.body)
    service.door.count(context.caller, size - 1)
    backend = service.memory.backend
    assert isinstance(backend, EngineBackend), "readers read the files of a store"
    # A reader has no part in what is written, and so does not count.
    if route.kind in _COUNTED and not backend.admits(context.bank):
        await asyncio.to_thread(backend.admit, context.bank, size)
    asked = Asked(route.name, context.bank, context.path, request.url.query, content)
    with service.reads.place(size):
        given = await readers.ask(asked, service.settings.request_seconds)
    if given is None:
        return None
    for answered in given.answered:
        service.watch.heard(answered)
    if given.hits or given.misses:
        service.watch.looked_up(hits=given.hits, misses=given.misses)
    if route.asks and service.feed.listens(context.bank):
        _tell(route, context, json.loads(given.content), (time.perf_counter() - begun) * 1e3)
    headers = dict(given.headers)
    return Response(given.content, given.status, headers, media_type="application/json")


def _work(request: Request, route: Route, context: RequestContext, token: Token | None) -> Response:
    """The handler's answer, done once if the request has a token; in a worker."""

    def work() -> Reply:
        assert route.handler is not None
        begun = time.perf_counter()
        reply = route.handler(context)
        _audit(request, route, context.service, reply.status, reply.body)
        _tell(route, context, reply.body, (time.perf_counter() - begun) * 1e3)
        return reply

    def worked() -> tuple[Reply, Kept]:
        reply = work()
        assert isinstance(reply.body, dict), "every answer is an object"
        kept = route.repeat.keep(reply.body)
        assert isinstance(kept, dict), "what is kept is an object"
        return reply, Kept(reply.status, kept)

    def again(kept: Kept) -> Reply:
        return Reply(route.repeat.again(context, kept.outcome), kept.status)

    if token is None:
        return response_of(work())
    replies, repeatable = context.service.replies, route.repeatable
    reply, replayed = replies.once(token, worked, again, repeatable=repeatable)
    return response_of(reply, replayed=replayed)


def response_of(reply: Reply, *, replayed: bool = False) -> Response:
    """An answer as it is sent; one that accepts a task says where to ask about it."""
    headers = {**reply.headers, **({"Idempotent-Replay": "true"} if replayed else {})}
    if reply.status == 202 and isinstance(reply.body, dict):
        headers["Location"] = f"/v1/tasks/{reply.body['id']}"
    return Response(content_of(reply), reply.status, headers, media_type="application/json")


def content_of(reply: Reply) -> bytes:
    """What is sent of an answer."""
    return json.dumps(reply.body, ensure_ascii=False).encode("utf-8")


def body_of(content: bytes, route: Route) -> object:
    """The body that was sent, as the route declares it; BadInput for another."""
    if route.body is None:
        return None
    sent = b"{}" if route.body_optional and not content else content
    return read_body(sent, route.body, route.bare)


def _check_no_body(request: Request, route: Route) -> None:
    """Refuse what would be passed over, such as `compact` in the body of a DELETE."""
    sent = request.headers.get("content-length", "0") != "0"
    if route.body is None and (sent or "transfer-encoding" in request.headers):
        raise BadInput("body", route.name, "Send none: this address takes no body.")


def _check_media_type(request: Request, route: Route) -> None:
    """Refuse another type of body: a web page cannot send ours without asking first."""
    if route.body is None:
        return
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != route.body_media_type:
        raise refuse(
            415, "UnsupportedMediaType", f"Content-Type is {given[:80]!r}.",
            f"Send 'Content-Type: {route.body_media_type}'.",
        )  # fmt: skip


class _Held:
    """The bytes of one body, counted while they are held."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._counted = 0
        self.size = 0

    def take(self, size: int) -> None:
        """Some more came in; what every request may have is not counted."""
        counted = max(0, self.size + size - BODY_BYTES_READ_AT_ONCE) - self._counted
        self._budget.take(counted)
        self._counted += counted
        self.size += size

    def release(self) -> None:
        """The request is answered."""
        self._budget.give_back(self._counted)


async def _read(request: Request, route: Route, service: Service, held: _Held) -> bytes:
    """The whole body, bounded in size and time."""
    most = service.settings.body_bytes_max
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and int(declared[:20]) > most:
        raise _too_large(most)
    if route.body_optional and declared == "0" and "transfer-encoding" not in request.headers:
        return b""
    _check_media_type(request, route)
    parts: list[bytes] = []
    try:
        async with asyncio.timeout(service.settings.body_seconds):
            async for chunk in request.stream():
                held.take(len(chunk))
                if held.size > most:
                    raise _too_large(most)
                parts.append(chunk)
    except TimeoutError:
        raise refuse(408, "BodyTooSlow", "The body took too long to come.", "Send it again."
                     ) from None  # fmt: skip
    return b"".join(parts)


def _too_large(most: int) -> Refusal:
    return refuse(413, "BodyTooLarge", f"A body may have {most:,} bytes.",
                  "Send fewer memories at a time, or use import.")  # fmt: skip


def token_of_request(request: Request, caller: Caller, content: bytes) -> Token | None:
    """What marks a request that may be sent again; None without an Idempotency-Key."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    asked = (request.method, request.url.path, request.url.query)
    return token_of(caller.name, key, asked, content)


def _audit(request: Request, route: Route, service: Service, status: int, body: Json) -> None:
    """Write down a change: who, where, which ids; never what they say."""
    if not route.writes:
        return
    units = _units_in(body)
    service.audit.write(
        route.name,
        request_id=request.state.request_id,
        key=getattr(request.state, "caller", "local"),
        bank=str(request.path_params.get("bank", "")),
        status=status,
        units=len(units),
        ids=units[:_AUDITED_IDS_MAX],
    )


def _units_in(body: Json, bank: str = "") -> list[str]:
    """The ids of the units that an answer is about; of a bank's alone where it names others."""
    if not isinstance(body, dict):
        return []
    items = body.get("items")
    if isinstance(items, list):
        shown = [item for item in items if isinstance(item, dict)]
        return [str(item["id"]) for item in shown if item.get("bank") in (None, bank)]
    ids, unit = body.get("ids"), body.get("id", body.get("unit"))
    return [*map(str, ids)] if isinstance(ids, list) else [unit] if isinstance(unit, str) else []


def _tell(route: Route, context: RequestContext, body: Json, took_ms: float) -> None:
    """Let those who listen to a bank hear of a change, or of a question."""
    feed = context.service.feed
    asked = context.body
    heard = [one for one in getattr(asked, "banks", (context.bank,)) if feed.listens(one)]
    if not (route.writes or route.asks) or not heard:
        return
    question = getattr(asked, "question", None) or " | ".join(getattr(asked, "questions", ()))
    for bank in heard:
        units = _units_in(body, bank)  # who listens to one bank may not be let into the others
        event = Event.now(
            route.kind, tuple(units[:EVENT_UNITS_MAX]), units=len(units), key=context.caller.name,
            ms=took_ms, question=question[:EVENT_QUESTION_CHARACTERS_MAX] or None,
        )  # fmt: skip
        feed.tell(bank, event)
