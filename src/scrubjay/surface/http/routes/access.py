"""Addresses for people who sign in with a key, and for those who look after keys."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.codec.compiled import encode
from scrubjay.operations.declared import Done
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.admitting.auth import COOKIE
from scrubjay.surface.http.contract.bodies import KeyBody, LoginBody, Nothing
from scrubjay.surface.http.contract.replies import KeyCard, KeyCards, KeyMade, Whoami
from scrubjay.surface.http.handling.route import Repeat, Reply, RequestContext, Route
from scrubjay.surface.http.shared.problems import gone
from scrubjay.surface.http.state.keys import Caller, Key, Keys, read_grants
from scrubjay.types.values import Json


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
    return Reply(encode(KeyCards(tuple(map(_card, request.service.door.keys())))))


def create_key(request: RequestContext) -> Reply:
    """Make a key. It is shown this once, and only its hash is kept."""
    asked = request.given(KeyBody)
    grants = read_grants(f"{bank}:{scope}" for bank, scope in asked.grants.items())
    made, secret = Keys(request.service.database).create(asked.name, grants, asked.rate)
    return Reply(encode(KeyMade(_card(made), secret)), 201)


def revoke_key(request: RequestContext) -> Reply:
    """Close a key at once and for good."""
    return Reply(encode(_card(Keys(request.service.database).revoke(request.path["key"]))))


def _card(key: Key) -> KeyCard:
    grants = {bank: scope.name.lower() for bank, scope in key.grants.items()}
    return KeyCard(key.id, key.name, grants, key.rate, key.created_at, key.revoked_at)


def _not_again(_: RequestContext, kept: Mapping[str, Json]) -> Json:
    raise gone("key, which was shown when it was made,", str(kept["id"]))


# Sent again, it would have to be kept; so the same request makes no second key, and shows none.
_ONCE = Repeat(lambda body: {"id": _id_in(body)}, _not_again)


def _id_in(body: Mapping[str, Json]) -> str:
    card = body["card"]
    assert isinstance(card, dict), "a key has a card"
    return str(card["id"])


ROUTES = (
    Route("POST", "/v1/login", "Sign in with a key, which a cookie keeps.", None, login,
          body=LoginBody, answers={200: Whoami}, refusals=(401, 429), own_page=True),
    Route("POST", "/v1/logout", "Sign out.", None, logout, body=Nothing, body_optional=True,
          answers={200: Done}, own_page=True),
    Route("GET", "/v1/whoami", "Who asks, and what they may do.", None, whoami,
          answers={200: Whoami}, refusals=(429,)),
    Route("GET", "/v1/keys", "Every key of the server, without its secret.", KeyScope.ADMIN, keys,
          answers={200: KeyCards}, whole_server=True),
    Route("POST", "/v1/keys", "Make a key, which is shown this once.", KeyScope.ADMIN, create_key,
          body=KeyBody, answers={201: KeyMade}, whole_server=True, repeatable=False,
          repeat=_ONCE),
    Route("DELETE", "/v1/keys/{key}", "Close a key at once and for good.", KeyScope.ADMIN,
          revoke_key, answers={200: KeyCard}, whole_server=True),
)  # fmt: skip
