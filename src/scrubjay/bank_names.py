"""Names banks after whom they are for, so that whoever has an id has a memory of their own."""

from __future__ import annotations

import hashlib
import re

from scrubjay.errors import BadInput

# Of each part, enough to be read; its hash tells it from every other.
_READABLE_MAX = 20
_DIGEST_BYTES = 8
_PARTS_MAX = 2


def bank_for(owner: str, *more: str) -> str:
    """The name of the bank of a user, or of anyone who has an id: `bank_for("jo@example.com")`.

    Any text can be an id; two ids never share a bank, and the same ids give the same name in every
    process. With a second id it is the bank of one in the other: `bank_for(user, project)`.
    """
    parts = (owner, *more)
    if len(parts) > _PARTS_MAX:
        raise BadInput("ids of one bank", len(parts), f"Give at most {_PARTS_MAX}.")
    return ".".join(_named(part) for part in parts)


def _named(part: object) -> str:
    if not isinstance(part, str) or not part:
        raise BadInput("id", part, "Give text, such as bank_for('jo@example.com').")
    readable = re.sub(r"[^a-z0-9]+", "-", part.lower())[:_READABLE_MAX].strip("-") or "id"
    digest = hashlib.blake2b(part.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES)
    return f"{readable}-{digest.hexdigest()}"
