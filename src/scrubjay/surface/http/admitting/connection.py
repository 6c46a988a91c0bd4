"""HTTP/1.1 for clients that may mean harm: connections are bounded in number and in patience."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from scrubjay.surface.http.shared.problems import MEDIA_TYPE, Problem, refuse
from scrubjay.surface.http.shared.server_settings import CONNECTIONS_MAX, HEAD_SECONDS_MAX


class Connection(H11Protocol):
    """One connection, as uvicorn handles it, with what it leaves open closed.

    Headers that do not come whole in time, and bodies that go on after their answer, end the
    connection: each would otherwise hold a place for ever. Refusals made here are problems too.
    """

    connections_max = CONNECTIONS_MAX
    refused: Callable[[], None] = staticmethod(lambda: None)  # hears of each that did not fit
    head_seconds = HEAD_SECONDS_MAX
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in, or say at once that the server is full."""
        super().connection_made(transport)
        if len(self.connections) > self.connections_max:
            self.refused()
            transport.write(full(f"{self.connections_max} connections are open."))
            transport.close()
            return
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take bytes in."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._look()

    def shutdown(self) -> None:
        """The server stops: an answer that would go on for ever is told to end."""
        super().shutdown()
        state = {} if self.scope is None else self.scope.get("state", {})
        if "ends" in state:
            state["ends"]()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        problem = Problem(400, "BadRequest", msg, "Send a request of HTTP/1.1 with fewer headers.")
        self.transport.write(_raw(problem, "Bad Request"))
        self.transport.close()

    def _look(self) -> None:
        """Start to wait where only the client can go on; stop where it is our turn."""
        if not self._waits():
            self._cancel()
        elif self._late is None:
            self._late = self.loop.call_later(self.head_seconds, self.transport.abort)

    def _waits(self) -> bool:
        if self.transport.is_closing():
            return False
        if self.conn.their_state is h11.IDLE:
            # Between requests uvicorn's own timer runs, until the next byte.
            return self.timeout_keep_alive_task is None
        answered = self.cycle is not None and self.cycle.response_complete
        return answered and self.conn.their_state is h11.SEND_BODY

    def _cancel(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def full(detail: str) -> bytes:
    """The answer to a connection there is no room for."""
    remedy = "Send it again after Retry-After seconds; it was not begun."
    return _raw(refuse(503, "Overloaded", detail, remedy).problem, "Service Unavailable")


def _raw(problem: Problem, phrase: str) -> bytes:
    """An answer for where no request, and so no application, has begun."""
    body = json.dumps(problem.to_json("")).encode()
    headers = {**problem.headers, "Content-Type": MEDIA_TYPE, "Content-Length": str(len(body)),
               "Connection": "close"}  # fmt: skip
    lines = [f"HTTP/1.1 {problem.status} {phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body
