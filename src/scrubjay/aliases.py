"""Other names for what a Memory does, for those who come from elsewhere, and telling with facts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol, Unpack

from scrubjay.answers import Recall
from scrubjay.engine.recall_options import RecallKeywords
from scrubjay.engine.retain.told import Told, UnitFields, units_of
from scrubjay.errors import BadInput
from scrubjay.settings import DEFAULT_BANK
from scrubjay.types import Derived, Retained, StoredUnit

if TYPE_CHECKING:
    from scrubjay.bank import Bank
    from scrubjay.engine.extract import Extracted, Extractor
    from scrubjay.memory import Memory


class _Remembers(Protocol):
    """The part of a Memory that these need."""

    def bank(self, name: str = DEFAULT_BANK, **settings: object) -> Bank: ...
    def get(self, unit: str, *, bank: str = DEFAULT_BANK) -> StoredUnit: ...
    def retain(
        self, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained: ...
    def recall(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Recall: ...
    def extract(
        self,
        told: Told,
        *,
        bank: str = DEFAULT_BANK,
        extractor: Extractor | None = None,
        **given: Unpack[UnitFields],
    ) -> Extracted: ...


class MemoryAliases:
    """`add` and `remember` are `retain`; `search` is `recall`; `extract` asks a language model."""

    def add(
        self: _Remembers, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained:
        """The same as retain."""
        return self.retain(told, bank=bank, **given)

    def remember(
        self: _Remembers, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained:
        """The same as retain."""
        return self.retain(told, bank=bank, **given)

    def search(
        self: _Remembers,
        question: str,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> Recall:
        """The same as recall."""
        return self.recall(question, bank=bank, **given)

    def extract(
        self: _Remembers,
        told: Told,
        *,
        bank: str = DEFAULT_BANK,
        extractor: Extractor | None = None,
        **given: Unpack[UnitFields],
    ) -> Extracted:
        """Retain, then also keep the facts a language model finds in it, each naming its source.

        The words are durable before the model is asked; whatever it does is reported in
        `troubles` and loses nothing. Without `extractor` the endpoint is SCRUBJAY_LLM_URL.
        """
        from scrubjay.engine.extract import Extracted, Extractor, LlmSettings

        if extractor is None:
            extractor = Extractor(LlmSettings.from_environment())
        if not callable(getattr(extractor, "extract", None)):
            raise BadInput("extractor", extractor, "Give an Extractor, or leave it out.")
        retained = self.retain(units_of(told, given), bank=bank)
        sources = [self.get(unit, bank=bank) for unit in dict.fromkeys(retained.ids)]
        found = extractor.extract(sources, self.bank(bank).settings)
        facts = Retained((), (), (), (), Derived())
        if found.units:
            facts = self.retain(found.units, bank=bank)
        return Extracted(retained, facts, found.troubles, found.usage)


class AsyncMemoryAliases:
    """The same, awaitable."""

    _memory: Memory

    async def add(
        self, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained:
        """See Memory.retain."""
        return await asyncio.to_thread(self._memory.retain, told, bank=bank, **given)

    async def remember(
        self, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> Retained:
        """See Memory.retain."""
        return await asyncio.to_thread(self._memory.retain, told, bank=bank, **given)

    async def search(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> Recall:
        """See Memory.recall."""
        return await asyncio.to_thread(self._memory.recall, question, bank=bank, **given)

    async def extract(
        self,
        told: Told,
        *,
        bank: str = DEFAULT_BANK,
        extractor: Extractor | None = None,
        **given: Unpack[UnitFields],
    ) -> Extracted:
        """See Memory.extract."""
        return await asyncio.to_thread(
            self._memory.extract, told, bank=bank, extractor=extractor, **given
        )
