"""A real HTTP server on the loopback that answers, or misbehaves, as a script says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, object]


@dataclass(frozen=True)
class Reply:
    """What the server sends back; `declared` overrides the Content-Length."""

    body: bytes = b"{}"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    declared: int | None = None
    hold: threading.Event | None = None  # the reply starts when it is set
    drip: threading.Event | None = None  # one byte every 20 ms until it is set


Script = Callable[[Asked], Reply]


@dataclass
class Server:
    """A scripted endpoint on the loopback and what it was asked so far."""

    url: str
    asked: list[Asked]


Serve = Callable[[Script], Server]


class ServerPark:
    """Starts servers and stops them all."""

    def __init__(self) -> None:
        self._running: list[tuple[ThreadingHTTPServer, threading.Thread]] = []

    def start(self, script: Script) -> Server:
        """A server that answers as `script` says."""
        seen: list[Asked] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["Content-Length"]))
                asked = Asked(self.path, dict(self.headers), json.loads(content))
                seen.append(asked)
                send(self, script(asked))

            def log_message(self, *_arguments: object) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        self._running.append((server, thread))
        return Server(f"http://127.0.0.1:{server.server_port}", seen)

    def stop(self) -> None:
        """Stop every server and wait for it."""
        for server, thread in self._running:
            server.shutdown()
            thread.join()
            server.server_close()


def send(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    """Write the reply; a client that has gone away is no error here."""
    if reply.hold is not None:
        reply.hold.wait(10)
    try:
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        length = len(reply.body) if reply.declared is None else reply.declared
        handler.send_header("Content-Length", str(length))
        handler.end_headers()
        handler.wfile.write(reply.body)
        while reply.drip is not None and not reply.drip.wait(0.02):
            handler.wfile.write(b" ")
    except OSError:
        handler.close_connection = True


def as_json(value: object, status: int = 200) -> Reply:
    """A reply with `value` as its JSON body."""
    return Reply(json.dumps(value).encode(), status)
