"""Outcomes kept under their Idempotency-Key, so that a repeated request is answered, not redone."""

from __future__ import annotations

import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from scrubjay.surface.http.shared.problems import refuse
from scrubjay.surface.http.shared.server_settings import (
    IDEMPOTENCY_KEY_CHARACTERS_MAX,
    REPLIES_BYTES_MAX,
    REPLIES_KEPT_MAX,
    REPLY_KEPT_HOURS,
)
from scrubjay.surface.http.state.database import Row, ServerDatabase
from scrubjay.types.values import Json
from scrubjay.undoing import undone_by

T = TypeVar("T")
_SECONDS = REPLY_KEPT_HOURS * 3600
_DROP_EVERY = 256
# The status of a request that was begun and whose answer is not known yet.
_BEGUN = 0


@dataclass(frozen=True, slots=True)
class Token:
    """Who repeats what: a hash of the caller and the key they chose, and one of the request."""

    name: bytes
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of an answer: its status, ids and counts; nothing that was told."""

    status: int
    outcome: Mapping[str, Json]


def token_of(caller: str, key: str, request: tuple[str, ...], body: bytes) -> Token:
    """The token of a request; Refusal for a key that cannot be one.

    A plain hash of a short text can be turned back by trying texts, and a secret kept beside the
    hashes goes where they go. The caller's own key is the secret here: it is not kept, so whoever
    has the file must guess it before they can try any text.
    """
    if not 1 <= len(key) <= IDEMPOTENCY_KEY_CHARACTERS_MAX or not key.isprintable():
        most = IDEMPOTENCY_KEY_CHARACTERS_MAX
        raise refuse(422, "BadInput", "Idempotency-Key is empty, too long or not text.",
                     f"Give 1 to {most} printable characters, such as a UUID.")  # fmt: skip
    secret = key.encode("utf-8", "surrogateescape")
    name = hmac.digest(secret, f"caller {caller}".encode(), "sha256")
    asked = hmac.new(secret, "\n".join(request).encode("utf-8", "surrogateescape"), "sha256")
    asked.update(b"\n")
    asked.update(body)
    return Token(name, asked.digest())


class Replies:
    """Answers that may be asked for again, within REPLY_KEPT_HOURS and across restarts.

    A key is reserved on disk before its work begins. A reservation without an answer, which only
    a process that died can leave, therefore says that the work may be done already: what the
    engine recognises when it is told again is done again, and the rest is refused.
    """

    def __init__(self, database: ServerDatabase) -> None:
        self._database = database
        self._guard = threading.Lock()
        self._at_work: set[bytes] = set()
        self._kept = 0

    def once(
        self,
        token: Token,
        work: Callable[[], tuple[T, Kept]],
        again: Callable[[Kept], T],
        *,
        repeatable: bool,
    ) -> tuple[T, bool]:
        """The answer of `work`, or that of `again` if it was done before; and whether it was.

        `work` also says what is kept of its answer, from which `again` builds it anew. Refuses the
        same key for another request, and while the first one is at work. A request that a crash
        cut off is worked on again if it is `repeatable`, and else refused. When `work` raises,
        nothing is kept and the key may be tried again.
        """
        with self._alone(token):
            before = self._before(token, repeatable=repeatable)
            if before is not None:
                return again(before), True
            self._keep(token, Kept(_BEGUN, {}), synced=True)
            with undone_by(partial(self._database.change, "drop_reply", (token.name,))):
                answer, kept = work()
            # Lost in a power failure, it leaves the reservation, which is enough.
            self._keep(token, kept, synced=False)
            self._drop_old()
            return answer, False

    @contextmanager
    def _alone(self, token: Token) -> Iterator[None]:
        with self._guard:
            if token.name in self._at_work:
                raise refuse(409, "InProgress", "A request with this Idempotency-Key is at work.",
                             "Send it again in a moment.")  # fmt: skip
            self._at_work.add(token.name)
        try:
            yield
        finally:
            with self._guard:
                self._at_work.discard(token.name)

    def _before(self, token: Token, *, repeatable: bool) -> Kept | None:
        since = time.time() - _SECONDS
        found = self._database.read("find_reply", _reply, (token.name, since))
        if not found:
            return None
        fingerprint, kept = found[0]
        if not hmac.compare_digest(fingerprint, token.fingerprint):
            raise refuse(422, "IdempotencyMismatch",
                         "This Idempotency-Key stood for another request.",
                         "Use a new key for a new request.")  # fmt: skip
        if kept.status != _BEGUN:
            return kept
        if not repeatable:
            raise refuse(409, "OutcomeUnknown",
                         "The server stopped while it did this, and doing it twice would show.",
                         "Look whether it is done; if not, send it with a new Idempotency-Key."
                         )  # fmt: skip
        return None

    def _keep(self, token: Token, kept: Kept, *, synced: bool) -> None:
        outcome = json.dumps(kept.outcome)
        values = (token.name, token.fingerprint, kept.status, outcome, time.time())
        self._database.change("keep_reply", values, synced=synced)

    def _drop_old(self) -> None:
        self._kept += 1
        if self._kept % _DROP_EVERY == 1:
            self._database.change("drop_old_replies", (time.time() - _SECONDS, REPLIES_KEPT_MAX))
            self._database.change("drop_large_replies", (REPLIES_BYTES_MAX,))


def _reply(row: Row) -> tuple[bytes, Kept]:
    fingerprint, status, outcome = row
    if not isinstance(fingerprint, bytes) or not isinstance(status, int):
        raise TypeError(f"a reply of {type(fingerprint).__name__} and {type(status).__name__}")
    return fingerprint, Kept(status, json.loads(str(outcome)))
