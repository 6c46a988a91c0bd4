"""Addresses for those who run the server: health, readiness, metrics, documentation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from scrubjay.codec.kinds import Schema
from scrubjay.errors import NotFound
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.contract.replies import Health
from scrubjay.surface.http.handling.route import Route
from scrubjay.surface.http.handling.service import Service
from scrubjay.surface.http.state.keys import Caller
from scrubjay.surface.http.watching import metrics as prometheus
from scrubjay.types.values import Json

_READY_SECONDS_MAX = 5.0
# Asking for it reads the store's list of banks; it cannot be made by accident.
_NO_BANK = "ready-check"


async def health(_: Request, __: Service, ___: Caller, ____: str) -> Response:
    """The process answers."""
    return JSONResponse({"status": "ok"})


async def ready(_: Request, service: Service, __: Caller, ___: str) -> Response:
    """The store answers, and a worker is free to ask it."""

    def look() -> None:
        service.database.read("find_key", tuple, ("",))
        with suppress(NotFound):  # a new store has no bank yet, and is ready for one
            service.memory.get("", bank=_NO_BANK)

    await service.readiness.check(lambda: service.reads.run(look, seconds_max=_READY_SECONDS_MAX))
    return JSONResponse({"status": "ready"})


async def metrics(_: Request, service: Service, __: Caller, ___: str) -> Response:
    """For Prometheus."""
    service.watch.metrics.at_work.set(service.reads.inside + service.writes.inside)
    return Response(service.watch.metrics.render(), media_type=prometheus.MEDIA_TYPE)


async def openapi(_: Request, __: Service, ___: Caller, ____: str) -> Response:
    """What this server takes and gives, for programs."""
    return Response(_description(), media_type="application/json")


async def docs(_: Request, __: Service, ___: Caller, ____: str) -> Response:
    """The same for people."""
    policy = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return HTMLResponse(_page(), headers=policy)


# Anyone may ask for these without a key, so they are made once.
@cache
def _description() -> bytes:
    return json.dumps(_document()).encode()


@cache
def _page() -> str:
    from scrubjay.surface.http.contract.docs_page import page

    return page(_document())


def _document() -> Schema:
    # The table imports this module, so it is looked up when asked.
    from scrubjay.surface.http.routes.openapi import document
    from scrubjay.surface.http.routes.table import ROUTES

    return document(ROUTES)


ROUTES = (
    Route("GET", "/health", "Whether the process answers.", None, raw=health,
             answers={200: Health}),
    Route("GET", "/ready", "Whether the store answers too.", None, raw=ready,
             answers={200: Health}),
    Route("GET", "/metrics", "Metrics for Prometheus.", KeyScope.METRICS, raw=metrics,
             media_type="text/plain", answers={200: str}),
    Route("GET", "/openapi.json", "This description, for programs.", None, raw=openapi,
             answers={200: Mapping[str, Json]}),
    Route("GET", "/docs", "This description, for people.", None, raw=docs,
             media_type="text/html", answers={200: str}),
)  # fmt: skip
