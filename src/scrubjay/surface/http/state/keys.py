"""API keys: made once, kept as hashes, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from scrubjay.errors import BadInput, NotFound
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.shared.server_settings import KEY_RATE_DEFAULT
from scrubjay.surface.http.state.database import Row, ServerDatabase
from scrubjay.types.values import Json

EVERY_BANK = "*"
RATE_MAX = 1_000_000.0
NAME_CHARACTERS_MAX = 100
GRANTS_MAX = 1_000
_PREFIX = "sj"
_NO_HASH = bytes(32)


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is kept: who, for which banks, how often; never its secret."""

    id: str
    name: str
    grants: Mapping[str, KeyScope]
    rate: float  # requests per second
    created_at: str
    revoked_at: str | None

    def allows(self, scope: KeyScope, bank: str) -> bool:
        """Whether it may do that much in a bank."""
        return max(self.grants.get(bank, 0), self.grants.get(EVERY_BANK, 0)) >= scope

    def to_json(self) -> dict[str, Json]:
        """The key for listings."""
        return {
            "id": self.id,
            "name": self.name,
            "grants": {bank: scope.name.lower() for bank, scope in self.grants.items()},
            "rate": self.rate,
            "created_at": self.created_at,
            "revoked_at": self.revoked_at,
        }


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a key, or anyone on this machine when keys are off."""

    key: Key | None

    @property
    def name(self) -> str:
        """The key's id, for logs and limits."""
        return "local" if self.key is None else self.key.id

    def may(self, scope: KeyScope, bank: str) -> bool:
        """Whether that much is allowed in a bank."""
        return self.key is None or self.key.allows(scope, bank)

    def may_anywhere(self, scope: KeyScope) -> bool:
        """Whether that much is allowed in some bank."""
        return self.key is None or any(self.may(scope, bank) for bank in self.key.grants)

    @property
    def banks(self) -> tuple[str, ...] | None:
        """The banks its grants name; None when it may look at every bank."""
        if self.key is None or self.key.allows(KeyScope.READ, EVERY_BANK):
            return None
        return tuple(sorted(set(self.key.grants) - {EVERY_BANK}))


class Keys:
    """The keys of one server."""

    def __init__(self, database: ServerDatabase) -> None:
        self._database = database

    def create(
        self, name: str, grants: Mapping[str, KeyScope], rate: float = KEY_RATE_DEFAULT
    ) -> tuple[Key, str]:
        """A new key, and the text to send with requests, which is shown this once."""
        if not name.strip() or len(name) > NAME_CHARACTERS_MAX:
            raise BadInput("key name", name, f"Give 1 to {NAME_CHARACTERS_MAX} characters.")
        if not 0 < rate <= RATE_MAX:
            raise BadInput("rate", rate, f"Give requests per second, up to {RATE_MAX:,.0f}.")
        if not 1 <= len(grants) <= GRANTS_MAX:
            raise BadInput("grants", len(grants), f"Give 1 to {GRANTS_MAX}, as BANK:SCOPE.")
        # To the microsecond: keys that are made one after the other are listed in that order.
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        # 256 random bits cannot be guessed, so a fast hash keeps them as well as a slow one.
        identifier, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        key = Key(identifier, name, dict(grants), rate, now, None)
        kept = json.dumps({bank: scope.name.lower() for bank, scope in grants.items()})
        self._database.change("add_key", (key.id, name, _hash(secret), kept, rate, now))
        return key, f"{_PREFIX}_{identifier}_{secret}"

    def all(self) -> list[Key]:
        """Every key, revoked ones too, oldest first."""
        return self._database.read("list_keys", _key)

    def revoke(self, identifier: str) -> Key:
        """Close a key at once and for good."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        if not self._database.change("revoke_key", (now, identifier)):
            raise NotFound("no such key", identifier, "See `scrubjay keys list`.")
        return self._database.read("find_key", _key, (identifier,))[0]

    def check(self, presented: str) -> Key | None:
        """The key that a text stands for; None if it is unknown, wrong or revoked."""
        prefix, _, rest = presented.partition("_")
        identifier, _, secret = rest.partition("_")
        found = self._database.read("find_key", _key_and_hash, (identifier,))
        stored = found[0][1] if found else _NO_HASH
        # Compared also when there is none, so that the time tells nothing about which ids exist.
        same = hmac.compare_digest(stored, _hash(secret))
        if not found or not same or prefix != _PREFIX:
            return None
        key = found[0][0]
        return None if key.revoked_at is not None else key


def read_grant(text: str) -> tuple[str, KeyScope]:
    """`BANK:SCOPE`, where BANK may be `*`."""
    bank, _, scope = text.rpartition(":")
    if not bank or scope.upper() not in KeyScope.__members__:
        raise BadInput("grant", text, "Give BANK:SCOPE, such as notes:read, '*:write' or a:admin.")
    if bank != EVERY_BANK and scope.upper() == KeyScope.METRICS.name:
        raise BadInput("grant", text, "Metrics are of the whole server: give '*:metrics'.")
    return bank, KeyScope[scope.upper()]


def read_grants(texts: Iterable[str]) -> dict[str, KeyScope]:
    """Several grants; BadInput for a bank that is named twice."""
    grants: dict[str, KeyScope] = {}
    for text in texts:
        bank, scope = read_grant(text)
        if bank in grants:
            raise BadInput("bank granted twice", bank, "Give each bank the one scope it needs.")
        grants[bank] = scope
    return grants


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()


def _key_and_hash(row: Row) -> tuple[Key, bytes]:
    stored = row[6]
    if not isinstance(stored, bytes):
        raise TypeError(f"a hash of type {type(stored).__name__}")
    return _key(row), stored


def _key(row: Row) -> Key:
    identifier, name, grants, rate, created_at, revoked_at = row[:6]
    scopes = {bank: KeyScope[scope.upper()] for bank, scope in json.loads(str(grants)).items()}
    revoked = None if revoked_at is None else str(revoked_at)
    return Key(str(identifier), str(name), scopes, float(str(rate)), str(created_at), revoked)
