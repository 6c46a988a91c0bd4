"""Addresses for people who sign in with a key, and for those who look after keys."""

from __future__ import annotations

from scrubjay.codec.compiled import encode
from scrubjay.operations.declared import Done
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.admitting.auth import COOKIE
from scrubjay.surface.http.contract.bodies import LoginBody, Nothing
from scrubjay.surface.http.contract.replies import KeyCard, KeyCards, Whoami
from scrubjay.surface.http.handling.route import Reply, RequestContext, Route
from scrubjay.surface.http.state.keys import Caller


def login(request: RequestContext) -> Reply:
    """Keep a good key in a cookie that no script can read and no other site can send."""
    asking = request.asking
    door, given = request.service.door, request.given(LoginBody).key.strip()
    if not door.required:
        return Reply(encode(_who(Caller(None), required=False)))
    caller = door.check(given, asking.address)
    return Reply(
        encode(_who(caller, required=True)), headers={"Set-Cookie": _cookie(given, asking.https)}
    )


def logout(request: RequestContext) -> Reply:
    """Let the browser forget the key."""
    gone = f"{_cookie('', request.asking.https)}; Max-Age=0"
    return Reply(encode(Done()), headers={"Set-Cookie": gone})


def _cookie(value: str, https: bool) -> str:
    secure = "; Secure" if https else ""
    return f"{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict{secure}"


def whoami(request: RequestContext) -> Reply:
    """Who the server takes the caller for, and what they may do."""
    door, asking = request.service.door, request.asking
    caller = door.recognise(asking.headers, asking.address)
    return Reply(encode(_who(caller, required=door.required)))


def _who(caller: Caller | None, *, required: bool) -> Whoami:
    if caller is None or caller.key is None:
        return Whoami(required, authenticated=caller is not None, id=None, name=None, grants={})
    key = caller.key
    grants = {bank: scope.name.lower() for bank, scope in key.grants.items()}
    return Whoami(required, authenticated=True, id=key.id, name=key.name, grants=grants)


def keys(request: RequestContext) -> Reply:
    """Every key, without its secret."""
    kept = request.service.door.keys()
    cards = (
        KeyCard(
            key.id,
            key.name,
            {bank: scope.name.lower() for bank, scope in key.grants.items()},
            key.rate,
            key.created_at,
            key.revoked_at,
        )
        for key in kept
    )
    return Reply(encode(KeyCards(tuple(cards))))


ROUTES = (
    Route("POST", "/v1/login", "Sign in with a key, which a cookie keeps.", None, login,
          body=LoginBody, answers={200: Whoami}, refusals=(401, 429), own_page=True),
    Route("POST", "/v1/logout", "Sign out.", None, logout, body=Nothing, body_optional=True,
          answers={200: Done}, own_page=True),
    Route("GET", "/v1/whoami", "Who asks, and what they may do.", None, whoami,
          answers={200: Whoami}, refusals=(429,)),
    Route("GET", "/v1/keys", "Every key of the server, without its secret.", KeyScope.ADMIN, keys,
          answers={200: KeyCards}, whole_server=True),
)  # fmt: skip
