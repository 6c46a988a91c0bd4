"""Documents by their keys in a bank: kept whole, found by what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scrubjay.bank import Bank
from scrubjay.errors import NotFound
from scrubjay.limits import PAGE_UNITS_MAX
from scrubjay.types.filters import UnitFilter
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import Json


@dataclass(frozen=True, slots=True)
class Documents:
    """A bank of documents. What a document is, is in its `metadata`; its text is to find it by.

    A long text is cut into parts by the engine, which all carry the metadata; the first has the
    document's key, and stands for it.
    """

    bank: Bank

    def get(self, key: str) -> StoredUnit | None:
        """A document; None if there is none."""
        return next(self._units(UnitFilter(key=key)), None)

    def put(
        self,
        key: str,
        text: str,
        metadata: Mapping[str, Json],
        tags: tuple[str, ...] = (),
        session: str | None = None,
    ) -> None:
        """Keep a document, or change it."""
        if later := self._later_parts(key):
            self.bank.forget(later)
        self.bank.retain(text, key=key, metadata=metadata, tags=tags, session=session, type="fact")

    def delete(self, key: str) -> bool:
        """Erase a document; whether there was one."""
        first = self.get(key)
        if first is None:
            return False
        self.bank.forget([first.id, *self._later_parts(key)])
        return True

    def all(self, tag: str | None = None) -> Iterator[StoredUnit]:
        """The documents with a tag, oldest first, page by page."""
        where = UnitFilter() if tag is None else UnitFilter(tags=(tag,))
        return (unit for unit in self._units(where) if not _is_later_part(unit.key))

    def found(self, question: str, tag: str | None, limit: int) -> Iterator[tuple[str, float]]:
        """Keys of documents that answer a question, best first, each once, with its relevance."""
        seen = set()
        try:
            items = self.bank.recall(
                question,
                tags=() if tag is None else (tag,),
                metadata={"indexed": True},
                limit=limit,
                max_tokens=10_000_000,
            ).items
        except NotFound:
            return
        for item in items:
            key = (item.key or "").partition("#")[0]
            if key and key not in seen:
                seen.add(key)
                yield key, item.relevance

    def _later_parts(self, key: str) -> list[str]:
        parts: list[str] = []
        while (unit := self.get(f"{key}#{len(parts) + 1}")) is not None:
            parts.append(unit.id)
        return parts

    def _units(self, where: UnitFilter) -> Iterator[StoredUnit]:
        cursor = None
        while True:
            try:
                page = self.bank.list(where, limit=PAGE_UNITS_MAX, cursor=cursor)
            except NotFound:
                return  # a bank is made when something is told
            yield from page.units
            cursor = page.cursor
            if cursor is None:
                return


def _is_later_part(key: str | None) -> bool:
    return key is None or "#" in key
