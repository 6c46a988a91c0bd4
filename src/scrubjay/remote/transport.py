"""Sends requests with httpx: keys, retries that are safe, and problems turned back into errors."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, closing
from typing import TypedDict

import httpx

from scrubjay import errors
from scrubjay.errors import BadInput, ImportFailed, NotFound, ScrubjayError, StoreClosed, StoreError
from scrubjay.forking import keep, refusal, watch
from scrubjay.patience import Patience
from scrubjay.remote.encoding import Request, encoded
from scrubjay.types.values import Json

# A server's answer may wait for its store and its models.
_PATIENCE = Patience(timeout_s=60.0, attempts_max=4, longest_wait_s=10.0)
_RETRIED = frozenset({429, 503})
# Classes that are made from their message alone.
_BY_MESSAGE = (
    "EncoderError", "ModelMissing", "StoreError", "StoreLocked", "StoreReadOnly", "StoreFull",
    "QuotaExceeded", "StoreTooNew", "StoreDamaged", "StoreClosed", "StoreForked", "RecallFailed",
)  # fmt: skip


class ServerRefused(StoreError):
    """The server would not: the key, its rights, its rate, or the server's own load."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        self.status, self.kind = status, kind
        super().__init__(f"{message} (HTTP {status}, {kind})")


def check_address(address: str) -> str:
    """The base of a server's addresses; BadInput for what is none, or may hold a password."""
    try:
        url = httpx.URL(address)
    except (httpx.InvalidURL, TypeError):
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise BadInput("server address", address, "Give http://host:port.")
    if url.userinfo or url.query:
        raise BadInput("server address", f"{url.scheme}://…@{url.host}", "Give the key as key=.")
    return address.rstrip("/")


class _Server(TypedDict):
    """What both clients of httpx are told of a server."""

    base_url: str
    headers: dict[str, str]
    timeout: float | None
    verify: bool


def server_at(address: str, key: str | None = None, timeout_s: float | None = None) -> _Server:
    """A server by its address, with the key that every request carries."""
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    # To read certificates takes longer than all else, and http never shows one.
    encrypted = httpx.URL(address).scheme == "https"
    return {"base_url": address, "headers": headers, "timeout": timeout_s, "verify": encrypted}


class _Refusing(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """In a forked process: on connections shared with its parent each would read the other's."""

    def __init__(self, address: str) -> None:
        self._address = address

    def handle_request(self, _request: httpx.Request) -> httpx.Response:
        raise refusal(self._address)

    async def handle_async_request(self, _request: httpx.Request) -> httpx.Response:
        raise refusal(self._address)


class Blocking:
    """Connections whose calls come back when they are done: to `await` one never suspends."""

    def __init__(self, server: _Server, transport: httpx.BaseTransport | None = None) -> None:
        self.client = httpx.Client(**server, transport=transport)

    async def send(self, request: httpx.Request) -> httpx.Response:
        """The answer to a request."""
        return self.client.send(request)

    async def download(self, request: httpx.Request) -> AsyncGenerator[bytes]:
        """A good answer in pieces; a problem is raised."""
        with closing(self.client.send(request, stream=True)) as answer:
            if not answer.is_success:
                answer.read()
                value_of(answer)
            for piece in answer.iter_bytes():
                yield piece

    def upload(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Content that is sent in pieces."""
        return pieces

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    async def close(self) -> None:
        """Close the connections."""
        self.client.close()


class Suspending:
    """The same for an event loop, which goes on meanwhile."""

    def __init__(self, server: _Server, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.client = httpx.AsyncClient(**server, transport=transport)

    async def send(self, request: httpx.Request) -> httpx.Response:
        """The answer to a request."""
        return await self.client.send(request)

    async def download(self, request: httpx.Request) -> AsyncGenerator[bytes]:
        """A good answer in pieces; a problem is raised."""
        async with aclosing(await self.client.send(request, stream=True)) as answer:
            if not answer.is_success:
                await answer.aread()
                value_of(answer)
            async for piece in answer.aiter_bytes():
                yield piece

    async def upload(self, pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
        """Content that is sent in pieces."""
        for piece in pieces:
            yield piece

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def close(self) -> None:
        """Close the connections."""
        await self.client.aclose()


class Sender:
    """Sends requests over either kind of connections, many at once."""

    def __init__(
        self,
        connections: type[Blocking | Suspending],
        address: str,
        key: str | None,
        patience: Patience | None,
    ) -> None:
        self.address = check_address(address)
        self.patience = patience or _PATIENCE
        self.connections = connections(server_at(self.address, key, self.patience.timeout_s))
        watch(self)

    def forked(self) -> None:
        """In a forked process: the connections are the parent's."""
        keep(self.connections.client)
        self.connections = type(self.connections)(server_at(self.address), _Refusing(self.address))

    def opened(self) -> Blocking | Suspending:
        """The connections; StoreClosed after close()."""
        if self.connections.client.is_closed:
            raise StoreClosed(f"{self.address} was closed. Open it again with Memory.open().")
        return self.connections

    async def send(self, request: Request) -> Json:
        """What the server answers; an error that it answers with is raised.

        What says later, or does not come through, is sent again as long as patience lasts.
        """
        # The key lets a write be sent again without being done again.
        headers = {} if request.method == "GET" else {"Idempotency-Key": str(uuid.uuid4())}
        body = None
        if request.body is not None:
            body = encoded(request.body)
            headers["Content-Type"] = "application/json"
        begun = time.monotonic()
        for wait_s in self._waits():
            opened = self.opened()
            built = opened.client.build_request(
                request.method, request.path, content=body, params=request.query, headers=headers
            )
            asked_s = 0.0
            try:
                answer = await opened.send(built)
            except httpx.TransportError as error:
                if wait_s is None or self._is_over(begun, wait_s):
                    raise unreachable(self.address, error) from error
            except RuntimeError:
                self.opened()  # closed meanwhile by another thread
                raise
            else:
                if wait_s is None or not _says_later(answer):
                    return value_of(answer)
                asked = answer.headers.get("retry-after", "0")
                asked_s = float(asked) if asked.isdecimal() else 0.0
                if self._is_over(begun, max(wait_s, asked_s)):
                    return value_of(answer)
            await opened.sleep(min(max(wait_s, asked_s), self.patience.longest_wait_s))
        raise AssertionError("the last attempt returns or raises")

    def _is_over(self, begun: float, wait_s: float) -> bool:
        """Whether patience ends before the next attempt."""
        wait_s = min(wait_s, self.patience.longest_wait_s)
        return time.monotonic() + wait_s >= begun + self.patience.whole_s

    def _waits(self) -> Iterator[float | None]:
        """After each attempt, how many seconds to wait for the next; None after the last."""
        for made in range(self.patience.attempts_max - 1):
            yield self.patience.first_wait_s * 2.0**made
        yield None


def _says_later(answer: httpx.Response) -> bool:
    if answer.status_code != 409:
        return answer.status_code in _RETRIED
    try:
        value = answer.json()
    except ValueError:
        return False
    return isinstance(value, dict) and value.get("title") == "InProgress"


def unreachable(address: str, error: httpx.TransportError) -> StoreError:
    """The server did not answer at all."""
    return StoreError(
        f"{address} does not answer ({error or type(error).__name__}). Check that the server runs."
    )


def value_of(answer: httpx.Response) -> Json:
    """The JSON of a good answer; a problem is raised as the error it was."""
    try:
        value: Json = answer.json()
    except ValueError:
        value = None
    if answer.is_success and value is not None:
        return value
    problem = value if isinstance(value, Mapping) else {}
    raise error_of(answer.status_code, problem)


def error_of(status: int, problem: Mapping[str, Json]) -> ScrubjayError:
    """The error a problem stands for."""
    kind, detail = str(problem.get("title", "")), str(problem.get("detail", "No reason was given."))
    if kind in ("BadInput", "NotFound") and "what" in problem:
        made = NotFound if kind == "NotFound" else BadInput
        return made(
            str(problem["what"]), problem.get("value", "not kept"), str(problem.get("remedy", ""))
        )
    if kind == "Gone":
        return NotFound("erased since this was done", problem.get("id"), "Nothing is left to do.")
    if kind == "NotFound":
        return NotFound("not on the server", detail, str(problem.get("remedy", "")))
    if kind == "ImportFailed":
        lines = problem.get("problems")
        found = (
            [one for one in lines if isinstance(one, Mapping)] if isinstance(lines, list) else []
        )
        return ImportFailed(
            "import", [(int(str(one["line"])), str(one["reason"])) for one in found]
        )
    if kind == "EncoderMismatch":
        return errors.EncoderError(detail)
    if kind in _BY_MESSAGE:
        made_of: Callable[[str], ScrubjayError] = getattr(errors, kind)
        return made_of(detail)
    return ServerRefused(status, kind or "no problem given", detail)
