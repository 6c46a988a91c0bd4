"""The application: the table of routes, routed, with the middleware around it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from scrubjay.surface.console import pages
from scrubjay.surface.http.handling.dispatch import dispatcher
from scrubjay.surface.http.handling.middleware import RequestMiddleware
from scrubjay.surface.http.handling.service import Service
from scrubjay.surface.http.routes.table import ROUTES
from scrubjay.surface.http.shared.problems import Problem, Refusal, refuse

Answer = Callable[[Request], Awaitable[Response]]


class _Address:
    """One path as an ASGI application; a method it does not take is a problem that names those."""

    def __init__(self, methods: Mapping[str, Answer]) -> None:
        self._methods = methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        answer = self._methods.get(method)
        if answer is None:
            known = ", ".join(self._methods)
            raise Refusal(
                Problem(
                    405, "MethodNotAllowed", f"This address does not take {method[:20]!r}.",
                    f"Use {known}.", headers={"Allow": known},
                )
            )  # fmt: skip
        response = await answer(Request(scope, receive, send))
        await response(scope, receive, send)


def build_app(service: Service, close: Callable[[], None] = lambda: None) -> ASGIApp:
    """An ASGI application; `close` is called once, when the server has stopped."""

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        if service.readers is not None:
            service.readers.start()
        yield
        if service.readers is not None:
            await service.readers.close()
        service.close()
        close()

    by_path: dict[str, dict[str, Answer]] = {}
    for route in ROUTES:
        by_path.setdefault(route.path, {})[route.method] = dispatcher(route, service)
    by_path["/"] = by_path["/console/{file:path}"] = {"GET": _console}
    router: ASGIApp = Router(
        [Route(path, _Address(methods)) for path, methods in by_path.items()],
        redirect_slashes=False,
        default=_nowhere,
        lifespan=lifespan,
    )
    origins = service.settings.cors_origins
    if origins:
        router = CORSMiddleware(
            router,
            allow_origins=list(origins),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "X-API-Key"],
            expose_headers=["Idempotent-Replay", "Location", "Retry-After", "X-Request-ID"],
        )
    return RequestMiddleware(router, service)


async def _console(request: Request) -> Response:
    """A page or module of the console; whoever may not read a bank sees only these."""
    file = pages.find(request.path_params.get("file", "index.html"))
    if file is None:
        raise _nothing_here()
    return pages.answer(request, file)


def _nothing_here() -> Refusal:
    return refuse(404, "NotFound", "There is nothing at this address.", "See /docs.")


async def _nowhere(scope: Scope, _: Receive, __: Send) -> None:
    if scope["type"] == "websocket":
        return  # closed unanswered; there are none here
    raise _nothing_here()
