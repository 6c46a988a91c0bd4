"""Asking an HTTP endpoint for JSON: timeouts, retries with jitter, bounded answers."""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from urllib.parse import unquote, urlsplit

from scrubjay.errors import BadInput, EncoderError, shorten
from scrubjay.patience import Patience
from scrubjay.types.values import Json

# A thousand vectors of 4,096 numbers are 80 MB of JSON; more is not an answer to our question.
ANSWER_BYTES_MAX = 128 << 20
CHUNK_BYTES = 1 << 16

RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask: `url` is what is sent to; `model` is None when the server serves only one."""

    url: str
    model: str | None = None


class RefusedError(EncoderError):
    """The endpoint answered with a status that asking again cannot mend."""

    def __init__(self, url: str, status: int, said: str) -> None:
        self.status = status
        super().__init__(f"{url} refused with HTTP {status}: {shorten(said, 200)}.")


def parse_endpoint(address: str, path: str) -> Endpoint:
    """Read `http(s)://host/path#model`; the path is completed with what it lacks of `path`.

    `http://host`, `http://host/v1` and the whole address all lead to `http://host/v1/...`; below
    another path than `/v1` the operation is looked for as well, unless the path ends with it.
    Raises BadInput for anything else, and for credentials in the address, which would end up in
    the bank and in messages.
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise BadInput("Not an HTTP address", address, "Write http://host:port/path#model.")
    if "@" in parts.netloc:
        raise BadInput(
            "Credentials in an address",
            f"{parts.scheme}://…@{host}",
            "Leave them out and give the key as an argument or in the environment.",
        )
    full = _completed(parts.path.rstrip("/"), path)
    query = f"?{parts.query}" if parts.query else ""
    url = f"{parts.scheme}://{parts.netloc}{full}{query}"
    return Endpoint(url, unquote(parts.fragment) or None)


def _completed(base: str, path: str) -> str:
    operation = path.removeprefix("/v1/")
    first, _, leaf = operation.rpartition("/")
    if base.endswith(leaf):
        return base
    if first and base.endswith(f"/{first}"):
        return f"{base}/{leaf}"
    return f"{base}/{operation}" if base else path


class JsonClient:
    """Posts JSON and returns JSON; every failure is an EncoderError that names the address."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        patience: Patience | None = None,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.url = url
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._patience = patience or Patience()
        self._sleep = sleep
        self._jitter = jitter
        self._opener = _opener(url)

    def post(self, body: Mapping[str, Json]) -> Json:
        """The answer to `body`; asks again after timeouts, broken connections, 429 and 5xx."""
        sent = json.dumps(body).encode()
        waits = self._patience.attempts_max - 1
        for attempt in range(waits + 1):
            try:
                return self._post_once(sent)
            except _TransientError as trouble:
                if attempt == waits:
                    raise EncoderError(
                        f"{self.url} failed {waits + 1} times, last with {trouble.reason}. "
                        "Check that the server runs and is reachable."
                    ) from trouble
                self._sleep(self._wait_s(attempt, trouble.retry_after_s))
        raise AssertionError("the loop above returns or raises")

    def _wait_s(self, attempt: int, asked_s: float) -> float:
        backoff = self._patience.first_wait_s * 2.0**attempt
        bounded = min(max(backoff, asked_s), self._patience.longest_wait_s)
        return bounded if asked_s >= backoff else bounded * (0.5 + 0.5 * self._jitter())

    def _post_once(self, sent: bytes) -> Json:
        request = urllib.request.Request(self.url, sent, self._headers, method="POST")
        deadline = time.monotonic() + self._patience.timeout_s
        try:
            with self._opener.open(request, timeout=self._patience.timeout_s) as response:
                content = self._read(response, deadline)
        except urllib.error.HTTPError as error:
            with error:
                raise self._status_error(error) from error
        except (urllib.error.URLError, HTTPException, OSError) as error:
            raise _TransientError(_reason(error)) from error
        try:
            answer: Json = json.loads(content)
        except ValueError as error:
            start = content[:100].decode("utf-8", "replace")
            raise EncoderError(
                f"{self.url} did not answer with JSON but with {shorten(start)}. "
                "Check that the address is the one of the endpoint."
            ) from error
        return answer

    def _read(self, response: HTTPResponse, deadline: float) -> bytes:
        """The whole body; a server that drips bytes is cut off at the deadline."""
        parts: list[bytes] = []
        size = 0
        while chunk := response.read1(CHUNK_BYTES):
            parts.append(chunk)
            size += len(chunk)
            if size > ANSWER_BYTES_MAX:
                raise EncoderError(
                    f"{self.url} answered with more than {ANSWER_BYTES_MAX} bytes. "
                    "Check that the address is the one of the endpoint."
                )
            if time.monotonic() > deadline:
                raise _TransientError(f"an answer unfinished after {self._patience.timeout_s:g} s")
        if response.length:  # the server promised more than it sent
            raise _TransientError(f"an answer cut short by {response.length} bytes")
        return b"".join(parts)

    def _status_error(self, error: urllib.error.HTTPError) -> Exception:
        if error.code in RETRIED_STATUSES:
            return _TransientError(f"HTTP {error.code}", _seconds(error.headers.get("Retry-After")))
        try:
            said = error.read(2_000).decode("utf-8", "replace")
        except (HTTPException, OSError):
            said = str(error.reason)
        return RefusedError(self.url, error.code, said)


class _TransientError(Exception):
    """This attempt failed; another may not."""

    def __init__(self, reason: str, retry_after_s: float = 0.0) -> None:
        self.reason = reason
        self.retry_after_s = retry_after_s
        super().__init__(reason)


def _opener(url: str) -> urllib.request.OpenerDirector:
    """An opener that takes a redirect for a refusal: following it could leak the key elsewhere."""
    # A proxy cannot reach this machine's own loopback.
    own = urlsplit(url).hostname in LOOPBACK_HOSTS
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler({} if own else None),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


def _reason(error: Exception) -> str:
    inner = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(inner, TimeoutError):
        return "a timeout"
    return str(inner) or type(inner).__name__


def _seconds(header: str | None) -> float:
    """The seconds a Retry-After header asks for; 0 if absent or a date, which we do not read."""
    try:
        return max(0.0, float(header or 0))
    except ValueError:
        return 0.0
