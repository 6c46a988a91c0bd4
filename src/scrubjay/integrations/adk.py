"""A memory service for Google's Agent Development Kit: a bank for each user of an application."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from scrubjay.answers import Item
from scrubjay.bank import Bank
from scrubjay.errors import ExtraMissing, NotFound
from scrubjay.integrations.context import bank_named
from scrubjay.memory import Memory
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

try:
    from google.adk.events.event import Event
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions.session import Session
    from google.genai.types import Content, Part
except ModuleNotFoundError as error:
    raise ExtraMissing("adk", error.name or "google.adk") from error

_ITEMS_MAX = 10


class ScrubjayMemoryService(BaseMemoryService):
    """Remembers what is said in sessions, and what is told outright; no model is asked.

    A session may be added as often as one likes: an event is kept once, by its id. What was
    deleted is not kept again by this object.
    """

    def __init__(self, memory: Memory, *, limit: int = _ITEMS_MAX) -> None:
        self._memory = memory
        self._limit = limit
        self._deleted: set[tuple[str, str]] = set()  # by bank and event

    def bank(self, app_name: str, user_id: str) -> Bank:
        """The bank of a user, to look into."""
        return self._memory.bank(bank_named(app_name, user_id))

    async def add_session_to_memory(self, session: Session) -> None:
        """Keep what was said in a session."""
        await self.add_events_to_memory(
            app_name=session.app_name,
            user_id=session.user_id,
            events=session.events,
            session_id=session.id,
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep some events; metadata is kept with each."""
        bank = self.bank(app_name, user_id)
        units = [
            Unit(
                text,
                type="message",
                speaker=event.author or None,
                session=session_id,
                key=event.id or None,
                told_at=datetime.fromtimestamp(event.timestamp, UTC),
                metadata=_json(custom_metadata),
            )
            for event in events
            if (text := _text(event.content)) and (bank.name, event.id) not in self._deleted
        ]
        await asyncio.to_thread(_retain, bank, units)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep memories as they are told."""
        units = [
            Unit(
                text,
                speaker=entry.author,
                key=entry.id,
                told_at=None if entry.timestamp is None else _moment(entry.timestamp),
                metadata={**_json(custom_metadata), **_json(entry.custom_metadata)},
            )
            for entry in memories
            if (text := _text(entry.content))
        ]
        await asyncio.to_thread(_retain, self.bank(app_name, user_id), units)

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """What a user's bank remembers that the query needs, best first."""
        bank = self.bank(app_name, user_id)

        def recalled() -> Iterable[Item]:
            try:
                return bank.recall(query, limit=self._limit).relevant
            except NotFound:
                return ()  # nothing was told yet

        found = await asyncio.to_thread(recalled)
        return SearchMemoryResponse(memories=[_entry(item) for item in found])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Erase a memory that a search gave; one that is not there is no error."""
        bank = self.bank(app_name, user_id)

        def erase() -> None:
            try:
                key = bank.get(str(memory_id)).key
                bank.forget(str(memory_id))
            except NotFound:
                return
            if key is not None:
                self._deleted.add((bank.name, key))

        if memory_id:
            await asyncio.to_thread(erase)


def _retain(bank: Bank, units: list[Unit]) -> None:
    if units:
        bank.retain(units)


def _text(content: Content | None) -> str:
    parts = [part.text for part in (content.parts if content else None) or ()]
    return "\n".join(text for text in parts if text and text.strip())


def _entry(item: Item) -> MemoryEntry:
    return MemoryEntry(
        id=item.id,
        content=Content(parts=[Part(text=item.text)], role=item.speaker),
        author=item.speaker,
        timestamp=(item.occurred_start or item.told_at).isoformat(),
        custom_metadata={"relevance": item.relevance, **item.metadata},
    )


def _moment(text: str) -> datetime:
    read = datetime.fromisoformat(text)
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _json(metadata: Mapping[str, object] | None) -> dict[str, Json]:
    """What JSON can say; an application's own objects are written as text."""
    plain = (str, int, float, bool, type(None), list, dict)
    return {
        name: value if isinstance(value, plain) else str(value)
        for name, value in (metadata or {}).items()
    }
