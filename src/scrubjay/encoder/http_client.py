"""Asking an HTTP endpoint for JSON: one deadline, retries with jitter, bounded answers."""

from __future__ import annotations

import json
import random
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from urllib.parse import unquote, urlsplit

from scrubjay.encoder.timed_http import opener_for
from scrubjay.errors import BadInput, EncoderError, shorten
from scrubjay.patience import Patience
from scrubjay.types.values import Json

# A thousand vectors of 4,096 numbers are 80 MB of JSON; more is not an answer to our question.
ANSWER_BYTES_MAX = 128 << 20
CHUNK_BYTES = 1 << 16

# Parts of a query that hold a key, whatever the server calls it.
_CREDENTIAL = re.compile(
    r"(?:^|[&;])[^=&;]*(?:key|token|secret|password|passwd|pwd|auth|credential|signature|sig)=",
    re.IGNORECASE,
)

RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})


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
    if "@" in parts.netloc or _CREDENTIAL.search(parts.query):
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
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.url = url
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._patience = patience or Patience()
        self._sleep = sleep
        self._jitter = jitter
        self._clock = clock
        self._opener = opener_for(url)

    def post(self, body: Mapping[str, Json]) -> Json:
        """The answer to `body`; asks again after timeouts, broken connections, 429 and 5xx.

        All attempts and the waits between them end at one deadline.
        """
        sent = json.dumps(body).encode()
        patience = self._patience
        deadline = self._clock() + patience.whole_s
        for attempt in range(1, patience.attempts_max + 1):
            left_s = deadline - self._clock()
            try:
                return self._post_once(sent, min(patience.timeout_s, left_s))
            except _TransientError as trouble:
                wait_s = self._wait_s(attempt - 1, trouble.retry_after_s)
                late = self._clock() + wait_s >= deadline
                if late or attempt == patience.attempts_max:
                    raise self._given_up(trouble, attempt, late=late) from trouble
                self._sleep(wait_s)
        raise AssertionError("the loop above returns or raises")

    def _given_up(self, trouble: _TransientError, attempts: int, *, late: bool) -> EncoderError:
        times = "once" if attempts == 1 else f"{attempts} times"
        within = f" within {self._patience.whole_s:g} s" if late else ""
        return EncoderError(
            f"{self.url} failed {times}{within}, last with {trouble.reason}. "
            "Check that the server runs and is reachable."
        )

    def _wait_s(self, attempt: int, asked_s: float) -> float:
        backoff = self._patience.first_wait_s * 2.0**attempt
        bounded = min(max(backoff, asked_s), self._patience.longest_wait_s)
        return bounded if asked_s >= backoff else bounded * (0.5 + 0.5 * self._jitter())

    def _post_once(self, sent: bytes, timeout_s: float) -> Json:
        request = urllib.request.Request(self.url, sent, self._headers, method="POST")
        try:
            with self._opener.open(request, timeout=timeout_s) as response:
                content = self._read(response)
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

    def _read(self, response: HTTPResponse) -> bytes:
        """The whole body, within bounds."""
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
