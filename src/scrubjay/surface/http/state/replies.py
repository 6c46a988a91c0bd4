"""Replies kept under their Idempotency-Key, so that a repeated request is answered, not redone."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from scrubjay.surface.http.problems import refuse
from scrubjay.surface.http.server_settings import (
    IDEMPOTENCY_KEY_CHARACTERS_MAX,
    REPLIES_BYTES_MAX,
    REPLIES_KEPT_MAX,
    REPLY_KEPT_HOURS,
)
from scrubjay.surface.http.state.database import ServerDatabase

_SECONDS = REPLY_KEPT_HOURS * 3600
_DROP_EVERY = 256
# The status of a request that was begun and whose answer is not known yet.
_BEGUN = 0


@dataclass(frozen=True, slots=True)
class Token:
    """Who repeats what: the caller, the key they chose, and a hash of the request."""

    caller: str
    key: str
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it was given."""

    status: int
    body: bytes


def token_of(caller: str, key: str, request: tuple[str, ...], body: bytes) -> Token:
    """The token of a request; Refusal for a key that cannot be one."""
    if not 1 <= len(key) <= IDEMPOTENCY_KEY_CHARACTERS_MAX or not key.isprintable():
        most = IDEMPOTENCY_KEY_CHARACTERS_MAX
        raise refuse(422, "BadInput", "Idempotency-Key is empty, too long or not text.",
                     f"Give 1 to {most} printable characters, such as a UUID.")  # fmt: skip
    digest = hashlib.sha256("\n".join(request).encode("utf-8", "surrogateescape"))
    digest.update(body)
    return Token(caller, key, digest.digest())


class Replies:
    """Answers that may be asked for again, within REPLY_KEPT_HOURS and across restarts.

    A key is reserved on disk before its work begins. A reservation without an answer, which only
    a process that died can leave, therefore says that the work may be done already: what the
    engine recognises when it is told again is done again, and the rest is refused.
    """

    def __init__(self, database: ServerDatabase) -> None:
        self._database = database
        self._guard = threading.Lock()
        self._at_work: set[tuple[str, str]] = set()
        self._kept = 0

    def once(
        self, token: Token, work: Callable[[], Kept], *, repeatable: bool
    ) -> tuple[Kept, bool]:
        """The answer of `work`, or the one given before; and whether it was given before.

        Refuses the same key for another request, and while the first one is at work. A request
        that a crash cut off is worked on again if it is `repeatable`, and else refused. When
        `work` raises, nothing is kept and the key may be tried again.
        """
        with self._alone(token):
            before = self._before(token, repeatable=repeatable)
            if before is not None:
                return before, True
            self._keep(token, Kept(_BEGUN, b""), synced=True)
            try:
                answer = work()
            except BaseException:
                self._database.change("drop_reply", (token.caller, token.key))
                raise
            # Lost in a power failure, it leaves the reservation, which is enough.
            self._keep(token, answer, synced=False)
            self._drop_old()
            return answer, False

    @contextmanager
    def _alone(self, token: Token) -> Iterator[None]:
        name = (token.caller, token.key)
        with self._guard:
            if name in self._at_work:
                raise refuse(409, "InProgress", "A request with this Idempotency-Key is at work.",
                             "Send it again in a moment.")  # fmt: skip
            self._at_work.add(name)
        try:
            yield
        finally:
            with self._guard:
                self._at_work.discard(name)

    def _before(self, token: Token, *, repeatable: bool) -> Kept | None:
        since = time.time() - _SECONDS
        found = self._database.rows("find_reply", (token.caller, token.key, since))
        if not found:
            return None
        fingerprint, status, body = found[0]
        if fingerprint != token.fingerprint:
            raise refuse(422, "IdempotencyMismatch",
                         "This Idempotency-Key stood for another request.",
                         "Use a new key for a new request.")  # fmt: skip
        assert isinstance(status, int) and isinstance(body, bytes)
        if status != _BEGUN:
            return Kept(status, body)
        if not repeatable:
            raise refuse(409, "OutcomeUnknown",
                         "The server stopped while it did this, and doing it twice would show.",
                         "Look whether it is done; if not, send it with a new Idempotency-Key."
                         )  # fmt: skip
        return None

    def _keep(self, token: Token, reply: Kept, *, synced: bool) -> None:
        values = (token.caller, token.key, token.fingerprint, reply.status, reply.body, time.time())
        self._database.change("keep_reply", values, synced=synced)

    def _drop_old(self) -> None:
        self._kept += 1
        if self._kept % _DROP_EVERY == 1:
            self._database.change("drop_old_replies", (time.time() - _SECONDS, REPLIES_KEPT_MAX))
            self._database.change("drop_large_replies", (REPLIES_BYTES_MAX,))
