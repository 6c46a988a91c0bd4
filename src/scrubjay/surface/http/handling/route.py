"""An address of the server as data: who may call it, what it takes and gives, what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from scrubjay.memory import Memory
from scrubjay.operations.operation import BANK, KeyScope
from scrubjay.surface.http.contract.bodies import NoQuery
from scrubjay.surface.http.handling.service import Service
from scrubjay.surface.http.state.keys import Caller
from scrubjay.types.values import Json

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asking:
    """Where a request comes from, and how."""

    headers: Headers
    address: str
    https: bool


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One request that was let in, as a handler sees it."""

    memory: Memory
    caller: Caller
    bank: str  # "" where the address names none
    path: Mapping[str, str]
    query: object  # what the route declares, read
    body: object
    service: Service
    asking: Asking

    def asked(self, shape: type[T]) -> T:
        """The query string."""
        assert isinstance(self.query, shape)
        return self.query

    def given(self, shape: type[T]) -> T:
        """The body."""
        assert isinstance(self.body, shape)
        return self.body


@dataclass(frozen=True, slots=True)
class Reply:
    """What a handler answers."""

    body: Json
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[RequestContext], Reply]


@dataclass(frozen=True, slots=True)
class Repeat:
    """What is kept of an answer for the same request, sent again, and how it is answered then.

    Nothing that was told may be kept: it would outlive its erasure.
    """

    keep: Callable[[Mapping[str, Json]], Json]  # ids and counts of the answer
    again: Callable[
        [RequestContext, Mapping[str, Json]], Json
    ]  # the answer, from what the bank holds now


def _whole(body: Mapping[str, Json]) -> Json:
    return dict(body)


def _as_kept(_: RequestContext, kept: Mapping[str, Json]) -> Json:
    return dict(kept)


def _one(_: object) -> int:
    return 1


# For answers that are ids and counts throughout.
WHOLE_ANSWER = Repeat(_whole, _as_kept)


def by_id(again: Callable[[RequestContext, Json], Json]) -> Repeat:
    """Only the id is kept, and what has it is looked up again."""
    return Repeat(lambda body: {"id": body["id"]}, lambda request, kept: again(request, kept["id"]))


# Streams and pages, which are not one JSON value in and one out.
RawHandler = Callable[[Request, Service, Caller, str], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path; `scope` None is open to everyone."""

    method: str
    path: str
    summary: str
    scope: KeyScope | None
    handler: Handler | None = None
    raw: RawHandler | None = None
    # The types of what it takes and gives, by whose declarations that is read and described.
    body: object = None
    bare: Callable[[Json], Json] | None = None  # what may be sent instead of the body, as the body
    body_optional: bool = False
    query: type = NoQuery
    answers: Mapping[int, object] = field(default_factory=dict)
    media_type: str = "application/json"  # of its answers
    body_media_type: str = "application/json"
    # Whether the engine recognises what it was told before, so that work which a crash cut off
    # may be done again.
    repeatable: bool = True
    repeat: Repeat = WHOLE_ANSWER
    # How many requests a body stands for, for rates and admission.
    stands_for: Callable[[object], int] = _one
    # Whether its scope must hold for every bank, since it is about the whole server.
    whole_server: bool = False
    # Whether those who listen to a bank hear of it though nothing changes.
    asks: bool = False
    # Whether our own page must say that it asks, since a browser sends the cookie by itself.
    own_page: bool = False
    # What it may be refused with beside the usual.
    refusals: tuple[int, ...] = ()

    @property
    def writes(self) -> bool:
        """Whether it changes something, and so is audited and may be repeated by key."""
        return self.method != "GET" and self.scope is not None and self.scope >= KeyScope.WRITE

    @property
    def of_a_bank(self) -> bool:
        """Whether it only reads a bank, so that any process which has the store can answer it."""
        banked = self.path.startswith(f"{BANK}/") and self.scope is KeyScope.READ
        return banked and self.handler is not None and not self.writes

    @property
    def subject(self) -> str:
        """What it is about: the name of the module that says what it does."""
        handler = self.handler or self.raw
        return getattr(handler, "subject", handler.__module__.rpartition(".")[2])

    @property
    def kind(self) -> str:
        """What it does, in a word, for those who listen."""
        operation = getattr(self.handler, "operation", None)
        named: str = getattr(operation or self.handler or self.raw, "name", "")
        return named or (self.handler or self.raw).__name__  # type: ignore[union-attr]

    @property
    def about(self) -> str:
        """What it does, in whole sentences: the promise of its operation, or of its handler."""
        operation = getattr(self.handler, "operation", None)
        promise = operation.function if operation is not None else self.handler or self.raw
        return " ".join((promise.__doc__ or "").split())

    @property
    def name(self) -> str:
        """A short name for logs and metrics; never holds what a caller sent."""
        return f"{self.method} {self.path}"
