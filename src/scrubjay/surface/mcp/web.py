"""Runs the MCP server as a web server, with keys."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.admitting.auth import Doorkeeper, address_of, allow
from scrubjay.surface.http.admitting.room import room_of_process
from scrubjay.surface.http.serving import Listening, auth_required, bind, run, web_server
from scrubjay.surface.http.shared.problems import MEDIA_TYPE, Refusal
from scrubjay.surface.http.state.database import ServerDatabase, state_directory
from scrubjay.surface.http.state.keys import EVERY_BANK, Keys
from scrubjay.surface.http.watching.logs import Audit, log, to_stderr
from scrubjay.surface.mcp.opening import LazyMemory
from scrubjay.surface.mcp.protocol import build_server

PATH = "/mcp"
_LOCAL = ("127.0.0.1", "localhost", "[::1]")


def run_http(
    memory: LazyMemory,
    bank: str | None,
    listening: Listening,
    *,
    location: str,
    state: Path | None = None,
) -> None:
    """Speak MCP at `/mcp` until it is stopped; keys and audit log as for `scrubjay serve`.

    A key needs the scope `write` on the bank, or on every bank where none is fixed.
    """
    directory = state_directory(location, state)
    database, audit = ServerDatabase(directory), Audit(directory)
    keys = Keys(database)
    required = auth_required(listening, has_keys=bool(keys.all()))
    to_stderr(logging.INFO)
    door = Doorkeeper(keys, required=required)
    app = http_app(
        build_server(memory, () if bank is None else (bank,), audit), door, bank, local=not required
    )
    bound = bind(listening)
    host, port = bound.getsockname()[:2]
    log(logging.INFO, "listening", host=host, port=port, auth=required, path=PATH)
    try:
        run(web_server(app, room_of_process()), bound)
    finally:
        memory.close()
        audit.close()
        database.close()


def http_app(
    server: Server[dict[str, object]], door: Doorkeeper, bank: str | None, *, local: bool
) -> ASGIApp:
    """The web application; `local` answers only to this machine's own names."""
    # A web page elsewhere may name this machine as its own host; without keys that must not help.
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=local,
        allowed_hosts=[f"{host}:*" for host in _LOCAL],
        allowed_origins=[f"http://{host}:*" for host in _LOCAL],
    )
    # Each request stands alone: nothing is kept between them, so any number of servers can share
    # the work and a restart breaks no conversation.
    manager = StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, security_settings=security
    )

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        async with manager.run():
            yield

    guard = _Guard(manager, door, bank)
    return Router([Route(PATH, guard)], redirect_slashes=False, lifespan=lifespan)


class _Guard:
    """Lets requests with a good key through to the protocol."""

    def __init__(
        self, manager: StreamableHTTPSessionManager, door: Doorkeeper, bank: str | None
    ) -> None:
        self._manager = manager
        self._door = door
        self._bank = bank or EVERY_BANK

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            caller = self._door.admit(Headers(scope=scope), address_of(scope))
            allow(caller, KeyScope.WRITE, self._bank)
            scope.setdefault("state", {})["caller"] = caller.name
        except Refusal as refusal:
            problem = refusal.problem
            response = JSONResponse(
                problem.to_json(""), problem.status, problem.headers, MEDIA_TYPE
            )
            await response(scope, receive, send)
            return
        await self._manager.handle_request(scope, receive, send)
