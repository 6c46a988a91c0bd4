"""A LangGraph store over a bank: every item a memory, by its key, its fields or its meaning."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from scrubjay.bank import Bank
from scrubjay.errors import BadInput, ExtraMissing
from scrubjay.integrations.documents import Documents
from scrubjay.integrations.matching import fits, matches, words_of
from scrubjay.limits import NAME_CHARACTERS_MAX, RECALL_ITEMS_MAX
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import Json

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
        tokenize_path,
    )
except ModuleNotFoundError as error:
    raise ExtraMissing("langgraph", error.name or "langgraph") from error

Namespace = tuple[str, ...]


def _now() -> datetime:
    return datetime.now(UTC)


class ScrubjayStore(BaseStore):
    """Answers as `InMemoryStore` does, and by meaning; durable, and from many threads.

    Give it a bank of its own. Without `fields` a value is found by all of its text. A value may
    have 64 kB as JSON, and the labels of a namespace 200 characters together.
    """

    supports_ttl = True

    def __init__(
        self,
        bank: Bank,
        *,
        fields: Sequence[str] | None = None,
        ttl: TTLConfig | None = None,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._documents = Documents(bank)
        self._fields = fields
        self._clock = clock
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do operations: what is read is from before what is put, of one key the last."""
        asked = list(ops)
        results = [self._read(op) for op in asked]
        puts = {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
        for op in puts.values():
            self._put(op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            found = self._live(_key_of(op.namespace, op.key), refresh=op.refresh_ttl)
            return None if found is None else Item(**_shown(found))
        if isinstance(op, SearchOp):
            return [*self._search(op)]
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        if not isinstance(op, PutOp):
            raise ValueError(f"Unknown operation type: {type(op)}")
        return None

    def _live(self, key: str, *, refresh: bool) -> StoredUnit | None:
        found = self._documents.get(key)
        if found is None or not self._expired(found):
            if found is not None and refresh and found.metadata.get("ttl") is not None:
                self._documents.bank.update(
                    found.id, metadata={**found.metadata, **self._expiry(found.metadata["ttl"])}
                )
            return found
        self._documents.delete(key)
        return None

    def _expired(self, unit: StoredUnit) -> bool:
        until = unit.metadata.get("expires")
        return isinstance(until, str) and datetime.fromisoformat(until) <= self._clock()

    def _expiry(self, minutes: Json) -> dict[str, Json]:
        if not isinstance(minutes, int | float):
            return {}
        until = self._clock() + timedelta(minutes=minutes)
        return {"ttl": minutes, "expires": until.isoformat()}

    def _search(self, op: SearchOp) -> Iterator[SearchItem]:
        tag = ".".join(op.namespace_prefix) or None
        wanted = op.offset + op.limit
        passed = 0
        for found, score in self._candidates(op, tag, wanted):
            if self._expired(found) or not matches(_value(found), op.filter or {}):
                continue
            passed += 1
            if passed > op.offset:
                if op.refresh_ttl:
                    self._live(str(found.key), refresh=True)
                yield SearchItem(**_shown(found), score=score)
            if passed == wanted:
                return

    def _candidates(
        self, op: SearchOp, tag: str | None, wanted: int
    ) -> Iterator[tuple[StoredUnit, float | None]]:
        if not op.query:
            yield from ((unit, None) for unit in self._documents.all(tag))
            return
        # Fields are compared here, so there must be more to choose from.
        limit = RECALL_ITEMS_MAX if op.filter else min(RECALL_ITEMS_MAX, 2 * wanted)
        for key, relevance in self._documents.found(op.query, tag, limit):
            unit = self._documents.get(key)
            if unit is not None:
                yield unit, relevance

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        # A session is there while something is in it, so it is a namespace's own list.
        known = [tuple(one.name.split(".")) for one in self._documents.bank.sessions()]
        passing = [
            name
            for name in known
            if all(fits(one.match_type, one.path, name) for one in op.match_conditions or ())
        ]
        depth = op.max_depth
        shown = sorted({name if depth is None else name[:depth] for name in passing})
        return shown[op.offset : op.offset + op.limit]

    def _put(self, op: PutOp) -> None:
        key = _key_of(op.namespace, op.key)
        if op.value is None:
            self._documents.delete(key)
            return
        name = ".".join(op.namespace)
        if not name or len(name) > NAME_CHARACTERS_MAX:
            raise BadInput("namespace", op.namespace, f"Use 1 to {NAME_CHARACTERS_MAX} characters.")
        value = dict(op.value)
        known, now = self._live(key, refresh=False), self._clock().isoformat()
        text = "" if op.index is False else self._text(value, op.index or self._fields)
        metadata: dict[str, Json] = {
            "namespace": list(op.namespace),
            "key": op.key,
            "value": value,
            "created": now if known is None else known.metadata["created"],
            "updated": now,
            "indexed": bool(text),
            **self._expiry(op.ttl),
        }
        labels = tuple(".".join(op.namespace[: n + 1]) for n in range(len(op.namespace)))
        self._documents.put(key, text or op.key or "-", metadata, labels, name)

    def _text(self, value: Mapping[str, Any], fields: Sequence[str] | None) -> str:
        if fields is None or list(fields) == ["$"]:
            return "\n".join(words_of(value))
        found = [get_text_at_path(value, tokenize_path(path)) for path in fields]
        return "\n".join(text for texts in found for text in texts).strip()


def _key_of(namespace: Namespace, key: str) -> str:
    told = json.dumps([*namespace, key], ensure_ascii=False).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(told, digest_size=16).hexdigest()


def _value(unit: StoredUnit) -> dict[str, Any]:
    value = unit.metadata["value"]
    assert isinstance(value, Mapping)
    return dict(value)


def _shown(unit: StoredUnit) -> dict[str, Any]:
    told = unit.metadata
    namespace, key = told["namespace"], told["key"]
    assert isinstance(namespace, Sequence)
    return {
        "value": _value(unit), "key": key, "namespace": tuple(map(str, namespace)),
        "created_at": datetime.fromisoformat(str(told["created"])),
        "updated_at": datetime.fromisoformat(str(told["updated"])),
    }  # fmt: skip
