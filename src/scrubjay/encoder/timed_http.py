"""HTTP by the standard library with one deadline for a whole exchange.

A socket's own timeout begins anew with every byte: a server that sends its headers one by one, or
nothing after a slow connect, would be waited for many times over.
"""

from __future__ import annotations

import io
import socket
import ssl
import time
import urllib.request
from functools import cached_property
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


def opener_for(url: str) -> urllib.request.OpenerDirector:
    """An opener whose `timeout` is the time for all of an answer.

    It takes a redirect for a refusal: following it could leak the key elsewhere.
    """
    # A proxy cannot reach this machine's own loopback.
    own = urlsplit(url).hostname in LOOPBACK_HOSTS
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler({} if own else None),
        _Handler(),
        _SecureHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


class _TimedReader(io.RawIOBase):
    """The bytes of a socket until a deadline; TimeoutError after it."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, deadline: float) -> None:
        self._raw, self._sock, self._deadline = raw, sock, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        _hurry(self._sock, self._deadline)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class _Response(HTTPResponse):
    """Reads from a socket whose timeout, as it is now, is the time for all of the answer."""

    def __init__(
        self,
        sock: socket.socket,
        debuglevel: int = 0,
        method: str | None = None,
        url: str | None = None,
    ) -> None:
        super().__init__(sock, debuglevel, method, url)
        deadline = time.monotonic() + (sock.gettimeout() or 0.0)
        raw = self.fp.detach()
        self.fp = io.BufferedReader(_TimedReader(raw, sock, deadline))


class _Connection(HTTPConnection):
    """Whose `timeout` is the time for connecting, asking and being answered together."""

    response_class = _Response

    def connect(self) -> None:
        self._deadline = time.monotonic() + cast("float", self.timeout)
        super().connect()
        _hurry(self.sock, self._deadline)

    def getresponse(self) -> HTTPResponse:
        _hurry(self.sock, self._deadline)
        return super().getresponse()


class _SecureConnection(_Connection, HTTPSConnection):
    """The same over TLS."""


class _Handler(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(_Connection, req)


class _SecureHandler(urllib.request.HTTPSHandler):
    @cached_property
    def _trust(self) -> ssl.SSLContext:
        # Certificates are slow to read: once for an endpoint, and not for one without them.
        return ssl.create_default_context()

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(_SecureConnection, req, context=self._trust)


def _hurry(sock: socket.socket, deadline: float) -> None:
    left_s = deadline - time.monotonic()
    if left_s <= 0:
        raise TimeoutError("timed out")
    sock.settimeout(left_s)
