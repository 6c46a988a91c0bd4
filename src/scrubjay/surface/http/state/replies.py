"""Replies kept under their Idempotency-Key, so that a repeated request is answered, not redone."""

from __future__ import annotations

import hashlib
import threading
import time
from dataclasses import dataclass

from scrubjay.surface.http.problems import refuse
from scrubjay.surface.http.server_settings import (
    IDEMPOTENCY_KEY_CHARACTERS_MAX,
    REPLIES_KEPT_MAX,
    REPLY_KEPT_HOURS,
)
from scrubjay.surface.http.state.database import ServerDatabase

_SECONDS = REPLY_KEPT_HOURS * 3600
_DROP_EVERY = 256


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
    """Answers that may be asked for again, within REPLY_KEPT_HOURS and across restarts."""

    def __init__(self, database: ServerDatabase) -> None:
        self._database = database
        self._guard = threading.Lock()
        self._at_work: set[tuple[str, str]] = set()
        self._kept = 0

    def begin(self, token: Token) -> Kept | None:
        """The answer given before, or None: then work, and `finish` or `abandon`.

        Refuses the same key for another request, and while the first one is at work.
        """
        name = (token.caller, token.key)
        with self._guard:
            if name in self._at_work:
                raise refuse(409, "InProgress", "A request with this Idempotency-Key is at work.",
                             "Send it again in a moment.")  # fmt: skip
            since = time.time() - _SECONDS
            found = self._database.rows("find_reply", (*name, since))
            if not found:
                self._at_work.add(name)
                return None
        fingerprint, status, body = found[0]
        if fingerprint != token.fingerprint:
            raise refuse(422, "IdempotencyMismatch",
                         "This Idempotency-Key stood for another request.",
                         "Use a new key for a new request.")  # fmt: skip
        assert isinstance(status, int) and isinstance(body, bytes)
        return Kept(status, body)

    def finish(self, token: Token, reply: Kept) -> None:
        """Keep an answer."""
        values = (token.caller, token.key, token.fingerprint, reply.status, reply.body, time.time())
        try:
            self._database.change("keep_reply", values)
            self._kept += 1
            if self._kept % _DROP_EVERY == 1:
                self._database.change(
                    "drop_old_replies", (time.time() - _SECONDS, REPLIES_KEPT_MAX)
                )
        finally:
            self.abandon(token)

    def abandon(self, token: Token) -> None:
        """Let the request be tried again."""
        with self._guard:
            self._at_work.discard((token.caller, token.key))
