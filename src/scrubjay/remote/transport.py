"""Sends requests with httpx: keys, retries that are safe, and problems turned back into errors."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping

import httpx

from scrubjay import errors
from scrubjay.errors import BadInput, ImportFailed, NotFound, ScrubjayError, StoreClosed, StoreError
from scrubjay.forking import keep, refusal, watch
from scrubjay.patience import Patience
from scrubjay.remote.encoding import Request, encoded
from scrubjay.types import Json

# A server's answer may wait for its store and its models.
_PATIENCE = Patience(timeout_s=60.0, attempts_max=4, longest_wait_s=10.0)
_RETRIED = frozenset({429, 503})
# Classes that are made from their message alone.
_BY_MESSAGE = (
    "EncoderError", "ModelMissing", "StoreError", "StoreLocked", "StoreReadOnly", "StoreFull",
    "StoreTooNew", "StoreDamaged", "StoreClosed", "StoreForked", "RecallFailed",
)  # fmt: skip


class ServerRefused(StoreError):
    """The server would not: the key, its rights, its rate, or the server's own load."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        self.status, self.kind = status, kind
        super().__init__(f"{message} (HTTP {status}, {kind})")


def check_address(address: str) -> str:
    """The base of a server's addresses; BadInput for what is none, or holds a password."""
    try:
        url = httpx.URL(address)
    except (httpx.InvalidURL, TypeError):
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise BadInput("server address", address, "Give http://host:port.")
    if url.userinfo:
        raise BadInput("server address", f"{url.scheme}://…@{url.host}", "Give the key as key=.")
    return address.rstrip("/")


def headers_of(key: str | None) -> dict[str, str]:
    """What every request carries."""
    return {} if key is None else {"Authorization": f"Bearer {key}"}


class _Refusing(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """In a forked process: on connections shared with its parent each would read the other's."""

    def __init__(self, address: str) -> None:
        self._address = address

    def handle_request(self, _request: httpx.Request) -> httpx.Response:
        raise refusal(self._address)

    async def handle_async_request(self, _request: httpx.Request) -> httpx.Response:
        raise refusal(self._address)


class Sender:
    """Sends requests, one at a time or from many threads."""

    def __init__(self, address: str, key: str | None, patience: Patience | None = None) -> None:
        self.address = check_address(address)
        self.patience = patience or _PATIENCE
        self.client = httpx.Client(
            base_url=self.address, headers=headers_of(key), timeout=self.patience.timeout_s
        )
        watch(self)

    def forked(self) -> None:
        """In a forked process: the connections are the parent's."""
        keep(self.client)
        self.client = httpx.Client(base_url=self.address, transport=_Refusing(self.address))

    def opened(self) -> httpx.Client:
        """The connections; StoreClosed after close()."""
        if self.client.is_closed:
            raise closed(self.address)
        return self.client

    def send(self, request: Request) -> Json:
        """What the server answers; an error that it answers with is raised."""
        attempt = _Attempts(self.address, self.patience)
        headers, body = idempotent(request.method), None
        if request.body is not None:
            body = encoded(request.body)
            headers["Content-Type"] = "application/json"
        while True:
            client = self.opened()
            try:
                answer = client.request(
                    request.method,
                    request.path,
                    content=body,
                    params=request.query,
                    headers=headers,
                )
            except httpx.TransportError as error:
                time.sleep(attempt.after_failure(error))
                continue
            except RuntimeError:
                self.opened()  # closed meanwhile by another thread
                raise
            wait = attempt.after_answer(answer)
            if wait is None:
                return value_of(answer)
            time.sleep(wait)


class AsyncSender:
    """The same without blocking."""

    def __init__(self, address: str, key: str | None, patience: Patience | None = None) -> None:
        self.address = check_address(address)
        self.patience = patience or _PATIENCE
        self.client = httpx.AsyncClient(
            base_url=self.address, headers=headers_of(key), timeout=self.patience.timeout_s
        )
        watch(self)

    def forked(self) -> None:
        """In a forked process: the connections are the parent's."""
        keep(self.client)
        self.client = httpx.AsyncClient(base_url=self.address, transport=_Refusing(self.address))

    def opened(self) -> httpx.AsyncClient:
        """See Sender.opened."""
        if self.client.is_closed:
            raise closed(self.address)
        return self.client

    async def send(self, request: Request) -> Json:
        """See Sender.send."""
        attempt = _Attempts(self.address, self.patience)
        headers, body = idempotent(request.method), None
        if request.body is not None:
            body = encoded(request.body)
            headers["Content-Type"] = "application/json"
        while True:
            client = self.opened()
            try:
                answer = await client.request(
                    request.method,
                    request.path,
                    content=body,
                    params=request.query,
                    headers=headers,
                )
            except httpx.TransportError as error:
                await asyncio.sleep(attempt.after_failure(error))
                continue
            except RuntimeError:
                self.opened()  # closed meanwhile by another task
                raise
            wait = attempt.after_answer(answer)
            if wait is None:
                return value_of(answer)
            await asyncio.sleep(wait)


class _Attempts:
    """Decides whether, and after how many seconds, a request is sent again."""

    def __init__(self, address: str, patience: Patience) -> None:
        self._address = address
        self._patience = patience
        self._made = 0

    def _wait(self, asked_s: float = 0.0) -> float:
        backoff = self._patience.first_wait_s * 2.0 ** (self._made - 1)
        return min(max(backoff, asked_s), self._patience.longest_wait_s)

    def after_failure(self, error: httpx.TransportError) -> float:
        """How long to wait after a connection failed; StoreError when it was the last time."""
        self._made += 1
        if self._made >= self._patience.attempts_max:
            raise unreachable(self._address, error) from error
        return self._wait()

    def after_answer(self, answer: httpx.Response) -> float | None:
        """How long to wait after an answer that says later; None when it is to be read."""
        self._made += 1
        busy = answer.status_code in _RETRIED or _kind(answer) == "InProgress"
        if not busy or self._made >= self._patience.attempts_max:
            return None
        asked = answer.headers.get("retry-after", "0")
        return self._wait(float(asked) if asked.isdecimal() else 0.0)


def idempotent(method: str) -> dict[str, str]:
    """Lets a write be sent again without being done again."""
    return {} if method == "GET" else {"Idempotency-Key": str(uuid.uuid4())}


def closed(address: str) -> StoreClosed:
    """The memory was closed here."""
    return StoreClosed(f"{address} was closed. Open it again with Memory.open().")


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


def _kind(answer: httpx.Response) -> str:
    if answer.status_code != 409:
        return ""
    try:
        value = answer.json()
    except ValueError:
        return ""
    return str(value.get("title", "")) if isinstance(value, dict) else ""
