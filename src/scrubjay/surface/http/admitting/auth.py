"""Lets callers in: who they are, whether they may, and how often."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope as ASGIScope

from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.admitting.wrong_keys import WrongKeys
from scrubjay.surface.http.shared.problems import Problem, Refusal, refuse
from scrubjay.surface.http.state.keys import Caller, Key, Keys

# A key may spend two seconds of its rate at once.
_BURST_SECONDS = 2.0
_BUCKETS_MAX = 10_000
# Where a browser keeps the key of who signed in, and the header that our own page adds.
COOKIE = "scrubjay_key"
OWN_PAGE = "X-Scrubjay-Console"
_SAFE_METHODS = ("GET", "HEAD")


class Doorkeeper:
    """Checks keys, scopes and rates; with `required` False everyone is let in."""

    def __init__(
        self, keys: Keys, *, required: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._keys = keys
        self._required = required
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._wrong = WrongKeys(clock)

    @property
    def required(self) -> bool:
        """Whether a key is needed."""
        return self._required

    def admit(self, headers: Headers, address: str = "", method: str = "GET") -> Caller:
        """Who asks from an address; Refusal with 401 without a good key.

        With 429 when the key asks too often, or too many wrong ones came from the address; with
        403 when a browser sends its cookie with a change, and nothing says that our page asked.
        """
        if not self._required:
            return Caller(None)
        presented = _presented(headers)
        if presented is None:
            presented = _in_cookie(headers)
            if presented is not None and method not in _SAFE_METHODS:
                check_same_site(headers)
        if presented is None:
            raise _unauthorized("No API key was given.")
        return self.check(presented, address)

    def check(self, presented: str, address: str) -> Caller:
        """The caller with a key; Refusal as for `admit`."""
        key = self._keys.check(presented)
        if key is None:
            self._wrong.tried(address)
            raise _unauthorized("The API key is not valid.")
        self._spend(key, 1)
        return Caller(key)

    def recognise(self, headers: Headers, address: str) -> Caller | None:
        """Who asks, at no cost to their rate; None without a good key.

        Refusal with 429 when too many wrong ones came from the address.
        """
        if not self._required:
            return Caller(None)
        presented = _presented(headers) or _in_cookie(headers)
        if presented is None:
            return None
        key = self._keys.check(presented)
        if key is None:
            self._wrong.tried(address)
        return None if key is None else Caller(key)

    def keys(self) -> list[Key]:
        """Every key."""
        return self._keys.all()

    def count(self, caller: Caller, more: int) -> None:
        """A request that was let in stands for so many more; Refusal with 429 for too many."""
        if caller.key is not None and more > 0:
            self._spend(caller.key, more, paid=1)

    def _spend(self, key: Key, times: int, paid: int = 0) -> None:
        """Take tokens from the key's bucket, which fills at its rate.

        More than it can hold, with what the request `paid` already, need a full bucket, and leave
        it in debt.
        """
        now, most = self._clock(), max(1.0, key.rate * _BURST_SECONDS)
        tokens, since = self._buckets.get(key.id, (most, now))
        tokens = min(most, tokens + (now - since) * key.rate)
        needed = min(float(times + paid), most) - paid
        if tokens < needed:
            # Asking again pays again.
            wait = (needed + paid - tokens) / key.rate
            raise Refusal(
                Problem(
                    429, "TooManyRequests", f"This key may ask {key.rate:g} times a second.",
                    "Wait for Retry-After seconds, or make a key with a higher --rate.",
                    headers={"Retry-After": str(max(1, round(wait + 0.5)))},
                )
            )  # fmt: skip
        if key.id not in self._buckets and len(self._buckets) >= _BUCKETS_MAX:
            self._buckets.pop(next(iter(self._buckets)))
        self._buckets[key.id] = (tokens - times, now)


def allow(caller: Caller, scope: KeyScope, bank: str) -> None:
    """Nothing if the caller may do that much in a bank, or in any bank for ""; else Refusal."""
    if caller.may(scope, bank) if bank else caller.may_anywhere(scope):
        return
    # The same whether or not there is such a bank, so that a refusal tells nothing.
    where = f"bank {bank!r}" if bank else "any bank"
    raise refuse(
        403, "Forbidden", f"This key has no grant of {scope.name.lower()!r} in {where}.",
        f"Use a key with {bank or 'BANK'}:{scope.name.lower()}.",
    )  # fmt: skip


def address_of(scope: ASGIScope) -> str:
    """Where a request came from, as the socket says: what a header says, anyone can write."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def _unauthorized(said: str) -> Refusal:
    return Refusal(
        Problem(
            401, "Unauthorized", said, "Send 'Authorization: Bearer KEY' or 'X-API-Key: KEY'.",
            headers={"WWW-Authenticate": 'Bearer realm="scrubjay"'},
        )
    )  # fmt: skip


def _presented(headers: Headers) -> str | None:
    own = headers.get("x-api-key")
    if own is not None:
        return own.strip()
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def _in_cookie(headers: Headers) -> str | None:
    return cookie_parser(headers.get("cookie", "")).get(COOKIE) or None


def check_same_site(headers: Headers) -> None:
    """Refusal unless a header says that our own page asks, which no other site can add."""
    if headers.get(OWN_PAGE) is None:
        raise refuse(
            403, "CrossSite", "A browser's cookie alone does not allow a change.",
            f"Send '{OWN_PAGE}: 1', or the key in a header.",
        )  # fmt: skip
