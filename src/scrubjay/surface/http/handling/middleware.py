"""The outermost layer: request ids, security headers, logs, metrics, and where errors end."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Iterable
from itertools import count
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scrubjay.surface.http.handling.service import Service
from scrubjay.surface.http.shared.problems import MEDIA_TYPE, Problem, Refusal
from scrubjay.surface.http.shared.server_settings import HEADER_BYTES_MAX
from scrubjay.surface.http.watching.logs import LOGGER, log
from scrubjay.types.values import Json

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# An id says which run of the server and which request of it; nothing depends on its secrecy.
_RUN, _NUMBERS = secrets.token_hex(4), count(1)
_SECURITY = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
RawHeader = tuple[bytes, bytes]


class _Stalled(Exception):
    """The client takes nothing of its answer."""


class RequestMiddleware:
    """ASGI middleware; everything else of the server is inside it."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and see that it is answered, logged and counted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else f"{_RUN}{next(_NUMBERS):08x}"
        state = scope.setdefault("state", {})
        state["request_id"] = request_id
        status = 0
        begun = time.perf_counter()

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _decorated(message["headers"], request_id)
            try:
                async with asyncio.timeout(self._service.settings.send_seconds):
                    await send(message)
            except TimeoutError:
                raise _Stalled from None

        problem: Problem | None = None
        try:
            _check_size(headers)
            _check_origin(headers, self._service)
            await self._app(scope, receive, sending)
        except Refusal as refusal:
            problem = refusal.problem
        except _Stalled:  # to return with an answer half sent ends the connection
            log(logging.WARNING, "client stopped reading", request_id=request_id)
        # The last resort: whatever went wrong inside, the caller gets an answer with an id to
        # look for in the log.
        except Exception:  # noqa: BLE001
            LOGGER.exception("request failed", extra={"fields": {"request_id": request_id}})
            problem = Problem(500, "Bug", "Something went wrong inside the server.",
                              "Report it with the request id and the server's log.")  # fmt: skip
        if problem is not None and status == 0:
            response = JSONResponse(
                problem.to_json(request_id), problem.status, problem.headers, MEDIA_TYPE
            )
            await response(scope, receive, sending)
            self._service.watch.metrics.refused.labels(problem.kind).inc()
        self._tell(scope, status, time.perf_counter() - begun)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        # The path as it was routed and a method we know, not as they were sent: both may hold what
        # a caller wrote, and each new one would be kept for ever as a label.
        route, method = scope.get("route"), scope["method"]
        known = method if method in _METHODS else "OTHER"
        name = f"{known} {route.path}" if route is not None else "none"
        self._service.watch.metrics.requests.labels(name, str(status)).observe(seconds)
        fields: dict[str, Json] = {
            "request_id": scope["state"]["request_id"],
            "endpoint": name,
            "bank": str(scope.get("path_params", {}).get("bank", ""))[:100],
            "key": scope["state"].get("caller", "none"),
            "status": status,
            "ms": round(seconds * 1e3, 2),
        }
        log(logging.WARNING if status >= 500 else logging.INFO, "request", **fields)


def _decorated(headers: Iterable[RawHeader], request_id: str) -> list[RawHeader]:
    """The headers of an answer with ours; those it has already stay as they are."""
    given = list(headers)
    names = {name.lower() for name, _ in given}
    own = [header for header in _SECURITY if header[0] not in names]
    return [*given, *own, (b"x-request-id", request_id.encode("ascii"))]


def _check_size(headers: Headers) -> None:
    """Refuse floods that came in one piece, which the parser lets through."""
    size = sum(len(name) + len(value) for name, value in headers.raw)
    if size > HEADER_BYTES_MAX:
        raise Refusal(Problem(431, "HeadersTooLarge", f"{size:,} bytes of headers.",
                              f"Send at most {HEADER_BYTES_MAX:,}."))  # fmt: skip


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:
        raise Refusal(Problem(400, "BadRequest", f"{address[:80]!r} is no address.",
                              "Send Host and Origin as browsers do.")) from None  # fmt: skip


def _check_origin(headers: Headers, service: Service) -> None:
    """Refuse web pages of other sites, and names that only pretend to be this machine.

    Without keys, anything that can reach the port is let in; a browser can, on behalf of any
    page it shows.
    """
    origin, host = headers.get("origin"), headers.get("host", "")
    allowed = service.settings.cors_origins
    if origin is not None and origin not in allowed and _split(origin).netloc != host:
        raise Refusal(Problem(403, "ForeignOrigin", f"Pages of {origin[:80]!r} may not ask.",
                              "Start the server with --cors-origin to allow it."))  # fmt: skip
    name = _split(f"//{host}").hostname if host else None
    known = service.settings.hosts
    if known and name not in known:
        raise Refusal(Problem(403, "ForeignHost", f"This is not {host[:80]!r}.",
                              "Use a loopback address, or make keys."))  # fmt: skip
